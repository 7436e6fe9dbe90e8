"""The HTTP part of the protocol, which FastAPI describes by itself."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, FastAPI, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

import keltis
from keltis import bots
from keltis.game.kinds import kind as game_kind
from keltis.server import keys, models
from keltis.server.live import messages
from keltis.server.live.fair_pool import Asker
from keltis.server.live.live_table import LiveTable
from keltis.server.live.service import Service, Written
from keltis.server.live.viewers import Viewer
from keltis.server.problems import Problem
from keltis.server.tables import commands, deals, devices, names
from keltis.server.tables.drafts import Draft, Seats, Surroundings
from keltis.server.tables.table import OVER, Maker, Table
from keltis.server.transport.limits import Limits
from keltis.server.transport.middleware import COOKIE, MESSAGE_SIZE, address
from keltis.server.transport.sockets import first_fault
from keltis.server.transport.visitors import Visitors

_KEEP_OPEN = 15.0  # seconds between empty lines of a stream

TableId = Annotated[str, Path(alias="table", examples=["f3KdW9pQx2Lm"], max_length=64)]
_FAULTS: dict[int | str, dict[str, Any]] = {
    status: {"model": models.FaultBody, "description": text}
    for status, text in {
        400: "The request is not HTTP as it should be.",
        403: "This key or page may not do that.",
        404: "There is no such table, seat or path.",
        405: "Not this method here.",
        409: "Not now: an illegal move, another's turn, a stale number, a taken seat.",
        413: "Too large.",
        422: "Malformed; the message names the place.",
        429: "Too many requests or tables; wait.",
        503: "The server is busy or stopping; try again.",
    }.items()
}


class Api:
    """The routes of one server."""

    def __init__(self, service: Service, limits: Limits, visitors: Visitors) -> None:
        self._service = service
        self._limits = limits
        self._visitors = visitors
        self.router = APIRouter(prefix="/api", responses=_FAULTS)
        self._add_routes()

    def _add_routes(self) -> None:
        add = self.router.add_api_route
        add("/info", self.info, methods=["GET"], summary="About this server")
        add("/bots", self.levels, methods=["GET"], response_model=models.Levels,
            response_model_exclude_none=True, summary="Bots to play against")  # fmt: skip
        add("/keys", self.new_key, methods=["POST"], status_code=201, response_model=models.Key,
            summary="A new key, for programs")  # fmt: skip
        add("/me", self.export_person, methods=["GET"], response_class=Response,
            responses={200: {"content": {"application/x-ndjson": {}}}},
            summary="All that is stored of this key, a JSON object a line")  # fmt: skip
        add("/me", self.forget_person, methods=["DELETE"], response_model=models.Forgotten,
            summary="Delete all that is stored of this key")  # fmt: skip
        add("/tables", self.create, methods=["POST"], status_code=201, response_model=models.Made,
            summary="Make a table")  # fmt: skip
        add("/tables", self.public_tables, methods=["GET"], response_model=models.Listed,
            summary="Public tables")  # fmt: skip
        add("/tables/mine", self.my_tables, methods=["GET"], response_model=models.Listed,
            summary="Tables where this key holds a seat")  # fmt: skip
        add("/tables/{table}", self.state, methods=["GET"], summary="All that this client may know")
        add("/tables/{table}/events", self.events, methods=["GET"],
            summary="Everything that happens, a JSON object a line", response_class=Response,
            responses={200: {"content": {"application/x-ndjson": {}}}})  # fmt: skip
        add("/tables/{table}/record", self.record, methods=["GET"],
            summary="The record after the end, own views before")  # fmt: skip
        add("/tables/{table}/join", self.join, methods=["POST"], response_model=models.Joined,
            summary="Take an open seat")  # fmt: skip
        add("/tables/{table}/invitations", self.invite, methods=["POST"], status_code=201,
            response_model=models.Invited, summary="Make an invitation")  # fmt: skip
        add("/tables/{table}/remove", self.remove, methods=["POST"], response_model=models.Done,
            summary="Remove a device from an own seat")  # fmt: skip
        add("/tables/{table}/decide", self.decide, methods=["POST"], response_model=models.Done,
            summary="Take a decision")  # fmt: skip
        add("/tables/{table}/rematch", self.rematch, methods=["POST"],
            response_model=models.Rematch, summary="A new table with the same people")  # fmt: skip
        add("/tables/{table}/hint", self.hint, methods=["POST"], response_model=models.Hint,
            summary="The strongest bot's advice")  # fmt: skip
        add("/tables/{table}/why", self.why, methods=["POST"], response_model=models.Why,
            summary="Why a move is not allowed now")  # fmt: skip
        for name, (model, _) in commands.COMMANDS.items():
            add(f"/tables/{{table}}/{name}", self._command(name, model), methods=["POST"],
                response_model=models.Done, summary=_SUMMARIES[name], name=name)  # fmt: skip

    # --- About the server ------------------------------------------------------------------

    async def info(self) -> dict[str, Any]:
        return {
            "protocol": 1,
            "version": keltis.__version__,
            "grace": self._service.settings.grace,
            "name_length": names.LONGEST,
            "games": {
                name: {
                    "options": {
                        key: list(values) for key, values in game_kind(name).options.items()
                    },
                    "editions": {
                        key: dict(options) for key, options in game_kind(name).editions.items()
                    },
                }
                for name in ("board", "stones")
            },
            "players": [2, 4],
            "message_size": MESSAGE_SIZE,
            "decision_limit": keltis.DECISION_CAP,
        }

    async def levels(self) -> dict[str, Any]:
        pool = self._service.bots
        return {
            "levels": [
                {"number": k, **self._about(level)} for k, level in enumerate(pool.levels, 1)
            ],
            "others": [self._about(name) for name in pool.others],
        }

    def _about(self, level: str) -> dict[str, Any]:
        found = {str(players): bots.strengths(players).get(level) for players in (2, 3, 4)}
        return {
            "level": level,
            "name": names.of_bot(level),
            "about": self._service.bots.entries[level].about,
            "strength": found["2"],
            "strengths": found if found["2"] else None,
        }

    async def new_key(self, request: Request) -> dict[str, str]:
        await self._limits.work("key", None, address(request.scope))
        return {"key": self._service.issuer.new_key()}

    async def export_person(self, request: Request) -> Response:
        holder = await self._known(request)
        pay = partial(self._limits.pay, holder=holder, address=address(request.scope))
        everything = await self._service.export_person(holder, pay)

        async def lines() -> AsyncIterator[bytes]:
            async for found in everything:
                yield orjson.dumps(found) + b"\n"

        name = {"content-disposition": 'attachment; filename="keltis-my-data.jsonl"'}
        return StreamingResponse(lines(), media_type="application/x-ndjson", headers=name)

    async def forget_person(self, request: Request, response: Response) -> dict[str, int]:
        holder = await self._known(request)
        await self._service.person_keys.check_deleting(holder, request.scope["keltis.key_digest"])
        count, damaged = await self._service.forget_person(holder)
        response.delete_cookie(COOKIE, path=self._service.settings.mount)
        return {"tables": count, "unreadable": damaged}

    async def _known(self, request: Request) -> str:
        """The key whose data is asked for."""
        holder: str | None = request.scope["keltis.holder"]
        if holder is None:
            raise Problem("not_allowed", "authorization: this needs a key")
        await self._work("person", request)
        return holder

    # --- Tables ----------------------------------------------------------------------------

    async def create(self, request: Request, response: Response, wish: models.TableWish) -> Any:
        wishes = wish.model_dump()
        check_options(wish.game, wish.options)
        if wish.first != deals.CHANCE and int(wish.first) >= len(wish.seats):
            raise Problem("no_such_seat", "first: there is no such seat")
        for k, seat in enumerate(wishes["seats"]):
            if seat["who"] == "bot":
                if not seat["level"] or not self._service.bots.knows(seat["level"]):
                    raise Problem("bad_request", f"seats.{k}.level: there is no such bot")
                seat["name"] = seat["name"] or names.of_bot(seat["level"])
        clock = wishes["clock"]
        wishes["clock"] = (clock["move"], clock["game"]) if clock and any(clock.values()) else None
        is_open = any(seat["who"] == "open" for seat in wishes["seats"])
        invitation = keys.new_key() if is_open else None
        key, holder = await self._visitors.key(request)
        body = commands.created_body(wishes, holder, invitation)
        await self._work("table", request)
        asker = Asker(address(request.scope), holder)
        live = await self._service.create(wish.game, wish.public, body, asker)
        self._visitors.give_key(request, response, key)
        path = f"table/{live.table.id}"
        return {
            "table": live.table.id,
            "path": path,
            "invitation": invitation,
            "invitation_path": f"{path}#{invitation}" if invitation else None,
            "seq": 1,
        }

    async def public_tables(self) -> dict[str, Any]:
        return {"tables": await self._service.public_tables()}

    async def my_tables(self, request: Request) -> dict[str, Any]:
        holder = request.scope["keltis.holder"]
        return {"tables": await self._service.tables_of(holder) if holder else []}

    async def state(self, request: Request, table: TableId) -> Response:
        live, holder = await self._at(request, table)
        self._count_state(request, live, len(live.table.held_by(holder)))
        return _json(self._service.publisher.snapshot(live, holder))

    async def record(
        self, request: Request, table: TableId, download: Annotated[int, Query(ge=0, le=1)] = 0
    ) -> Response:
        live, holder = await self._at(request, table)
        self._count_state(request, live, len(live.table.held_by(holder)))
        body = live.table.record()
        if body is None:
            seats = live.table.held_by(holder)
            views = messages.views(live.table, seats)
            body = {"format": "keltis-view/1", "table": live.table.id, "views": views}
        response = _json(body)
        if download:
            name = f'attachment; filename="keltis-{live.table.id}.json"'
            response.headers["content-disposition"] = name
        return response

    async def join(
        self, request: Request, response: Response, table: TableId, wish: models.Joining
    ) -> Any:
        live = await self._service.find(table)
        key, holder = await self._visitors.key(request)
        written = await self._service.act(
            live,
            lambda at, _, near: commands.join(
                at, holder, near, name=wish.name, invitation=wish.invitation, seat=wish.seat,
                ready=wish.ready,
            ),
            holder,
            wish.id,
        )  # fmt: skip
        self._visitors.give_key(request, response, key)
        seat = written.seat
        if seat is None:  # a device that was there before
            seat = live.table.held_by(holder)[0]
        return {"seq": written.seq, "seat": seat}

    async def invite(self, request: Request, table: TableId, wish: models.Inviting) -> Any:
        live, holder = await self._at(request, table)
        secret, number = "", 0
        key = request.scope["keltis.key_digest"]
        if holder is not None:
            number = await self._service.person_keys.number(holder, key)

        def drafted(at: Table, seats: Seats, near: Surroundings) -> Draft:
            nonlocal secret
            if wish.seat is None:
                made = devices.invite(at, holder, seats, number)
            else:
                made = devices.link(at, holder, seats, wish.seat, near, number)
            secret = made.text
            return made.draft

        written = await self._service.act(live, drafted, holder)
        is_link = wish.seat is not None
        if holder is not None:
            await self._service.person_keys.check_link(live, Maker(holder, number), key)
        return {
            "invitation": secret,
            "invitation_path": f"table/{live.table.id}#{'device=' if is_link else ''}{secret}",
            "seconds": self._service.settings.link_time if is_link else None,
            "seq": written.seq,
        }

    async def remove(self, request: Request, table: TableId, wish: models.Removing) -> Any:
        live, holder = await self._at(request, table)
        written = await self._service.act(
            live,
            lambda at, seats, near: devices.remove(at, holder, seats, wish.device),
            holder,
            wish.id,
        )
        return {"seq": written.seq}

    # --- Commands --------------------------------------------------------------------------

    async def decide(self, request: Request, table: TableId, wish: models.Deciding) -> Any:
        live, holder = await self._at(request, table)
        written = await self._service.decide(live, holder, wish.move, wish.seq, wish.id)
        return {"seq": written.seq}

    async def rematch(self, request: Request, table: TableId, wish: models.Nothing) -> Any:
        live, _ = await self._at(request, table)
        await self._work("table", request)
        written = await self._service.rematch(live, _asker(request), wish.id)
        return {"seq": written.seq, "table": live.table.rematch}

    async def hint(self, request: Request, table: TableId, wish: models.Nothing) -> Any:
        live, _ = await self._at(request, table)
        await self._work("hint", request)
        return await self._service.hint(live, _asker(request))

    async def why(self, request: Request, table: TableId, wish: models.Asking) -> Any:
        live, holder = await self._at(request, table)
        return self._service.why(live, holder, wish.move)

    def _command(self, name: str, model: Any) -> Any:
        _, drafted = commands.COMMANDS[name]

        async def command(request: Request, table: TableId, wish: Any) -> dict[str, Any]:
            live, holder = await self._at(request, table)
            self._count_state(request, live, len(live.table.seats))  # everybody is told
            written: Written = await self._service.act(
                live, lambda at, seats, near: drafted(at, seats, near, wish), holder, wish.id
            )
            return {"seq": written.seq}

        command.__annotations__.update(request=Request, table=TableId, wish=model)
        return command

    # --- Streams ---------------------------------------------------------------------------

    async def events(
        self,
        request: Request,
        table: TableId,
        since: Annotated[int | None, Query(alias="from", ge=0, le=2**31 - 1)] = None,
    ) -> Response:
        live = await self._service.find(table)
        if self._service.stopping:
            raise Problem("stopping", "the server is being stopped", retry_after=2)
        lines: asyncio.Queue[bytes | None] = asyncio.Queue(1)  # more gathers with the viewer

        async def close(code: int) -> None:
            await lines.put(None)

        dropped = self._service.metrics.dropped.inc
        holder, where = request.scope["keltis.holder"], address(request.scope)
        key = request.scope["keltis.key_digest"]
        viewer = Viewer(holder, where, lines.put, close, dropped, key)
        self._count_state(request, live, len(live.table.held_by(holder)))
        self._service.enter(live, viewer, since)

        async def stream() -> AsyncIterator[bytes]:
            await self._service.person_keys.follow(viewer)
            while True:
                try:
                    async with asyncio.timeout(_KEEP_OPEN):
                        line = await lines.get()
                except TimeoutError:
                    yield b"\n"
                    continue
                if line is None:
                    return
                yield line + b"\n"
                if lines.empty() and live.table.status == OVER and viewer.is_empty:
                    return

        return _Stream(stream(), lambda: self._service.exit(live, viewer))

    # --- Who asks --------------------------------------------------------------------------

    async def _at(self, request: Request, table: str) -> tuple[LiveTable, str | None]:
        live = await self._service.find(table)
        self._service.visit(live, _asker(request))
        return live, request.scope["keltis.holder"]

    async def _work(self, what: str, request: Request) -> None:
        await self._limits.work(what, request.scope["keltis.holder"], address(request.scope))

    def _count_state(self, request: Request, live: LiveTable, views: int) -> None:
        holder = request.scope["keltis.holder"]
        self._limits.state(holder, address(request.scope), live.table, views)


class _Stream(StreamingResponse):
    """Lines of JSON, and what is to be done when they end, even if they never began."""

    def __init__(self, lines: AsyncIterator[bytes], at_end: Callable[[], None]) -> None:
        super().__init__(lines, media_type="application/x-ndjson")
        self._at_end = at_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._at_end()


def _asker(request: Request) -> Asker:
    return Asker(address(request.scope), request.scope["keltis.holder"] or "")


_SUMMARIES = {
    "take_back": "Take a decision back",
    "commit": "Bind oneself to a share in the shuffle",
    "seed": "Reveal one's share in the shuffle",
    "leave": "Let a bot go on",
    "return": "Come back",
    "resign": "Give the game up",
    "replace": "Give an absent person's seat, or as host an open one, to a bot",
    "end": "End the table",
}


def check_options(game: str, options: dict[str, str]) -> None:
    known = game_kind(game).options
    for name, value in options.items():
        if name not in known or value not in known[name]:
            raise Problem("bad_request", "options: there is no such option or value")


def _json(content: Any) -> Response:
    return Response(orjson.dumps(content), media_type="application/json")


def add_fault_handlers(app: FastAPI) -> None:
    def told(problem: Problem, headers: Any = None) -> JSONResponse:
        error, more = problem.http()
        return JSONResponse({"error": error}, problem.status, {**(headers or {}), **more})

    @app.exception_handler(Problem)
    async def refused(request: Request, problem: Problem) -> JSONResponse:
        return told(problem)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, fault: RequestValidationError) -> JSONResponse:
        return told(Problem("bad_request", first_fault(fault.errors())))

    @app.exception_handler(SQLAlchemyError)
    async def unanswered(request: Request, fault: SQLAlchemyError) -> JSONResponse:
        return told(Problem("busy", "the database does not answer", retry_after=2))

    @app.exception_handler(Exception)
    async def broken(request: Request, fault: Exception) -> JSONResponse:
        """The fault goes on to the guard, which logs it with the same reference."""
        reference = request.scope["keltis.reference"] = secrets.token_hex(4)
        return told(Problem("internal", "something went wrong on the server", reference=reference))

    @app.exception_handler(HTTPException)
    async def other(request: Request, fault: HTTPException) -> JSONResponse:
        is_known = "route" in request.scope  # else only the files of the page match it
        is_api = f"{request.scope['path']}/".startswith("/api/")
        if fault.status_code == 405 and (is_known or not is_api):
            return told(Problem("bad_method", "not this method here"), fault.headers)
        if fault.status_code in (404, 405):
            return told(Problem("not_found", "there is nothing here"))
        return told(Problem("bad_request", str(fault.detail)[:200]))
