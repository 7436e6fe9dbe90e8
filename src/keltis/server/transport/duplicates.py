"""Duplicates over HTTP."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, Field

from keltis.server import models
from keltis.server.live.fair_pool import Asker
from keltis.server.live.service import Service
from keltis.server.problems import Problem
from keltis.server.transport.api import TableId, check_options
from keltis.server.transport.limits import Limits
from keltis.server.transport.middleware import address
from keltis.server.transport.visitors import Visitors

Level = Annotated[str, Field(min_length=1, max_length=64)]
DealId = Annotated[str, Path(alias="duplicate", max_length=64)]


class Making(models.Request):
    """`seats`: one, to be played by everybody, or all, with a board for each."""

    game: models.GameName = "board"
    options: Annotated[dict[str, str], Field(max_length=8)] = {}  # noqa: RUF012 - pydantic copies it
    bots: Annotated[list[Level], Field(min_length=1, max_length=3)]
    seats: Literal["one", "all"] = "one"
    seat: models.SeatNumber = 0
    name: models.Name


class FromGame(models.Request):
    """`level` plays for the people who were in the game."""

    seat: models.SeatNumber | None = None
    level: Level | None = None
    name: models.Name


class Playing(models.Request):
    board: models.SeatNumber = 0
    name: models.Name


class Made(BaseModel):
    duplicate: Annotated[str, Field(examples=["f3KdW9pQx2Lm"])]
    path: str


class Begun(BaseModel):
    table: str
    path: str


class Duplicates:
    def __init__(self, service: Service, limits: Limits, visitors: Visitors) -> None:
        self._service = service
        self._limits = limits
        self._visitors = visitors

    def router(self) -> APIRouter:
        """The routes, to be put under /api."""
        made = APIRouter()
        add = made.add_api_route
        add("/duplicates", self.make, methods=["POST"], status_code=201, response_model=Made,
            summary="A deal of one's own making, for others to play too")  # fmt: skip
        add("/tables/{table}/duplicate", self.from_game, methods=["POST"], status_code=201,
            response_model=Made, summary="Give the deal of a finished game to others")  # fmt: skip
        add("/me/duplicates", self.mine, methods=["GET"],
            summary="Duplicates that this key has made or plays")  # fmt: skip
        add("/duplicates/{duplicate}", self.about, methods=["GET"],
            summary="A duplicate, as far as one has played it")  # fmt: skip
        add("/duplicates/{duplicate}/play", self.play, methods=["POST"], response_model=Begun,
            summary="Play a board of a duplicate, or go on with it")  # fmt: skip
        add("/duplicates/{duplicate}/records/{board}/{number}", self.record, methods=["GET"],
            summary="How another played a board that one has played")  # fmt: skip
        return made

    async def make(self, request: Request, response: Response, wish: Making) -> dict[str, str]:
        players = len(wish.bots) + 1
        check_options(wish.game, wish.options)
        if wish.seat >= players:
            raise Problem("no_such_seat", "seat: there is no such seat")
        seats = range(players) if wish.seats == "all" else [wish.seat]
        await self._work("table", request)
        key, holder = await self._visitors.key(request)
        deal = await self._service.duplicates.new(
            holder, wish.game, wish.options, wish.bots, seats, wish.name
        )
        self._visitors.give_key(request, response, key)
        return {"duplicate": deal, "path": f"duplicate/{deal}"}

    async def from_game(self, request: Request, table: TableId, wish: FromGame) -> dict[str, str]:
        live = await self._service.find(table)
        asker = Asker(address(request.scope), request.scope["keltis.holder"] or "")
        self._service.visit(live, asker)
        await self._work("table", request)
        deal = await self._service.duplicates.from_game(
            live, asker.key, wish.seat, wish.level, wish.name
        )
        return {"duplicate": deal, "path": f"duplicate/{deal}"}

    async def mine(self, request: Request) -> dict[str, Any]:
        await self._work("games", request)
        holder = request.scope["keltis.holder"]
        return {"duplicates": await self._service.duplicates.mine(holder) if holder else []}

    async def about(self, request: Request, duplicate: DealId) -> dict[str, Any]:
        await self._work("look", request)
        return await self._service.duplicates.about(duplicate, request.scope["keltis.holder"] or "")

    async def play(
        self, request: Request, response: Response, duplicate: DealId, wish: Playing
    ) -> dict[str, str]:
        await self._work("table", request)
        key, holder = await self._visitors.key(request)
        asker = Asker(address(request.scope), holder)
        live = await self._service.duplicates.play(asker, duplicate, wish.board, wish.name)
        self._visitors.give_key(request, response, key)
        return {"table": live.table.id, "path": f"table/{live.table.id}"}

    async def record(
        self,
        request: Request,
        duplicate: DealId,
        board: Annotated[int, Path(ge=0, le=3)],
        number: Annotated[int, Path(ge=0, le=499)],
    ) -> dict[str, Any]:
        await self._work("look", request)
        holder = request.scope["keltis.holder"] or ""
        return await self._service.duplicates.record(holder, duplicate, board, number)

    async def _work(self, what: str, request: Request) -> None:
        await self._limits.work(what, request.scope["keltis.holder"], address(request.scope))
