"""A review as a picture: chances to win over the game, and below them luck and losses, by seat."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keltis.reviews.document import Review

WIDTH = 960
_TOP, _GRAPH, _GAP, _BARS, _LEFT, _RIGHT = 44, 300, 34, 70, 52, 16
_INK, _PAPER, _FAINT = "#2b2a27", "#fffdf6", "#d9d0ba"
_GOOD, _BAD = "#3d8a4a", "#b8402a"
_PAINT = ("#2f6db3", "#b8402a", "#3d8a4a", "#7a4a9c")
_DASH = ("", "7 3", "2 3", "9 3 2 3")  # seats differ without colour, too
_MOST = 10.0  # points: a bar as long as can be


def svg(review: Review) -> str:
    """The whole picture."""
    seats = review["seats"]
    height = _TOP + _GRAPH + (_GAP + _BARS) * len(seats) + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13" fill="{_INK}">',
        f'<rect width="{WIDTH}" height="{height}" fill="{_PAPER}"/>',
        *_legend(seats),
        *_graph(review),
    ]
    for k, entry in enumerate(seats):
        parts += _bars(review, entry, _TOP + _GRAPH + _GAP + (_GAP + _BARS) * k)
    return "\n".join([*parts, "</svg>"])


def _x(review: Review, step: int) -> float:
    return _LEFT + (WIDTH - _LEFT - _RIGHT) * step / max(1, len(review["decisions"]))


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _name(entry: dict[str, Any]) -> str:
    """A player's name, without what XML cannot hold."""
    name = "".join(letter for letter in entry["name"] if letter.isprintable()).strip()
    name = name or str(entry["seat"] + 1)
    return name if len(name) <= 20 else f"{name[:19]}…"


def _stroke(seat: int) -> str:
    return f'stroke="{_PAINT[seat]}" stroke-width="2" stroke-dasharray="{_DASH[seat]}"'


def _legend(seats: list[dict[str, Any]]) -> list[str]:
    parts = []
    for entry in seats:
        x = _LEFT + 225 * entry["seat"]
        parts += [
            f'<path d="M{x},20 h34" {_stroke(entry["seat"])}/>',
            _text(x + 42, 24, _name(entry)),
        ]
    return parts


def _graph(review: Review) -> list[str]:
    """A line for each seat, from certain loss to certain win."""
    parts = []
    for percent in (0, 25, 50, 75, 100):
        y = _TOP + _GRAPH * (1 - percent / 100)
        parts += [
            f'<path d="M{_LEFT},{y:.1f} H{WIDTH - _RIGHT}" stroke="{_FAINT}"/>',
            _text(_LEFT - 8, y + 4, f"{percent} %", "end"),
        ]
    for line in review["graph"]:
        points = " ".join(
            f"{_x(review, step):.1f},{_TOP + _GRAPH * (1 - wins):.1f}"
            for step, wins, _ in line["points"]
        )
        parts.append(f'<polyline points="{points}" fill="none" {_stroke(line["seat"])}/>')
    for entry, line in zip(review["seats"], review["graph"], strict=True):
        at = {step: wins for step, wins, _ in line["points"]}
        for step in entry["lessons"]:
            wins = at[step]
            parts.append(
                f'<circle cx="{_x(review, step):.1f}" cy="{_TOP + _GRAPH * (1 - wins):.1f}" '
                f'r="5" fill="{_PAINT[entry["seat"]]}"/>'
            )
    return parts


def _bars(review: Review, entry: dict[str, Any], top: float) -> list[str]:
    """Luck above and below a line, and losses in dark ink below it, in points of lead."""
    seat = entry["seat"]
    middle = top + _BARS / 2
    parts = [
        _text(_LEFT, top - 4, _name(entry)),
        f'<path d="M{_LEFT},{middle:.1f} H{WIDTH - _RIGHT}" stroke="{_PAINT[seat]}"/>',
    ]
    found = [(one["step"], one["lead"], True) for one in review["luck"] if one["seat"] == seat]
    found += [
        (one["step"], -one["loss"]["lead"], False)
        for one in review["decisions"]
        if one["seat"] == seat
    ]
    for step, lead, is_luck in found:
        length = min(abs(lead), _MOST) / _MOST * _BARS / 2
        if length < 0.5:
            continue
        y = middle - length if lead > 0 else middle
        paint = (_GOOD if lead > 0 else _BAD) if is_luck else _INK
        x = _x(review, step) + (-1 if is_luck else 1)
        parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="2.5" height="{length:.1f}" fill="{paint}"/>'
        )
    return parts
