"""A bot that looks at each decision once, by what games have taught; see `experience`."""

from __future__ import annotations

from typing import Any

from keltis.bots.experience import experience, follow
from keltis.bots.policy import thoughts
from keltis.bots.thinking import position


class ExperiencedBot:
    """Plays what the network likes most of what the heuristic likes."""

    def choose(self, view: dict[str, Any]) -> str:
        kind, states, weights = position(view)
        room = thoughts(weights)
        known = experience(kind.name, len(view["players"]))
        return kind.tokens[int(follow(states[0], room[0], known))]
