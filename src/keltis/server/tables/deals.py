"""Fair deals: shuffles that nobody can choose and everybody can check.

docs/fairness.md says what is claimed and what is not, docs/protocol.md states the schemes step by
step. Both schemes are fixed for ever: running games are dealt again from their seeds when a server
starts.

- `keltis-deal/2`: the server and the players are bound to their seeds before anybody's is known.
- `keltis-deal/3`: many tables have the same deal, which was fixed before: a day's, or a duplicate.
- `keltis-deal/1`: only the server is bound. Tables that were made with it are played to their end.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import keltis
from keltis.server.tables import chain

FIRST_SCHEME = "keltis-deal/1"
SCHEME = "keltis-deal/2"
GIVEN_SCHEME = "keltis-deal/3"
NO_DEAL = "none"  # a game that goes on from a position of another: nothing is dealt
LONGEST_SEED = 200  # of the first scheme; those of the second have 64 hex digits
CHANCE = "chance"
NONE = "-"  # in what is hashed: no commitment, no seed

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

First = int | str  # the place that starts, or chance


# --- Being bound -------------------------------------------------------------------------


def commitment(scheme: str, table: str, server_seed: str) -> str:
    """What the server publishes before anybody's seed is known."""
    bound = f"{SCHEME} server {table}" if scheme == SCHEME else scheme
    return _hex(f"{bound} {server_seed}")


def given_commitment(deal: str, mix: str) -> str:
    """The same for all tables of a shared deal, and nothing that leads back to it."""
    return _hex(f"{GIVEN_SCHEME} {deal} {mix}")


def player_commitment(table: str, seed: str) -> str:
    """What a player publishes before anybody's seed is known."""
    return _hex(f"{SCHEME} player {table} {seed}")


def seal(table: str, game: str, first: First, bound: str, commitments: Sequence[str]) -> str:
    """One text for all that is fixed before the first seed is revealed.

    `bound` is the server's commitment, `commitments` are those of the places, "" for none.
    """
    places = [each or NONE for each in commitments]
    return _hex(_lines(f"{SCHEME} seal", table, game, str(len(places)), str(first), bound, *places))


def is_hex(text: object) -> bool:
    """Whether it has the form of a seed, a commitment or a seal of the second scheme."""
    return isinstance(text, str) and len(text) == 64 and set(text) <= set("0123456789abcdef")


