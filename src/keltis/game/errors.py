"""What goes wrong, and how a message names the thing that was wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keltis.game.reasons import Reason

_LONGEST = 40  # characters of a stranger's text that a message repeats


class IllegalMove(ValueError):
    """A move that may not be played now; the message says why."""

    __module__ = "keltis"  # where it is public: tracebacks name it so


class RecordError(ValueError):
    """A record that cannot be loaded; the message begins with the place of the fault."""

    __module__ = "keltis"


class PositionError(ValueError):
    """A position that no game can come to; the message begins with the place of the fault."""

    __module__ = "keltis"


class IllegalRecord(RecordError):
    """A record with a move that may not be played where it stands."""

    def __init__(self, message: str, place: int, view: Mapping[str, Any], reason: Reason) -> None:
        super().__init__(message)
        self.place = place  # of the move
        self.view = view  # a spectator's, where it stands
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return IllegalRecord, (str(self), self.place, self.view, self.reason)


def quoted(value: object) -> str:
    """A short, printable name for any value at all; runs no code of the value's own."""
    if isinstance(value, str):
        text = str.__getitem__(value, slice(_LONGEST + 1))
        if len(text) > _LONGEST:
            text = text[:_LONGEST] + "…"
        return f'"{"".join(c if c.isprintable() else "�" for c in text)}"'
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if type(value) is float or (type(value) is int and value.bit_length() <= 64):
        return repr(value)
    name = type(value).__name__[:_LONGEST]
    return f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"
