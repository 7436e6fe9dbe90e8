"""A view as a picture: plain SVG, drawn without fonts so that it looks the same everywhere."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, cast

from keltis.game.checks import check_seat
from keltis.game.errors import quoted
from keltis.game.game import Game, load, position
from keltis.game.tokens import CARDS, COLOURS

if TYPE_CHECKING:
    from keltis.game.types import AnyView

WIDTH, HEIGHT = 960, 720

_INK, _PAPER, _STONE, _DARK = "#2b2a27", "#efe9da", "#d9d0ba", "#b9ab8b"
_PAINT = {"R": "#b8402a", "Y": "#d9a514", "V": "#7a4a9c", "G": "#3d8a4a", "B": "#2f6db3"}
_SEATS = ("#ffffff", "#2b2a27", "#e58fb0", "#58c4c4")

# Every colour has its own shape, in a square from -1 to 1.
_SHAPES = {
    "R": "M0,-1 L1,0 L0,1 L-1,0 Z",
    "Y": "M0,-1 A1,1 0 1 1 0,1 A1,1 0 1 1 0,-1 Z",
    "V": "M0,-1 L0.95,0.8 L-0.95,0.8 Z",
    "G": "M-0.85,-0.85 H0.85 V0.85 H-0.85 Z",
    "B": "M0,-1 L0.87,-0.5 L0.87,0.5 L0,1 L-0.87,0.5 L-0.87,-0.5 Z",
}

# Strokes of the signs that numbers need, in a box 0.6 wide and 1 high.
_GLYPHS = {
    "0": "M.3,0 C.62,0 .62,1 .3,1 C-.02,1 -.02,0 .3,0",
    "1": "M.1,.22 L.32,0 V1",
    "2": "M.05,.26 C.05,-.1 .58,-.08 .55,.28 C.53,.55 .1,.72 .05,1 H.58",
    "3": "M.06,.1 C.3,-.1 .56,.05 .52,.26 C.5,.42 .32,.46 .24,.46 C.4,.46 .58,.56 .56,.74 "
    "C.54,1 .2,1.06 .04,.9",
    "4": "M.42,1 V0 L.04,.68 H.58",
    "5": "M.52,0 H.12 L.08,.44 C.34,.32 .58,.46 .56,.7 C.54,1.02 .2,1.06 .04,.9",
    "6": "M.48,.04 C.16,.14 .04,.48 .06,.7 C.1,1.1 .56,1.06 .56,.7 C.56,.4 .18,.34 .07,.62",
    "7": "M.05,0 H.56 C.4,.3 .26,.6 .22,1",
    "8": "M.3,.46 C.02,.42 .02,0 .3,0 C.58,0 .58,.42 .3,.46 C-.04,.52 -.04,1 .3,1 "
    "C.64,1 .64,.52 .3,.46",
    "9": "M.54,.34 C.5,.62 .08,.66 .05,.32 C.03,-.08 .5,-.12 .54,.3 C.56,.6 .44,.9 .14,.98",
    "-": "M.1,.52 H.5",
    "+": "M.06,.52 H.54 M.3,.28 V.76",
}
_ADVANCE = 0.75


class Picture:
    """A picture of a position, which notebooks show."""

    def __init__(self, view: AnyView) -> None:
        self.svg = svg(view)
        self._about = f"{view['game']}, {len(view['players'])} players, phase {view['phase']}"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file, as SVG."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg + "\n")

    def __eq__(self, other: object) -> bool:
        """Whether both look alike."""
        return self.svg == other.svg if isinstance(other, Picture) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture of {self._about}>"


def show(
    what: Game | Mapping[str, Any] | str | os.PathLike[str],
    seat: int | Literal["decides"] | None = "decides",
) -> Picture:
    """A picture of a game, a view, a record, or a position as text; notebooks show it.

    A record is a dict, JSON text, or the path of a file, and is shown as it ends. The picture is
    seen by the seat that is to decide or by the one given; None is a spectator. Of a text with `?`
    no hand is shown that is not named whole. A view is its own seat's.
    """
    if isinstance(what, Mapping) and "history" in what:
        return Picture(cast("AnyView", what))
    hands: list[int] | None = None
    if isinstance(what, Game):
        game = what
    elif isinstance(what, str) and what.split(" ")[0].startswith("keltis-position/"):
        from keltis.game import positions

        game = position(what, seed=0)
        hands = positions.named_hands(what)
    elif isinstance(what, Mapping | str | bytes | os.PathLike):
        game = load(what)
    else:
        raise TypeError(
            f"what: expected a game, a view, a record or a position, not {quoted(what)}"
        )
    if seat == "decides":
        seat = game.seat
        if hands and seat not in hands:
            seat = hands[0]  # whose text it is
    elif seat is not None:
        seat = check_seat(seat, len(game.players), "seat")
    return Picture(game.view(seat if hands is None or seat in hands else None))


def svg(view: Mapping[str, Any]) -> str:
    """What a view shows, as a picture; nothing else goes into it."""
    draw = _board if view["game"] == "board" else _stones
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_PAPER}"/>',
        *draw(view),
        "</svg>",
    ]
    return "\n".join(parts)


# --- Pieces ------------------------------------------------------------------------------


def _number(value: int, x: float, y: float, size: float, paint: str = _INK) -> str:
    """A number centred on a point."""
    text = str(value)
    left = x - size * (_ADVANCE * len(text) - 0.15) / 2
    strokes = "".join(
        f'<path transform="translate({left + k * _ADVANCE * size:.1f} {y - size / 2:.1f}) '
        f'scale({size})" d="{_GLYPHS[sign]}"/>'
        for k, sign in enumerate(text)
    )
    return (
        f'<g fill="none" stroke="{paint}" stroke-width="0.13" stroke-linecap="round" '
        f'stroke-linejoin="round">{strokes}</g>'
    )


def _shape(colour: str, x: float, y: float, size: float, stroke: str = "none") -> str:
    return (
        f'<path d="{_SHAPES[colour]}" transform="translate({x:.1f} {y:.1f}) scale({size})" '
        f'fill="{_PAINT[colour]}" stroke="{stroke}" stroke-width="0.12"/>'
    )


def _card(card: str, x: float, y: float, scale: float = 1.0) -> str:
    """A card or tile with its top left corner at a point."""
    return (
        f'<g transform="translate({x:.1f} {y:.1f}) scale({scale})">'
        f'<rect width="40" height="54" rx="5" fill="#fffdf6" stroke="{_PAINT[card[0]]}" '
        f'stroke-width="2.5"/>{_number(int(card[1:]), 20, 18, 18, _PAINT[card[0]])}'
        f"{_shape(card[0], 20, 41, 7)}</g>"
    )


def _clover(x: float, y: float) -> str:
    leaves = "".join(
        f'<circle cx="{x + dx}" cy="{y + dy}" r="5"/>' for dx, dy in ((0, -5), (-5, 2), (5, 2))
    )
    return (
        f'<g fill="#3d8a4a">{leaves}<path d="M{x},{y} v9" stroke="#3d8a4a" stroke-width="2"/></g>'
    )


def _wish(x: float, y: float) -> str:
    return (
        f'<circle cx="{x}" cy="{y}" r="8" fill="#7fb7a8" stroke="{_INK}" stroke-width="1.5"/>'
        f'<path d="M{x - 4},{y} a4,4 0 1 1 4,4 a2,2 0 1 1 2,-2" fill="none" '
        f'stroke="{_INK}" stroke-width="1.5"/>'
    )


def _figure(x: float, y: float, player: int, *, large: bool) -> str:
    size = 1.5 if large else 1.0
    return (
        f'<path transform="translate({x:.1f} {y:.1f}) scale({size})" '
        f'd="M-6,8 L-3,-2 A4.5,4.5 0 1 1 3,-2 L6,8 Z" fill="{_SEATS[player]}" '
        f'stroke="{"#8a8577" if player == 1 else _INK}" stroke-width="1.3"/>'
    )


# --- board -------------------------------------------------------------------------------


def _board(seen: Mapping[str, Any]) -> list[str]:
    from keltis.rules import board

    parts = []
    for place, value in enumerate(board.VALUES[1 : board.STONES + 1].tolist()):
        parts.append(_number(value, 150 + 70 * place, 24, 13))
    for row, colour in enumerate(COLOURS):
        y = 70 + 66 * row
        parts.append(_shape(colour, 78, y, 18))
        for place, tile in enumerate(seen["tiles"][colour]):
            x = 150 + 70 * place
            fill = _DARK if place + 1 in board.TILED[row] else _STONE
            ring = _PAINT[colour]
            width = 4 if place + 1 >= board.GOAL else 2
            parts.append(
                f'<circle cx="{x}" cy="{y}" r="27" fill="{fill}" stroke="{ring}" '
                f'stroke-width="{width}"/>'
            )
            if tile == "C":
                parts.append(_clover(x, y))
            elif tile == "W":
                parts.append(_wish(x, y))
            elif tile:
                parts.append(_number(int(tile), x, y, 16, "#fffdf6"))
        pile = seen["piles"][colour]
        if pile:
            parts += [_card(pile[-1], 800, y - 27), _number(len(pile), 862, y, 13)]
        else:
            parts.append(
                f'<rect x="800" y="{y - 27}" width="40" height="54" rx="5" fill="none" '
                f'stroke="{_PAINT[colour]}" stroke-dasharray="4 4"/>'
            )
    players = len(seen["scores"])
    for player in range(players):
        for row, colour in enumerate(COLOURS):
            stone = seen["figures"][player][colour]
            if 0 < stone <= board.STONES:
                x = 150 + 70 * (stone - 1) + (player - (players - 1) / 2) * 14
                large = seen["large"][player] == colour
                parts.append(_figure(x, 70 + 66 * row + 8, player, large=large))
    parts += [
        f'<rect x="900" y="43" width="40" height="54" rx="5" fill="{_INK}"/>',
        _number(seen["draw_pile"], 920, 70, 15, _PAPER),
        _number(seen["in_goal"], 920, 136, 18),
    ]
    for k, card in enumerate(seen["hand"] or []):
        parts.append(_card(card, 150 + 50 * k, 390, 1.1))
    return parts + _players(seen, 465)


def _players(seen: Mapping[str, Any], top: float) -> list[str]:
    """A line a player: who, score, wishing stones, and the rows."""
    parts = []
    players = len(seen["scores"])
    step = (HEIGHT - top) / players
    for player in range(players):
        y = top + step * player + step / 2
        if player == seen["seat"]:
            parts.append(
                f'<rect x="8" y="{y - step / 2 + 3:.1f}" width="{WIDTH - 16}" '
                f'height="{step - 6:.1f}" rx="8" fill="#e2d9c0"/>'
            )
        parts += [
            _figure(36, y, player, large=player == seen["you"]),
            _number(seen["scores"][player], 76, y, 18),
            _wish(112, y),
            _number(seen["wishing_stones"][player], 134, y, 13),
        ]
        for place, colour in enumerate(COLOURS):
            row = seen["rows"][player][colour]
            gap = min(22, 110 / max(1, len(row)))
            for k, number in enumerate(row):
                parts.append(_card(f"{colour}{number}", 165 + 158 * place + gap * k, y - 24, 0.85))
    return parts


# --- stones ------------------------------------------------------------------------------


def _stones(seen: Mapping[str, Any]) -> list[str]:
    parts = []
    for place, card in enumerate(CARDS):
        x, y = 150 + 50 * (place % 11), 30 + 66 * (place // 11)
        if card in seen["open"]:
            parts.append(_card(card, x, y))
        elif card == seen["tile"]:
            parts.append(
                f'<circle cx="{x + 20}" cy="{y + 27}" r="34" fill="#e2d9c0"/>{_card(card, x, y)}'
            )
        else:
            parts.append(
                f'<rect x="{x}" y="{y}" width="40" height="54" rx="5" fill="none" '
                f'stroke="{_DARK}" stroke-dasharray="3 4"/>'
            )
    for row, colour in enumerate(COLOURS):
        parts.append(_shape(colour, 100, 57 + 66 * row, 18))
    parts += [
        f'<rect x="780" y="170" width="52" height="70" rx="6" fill="{_INK}"/>',
        _number(seen["face_down"], 806, 205, 20, _PAPER),
    ]
    return parts + _players(seen, 400)
