"""Compiled code that writes what a seat sees, and what it may do, as tensors."""
