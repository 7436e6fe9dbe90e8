"""From a view back to a full game: one of all those that the view leaves possible."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from keltis.game.checks import check_entry, check_list, check_object, check_seat, check_text
from keltis.game.game import Game, begin, play_all, spread
from keltis.game.tokens import CUT_OFF

if TYPE_CHECKING:
    from keltis.game.kinds import Event
    from keltis.game.setups import States


def resample(view: Mapping[str, Any], seed: int | None = None) -> Game:
    """A random full game that agrees with a view: its `view(view["you"])` is that view.

    All deals that agree with the view are equally likely, the two copies of a card counted as
    two cards. The hidden places of `board` are the cards dealt to the other players, what they
    drew from the draw pile, what is left of it, and the cards out of the game. A card that
    another player plays, unless they took it from a discard pile before, came from any of the
    hidden places in their hand at that time; later moves only add places to choose from, so
    choosing at each move gives every way of choosing the same chance. The cards not seen at all
    then lie in the places left over in any order.

    It rests on the view's `game`, `options`, `players`, `you`, `setup` and `history`, whose steps
    need no effects, and on a `result` that says "cut off". Raises ValueError for what no game
    can look like.
    """
    try:
        return _resample(check_object(view, "view"), Random(spread(seed)))
    except TypeError as fault:
        raise ValueError(str(fault)) from None


def state_from_view(view: Mapping[str, Any]) -> States:
    """One state that agrees with a view, in an array of length one, for the compiled rules.

    It is always the same one: set its `rng` and let the rules' `resample` deal what is hidden.
    """
    return resample(view, seed=0)._states


def past_from_view(view: Mapping[str, Any], seed: int) -> tuple[States, list[int]]:
    """How a game began that agrees with a view, and the actions up to now.

    The start is in an array of length one; see `resample` for the seed.
    """
    game = resample(view, seed)
    return game._start, [game._kind.actions[move] for move in game.moves]


def _resample(view: dict[str, Any], chance: Random) -> Game:
    from keltis.game import kinds

    names = check_list(check_entry(view, "players", "players"), "players")
    you = check_entry(view, "you", "you")
    if you is not None:
        you = check_seat(you, len(names), "you")
    setup = check_object(check_entry(view, "setup", "setup"), "setup")
    history = check_list(check_entry(view, "history", "history"), "history")
    events = [_event(entry, len(names), f"history[{k}]") for k, entry in enumerate(history)]
    kind = kinds.kind(check_entry(view, "game", "game"))
    options = check_object(check_entry(view, "options", "options"), "options")
    dealt = kind.imagine(setup, events, len(names), you, chance)
    game = begin(kind.name, names, dealt, options)
    play_all(game, [move for _, move, _ in events])
    result = view.get("result")
    if isinstance(result, dict) and result.get("reason") == CUT_OFF and not game.is_over:
        game.cut_off()
    for key, value in game.view(you).items():
        if key in view and not _agrees(key, view[key], value):
            raise ValueError(f"{key}: does not agree with the view's setup and history")
    return game


def _agrees(key: str, given: object, value: object) -> bool:
    """Whether a part of a view is as it should be; the steps of a history may lack effects."""
    if given == value or key != "history":
        return given == value
    assert isinstance(given, list)
    assert isinstance(value, list)
    return len(given) == len(value) and all(
        mine == {key: theirs[key] for key in theirs if key != "effect" or key in mine}
        for mine, theirs in zip(given, value, strict=True)
    )


def _event(entry: object, players: int, place: str) -> Event:
    contents = check_object(entry, place)
    shown = contents.get("shown")
    return (
        check_seat(check_entry(contents, "seat", f"{place}.seat"), players, f"{place}.seat"),
        check_text(check_entry(contents, "move", f"{place}.move"), f"{place}.move"),
        shown if shown is None else check_text(shown, f"{place}.shown"),
    )
