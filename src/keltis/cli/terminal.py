"""The terminal: what is written to it, and what is read from it."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from keltis.cli.failure import plain

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 80  # what a line is laid out for, on wider terminals too


def console(*, stderr: bool = False) -> Console:
    """A console that writes exactly what it is given, in colour only where that is wanted."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def has_person() -> bool:
    """Whether somebody sits at a terminal, to be asked and to look."""
    return sys.stdin.isatty() and sys.stdout.isatty()


@contextlib.contextmanager
def waiting(message: str) -> Iterator[None]:
    """Tell somebody at a terminal what takes so long, while it does."""
    if has_person():
        with console().status(message):
            yield
    else:
        yield


class Lines:
    """Lines typed by a person or piped in; a piped line is repeated, so that the output reads."""

    def __init__(self) -> None:
        self.from_person = has_person()
        if self.from_person:
            with contextlib.suppress(ImportError):  # not everywhere: a history and arrow keys
                import readline  # noqa: F401
        elif hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")

    def next(self, prompt: str) -> str | None:
        """The next line; None at the end of the input."""
        if self.from_person:
            try:
                return input(prompt).strip()
            except EOFError:
                print()
                return None
        line = sys.stdin.readline()
        if not line:
            return None
        print(f"{prompt}{plain(line)}")
        return line.strip()


def cover() -> None:
    """Leave nothing to read on the screen nor, where that can be, above it."""
    if os.environ.get("TERM", "dumb") == "dumb":
        print("\n" * 100)
    else:
        sys.stdout.write("\x1b[H\x1b[2J\x1b[3J")
        sys.stdout.flush()
