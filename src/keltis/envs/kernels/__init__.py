"""Compiled parts of the environments: tensors, masks, and stepping many games at once."""
