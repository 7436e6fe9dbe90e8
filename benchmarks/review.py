"""Do reviews hold what they promise? Measured on games of our own bots.

    python -m benchmarks.review luck --games 2000          # is its mean zero, what does it explain?
    python -m benchmarks.review even --games 300           # how too hopeful are values at first?
    python -m benchmarks.review levels --games 200         # what each level loses
    python -m benchmarks.review levels --games 200 --anew  # the same, and what was before forgotten
    python -m benchmarks.review levels --games 10 --with druid  # the same with a Druid at each
    python -m benchmarks.review blunders --games 100       # are they among the lessons?
    python -m benchmarks.review speed

`levels` adds to what was measured before, in benchmarks/review-levels.jsonl, a line for each seat
of each game. From all of it comes src/keltis/reviews/calibration.json. With `--anew` it first
forgets all games, or with `--with` those in which that level sat: for a new network, or one level
that plays otherwise. With `--game` and `--players` it stays at one table. It can be stopped at any
time.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import keltis
from keltis import bots, reviews
from keltis.bots.kernels import heuristic
from keltis.bots.kernels.scratch import heuristic_scratch
from keltis.bots.kernels.value_network import POINT_WORTH
from keltis.bots.weights import heuristic_weights
from keltis.game.game import DECISION_CAP, Game, spread
from keltis.game.kinds import kind
from keltis.reviews.document import FLOOR
from keltis.reviews.even import pile
from keltis.reviews.luck import Judge, adjusted, luck_of
from keltis.reviews.skill import losses
from keltis.rules.kernel import RESULT

HERE = Path(__file__).parent
EVEN = Path(reviews.__file__).parent / "even.json"
LEVELS_FILE = HERE / "review-levels.jsonl"
CALIBRATION = Path(reviews.__file__).parent / "calibration.json"
TABLES = [(game, players) for game in ("board", "stones") for players in (2, 3, 4)]
_FEWEST = 20  # games of a level, for its figures to be told
_POWER = 1.96 + 0.84  # standard errors: a difference found in 80 of 100 cases, at 95 %


def games_of_heuristic(game: str, players: int, seeds: list[int]) -> Iterator[Game]:
    """Games among heuristics, played in compiled code."""
    found = kind(game)
    states = np.zeros(1, found.rules.STATE)
    actions = np.zeros((1, DECISION_CAP), np.int16)
    scratch = heuristic_scratch(*[heuristic_weights(game, players)] * players)
    thinks = np.ones(players, np.bool_)
    for seed in seeds:
        results = np.zeros(1, RESULT)
        dealt = np.array([spread(seed)], np.uint64)
        heuristic.contest(states, players, scratch, thinks, dealt, DECISION_CAP, results, actions)
        one = keltis.new_game(game, players, seed=seed)
        for action in actions[0, : results[0]["decisions"]].tolist():
            one.play(found.tokens[action])
        yield one


def wins_and_leads(game: Game) -> tuple[list[float], list[float]]:
    """The result of each seat."""
    scores, winners = game.scores(), game.winners()
    wins = [1 / len(winners) if seat in winners else 0.0 for seat in range(len(scores))]
    leads = [
        float(own - max(s for k, s in enumerate(scores) if k != seat))
        for seat, own in enumerate(scores)
    ]
    return wins, leads


# --- Luck ----------------------------------------------------------------------------------


def luck(count: int) -> None:
    """The mean of luck by seat, in standard errors, and how much of the results it explains."""
    for game, players in TABLES:
        found: list[list[list[float]]] = [[], []]
        results: list[list[list[float]]] = [[], []]
        less: list[list[list[float]]] = [[], []]
        start = time.perf_counter()
        for one in games_of_heuristic(game, players, list(range(count))):
            drawn = luck_of(one)
            for k, outcome in enumerate(wins_and_leads(one)):
                own = [seat[k] for seat in drawn]
                found[k].append(own)
                results[k].append(outcome)
                less[k].append(adjusted(outcome, own))
        took = (time.perf_counter() - start) / count
        for k, name in enumerate(("wins", "lead")):
            values = np.array(found[k])
            errors = values.std(axis=0, ddof=1) / math.sqrt(count)
            off = values.mean(axis=0) / errors
            explained = 1 - np.var(less[k], axis=0).mean() / np.var(results[k], axis=0).mean()
            print(
                f"{game} {players} {name}: mean {np.round(values.mean(axis=0), 4).tolist()}, "
                f"{np.round(off, 2).tolist()} standard errors; explains {explained:.0%}; "
                f"{1000 * took:.0f} ms a game with playing it",
                flush=True,
            )


# --- Equals --------------------------------------------------------------------------------


def equals(count: int) -> None:
    """By how much the network is too hopeful among heuristics; see keltis/reviews/even.py."""
    out: dict[str, dict[str, dict[str, float]]] = {}
    for game, players in TABLES:
        found: list[tuple[float, float, float, float, float]] = []
        for one in games_of_heuristic(game, players, list(range(count))):
            judge = Judge(one._kind, players)
            actions = np.array([one._kind.actions[move] for move in one.moves], np.int64)
            judged, weighed = judge.analysed(one._start, actions)
            wins, leads = wins_and_leads(one)
            left = pile(game, players)
            for each in judged:
                moves = weighed[each["first"] : each["first"] + each["count"]]
                best = moves[np.argmax(moves["wins"] + POINT_WORTH * moves["lead"])]
                share, seat = left / pile(game, players), each["seat"]
                found.append((best["wins"], best["lead"], share, wins[seat], leads[seat]))
                left -= each["shown"] >= 0
        chance, lead, share, won, led = np.array(found).T
        odds = np.log(chance.clip(1e-4, 1 - 1e-4) / (1 - chance.clip(1e-4, 1 - 1e-4)))

        def surprise(power: float, shift: float) -> float:
            """The log loss of the chances; it is called before the next table is looked at."""
            expected = 1 / (1 + np.exp(-(odds - shift * share**power)))  # noqa: B023
            expected = expected.clip(1e-4, 1 - 1e-4)
            return float(-(won * np.log(expected) + (1 - won) * np.log(1 - expected)).mean())  # noqa: B023

        choices = [(p / 4, s / 20) for p in range(1, 9) for s in range(-4, 41)]
        power, shift = min(choices, key=lambda each: surprise(*each))
        weight = share**power
        out.setdefault(game, {})[str(players)] = {
            "power": power,
            "shift": shift,
            "lead": round(float(((lead - led) * weight).sum() / (weight**2).sum()), 2),
            "start": round(float(led.mean()), 1) if players > 2 else 0.0,
        }
        print(
            f"{game} {players}: {out[game][str(players)]}; log loss {surprise(power, shift):.3f}, "
            f"uncorrected {surprise(1, 0):.3f}",
            flush=True,
        )
    EVEN.write_text(json.dumps(out, indent=1) + "\n")


# --- Levels --------------------------------------------------------------------------------


def levels(
    count: int, seed: int, tables: list[tuple[str, int]], guest: str | None, *, anew: bool
) -> None:
    """Games of levels at random seats: what each loses; then the calibration of all so far.

    A `guest` sits at each table, beside any levels but the strongest.
    """
    random = Random(f"{seed} {guest} {tables}")
    if anew:
        forget(tables, guest)
    spent: dict[tuple[str, int], list[float]] = {table: [0.0, 0.0] for table in tables}
    with LEVELS_FILE.open("a") as file:
        for number in range(count):
            for game, players in tables:
                seats = [random.choice(bots.LEVELS[:-1]) for _ in range(players)]
                if guest:
                    seats[random.randrange(players)] = guest
                one = keltis.new_game(game, players, seed=random.getrandbits(60))
                made = [bots.make_steady(level, random.getrandbits(60)) for level in seats]
                start = time.process_time()
                while one.seat is not None and len(one.moves) < DECISION_CAP:
                    one.play(made[one.seat].choose(one.view(one.seat)))
                played = time.process_time()
                found = reviews.network_review(one)
                spent[game, players][0] += played - start
                spent[game, players][1] += time.process_time() - played
                wins, leads = wins_and_leads(one)
                for own, level in enumerate(seats):
                    lost = losses(found["decisions"], own)
                    line = {
                        "game": game,
                        "players": players,
                        "level": level,
                        "lost": round(sum(lost), 3),
                        "decisions": len(lost),
                        "wins": round(wins[own], 4),
                        "lead": leads[own],
                        "mates": [mate for k, mate in enumerate(seats) if k != own],
                    }
                    file.write(json.dumps(line) + "\n")
                file.flush()
            if number % 10 == 9:
                print(f"{number + 1} of {count}", flush=True)
    for (game, players), (playing, reviewing) in spent.items():
        print(
            f"{game} {players}: {playing / count:.2f} s of processor time to play a game, "
            f"{1000 * reviewing / count:.0f} ms to review it"
        )
    calibrate()


def forget(tables: list[tuple[str, int]], guest: str | None) -> None:
    """Forget the games at some tables; with a guest, those in which that level sat."""
    kept = []
    for text in LEVELS_FILE.read_text().splitlines():
        line = json.loads(text)
        there = (line["game"], line["players"]) in tables
        if not there or (guest and guest not in (line["level"], *line["mates"])):
            kept.append(text)
    LEVELS_FILE.write_text("".join(f"{text}\n" for text in kept))


def calibrate() -> None:
    """Write the calibration from all that was measured, and print it with what it takes to tell."""
    seen: dict[tuple[str, int, str], list[dict[str, Any]]] = defaultdict(list)
    for text in LEVELS_FILE.read_text().splitlines():
        line = json.loads(text)
        seen[line["game"], line["players"], line["level"]].append(line)
    out: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for game, players in TABLES:
        table = out.setdefault(game, {}).setdefault(str(players), {})
        print(f"{game}, {players} players")
        before: tuple[float, float, float, float] | None = None
        for level in bots.LEVELS:
            lines = seen[game, players, level]
            if len(lines) < _FEWEST:
                continue
            each = [one["lost"] / one["decisions"] for one in lines if one["decisions"]]
            leads = [one["lead"] for one in lines]
            mean = sum(one["lost"] for one in lines) / sum(one["decisions"] for one in lines)
            spread_ = statistics.stdev(each)
            result, result_spread = statistics.mean(leads), statistics.stdev(leads)
            table[level] = {
                "lost": round(mean, 3),
                "error": round(spread_ / math.sqrt(len(each)), 3),
                "spread": round(spread_, 3),
                "games": len(each),
            }
            need = ""
            if before:
                by_skill = _games_to_tell(before[0] - mean, before[1], spread_)
                by_result = _games_to_tell(result - before[2], before[3], result_spread)
                need = f"; games to tell from the one above: {by_skill}, by leads {by_result}"
            print(
                f"  {level:6} {mean:.2f} ± {1.96 * table[level]['error']:.2f} a decision, "
                f"{spread_:.2f} between games, {len(each)} games, mean lead {result:+.1f}{need}"
            )
            before = mean, spread_, result, result_spread
    CALIBRATION.write_text(json.dumps(out, indent=1) + "\n")


def _games_to_tell(gap: float, one: float, other: float) -> str:
    """How many games of each it takes to tell two apart by a number of each game."""
    if gap <= 0:
        return "the order is not as expected"
    return str(max(1, math.ceil(_POWER**2 * (one**2 + other**2) / gap**2)))


# --- Blunders ------------------------------------------------------------------------------


def blunders(count: int, seed: int, level: str, game: str, players: int) -> None:
    """Replace one decision of a strong player by its worst: is it among its three lessons?"""
    random = Random(seed)
    by_network = by_search = mistakes = planted = 0
    sizes: list[float] = []
    while planted < count:
        made = plant(random, level, game, players)
        if made is None:
            continue
        one, step, seat = made
        planted += 1
        found = reviews.network_review(one)
        sizes.append(found["decisions"][step]["loss"]["lead"])
        by_network += step in found["seats"][seat]["lessons"]
        for _ in reviews.refine(found, one, seat=seat):
            pass
        by_search += step in found["seats"][seat]["lessons"]
        mistakes += found["seats"][seat]["mistakes"] - (
            found["decisions"][step]["verdict"] == "mistake"
        )
        print(
            f"{game} {players} {level}: {planted} planted, found by the network {by_network}, "
            f"after the search {by_search}; {mistakes / planted:.2f} other mistakes a game; the "
            f"blunders cost {statistics.mean(sizes):.1f} points",
            flush=True,
        )


def plant(random: Random, level: str, game: str, players: int) -> tuple[Game, int, int] | None:
    """A game of one level in which one decision is its worst, as the network judges; where it is.

    Only decisions are taken whose worst would lose more than the floor; None if there was none at
    the place that chance chose.
    """
    seed = random.getrandbits(60)
    one = keltis.new_game(game, players, seed=seed)
    made = [bots.make_steady(level, random.getrandbits(60)) for _ in range(players)]
    place = random.randrange(10, 80 if game == "board" else 50)
    blunder = None
    while one.seat is not None and len(one.moves) < DECISION_CAP:
        seat, view = one.seat, one.view(one.seat)
        move = made[seat].choose(view)
        if blunder is None and len(one.moves) >= place:
            judged = bots.make("network").advise(view)["moves"]
            worst = judged[-1]
            lost = {
                "wins": judged[0]["wins"] - worst["wins"],
                "lead": judged[0]["value"] - worst["value"],
            }
            if lost["lead"] >= 3 * FLOOR["lead"] or lost["wins"] >= 3 * FLOOR["wins"]:
                blunder = len(one.moves), seat
                move = worst["move"]
        one.play(move)
    return None if blunder is None else (one, *blunder)


# --- Speed ---------------------------------------------------------------------------------


def speed() -> None:
    """What a first pass costs, and luck alone, and the longest step of a second: processor time."""
    for game, players in TABLES:
        for one in games_of_heuristic(game, players, [1, 2, 3]):
            judge = Judge(one._kind, players)
            actions = np.array([one._kind.actions[move] for move in one.moves], np.int64)
            start = time.process_time()
            judge.analysed(one._start, actions, luck_only=True)
            luck_alone = time.process_time() - start
            start = time.process_time()
            found = reviews.network_review(one)
            first = time.process_time() - start
            longest = whole = 0.0
            start = time.process_time()
            for _ in reviews.refine(found, one):
                now = time.process_time()
                longest, whole, start = max(longest, now - start), whole + now - start, now
            print(
                f"{game} {players}: {len(one.moves)} decisions; luck of the draws "
                f"{1000 * luck_alone:.0f} ms, first pass {1000 * first:.0f} ms; second pass "
                f"{whole:.1f} s for {found['searched']['done']} decisions, longest step "
                f"{1000 * longest:.0f} ms",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "what", choices=("luck", "even", "levels", "calibrate", "blunders", "speed")
    )
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--with", dest="guest", choices=bots.LEVELS)
    parser.add_argument("--anew", action="store_true")
    parser.add_argument("--level", default="druid", choices=bots.LEVELS)
    parser.add_argument("--game", choices=("board", "stones"))
    parser.add_argument("--players", type=int, choices=(2, 3, 4))
    given = parser.parse_args()
    tables = [
        (game, players)
        for game, players in TABLES
        if given.game in (None, game) and given.players in (None, players)
    ]
    if given.what == "luck":
        luck(given.games)
    elif given.what == "even":
        equals(given.games)
    elif given.what == "levels":
        levels(given.games, given.seed, tables, given.guest, anew=given.anew)
    elif given.what == "calibrate":
        calibrate()
    elif given.what == "blunders":
        for game, players in tables:
            blunders(given.games, given.seed, given.level, game, players)
    else:
        speed()


if __name__ == "__main__":
    main()
