"""What a seat may see, decided here and nowhere else. docs/views.md describes every key.

Only three things of a game are hidden from anybody: hands, the order of the draw pile, and the
cards out of the game. The rooms of the games (`board.py`, `stones.py`) say what is public and what
is one seat's own, and show neither of the last two. Who gets which is decided here: everything
that knows for whom a view is made, `you`, is in this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from keltis.game import positions
from keltis.game.setups import States

if TYPE_CHECKING:
    from keltis.game.game import Game
    from keltis.game.kinds import Effect, Kind
    from keltis.game.types import AnyView

# Seat, token, the card or tile that came into sight, and what else the decision did.
History = list[tuple[int, str, str | None, "Effect | None"]]


def view(
    game: Game, kind: Kind, start: States, states: States, history: History, you: int | None
) -> AnyView:
    """The view of a seat; None is a spectator."""
    phase = _phase(game, kind, states)
    seen = {
        "game": kind.name,
        "options": game.options,
        "players": game.players,
        "you": you,
        "setup": begun(kind, start, you),
        "history": _steps(kind, history, you),
        "seat": game.seat,
        "phase": phase,
        **table(kind, states, phase, you),
        "scores": game.scores(),
        "legal_moves": game.legal_moves() if you is not None and game.seat == you else [],
        "result": game.result(),
    }
    return cast("AnyView", seen)


def setup(kind: Kind, start: States, you: int | None) -> dict[str, Any]:
    """What a seat saw of the start."""
    return kind.public_setup(start) | _own(kind, start, you)


def begun(kind: Kind, start: States, you: int | None) -> dict[str, Any]:
    """The same, and of a game that began in the middle the whole position."""
    seen = setup(kind, start, you)
    if not kind.is_start(start):
        seen["position"] = positions.write(kind, start, you)
    return seen


def table(kind: Kind, states: States, phase: str, you: int | None) -> dict[str, Any]:
    """What a seat sees on the table in a phase."""
    return kind.public(states, phase, kind.public_keys) | _own(kind, states, you)


def changes(
    game: Game, kind: Kind, states: States, history: History, seats: Sequence[int | None]
) -> list[dict[str, Any]]:
    """The views of some seats after a decision, each less what it cannot have changed.

    `step` is what the decision added to the history. What all may see is built once.
    """
    decided, token, _, _ = last = history[-1]
    phase = _phase(game, kind, states)
    keys = kind.changed(token)
    seat = game.seat
    shared = {
        "seat": seat,
        "phase": phase,
        **kind.public(states, phase, keys),
        "legal_moves": [],
        "result": game.result(),
    }
    if "rows" in keys or "points" in keys:
        shared["scores"] = game.scores()
    changed = []
    for you in seats:
        (step,) = _steps(kind, [last], you)
        change = {"you": you, "step": step, **shared}
        if you == decided:
            change |= _own(kind, states, you)
        if you is not None and you == seat:
            change["legal_moves"] = game.legal_moves()
        changed.append(change)
    return changed


def _phase(game: Game, kind: Kind, states: States) -> str:
    return "over" if game.is_over else kind.phases[states["phase"].item()]


def _own(kind: Kind, states: States, you: int | None) -> dict[str, Any]:
    """What only this seat sees; a spectator has the same keys and sees nothing."""
    return dict.fromkeys(kind.private_keys) if you is None else kind.private(states, you)


def _steps(kind: Kind, history: History, you: int | None) -> list[dict[str, Any]]:
    """Decisions as a seat saw them: who draws unseen shows nobody else what it was."""
    secret = kind.secret_draw
    return [
        {"seat": seat, "move": token, "effect": {**effect}}
        if effect is not None
        else {"seat": seat, "move": token}
        if drawn is None or (token == secret and seat != you)
        else {"seat": seat, "move": token, "shown": drawn}
        for seat, token, drawn, effect in history
    ]
