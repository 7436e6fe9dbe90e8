"""WebSockets: one for each open tab, with a table's events down and commands up."""

from __future__ import annotations

import logging
import secrets
from typing import Any
from urllib.parse import parse_qs

import orjson
from pydantic import BaseModel, ValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import Receive, Scope, Send

from keltis.server import models
from keltis.server.live.fair_pool import Asker
from keltis.server.live.live_table import LiveTable
from keltis.server.live.service import Service, Written
from keltis.server.live.viewers import BUSY, FLOOD, NO_SPECTATORS, NO_TABLE, Viewer
from keltis.server.problems import Problem
from keltis.server.tables import commands
from keltis.server.transport.limits import Limits
from keltis.server.transport.middleware import address

_log = logging.getLogger("keltis.sockets")

_REFUSED_BEFORE_CLOSING = 100  # messages over the rate, or malformed
# To come again is of no use with these; after any other problem it may be.
_FOR_GOOD = {"unknown_table": NO_TABLE, "unreadable": NO_TABLE, "no_spectators": NO_SPECTATORS}


class Sockets:
    """The ASGI application for `/api/tables/ID/socket`."""

    def __init__(self, service: Service, limits: Limits) -> None:
        self._service = service
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        parts = scope["path"].strip("/").split("/")
        if len(parts) != 4 or parts[:2] != ["api", "tables"] or parts[3] != "socket":
            await send({"type": "websocket.close", "code": 1000})
            return
        if self._service.stopping:
            await send({"type": "websocket.close", "code": BUSY})
            return
        await send({"type": "websocket.accept"})
        await self._serve(scope, receive, send, parts[2])

    async def _serve(self, scope: Scope, receive: Receive, send: Send, table_id: str) -> None:
        async def deliver(message: bytes) -> None:
            await send({"type": "websocket.send", "text": message.decode()})

        async def close(code: int) -> None:
            await send({"type": "websocket.close", "code": code})

        service = self._service
        dropped = service.metrics.dropped.inc
        key = scope["keltis.key_digest"]
        viewer = Viewer(scope["keltis.holder"], address(scope), deliver, close, dropped, key)
        scope["headers"] = []  # a socket stays open for hours and needs them no more
        scope["keltis.headers"] = {}
        try:
            live = await service.find(table_id)
            seats = live.table.held_by(viewer.holder)
            self._limits.state(viewer.holder, viewer.address, live.table, len(seats))
            service.enter(live, viewer, _since(scope))
        except Problem as problem:
            viewer.send(orjson.dumps({"type": "error", **problem.body()}))
            viewer.close(_FOR_GOOD.get(problem.code, BUSY))
            await _until_gone(receive)
            return
        except SQLAlchemyError:
            viewer.close(BUSY)
            await _until_gone(receive)
            return
        try:
            await service.person_keys.follow(viewer)
            await Conversation(service, live, viewer, self._limits).listen(receive)
        finally:
            service.exit(live, viewer)


def _since(scope: Scope) -> int | None:
    text = parse_qs(scope["query_string"].decode("latin-1")).get("from", [""])[0]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "websocket.disconnect":
        pass


