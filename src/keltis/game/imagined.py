"""Where the cards of the board game may have come from that a seat saw others play."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from keltis.game.errors import quoted
from keltis.game.kinds import Event
from keltis.game.setups import filled
from keltis.game.tokens import CARD_PLACES


@dataclass
class Places:
    """The places in the deck at the start of a game, as far as a seat knew them."""

    deck: list[str | None]  # None is hidden
    hidden: list[list[int]]  # by seat, the hidden places in the hand
    known: list[Counter[str]]  # by seat, the cards in the hand that the viewer knows
    piles: dict[str, list[str]]  # the discard piles, bottom first
    next: int  # the place of the top of the draw pile


def imagined(
    history: Sequence[Event], you: int | None, places: Places, chance: Random
) -> list[str]:
    """A deck that agrees with a history, dealt by chance; `places` are changed by the way.

    A card that another seat plays, unless it is known to have it, comes from any of the hidden
    places in its hand; see `keltis.resample`.
    """
    deck, hidden, known, piles = places.deck, places.hidden, places.known, places.piles
    for k, (seat, move, shown) in enumerate(history):
        card = move.removeprefix("x")
        if move == "?":
            if places.next == len(deck):
                raise ValueError(f"history[{k}]: the draw pile is empty")
            deck[places.next] = shown
            hidden[seat].append(places.next)
            places.next += 1
        elif move.startswith("<"):
            if not piles.get(move[1:]):
                raise ValueError(f"history[{k}]: there is nothing to draw by {quoted(move)}")
            known[seat][piles[move[1:]].pop()] += 1
        elif card in CARD_PLACES:
            if move != card:
                piles[card[0]].append(card)
            if seat == you:
                continue
            if known[seat][card]:
                known[seat][card] -= 1
            elif hidden[seat]:
                deck[hidden[seat].pop(chance.randrange(len(hidden[seat])))] = card
            else:
                raise ValueError(f"history[{k}]: nobody can play so many cards")
    return filled(deck, 2, chance)
