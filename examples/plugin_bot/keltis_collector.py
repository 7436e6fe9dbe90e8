"""A bot of one's own: it looks for wishing stones, and is otherwise in no hurry.

pip install ./examples/plugin_bot
keltis arena collector random
"""

from random import Random

from keltis import View


class Collector:
    """Keltis makes one for each seat of each game, by the entry point in pyproject.toml."""

    def __init__(self, seed: int | None = None, **budget: object) -> None:
        self.random = Random(seed)

    def choose(self, view: View) -> str:
        """`view` is all that the seat may know (docs/views.md); the answer is a legal move."""
        moves = self.random.sample(view["legal_moves"], len(view["legal_moves"]))
        return max(moves, key=lambda move: self.worth(view, move))

    def worth(self, view: View, move: str) -> int:
        if move.startswith(("x", "<", "-")):
            return -1
        path = move[0]
        if view["game"] == "board" and path in view["tiles"]:
            stone = view["figures"][view["you"]][path]
            if stone < 9 and view["tiles"][path][stone] == "W":
                return 1
        return 0
