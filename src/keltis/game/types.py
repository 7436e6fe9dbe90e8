"""What views and records are made of, for type checkers; docs/views.md says what each key means.

Both are plain dicts of JSON values. A key of one game only is `NotRequired`.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class Result(TypedDict):
    """How a game ended."""

    scores: list[int]
    winners: list[int]
    reason: Literal["goal", "deck", "cut off"]


class Step(TypedDict):
    """A decision, as a seat saw it."""

    seat: int
    move: str
    shown: NotRequired[str]  # the card or tile that came into sight
    effect: NotRequired[dict[str, Any]]  # what it did beyond what its token says


class _Seen(TypedDict):
    """What every view has."""

    game: Literal["board", "stones"]
    options: dict[str, str]
    players: list[str]
    setup: dict[str, Any]
    history: list[Step]
    seat: int | None  # whose decision it is; None when the game is over
    phase: str
    rows: list[dict[str, list[int]]]
    wishing_stones: list[int]
    points: list[int]
    scores: list[int]
    legal_moves: list[str]
    result: Result | None

    # Of "board" only
    hand_sizes: NotRequired[list[int]]
    known: NotRequired[list[list[str]]]
    path: NotRequired[str | None]
    closed_pile: NotRequired[str | None]
    figures: NotRequired[list[dict[str, int]]]
    large: NotRequired[list[str | None]]
    small_at_start: NotRequired[list[int]]
    tiles: NotRequired[dict[str, list[str | None]]]
    piles: NotRequired[dict[str, list[str]]]
    draw_pile: NotRequired[int]
    removed: NotRequired[int]
    in_goal: NotRequired[int]

    # Of "stones" only
    tile: NotRequired[str | None]
    open: NotRequired[list[str]]
    face_down: NotRequired[int]


class View(_Seen):
    """All that a seat may know: what a bot is given, and `Game.view` returns.

    docs/views.md says what each key means.
    """

    you: int  # the seat whose view it is
    hand: NotRequired[list[str]]  # of "board" only


class PublicView(_Seen):
    """A spectator's view."""

    you: None
    hand: NotRequired[None]  # of "board" only


AnyView = View | PublicView


class Record(TypedDict):
    """A whole game, hidden cards included: what `Game.record` returns and `keltis.load` takes."""

    format: str
    game: Literal["board", "stones"]
    options: dict[str, str]
    players: list[str]
    setup: dict[str, Any]
    moves: list[str]
    result: Result | None
