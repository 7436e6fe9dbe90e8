"""How fast the package is, against hand-tuned C in the same run. `make bench` runs all of it."""
