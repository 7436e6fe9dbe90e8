"""A bot without a plan: every legal move is as likely as any other."""

import random
from collections.abc import Mapping
from typing import Any

from keltis.bots.asked import asked


class RandomBot:
    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def __repr__(self) -> str:
        return "<RandomBot>"

    def choose(self, view: Mapping[str, Any]) -> str:
        move: str = self._random.choice(asked(view))
        return move
