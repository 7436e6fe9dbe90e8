"""Another way in which the cards could have come to where a player knows them to be or not.

`keltis.rules` deals anew what a seat does not know now. A game tree needs more: a whole history,
with other hands dealt and other cards drawn, in which every card was there when it was played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from keltis.game.kernels.tensors import SECRET
from keltis.game.tokens import CARDS
from keltis.rules import board

if TYPE_CHECKING:
    from keltis.envs.table import Table


def resampled_deal(
    table: Table, seat: int, chance: np.random.Generator
) -> tuple[list[int], list[int]]:
    """The hands dealt, seat by seat, and what each decision drew (-1: nothing), for `board`.

    Every assignment that the seat cannot rule out is as likely as any other: the cards hidden now
    are dealt anew, then each card that another seat played goes back, in the order of play, to
    one of the places from which it may have come.
    """
    rules = table.kind.rules
    world = np.frombuffer(bytearray(table.states), table.states.dtype)
    world["rng"] = chance.integers(2**64, dtype=np.uint64)
    rules.resample(world, 0, seat)
    hand = int(table.start["removed_from"].item() - _first(table)) // table.players
    dealt = table.start["deck"][0, _first(table) : _first(table) + hand * table.players].tolist()
    drawn = [card - SECRET if card >= SECRET else card for _, _, card in table.moves]
    for player in range(table.players):
        if player == seat:
            continue
        # A place is a card dealt, 0 and up, or a draw by its decision, -1 and down.
        free = list(range(player * hand, (player + 1) * hand))
        filled: dict[int, int] = {}
        known = [0] * len(CARDS)
        for k, (who, action, card) in enumerate(table.moves):
            if who != player:
                continue
            if action < board.STEP:
                played = action % board.DISCARD
                if known[played]:
                    known[played] -= 1
                else:
                    filled[free.pop(int(chance.integers(len(free))))] = played
            elif card >= SECRET:
                free.append(-1 - k)
            elif card >= 0:
                known[card] += 1
        held = world["held"][0, player].item() & ~world["known"][0, player].item()
        twice = world["twice"][0, player].item() & ~world["known_twice"][0, player].item()
        hidden = [card for mask in (held, twice) for card in range(len(CARDS)) if mask >> card & 1]
        chance.shuffle(free)
        filled |= zip(free, hidden, strict=True)
        for place, card in filled.items():
            if place >= 0:
                dealt[place] = card
            else:
                drawn[-1 - place] = card
    return dealt, drawn


def _first(table: Table) -> int:
    """Where the cards of the game begin in the record's deck."""
    return board.DECK - (board.DECK if table.shape is None else table.shape.cards)
