"""A bot without a plan: every legal move is as likely as any other."""

import random
from typing import Any


class RandomBot:
    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, view: dict[str, Any]) -> str:
        move: str = self._random.choice(view["legal_moves"])
        return move
