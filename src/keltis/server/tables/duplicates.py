"""Duplicates: one deal, or several, that everybody plays against the same bots, to be compared.

As at a bridge club nobody plays a deal twice. So to have everybody sit once in every seat there are
as many boards as seats, each a deal of its own: on the first one begins, on the second one plays
second, and so on. Only those who have played the same board from the same seat are compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from keltis.server import keys
from keltis.server.problems import Problem
from keltis.server.tables import shared
from keltis.server.tables.drafts import Draft, Seats, draft
from keltis.server.tables.events import NOBODY
from keltis.server.tables.shared import (
    FINISHED,
    GIVEN_UP,
    KNOWN,
    Board,
    NewDuplicate,
    Row,
    SharedDeal,
)
from keltis.server.tables.table import OVER, PERSON, Table

OPEN_DAYS = 90  # for which a duplicate can be played
_DAY = 86_400_000  # milliseconds


# --- Made ----------------------------------------------------------------------------------------


def new(
    game: str, options: Mapping[str, str], bots: Sequence[str], seats: Sequence[int]
) -> dict[str, Any]:
    """What is stored of a new one; `seats` to play, on one board each. Chance deals."""
    boards = []
    for seat in seats:
        levels = [*bots[:seat], None, *bots[seat:]]
        boards.append({"levels": levels, "seat": seat, "first": 0, "mix": keys.new_server_seed()})
    return {"game": game, "options": dict(options), "boards": boards}


def from_game(
    table: Table, holder: str, seats: Seats, wanted: int | None, level: str, known: Sequence[str],
    name: str, date: int,
) -> Draft | None:  # fmt: skip
    """One from a game that is over, for others to play a seat of one's own.

    Bots stay who they are if they are `known` to decide alike; `level` plays for people.
    """
    seat = _seat(table, seats, wanted)
    if seat in table.duplicates:
        return None
    assert table.game is not None
    places = len(table.seats)
    levels: list[str | None] = [
        each.level if each.kind != PERSON and each.level in known else level for each in table.seats
    ]
    levels[seat] = None
    body = {
        "game": table.game_name,
        "options": table.options,
        "boards": [
            {
                "levels": [levels[(k - table.turned) % places] for k in range(places)],
                "seat": seat,
                "first": table.first,
                "mix": table.mix().hex(),
            }
        ],
    }
    deal = SharedDeal(keys.new_table_id(), holder, date, table.id, body, name)
    made = draft("duplicated", seat, deal=deal.id)
    made.duplicate = NewDuplicate(deal, _known_to(table, seat, deal.id))
    return made


def refusal(table: Table, seats: Seats) -> str | None:
    """Why whoever holds these seats may not give the deal to others."""
    if not seats:
        return "only who has played a game may give its deal to others"
    if table.attempt is not None:
        return "this deal is one that many play already"
    if table.prelude is not None:
        return "this game went on from a position: it has no deal of its own"
    if table.status != OVER or table.game is None:
        return "the game is not over"
    return None


def _seat(table: Table, seats: Seats, wanted: int | None) -> int:
    if (why := refusal(table, seats)) is not None:
        raise Problem("not_allowed", why)
    if wanted is None:
        return seats[0]
    table.check_seat(wanted)
    if wanted not in seats:
        raise Problem("not_allowed", "this seat is not yours")
    return wanted


def _known_to(table: Table, own: int, deal: str) -> list[Row]:
    """Everybody who has played the game: one result, and no second attempts."""
    assert table.game is not None
    assert table.over_at is not None
    mine = table.seats[own]
    state, lead, score = KNOWN, None, None
    if mine.played_by is not None:
        state = GIVEN_UP
    elif table.game.reason in ("goal", "deck"):
        scores = table.game.scores()
        state, lead, score = FINISHED, shared.lead_of(scores, own), scores[own]
    # Devices that were removed have seen the cards too.
    rest = {holder for seat in table.seats for holder in (*seat.holders, *seat.gone)} - {NOBODY}
    first = mine.holders[0]
    dates = (table.id, table.created_at, table.over_at)
    return [
        Row(first, deal, 0, *dates, state, lead, score, mine.name),
        *(Row(holder, deal, 0, *dates, KNOWN, None, None, None) for holder in rest - {first}),
    ]


def boards(body: Mapping[str, Any]) -> list[Board]:
    return [
        Board(body["game"], body["options"], each["levels"], each["mix"], each["first"])
        for each in body["boards"]
    ]


def is_open(deal: SharedDeal, date: int) -> bool:
    return date < closes_at(deal)


def closes_at(deal: SharedDeal) -> int:
    return deal.created_at + OPEN_DAYS * _DAY


# --- Compared ------------------------------------------------------------------------------------


class Line(NamedTuple):
    """One person on one board."""

    row: Row
    place: int | None  # None: given up
    points: float | None  # match points, as a share of those to be had; None: nobody to compare


class Total(NamedTuple):
    """Somebody who has played all boards."""

    holder: str
    name: str | None
    lead: int | None  # of all boards; None if one was given up
    points: float | None  # mean of the boards
    place: int  # by points
    place_by_lead: int | None


def compare(rows: Iterable[Row]) -> list[Line]:
    """One board: a match point for each other who is behind, half of one for who is level.

    Whoever gives up is behind all who finish, and has no points.
    """
    done = [row for row in rows if row.state in (FINISHED, GIVEN_UP)]
    leads = [row.lead for row in done if row.state == FINISHED and row.lead is not None]
    others = len(done) - 1
    lines = []
    for row in done:
        if row.state == GIVEN_UP or row.lead is None:
            lines.append(Line(row, None, 0.0 if others else None))
            continue
        ahead = sum(lead > row.lead for lead in leads)
        level = sum(lead == row.lead for lead in leads) - 1
        behind = others - ahead - level
        points = (behind + level / 2) / others if others else None
        lines.append(Line(row, ahead + 1, points))
    return sorted(lines, key=lambda line: (line.place is None, line.place or 0, line.row.over_at))


def total(compared: Sequence[Sequence[Line]]) -> list[Total]:
    """All boards together, of those who have played them all; those alike share a place."""
    mine: dict[str, list[Line]] = defaultdict(list)
    for lines in compared:
        for line in lines:
            mine[line.row.holder].append(line)
    found = []
    for holder, lines in mine.items():
        if len(lines) < len(compared):
            continue
        leads = [line.row.lead for line in lines if line.place is not None]
        points = [line.points for line in lines if line.points is not None]
        found.append(
            Total(
                holder,
                lines[0].row.name,
                sum(lead or 0 for lead in leads) if len(leads) == len(lines) else None,
                round(sum(points) / len(points), 6) if points else None,
                0,
                None,
            )
        )
    placed = [
        each._replace(
            place=1 + sum((other.points or 0) > (each.points or 0) for other in found),
            place_by_lead=None
            if each.lead is None
            else 1 + sum(other.lead is not None and other.lead > each.lead for other in found),
        )
        for each in found
    ]
    return sorted(placed, key=lambda each: (each.place, each.place_by_lead or len(placed) + 1))
