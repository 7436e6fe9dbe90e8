"""One's own games: those under way, those that are over, and what they add up to."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, ParamSpec, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from keltis import bots
from keltis.reviews.skill import calibration
from keltis.server import keys
from keltis.server.live import messages
from keltis.server.live.background import timed
from keltis.server.live.reviews import record_of
from keltis.server.live.service import Service
from keltis.server.problems import Problem
from keltis.server.storage import games, reviews
from keltis.server.storage.faults import cause
from keltis.server.storage.games import Filter
from keltis.server.tables import statistics
from keltis.server.tables.results import Result

_log = logging.getLogger("keltis.history")

_P = ParamSpec("_P")
_T = TypeVar("_T")

PAGE = 25
_RUNNING = 100  # games under way that are listed, the newest
_MOST = 20_000  # games that statistics are made of, the newest
_AGAIN = 3600.0  # seconds between two looks for results that are missing
_PAUSE = 0.005  # seconds between two tables that are filled in: people's decisions come first


class History:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._store = service.store
        self._reading = asyncio.Semaphore(2)  # statistics made at once, whoever asks

    async def running(self, holder: str) -> list[dict[str, Any]]:
        """Games under way, where it is one's turn first."""
        found = await self._service.tables_of(holder, _RUNNING)
        return sorted(found, key=lambda table: not table["your_turn"])

    async def page(
        self, holder: str, wanted: Filter, before: tuple[int, str] | None
    ) -> dict[str, Any]:
        """Games that are over, and where the next page begins; None: there is none."""
        found = await self._read(games.page, self._store, holder, wanted, before, PAGE + 1)
        shown = found[:PAGE]
        ids = [each.table_id for each in shown]
        deals = await self._service.ask(games.deals_at, self._store, ids)
        last = shown[-1] if len(found) > PAGE else None
        return {
            "games": [_told(each) | {"deal": deals.get(each.table_id)} for each in shown],
            "next": None if last is None else f"{last.over_at}-{last.table_id}",
        }

    async def summary(self, holder: str) -> dict[str, Any]:
        if holder:
            self._service.background.spawn(self._service.reviews.look_back(holder))
        return await self._read(self._summary, holder)

    async def _read(self, question: Callable[_P, _T], *args: _P.args, **more: _P.kwargs) -> _T:
        """What a question to the database finds when it has its turn; or `busy` in time."""

        async def in_turn() -> _T:
            async with self._reading:
                return await asyncio.to_thread(question, *args, **more)

        return await self._service.in_time(in_turn())

    def _summary(self, holder: str) -> dict[str, Any]:
        found = games.everything(self._store, holder, _MOST)
        reviewed = reviews.of_holder(self._store, holder)
        ratings = {players: bots.strengths(players) for players in (2, 3, 4)}
        told = statistics.summary(found, ratings, reviewed, calibration())
        for each in (*told["over_time"], told["best"], told["worst"]):
            if each is not None:
                each["at"] = messages.timestamp(each["at"])
        return told

    async def records(
        self, holder: str, pay: Callable[[float], Awaitable[None]]
    ) -> AsyncIterator[Mapping[str, Any]]:
        """The records of all games in one's list, the oldest first; `pay` is told what each took,
        in seconds."""
        listed = await self._service.ask(games.everything, self._store, holder, _MOST)
        return self._records([each.table_id for each in listed], pay)

    async def _records(
        self, ids: list[str], pay: Callable[[float], Awaitable[None]]
    ) -> AsyncIterator[Mapping[str, Any]]:
        for table_id in ids:
            async with self._reading:
                record, seconds = await self._service.ask(timed, record_of, self._store, table_id)
            await pay(seconds)
            if record is not None:
                yield record

    async def remove(self, holder: str, table_id: str) -> None:
        """Take a game that is over out of one's list; the others keep it in theirs."""
        removed = keys.is_table_id(table_id) and await self._service.ask(
            games.remove, self._store, holder, table_id
        )
        if not removed:
            raise Problem("unknown_table", "there is no such game in your list of finished games")

    async def fill_in(self) -> None:
        """For ever: write results that are missing."""
        while True:
            try:
                count = await asyncio.to_thread(games.fill_in, self._store, _PAUSE)
                if count:
                    _log.info("results filled in", extra={"tables": count})
            except SQLAlchemyError as fault:
                _log.warning("results are not filled in", extra={"cause": cause(fault)})
            await asyncio.sleep(_AGAIN)


def _told(result: Result) -> dict[str, Any]:
    told = result._asdict()
    del told["holder"]
    return {
        "table": told.pop("table_id"),
        "over": messages.timestamp(told.pop("over_at")),
        **told,
        "others": json.loads(result.others),
    }
