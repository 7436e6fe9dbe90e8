"""The day's deals over HTTP."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from keltis.server import models
from keltis.server.live.fair_pool import Asker
from keltis.server.live.service import Service
from keltis.server.transport.limits import Limits
from keltis.server.transport.middleware import address
from keltis.server.transport.visitors import Visitors


class Playing(models.Request):
    game: models.GameName
    bot: Literal["raven", "druid"]
    name: models.Name = Field(default="Player 1")


class Begun(BaseModel):
    table: str
    path: str


class Days:
    def __init__(self, service: Service, limits: Limits, visitors: Visitors) -> None:
        self._service = service
        self._limits = limits
        self._visitors = visitors

    def router(self) -> APIRouter:
        """The routes, to be put under /api."""
        made = APIRouter()
        add = made.add_api_route
        add("/days/chain", self.links, methods=["GET"], summary="The anchor of the days' seeds")
        add("/days/calendar/{month}", self.calendar, methods=["GET"],
            summary="One's own days of a month")  # fmt: skip
        add("/days/best/{deal}", self.best, methods=["GET"],
            summary="How the best played a deal that one has played")  # fmt: skip
        add("/days/{day}", self.about, methods=["GET"],
            summary="A day, as far as one has played it")  # fmt: skip
        add("/days/{day}/play", self.play, methods=["POST"], response_model=Begun,
            summary="Play a deal of the day, or go on with it")  # fmt: skip
        return made

    async def links(self) -> dict[str, Any]:
        return await self._service.days.links()

    async def about(self, request: Request, day: str) -> dict[str, Any]:
        holder = request.scope["keltis.holder"]
        await self._limits.work("look", holder, address(request.scope))
        if day == "today":
            day = await self._service.days.today()
        return await self._service.days.about(day, holder or "")

    async def calendar(self, request: Request, month: str) -> dict[str, Any]:
        holder = request.scope["keltis.holder"]
        await self._limits.work("look", holder, address(request.scope))
        return await self._service.days.calendar(holder or "", month)

    async def best(self, request: Request, deal: str) -> dict[str, Any]:
        holder = request.scope["keltis.holder"]
        await self._limits.work("look", holder, address(request.scope))
        return await self._service.days.best(deal, holder or "")

    async def play(
        self, request: Request, response: Response, day: str, wish: Playing
    ) -> dict[str, str]:
        await self._limits.work("table", request.scope["keltis.holder"], address(request.scope))
        key, holder = await self._visitors.key(request)
        asker = Asker(address(request.scope), holder)
        live = await self._service.days.play(asker, day, wish.game, wish.bot, wish.name)
        self._visitors.give_key(request, response, key)
        return {"table": live.table.id, "path": f"table/{live.table.id}"}
