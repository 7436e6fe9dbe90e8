"""A contest between bots, shared out to worker processes; it can be stopped and taken up again."""

from __future__ import annotations

import functools
import hashlib
import json
import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from keltis import bots, rules
from keltis.arena import streams
from keltis.arena.playing import (
    COMPILED,
    Outcome,
    Settings,
    play_deal,
    play_deals_compiled,
)
from keltis.arena.statistics import (
    Line,
    Mean,
    RunningMean,
    Sprt,
    plain,
    summary,
    win_share,
)
from keltis.game.tokens import GAMES

_BLOCK = 500  # deals that compiled bots play at a time


@dataclass(frozen=True)
class Contest:
    """What came of a contest."""

    settings: Settings
    outcomes: list[Outcome]
    lines: list[Line]  # one for each bot
    sprt: str | None = None  # "accepted", "rejected", or None if the test did not decide
    ratio: float | None = None  # the log of the test's likelihood ratio

    @property
    def cut_off(self) -> int:
        """How many games hit the cap of decisions (B22)."""
        return sum(outcome.cut_off for outcome in self.outcomes)


def settings_for(
    names: list[str],
    *,
    game: str = "board",
    players: int | None = None,
    seed: int = 0,
    seconds: float | None = None,
    rollouts: int | None = None,
) -> Settings:
    """Settings for some bots; seats left over go to more of the last one."""
    known = bots.entries()
    for name in names:
        if name not in known:
            raise ValueError(f'there is no bot "{name}"; there are: {", ".join(known)}')
    players = len(names) if players is None else players
    if game not in GAMES:
        raise ValueError(f'there is no game "{game}"; there are: {", ".join(GAMES)}')
    if not 2 <= players <= 4:
        raise ValueError(f"two to four players, not {players}")
    if not 1 < len(names) <= players:
        raise ValueError(f"{len(names)} bots do not fit a table of {players}")
    seats = tuple(names) + (names[-1],) * (players - len(names))
    return Settings(seats, game, seed, seconds, rollouts)


