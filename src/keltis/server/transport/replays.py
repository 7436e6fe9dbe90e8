"""What the page needs for study: replays of records, and the rules as text.

Nothing here touches a table: a record comes with the request, and the rules are files.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from fastapi import APIRouter, Request
from starlette.responses import Response

from keltis.server.live.fair_pool import Asker, FairPool
from keltis.server.models import GameName, PositionAsked, Verified
from keltis.server.transport.limits import Limits
from keltis.server.transport.middleware import address
from keltis.server.transport.replay_worker import Worker

Language = Literal["en", "de", "fr", "nl"]


@cache
def rules_text(game: str, language: str) -> bytes:
    """The rules page of a game, in Markdown."""
    return files("keltis").joinpath(f"texts/rules/{game}.{language}.md").read_bytes()


@cache
def _packed_rules(game: str, language: str) -> bytes:
    return gzip.compress(rules_text(game, language), 9, mtime=0)


def _answer(content: bytes, kind: str, *, packed: bool, **more: str) -> Response:
    headers = {"vary": "accept-encoding", **more}
    if packed:
        headers["content-encoding"] = "gzip"
    return Response(content, media_type=kind, headers=headers)


def _takes_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


class Replays:
    """The routes for study. Replays are made in a process of their own, fairly between people."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pool = FairPool(1, "replay")
        self._worker = Worker()

    def stop(self) -> None:
        self._pool.stop()
        self._worker.stop()

    async def replay(self, request: Request, record: dict[str, Any]) -> Response:
        """The positions of a record, whoever made it, or the one of `{"position": text}`.

        Faults are told with their place in it.
        """
        pack = _takes_gzip(request)
        content = await self._work(
            "replay", request, lambda: self._worker.replay(record, pack=pack)
        )
        return _answer(content, "application/json", packed=pack)

    async def position(self, request: Request, asked: PositionAsked) -> Response:
        """One position of a record as text, after so many decisions."""
        content = await self._work(
            "replay",
            request,
            lambda: self._worker.position(asked.record, asked.at, hands=asked.hands),
        )
        return _answer(content, "application/json", packed=False)

    async def verify(self, request: Request, record: dict[str, Any]) -> Response:
        """Whether the proof in a record agrees with itself, which proves nothing to anybody."""
        content = await self._work("verify", request, lambda: self._worker.verify(record))
        return _answer(content, "application/json", packed=False)

    async def prelude(
        self, asker: Asker, record: dict[str, Any], step: int, seat: int | None
    ) -> tuple[int, dict[str, Any]]:
        """From where a practice game goes on, and who plays it; what it costs has been counted."""
        return await self._pool.run(asker, lambda _: self._worker.prelude(record, step, seat))

    async def _work(self, what: str, request: Request, work: Callable[[], bytes]) -> bytes:
        holder, where = request.scope["keltis.holder"], address(request.scope)
        await self._limits.work(what, holder, where)
        return await self._pool.run(Asker(where, holder or ""), lambda _: work())

    async def rules(self, request: Request, game: GameName, language: Language) -> Response:
        packed = _takes_gzip(request)
        content = (_packed_rules if packed else rules_text)(game, language)
        kept = {"cache-control": "no-cache"}
        return _answer(content, "text/markdown", packed=packed, **kept)

    def router(self) -> APIRouter:
        """The routes, to be put under /api."""
        made = APIRouter()
        made.add_api_route(
            "/replay", self.replay, methods=["POST"], summary="All positions of a record"
        )
        made.add_api_route(
            "/position", self.position, methods=["POST"], summary="A position of a record as text"
        )
        made.add_api_route(
            "/verify",
            self.verify,
            methods=["POST"],
            response_model=Verified,
            summary="Whether the proof in a record agrees with itself",
        )
        made.add_api_route(
            "/rules/{game}/{language}",
            self.rules,
            methods=["GET"],
            summary="The rules of a game, in Markdown",
            responses={200: {"content": {"text/markdown": {}}}},
            response_class=Response,
        )
        return made
