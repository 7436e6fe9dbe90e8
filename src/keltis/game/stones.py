"""Keltis: Der Weg der Steine, the tile game, as the façade needs it.

`kinds.Kind` says what each part is for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from keltis.game import rows
from keltis.game.checks import check_entry, check_object
from keltis.game.kinds import Event, Kind
from keltis.game.reasons import Reason
from keltis.game.setups import States, check_cards, filled
from keltis.game.tokens import CARDS, STONES
from keltis.rules import stones as rules


class Stones(Kind):
    name = "stones"
    rules = rules
    tokens = STONES
    actions: Mapping[str, int] = {token: action for action, token in enumerate(STONES)}
    options: Mapping[str, tuple[str, ...]] = {}
    phases = ("turn", "tile", "further", "over")
    public_keys = ("open", "face_down", "rows", "wishing_stones", "points")
    private_keys = ()
    secret_draw = None

    # --- Setting up ------------------------------------------------------------------------

    def deal(self, players: int, seed: int, options: Mapping[str, str]) -> States:
        start = np.zeros(1, rules.STATE)
        rules.deal(start, 0, players, np.uint64(seed))
        return start

    def begin(self, setup: object, players: int, options: Mapping[str, str]) -> States:
        """S1."""
        draw = check_entry(check_object(setup, "setup"), "draw", "setup.draw")
        deck = check_cards(draw, "setup.draw", len(CARDS), Counter(), 1, "tile")
        start = np.zeros(1, rules.STATE)
        rules.setup(start, 0, players, np.array(deck, np.int8))
        return start

    def setup(self, start: States) -> dict[str, Any]:
        return {"draw": [CARDS[tile] for tile in start["deck"][0].tolist()]}

    def imagine(
        self,
        seen: dict[str, Any],
        history: Sequence[Event],
        players: int,
        you: int | None,
        chance: Random,
    ) -> dict[str, Any]:
        turned = [shown for _, move, shown in history if move == "?"]
        if len(turned) > len(CARDS):
            raise ValueError("history: more tiles are turned over than there are")
        return {"draw": filled(turned + [None] * (len(CARDS) - len(turned)), 1, chance)}

    def playouts(
        self,
        states: States,
        players: int,
        options: Mapping[str, str],
        cap: int,
        results: States,
    ) -> None:
        rules.playouts(states, 0, players, cap, results)

    # --- What is seen ----------------------------------------------------------------------

    def public_setup(self, start: States) -> dict[str, Any]:
        """Nothing: all tiles begin face down."""
        return {}

    def public(self, states: States, phase: str, keys: Collection[str]) -> dict[str, Any]:
        seen: dict[str, Any] = {"tile": CARDS[states["tile"].item()] if phase == "tile" else None}
        for key in keys:
            seen[key] = _PARTS[key](states)
        return seen

    def private(self, states: States, seat: int) -> dict[str, Any]:
        """Nothing: all see the same."""
        return {}

    def changed(self, token: str) -> tuple[str, ...]:
        return ("open", "face_down") if token in ("?", "-") else self.public_keys

    # --- Decisions -------------------------------------------------------------------------

    def drawn(self, states: States, action: int) -> str | None:
        return CARDS[states["tile"].item()] if action == rules.TURN_OVER else None

    def why_not(self, states: States, action: int) -> Reason:
        if states["phase"].item() == rules.TILE:
            tile = states["tile"].item()
            if action == tile:
                return rows.misfit(states, tile)
            fits = states["fits"][0, states["seat"].item()].item() >> tile & 1
            return Reason("tile.fits" if fits else "tile", card=CARDS[tile])
        if action == rules.TURN_OVER:
            return Reason("turn")
        if action == rules.DECLINE:
            return Reason("pass")
        if states["open"].item() >> action & 1:
            return rows.misfit(states, action)
        taken = any(row >> action & 1 for row in states["rows"][0].tolist())
        return Reason("taken" if taken else "hidden", card=CARDS[action])


def _rows(states: States) -> list[dict[str, list[int]]]:
    masks = states["rows"][0, : states["players"].item()].tolist()
    return rows.rows(masks, [0] * len(masks), states["direction"].tobytes())


_PARTS: dict[str, Callable[[States], Any]] = {
    "open": lambda states: rows.cards(states["open"].item()),
    "face_down": lambda states: rules.TILES - states["next"].item(),
    "rows": _rows,
    "wishing_stones": lambda states: [
        rules.wishing_stones(states[0], seat) for seat in range(states["players"].item())
    ],
    "points": lambda states: [
        rules.points(states[0], seat) for seat in range(states["players"].item())
    ],
}
