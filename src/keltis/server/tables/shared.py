"""Deals that many people play, each at a table of their own, against bots that always decide alike.

A day's deal and a duplicate are both such deals. Their tables are ordinary ones, without take-back,
hints, spectators and substitutes; `Attempt` ties a table to its deal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from keltis.server.tables import deals
from keltis.server.tables.events import NOBODY

if TYPE_CHECKING:
    from keltis.server.tables.drafts import Draft
    from keltis.server.tables.table import Table

# What has become of an attempt, as it is stored. KNOWN: there is none, because its person has
# played the game that a duplicate comes from and knows the cards.
PLAYING, FINISHED, GIVEN_UP, LATE, KNOWN = range(5)
# As people are told.
STATES = ("playing", "finished", "given up", "late", "known")


class Attempt(NamedTuple):
    """Whose attempt at which deal a table is."""

    deal: str
    board: int  # of a duplicate with several
    holder: str
    counts: bool


class Beginning(NamedTuple):
    """An attempt that begins: what is written of it together with its table."""

    attempt: Attempt
    name: str | None = None  # for others to see
    source: str | None = None  # the table whose cards they are: from one seat only


class KnowsCards(Exception):
    """Somebody is about to play cards a second time, from another seat."""


class Row(NamedTuple):
    """One attempt, as it is stored."""

    holder: str
    deal: str
    board: int
    table_id: str
    begun_at: int
    over_at: int | None
    state: int
    lead: int | None
    score: int | None
    name: str | None


class SharedDeal(NamedTuple):
    """A duplicate, as it is stored."""

    id: str
    creator: str
    created_at: int
    source: str | None
    body: dict[str, Any]
    name: str | None = None  # of its maker


class NewDuplicate(NamedTuple):
    """One that is made from a game, with those who have played it and so know its cards."""

    deal: SharedDeal
    known_to: list[Row]


class Result(NamedTuple):
    state: int
    lead: int | None = None  # over the best of the others
    score: int | None = None


class Board(NamedTuple):
    """What is dealt to whom."""

    game: str
    options: Mapping[str, str]
    levels: Sequence[str | None]  # by place: a bot, or None for whoever plays
    mix: str  # hex; secret
    first: deals.First


def created_body(
    board: Board,
    attempt: Attempt,
    name: str,
    bot_names: Mapping[str, str],
) -> dict[str, Any]:
    """The first event of somebody's table."""
    bots = Counter[str]()
    seats: list[dict[str, Any]] = []
    for level in board.levels:
        if level is None:
            seats.append(
                {
                    "kind": "person",
                    "name": name,
                    "level": None,
                    "holders": [attempt.holder],
                    "devices": [None],
                    "ready": True,
                }
            )
        else:
            bots[level] += 1
            which = f" {bots[level]}" if bots[level] > 1 else ""
            seats.append({"kind": "bot", "name": bot_names[level] + which, "level": level})
    return {
        "scheme": deals.GIVEN_SCHEME,
        "attempt": [attempt.deal, attempt.board, attempt.counts],
        "options": dict(board.options),
        "practice": False,
        "hints": False,
        "spectators": False,
        "clock": None,
        "first": board.first,
        "invited": None,
        "invitation": None,
        "seats": seats,
    }


def attempt_of(body: Mapping[str, Any]) -> Attempt | None:
    """From the first event of a table."""
    if "attempt" not in body:
        return None
    deal, board, counts = body["attempt"]
    own = next(seat for seat in body["seats"] if seat["kind"] == "person")
    return Attempt(deal, board, own["holders"][0], counts)


def result(table: Table, attempt: Attempt, draft: Draft, *, late: bool) -> Result | None:
    """What the event that ends a table makes of its attempt; None if that does not count."""
    if not attempt.counts or attempt.holder == NOBODY:
        return None
    if draft.kind != "moved" or table.game is None:
        return Result(GIVEN_UP)
    game = table.game.copy()
    game.play(draft.body)
    scores = game.scores()
    own = next(k for k, seat in enumerate(table.seats) if seat.kind == "person")
    return Result(LATE if late else FINISHED, lead_of(scores, own), scores[own])


def lead_of(scores: Sequence[int], seat: int) -> int:
    """A seat's points over those of the best of the others."""
    return scores[seat] - max(score for k, score in enumerate(scores) if k != seat)
