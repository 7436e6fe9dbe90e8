"""`python -m keltis` is `keltis`."""

from keltis.cli import main

main()
