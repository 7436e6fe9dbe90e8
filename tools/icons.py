"""Draws the page's icons: icon.svg, and the PNG files that devices want when the page is installed.

    python tools/icons.py

Needs the extra `envs` (resvg-py draws) and Pillow, which comes with matplotlib (fewer colours,
smaller files).
"""

from __future__ import annotations

import io
from math import cos, pi, sin
from pathlib import Path

import resvg_py
from PIL import Image

WEB = Path(__file__).resolve().parents[1] / "src" / "keltis" / "web"
TURNS = 2.25
POINTS_A_TURN = 30
COLOURS = 24


def spiral(size: float, start: float) -> str:
    steps = round(TURNS * POINTS_A_TURN)
    points = []
    for i in range(steps + 1):
        angle = start + i / POINTS_A_TURN * 2 * pi
        radius = size * i / steps
        points.append(f"{radius * cos(angle):.1f} {radius * sin(angle):.1f}")
    return "M" + "L".join(points)


def triskele(size: float) -> str:
    """Three spirals about the middle: the emblem of js/art.js."""
    paths = []
    for turn in (0, 120, 240):
        angle = turn * pi / 180 - pi / 2
        x, y = size * 0.53 * cos(angle), size * 0.53 * sin(angle)
        path = spiral(size * 0.46, angle + 1.57)
        paths.append(f'<path d="{path}" transform="translate({x:.2f} {y:.2f})"/>')
    return "".join(paths)


def picture(corner: float, scale: float) -> str:
    """An icon whose ground has round corners (0: fills the square) and whose emblem is scaled."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100">'
        f'<rect x="-50" y="-50" width="100" height="100" rx="{corner:g}" fill="#1f3b2c"/>'
        f'<g transform="scale({scale:g})" fill="none" stroke="#e8c26a" stroke-width="4.6" '
        'stroke-linecap="round" stroke-linejoin="round">'
        f'<circle r="42" stroke="#d8ab45" stroke-width="3"/>{triskele(37)}</g></svg>\n'
    )


def write_png(name: str, size: int, svg: str) -> None:
    drawn = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size))
    image = Image.open(io.BytesIO(drawn)).convert("RGBA")
    few = image.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(WEB / "icons" / name, optimize=True)


def main() -> None:
    (WEB / "icons").mkdir(exist_ok=True)
    rounded, full = picture(22, 1), picture(0, 0.84)
    (WEB / "icon.svg").write_text(rounded)
    write_png("192.png", 192, rounded)
    write_png("512.png", 512, rounded)
    write_png("maskable.png", 512, picture(0, 0.72))
    write_png("apple.png", 180, full)


if __name__ == "__main__":
    main()
