"""What the page needs for study: replays of records, and the rules as text.

Nothing here touches a table: a record comes with the request, and the rules are files.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import orjson
from fastapi import APIRouter, Request
from starlette.responses import Response

import keltis
from keltis.game.errors import IllegalRecord
from keltis.server.models import GameName
from keltis.server.problems import Problem

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


def _illegal(fault: IllegalRecord) -> dict[str, Any]:
    """What speaks against a move of a record, to be said in any language."""
    reason = fault.reason
    return {
        "place": fault.place,
        "seat": fault.view["seat"],
        "phase": fault.view["phase"],
        "reason": reason.key,
        "card": reason.card or None,
        "top": reason.top if reason.key in ("rising", "falling") else None,
    }


@cache
def rules_text(game: str, language: str) -> bytes:
    """The rules page of a game, in Markdown."""
    return files("keltis").joinpath(f"texts/rules/{game}.{language}.md").read_bytes()


def _packed(request: Request, content: bytes, kind: str, **headers: str) -> Response:
    headers["vary"] = "accept-encoding"
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        content = gzip.compress(content, 5, mtime=0)
    return Response(content, media_type=kind, headers=headers)


async def replay(request: Request, record: dict[str, Any]) -> Response:
    """The positions of a record, whoever made it. Faults are told with their place in it."""
    try:
        found = await asyncio.to_thread(positions, record)
    except IllegalRecord as fault:
        raise Problem("bad_request", str(fault)[:300], illegal=_illegal(fault)) from None
    except keltis.RecordError as fault:
        raise Problem("bad_request", str(fault)[:300]) from None
    except (RecursionError, json.JSONDecodeError):
        raise Problem("bad_request", "this is not a record") from None
    body = await asyncio.to_thread(orjson.dumps, found)
    return _packed(request, body, "application/json")


async def rules(request: Request, game: GameName, language: Language) -> Response:
    return _packed(
        request, rules_text(game, language), "text/markdown", **{"cache-control": "no-cache"}
    )


def router() -> APIRouter:
    """The routes, to be put under /api."""
    made = APIRouter()
    made.add_api_route("/replay", replay, methods=["POST"], summary="All positions of a record")
    made.add_api_route(
        "/rules/{game}/{language}",
        rules,
        methods=["GET"],
        summary="The rules of a game, in Markdown",
        responses={200: {"content": {"text/markdown": {}}}},
        response_class=Response,
    )
    return made
