"""How a game ended for each of those who held a seat: what the list of one's games shows."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import keltis
from keltis.server.tables import deals
from keltis.server.tables.events import NOBODY, Event
from keltis.server.tables.table import OVER, PERSON, Seat, Table

WON, SHARED, LOST, LEFT, NONE = "won", "shared", "lost", "left", "none"
PRACTICE = "practice"  # it went on from a position of another game, or was of a past day


class Result(NamedTuple):
    """A finished game as one key has it in its list."""

    holder: str
    table_id: str
    over_at: int  # milliseconds since 1970
    seat: int  # in the order of play; the first of several
    seats: int  # that the key held: more than one if people shared a device
    game: str
    players: int
    result: str  # won, shared, lost; left: a bot went on; none: no winner; or practice
    score: int
    lead: int  # over the best of the others
    decisions: int
    ended: str  # goal, deck, resigned, limit, cut
    take_backs: int
    others: str  # JSON: the other seats
    hinted: bool | None = False  # whether it was advised; None: not known, of a version before

    @property
    def is_helped(self) -> bool:
        """Whether it tells little of how strong somebody is."""
        return bool(self.take_backs or self.hinted)

    @property
    def is_readable(self) -> bool:
        """Whether the one thing in it that is no plain value is what it should be."""
        try:
            return isinstance(json.loads(self.others), list)
        except (ValueError, TypeError):
            return False


class SeatReview(NamedTuple):
    """What the review of a table says of one seat."""

    table_id: str
    seat: int
    hash: str  # which review
    version: int
    lost: float | None  # points of lead by each real decision; None: there were too few
    error: float | None
    decisions: int
    luck: float  # points of lead that chance gave


def after(table: Table, event: Event) -> list[Result]:
    """The results of a game that an event is about to end; the table stays as it is."""
    ahead = copy.copy(table)
    ahead.seats = [copy.copy(seat) for seat in table.seats]
    ahead.steps, ahead.made_by, ahead.times = table.steps[:], table.made_by[:], table.times[:]
    ahead.invitations = dict(table.invitations)
    ahead.game = table.game.copy() if table.game is not None else None
    ahead.apply(event)
    return of(ahead)


def of(table: Table) -> list[Result]:
    """The results of a game that is over, for each key that holds a seat; none if never dealt."""
    if table.status != OVER or table.game is None:
        return []
    found = []
    for holder in sorted({each for seat in table.seats for each in seat.holders} - {NOBODY}):
        seats = table.held_by(holder)
        seat = seats[0]
        scores = table.game.scores()
        assert table.over_at is not None
        found.append(
            Result(
                holder=holder,
                table_id=table.id,
                over_at=table.over_at,
                seat=seat,
                seats=len(seats),
                game=table.game_name,
                players=len(table.seats),
                result=_result(table, seat),
                score=scores[seat],
                lead=scores[seat] - max(scores[k] for k in range(len(scores)) if k != seat),
                decisions=len(table.game.moves),
                ended=_ended(table),
                take_backs=sum(table.seats[k].take_backs for k in seats),
                hinted=_hinted(table, seats),
                others=text([_other(k, each) for k, each in enumerate(table.seats) if k != seat]),
            )
        )
    return found


def text(value: Any) -> str:
    """JSON as it is stored, so that parts of it can be looked for."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _result(table: Table, seat: int) -> str:
    winners = table.winners
    if table.prelude is not None or (table.attempt is not None and not table.attempt.counts):
        return PRACTICE
    if table.seats[seat].why not in (None, "resigned"):
        return LEFT
    if not winners:
        return LOST if table.seats[seat].why == "resigned" else NONE
    if seat not in winners:
        return LOST
    return WON if len(winners) == 1 else SHARED


def _hinted(table: Table, seats: Sequence[int]) -> bool | None:
    if table.hints and table.scheme == deals.FIRST_SCHEME:
        return None  # logs of the first version do not tell
    return any(table.seats[k].hinted for k in seats)


def _ended(table: Table) -> str:
    assert table.game is not None
    reason = table.game.reason
    if reason in ("goal", "deck"):
        return str(reason)
    if table.resigned:
        return "resigned"
    return "limit" if len(table.game.moves) >= keltis.DECISION_CAP else "cut"


def _other(number: int, seat: Seat) -> dict[str, str | int | None]:
    return {
        "seat": number,
        "kind": seat.kind,
        "name": seat.name,
        "level": None if seat.kind == PERSON else seat.level,
    }
