"""Whether a view asks its seat to decide: what every bot looks at first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from keltis.game.errors import quoted

_NEEDED = ("game", "players", "you", "seat", "history", "legal_moves", "result")


def check_whole_view(view: Mapping[str, Any]) -> None:
    """Raises TypeError for what is no view, ValueError for one that lacks something."""
    if not isinstance(view, Mapping):
        raise TypeError(f"view: expected what game.view(seat) returns, not {quoted(view)}")
    missing = [key for key in _NEEDED if key not in view]
    if missing:
        raise ValueError(f'view: "{missing[0]}" is missing; a bot takes a whole view')


def asked(view: Mapping[str, Any]) -> list[str]:
    """The moves of the seat that a view asks to decide.

    Raises ValueError, in words, if it asks nobody, or not this seat, or is no whole view.
    """
    check_whole_view(view)
    if view["result"] is not None or view["seat"] is None:
        raise ValueError("view: the game is over")
    if view["you"] is None:
        raise ValueError("view: a spectator's, who decides nothing")
    if view["you"] != view["seat"]:
        raise ValueError(
            f"view: it is seat {view['seat']}'s decision, and this is the view of seat "
            f"{view['you']}"
        )
    moves: list[str] = view["legal_moves"]
    if not moves:
        raise ValueError("view: it has no legal moves")
    return moves
