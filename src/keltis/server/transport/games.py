"""The routes of one's own games: lists, statistics, records."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from keltis.server import models
from keltis.server.live.history import History
from keltis.server.problems import Problem
from keltis.server.storage.games import Filter
from keltis.server.tables.names import LONGEST
from keltis.server.transport.limits import Limits
from keltis.server.transport.middleware import address

_PLACE = re.compile(r"([0-9]{1,15})-([A-Za-z0-9]{1,16})")


class Games:
    """What a key's own games are. Nobody else's are told, and nothing of a running one's cards."""

    def __init__(self, history: History, limits: Limits) -> None:
        self._history = history
        self._limits = limits

    def router(self) -> APIRouter:
        """The routes, to be put under /api."""
        made = APIRouter(prefix="/me")
        add = made.add_api_route
        add("/games", self.page, methods=["GET"], response_model=models.GamePage,
            summary="Games of this key that are over, the newest first")  # fmt: skip
        add("/games/running", self.running, methods=["GET"], response_model=models.Listed,
            summary="Games of this key that are under way")  # fmt: skip
        add("/games/summary", self.summary, methods=["GET"],
            summary="Statistics, and the strength against bots")  # fmt: skip
        add("/games/records", self.records, methods=["GET"], response_class=Response,
            responses={200: {"content": {"application/x-ndjson": {}}}},
            summary="All records, one a line")  # fmt: skip
        add("/games/{table}", self.remove, methods=["DELETE"], status_code=204,
            summary="Take a game out of one's list")  # fmt: skip
        return made

    async def page(
        self,
        request: Request,
        game: models.GameName | None = None,
        players: Annotated[int | None, Query(ge=2, le=4)] = None,
        result: Literal["won", "shared", "lost", "left", "none", "practice"] | None = None,
        level: Annotated[str | None, Query(max_length=64)] = None,
        name: Annotated[str | None, Query(max_length=LONGEST)] = None,
        before: Annotated[str | None, Query(max_length=40)] = None,
    ) -> dict[str, Any]:
        holder = await self._holder(request, "games")
        place = None
        if before is not None:
            found = _PLACE.fullmatch(before)
            if found is None:
                raise Problem("bad_request", "before: expected what `next` of a page was")
            place = (int(found[1]), found[2])
        if any("\0" in text for text in (level or "", name or "")):
            raise Problem("bad_request", "level, name: nothing has such a name")
        if holder is None:
            return {"games": [], "next": None}
        return await self._history.page(holder, Filter(game, players, result, level, name), place)

    async def running(self, request: Request) -> dict[str, Any]:
        holder = await self._holder(request, "games")
        return {"tables": await self._history.running(holder) if holder else []}

    async def summary(self, request: Request) -> dict[str, Any]:
        return await self._history.summary(await self._holder(request, "summary") or "")

    async def records(self, request: Request) -> Response:
        holder = await self._holder(request, "person") or ""
        pay = partial(self._limits.pay, holder=holder, address=address(request.scope))
        found = await self._history.records(holder, pay)

        async def lines() -> AsyncIterator[bytes]:
            async for record in found:
                yield orjson.dumps(record) + b"\n"

        name = {"content-disposition": 'attachment; filename="keltis-my-games.jsonl"'}
        return StreamingResponse(lines(), media_type="application/x-ndjson", headers=name)

    async def remove(self, request: Request, table: str) -> None:
        holder = await self._holder(request, "games")
        if holder is None:
            raise Problem("not_allowed", "authorization: this needs a key")
        await self._history.remove(holder, table[:64])

    async def _holder(self, request: Request, what: str) -> str | None:
        holder: str | None = request.scope["keltis.holder"]
        await self._limits.work(what, holder, address(request.scope))
        return holder
