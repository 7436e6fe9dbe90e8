"""What every request passes first: proxy, mount, origin, size, rate; and last: headers, faults.

A plain ASGI layer, because FastAPI's middleware does not run for WebSockets.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from ipaddress import ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

import orjson
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from keltis.server import keys
from keltis.server.metrics import Metrics
from keltis.server.problems import Problem
from keltis.server.settings import Settings
from keltis.server.transport.hosts import Hosts
from keltis.server.transport.limits import Limits, network, plain
from keltis.server.transport.protocols import HEAD_SIZE

_log = logging.getLogger("keltis.http")

MESSAGE_SIZE = 16 * 1024
RECORD_SIZE = 256 * 1024

COOKIE = "keltis"

_HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'self'; "
        b"form-action 'self'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
]
_HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")


class Middleware:
    def __init__(
        self,
        http: ASGIApp,
        sockets: ASGIApp,
        settings: Settings,
        metrics: Metrics,
        limits: Limits,
        who: Callable[[str], Awaitable[str | None]],
    ) -> None:
        self._http = http
        self._sockets = sockets
        self._settings = settings
        self._metrics = metrics
        self._mount = settings.mount.rstrip("/")
        self._origins = settings.origins
        self._hosts = Hosts(settings.host_names)
        self._trusts_all = "*" in settings.proxies
        self._trusted = [ip_network(each, strict=False) for each in settings.proxies if each != "*"]
        self._limits = limits
        self._who = who  # whose a key is

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._http(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        self._see_through_proxy(scope, headers)
        path: str = scope["path"]
        if self._mount and (path == self._mount or path.startswith(self._mount + "/")):
            scope["path"] = path[len(self._mount) :] or "/"
        scope["raw_path"] = scope["path"].encode()
        scope["root_path"] = ""
        scope["keltis.headers"] = headers
        key = scope["keltis.key"] = _key(headers)
        scope["keltis.holder"] = scope["keltis.key_digest"] = keys.digest(key) if key else None
        scope["keltis.signed_out"] = False
        if scope["type"] == "websocket":
            await self._serve_socket(scope, receive, send)
            return
        await self._serve_http(scope, receive, send)

    async def _serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if not self._is_our_origin(scope, scope["keltis.headers"]):
                raise Problem("bad_origin", "this socket is opened by a page of another site")
            self._check_head(scope)
            self._check_host(scope["keltis.headers"])
            self._limits.message(scope["keltis.holder"], address(scope))
            await self._identify(scope)
        except SQLAlchemyError:
            await receive()
            fault = Problem("busy", "the database does not answer", retry_after=2)
            await _tell(fault, send, "websocket.http.response")
        except Problem as problem:
            await receive()
            await _tell(problem, send, "websocket.http.response")
        else:
            await self._sockets(scope, receive, send)

    async def _serve_http(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        status = 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", []), *self._extra(scope, message)]
            await send(message)

        try:
            self._check(scope)
            if scope["method"] in ("POST", "PUT", "PATCH"):
                receive, size = await _whole_body(scope, receive)
                if larger := size // MESSAGE_SIZE:  # its JSON takes as much longer to read
                    self._limits.message(scope["keltis.holder"], address(scope), larger)
            if scope["path"].startswith("/api/"):
                await self._identify(scope)
            await self._http(scope, receive, answer)
        except Problem as problem:
            if not status:
                await _tell(problem, answer)
        except SQLAlchemyError:
            if not status:
                fault = Problem("busy", "the database does not answer", retry_after=2)
                await _tell(fault, answer)
        except Exception:
            reference = scope.get("keltis.reference") or secrets.token_hex(4)
            self._metrics.faults.inc()
            _log.exception("fault", extra={"reference": reference})
            if not status:
                fault = Problem(
                    "internal", "something went wrong on the server", reference=reference
                )
                await _tell(fault, answer)
        route = scope.get("route")
        _log.info(
            "request",
            extra={
                "method": scope["method"],
                "path": getattr(route, "path", "page" if status < 400 else "unknown"),
                "status": status,
                "ms": round(1000 * (time.perf_counter() - began), 1),
            },
        )

    def _check(self, scope: Scope) -> None:
        headers = scope["keltis.headers"]
        self._check_head(scope)
        if scope["path"] != "/healthz":
            self._check_host(headers)
        if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            if not self._is_our_origin(scope, headers):
                raise Problem("bad_origin", "this request comes from a page of another site")
            kind = headers.get(b"content-type", "")
            if kind and not kind.startswith("application/json"):
                raise Problem("bad_request", "content-type: expected application/json")
        size = headers.get(b"content-length", "0")
        if size.isdigit() and int(size) > _most(scope):
            raise Problem("too_large", f"the body is larger than {_most(scope)} bytes")
        if scope["path"].startswith("/api/"):
            self._limits.message(scope["keltis.holder"], address(scope))

    def _check_head(self, scope: Scope) -> None:
        """The parser bounds a head that comes in pieces; one that comes at once is bounded here."""
        size = len(scope["raw_path"]) + len(scope["query_string"])
        if size + sum(len(name) + len(value) for name, value in scope["headers"]) > HEAD_SIZE:
            raise Problem("too_large", f"the headers are larger than {HEAD_SIZE} bytes")

    def _extra(self, scope: Scope, message: Message) -> list[tuple[bytes, bytes]]:
        given = {name.lower() for name, _ in message["headers"]}
        extra = [header for header in _HEADERS if header[0] not in given]
        if scope["scheme"] == "https":
            extra.append(_HTTPS_ONLY)
        if b"cache-control" not in given:
            extra.append((b"cache-control", b"no-store"))
        return extra

    # --- Who is asking -------------------------------------------------------------------

    async def _identify(self, scope: Scope) -> None:
        """A person may have several keys; one that is signed out is no key any more."""
        digest = scope["keltis.key_digest"]
        if digest is None:
            return
        scope["keltis.holder"] = await self._who(digest)
        if scope["keltis.holder"] is None:
            scope["keltis.key"] = None
            scope["keltis.signed_out"] = True

    def _see_through_proxy(self, scope: Scope, headers: dict[bytes, str]) -> None:
        """Believe X-Forwarded headers of trusted proxies, and of nobody else."""
        peer = str(scope["client"][0]) if scope.get("client") else ""
        scope["keltis.forwarded"] = b"x-forwarded-for" in headers or b"forwarded" in headers
        if not self.is_trusted(peer):
            return
        for hop in reversed(headers.get(b"x-forwarded-for", "").split(",")):
            if hop.strip():
                scope["client"] = (hop.strip(), 0)
                if not self.is_trusted(hop.strip()):
                    break
        proto = headers.get(b"x-forwarded-proto", "").split(",")[-1].strip().lower()
        if proto in ("http", "https"):
            secure = {"http": {"http": "http", "https": "https"},
                      "websocket": {"http": "ws", "https": "wss"}}  # fmt: skip
            scope["scheme"] = secure[scope["type"]][proto]
        host = headers.get(b"x-forwarded-host", "").split(",")[-1].strip()
        if host:
            headers[b"host"] = host

    def is_trusted(self, peer: str) -> bool:
        """Whether a proxy with this address may speak for others."""
        if self._trusts_all or not self._trusted:
            return self._trusts_all
        try:
            there = ip_address(plain(peer))
        except ValueError:
            return False
        return any(there in network for network in self._trusted)

    def _check_host(self, headers: dict[bytes, str]) -> None:
        if not self._hosts.allows(headers.get(b"host", "")):
            raise Problem("bad_host", "this server is not known by this name")

    def _is_our_origin(self, scope: Scope, headers: dict[bytes, str]) -> bool:
        origin = headers.get(b"origin")
        if origin is None or origin in self._origins:  # programs send none
            return True
        try:
            parts = urlsplit(origin)
        except ValueError:  # no address at all
            return False
        if parts.scheme not in ("http", "https"):
            return False
        return parts.netloc.lower() == headers.get(b"host", "").lower()


def address(scope: Scope) -> str:
    """The client's address; of IPv6 the network that one household has."""
    return network(str(scope["client"][0])) if scope.get("client") else "?"


