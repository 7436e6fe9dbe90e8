"""`keltis play`: who plays what, from the options or from a saved game."""

from __future__ import annotations

import hashlib
import json
import random
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import keltis
from keltis import bots
from keltis.cli import files
from keltis.cli.failure import Failure
from keltis.cli.options import Given, flag, rule_options
from keltis.cli.session import Session
from keltis.cli.words import t

if TYPE_CHECKING:
    from keltis import Game
    from keltis.bots import Bot

ME = "me"  # the name of a seat that a person holds
BEST = bots.LEVELS[-1]


@dataclass(frozen=True)
class Wishes:
    """The options as given; None where nothing was said."""

    game: str | None
    players: int | None
    seats: list[str]
    shuffle_seats: bool
    seed: int | None
    edition: str | None
    rules: Given
    load: Path | None


def prepare(wishes: Wishes) -> Session:
    """All that has to be there before the first decision is asked."""
    seed = secrets.randbelow(10**9) if wishes.seed is None else wishes.seed
    game, kinds = _loaded(wishes, wishes.load) if wishes.load else _dealt(wishes, seed)
    seats = [_bot(kind, seed, seat) for seat, kind in enumerate(kinds)]
    deal = None if wishes.load else seed
    _warm_up(game)
    return Session(game, kinds, seats, deal=deal, file=wishes.load)


def _warm_up(game: Game) -> None:
    """Have the functions compiled that a move needs, so that the first one does not stall."""
    twin = game.copy()
    if not twin.is_over:
        twin.play(twin.legal_moves()[0])
        twin.undo()


def _dealt(wishes: Wishes, seed: int) -> tuple[Game, list[str]]:
    asked = [_parsed(seat) for seat in wishes.seats]
    count = wishes.players or max(2, len(asked))
    if not len(asked) <= count <= 4:
        raise Failure(t("fault.seats", asked=len(asked), players=count))
    game = wishes.game or "board"
    options = rule_options(game, wishes.edition, wishes.rules)
    asked = asked or [("", ME)]
    asked += [("", BEST)] * (count - len(asked))
    if wishes.shuffle_seats:
        random.Random(f"seats {seed}").shuffle(asked)
    dealt = keltis.new_game(game, count, seed=seed, names=_names(asked), options=options)
    return dealt, [kind for _, kind in asked]


def _parsed(seat: str) -> tuple[str, str]:
    """A seat's name, if it was given one, and who sits there."""
    name, named, kind = seat.rpartition("=")
    if named and not name.strip():
        raise Failure(t("fault.name.missing", seat=seat))
    _check_kind(kind, f'--seat "{seat}"')
    return name.strip(), kind


def _check_kind(kind: object, place: str) -> None:
    known = [ME, *bots.names()]
    if kind not in known:
        raise Failure(t("fault.nobody", place=place, names=", ".join(known)))


def _names(asked: list[tuple[str, str]]) -> list[str]:
    """A name for everybody: `You` if one person plays, bots by their kind, numbered if need be."""
    kinds = [kind for _, kind in asked]
    names = []
    for seat, (name, kind) in enumerate(asked):
        several = kinds.count(kind) > 1
        if kind == ME:
            called = t("player", n=seat + 1) if several else t("you")
        else:
            role = t(f"level.{kind}") if kind in bots.LEVELS else kind.capitalize()
            called = f"{role} {seat + 1}" if several else role
        names.append(name or called)
    return names


def _loaded(wishes: Wishes, file: Path) -> tuple[Game, list[str]]:
    clashes = {
        "--game": wishes.game,
        "--players": wishes.players,
        "--edition": wishes.edition,
        **{flag(name): value for name, value in wishes.rules.items()},
        "--shuffle-seats": wishes.shuffle_seats or None,
    }
    for option, value in clashes.items():
        if value is not None:
            raise Failure(t("fault.load.option", option=option))
    data = files.read(file)
    game = files.game(data, file, wishes.seed)
    count = len(game.players)
    if wishes.seats:
        kinds = [kind for _, kind in map(_parsed, wishes.seats)]
        if any("=" in seat for seat in wishes.seats):
            raise Failure(t("fault.load.names"))
        if len(kinds) != count:
            raise Failure(t("fault.load.seats", asked=len(kinds), players=count))
        return game, kinds
    return game, _saved_seats({} if files.position_in(data) else json.loads(data), count)


def _saved_seats(record: dict[str, Any], count: int) -> list[str]:
    """Who sat where when the game was saved; without that, me against the best bot."""
    kinds = record.get("seats")
    if kinds is None:
        return [ME] + [BEST] * (count - 1)
    if not isinstance(kinds, list) or len(kinds) != count:
        raise Failure(t("fault.seats.list", n=count))
    for seat, kind in enumerate(kinds):
        _check_kind(kind, f"seats[{seat}]")
    return kinds


def _bot(kind: str, seed: int, seat: int) -> Bot | None:
    """The bot of a seat, None for a person.

    Its random numbers must have nothing in common with those that dealt the cards.
    """
    if kind == ME:
        return None
    digest = hashlib.sha256(f"bot of seat {seat}, deal {seed}".encode()).digest()
    return bots.make(kind, seed=int.from_bytes(digest[:8], "big"))
