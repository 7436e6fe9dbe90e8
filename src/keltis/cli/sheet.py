"""The score sheet: where each player's points come from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from keltis.cli.words import t
from keltis.game.tokens import COLOURS
from keltis.rules import board, stones

View = Mapping[str, Any]


@dataclass(frozen=True)
class Entry:
    """One source of one player's points."""

    points: int
    where: str = ""


@dataclass(frozen=True)
class Line:
    label: str
    colour: str | None  # of the path or row that it is about
    entries: list[Entry]  # by seat


def lines(view: View) -> list[Line]:
    """The sources of points in the order of the rules; each seat's add up to its score."""
    seats = range(len(view["players"]))
    paths = _board if view["game"] == "board" else _stones
    wishes = board.WISHES if view["game"] == "board" else stones.WISHES
    gathered = t("score.points" if view["game"] == "board" else "score.bonus")
    return [
        Line(gathered, None, [Entry(view["points"][seat]) for seat in seats]),
        *(
            Line(t(f"colour.{colour}"), colour, [paths(view, seat, colour) for seat in seats])
            for colour in COLOURS
        ),
        Line(
            t("score.wishes"),
            None,
            [
                Entry(int(wishes[min(count, len(wishes) - 1)]), str(count))
                for count in view["wishing_stones"]
            ],
        ),
    ]


def _board(view: View, seat: int, colour: str) -> Entry:
    stone = view["figures"][seat][colour]
    if stone == 0:
        return Entry(0)
    large = view["large"][seat] == colour
    value = int(board.VALUES[stone])
    return Entry(
        2 * value if large else value, t("score.on", stone=f"{stone}{'*' if large else ''}")
    )


def _stones(view: View, seat: int, colour: str) -> Entry:
    length = len(view["rows"][seat][colour])
    if length == 0:
        return Entry(0)
    value = int(stones.ROWS[min(length, len(stones.ROWS) - 1)])
    return Entry(value, t("score.tiles", n=length))