class Conversation:
    """What one socket's client says."""

    def __init__(self, service: Service, live: LiveTable, viewer: Viewer, limits: Limits) -> None:
        self._service = service
        self._live = live
        self._viewer = viewer
        self._limits = limits
        self._asker = Asker(viewer.address, viewer.holder or "")
        self._refused = 0

    async def listen(self, receive: Receive) -> None:
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            if self._refused > _REFUSED_BEFORE_CLOSING:
                self._viewer.close(FLOOD)
                await _until_gone(receive)
                return
            if self._viewer.is_ending:
                continue
            text = message.get("text")
            await self._hear(text if text is not None else message.get("bytes") or b"")

    async def _hear(self, text: str | bytes) -> None:
        own_id: str | None = None
        try:
            self._limits.message(self._viewer.holder, self._viewer.address)
            said = _parsed(text)
            if isinstance(said.get("id"), str):
                own_id = said["id"][:64]
            await self._carry_out(said)
        except Problem as problem:
            if problem.code in ("bad_request", "rate_limited"):
                self._refused += 1
            self._service.metrics.refused.labels(problem.code).inc()
            self._answer({"type": "error", **problem.body()}, own_id)
        except SQLAlchemyError:
            busy = Problem("busy", "the database does not answer", retry_after=2)
            self._answer({"type": "error", **busy.body()}, own_id)
        except Exception:
            reference = secrets.token_hex(4)
            self._service.metrics.faults.inc()
            _log.exception("fault", extra={"reference": reference})
            fault = Problem("internal", "something went wrong on the server", reference=reference)
            self._answer({"type": "error", **fault.body()}, own_id)

    def _answer(self, message: dict[str, Any], own_id: str | None) -> None:
        if own_id is not None:
            message["id"] = own_id
        self._viewer.send(orjson.dumps(message))

    async def _carry_out(self, said: dict[str, Any]) -> None:
        kind = said.pop("type", None)
        service, live, viewer = self._service, self._live, self._viewer
        if kind == "decide":
            wish = _checked(models.Deciding, said)
            written = await service.decide(
                live, viewer.holder, wish.move, wish.seq, wish.id, viewer
            )
            self._acknowledge(written, wish.id)
        elif kind == "ping":
            self._answer({"type": "pong"}, None)
        elif kind == "sync":
            self._count_state(len(viewer.seats))
            since = said.get("from")
            since = since if type(since) is int and 0 <= since < 2**31 else None
            self._answer(service.publisher.snapshot(live, viewer.holder, since), None)
        elif kind == "hint":
            own = _checked(models.Nothing, said)
            service.background.spawn(self._hint(own.id))
        elif kind == "why":
            own_id = said.pop("id", None)
            asked = _checked(models.Asking, said)
            answer = service.why(live, viewer.holder, asked.move)
            self._answer({"type": "why", **answer}, own_id if isinstance(own_id, str) else None)
        elif kind == "rematch":
            own = _checked(models.Nothing, said)
            await self._limits.work("table", viewer.holder, viewer.address)
            self._acknowledge(await service.rematch(live, self._asker, own.id, viewer), own.id)
        elif isinstance(kind, str) and kind in commands.COMMANDS:
            model, command = commands.COMMANDS[kind]
            self._count_state(len(live.table.seats))  # everybody is told
            wish = _checked(model, said)
            written = await service.act(
                live,
                lambda table, seats, near: command(table, seats, near, wish),
                viewer.holder,
                wish.id,
                viewer,
            )
            self._acknowledge(written, wish.id)
        else:
            raise Problem("bad_request", "type: no such message")

    def _count_state(self, views: int) -> None:
        self._limits.state(self._viewer.holder, self._viewer.address, self._live.table, views)

    def _acknowledge(self, written: Written, own_id: str | None) -> None:
        """What has changed something was acknowledged by the message that told of it."""
        if not written.changed:
            self._answer({"type": "ack", "seq": written.seq}, own_id)

    async def _hint(self, own_id: str | None) -> None:
        try:
            await self._limits.work("hint", self._viewer.holder, self._viewer.address)
            answer = await self._service.hint(self._live, self._asker)
        except Problem as problem:
            self._answer({"type": "error", **problem.body()}, own_id)
        else:
            self._answer({"type": "hint", **answer}, own_id)


def _parsed(text: str | bytes) -> dict[str, Any]:
    try:
        said = orjson.loads(text)
    except orjson.JSONDecodeError:
        raise Problem("bad_request", "this is not JSON") from None
    if not isinstance(said, dict):
        raise Problem("bad_request", "expected an object")
    return said


def _checked(model: type[BaseModel], said: dict[str, Any]) -> Any:
    try:
        return model.model_validate(said)
    except ValidationError as fault:
        raise Problem("bad_request", first_fault(fault.errors())) from None


def first_fault(faults: Any) -> str:
    """The first of pydantic's faults, in words, without the value that was sent."""
    fault = faults[0]
    place = ".".join(str(part) for part in fault["loc"] if part != "body")
    return f"{place or 'body'}: {fault['msg'][:200]}"