def is_local(scope: Scope) -> bool:
    """Whether the request comes from this machine and through no proxy."""
    try:
        here = ip_address(plain(scope["client"][0])).is_loopback if scope.get("client") else True
    except ValueError:
        here = False
    return here and not scope["keltis.forwarded"]


def _key(headers: dict[bytes, str]) -> str | None:
    """The key that came with a request; None without one."""
    kind, _, key = headers.get(b"authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return key.strip() if keys.is_key(key.strip()) else None
    for part in headers.get(b"cookie", "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE and keys.is_key(value):
            return value
    return None


_WITH_RECORDS = {
    "/api/verify", "/api/replay", "/api/position", "/api/review", "/api/review/judge",
    "/api/review/play",
}  # fmt: skip


def _most(scope: Scope) -> int:
    return RECORD_SIZE if scope["path"] in _WITH_RECORDS else MESSAGE_SIZE


async def _whole_body(scope: Scope, receive: Receive) -> tuple[Receive, int]:
    """Read the body before anything is done; how to get it again, and its size.

    One that is too large is refused.
    """
    body, most, more = bytearray(), _most(scope), True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise Problem("bad_request", "the request was not finished")
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > most:
            raise Problem("too_large", f"the body is larger than {most} bytes")
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": bytes(body), "more_body": False}

    return again, len(body)


async def _tell(problem: Problem, send: Any, kind: str = "http.response") -> None:
    error, more = problem.http()
    headers = [(b"content-type", b"application/json")]
    headers += [(name.encode(), value.encode()) for name, value in more.items()]
    body = orjson.dumps({"error": error})
    headers.append((b"content-length", str(len(body)).encode()))
    if problem.code == "too_large":  # what is still to come is not read
        headers.append((b"connection", b"close"))
    await send({"type": f"{kind}.start", "status": problem.status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