def arena(
    names: list[str],
    *,
    game: str = "board",
    players: int | None = None,
    games: int = 200,
    seed: int = 0,
    workers: int | None = None,
    seconds: float | None = None,
    rollouts: int | None = None,
    sprt: tuple[float, float] | None = None,
    out: str | Path | None = None,
    progress: Callable[[int, int, Mean], None] | None = None,
) -> Contest:
    """Play bots against each other on duplicate deals, every deal in every order of seats.

    `games` is rounded up to whole deals. The same seed gives the same result whatever the number
    of workers, if the bots' budgets are rollouts and not seconds. `sprt` is a pair of Elo
    differences: the contest ends when it is decided which of them the first bot is closer to. With
    `out`, the records are kept in that folder, and a contest that was interrupted is taken up
    where it stopped. `progress` is called with the deals played, the deals in all, and the first
    bot's share of wins so far.
    """
    settings = settings_for(
        names, game=game, players=players, seed=seed, seconds=seconds, rollouts=rollouts
    )
    if games < 1:
        raise ValueError(f"at least one game, not {games}")
    deals = -(-games // len(streams.orders(settings.bots)))
    test = Sprt(*sprt) if sprt else None
    journal = Journal(Path(out), settings) if out else None
    outcomes: list[Outcome] = []
    verdict, ratio = None, None
    first_wins = RunningMean()
    with Played(settings, deals, workers or os.cpu_count() or 1, journal) as played:
        for deal, games_of_deal in enumerate(played):
            outcomes += games_of_deal
            wins = first_wins.add(_first_wins(settings, games_of_deal))
            if progress:
                progress(deal + 1, deals, wins)
            if test:
                ratio = test.ratio(wins, first_wins.count, settings.players)
                verdict = test.verdict(ratio)
                if verdict:
                    break
    contest = Contest(settings, outcomes, summary(settings, outcomes), verdict, ratio)
    if journal:
        journal.finish(contest)
    return contest


def _first_wins(settings: Settings, outcomes: list[Outcome]) -> float:
    """The first bot's share of wins in a deal."""
    shares = [
        win_share(outcome, seat)
        for outcome in outcomes
        for seat, which in enumerate(outcome.order)
        if settings.bots[which] == settings.bots[0]
    ]
    return sum(shares) / len(shares)


class Played:
    """The outcomes deal by deal, in order: what the journal has, then what workers play."""

    def __init__(
        self, settings: Settings, deals: int, workers: int, journal: Journal | None
    ) -> None:
        self._settings = settings
        self._deals = deals
        self._workers = min(workers, deals)
        self._journal = journal
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Iterator[list[Outcome]]:
        return self._all()

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def _all(self) -> Iterator[list[Outcome]]:
        done = 0
        if self._journal:
            for outcomes in self._journal.outcomes():
                if done == self._deals:
                    return
                yield outcomes
                done += 1
        compiled = all(bot in COMPILED for bot in self._settings.bots)
        for outcomes in (self._compiled if compiled else self._by_workers)(done):
            if self._journal:
                self._journal.add(outcomes)
            yield outcomes

    def _compiled(self, done: int) -> Iterator[list[Outcome]]:
        for first in range(done, self._deals, _BLOCK):
            end = min(first + _BLOCK, self._deals)
            by_deal: dict[int, list[Outcome]] = {deal: [] for deal in range(first, end)}
            keep = self._journal is not None
            for outcome in play_deals_compiled(self._settings, first, end, keep):
                by_deal[outcome.deal].append(outcome)
            yield from by_deal.values()

    def _by_workers(self, done: int) -> Iterator[list[Outcome]]:
        keep = self._journal is not None
        # New processes, not forked ones: a fork of a process with threads can hang.
        self._pool = ProcessPoolExecutor(
            self._workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_end_with_the_parent,
        )
        waiting: deque[Future[list[Outcome]]] = deque()
        deals = iter(range(done, self._deals))
        while True:
            while len(waiting) < 2 * self._workers and (deal := next(deals, None)) is not None:
                waiting.append(self._pool.submit(play_deal, self._settings, deal, keep))
            if not waiting:
                return
            yield waiting.popleft().result()


def _end_with_the_parent() -> None:
    """For a worker: it does not wait for ever when the contest has been killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


@functools.cache
def _bots_as_they_are() -> str:
    """A digest of the code and the weights that bots play by; another one, and they may differ."""
    digest = hashlib.sha256()
    own, theirs = (Path(package.__path__[0]) for package in (bots, rules))
    for file in sorted([*own.rglob("*.py"), *own.glob("weights/*.[jn]*"), *theirs.rglob("*.py")]):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


class Journal:
    """A contest's folder: its settings, and a line for each game."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self._folder = folder
        self._settings = settings
        self._records = folder / "records.jsonl"
        folder.mkdir(parents=True, exist_ok=True)
        facts = folder / "contest.json"
        mine = json.loads(json.dumps(asdict(settings))) | {"made_of": _bots_as_they_are()}
        if facts.exists():
            theirs = json.loads(facts.read_text())
            if theirs | {"made_of": mine["made_of"]} != mine:
                raise ValueError(f"{folder} holds another contest: {theirs}; choose another folder")
            if theirs != mine:
                raise ValueError(
                    f"{folder} holds games of other bots of these names: Keltis has changed since "
                    "they were played; choose another folder"
                )
        else:
            facts.write_text(json.dumps(mine, indent=1) + "\n")

    def outcomes(self) -> Iterator[list[Outcome]]:
        """The deals that are whole; what comes after them, a broken line too, is cut away."""
        if not self._records.exists():
            return
        per_deal = len(streams.orders(self._settings.bots))
        whole = 0  # bytes of the deals that are whole
        read = 0
        deal: list[Outcome] = []
        found: list[list[Outcome]] = []
        for line in self._records.read_bytes().splitlines(keepends=True):
            try:
                deal.append(_from_line(json.loads(line)))
            except (ValueError, KeyError, TypeError):
                break
            if not line.endswith(b"\n"):
                break
            read += len(line)
            if len(deal) == per_deal:
                found.append(deal)
                deal = []
                whole = read
        os.truncate(self._records, whole)
        yield from found

    def add(self, outcomes: list[Outcome]) -> None:
        with self._records.open("a") as file:
            for outcome in outcomes:
                file.write(json.dumps(_to_line(outcome)) + "\n")

    def finish(self, contest: Contest) -> None:
        from keltis.arena.picture import draw

        result = {"lines": plain(contest.lines), "cut_off": contest.cut_off}
        if contest.ratio is not None:
            result["sprt"] = {"verdict": contest.sprt, "ratio": contest.ratio}
        (self._folder / "result.json").write_text(json.dumps(result, indent=1) + "\n")
        draw(contest, self._folder / "result.svg")


def _to_line(outcome: Outcome) -> dict[str, Any]:
    """A record with the contest's own facts besides; other readers ignore those."""
    facts = asdict(replace(outcome, record=None))
    del facts["record"]
    return {**(outcome.record or {}), "arena": facts}


def _from_line(line: dict[str, Any]) -> Outcome:
    facts = line["arena"]
    return Outcome(**{**facts, "order": tuple(facts["order"])})
