"""What the page needs for study: replays of records, and the rules as text.

Nothing here touches a table: a record comes with the request, and the rules are files.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import orjson
from fastapi import APIRouter, Request
from starlette.responses import Response

import keltis
from keltis.server.live.fair_pool import Asker, FairPool
from keltis.server.models import GameName
from keltis.server.problems import Problem
from keltis.server.transport.limits import Limits
from keltis.server.transport.middleware import address

Language = Literal["en", "de", "fr", "nl"]


def positions(record: dict[str, Any]) -> dict[str, Any]:
    """All positions of a record: a spectator's view of the first one, then what each decision
    changed in it, with the hands beside it."""
    whole = keltis.load(record)
    moves = whole.moves
    if len(moves) > keltis.DECISION_CAP:
        raise Problem("too_large", f"moves: more than {keltis.DECISION_CAP} decisions")
    game = keltis.load({**record, "moves": [], "result": None})
    seats = range(len(game.players))
    start, hands_dealt = game.view(None), _hands(game)
    steps: list[dict[str, Any]] = []
    for move in moves:
        seat = game.seat
        assert seat is not None
        game.play(move)
        step, *own = game.changes([None, *seats])
        step["step"] = own[seat]["step"]
        hands = {str(each): own[each]["hand"] for each in seats if "hand" in own[each]}
        steps.append({**step, "hands": hands} if hands else step)
    if whole.is_over and not game.is_over:
        game.cut_off()
        last = steps[-1] if steps else start
        view = game.view(None)
        last.update({key: view[key] for key in ("seat", "phase", "legal_moves", "result")})
    return {"view": start, "hands": hands_dealt, "steps": steps}


def _hands(game: keltis.Game) -> list[list[str]] | None:
    if game.game != "board":
        return None
    return [game.view(seat)["hand"] for seat in range(len(game.players))]


@cache
def rules_text(game: str, language: str) -> bytes:
    """The rules page of a game, in Markdown."""
    return files("keltis").joinpath(f"texts/rules/{game}.{language}.md").read_bytes()


@cache
def _packed_rules(game: str, language: str) -> bytes:
    return gzip.compress(rules_text(game, language), 9, mtime=0)


def _answer(request: Request, content: bytes, packed: bytes, kind: str, **more: str) -> Response:
    headers = {"vary": "accept-encoding", **more}
    if not _takes_gzip(request):
        return Response(content, media_type=kind, headers=headers)
    headers["content-encoding"] = "gzip"
    return Response(packed, media_type=kind, headers=headers)


def _takes_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def _replayed(record: dict[str, Any], pack: bool) -> tuple[bytes, bytes]:
    """The answer to a record, and the same compressed if that is wanted."""
    found = positions(record)
    # Piece by piece: a single call would keep the interpreter from everybody else.
    steps = b",".join(orjson.dumps(step) for step in found.pop("steps"))
    content = orjson.dumps(found)[:-1] + b',"steps":[' + steps + b"]}"
    return content, gzip.compress(content, 5, mtime=0) if pack else b""


class Replays:
    """The routes for study. Replays are made in a thread of their own, fairly between people."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pool = FairPool(1, "replay")

    def stop(self) -> None:
        self._pool.stop()

    async def replay(self, request: Request, record: dict[str, Any]) -> Response:
        """The positions of a record, whoever made it. Faults are told with their place in it."""
        holder, where = request.scope["keltis.holder"], address(request.scope)
        await self._limits.work("replay", holder, where)
        pack = _takes_gzip(request)
        try:
            content, packed = await self._pool.run(
                Asker(where, holder or ""), lambda _: _replayed(record, pack)
            )
        except keltis.RecordError as fault:
            raise Problem("bad_request", str(fault)[:300]) from None
        except (RecursionError, json.JSONDecodeError):
            raise Problem("bad_request", "this is not a record") from None
        return _answer(request, content, packed, "application/json")

    async def rules(self, request: Request, game: GameName, language: Language) -> Response:
        content, packed = rules_text(game, language), _packed_rules(game, language)
        return _answer(request, content, packed, "text/markdown", **{"cache-control": "no-cache"})

    def router(self) -> APIRouter:
        """The routes, to be put under /api."""
        made = APIRouter()
        made.add_api_route(
            "/replay", self.replay, methods=["POST"], summary="All positions of a record"
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
