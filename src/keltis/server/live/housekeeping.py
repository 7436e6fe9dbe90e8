"""What the running server deletes by itself: old tables, and people's names in them.

It goes by dates, and dates come from the machine's clock. So a run is left out if that clock has
jumped since the last one: whoever set it wrong has a day to notice before anything is deleted.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import text

from keltis.server.storage import maintenance, privacy
from keltis.server.storage.faults import cause
from keltis.server.storage.store import Store

if TYPE_CHECKING:
    from keltis.server.live.service import Service

_log = logging.getLogger("keltis.housekeeping")

_FIRST = 60.0  # seconds after the start; a server that is restarted every day prunes too
_JUMP = 3600.0  # seconds by which the machine's clock may differ from what has passed
_MOST = 5_000  # tables in one run
_PAUSE = 0.05  # seconds between transactions, in which people's decisions are written
_ONE_AT_A_TIME = 7_341_985_513  # any number, the same for all servers: an advisory lock


class Done(NamedTuple):
    deleted: int = 0
    ended: int = 0
    unnamed: int = 0
    damaged: int = 0


class Housekeeping:
    def __init__(self, service: Service) -> None:
        self._settings = service.settings
        self._clock = service.clock
        self._store = service.store
        self._ran = self._moment()

    @property
    def is_wanted(self) -> bool:
        settings = self._settings
        return any((settings.keep_days, settings.keep_names_days, settings.abandoned_days))

    async def go_on(self) -> None:
        """For ever, if anything is to be deleted at all."""
        pause = _FIRST
        while self.is_wanted:
            await asyncio.sleep(pause)
            await self.run()
            pause = 3600 * self._settings.prune_hours

    async def run(self) -> Done | None:
        """Once; None if nothing was done."""
        before, self._ran = self._ran, self._moment()
        (ran, date), (runs, today) = before, self._ran
        if abs((today - date) - (runs - ran)) > _JUMP:
            _log.warning("the machine's clock has jumped: nothing is deleted until the next look")
            return None
        try:
            done = await asyncio.to_thread(self._work)
        except Exception as fault:
            _log.error("the database could not be pruned", extra={"cause": cause(fault)})
            self._store.on_fault(cause(fault))
            return None
        if done is not None:
            self._store.has_deleted |= bool(done.deleted or done.unnamed)
            _log.info("pruned", extra=done._asdict())
        return done

    def _moment(self) -> tuple[float, float]:
        return self._clock.now(), self._clock.wall() / 1000

    def _work(self) -> Done | None:
        settings = self._settings
        with maintenance.opened(self._store.url) as store, _alone(store) as alone:
            if not alone:
                return None  # another server is at it
            ended = deleted = unnamed = damaged = 0
            if settings.abandoned_days:
                ended = maintenance.end_abandoned(store, settings.abandoned_days, _MOST, _PAUSE)
            if settings.keep_days:
                deleted = maintenance.prune(
                    store, settings.keep_days, None, most=_MOST, pause=_PAUSE
                )
            if settings.keep_names_days:
                unnamed, damaged = privacy.forget_names(
                    store, settings.keep_names_days, _MOST, _PAUSE
                )
            return Done(deleted, ended, unnamed, damaged)


@contextlib.contextmanager
def _alone(store: Store) -> Iterator[bool]:
    """Whether no other server prunes the same database meanwhile."""
    if not store.shared:
        yield True
        return
    with store.reads.connect() as connection:
        query = text("SELECT pg_try_advisory_lock(:key)")
        alone = bool(connection.execute(query, {"key": _ONE_AT_A_TIME}).scalar())
        yield alone
        if alone:
            query = text("SELECT pg_advisory_unlock(:key)")
            connection.execute(query, {"key": _ONE_AT_A_TIME})
