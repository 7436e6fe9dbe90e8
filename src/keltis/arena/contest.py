"""A contest between bots, shared out to worker processes; it can be stopped and taken up again."""

from __future__ import annotations

import contextlib
import functools
import math
import os
import pickle
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keltis.arena import streams
from keltis.arena.faults import Fault
from keltis.arena.journal import Journal
from keltis.arena.playing import COMPILED, Outcome, Settings, play_deals
from keltis.arena.statistics import (
    Line,
    Mean,
    RunningShare,
    Sprt,
    luck_by_seat,
    margin,
    summary,
    win_share,
)
from keltis.arena.teams import team
from keltis.bots.entrants import Entrant, Given, entrants
from keltis.game.checks import check_number, check_whole
from keltis.game.errors import quoted
from keltis.game.tokens import GAMES

_BLOCK = 50  # deals that compiled bots play at a time: until then nothing can interrupt them
_TASK_SECONDS = 1.0  # that deals are played for on a cluster before it is told of them, about
_MOST_DEALS = 500  # in a task


@dataclass(frozen=True, repr=False)
class Contest:
    """What came of a contest."""

    settings: Settings
    outcomes: list[Outcome]
    lines: list[Line]  # one for each bot
    sprt: str | None = None  # "accepted", "rejected", or None if the test did not decide
    ratio: float | None = None  # the log of the test's likelihood ratio
    taken: int = 0  # games, the first of all, that the folder of `out` had already

    @property
    def cut_off(self) -> int:
        """How many games hit the cap of decisions (B22)."""
        return sum(outcome.cut_off for outcome in self.outcomes)

    def __repr__(self) -> str:
        shares = ", ".join(f"{line.bot} wins {line.wins.value:.1%}" for line in self.lines)
        return f"<Contest of {len(self.outcomes)} games of {self.settings.game}: {shares}>"

    @property
    def faults(self) -> list[Fault]:
        """Those by which bots lost games, if that was allowed."""
        return [outcome.fault for outcome in self.outcomes if outcome.fault is not None]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each seat of each game, as `pandas.DataFrame` and `polars.DataFrame` take them.

        `won` is the share of the win, `seconds` what the bot thought in the whole game. `luck_wins`
        and `luck_margin` are what the result owes to luck; None if the contest does not tell.
        """
        owed = [luck_by_seat(outcome) for outcome in self.outcomes]
        return [
            {
                "game": number,
                "deal": outcome.deal,
                "seat": seat,
                "bot": self.settings.bots[which],
                "score": outcome.scores[seat],
                "margin": margin(outcome, seat),
                "won": win_share(outcome, seat),
                "cut_off": outcome.cut_off,
                "forfeit": outcome.fault is not None and outcome.fault.seat == seat,
                "decisions": outcome.decisions[seat],
                "seconds": outcome.seconds[seat],
                "luck_wins": owed[number][seat].wins if outcome.luck else None,
                "luck_margin": owed[number][seat].lead if outcome.luck else None,
            }
            for number, outcome in enumerate(self.outcomes)
            for seat, which in enumerate(outcome.order)
        ]


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
    bots: Sequence[Given],
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
    forfeit: bool = False,
    luck: bool = False,
    cluster: str | None = None,
    progress: Callable[[int, int, Mean], None] | None = None,
) -> Contest:
    """Play bots against each other on duplicate deals, every deal in every order of seats.

    A bot is a name of `keltis.bots.names()`, an object with `choose(view)`, or a class or function
    that makes one; a pair gives it a name of its own: `("deep", bots.make("search",
    rollouts=4000))`. What makes bots is called for every game, with `seed`, `seconds`, `rollouts`
    and `threads` as far as it takes them; of an object every game gets a copy. Seats left over go
    to more of the last bot.

    `games` is rounded up to whole deals. The same seed gives the same result whatever the number
    of workers, if the bots' budgets are rollouts and not seconds. `workers` are processes; 1 plays
    in this one, and so do bots that are handed in unless more are asked for: then they must pickle,
    and the program needs `if __name__ == "__main__":`. `sprt` is a pair of Elo differences: the
    contest ends when it is decided which of them the first bot is closer to. With `out`, the
    records are kept in that folder, and a contest that was interrupted is taken up where it
    stopped; not if Keltis or a bot of another package has changed since. A bot that raises
    something or plays what is not legal ends the contest with `BotFault`; with `forfeit` it loses
    that game and the contest goes on. With `luck` there are, beside the plain results, those with
    the luck of all draws taken out, see `Line`. `cluster` is the address of a Ray cluster whose
    workers play instead: `auto` for that of this machine, host:port, or `local` for one that is
    started here; bots that are handed in must pickle. `progress` is called with the deals played,
    the deals in all, and the first bot's share of wins so far.
    """
    found = entrants(bots)
    names = [entrant.name for entrant in found]
    games, seed = check_whole(games, "games"), check_whole(seed, "seed")
    players, workers, rollouts = (
        None if number is None else check_whole(number, name)
        for name, number in (("players", players), ("workers", workers), ("rollouts", rollouts))
    )
    settings = settings_for(
        names, game=game, players=players, seed=seed, seconds=seconds, rollouts=rollouts
    )
    for name, budget in (("seconds", seconds), ("rollouts", rollouts)):
        if budget is not None and not 0 < check_number(budget, name) < math.inf:
            raise ValueError(f"{name} must be a number above 0, not {budget}")
    if games < 1:
        raise ValueError(f"at least one game, not {games}")
    deals = -(-games // len(streams.orders(settings.bots)))
    test = None if sprt is None else _sprt(sprt)
    seated = found + found[-1:] * (settings.players - len(found))
    if cluster is not None and workers is not None:
        raise ValueError("workers are of this machine, or of a cluster: not of both")
    own = any(entrant.is_own for entrant in found)
    workers = (1 if own else os.cpu_count() or 1) if workers is None else workers
    if workers < 1:
        raise ValueError(f"at least one worker, not {workers}")
    if own and (workers > 1 or cluster is not None):
        _check_pickles(found)
    journal = Journal(Path(out), settings, own) if out else None
    outcomes: list[Outcome] = []
    verdict, ratio = None, None
    first_wins = RunningShare()
    play = functools.partial(
        play_deals, settings, keep=journal is not None, seated=seated, forfeit=forfeit, luck=luck
    )
    played = Played(settings, play, deals, workers, cluster, journal, luck)
    with contextlib.closing(iter(played)) as found_games:  # workers end with it
        for deal, games_of_deal in enumerate(found_games):
            outcomes += games_of_deal
            wins = first_wins.add(_first_wins(settings, games_of_deal))
            if progress:
                progress(deal + 1, deals, wins)
            if test:
                ratio = test.ratio(wins, first_wins.count, settings.players)
                verdict = test.verdict(ratio)
                if verdict:
                    break
    lines = summary(settings, outcomes)
    contest = Contest(settings, outcomes, lines, verdict, ratio, played.taken)
    if journal:
        journal.finish(contest)
    return contest


def _sprt(given: object) -> Sprt:
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != 2:
        raise TypeError(f"sprt: expected two Elo differences, not {quoted(given)}")
    return Sprt(*(check_number(elo, "sprt") for elo in given))


def _check_pickles(found: list[Entrant]) -> None:
    """Whether bots can go to other processes."""
    for entrant in found:
        try:
            pickle.dumps(entrant)
        except Exception as fault:
            raise ValueError(
                f"{entrant.name}: cannot go to another process ({fault}); play with workers=1"
            ) from fault


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
    """The outcomes deal by deal, in order: what the journal has, then what is played now."""

    def __init__(
        self,
        settings: Settings,
        play: Callable[[range], tuple[float, list[list[Outcome]]]],
        deals: int,
        workers: int,
        cluster: str | None,
        journal: Journal | None,
        luck: bool,
    ) -> None:
        self._play = play
        self._deals = deals
        self._cluster = cluster
        compiled = all(bot in COMPILED for bot in settings.bots)
        # Compiled games are over before processes have begun.
        self._workers = 1 if compiled else min(workers, deals)
        self._at_a_time = _BLOCK if compiled else 1  # deals
        self._journal = journal
        self._luck = luck
        self.taken = 0  # games that the journal had

    def __iter__(self) -> Generator[list[Outcome]]:
        done = 0
        if self._journal:
            for outcomes in self._journal.outcomes(self._luck):
                if done == self._deals:
                    return
                self.taken += len(outcomes)
                yield outcomes
                done += 1
        if done == self._deals:
            return
        workers = min(self._workers, self._deals - done)
        with team(self._play, workers, self._cluster) as those:
            for seconds, found in those.played(self._tasks(done)):
                for outcomes in found:
                    if self._journal:
                        self._journal.add(outcomes)
                    yield outcomes
                if self._cluster is not None:  # which takes a millisecond for each task
                    fitting = _TASK_SECONDS * len(found) / max(seconds, 1e-6)
                    self._at_a_time = int(min(max(1, fitting), _MOST_DEALS))

    def _tasks(self, done: int) -> Iterator[range]:
        """The deals that are left, some at a time; how they are shared out changes no result."""
        while done < self._deals:
            first, done = done, min(done + self._at_a_time, self._deals)
            yield range(first, done)
