"""What both games check of what a game begins with.

A fault raises ValueError or TypeError, and the message begins with the place of the fault.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from numpy.typing import NDArray

from keltis.game.checks import check_list, check_text
from keltis.game.errors import quoted
from keltis.game.tokens import CARD_PLACES, CARDS

States = NDArray[Any]  # one record of a game's rules, in an array of length one

FEWEST_PLAYERS, MOST_PLAYERS = 2, 4  # B1, S1


def check_count(count: int, place: str) -> int:
    """The number of players."""
    if not FEWEST_PLAYERS <= count <= MOST_PLAYERS:
        raise ValueError(
            f"{place}: {FEWEST_PLAYERS} to {MOST_PLAYERS} can play, not {quoted(count)}"
        )
    return count


def check_names(names: object, place: str) -> list[str]:
    """The players' names; any text will do."""
    if not isinstance(names, list | tuple):
        raise TypeError(f"{place}: expected a list of names, not {quoted(names)}")
    return [check_text(name, f"{place}[{seat}]") for seat, name in enumerate(names)]


def check_options(known: Mapping[str, tuple[str, ...]], options: object) -> dict[str, str]:
    """Those of the options that differ from their default."""
    if not isinstance(options, Mapping):
        raise TypeError(f"options: expected an object, not {quoted(options)}")
    for name, value in options.items():
        if not isinstance(name, str) or name not in known:
            raise ValueError(f"options: {quoted(name)} is not an option of this game")
        if not isinstance(value, str) or value not in known[name]:
            choices = " or ".join(map(quoted, known[name]))
            raise ValueError(f"options.{name}: expected {choices}, not {quoted(value)}")
    return {name: value for name, value in options.items() if value != known[name][0]}


def check_cards(
    value: object, place: str, size: int, seen: Counter[str], copies: int, noun: str
) -> list[int]:
    """A list of cards by number; no card may be seen more often than there are copies."""
    cards = check_list(value, place, size, f"{noun}s")
    for k, card in enumerate(cards):
        if not isinstance(card, str) or card not in CARD_PLACES:
            raise ValueError(f"{place}[{k}]: {quoted(card)} is not a {noun}")
        seen[card] += 1
        if seen[card] > copies:
            times = "once" if copies == 1 else "twice"
            raise ValueError(f"{place}[{k}]: {quoted(card)} is there more than {times}")
    return [CARD_PLACES[card] for card in cards]


def filled(deck: Sequence[str | None], copies: int, chance: Random) -> list[str]:
    """A deck with the cards that nobody saw in its hidden places, None, in random order."""
    unseen = Counter(dict.fromkeys(CARDS, copies))
    unseen.subtract(card for card in deck if card is not None)
    if min(unseen.values()) < 0:
        card = min(unseen, key=lambda card: unseen[card])
        raise ValueError(f"history: {quoted(card)} is seen too often, or is no card")
    cards = list(unseen.elements())
    chance.shuffle(cards)
    return [card if card is not None else cards.pop() for card in deck]
