"""The bots by name: our own, the levels made of them, and those of other packages."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata, resources
from typing import Any, Literal, Protocol, TypedDict, overload

from keltis.game.checks import check_number, check_whole

ENTRY_POINTS = "keltis.bots"


Temperature = Mapping[tuple[str, int], float]  # by game and number of players


class Bot(Protocol):
    """What chooses; its `view` is a `keltis.View`, or any mapping, as its author likes."""

    def choose(self, view: Any) -> str:
        """One of the view's legal moves.

        Asked only when the decision is the view's own; ours raise ValueError if it is not.
        """


class AdvisedMove(TypedDict, total=False):
    """A move with its reason in figures."""

    move: str
    wins: float  # the chance to win after it
    value: float  # by how many points to lead at the end
    error: float  # the standard error of `value`; only of a search
    worlds: int  # in how many the move was tried; only of a search


class Advice(TypedDict):
    """What a bot would play, and why."""

    move: str
    moves: list[AdvisedMove]  # the best first


class Adviser(Bot, Protocol):
    """A bot that can say why."""

    def advise(self, view: Any) -> Advice:
        """A decision with its reason in figures; refused as `choose` refuses."""


@dataclass(frozen=True)
class Entry:
    """A bot of the registry."""

    name: str
    about: str  # what it does, in a line
    maker: Callable[..., Bot]
    level: int | None = None  # 1 to 6, for those made for people
    steady: Callable[[int], Bot] | None = None  # by a seed alone, never by the clock


def _random(seed: int | None, **budget: object) -> Bot:
    from keltis.bots.random import RandomBot

    return RandomBot(seed)


def _heuristic(
    seed: int | None,
    temperature: Temperature | None = None,
    sight: float = 1.0,
    **budget: object,
) -> Bot:
    from keltis.bots.heuristic import HeuristicBot

    return HeuristicBot(seed, temperature, sight)


def _network(seed: int | None, temperature: Temperature | None = None, **budget: object) -> Bot:
    from keltis.bots.network import NetworkBot

    return NetworkBot(seed, temperature)


def _search(seed: int | None, seconds: float | None, rollouts: int | None, threads: int = 1) -> Bot:
    from keltis.bots.search import SearchBot

    return SearchBot(seed, seconds, rollouts, threads)


def _in(**temperatures: float) -> Temperature:
    """Temperatures by game, the same with any number of players."""
    return {(game, players): t for game, t in temperatures.items() for players in (2, 3, 4)}


def _level(number: int, name: str, about: str, maker: Callable[..., Bot], **fixed: Any) -> Entry:
    def make_level(
        seed: int | None, seconds: float | None = None, threads: int = 1, **budget: object
    ) -> Bot:
        given = {} if seconds is None else {"seconds": min(seconds, fixed.get("seconds", seconds))}
        return maker(**fixed | given, seed=seed, threads=threads)

    def make_steady(seed: int) -> Bot:
        return maker(**fixed | {"seconds": None}, seed=seed)

    return Entry(name, about, make_level, number, make_steady)


_BUILT_IN = (
    Entry("random", "Any legal move, for tests.", _random),
    _level(
        1,
        "fawn",
        "A child's first opponent: looks little beyond its own cards, and often slips.",
        _heuristic,
        temperature=_in(board=4.9, stones=9.7),
        sight=0.6,
    ),
    _level(
        2,
        "hare",
        "Quick and careless: sees further, and slips often.",
        _heuristic,
        temperature=_in(board=3.5, stones=7.1),
        sight=0.8,
    ),
    _level(
        3,
        "fox",
        "Knows what it wants; slips now and then.",
        _heuristic,
        temperature=_in(board=2.1, stones=3.9),
        sight=0.9,
    ),
    Entry("heuristic", "Rules of thumb, tuned by self-play; no search.", _heuristic),
    _level(4, "raven", "Counts the cards and never slips, but does not look ahead.", _heuristic),
    Entry("network", "A value network, trained by millions of games; no search.", _network),
    _level(
        5,
        "bard",
        "Remembers how countless games went on; does not look ahead.",
        _network,
        temperature={("stones", 2): 0.02},  # of a win; where search gains less
    ),
    Entry("search", "Whole turns tried out in many possible worlds.", _search),
    _level(
        6,
        "druid",
        "Sees thousands of possible worlds; the strongest.",
        _search,
        seconds=1.5,
        rollouts=4_000,
    ),
)
LEVELS = tuple(entry.name for entry in _BUILT_IN if entry.level)


def entries() -> dict[str, Entry]:
    """The registry: our own bots, the weakest first, then those of other packages."""
    return dict(_entries())


@functools.cache
def _entries() -> dict[str, Entry]:
    """The same, looked up once: to scan all installed packages takes milliseconds."""
    found = {entry.name: entry for entry in _BUILT_IN}
    return found | {name: _plugin(point) for name, point in plugins().items()}


@functools.cache
def plugins() -> dict[str, metadata.EntryPoint]:
    """Where the bots of other packages are, by name; none can take the name of one of ours."""
    ours = {entry.name for entry in _BUILT_IN}
    points = metadata.entry_points(group=ENTRY_POINTS)
    found: dict[str, metadata.EntryPoint] = {}
    for point in points:
        if point.name not in ours:
            found.setdefault(point.name, point)
    return found


def _plugin(point: metadata.EntryPoint) -> Entry:
    def maker(**arguments: Any) -> Bot:
        bot: Bot = point.load()(**arguments)
        return bot

    package = point.dist.name if point.dist else point.module
    return Entry(point.name, f"From the package {package}.", maker)


def names() -> list[str]:
    """The bots there are, our own first, the weakest first."""
    return list(_entries())


@functools.cache
def strengths(players: int = 2) -> dict[str, dict[str, int]]:
    """Each level's rating in either game, as measured with so many players.

    On the scale of Elo, the mean of the six is 1500. See docs/bots.md.
    """
    file = resources.files("keltis.bots") / "strength.json"
    measured: dict[str, dict[str, dict[str, int]]] = json.loads(file.read_text())
    return {
        level: {game: of[str(players)] for game, of in games.items()}
        for level, games in measured.items()
    }


@overload
def make(
    name: Literal["network", "bard", "search", "druid"],
    seed: int | None = None,
    *,
    seconds: float | None = None,
    rollouts: int | None = None,
    threads: int = 1,
) -> Adviser: ...


@overload
def make(
    name: str,
    seed: int | None = None,
    *,
    seconds: float | None = None,
    rollouts: int | None = None,
    threads: int = 1,
) -> Bot: ...


def make(
    name: str,
    seed: int | None = None,
    *,
    seconds: float | None = None,
    rollouts: int | None = None,
    threads: int = 1,
) -> Bot:
    """A bot for one seat of one game; the same seed makes the same decisions.

    `seconds` and `rollouts` are how much it may think for a decision, where it thinks at all.
    Levels have budgets of their own, of which `seconds` can take away, but not add to them.
    """
    found = _entries()
    if name not in found:
        raise ValueError(f'there is no bot "{name}"; there are: {", ".join(found)}')
    seed = None if seed is None else check_whole(seed, "seed")
    rollouts = None if rollouts is None else check_whole(rollouts, "rollouts")
    threads = check_whole(threads, "threads")
    for what, budget in (("seconds", seconds), ("rollouts", rollouts), ("threads", threads)):
        if budget is not None and not 0 < check_number(budget, what) < math.inf:
            raise ValueError(f"{what} must be a number above 0, not {budget}")
    return found[name].maker(seed=seed, seconds=seconds, rollouts=rollouts, threads=threads)


def make_steady(name: str, seed: int) -> Bot:
    """A level that thinks for its rollouts alone, however long they take.

    So the same seed and the same views give the same decisions on a busy machine as on an idle one.
    """
    entry = _entries().get(name)
    if entry is None or entry.steady is None:
        raise ValueError(f'there is no level "{name}"; there are: {", ".join(LEVELS)}')
    return entry.steady(seed)
