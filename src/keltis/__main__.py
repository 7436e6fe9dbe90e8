"""`python -m keltis` is `keltis`."""

from keltis.cli import main

if __name__ == "__main__":
    main()
