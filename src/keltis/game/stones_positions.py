"""Positions of the tile game as text; `positions.py` has what both games share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from keltis.game.errors import PositionError
from keltis.game.imagined import Places
from keltis.game.positions import (
    ALL,
    Fields,
    Rows,
    Seat,
    cards,
    check_copies,
    check_fields,
    directed,
    listed,
    number,
    phase,
    piled,
    rows,
    written,
)
from keltis.game.rows import cards as cards_of
from keltis.game.rows import rows as rows_of
from keltis.game.setups import States
from keltis.game.tokens import CARD_PLACES, CARDS, COLOURS, NUMBERS
from keltis.rules import stones as rules

_PHASES = {"turn": ("",), "tile": CARDS, "further": ("",), "over": ("",)}
_PHASE_NAMES = tuple(_PHASES)  # by the rules' number
_CLOVERS = {f"{c}{n}" for c, row in zip(COLOURS, rules.CLOVERS, strict=True) for n in row}


class StonesPlacement:
    """What a text says, checked."""

    def __init__(self, fields: Fields) -> None:
        check_fields(fields, ("seat", "phase", "rows", "open"), ("draw",))
        self.options: dict[str, str] = {}
        self.rows: Rows = rows(fields["rows"], strict=True)
        self.players = len(self.rows)
        self.seat = number(fields["seat"], "seat", self.players - 1)
        name, self.tile = phase(fields["phase"], _PHASES)
        self.phase = _PHASE_NAMES.index(name)
        self.open = cards(fields["open"], "open", "tile")
        turned = [f"{c}{n}" for mine in self.rows for c, row in mine.items() for n in row]
        turned += self.open
        turned += [self.tile] if self.tile else []
        check_copies(Counter(turned), 1, "tile")
        self.next = len(turned)
        self._check_phase()
        draw = piled(fields.get("draw"), "draw", rules.TILES - self.next, "tile")
        self.deck: list[str | None] = [*turned, *draw]
        check_copies(Counter(tile for tile in self.deck if tile is not None), 1, "tile")

    def _check_phase(self) -> None:
        """Whether who is to decide can be asked that."""
        left = rules.TILES - self.next
        if self.phase == rules.TURN and not left:
            raise PositionError("phase: expected tile, further or over: no tile is face down")
        if self.phase in (rules.FURTHER, rules.OVER) and left:
            raise PositionError(f"phase: expected turn or tile: {left} tiles are face down")
        if self.phase == rules.FURTHER:
            mine = self.rows[self.seat]
            if not any(f"{colour}{row[-1]}" in _CLOVERS for colour, row in mine.items()):
                raise PositionError(f"phase: no row of seat {self.seat} ends with a clover")
            if not any(self._fits(self.seat) >> CARD_PLACES[tile] & 1 for tile in self.open):
                raise PositionError("phase: no open tile fits, so nothing is asked")

    def _fits(self, seat: int) -> int:
        fits = 0
        for path, colour in enumerate(COLOURS):
            row = self.rows[seat].get(colour, [])
            fitting = int(rules.FITS[row[-1], directed(row) + 1]) if row else (1 << NUMBERS) - 1
            fits |= fitting << NUMBERS * path
        return fits

    def places(self) -> Places:
        """Where tiles are: nothing is hidden but the order of those face down."""
        return Places(self.deck.copy(), [], [], {}, self.next)

    def named_hands(self) -> list[int]:
        return list(range(self.players))

    def states(self, deck: Sequence[str]) -> States:
        """The game as it stands, with the deck filled up."""
        start = np.zeros(1, rules.STATE)
        rules.setup(start, 0, self.players, np.array([CARD_PLACES[t] for t in deck], np.uint8))
        s = start[0]
        for seat, mine in enumerate(self.rows):
            for path, colour in enumerate(COLOURS):
                row = mine.get(colour, [])
                s["rows"][seat] |= sum(1 << NUMBERS * path + n for n in row)
                s["top"][seat, path] = row[-1] if row else -1
                s["direction"][seat, path] = directed(row)
            s["fits"][seat] = self._fits(seat)
        s["open"] = sum(1 << CARD_PLACES[tile] for tile in self.open)
        s["next"] = self.next
        s["seat"], s["phase"] = self.seat, self.phase
        s["tile"] = CARD_PLACES[self.tile] if self.tile else -1
        s["reason"] = rules.BY_DECK if self.phase == rules.OVER else rules.RUNNING
        return start


def fields(states: States, seat: Seat) -> Fields:
    """A game as it stands, as far as a seat knows it."""
    s = states[0]
    players = s["players"].item()
    name = _PHASE_NAMES[s["phase"].item()]
    deck = [CARDS[tile] for tile in s["deck"].tolist()]
    laid = rows_of(s["rows"][:players].tolist(), [0] * players, s["direction"].tobytes())
    found = {
        "seat": str(s["seat"].item()),
        "phase": f"{name}:{CARDS[s['tile'].item()]}" if name == "tile" else name,
        "rows": "|".join(map(written, laid)),
        "open": listed(cards_of(s["open"].item())),
    }
    if seat == ALL:
        found["draw"] = listed(deck[s["next"].item() :])
    return found
