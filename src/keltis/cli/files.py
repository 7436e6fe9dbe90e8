"""Reading records from files and from the input, and saving them."""

import contextlib
import os
import sys
from pathlib import Path

import keltis
from keltis.cli.failure import Failure, reason
from keltis.cli.words import language, t
from keltis.game.positions import FORMAT
from keltis.game.records import LONGEST_FILE

POSITION = FORMAT.partition("/")[0] + "/"  # how a position's text begins


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


def position_in(data: bytes) -> str | None:
    """The position that a file holds instead of a record, as text."""
    if not data.lstrip().startswith(POSITION.encode()):
        return None
    return data.decode("utf-8", errors="replace")


def position(text: str, seed: int | None = None) -> keltis.Game:
    """The game that a position's text describes."""
    try:
        return keltis.position(text, seed)
    except keltis.PositionError as fault:
        words = str(fault)
        if language() != "en":
            words = t("fault.position", place=words.partition(": ")[0])
        raise Failure(words) from None


def game(data: bytes, source: str | Path, seed: int | None = None) -> keltis.Game:
    """The game that a record or a position holds; a seed deals what the position leaves open."""
    text = position_in(data)
    if text is not None:
        return position(text, seed)
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
