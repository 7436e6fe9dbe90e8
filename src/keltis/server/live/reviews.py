"""Reviews of games: the network's at once, the search behind everything else that bots do.

A review is made once for everybody, of a record in which nobody has a name; names are put in for
whoever asks. What the search has found is kept step by step, so that a server that is killed goes
on when somebody asks again, and comes to the same review.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Container, Iterator, Mapping
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy.exc import SQLAlchemyError

import keltis
from keltis.reviews import DEFAULT_BUDGET, VERSION, Review, network_review, refine
from keltis.reviews.first import opened
from keltis.reviews.weighing import weigh_up
from keltis.server.live.fair_pool import Asker
from keltis.server.problems import Problem
from keltis.server.storage import reviews
from keltis.server.storage.faults import cause
from keltis.server.storage.reviews import Key
from keltis.server.storage.store import Store
from keltis.server.tables.events import BadEvent
from keltis.server.tables.results import SeatReview
from keltis.server.tables.table import replayed

if TYPE_CHECKING:
    from keltis.server.live.service import Service

_log = logging.getLogger("keltis.reviews")

SEED = 0
BUDGET = DEFAULT_BUDGET  # rollouts of the search for each seat
_MOST = 64  # games that are searched in turn; more are left for who asks later
_MOST_HERE = 4  # of them for one address
_TRIM = 100  # reviews that are kept between two looks whether there are too many
_MOST_GIVEN_UP = 1000
_BACK = 20  # games of somebody's that are reviewed for statistics
LONGEST = 1000  # decisions of a game that is reviewed: games go on for ever only on purpose

Record = Mapping[str, Any]
Told = dict[str, Any]  # a review, as nothing but JSON


class Found(NamedTuple):
    review: Told
    searching: bool  # more is found behind this


class _Search:
    """The search pass of one game, for all who have asked for it."""

    def __init__(self, record: Record, review: Told, table: str | None) -> None:
        self.record = record
        self.review = review
        self.table = table
        self.askers: dict[str, str] = {}  # who wants it, and their addresses
        self.steps: Iterator[Told] | None = None  # these change a review of their own


class Reviews:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._making: dict[Key, asyncio.Future[Told]] = {}
        self._searches: OrderedDict[Key, _Search] = OrderedDict()
        self._working = False
        self._given_up: set[Key] = set()  # a search that failed once fails again
        self._kept = 0
        self._looking: set[str] = set()  # keys whose last games are being reviewed

    async def of(
        self,
        record: Record,
        asker: Asker,
        count: Callable[[], Awaitable[None]],
        table: str | None = None,
    ) -> Found:
        """A game's review as far as it is made; `count` is asked before anything is worked out.

        `table`: the record is this table's, and nobody else's.
        """
        names, nameless, key = await self._service.ask(_prepared, record)
        review = await self._now(key, nameless, asker, count, table)
        searching = self._want(key, nameless, review, asker, table)
        return Found(with_names(review, names), searching)

    async def _now(
        self,
        key: Key,
        record: Record,
        asker: Asker,
        count: Callable[[], Awaitable[None]],
        table: str | None,
    ) -> Told:
        """What there is of a review, at least the network's pass, made once for all who ask."""
        if (search := self._searches.get(key)) is not None:
            return search.review
        if key not in self._making:
            kept = await self._service.ask(reviews.find, self._service.store, key)
            if kept is not None:
                self._service.metrics.reviews.labels("kept").inc()
                return kept
            await count()
        if key not in self._making:
            made = asyncio.ensure_future(self._make(key, record, asker, table))
            self._making[key] = made
            made.add_done_callback(lambda _: self._making.pop(key, None))
        return await asyncio.shield(self._making[key])

    async def _make(self, key: Key, record: Record, asker: Asker, table: str | None) -> Told:
        review = await self._service.bots.review(asker, partial(_first_pass, record))
        self._service.metrics.reviews.labels("network").inc()
        try:
            await self._service.in_time(self._keep(key, review, table))
        except (SQLAlchemyError, Problem) as fault:  # who asked has it all the same
            _log.warning("a review was not kept", extra={"cause": cause(fault)})
        return review

    async def judge(
        self, record: Record, step: int, move: str, asker: Asker, table: str | None = None
    ) -> dict[str, Any]:
        """By how much a move falls short of the best at a decision."""
        _, nameless, key = await self._service.ask(_prepared, record)
        if not 0 <= step < len(nameless["moves"]):
            raise Problem("bad_request", f"step: the game has {len(nameless['moves'])} decisions")
        review = await self._now(key, nameless, asker, _nothing, table)
        best = review["decisions"][step]["best"]
        try:
            return await self._service.bots.review(
                asker, lambda: weigh_up(nameless, step, best, move, seed=SEED)
            )
        except ValueError as fault:
            raise Problem("bad_request", str(fault)[:300]) from None

    async def _keep(self, key: Key, review: Told, table: str | None) -> Told:
        """Keep a review; return it, or what another server has searched further."""
        store = self._service.store
        seats = []
        if table is not None:
            by_bots = await asyncio.to_thread(reviews.played_by_bots, store, table)
            seats = seats_of(key, review, table, by_bots)
        further = await asyncio.to_thread(reviews.keep, store, key, review, seats)
        self._kept += 1
        if self._kept % _TRIM == 0:
            await asyncio.to_thread(reviews.forget_old, store)
        return further or review

    async def look_back(self, holder: str) -> None:
        """Review the last games of somebody who wants to know how well they play: the network's
        pass only, behind everything else."""
        if holder in self._looking or len(self._looking) >= _MOST_HERE or self._service.stopping:
            return
        store = self._service.store
        self._looking.add(holder)
        try:
            for table in await asyncio.to_thread(reviews.not_reviewed, store, holder, _BACK):
                record = await asyncio.to_thread(record_of, store, table)
                if record is None or len(record["moves"]) > LONGEST:
                    continue
                _, nameless, key = await asyncio.to_thread(_prepared, record)
                review = await asyncio.to_thread(reviews.find, store, key)
                if review is None:
                    work = partial(_first_pass, nameless)
                    review = await self._service.bots.review_behind(work)
                    self._service.metrics.reviews.labels("network").inc()
                await self._keep(key, review, table)
        finally:
            self._looking.discard(holder)

    # --- The search behind it --------------------------------------------------------------------

    def _want(
        self, key: Key, record: Record, review: Told, asker: Asker, table: str | None
    ) -> bool:
        """See that a review is searched further; whether it is.

        Everybody has one at a time: whoever asks for another lets the one before rest.
        """
        who = asker.key or asker.address
        for other, search in list(self._searches.items()):
            if other != key and search.askers.pop(who, "") and not search.askers:
                self._service.background.spawn(self._let_rest(other, search))
                del self._searches[other]
        if is_complete(review) or key in self._given_up or self._service.stopping:
            return False
        wanted = self._searches.get(key)
        if wanted is None:
            here = sum(asker.address in each.askers.values() for each in self._searches.values())
            if here >= _MOST_HERE or len(self._searches) >= _MOST:
                return False
            wanted = self._searches[key] = _Search(record, review, table)
        wanted.table = wanted.table or table
        wanted.askers[who] = asker.address
        if not self._working:
            self._working = True
            self._service.background.spawn(self._work())
        return True

    async def _let_rest(self, key: Key, search: _Search) -> None:
        await self._keep(key, search.review, search.table)

    async def _work(self) -> None:
        """One step of each search in turn, as long as there are any."""
        try:
            while self._searches and not self._service.stopping:
                key, search = next(iter(self._searches.items()))
                self._searches.move_to_end(key)
                try:
                    await self._step(key, search)
                except SQLAlchemyError as fault:  # whoever asks again lets it go on
                    _log.warning("a review was not kept", extra={"cause": cause(fault)})
                    self._searches.pop(key, None)
                except Exception as fault:
                    _log.warning("a review was given up", extra={"cause": cause(fault)})
                    self._searches.pop(key, None)
                    self._given_up.add(key)
                    if len(self._given_up) > _MOST_GIVEN_UP:
                        self._given_up.pop()
        finally:
            self._working = False

    async def _step(self, key: Key, search: _Search) -> None:
        before = search.review["searched"]["done"]
        review = await self._service.bots.review_behind(lambda: _step(search))
        if review is not None and review["searched"]["done"] > before:
            found = review
            try:
                review = await self._keep(key, found, search.table)
            finally:  # it is told once it is kept, or cannot be
                search.review = review
            if review is not found:
                search.steps = None
        if review is None or is_complete(review):
            self._service.metrics.reviews.labels("search").inc()
            self._searches.pop(key, None)


