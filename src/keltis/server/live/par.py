"""Par: what the strongest bot makes of a deal from the same seat, over several runs.

Computed behind everything else that bots do, once for all servers: every run has its own seed, so
two servers that work at the same one find the same.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import keltis
from keltis.bots.seeds import bot_seed
from keltis.reviews.runs import RUNS, Run
from keltis.server.storage import attempts
from keltis.server.storage.faults import cause
from keltis.server.tables import deals, shared

if TYPE_CHECKING:
    from keltis.server.live.service import Service

_log = logging.getLogger("keltis.par")

_MOST_WAITING = 16  # deals; more are left for who asks later


class Pars:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._wanted: dict[str, shared.Board] = {}
        self._done: set[str] = set()
        self._working = False

    def want(self, deal: str, board: shared.Board) -> None:
        """See that a deal's par is found some time."""
        if deal in self._done or deal in self._wanted or len(self._wanted) >= _MOST_WAITING:
            return
        self._wanted[deal] = board
        if not self._working and not self._service.stopping:
            self._working = True
            self._service.background.spawn(self._work())

    async def _work(self) -> None:
        try:
            while self._wanted and not self._service.stopping:
                deal, board = next(iter(self._wanted.items()))
                try:
                    await self._find(deal, board)
                    self._done.add(deal)
                    if len(self._done) > 1000:
                        self._done.pop()
                except Exception as fault:
                    _log.warning("no par was found", extra={"cause": cause(fault)})
                finally:
                    self._wanted.pop(deal, None)
        finally:
            self._working = False

    async def _find(self, deal: str, board: shared.Board) -> None:
        store = self._service.store
        known = await asyncio.to_thread(attempts.pars_of, store, deal)
        for run in range(RUNS):
            if run not in known:
                lead = await self.play(board, run)
                await asyncio.to_thread(attempts.add_par, store, deal, run, lead)

    async def play(self, board: shared.Board, run: int) -> int:
        """The lead of the strongest bot in one run."""
        bots = self._service.bots
        count = len(board.levels)
        dealt = deals.deal(board.game, count, board.first, bytes.fromhex(board.mix))
        levels = [*board.levels[dealt.first :], *board.levels[: dealt.first]]
        own = levels.index(None)
        game = keltis.load(
            {
                "format": "keltis-record/1",
                "game": board.game,
                "options": dict(board.options),
                "players": [level or bots.strongest for level in levels],
                "setup": dealt.setup,
                "moves": [],
                "result": None,
            }
        )

        def seed_of(view: Mapping[str, Any], is_own: bool) -> int:
            return bot_seed(board.mix, view, run if is_own else None)

        played = Run(game, own, levels, seed_of)
        while (asked := played.asked) is not None:
            played.play(await bots.choose_behind(asked.level, asked.view, asked.seed))
        return played.lead
