"""Practice games that go on from a position of another game.

Whoever looks back at a game has seen all hands. So what the seat could not know at that position is
dealt anew, as one of all the deals that agree with what it knew: the same public table, the same
own hand, and nothing that one would know too much.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import keltis
from keltis.server.problems import Problem
from keltis.server.tables import deals, names


def prelude(record: dict[str, Any], step: int, seat: int | None) -> tuple[int, dict[str, Any]]:
    """The seat that plays on, and the setup and moves of its game up to that step."""
    sent = record.get("moves")
    if isinstance(sent, list) and len(sent) > keltis.DECISION_CAP:
        raise Problem("too_large", f"moves: more than {keltis.DECISION_CAP} decisions")
    try:
        game = keltis.load(record)
    except keltis.RecordError as fault:
        raise Problem("bad_request", str(fault)[:300]) from None
    except RecursionError:
        raise Problem("bad_request", "this is not a record") from None
    moves = game.moves
    if not 0 <= step <= len(moves):
        raise Problem("bad_request", f"step: the game has positions 0 to {len(moves)}")
    game = keltis.load({**game.record(), "moves": moves[:step], "result": None})
    if game.seat is None:
        raise Problem("game_over", "step: the game is over there")
    chosen = game.seat if seat is None else seat
    if chosen >= len(game.players):
        raise Problem("no_such_seat", f"seat: there is no seat {chosen} in this game")
    dealt = keltis.resample(game.view(chosen)).record()
    return chosen, {"setup": dealt["setup"], "moves": dealt["moves"]}


def created_body(
    record: Mapping[str, Any],
    begins: Mapping[str, Any],
    seat: int,
    name: str,
    level: str,
    bot_name: str,
    holder: str,
) -> dict[str, Any]:
    """The first event of the table: no name of those who played the other game is in it."""
    seats: list[dict[str, Any]] = []
    bots = 0
    for k in range(len(record["players"])):
        if k == seat:
            own = {"kind": "person", "name": names.clean(name), "level": None, "holders": [holder]}
            seats.append({**own, "devices": [None], "ready": True})
        else:
            bots += 1
            called = bot_name if bots == 1 else f"{bot_name[: names.LONGEST - 2]} {bots}"
            seats.append({"kind": "bot", "name": called, "level": level})
    return {
        "scheme": deals.NO_DEAL,
        "prelude": dict(begins),
        "options": dict(record["options"]),
        "practice": True,
        "hints": True,
        "spectators": False,  # the cards may be those of a deal that others are still to play
        "clock": None,
        "first": 0,
        "invited": None,
        "invitation": None,
        "seats": seats,
    }
