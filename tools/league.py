"""Train a network in a league: against itself, its earlier snapshots, the heuristic and levels.

    python -m tools.league board 2 --games 400000

It goes on from the network in use. In every game one seat has the current network; each other seat
has it too in half of all cases, a snapshot in a quarter, and the heuristic or one of the levels
that slip in the last quarter. The current network learns from all seats of a game: it judges
every decision, and what comes of one that it would not have made is not learned for what was
before it, see `tools.train_network`.

A tenth of the games makes a part. After each the network becomes a snapshot, and a tournament, in
which all meet the same others on the same deals, says which snapshots are kept. In the end another
one on fresh deals chooses between them, the network as it is then, and the mean of what it was in
the second half. The chosen one meets the network in use on fresh deals, and the heuristic, as the
network in use does on the same ones. If it is the better of the two, and not weaker against the
heuristic, it belongs into src/keltis/bots/weights, and the log beside it into tools/logs.

Games are played in rounds of some shards, each with random numbers of its own and the same network
to begin with; then the shards' networks are averaged. So the result rests on the options alone,
and not on where shards are played: on all cores with --workers, on a Ray cluster with --cluster.
All that is needed to go on is kept in the folder after each round. The same command, called again,
goes on there, and comes to the same end.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from keltis import bots
from keltis.arena import streams
from keltis.arena.teams import Team, add_options, call
from keltis.arena.teams import team as team_of
from keltis.arena.workers import WorkerLost
from keltis.bots.heuristic import HeuristicBot
from keltis.bots.kernels import features
from keltis.bots.kernels.heuristic import best_action, best_of, evaluate
from keltis.bots.kernels.scratch import heuristic_scratch, network_scratch
from keltis.bots.kernels.value_network import follow, judge, size, won
from keltis.bots.weights import heuristic_weights, network_weights
from keltis.rules import both
from keltis.rules.kernel import below, kernel
from tools.train_network import (
    FINAL_DEALS,
    FOLDER,
    HEURISTIC,
    LOGS,
    MOST_DECISIONS,
    RATE,
    REPORTS,
    RULES,
    SAMPLE,
    SLIPS,
    SMOOTH,
    TEMPERATURE,
    deal_seeds,
    learn_game,
    match,
    sizes,
    slip,
    summed_up,
    trained,
    untrained,
    write_sample,
)

GAMES_A_SHARD = 1_000  # in a round
LEVELS = (
    "raven",
    "raven",
    "raven",
    "fox",
    "hare",
    "fawn",
)  # who has a seat of theirs, each as often
SNAPSHOTS = 6  # that are kept
TRIALS = 5_000  # games that tell what Adagrad's sums are like
TOURNAMENT_DEALS, CHOICE_DEALS = 500, 4_000
DEALS_A_TASK = 1_000

Numbers = NDArray[Any]

GAMES = np.dtype(  # how some games of the league are played and learned from
    (
        np.record,
        [
            ("players", np.int64),
            ("games", np.int64),
            ("rate", np.float64),  # how fast it learns
            ("smooth", np.float64),  # points over which a game lost becomes one that is won
        ],
    )
)


@kernel
def seat_players(s, players, snapshots, levels, who):
    """Draw who has each seat: 0 is the current network, then come snapshots, then levels."""
    own = below(s, players)
    for p in range(players):
        kind = below(s, 4)
        if p == own or kind < 2:
            who[p] = 0
        elif kind == 2:
            who[p] = 1 + below(s, snapshots)
        else:
            who[p] = 1 + snapshots + below(s, levels)


@kernel
def decided(states, scratch, network, pool, temperatures, who):
    """What a snapshot or a level decides; states[1] is overwritten."""
    s = states[0]
    if who <= len(pool):
        return follow(states, 0, scratch[0], network[0], pool[who - 1])
    level = who - len(pool) - 1
    h = scratch[level]
    if temperatures[level] == 0:
        return best_action(s, h)
    n = evaluate(s, h, False)
    return h.actions[slip(s, h, n, temperatures[level])]


@kernel
def train(states, scratch, network, weights, sums, pool, temperatures, samples, seats, games):
    """Play games of the league and learn from each; states[0] is the game.

    `seats` has a row for who has each seat, and one for how many samples there are of it.
    """
    s = states[0]
    h = scratch[0]
    net = network[0]
    how = games[0]
    who, made = seats[0], seats[1]
    for _ in range(how.games):
        both.shuffled(s, how.players)
        seat_players(s, how.players, len(pool), len(scratch), who)
        made[:] = 0
        while not both.is_over(s):
            p = np.int64(s.seat)
            n = features.list_actions(s, net)
            if n == 1:
                both.apply(s, net.actions[0])
                continue
            if made[p] == MOST_DECISIONS:
                both.apply(s, best_action(s, h))
                continue
            action = np.int64(0)
            if who[p]:
                action = decided(states, scratch, network, pool, temperatures, who[p])
            n = judge(states, 0, h, net, weights)
            best = best_of(net, n)
            if who[p] == 0:
                slips = below(s, SLIPS) == 0
                action = net.actions[slip(s, net, n, TEMPERATURE) if slips else best]
            sample = samples[p * MOST_DECISIONS + made[p]]
            sample.chance = net.values[best]
            sample.lead = net.leads[best]
            sample.slipped = action != net.actions[best]
            write_sample(states, h, net, action, sample)
            made[p] += 1
            both.apply(s, action)
        for p in range(how.players):
            lead = np.float64(both.lead(s, p))
            chance = won(lead, how.smooth)
            first = p * MOST_DECISIONS
            learn_game(s, net, weights, sums, samples, first, made[p], chance, lead, how.rate)


class Shard(NamedTuple):
    """Some games of a round."""

    game: str
    players: int
    weights: Numbers
    sums: Numbers
    pool: Numbers
    seed: int
    games: int
    rate: float
    smooth: float


def play_shard(shard: Shard) -> tuple[Numbers, Numbers]:
    """Play the games of a shard; what the network and Adagrad's sums have become."""
    players = shard.players
    states = np.zeros(2, RULES[shard.game].STATE)
    states["rng"] = shard.seed
    levels = [bots.make(name, 0) for name in LEVELS]
    assert all(isinstance(level, HeuristicBot) for level in levels)
    scratch = heuristic_scratch(
        *[heuristic_weights(shard.game, players, level.sight) for level in levels]  # type: ignore[attr-defined]
    )
    temperatures = np.array(
        [level.temperature.get((shard.game, players), 0.0) for level in levels]  # type: ignore[attr-defined]
    )
    weights, sums = shard.weights.copy(), shard.sums.copy()
    samples = np.zeros(players * MOST_DECISIONS, SAMPLE)
    seats = np.zeros((2, players), np.int64)
    games = np.array([(players, shard.games, shard.rate, shard.smooth)], GAMES)
    memory = states, scratch, network_scratch()
    train(*memory, weights, sums, shard.pool, temperatures, samples, seats, games)
    return weights, sums