async def _nothing() -> None:
    """What it costs has been counted."""


def _first_pass(record: Record) -> Told:
    return _plain(network_review(record))


def _plain(review: Told) -> Told:
    """A copy of a review that is nothing but JSON."""
    copied: Told = json.loads(json.dumps(review))
    return copied


def _step(search: _Search) -> Told | None:
    """A small step of a search, in a thread of the pool; None: it is through.

    Others read the review meanwhile, so they get a copy as it was after a whole decision.
    """
    if search.steps is None:
        own = Review(_plain(search.review))
        search.steps = refine(own, search.record, budget=BUDGET)
    review = next(search.steps, None)
    if review is None or review["searched"]["done"] == search.review["searched"]["done"]:
        return None if review is None else search.review
    return _plain(review)


# --- Records and names ---------------------------------------------------------------------------


def _prepared(record: Record) -> tuple[list[str], Record, Key]:
    """The names in a record, the record without them, and which review is its own."""
    if isinstance(moves := record.get("moves"), list) and len(moves) > LONGEST:
        raise Problem("too_large", f"moves: games of up to {LONGEST} decisions are reviewed")
    try:
        game, resigned = opened(record)
    except keltis.RecordError as fault:
        raise Problem("bad_request", str(fault)[:300]) from None
    except RecursionError:
        raise Problem("bad_request", "this is not a record") from None
    if game.result() is None:  # else whoever plays it could ask what to do, with made-up hands
        raise Problem("not_allowed", "the game is not over")
    plain: dict[str, Any] = {**game.record(), **({"resigned": resigned} if resigned else {})}
    names = plain["players"]
    for seat, name in enumerate(names):
        if any("\ud800" <= sign <= "\udfff" for sign in name):
            place = f"players[{seat}]"
            raise Problem("bad_request", f"{place}: there is half a character in it")
    plain["players"] = [_nobody(seat) for seat in range(len(names))]
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    return names, plain, Key(sha256(text.encode()).hexdigest(), VERSION, SEED)


