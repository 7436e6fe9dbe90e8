"""Random numbers of the arena: the deals have their own, and so has every bot of every game."""

import hashlib
from itertools import permutations


def number(seed: int, *place: object) -> int:
    """A 64-bit number that belongs to a place; other places tell nothing of it."""
    text = "/".join(str(part) for part in (seed, *place))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def deal_seed(seed: int, deal: int) -> int:
    return number(seed, "deal", deal)


def bot_seed(seed: int, deal: int, order: int, seat: int) -> int:
    return number(seed, "bot", deal, order, seat)


def orders(bots: tuple[str, ...]) -> list[tuple[int, ...]]:
    """All ways to seat the bots, as places in `bots`, each way of names once."""
    seen: dict[tuple[str, ...], tuple[int, ...]] = {}
    for order in permutations(range(len(bots))):
        seen.setdefault(tuple(bots[k] for k in order), order)
    return list(seen.values())