def tournament(
    game: str, players: int, candidates: Numbers, deals: int, seed: int, team: Team
) -> Numbers:
    """Each candidate's share of wins: all meet the same others on the same deals.

    Others are drawn for each seat of each deal from the candidates and the heuristic.
    """
    seeds = deal_seeds(deals, seed)
    drawn = np.random.default_rng(streams.number(seed, "others"))
    others = drawn.integers(HEURISTIC, len(candidates), (deals, players))
    parts = [slice(k, k + DEALS_A_TASK) for k in range(0, deals, DEALS_A_TASK)]
    tasks = (
        (match, game, candidate, candidates, others[part], seeds[part])
        for candidate in candidates
        for part in parts
    )
    found = np.concatenate(list(team.played(tasks)))
    wins: Numbers = found[:, 0].reshape(len(candidates), deals).mean(1)
    return wins


def met(
    game: str, players: int, weights: Numbers, other: Numbers | None, seed: int, team: Team
) -> Numbers:
    """A network's wins and leads against another one, or against the heuristic, by deal."""
    seeds = deal_seeds(FINAL_DEALS, seed)
    pool = weights[None] if other is None else other[None]
    others = np.full((FINAL_DEALS, players), HEURISTIC if other is None else 0)
    tasks = (
        (match, game, weights, pool, others[k : k + DEALS_A_TASK], seeds[k : k + DEALS_A_TASK])
        for k in range(0, FINAL_DEALS, DEALS_A_TASK)
    )
    found: Numbers = np.concatenate(list(team.played(tasks)))
    return found


