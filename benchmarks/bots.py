"""How strong are the bots? Everything that docs/bots.md says of it is measured here.

    python -m benchmarks.bots                 # all of it: hours on two cores
    python -m benchmarks.bots random levels   # some of it
    python -m benchmarks.bots --figures       # only sum up what has been played

Contests keep their records in build/bots, so that a run can be stopped and taken up again. Once the
bots have changed, that folder must be emptied first.
The result goes to docs/bots.json, into the tables of docs/bots.md, drawn to docs/bots.png, and
the levels' ratings to src/keltis/bots/strength.json.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track

from benchmarks import levels as quick
from keltis import bots
from keltis.arena import arena
from keltis.arena.contest import settings_for
from keltis.arena.playing import play_deal
from keltis.arena.ratings import rate
from keltis.arena.statistics import Line, Mean
from keltis.arena.streams import orders
from keltis.arena.teams import call, team
from keltis.bots.position import likely_deals
from keltis.bots.search import PlanSearch
from keltis.game.game import new_game
from keltis.rules import board, stones
from keltis.rules.kernel import RESULT

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "bots"
FIGURES = ROOT / "docs" / "bots.json"
PICTURE = ROOT / "docs" / "bots.png"
STRENGTH = ROOT / "src" / "keltis" / "bots" / "strength.json"
PAGE = ROOT / "docs" / "bots.md"
MARKS = "<!-- measured -->\n", "<!-- end -->\n"
TABLES = [(game, players) for game in ("board", "stones") for players in (2, 3, 4)]
BARS = {("board", 2): 400, ("board", 4): 800, ("stones", 2): 400, ("stones", 4): 400}  # games
# Rollouts that take a tenth of a second on one core, on average where there is a choice.
TENTH = {("board", 2): 2_150, ("board", 4): 1_500, ("stones", 2): 3_500, ("stones", 4): 2_400}
SLOW = bots.LEVELS[-1]  # the level that searches
RATED_GAMES = 6_000  # of each table of the others
RATED_SLOW_GAMES = {2: (60, 20), 3: (30, 12), 4: (32, 12)}  # against the two below it
STALL_BOTS, STALL_ROLLOUTS = [*bots.LEVELS[:5], "random", "search"], 30
_most_games = 1_000_000  # for each contest that takes long; --games lowers it
_cluster: str | None = None  # Ray's address; without it, the cores of this machine
SEED = 20_261_119  # deals on which nothing has been decided


def against_random() -> Iterator[tuple[str, Any]]:
    for game, players in TABLES:
        found = arena(["heuristic", "random"], game=game, players=players, games=12_000, seed=SEED)
        yield f"heuristic-random/{game}-{players}", found


def against_heuristic() -> Iterator[tuple[str, Any]]:
    for (game, players), games in BARS.items():
        name = f"search-heuristic/{game}-{players}"
        yield name, kept(name, ["search", "heuristic"], game, players, games, TENTH[game, players])


def levels() -> Iterator[tuple[str, Any]]:
    for game in ("board", "stones"):
        for below, level in zip(bots.LEVELS, bots.LEVELS[1:], strict=False):
            name = f"levels/{game}-{level}-{below}"
            if level == SLOW:
                yield name, kept(name, [level, below], game, 2, RATED_SLOW_GAMES[2][0])
            else:
                yield name, quick.contest([level, below], game, 2, RATED_GAMES, SEED)


def rated_tables(players: int) -> Iterator[tuple[list[str], int]]:
    """Who meets whom to be rated, and how many games they play.

    All tables of the levels that don't search, and the one that does against the two below it.
    """
    others = bots.LEVELS[:-1]
    for table in combinations(others, players):
        yield list(table), RATED_GAMES
    for other, games in zip(reversed(others[-2:]), RATED_SLOW_GAMES[players], strict=True):
        yield [SLOW, other], games


def ratings() -> dict[str, Any]:
    """The levels' ratings for each game and number of players, on the scale of Elo."""
    found: dict[str, Any] = {}
    for game, players in TABLES:
        contests = []
        for names, games in rated_tables(players):
            if SLOW not in names:
                contests.append(quick.contest(names, game, players, games, SEED))
                continue
            pair = f"levels/{game}-{names[0]}-{names[1]}"  # the same games with two players
            name = pair if players == 2 else f"ratings/{game}-{players}-{names[1]}"
            contests.append(kept(name, names, game, players, games))
        found[f"{game}-{players}"] = {
            rating.bot: {
                "rating": round(rating.rating),
                "error": round(rating.error, 1),
                "games": rating.games,
            }
            for rating in rate(list(bots.LEVELS), contests)
        }
    return found


def with_time() -> Iterator[tuple[str, Any]]:
    for game in ("board", "stones"):
        for tenths, games in ((0.3, 200), (3, 60), (10, 20)):
            name = f"time/{game}-2-{tenths}"
            rollouts = round(tenths * TENTH[game, 2])
            yield name, kept(name, ["search", "heuristic"], game, 2, games, rollouts)


