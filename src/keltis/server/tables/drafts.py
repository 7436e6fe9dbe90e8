"""Events that are not written yet, and what their checks need to know."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

Seats = tuple[int, ...]  # held by one key; () is a spectator


@dataclass(slots=True)
class Draft:
    """An event that is not written yet."""

    kind: str
    seat: int | None
    body: str
    holder: str | None = None  # a key that holds a seat from now on


@dataclass(slots=True)
class Surroundings:
    """What a check needs to know beside the table."""

    now: float  # this server's own clock, as in Seat.absent_since
    date: int  # milliseconds since 1970
    grace: float
    substitute: str  # the bot that takes over a person's seat
    link_time: float  # seconds for which a link to another device works


def draft(kind: str, seat: int | None = None, **body: Any) -> Draft:
    return Draft(kind, seat, json.dumps(body, separators=(",", ":")))