def record_of(store: Store, table_id: str) -> Record | None:
    """The record of a table that is over, read from its log; None if there is none."""
    head = store.head(table_id)
    if head is None:
        return None
    try:
        return replayed(head, store.events_after(table_id, 0)).record()
    except BadEvent:
        return None


def _nobody(seat: int) -> str:
    """What stands in the place of a name: nothing else that a review says looks so."""
    return f"\x02{seat}\x03"


def with_names(review: Told, names: list[str]) -> Told:
    """A review as it is shown: with the names of those who play in it."""
    places = {_nobody(seat): name for seat, name in enumerate(names)}

    def named(value: Any) -> Any:
        if isinstance(value, str):
            return places.get(value, value)
        if isinstance(value, list):
            return [named(each) for each in value]
        if isinstance(value, dict):
            return {key: named(each) for key, each in value.items()}
        return value

    parts = {key: named(review[key]) for key in ("players", "seats", "lessons")}
    return {**review, **parts}


def is_complete(review: Told) -> bool:
    """Whether the search is through; where it has not begun, whether it has nothing to do."""
    done, planned = review["searched"]["done"], review["searched"]["planned"]
    if planned == 0:
        return all(one["verdict"] != "open" for one in review["decisions"])
    return bool(done >= planned)


def seats_of(key: Key, review: Told, table: str, by_bots: Container[int]) -> list[SeatReview]:
    """What a review says of each seat, as it is kept for statistics.

    Of seats that a bot played for, too, it says nothing of anybody's skill.
    """
    found = []
    for seat in review["seats"]:
        lead = seat["sum"]["lead"]
        skill = (seat["skill"] or {}) if seat["seat"] not in by_bots else {}
        found.append(
            SeatReview(
                table,
                seat["seat"],
                key.hash,
                key.version,
                skill.get("lost"),
                skill.get("error"),
                skill.get("decisions", 0),
                lead["deal"] + lead["luck"] - lead["others_luck"],
            )
        )
    return found
