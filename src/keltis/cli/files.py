"""Reading records from files and from the input, and saving them."""

import contextlib
import os
import sys
from pathlib import Path

import keltis
from keltis.cli.failure import Failure, reason
from keltis.cli.words import language, t
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
        raise Failure(t("fault.file", file=source, reason=reason(fault))) from None
    if len(data) > LONGEST_FILE:
        raise Failure(t("fault.file", file=source, reason=t("fault.long.record")))
    return data


def game(data: bytes, source: str | Path) -> keltis.Game:
    """The game that a record holds."""
    try:
        return keltis.load(data)
    except keltis.RecordError as fault:
        raise Failure(bad_record(source, str(fault))) from None


def bad_record(source: str | Path, fault: str) -> str:
    """What is wrong with a record: all of it in English, its place in every language."""
    if language() == "en":
        return f"{source}: {fault}"
    return t("fault.record", file=source, place=fault.partition(": ")[0])


def write(path: Path, text: str, *, overwrite: bool) -> None:
    """Write a file whole or not at all; raises OSError, or ValueError for what is no path.

    Only with `overwrite` may there be one already, and it stays as it was if the new one
    cannot be written.
    """
    path = path.resolve()
    part = path.with_name(f".keltis-{os.getpid()}.part")
    if not overwrite:
        path.open("x").close()  # from here on the name is ours
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
            if not overwrite:
                path.unlink()
        raise