class State(NamedTuple):
    """All that is needed to go on."""

    settings: str  # the options, as JSON
    log: str
    rounds: int  # that have been played
    weights: Numbers
    sums: Numbers
    pool: Numbers  # the snapshots
    total: Numbers  # of the weights after each round of the second half

    def save(self, file: Path) -> None:
        part = file.with_suffix(".part")
        with part.open("wb") as stream:
            facts: dict[str, Any] = {
                name: np.asarray(value) for name, value in self._asdict().items()
            }
            np.savez(stream, **facts)
        os.replace(part, file)

    @classmethod
    def load(cls, file: Path) -> State:
        try:
            with file.open("rb") as stream, np.load(stream) as stored:
                found = {name: stored[name] for name in cls._fields}
        except (EOFError, KeyError, ValueError, zipfile.BadZipFile) as fault:
            raise ValueError(f"{file}: cannot be read ({fault}); remove it to begin anew") from None
        plain = {name: found[name].item() for name in ("settings", "log", "rounds")}
        return cls(**found | plain)


class League:
    """A network's way through the league; see above."""

    def __init__(
        self,
        game: str,
        players: int,
        *,
        games: int,
        shards: int,
        seed: int,
        member: int,
        folder: Path,
        team: Team,
    ) -> None:
        self.game, self.players, self.seed = game, players, seed
        self.shards, self.member = shards, member
        self.rounds = max(REPORTS, round(games / GAMES_A_SHARD / shards))
        self.team = team
        self.name = f"value-{game}-{players}"
        self.folder = folder
        self.file = folder / f"league-{game}-{players}.npz"
        self.in_use = network_weights(game, players).reshape(-1, size(*sizes(game, players)))
        if not 0 <= member < len(self.in_use):
            raise ValueError(f"there is no member {member}: the ensemble has {len(self.in_use)}")
        facts = {"game": game, "players": players, "seed": seed, "shards": shards, "member": member}
        self.settings = json.dumps(facts | {"games": self.rounds * shards * GAMES_A_SHARD})

    def run(self, progress: Callable[[int, int], None] = lambda done, rounds: None) -> State:
        """Play all rounds that are left, and choose; what came of it is in the folder."""
        self.folder.mkdir(parents=True, exist_ok=True)
        state = self._begin()
        self._keep(state)
        progress(state.rounds, self.rounds)
        while state.rounds < self.rounds:
            state = self._round(state)
            parts = state.rounds * REPORTS // self.rounds
            if parts > (state.rounds - 1) * REPORTS // self.rounds and parts < REPORTS:
                state = self._snapshot(state)
            self._keep(state)
            progress(state.rounds, self.rounds)
        return self._finish(state)

    def _begin(self) -> State:
        """Where the run was interrupted, or the network in use."""
        if self.file.exists():
            state = State.load(self.file)
            if state.settings != self.settings:
                raise ValueError(
                    f"{self.file} is of another run: {state.settings}; choose another folder"
                )
            return state
        _, sums = untrained(*sizes(self.game, self.players), np.random.default_rng(self.seed))
        weights = self.in_use[self.member]
        trial = self._shard(weights, sums, self.in_use, TRIALS, 0.0, "trial")
        [(_, sums)] = self.team.played([(play_shard, trial)])
        before = (LOGS / f"{self.name}.log").read_text()
        sums *= trained(before) / TRIALS  # as they were when it was last trained
        log = f"{before}{_line(event='league', **json.loads(self.settings))}"
        return State(self.settings, log, 0, weights, sums, self.in_use, np.zeros_like(weights))

    def _keep(self, state: State) -> None:
        state.save(self.file)
        (self.folder / f"{self.name}.log").write_text(state.log)

    def _shard(
        self,
        weights: Numbers,
        sums: Numbers,
        pool: Numbers,
        games: int,
        rate: float,
        *place: object,
    ) -> Shard:
        seed = streams.number(self.seed, *place)
        return Shard(self.game, self.players, weights, sums, pool, seed, games, rate, SMOOTH[1])

    def _round(self, state: State) -> State:
        """Play a round: each shard from the same weights, then the mean of what they became."""
        rate = RATE / 2 * (1 - state.rounds / self.rounds)
        known = state.weights, state.sums, state.pool, GAMES_A_SHARD, rate
        shards = ((play_shard, self._shard(*known, state.rounds, k)) for k in range(self.shards))
        found = list(self.team.played(shards))
        weights: Numbers = np.mean([weights for weights, _ in found], axis=0)
        sums: Numbers = np.mean([sums for _, sums in found], axis=0)
        total = state.total + weights if 2 * state.rounds >= self.rounds else state.total
        return state._replace(rounds=state.rounds + 1, weights=weights, sums=sums, total=total)

    def _snapshot(self, state: State) -> State:
        """Add the network to the snapshots, and keep the best of them."""
        pool = np.concatenate([state.pool, state.weights[None]])
        wins = self._tournament(pool, TOURNAMENT_DEALS, "tournament", state.rounds)
        best = np.sort(np.argsort(-wins, kind="stable")[:SNAPSHOTS])
        line = _line(
            event="tournament", rounds=state.rounds, wins=_rounded(wins), kept=best.tolist()
        )
        return state._replace(pool=pool[best], log=state.log + line)

    def _finish(self, state: State) -> State:
        """Choose the best network, and say what it wins on deals of its own."""
        rounds = self.rounds - self.rounds // 2
        mean = (state.total / rounds).astype(np.float32)
        candidates = np.concatenate([state.pool, state.weights[None], mean[None]])
        wins = self._tournament(candidates, CHOICE_DEALS, "choice")
        best = int(np.argmax(wins))
        games = trained(state.log) + json.loads(self.settings)["games"]
        line = _line(
            event="choice of snapshots, the last network and the mean", wins=_rounded(wins)
        )
        network = self.in_use.copy()
        network[self.member] = candidates[best]
        network = network.astype(np.float16)  # as it is stored
        np.savez_compressed(self.folder / f"{self.name}.npz", network=network)
        weights = network.astype(np.float32).ravel()
        table, before = (self.game, self.players), self.in_use.ravel()
        seed = streams.number(self.seed, "final")
        event = "final, against the network in use, on fresh deals"
        found = met(*table, weights, before, seed, self.team)
        line += _line(event=event, trained=games, chosen=best, **summed_up(found, self.players))
        event = "final, against the heuristic, on fresh deals"
        new, old = (met(*table, one, None, seed, self.team) for one in (weights, before))
        more = _paired(new - old)
        line += _line(event=event, trained=games, **summed_up(new, self.players), **more)
        state = state._replace(log=state.log + line)
        (self.folder / f"{self.name}.log").write_text(state.log)
        return state

    def _tournament(self, candidates: Numbers, deals: int, *place: object) -> Numbers:
        seed = streams.number(self.seed, *place)
        return tournament(self.game, self.players, candidates, deals, seed, self.team)


