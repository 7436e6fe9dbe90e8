"""The routes of reviews: of tables that are over, and of any record."""

from __future__ import annotations

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, Field

from keltis.server import models
from keltis.server.live.fair_pool import Asker
from keltis.server.live.reviews import Found
from keltis.server.live.service import Service
from keltis.server.problems import Problem
from keltis.server.tables import names, positions
from keltis.server.transport.limits import Limits
from keltis.server.transport.middleware import address
from keltis.server.transport.replays import Replays
from keltis.server.transport.visitors import Visitors

TableId = Annotated[str, Path(alias="table", examples=["f3KdW9pQx2Lm"], max_length=64)]
Known = Annotated[int | None, Query(ge=0, le=2**15)]
Step = Annotated[int, Field(ge=0, le=20_000, examples=[12])]


class Position(models.Request):
    """A position of a game: of a table that is over, or of a record."""

    table: Annotated[str, Field(max_length=64)] | None = None
    record: dict[str, Any] | None = None
    step: Step


class Judging(Position):
    move: models.Move


class PlayingOn(Position):
    seat: models.SeatNumber | None = None
    level: Annotated[str, Field(min_length=1, max_length=64)]
    name: models.Name = Field(default="Player 1")


class Begun(BaseModel):
    table: str
    path: str


class Reviews:
    """Who may see a table's record may see its review."""

    def __init__(
        self, service: Service, limits: Limits, visitors: Visitors, replays: Replays
    ) -> None:
        self._service = service
        self._limits = limits
        self._visitors = visitors
        self._replays = replays
        self._reviews = service.reviews

    def router(self) -> APIRouter:
        """The routes, to be put under /api."""
        made = APIRouter()
        add = made.add_api_route
        add("/tables/{table}/review", self.of_table, methods=["GET"],
            summary="The review of a game that is over")  # fmt: skip
        add("/review", self.of_record, methods=["POST"], summary="The review of a record")
        add("/review/judge", self.judge, methods=["POST"],
            summary="What a move would have been worth at a position")  # fmt: skip
        add("/review/play", self.play_on, methods=["POST"], response_model=Begun, status_code=201,
            summary="A practice table that goes on from a position")  # fmt: skip
        return made

    async def of_table(self, request: Request, table: TableId, known: Known = None) -> Response:
        await self._work("look", request)
        record = await self._record(request, table)
        asker = _asker(request)
        found = await self._reviews.of(record, asker, lambda: self._work("review", request), table)
        return _answer(found, known)

    async def of_record(
        self, request: Request, record: dict[str, Any], known: Known = None
    ) -> Response:
        await self._work("review", request)
        return _answer(await self._reviews.of(record, _asker(request), _nothing), known)

    async def judge(self, request: Request, wish: Judging) -> Response:
        await self._work("judge", request)
        record = await self._source(request, wish)
        judged = await self._reviews.judge(
            record, wish.step, wish.move, _asker(request), wish.table
        )
        return Response(orjson.dumps(judged), media_type="application/json")

    async def play_on(
        self, request: Request, response: Response, wish: PlayingOn
    ) -> dict[str, str]:
        await self._work("table", request)
        if not self._service.bots.knows(wish.level):
            raise Problem("bad_request", "level: there is no such bot")
        record = await self._source(request, wish)
        asker = _asker(request)
        seat, prelude = await self._replays.prelude(asker, record, wish.step, wish.seat)
        key, holder = await self._visitors.key(request)
        body = positions.created_body(
            record, prelude, seat, wish.name, wish.level, names.of_bot(wish.level), holder
        )
        asker = Asker(address(request.scope), holder)
        live = await self._service.create(record["game"], False, body, asker)
        self._visitors.give_key(request, response, key)
        return {"table": live.table.id, "path": f"table/{live.table.id}"}

    async def _source(self, request: Request, wish: Position) -> dict[str, Any]:
        if (wish.table is None) == (wish.record is None):
            raise Problem("bad_request", "expected a table or a record, and not both")
        if wish.record is not None:
            return wish.record
        assert wish.table is not None
        return await self._record(request, wish.table)

    async def _record(self, request: Request, table: str) -> dict[str, Any]:
        """The record of a table that is over, for those who may see it."""
        live = await self._service.find(table)
        self._service.visit(live, _asker(request))
        record = live.table.record()
        if record is None:
            raise Problem("not_allowed", "the game is not over")
        return record

    async def _work(self, what: str, request: Request) -> None:
        await self._limits.work(what, request.scope["keltis.holder"], address(request.scope))


async def _nothing() -> None:
    """What a record sent along costs was counted when it came."""


def _asker(request: Request) -> Asker:
    return Asker(address(request.scope), request.scope["keltis.holder"] or "")


def _answer(found: Found, known: int | None) -> Response:
    """The review, or none if the client has all that was searched."""
    told = found.review if known is None or found.review["searched"]["done"] != known else None
    body = {"review": told, "searched": found.review["searched"], "searching": found.searching}
    return Response(orjson.dumps(body), media_type="application/json")
