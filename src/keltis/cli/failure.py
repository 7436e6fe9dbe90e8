"""How a command says that it cannot go on, and how it repeats the words of others."""


class Failure(Exception):
    """Ends the program with one line on the error stream and an exit code."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(message)
        self.code = code


def plain(text: str) -> str:
    """Text on one line, without anything that a terminal would obey."""
    line = " ".join(text.split())
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line
    )