def stalls() -> dict[str, int]:
    """Games of all pairings, and how many of them had to be cut off (B22).

    The search thinks little here, so that it plays games enough; `raven` is the heuristic.
    """
    pairs = list(combinations_with_replacement(STALL_BOTS, 2))
    games = min(10_000, _most_games)
    deals = []
    for number, pair in enumerate(pairs):
        for game, players in TABLES:
            settings = settings_for(
                list(pair),
                game=game,
                players=players,
                seed=SEED + number,
                rollouts=STALL_ROLLOUTS,
            )
            of_deal = len(pairs) * len(TABLES) * len(orders(settings.bots))
            deals += [(settings, deal, False) for deal in range(math.ceil(games / of_deal))]
    # The processes play games of all pairings: to begin new ones takes longer than their games.
    with team(call, None, _cluster) as workers:
        played = workers.played((play_deal, *deal) for deal in deals)
        console = Console(stderr=True)
        followed = track(
            played, "stalls", len(deals), console=console, disable=not console.is_terminal
        )
        outcomes = [outcome for games_of_deal in followed for outcome in games_of_deal]
    cut_off = sum(outcome.cut_off for outcome in outcomes)
    print(f"stalls: {len(outcomes)} games, {cut_off} cut off", flush=True)
    return {"games": len(outcomes), "cut_off": cut_off}


def kept(
    name: str, names: list[str], game: str, players: int, games: int, rollouts: int | None = None
) -> Any:
    started = time.monotonic()
    games = min(games, _most_games)
    found = arena(
        names,
        game=game,
        players=players,
        games=games,
        seed=SEED,
        rollouts=rollouts,
        out=FOLDER / name,
        cluster=_cluster,
    )
    print(f"{name}: {time.monotonic() - started:.0f} s", flush=True)
    return found


def so_far() -> Iterator[tuple[str, Any]]:
    """What has been played of the contests that keep their records, up to the last whole deal.

    All but those for ratings, which are made of whole contests.
    Not while one of them goes on: what is left of a deal that is not whole is cut away.
    """
    for records in sorted(FOLDER.glob("*/*/records.jsonl")):
        if records.is_relative_to(FOLDER / "ratings"):
            continue
        contest = json.loads((records.parent / "contest.json").read_text())
        players = len(contest["bots"])  # and so many games a deal: the first bot in every seat
        with records.open() as lines:
            games = sum(1 for _ in lines) // players * players
        if games:
            try:
                found = arena(
                    list(dict.fromkeys(contest["bots"])),
                    game=contest["game"],
                    players=players,
                    games=games,
                    seed=contest["seed"],
                    rollouts=contest["rollouts"],
                    out=records.parent,
                )
            except ValueError as fault:  # games of bots that have changed since
                print(f"left out: {fault}")
                continue
            yield records.parent.relative_to(FOLDER).as_posix(), found


def speed() -> dict[str, Any]:
    """Rollouts a second on one core, and the cost of a decision against one at random."""
    out: dict[str, Any] = {}
    for game, rules in (("board", board), ("stones", stones)):
        found = PlanSearch(game, likely_deals(new_game(game, seed=1).view(0), seed=1), seed=1)
        states = np.zeros(1, rules.STATE)
        results = np.zeros(2_000, RESULT)
        extra = (0,) if game == "board" else ()
        rates, playouts = [], []
        for _ in range(9):
            start = time.process_time()  # so that a busy machine changes little
            found.play(0, 20)
            rates.append(20 * len(found.alive) / (time.process_time() - start))
            start = time.process_time()
            rules.playouts(states, 0, 2, *extra, 10_000, results)
            playouts.append(len(results) / (time.process_time() - start))
        rate, random = float(np.median(rates[1:])), float(np.median(playouts[1:]))
        out[game] = {
            "rollouts_per_second": round(rate),
            "random_games_per_second": round(random),
            "ratio": round(rate / random, 3),
        }
    return out


PARTS = {
    "random": against_random,
    "heuristic": against_heuristic,
    "levels": levels,
    "time": with_time,
}
FACTS: dict[str, Callable[[], dict[str, Any]]] = {
    "ratings": ratings,
    "stalls": stalls,
    "speed": speed,
}


def figures(line: Line, cut_off: int) -> dict[str, Any]:
    def told(mean: Mean) -> dict[str, float]:
        return {
            "mean": round(mean.value, 4),
            "low": round(mean.low, 4),
            "high": round(mean.high, 4),
        }

    return {
        "games": line.games,
        "deals": line.deals,
        "wins": told(line.wins),
        "margin": told(line.margin),
        "score": round(line.score.value, 2),
        "seconds_per_decision": round(line.seconds, 5),
        "cut_off": cut_off,
    }


def dated(figures: dict[str, Any], before: dict[str, Any] | None) -> dict[str, Any]:
    """Figures with the day on which they were first found: bots change, and not all is repeated."""
    date = datetime.now(UTC).date().isoformat()
    if before and {**before, "date": date} == {**figures, "date": date}:
        return before
    return {**figures, "date": date}


