"""One move weighed up against another: for who tries again what was played."""

from __future__ import annotations

from typing import Any

from keltis.reviews import kinds
from keltis.reviews.document import Purpose, Review, pair
from keltis.reviews.first import game_of
from keltis.reviews.second import PROVED, Difference, difference, play

_ALIKE = {"wins": 0.01, "lead": 0.3}  # too little to tell, whatever the errors


def weigh_up(record: object, step: int, best: str, move: str, *, seed: int = 0) -> dict[str, Any]:
    """By how much a move falls short of another at a step, both in the same worlds.

    The loss is below zero where it was better there. `right` is whether it is as good as the other.
    The same record, step, moves and seed give the same. Raises ValueError for a step or move that
    there is not.
    """
    game = game_of(record)
    if not 0 <= step < len(game.moves):
        raise ValueError(f"step: the game has {len(game.moves)} decisions")
    ((_, table),) = kinds.positions(game, [{"step": step}])
    for each in (best, move):
        if not table.is_legal(each):
            raise ValueError(f"move: {table.why(each)}")
    found = {"move": move, "best": best}
    if best == move:
        nothing = {"wins": 0.0, "lead": 0.0}
        return {**found, "loss": nothing, "error": nothing, "worlds": 0, "right": True}
    assert table.seat is not None
    playing = play(
        Review(seed=seed),
        {"step": step},
        table.view(table.seat),
        [best, move],
        Purpose.TRIED,
        PROVED,
    )
    while True:
        try:
            next(playing)
        except StopIteration as end:
            gap = difference(end.value)
            break
    return {
        **found,
        "loss": pair(gap.wins, gap.lead),
        "error": pair(gap.wins_error, gap.lead_error),
        "worlds": PROVED,
        "right": is_as_good(gap),
    }


def is_as_good(gap: Difference) -> bool:
    """Whether a move that is short of the best by so much is as good, as far as anybody can tell.

    It is so within the error; or if it is worth more all in all, though it leads by less.
    """
    within = gap.wins <= max(_ALIKE["wins"], gap.wins_error) and gap.lead <= max(
        _ALIKE["lead"], gap.lead_error
    )
    return within or gap.worth <= 0
