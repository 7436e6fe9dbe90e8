"""Duplicates: made, played, and shown to whom they may be shown.

Whoever has the link sees what is to be played and who has played it. How a board went is shown
to who has played that board, and nothing else of its deal to anybody.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import IntegrityError

from keltis.server import keys
from keltis.server.live import messages
from keltis.server.live.fair_pool import Asker
from keltis.server.live.live_table import LiveTable
from keltis.server.problems import Problem
from keltis.server.storage import attempts
from keltis.server.tables import duplicates, names, shared
from keltis.server.tables.drafts import Draft, Seats, Surroundings
from keltis.server.tables.duplicates import Line, Total
from keltis.server.tables.shared import KNOWN, PLAYING, STATES, Attempt, KnowsCards, Row, SharedDeal
from keltis.server.tables.table import Table

if TYPE_CHECKING:
    from keltis.server.live.service import Service

_log = logging.getLogger("keltis.duplicates")

MOST_OPEN = 50  # that one key may have made
MOST_PEOPLE = 100  # who play one
_LISTED = 50


class Duplicates:
    def __init__(self, service: Service) -> None:
        self._service = service

    # --- Making ----------------------------------------------------------------------------------

    async def new(
        self,
        holder: str,
        game: str,
        options: dict[str, str],
        bots: Sequence[str],
        seats: Sequence[int],
        name: str,
    ) -> str:
        """A deal of somebody's own making, or several; its id."""
        for k, level in enumerate(bots):
            if level not in self._service.bots.levels:
                raise Problem("bad_request", f"bots.{k}: there is no such level")
        await self._check_count(holder)
        body = duplicates.new(game, options, bots, seats)
        date = self._service.clock.wall()
        deal = SharedDeal(keys.new_table_id(), holder, date, None, body, names.clean(name))
        await self._service.ask(attempts.add_deal, self._service.store, deal)
        return deal.id

    async def from_game(
        self, live: LiveTable, holder: str, seat: int | None, level: str | None, name: str
    ) -> str:
        """The deal of a finished game, for others to play one's seat; its id."""
        bots = self._service.bots
        level = level or bots.substitute
        if level not in bots.levels:
            raise Problem("bad_request", "level: there is no such level")
        clean = names.clean(name)
        await self._check_count(holder)

        def check(table: Table, seats: Seats, near: Surroundings) -> Draft | None:
            return duplicates.from_game(
                table, holder, seats, seat, level, bots.levels, clean, near.date
            )

        await self._service.act(live, check, holder)
        table = live.table
        return table.duplicates[seat if seat is not None else table.held_by(holder)[0]]

    async def _check_count(self, holder: str) -> None:
        since = self._service.clock.wall() - 86_400_000 * duplicates.OPEN_DAYS
        made = await self._service.ask(attempts.deals_of, self._service.store, holder, since)
        if len(made) >= MOST_OPEN:
            raise Problem(
                "too_many_tables", f"you have made {MOST_OPEN} duplicates that can still be played"
            )

    # --- Playing ---------------------------------------------------------------------------------

    async def play(self, asker: Asker, deal_id: str, board: int, name: str) -> LiveTable:
        """The table of somebody's attempt at a board: begun now, or taken up."""
        deal = await self._find(deal_id)
        boards = duplicates.boards(deal.body)
        if board >= len(boards):
            raise Problem("not_found", f"board: there are {len(boards)}")
        rows = await self._rows(deal)
        if (own := _of(rows, asker.key, board)) is not None:
            return await self._service.find(own.table_id)
        if await self._knows(deal, rows, asker.key):
            raise _knows_cards()
        if not duplicates.is_open(deal, self._service.clock.wall()):
            raise Problem("not_allowed", "this duplicate is closed")
        people = {row.holder for row in rows}
        if asker.key not in people and len(people) >= MOST_PEOPLE:
            raise Problem("not_allowed", f"{MOST_PEOPLE} people play it already")
        attempt = Attempt(deal.id, board, asker.key, True)
        entries = self._service.bots.entries
        own_name = names.clean(name)
        body = shared.created_body(
            boards[board], attempt, own_name, {level: level.title() for level in entries}
        )
        game, mix = deal.body["game"], boards[board].mix
        try:
            beginning = shared.Beginning(attempt, own_name, deal.source)
            return await self._service.create(game, False, body, asker, mix, beginning)
        except KnowsCards:  # another request came at the same time
            raise _knows_cards() from None
        except IntegrityError:  # by a request that came at the same time
            own = _of(await self._rows(deal), asker.key, board)
            if own is None:
                raise
            return await self._service.find(own.table_id)

    async def record(self, holder: str, deal_id: str, board: int, number: int) -> dict[str, Any]:
        """How one of those who have played a board played it, for who has played it too."""
        deal = await self._find(deal_id)
        rows = await self._rows(deal)
        if not _has_played(rows, holder, board):
            raise Problem("not_allowed", "first play this board yourself")
        there = [row for row in rows if row.board == board]
        if number < len(there) and there[number].table_id and there[number].state != PLAYING:
            record = (await self._service.find(there[number].table_id)).table.record()
            if record is not None:
                return record
        raise Problem("not_found", "there is no such game")

    # --- Looking ---------------------------------------------------------------------------------

    async def about(self, deal_id: str, holder: str) -> dict[str, Any]:
        """A duplicate, as far as somebody has played it."""
        deal = await self._find(deal_id)
        rows = await self._rows(deal)
        count = len(deal.body["boards"])
        by_board = [[row for row in rows if row.board == board] for board in range(count)]
        compared = [duplicates.compare(there) for there in by_board]
        numbers = {row: n for there in by_board for n, row in enumerate(there)}
        shown = [_has_played(rows, holder, board) for board in range(count)]
        return {
            **self._head(deal, rows, holder),
            "known": await self._knows(deal, rows, holder),
            "boards": [
                {
                    "seat": board["seat"],
                    "bots": _bots(board),
                    "own": _own(_of(rows, holder, k)),
                    "results": [
                        _line(line, numbers[line.row], holder, deal) for line in compared[k]
                    ]
                    if shown[k]
                    else None,
                }
                for k, board in enumerate(deal.body["boards"])
            ],
            "total": [_total(each, holder) for each in duplicates.total(compared)]
            if count > 1 and all(shown)
            else None,
        }

    async def mine(self, holder: str) -> list[dict[str, Any]]:
        """Those that one has made, plays or has played, the newest first."""
        store = self._service.store
        found = await self._service.ask(attempts.duplicates_of, store, holder, _LISTED)
        own = await self._service.ask(attempts.of_holder, store, holder)
        return [
            {
                **self._head(deal, (), holder),
                "done": sum(row.deal == deal.id and row.state != PLAYING for row in own),
                "of": len(deal.body["boards"]),
            }
            for deal in found
        ]

    def _head(self, deal: SharedDeal, rows: Sequence[Row], holder: str) -> dict[str, Any]:
        body = deal.body
        done = {row.holder: row.name for row in rows if row.state not in (PLAYING, KNOWN)}
        return {
            "duplicate": deal.id,
            "path": f"duplicate/{deal.id}",
            "by": deal.name,
            "yours": bool(holder) and deal.creator == holder,
            "created": messages.timestamp(deal.created_at),
            "closes": messages.timestamp(duplicates.closes_at(deal)),
            "open": duplicates.is_open(deal, self._service.clock.wall()),
            "game": body["game"],
            "options": body["options"],
            "players": len(body["boards"][0]["levels"]),
            "from_game": deal.source is not None,
            "played": sorted(name for name in done.values() if name),
        }

    async def _find(self, deal_id: str) -> SharedDeal:
        deal = None
        if keys.is_table_id(deal_id):
            try:
                deal = await self._service.ask(attempts.find_deal, self._service.store, deal_id)
            except ValueError:
                _log.error("what is stored of a duplicate is damaged")
                raise Problem("unreadable", "what is stored of this duplicate is damaged") from None
        if deal is None:
            raise Problem("not_found", "there is no such duplicate")
        return deal

    async def _knows(self, deal: SharedDeal, rows: Sequence[Row], holder: str) -> bool:
        """Whether somebody has seen the cards without having played this duplicate."""
        if any(row.holder == holder and row.state == KNOWN for row in rows):
            return True
        if not holder:
            return False
        store = self._service.store
        return await self._service.ask(attempts.plays_beside, store, holder, deal)

    async def _rows(self, deal: SharedDeal) -> list[Row]:
        return await self._service.ask(attempts.at_deal, self._service.store, deal.id)