def draw(found: dict[str, Any]) -> None:
    """The search's share of wins against the heuristic, as it is given more time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4), layout="constrained")
    axes = figure.subplots()
    curves = 0
    for game, marker in (("board", "o"), ("stones", "s")):
        points = {1.0: found.get(f"search-heuristic/{game}-2")}
        points |= {tenths: found.get(f"time/{game}-2-{tenths}") for tenths in (0.3, 3, 10)}
        known = sorted((tenths / 10, value) for tenths, value in points.items() if value)
        if len(known) < 2:
            continue  # one point is no curve
        curves += 1
        means = np.array([value["wins"]["mean"] for _, value in known])
        low = means - np.array([value["wins"]["low"] for _, value in known])
        high = np.array([value["wins"]["high"] for _, value in known]) - means
        seconds = [second for second, _ in known]
        axes.errorbar(seconds, means, yerr=[low, high], marker=marker, capsize=3, label=game)
    if not curves:
        return
    axes.set(
        xscale="log",
        xlabel="seconds a decision on one core",
        ylabel="share of wins against the heuristic",
        ylim=(0.5, 1),
    )
    times = [0.03, 0.1, 0.3, 1]
    axes.set_xticks(times, [f"{seconds:g}" for seconds in times])
    axes.set_xticks([], minor=True)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(PICTURE, dpi=120)


def write_strength(found: dict[str, Any]) -> None:
    """The levels' ratings, for all who show them."""
    rated = found.get("ratings")
    if rated is None:
        return
    strength = {
        level: {
            game: {
                str(players): rated[f"{game}-{players}"][level]["rating"] for players in (2, 3, 4)
            }
            for game in ("board", "stones")
        }
        for level in bots.LEVELS
    }
    STRENGTH.write_text(json.dumps(strength, indent=1) + "\n")


def tables(found: dict[str, Any]) -> str:
    """The figures as the page shows them."""
    lines = [
        "| first | against | game | players | games | wins of the first (95 % interval) | margin "
        "| measured |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, value in sorted(found.items()):
        kind, _, rest = name.partition("/")
        if kind in ("heuristic-random", "search-heuristic"):
            first, other = kind.split("-")
            game, players = rest.split("-")
        elif kind == "levels":
            game, first, other = rest.split("-")
            players = "2"
        elif kind == "time":
            game, players, tenths = rest.split("-")
            first, other = f"search, {float(tenths):g} × the budget", "heuristic"
        else:
            continue
        wins = value["wins"]
        lines.append(
            f"| {first} | {other} | {game} | {players} | {value['games']:,} "
            f"| {wins['mean']:.1%} ({max(0, wins['low']):.1%} to {min(1, wins['high']):.1%}) "
            f"| {value['margin']['mean']:+.1f} | {value['date']} |"
        )
    if speed := found.get("speed"):
        lines += [
            "",
            "| game | rollouts/s, one core | random games/s | ratio |",
            "|---|---|---|---|",
        ]
        lines += [
            f"| {game} | {rate['rollouts_per_second']:,} | {rate['random_games_per_second']:,} "
            f"| {rate['ratio']:.3f} |"
            for game, rate in speed.items()
        ]
    if rated := found.get("ratings"):
        lines += [
            "",
            "| rating (95 %) | " + " | ".join(f"`{g}` {n}" for g, n in TABLES) + " |",
            "|---|" + "---|" * len(TABLES),
        ]
        for level in bots.LEVELS:
            marks = [rated[f"{game}-{players}"][level] for game, players in TABLES]
            cells = [f"{one['rating']} ± {1.96 * one['error']:.0f}" for one in marks]
            lines.append(f"| {level} | " + " | ".join(cells) + " |")
        games = [rated[f"{game}-{players}"][SLOW]["games"] for game, players in TABLES]
        lines.append(f"| games of {SLOW} | " + " | ".join(map(str, games)) + " |")
    if told := found.get("stalls"):
        lines += [
            "",
            f"{told['games']:,} games of all pairings of `random`, the first five levels and a "
            f"search with {STALL_ROLLOUTS} rollouts, both games, two to four players: "
            f"{told['cut_off']} had to be cut off.",
        ]
    return "\n".join(lines) + "\n"


def write_page(found: dict[str, Any]) -> None:
    before, _, rest = PAGE.read_text().partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    PAGE.write_text(before + MARKS[0] + tables(found) + MARKS[1] + after)


def main() -> None:
    global _most_games, _cluster
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS, *FACTS])
    parser.add_argument("--figures", action="store_true", help="only sum up what was played")
    parser.add_argument("--games", type=int, default=_most_games, help="at most so many each")
    parser.add_argument("--cluster", metavar="ADDRESS", help="Ray's: auto, local or host:port")
    given = parser.parse_args()
    _most_games, _cluster = given.games, given.cluster
    found: dict[str, Any] = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    wanted = ["so far"] if given.figures else given.parts or [*PARTS, *FACTS]
    for part in wanted:
        if part in FACTS:
            found[part] = FACTS[part]()
        else:
            for name, contest in (PARTS | {"so far": so_far})[part]():
                found[name] = dated(figures(contest.lines[0], contest.cut_off), found.get(name))
                FIGURES.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
        FIGURES.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    write_strength(found)
    draw(found)
    write_page(found)


if __name__ == "__main__":
    main()
