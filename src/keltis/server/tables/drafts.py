"""Events that are not written yet, and what their checks need to know."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keltis.server.tables.events import Event, Head
    from keltis.server.tables.shared import NewDuplicate
    from keltis.server.tables.table import Table

Seats = tuple[int, ...]  # held by one key; () is a spectator


@dataclass(slots=True)
class NewTable:
    """A table that is not written yet."""

    head: Head
    event: Event
    holders: list[str]  # digests of the keys that hold its seats


@dataclass(slots=True)
class Draft:
    """An event that is not written yet."""

    kind: str
    seat: int | None
    body: str
    status: str | None = None  # of the table from now on, if it changes
    holder: str | None = None  # a key that holds a seat from now on
    beside: NewTable | None = None  # written together with it
    duplicate: NewDuplicate | None = None  # the same


@dataclass(slots=True)
class Surroundings:
    """What a check needs to know beside the table."""

    now: float  # this server's own clock, as in Seat.absent_since
    date: int  # milliseconds since 1970
    grace: float
    substitute: str  # the bot that takes over a person's seat
    link_time: float  # seconds for which a link to another device works


Check = Callable[["Table", Seats, Surroundings], Draft | None]


def draft(kind: str, seat: int | None = None, **body: Any) -> Draft:
    return Draft(kind, seat, to_json(body))


def to_json(body: Mapping[str, Any]) -> str:
    return json.dumps(body, separators=(",", ":"))
