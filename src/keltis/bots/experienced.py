"""A bot that looks at each decision once, by what games have taught; see `judgement`."""

from __future__ import annotations

from typing import Any

import numpy as np

from keltis.bots.experience import WIDTH
from keltis.bots.judgement import judge_at, network
from keltis.bots.policy import thoughts
from keltis.bots.thinking import position


class ExperiencedBot:
    """Plays what the network likes most; of equals the first."""

    def choose(self, view: dict[str, Any]) -> str:
        kind, states, weights = position(view)
        room = thoughts(weights)
        known = network(kind.name, len(view["players"]))
        count = judge_at(np.repeat(states, 2), 0, room, known, WIDTH)
        best = int(np.argmax(room[0].values[:count]))
        return kind.tokens[int(room[0].actions[best])]
