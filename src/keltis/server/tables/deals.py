"""Fair deals, scheme keltis-deal/1: the shuffle that nobody can choose and everybody can check.

docs/protocol.md states the scheme step by step. It is fixed for ever: running games are dealt
again from their seeds when a server starts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import keltis

SCHEME = "keltis-deal/1"
LONGEST_SEED = 200
CHANCE = "chance"

_CARDS = [f"{colour}{number}" for colour in "RYVGB" for number in range(11)]
_TILES = ["1", "1", "2", "2", "2", "3", "3", *["C"] * 9, *["W"] * 9]
# The stones of each path that bear a tile (B6).
_TILED = {
    "R": (2, 3, 5, 7, 9),
    "Y": (2, 4, 6, 7, 9),
    "V": (3, 4, 6, 7, 9),
    "G": (3, 5, 6, 7, 9),
    "B": (2, 4, 5, 7, 9),
}
_HAND = 8
_REMOVED_WITH_TWO = 30
_WORDS = 2**64


def commitment(server_seed: str) -> str:
    """What the server publishes before anybody's seed is known."""
    return sha256(f"{SCHEME} {server_seed}".encode()).hexdigest()


@dataclass(frozen=True)
class Deal:
    first: int  # the place that is seat 0
    setup: dict[str, Any]  # as in a record


def deal(game: str, server_seed: str, seeds: Sequence[str], first: int | str) -> Deal:
    """The deal for places with these seeds; `first` is a place, or chance."""
    numbers = _numbers(game, server_seed, seeds)
    players = len(seeds)
    start = _below(players, numbers) if first == CHANCE else int(first)
    if game == "stones":
        return Deal(start, {"draw": _shuffled(_CARDS, numbers)})
    deck = _shuffled([card for card in _CARDS for _ in range(2)], numbers)
    tiles = iter(_shuffled(_TILES, numbers))
    dealt = players * _HAND
    draw = dealt + (_REMOVED_WITH_TWO if players == 2 else 0)
    return Deal(
        start,
        {
            "tiles": {
                path: [next(tiles) if stone in tiled else None for stone in range(1, 10)]
                for path, tiled in _TILED.items()
            },
            "hands": [deck[k : k + _HAND] for k in range(0, dealt, _HAND)],
            "draw": deck[draw:],
            "removed": deck[dealt:draw],
        },
    )


def _numbers(game: str, server_seed: str, seeds: Sequence[str]) -> Iterator[int]:
    lines = [SCHEME, game, str(len(seeds)), server_seed]
    lines += [sha256(seed.encode()).hexdigest() for seed in seeds]
    mixed = sha256("".join(f"{line}\n" for line in lines).encode()).digest()
    block = 0
    while True:
        words = sha256(mixed + block.to_bytes(8, "big")).digest()
        for k in range(0, 32, 8):
            yield int.from_bytes(words[k : k + 8], "big")
        block += 1


def _below(n: int, numbers: Iterator[int]) -> int:
    limit = _WORDS - _WORDS % n
    return next(word for word in numbers if word < limit) % n


def _shuffled(items: Sequence[str], numbers: Iterator[int]) -> list[str]:
    pile = list(items)
    for i in range(len(pile) - 1, 0, -1):
        j = _below(i + 1, numbers)
        pile[i], pile[j] = pile[j], pile[i]
    return pile


# --- Proofs ------------------------------------------------------------------------------


class NoProof(ValueError):
    """A record that holds no proof of this scheme, or a malformed one."""


def verify(record: Mapping[str, Any], seen: str | None = None) -> list[tuple[str, bool]]:
    """Check the proof in a record: what was checked, and whether it holds.

    `seen` is the commitment that somebody saw before the deal. Raises `NoProof`, or
    `keltis.RecordError` for a record that does not replay.
    """
    game = keltis.load(dict(record))
    proof = record.get("fair")
    if not isinstance(proof, Mapping) or proof.get("scheme") != SCHEME:
        raise NoProof(f"fair: the record holds no proof of the scheme {SCHEME}")
    server_seed, seeds = proof.get("server_seed"), proof.get("player_seeds")
    published, first = proof.get("commitment"), proof.get("first")
    players = len(game.players)
    if not isinstance(server_seed, str) or len(server_seed) != 64 or not server_seed.isascii():
        raise NoProof("fair.server_seed: expected 64 hex digits")
    if not isinstance(published, str):
        raise NoProof("fair.commitment: expected text")
    if (
        not isinstance(seeds, list)
        or len(seeds) != players
        or not all(isinstance(seed, str) and _is_text(seed) for seed in seeds)
    ):
        raise NoProof(f"fair.player_seeds: expected {players} texts")
    if first != CHANCE and not (type(first) is int and 0 <= first < players):
        raise NoProof("fair.first: expected chance or a place")
    made = deal(game.game, server_seed, seeds, first)
    checks = [
        ("commitment", published == commitment(server_seed)),
        ("deal", made.setup == game.record()["setup"]),
    ]
    if seen is not None:
        checks.append(("seen before the deal", seen.strip().lower() == published))
    return checks


def _is_text(seed: str) -> bool:
    try:
        seed.encode()
    except UnicodeEncodeError:
        return False
    return len(seed) <= LONGEST_SEED
