"""Reading records from files and from the input."""

import sys
from pathlib import Path

import keltis
from keltis.cli.failure import Failure
from keltis.game.records import LONGEST_FILE


def read(source: str | Path) -> bytes:
    """All of a file; `-` is the input."""
    try:
        if str(source) == "-":
            data = sys.stdin.buffer.read(LONGEST_FILE + 1)
        else:
            with open(source, "rb") as file:
                data = file.read(LONGEST_FILE + 1)
    except (OSError, ValueError) as fault:
        raise Failure(f"{source}: {getattr(fault, 'strerror', None) or fault}") from None
    if len(data) > LONGEST_FILE:
        raise Failure(f"{source}: too long for a record")
    return data


def game(data: bytes, source: str | Path) -> keltis.Game:
    """The game that a record holds."""
    try:
        return keltis.load(data)
    except keltis.RecordError as fault:
        raise Failure(f"{source}: {fault}") from None