def _hex(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _lines(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


# --- Mixing and dealing ------------------------------------------------------------------


def mixed(sealed: str, server_seed: str, seeds: Sequence[str | None]) -> bytes:
    """What the shuffle follows from; a place that has or reveals no seed adds nothing."""
    lines = _lines(f"{SCHEME} deal", sealed, server_seed, *(seed or NONE for seed in seeds))
    return sha256(lines.encode()).digest()


def mixed_first(game: str, server_seed: str, seeds: Sequence[str]) -> bytes:
    """The same in the first scheme."""
    hashes = [_hex(seed) for seed in seeds]
    lines = _lines(FIRST_SCHEME, game, str(len(seeds)), server_seed, *hashes)
    return sha256(lines.encode()).digest()


@dataclass(frozen=True)
class Deal:
    first: int  # the place that is seat 0
    setup: dict[str, Any]  # as in a record


def deal(game: str, players: int, first: First, mix: bytes) -> Deal:
    """The deal that follows from what was mixed."""
    numbers = _numbers(mix)
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


def _numbers(mix: bytes) -> Iterator[int]:
    block = 0
    while True:
        words = sha256(mix + block.to_bytes(8, "big")).digest()
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
    """A record that holds no proof of a known scheme, or a malformed one."""


@dataclass
class Verdict:
    """What was checked in a record, and what could not be."""

    scheme: str
    checks: list[tuple[str, bool]]
    unchecked: list[str]  # what the verifier gave nothing to compare with
    silent: list[str] = field(default_factory=list)  # players who did not reveal their seed
    others: int = 0  # places that were bound to a seed, beside one of the verifier's own

    @property
    def holds(self) -> bool:
        """Nothing is wrong. That alone proves nothing: see `proven`."""
        return all(ok for _, ok in self.checks)

    @property
    def proven(self) -> bool:
        """The verifier's own seed is in the deal, and all else was bound before it was known.

        Of a day's deal: it follows from the day's link, and that from the anchor.
        """
        return self.holds and self.scheme != FIRST_SCHEME and not self.unchecked


def verify(
    record: Mapping[str, Any], commitment: str | None = None, seed: str | None = None
) -> Verdict:
    """Check the proof in a record against what the verifier kept.

    `commitment` is what was shown before the verifier revealed `seed`, the own one: the seal, which
    all were bound by, or only the server's own commitment, which proves less. Of a day's deal they
    are the anchor and the day's link. Raises `NoProof`, or `keltis.RecordError` for a record that
    does not replay.
    """
    game = keltis.load(dict(record))
    proof = record.get("fair")
    scheme = proof.get("scheme") if isinstance(proof, Mapping) else None
    if not isinstance(proof, Mapping) or scheme not in (
        SCHEME,
        FIRST_SCHEME,
        GIVEN_SCHEME,
    ):
        raise NoProof(f"fair: the record holds no proof of the scheme {SCHEME} or {FIRST_SCHEME}")
    players = len(game.players)
    server_seed, published, first = (
        proof.get(key) for key in ("server_seed", "commitment", "first")
    )
    if not is_hex(server_seed):
        raise NoProof("fair.server_seed: expected 64 hex digits")
    if not isinstance(published, str) or not _is_text(published):
        raise NoProof("fair.commitment: expected text")
    if first != CHANCE and not (type(first) is int and 0 <= first < players):
        raise NoProof("fair.first: expected chance or a place")
    if scheme == GIVEN_SCHEME:
        return _given(proof, game, first, commitment, seed)
    judge = _second if scheme == SCHEME else _first
    verdict, mix = judge(proof, game.game, players)
    made = deal(game.game, players, first, mix)
    verdict.checks.append(("deal", made.setup == game.record()["setup"]))
    seeds = proof["player_seeds"]
    verdict.silent = [
        game.players[(place - made.first) % players]
        for place, given in enumerate(seeds)
        if given is None
    ]
    verdict.others = max(0, sum(given != "" for given in seeds) - 1)
    _compare_commitment(verdict, proof, commitment)
    if seed is None:
        verdict.unchecked.append("own seed")
    else:
        own = seed.strip().lower() if scheme == SCHEME else seed
        verdict.checks.append(("own seed", own != "" and own in seeds))
    return verdict


def _compare_commitment(verdict: Verdict, proof: Mapping[str, Any], given: str | None) -> None:
    """With what the verifier saw before the deal."""
    shown = "seen commitment" if verdict.scheme == FIRST_SCHEME else "seen seal"
    if given is None:
        verdict.unchecked.append(shown)
        return
    given = given.strip().lower()
    if shown == "seen seal" and given == proof["commitment"]:
        verdict.checks.append(("seen commitment", True))
        verdict.unchecked.append(shown)
    else:
        same = given == proof["commitment" if verdict.scheme == FIRST_SCHEME else "seal"]
        verdict.checks.append((shown, same))


def _first(proof: Mapping[str, Any], game: str, players: int) -> tuple[Verdict, bytes]:
    seeds, server_seed = proof.get("player_seeds"), proof["server_seed"]
    if (
        not isinstance(seeds, list)
        or len(seeds) != players
        or not all(
            isinstance(seed, str) and _is_text(seed) and len(seed) <= LONGEST_SEED for seed in seeds
        )
    ):
        raise NoProof(f"fair.player_seeds: expected {players} texts")
    bound = commitment(FIRST_SCHEME, "", server_seed)
    checks = [("commitment", proof["commitment"] == bound)]
    return Verdict(FIRST_SCHEME, checks, []), mixed_first(game, server_seed, seeds)


def _second(proof: Mapping[str, Any], game: str, players: int) -> tuple[Verdict, bytes]:
    seeds, server_seed = proof.get("player_seeds"), proof["server_seed"]
    bound, table = proof.get("player_commitments"), proof.get("table")
    if not isinstance(table, str) or not _is_text(table) or not is_hex(proof.get("seal")):
        raise NoProof("fair: expected the table's id and a seal")
    if (
        not isinstance(bound, list)
        or len(bound) != players
        or not all(each == "" or is_hex(each) for each in bound)
    ):
        raise NoProof(f"fair.player_commitments: expected {players} of 64 hex digits, or empty")
    if (
        not isinstance(seeds, list)
        or len(seeds) != players
        or not all(
            (seed is None or is_hex(seed)) if each else seed == ""
            for seed, each in zip(seeds, bound, strict=True)
        )
    ):
        raise NoProof(
            f"fair.player_seeds: expected {players}, each empty where there is no commitment, null "
            "where none was revealed, else 64 hex digits"
        )
    made = seal(table, game, proof["first"], proof["commitment"], bound)
    checks = [
        ("commitment", proof["commitment"] == commitment(SCHEME, table, server_seed)),
        (
            "player commitments",
            all(
                player_commitment(table, seed) == each
                for seed, each in zip(seeds, bound, strict=True)
                if seed
            ),
        ),
        ("seal", proof["seal"] == made),
    ]
    return Verdict(SCHEME, checks, []), mixed(made, server_seed, seeds)


def _given(
    proof: Mapping[str, Any], game: keltis.Game, first: First, anchor: str | None, link: str | None
) -> Verdict:
    """A deal that was fixed before: of a day, by a chain; of a duplicate, by whoever made it."""
    mix, name = proof["server_seed"], proof.get("deal")
    if not isinstance(name, str) or not _is_text(name):
        raise NoProof("fair.deal: expected text")
    day = chain.day_deal(name)
    players = len(game.players)
    if day is not None:  # nothing is left to choose
        first, players = CHANCE, 2
    made = deal(game.game, players, first, bytes.fromhex(mix))
    verdict = Verdict(GIVEN_SCHEME, [], [])
    verdict.checks += [
        ("commitment", proof["commitment"] == given_commitment(name, mix)),
        ("deal", made.setup == game.record()["setup"]),
    ]
    if day is None:
        verdict.unchecked.append("chosen")
        return verdict
    if day.game != game.game:
        raise NoProof("fair.deal: it is a deal of another game")
    # The person has the first place, the bot the second.
    verdict.checks.append(("seat", game.players[1 - made.first] == day.bot.title()))
    anchor, link = (None if each is None else each.strip().lower() for each in (anchor, link))
    if anchor is not None and not chain.is_anchor(anchor):
        raise NoProof("anchor: expected a date and 64 hex digits, such as 2026-11-18:5a910a…")
    if link is None:
        verdict.unchecked.append("link")
    else:
        verdict.checks.append(("link", mix == chain.mix_of(link, day)))
    if anchor is None or link is None:
        verdict.unchecked.append("anchor")
    else:
        verdict.checks.append(("anchor", chain.leads_to(link, anchor, day.day)))
    return verdict


def _is_text(text: str) -> bool:
    """Whether it can be hashed; JSON can hold half a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
