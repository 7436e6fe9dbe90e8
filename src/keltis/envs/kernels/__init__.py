"""Compiled parts of the environments: rewards, and stepping many games at once."""