def _rounded(wins: Numbers) -> list[float]:
    return [round(float(share), 4) for share in wins]


def _paired(more: Numbers) -> dict[str, float]:
    """By how much a network wins and leads more than another one on the same deals."""
    errors = more.std(axis=0) / len(more) ** 0.5
    return {
        "more_wins": round(float(more[:, 0].mean()), 4),
        "error_of_these": round(float(errors[0]), 4),
        "more_lead": round(float(more[:, 1].mean()), 2),
        "error_of_that": round(float(errors[1]), 2),
    }


def _line(**facts: object) -> str:
    line = json.dumps(facts)
    print(line, file=sys.stderr, flush=True)
    return f"{line}\n"


@contextlib.contextmanager
def _bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """A bar with the time left, on a terminal."""
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed} rounds")
    times = TimeElapsedColumn(), TimeRemainingColumn()
    hidden = not sys.stderr.isatty()
    with Progress(*columns, *times, console=Console(stderr=True), disable=hidden) as shown:
        task = shown.add_task(label, total=None)
        yield lambda done, rounds: shown.update(task, completed=done, total=rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("game", choices=tuple(RULES))
    parser.add_argument("players", type=int, choices=(2, 3, 4))
    parser.add_argument("--games", type=int, default=400_000, help="to learn from, about so many")
    parser.add_argument("--shards", type=int, default=1, help="that a round has, averaged then")
    parser.add_argument("--member", type=int, default=0, help="of the ensemble, where there is one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where all goes, and goes on")
    add_options(parser)
    given = vars(parser.parse_args())
    workers, cluster = given.pop("workers"), given.pop("cluster")
    name = f"{given['game']} {given['players']}"
    try:
        if given["games"] < 1 or given["shards"] < 1:
            raise ValueError("at least one game and one shard")
        with team_of(call, workers, cluster) as found, _bar(name) as progress:
            League(**given, team=found).run(progress)
    except (OSError, ValueError, WorkerLost) as fault:
        sys.exit(str(fault))
    except KeyboardInterrupt:
        sys.exit("interrupted: the same command goes on from the last round")


if __name__ == "__main__":
    main()
