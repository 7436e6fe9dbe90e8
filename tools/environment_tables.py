"""Writes the tables of docs/environments.md from the code.

    python tools/environment_tables.py

Replaces the text between `<!-- table NAME -->` and `<!-- end -->` by the table of that name.
"""

from __future__ import annotations

import re
from pathlib import Path

from keltis.envs import layout
from keltis.envs.layout import Layout
from keltis.envs.openspiel import PARAMETERS
from keltis.rules import board, stones

PAGE = Path(__file__).resolve().parents[1] / "docs" / "environments.md"
_MARK = re.compile(r"(<!-- table ([a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)

_BOARD_ACTIONS = [
    (board.LAY, board.DISCARD, "`R0` … `B10`", "lay a card: colour × 11 + number"),
    (board.DISCARD, board.STEP, "`xR0` … `xB10`", "discard a card: 55 + colour × 11 + number"),
    (
        board.STEP,
        board.LARGE,
        "`R` `Y` `V` `G` `B`",
        "move the figure on a path, or enter a small one",
    ),
    (board.LARGE, board.DECLINE, "`R*` … `B*`", "enter the large figure"),
    (board.DECLINE, board.DRAW_PILE, "`-`", "decline"),
    (board.DRAW_PILE, board.TAKE, "`?`", "draw from the draw pile"),
    (board.TAKE, board.ACTIONS, "`<R` … `<B`", "take the top card of a discard pile"),
]
_STONES_ACTIONS = [
    (stones.TAKE, stones.DECLINE, "`R0` … `B10`", "take a tile: colour × 11 + number"),
    (stones.DECLINE, stones.TURN_OVER, "`-`", "leave the tile just turned over, or stop"),
    (stones.TURN_OVER, stones.ACTIONS, "`?`", "turn a tile over"),
]


def filled(text: str) -> str:
    """A page with its tables brought up to date."""
    tables = {
        "board actions": _actions(_BOARD_ACTIONS),
        "stones actions": _actions(_STONES_ACTIONS),
        "board observation": _parts(layout.observation("board", 2)),
        "board memory": _parts(layout.information("board", 2, 5), after="own_discard"),
        "stones observation": _parts(layout.observation("stones", 2)),
        "stones memory": _parts(layout.information("stones", 2, 5), after="to_move"),
        "sizes": _sizes(),
        "board parameters": _parameters("board"),
        "stones parameters": _parameters("stones"),
    }
    return _MARK.sub(lambda found: f"{found[1]}{tables[found[2]]}{found[3]}", text)


def _actions(rows: list[tuple[int, int, str, str]]) -> str:
    lines = ["| actions | tokens | what |", "|---|---|---|"]
    for first, end, tokens, what in rows:
        numbers = str(first) if end - first == 1 else f"{first}–{end - 1}"
        lines.append(f"| {numbers} | {tokens} | {what} |")
    return "\n".join(lines) + "\n"


def _parts(parts: Layout, after: str = "") -> str:
    lines = ["| name | slice | shape | values | what |", "|---|---|---|---|---|"]
    shown = not after
    for part in parts.parts:
        if shown:
            cut = parts.slices[part.name]
            shape = " × ".join(
                f"{size} {axis}" for axis, size in zip(part.axes, part.shape, strict=False)
            )
            lines.append(
                f"| `{part.name}` | {cut.start}:{cut.stop} | {shape or '1'} | "
                f"{part.low} … {part.high} | {part.meaning} |"
            )
        shown = shown or part.name == after
    return "\n".join(lines) + "\n"


def _sizes() -> str:
    lines = ["| game | players | observation | information state |", "|---|---|---|---|"]
    for game in ("board", "stones"):
        for n in (2, 3, 4):
            seen, known = layout.observation(game, n), layout.information(game, n, 0)
            lines.append(f"| `{game}` | {n} | {seen.size} | {known.size} + 3 × history |")
    return "\n".join(lines) + "\n"


_PARAMETERS = {
    "players": "two to four",
    "reward": "`win`, `margin` or `both`, as for the vector environment",
    "margin_weight": "of the margin, with `both`",
    "max_decisions": "after which a game is cut off",
    "end_stone_step": "`must` or `may`",
    "clover_step": "`may` or `must`",
    "own_discard": "`barred` or `allowed`",
    "colours": "how many, from red on",
    "numbers": "how many, from 0 on",
    "copies": "of each card",
    "hand": "cards dealt to each player",
    "removed": "cards out of the game unseen; -1: as the full game has it",
    "last_figure": "the figure in the goal area that ends the game",
    "tiles": "`dealt` by chance; `fixed`: laid out by `tile_seed`, known to all; `none`",
    "tile_seed": "lays out `fixed` tiles",
}


def _parameters(game: str) -> str:
    lines = ["| parameter | default | what |", "|---|---|---|"]
    for name, default in PARAMETERS[game].items():
        lines.append(f"| `{name}` | `{default}` | {_PARAMETERS[name]} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), "utf-8")
