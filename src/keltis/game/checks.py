"""Checks of what comes from outside. A fault raises ValueError or TypeError, place first."""

import operator
from typing import Any

from keltis.game.errors import quoted


def check_whole(value: object, place: str) -> int:
    """Any kind of whole number, numpy's too, as an int."""
    try:
        if not isinstance(value, bool):
            return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        pass
    raise TypeError(f"{place}: expected a whole number, not {quoted(value)}")


def check_number(value: object, place: str) -> float:
    """Any kind of number, numpy's too."""
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise TypeError(f"{place}: expected a number, not {quoted(value)}")
    return float(value)


def check_text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{place}: expected text, not {quoted(value)}")
    return value


def check_object(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"{place}: expected an object, not {quoted(value)}")
    return value


def check_list(
    value: object, place: str, size: int | None = None, noun: str = "entries"
) -> list[Any]:
    """A list, and of a given size if there is one."""
    if not isinstance(value, list):
        raise TypeError(f"{place}: expected a list, not {quoted(value)}")
    if size is not None and len(value) != size:
        raise ValueError(f"{place}: expected {size} {noun}, not {len(value)}")
    return value


def check_entry(contents: dict[str, Any], key: str, place: str) -> Any:
    """The value of a key that has to be there."""
    if key not in contents:
        raise ValueError(f"{place}: missing")
    return contents[key]


def check_seat(value: object, players: int, place: str) -> int:
    seat = check_whole(value, place)
    if not 0 <= seat < players:
        raise ValueError(f"{place}: expected 0 to {players - 1}, not {quoted(seat)}")
    return seat
