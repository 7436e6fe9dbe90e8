"""Keys of those who come over HTTP: the one they have, or a new one."""

from __future__ import annotations

from fastapi import Request, Response

from keltis.server import keys
from keltis.server.live.service import Service
from keltis.server.problems import Problem
from keltis.server.transport.limits import Limits
from keltis.server.transport.middleware import COOKIE, address

_YEAR = 365 * 86400


class Visitors:
    def __init__(self, service: Service, limits: Limits) -> None:
        self._service = service
        self._limits = limits

    async def key(self, request: Request) -> tuple[str | None, str]:
        """A new key if the client has none, and the digest of the one it has now.

        Only keys that were issued hold seats, because limits for keys that anybody can make up
        would limit nobody. A browser's key that is unknown is replaced.
        """
        own: str | None = request.scope["keltis.key"]
        if own is not None and await self._service.knows(own):
            return None, request.scope["keltis.holder"]
        if "authorization" in request.headers:
            raise Problem("unknown_key", "authorization: no such key was issued by this server")
        await self._limits.work("key", None, address(request.scope))
        key = self._service.issuer.new_key()
        return key, keys.digest(key)

    def give_key(self, request: Request, response: Response, key: str | None) -> None:
        if key is not None:
            response.set_cookie(
                COOKIE, key, max_age=_YEAR, path=self._service.settings.mount, httponly=True,
                samesite="strict", secure=request.scope["scheme"] == "https",
            )  # fmt: skip
