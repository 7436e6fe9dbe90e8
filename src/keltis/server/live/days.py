"""The day's deals: who may play which, what is shown to whom, and when.

A day is *open* from midnight to midnight UTC. On the next day what was begun can be finished, and
counts. Then the day is *closed*: its link is shown, and its deals can be played, not counting.
Until then nothing of a deal is shown to who has not finished it. A day that was closed once stays
so, whatever clocks do: its link, and so those of all days before, may have been shown.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import IntegrityError

from keltis.reviews.runs import RUNS
from keltis.server.live.fair_pool import Asker
from keltis.server.live.live_table import LiveTable
from keltis.server.live.par import Pars
from keltis.server.problems import Problem
from keltis.server.storage import attempts
from keltis.server.tables import chain, names, shared
from keltis.server.tables.chain import Chain, DayDeal
from keltis.server.tables.deals import CHANCE
from keltis.server.tables.shared import FINISHED, PLAYING, STATES, Attempt, Board, Row
from keltis.server.tables.table import PERSON

if TYPE_CHECKING:
    from keltis.server.live.service import Service

_log = logging.getLogger("keltis.days")

_FRESH = 3.0  # seconds for which a tally is kept
_KEPT = 64  # tallies
_MANY = 1000  # have finished: nobody notices that one is missing for these seconds


class Days:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._chain: Chain | None = None
        self._latest = ""  # day that has begun, as far as this server knows
        self._is_behind = False  # the clock, by days
        self._tallies: dict[str, tuple[float, asyncio.Future[attempts.Tally]]] = {}
        self.pars = Pars(service)

    # --- The chain and the date ------------------------------------------------------------------

    async def chain(self) -> Chain:
        if self._chain is None:
            now = chain.day_at(self._service.clock.wall())
            self._chain = await self._service.ask(attempts.chain, self._service.store, now)
            self._latest = self._chain.latest_day
        return self._chain

    async def today(self) -> str:
        """The day that it is. A clock that goes back by a day or less brings no day again."""
        await self.chain()
        now = chain.day_at(self._service.clock.wall())
        if now < self._latest <= chain.after(now):
            now = self._latest
        if now > self._latest:
            await self._service.ask(attempts.note_day, self._service.store, now)
            self._latest = max(self._latest, now)
        is_behind = now < self._latest
        if is_behind and not self._is_behind:
            _log.warning("the clock is days behind: what was shown already does not count again")
        self._is_behind = is_behind
        return now

    async def is_closed(self, day: str) -> bool:
        """Whether a day's link may be shown, or may have been, by this server or another."""
        await self.today()
        if self._service.store.shared and not chain.is_closed(day, self._latest):
            latest = await self._service.ask(attempts.latest_day, self._service.store)
            self._latest = max(self._latest, latest)
        return chain.is_closed(day, self._latest)

    async def links(self) -> dict[str, Any]:
        """All that anybody needs to check the days, and nothing of those not closed."""
        made, today = await self.chain(), await self.today()
        last = min(chain.after(today, -2), made.last_day)
        shown = None
        if last >= made.first_day and chain.is_closed(last, today):
            link = await self._service.ask(chain.link_of, made, last)
            shown = {"day": last, "link": link}
        return {
            "scheme": chain.SCHEME,
            "anchor": made.anchor,
            "first_day": made.first_day,
            "today": today,
            "length": chain.LENGTH,
            "last_link": shown,
        }

    # --- Playing ---------------------------------------------------------------------------------

    async def play(self, asker: Asker, day: str, game: str, bot: str, name: str) -> LiveTable:
        """The table of somebody's attempt: begun now, or taken up."""
        deal = DayDeal(day, game, bot)
        is_open = await self._check(day)
        own = await self._own(asker.key, deal)
        closed = not is_open and await self.is_closed(day)
        if own is not None and (own.state == PLAYING or not closed):
            return await self._service.find(own.table_id)
        if not is_open and not closed:
            raise Problem("not_allowed", "this day is over; from tomorrow on it can be played")
        attempt = Attempt(deal.id, 0, asker.key, is_open)
        board = await self.board(deal)
        levels = self._service.bots.entries
        body = shared.created_body(
            board, attempt, names.clean(name), {level: level.title() for level in levels}
        )
        try:
            live = await self._service.create(
                game, False, body, asker, board.mix, shared.Beginning(attempt) if is_open else None
            )
        except IntegrityError:  # by a request that came at the same time
            own = await self._own(asker.key, deal)
            if own is None:
                raise
            return await self._service.find(own.table_id)
        if is_open:
            self.pars.want(deal.id, board)
        return live

    async def board(self, deal: DayDeal) -> Board:
        made = await self.chain()
        link = await self._service.ask(chain.link_of, made, deal.day)
        return Board(deal.game, {}, [None, deal.bot], chain.mix_of(link, deal), CHANCE)

    async def _check(self, day: str) -> bool:
        """Whether a day is open; refuse what is no day here."""
        made, today = await self.chain(), await self.today()
        first, last = made.first_day, min(today, made.last_day)
        if not chain.is_day(day) or not first <= day <= last:
            there = f"from {first} to {last}" if first <= last else f"from {first} on"
            raise Problem("not_found", f"day: there are days {there}")
        return day == today and not await self.is_closed(day)

    async def _own(self, holder: str, deal: DayDeal) -> Row | None:
        if not holder:
            return None
        found = await self._service.ask(attempts.of_holder, self._service.store, holder, deal.id)
        return found[0] if found else None

    async def _rows(self, holder: str) -> list[Row]:
        """All attempts of a key at deals of days."""
        if not holder:
            return []
        made, today = await self.chain(), await self.today()
        found = await self._service.ask(
            attempts.between, self._service.store, holder, made.first_day, today
        )
        return [row for row in found if chain.day_deal(row.deal) is not None]

    # --- Looking ---------------------------------------------------------------------------------

    async def about(self, day: str, holder: str) -> dict[str, Any]:
        """A day, as far as somebody has played it."""
        is_open = await self._check(day)
        made, today = await self.chain(), await self.today()
        closed = not is_open and await self.is_closed(day)
        all_rows = await self._rows(holder)
        rows = {row.deal: row for row in all_rows if row.deal.startswith(day)}
        return {
            "day": day,
            "today": today,
            "open": is_open,
            "closed": closed,
            "anchor": made.anchor,
            "link": await self._service.ask(chain.link_of, made, day) if closed else None,
            "first_day": made.first_day,
            "streak": streak(_played(all_rows), today),
            "deals": [
                await self._about_deal(DayDeal(day, game, bot), rows, closed=closed)
                for game in chain.GAMES
                for bot in chain.OPPONENTS
            ],
        }

    async def _about_deal(
        self, deal: DayDeal, rows: dict[str, Row], *, closed: bool
    ) -> dict[str, Any]:
        own = rows.get(deal.id)
        tally = await self.tally(deal.id)
        about: dict[str, Any] = {
            "deal": deal.id,
            "game": deal.game,
            "bot": deal.bot,
            "state": STATES[own.state] if own else None,
            "table": await self._table_of(own),
            "lead": own.lead if own else None,
            "score": own.score if own else None,
            "finished": sum(tally.leads.values()),
        }
        played = own is not None and own.state != PLAYING
        if not played and not closed:
            return about
        if tally.leads:  # nobody makes it work by looking at days that nobody played
            self.pars.want(deal.id, await self.board(deal))
        par = await self._service.ask(attempts.pars_of, self._service.store, deal.id)
        return about | {
            "leads": sorted(tally.leads.items()),
            "given_up": tally.given_up,
            "place": place(tally.leads, own.lead)
            if own is not None and own.state == FINISHED and own.lead is not None
            else None,
            "par": {"runs": RUNS, "leads": list(par.values())},
            "other_way": await self._other_way(tally.best, own) if played and own else None,
        }

    async def _table_of(self, own: Row | None) -> str | None:
        """The table of an attempt, which may have been deleted by its age."""
        if own is None or not own.table_id:
            return None
        head = await self._service.ask(self._service.store.head, own.table_id)
        return None if head is None else own.table_id

    async def tally(self, deal: str) -> attempts.Tally:
        """How all fared, some seconds old at most: asked of the database once for everybody."""
        now = self._service.clock.now()
        kept = self._tallies.get(deal)
        if kept is None or now - kept[0] > _FRESH or (kept[1].done() and kept[1].exception()):
            asking = asyncio.ensure_future(
                self._service.ask(attempts.tally, self._service.store, deal)
            )
            if len(self._tallies) >= _KEPT:
                self._tallies.pop(next(iter(self._tallies)))
            kept = self._tallies[deal] = (now, asking)
        return await asyncio.shield(kept[1])

    def stale(self, deal: str) -> None:
        """Somebody has finished: ask anew, unless there are many, which takes longer."""
        _, kept = self._tallies.get(deal, (0.0, None))
        if kept is None or not kept.done() or kept.exception() is not None:
            self._tallies.pop(deal, None)
        elif sum(kept.result().leads.values()) < _MANY:
            del self._tallies[deal]

    async def _other_way(self, best: str | None, own: Row) -> dict[str, Any] | None:
        """Where the best first decided otherwise; None if nobody is better, or is not there."""
        if not best or not own.table_id or best == own.table_id:
            return None
        try:
            theirs = (await self._service.find(best)).table
            mine = (await self._service.find(own.table_id)).table
        except Problem:  # deleted meanwhile
            return None
        if theirs.game is None or mine.game is None:
            return None
        seat = next(k for k, each in enumerate(mine.seats) if each.kind == "person")
        scores = theirs.game.scores()
        lead = scores[seat] - scores[1 - seat]
        if own.lead is not None and own.lead >= lead:
            return None
        decided = 0
        pairs = zip(mine.game.moves, theirs.game.moves, mine.made_by, strict=False)
        for step, (one, other, by) in enumerate(pairs):
            if one != other:
                return {
                    "step": step,
                    "decision": decided + 1,
                    "yours": mine.game.view(seat)["history"][step],
                    "theirs": theirs.game.view(seat)["history"][step],
                    "lead": lead,
                }
            decided += by == seat
        return None

    async def best(self, text: str, holder: str) -> dict[str, Any]:
        """The record of the best attempt, without a name; for who has played the deal."""
        deal = chain.day_deal(text)
        if deal is None:
            raise Problem("not_found", "deal: expected one such as 2026-11-18-br")
        await self._check(deal.day)
        own = await self._own(holder, deal)
        played = own is not None and own.state != PLAYING
        if not played and not await self.is_closed(deal.day):
            raise Problem("not_allowed", "deal: only who has played it may see how others did")
        tally = await self.tally(deal.id)
        table = (await self._service.find(tally.best)).table if tally.best else None
        if table is None or table.game is None:
            raise Problem("not_found", "deal: there is no game to be seen")
        people = [seat.kind == PERSON for seat in table.seats]
        record = table.game.record()
        named = zip(record["players"], people, strict=True)
        return {**record, "players": ["Player 1" if person else name for name, person in named]}

    async def calendar(self, holder: str, month: str) -> dict[str, Any]:
        """One's own days of a month, and the streak."""
        made, today = await self.chain(), await self.today()
        if not chain.is_day(f"{month}-01"):
            raise Problem("bad_request", "month: expected a month such as 2026-11")
        rows = await self._rows(holder)
        days: dict[str, list[dict[str, Any]]] = {}
        for row in rows:
            if row.deal.startswith(month):
                days.setdefault(row.deal[:10], []).append(
                    {"deal": row.deal, "state": STATES[row.state], "lead": row.lead}
                )
        played = _played(rows)
        return {
            "month": month,
            "first_day": made.first_day,
            "today": today,
            "days": days,
            "streak": streak(played, today),
            "longest": longest(played),
            "played": len(played),
        }


def _played(rows: list[Row]) -> set[str]:
    """The days that count for a streak."""
    return {row.deal[:10] for row in rows if row.state == FINISHED}


def place(leads: dict[int, int], own: int) -> dict[str, Any]:
    """One's place among all who have finished: those with equal leads share it.

    `better_than` is the share of the others that one leads, of those alike the half.
    """
    above = sum(count for lead, count in leads.items() if lead > own)
    alike = max(1, leads.get(own, 0))  # oneself too, if the tally is a little old
    count = max(sum(leads.values()), above + alike)
    others = count - 1
    below = count - above - alike
    return {
        "place": above + 1,
        "of": count,
        "alike": alike - 1,
        "better_than": (below + (alike - 1) / 2) / others if others else None,
    }


def streak(played: set[str], today: str) -> int:
    """Days in a row up to today; today may still be missing."""
    day = today if today in played else chain.after(today, -1)
    count = 0
    while day in played:
        count += 1
        day = chain.after(day, -1)
    return count


def longest(played: set[str]) -> int:
    """The most days in a row."""
    best = run = 0
    last = None
    for day in sorted(played):
        run = run + 1 if last is not None and chain.after(last) == day else 1
        best = max(best, run)
        last = day
    return best
