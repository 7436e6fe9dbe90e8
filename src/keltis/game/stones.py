"""Keltis: Der Weg der Steine, the tile game, as the façade needs it.

`kinds.Kind` says what each part is for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random
from struct import Struct
from typing import TYPE_CHECKING, Any

import numpy as np

from keltis.game import positions, rows
from keltis.game.checks import check_entry, check_object
from keltis.game.kinds import NOTHING_MORE, Effect, Event, Kind, Outcome
from keltis.game.reasons import Reason
from keltis.game.setups import States, check_cards, filled
from keltis.game.tokens import CARDS, COLOURS, STONES
from keltis.rules import stones as rules

if TYPE_CHECKING:
    from keltis.game.positions import Fields, Placement, Seat

SYMBOLS = {  # S2: what is printed on some tiles: a wishing stone, a clover, or points
    f"{colour}{number}": symbol
    for symbol, numbers in (
        ("W", rules.WISHING_STONES),
        ("C", rules.CLOVERS),
        ("1", rules.ONE_POINT),
        ("3", rules.THREE_POINTS),
    )
    for colour, row in zip(COLOURS, numbers, strict=True)
    for number in row
}


_SIGNED = {  # the tiles with a symbol, as masks
    symbol: sum(1 << CARDS.index(tile) for tile in SYMBOLS if SYMBOLS[tile] == symbol)
    for symbol in SYMBOLS.values()
}

# Effects by tile. They are copied for every view that shows them.
_TAKEN_OPEN: list[Effect] = [{"from": "open", "found": SYMBOLS.get(tile)} for tile in CARDS]
_TAKEN: list[Effect] = [{"from": "turned over", "found": SYMBOLS.get(tile)} for tile in CARDS]
_LEFT: list[Effect] = [{"left": tile} for tile in CARDS]


class Stones(Kind):
    name = "stones"
    rules = rules
    tokens = STONES
    actions: Mapping[str, int] = {token: action for action, token in enumerate(STONES)}
    options: Mapping[str, tuple[str, ...]] = {}
    editions: Mapping[str, Mapping[str, str]] = {}
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
        rules.setup(start, 0, players, np.array(deck, np.uint8))
        return start

    def setup(self, start: States) -> dict[str, Any]:
        return {"draw": [CARDS[tile] for tile in start["deck"][0].tolist()]}

    def is_start(self, states: States) -> bool:
        raw = states.tobytes()
        return not raw[_AT["next"]] and not raw[_AT["seat"]]

    def position(self, states: States, seat: Seat) -> Fields:
        from keltis.game import stones_positions

        return stones_positions.fields(states, seat)

    def placement(self, fields: Fields) -> Placement:
        from keltis.game import stones_positions

        return stones_positions.StonesPlacement(fields)

    def imagine(
        self,
        seen: dict[str, Any],
        history: Sequence[Event],
        players: int,
        you: int | None,
        chance: Random,
    ) -> dict[str, Any]:
        turned = [shown for _, move, shown in history if move == "?"]
        if "position" in seen:
            begun = positions.seen(self, seen["position"], players)
            whole = filled(_turned(begun.deck, begun.places().next, turned), 1, chance)
            return {"position": positions.write(self, begun.states(whole), positions.ALL)}
        return {"draw": filled(_turned([None] * len(CARDS), 0, turned), 1, chance)}

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
        raw = states.tobytes()
        players = raw[_AT["players"]]
        seen: dict[str, Any] = {"tile": CARDS[raw[_AT["tile"]]] if phase == "tile" else None}
        for key in keys:
            seen[key] = _PARTS[key](raw, players)
        return seen

    def private(self, states: States, seat: int) -> dict[str, Any]:
        """Nothing: all see the same."""
        return {}

    def changed(self, token: str) -> tuple[str, ...]:
        return ("open", "face_down") if token in ("?", "-") else self.public_keys

    # --- Decisions -------------------------------------------------------------------------

    def play(self, states: States, action: int) -> Outcome | None:
        before = states.tobytes()
        if not rules.play(states, 0, action):
            return None
        if action == rules.TURN_OVER:
            return CARDS[before[_AT["deck"] + before[_AT["next"]]]], None
        turned = before[_AT["phase"]] == rules.TILE
        if action == rules.DECLINE:
            return (None, _LEFT[before[_AT["tile"]]]) if turned else NOTHING_MORE
        return None, (_TAKEN if turned else _TAKEN_OPEN)[action]

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


def _turned(deck: list[str | None], first: int, turned: list[str | None]) -> list[str | None]:
    """A deck with the tiles that were turned over, from a place on."""
    if len(turned) > len(deck) - first:
        raise ValueError("history: more tiles are turned over than there are")
    return [*deck[:first], *turned, *deck[first + len(turned) :]]


# --- What is seen ------------------------------------------------------------------------

# Read from the record's bytes: a field of a numpy record costs more than what is built of it.
_AT: dict[str, int] = {name: field[1] for name, field in (rules.STATE.fields or {}).items()}
_masks = Struct("=4q").unpack_from  # one for each seat
_mask = Struct("=q").unpack_from


def _rows(raw: bytes, players: int) -> list[dict[str, list[int]]]:
    masks = _masks(raw, _AT["rows"])[:players]
    return rows.rows(masks, [0] * players, raw[_AT["direction"] :])


def _count(raw: bytes, players: int, symbol: str) -> list[int]:
    """How many tiles with a symbol each player has."""
    signed = _SIGNED[symbol]
    return [(mask & signed).bit_count() for mask in _masks(raw, _AT["rows"])[:players]]


def _points(raw: bytes, players: int) -> list[int]:
    ones, threes = _count(raw, players, "1"), _count(raw, players, "3")
    return [one + 3 * three for one, three in zip(ones, threes, strict=True)]


_PARTS: dict[str, Callable[[bytes, int], Any]] = {
    "open": lambda raw, players: rows.cards(_mask(raw, _AT["open"])[0]),
    "face_down": lambda raw, players: rules.TILES - raw[_AT["next"]],
    "rows": _rows,
    "wishing_stones": lambda raw, players: _count(raw, players, "W"),
    "points": _points,
}
