"""Write docs/features.md: the value network's features, from the tables that the kernels use.

python -m tools.feature_tables
"""

from pathlib import Path
from typing import Any

from keltis.bots.kernels import board_features, stones_features
from tools.train_network import sizes

PAGE = Path(__file__).parents[1] / "docs" / "features.md"
GAMES: dict[str, Any] = {"board": board_features, "stones": stones_features}
INTRODUCTION = """# The value network's features

What the network sees of a position is a list of features that hold; [search.md](search.md) tells
what becomes of them. This page is written by `python -m tools.feature_tables`, from the same tables
that the kernels use (`keltis/bots/kernels/board_features.py`, `stones_features.py`).

*The seat* is the one that has just decided, and as which the position is seen. The features of a
colour are there once for each of the five colours, which share their weights.
"""


def page() -> str:
    parts = [INTRODUCTION]
    for game, own in GAMES.items():
        parts.append(
            f"\n## {game}\n\n| players | of a colour | global | heads |\n|---|---|---|---|"
        )
        for players in (2, 3, 4):
            numbers = " | ".join(f"{number:,}" for number in sizes(game, players))
            parts.append(f"| {players} | {numbers} |")
        for layout in own.LAYOUTS:
            parts.append(f"\n**{layout.about}**\n\n| features | what they tell |\n|---|---|")
            parts += [f"| {size} | {about} |" for size, about in layout.groups]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