def _knows_cards() -> Problem:
    return Problem("not_allowed", "you know these cards: you have played the game before")


def _of(rows: Sequence[Row], holder: str, board: int) -> Row | None:
    """Somebody's attempt at a board."""
    for row in rows:
        if (row.holder, row.board) == (holder, board) and row.state != KNOWN:
            return row
    return None


def _has_played(rows: Sequence[Row], holder: str, board: int) -> bool:
    """Whether somebody knows a board's cards, having played them to the end."""
    return any(row.holder == holder and row.state != PLAYING and row.board == board for row in rows)


def _bots(board: dict[str, Any]) -> list[str | None]:
    """The levels in the order of play; None for whoever plays."""
    levels = board["levels"]
    begin = levels.index(None) - board["seat"]
    return [levels[(begin + k) % len(levels)] for k in range(len(levels))]


def _own(row: Row | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {
        "state": STATES[row.state],
        "table": row.table_id,
        "lead": row.lead,
        "score": row.score,
    }


def _line(line: Line, number: int, holder: str, deal: SharedDeal) -> dict[str, Any]:
    row = line.row
    return {
        "number": number,
        "name": row.name,
        "you": row.holder == holder,
        "original": deal.source is not None and row.table_id == deal.source,
        "replay": bool(row.table_id),
        "state": STATES[row.state],
        "lead": row.lead,
        "score": row.score,
        "place": line.place,
        "points": None if line.points is None else round(line.points, 4),
    }


def _total(each: Total, holder: str) -> dict[str, Any]:
    told = each._asdict()
    return {"you": told.pop("holder") == holder, **told}
