"""`keltis arena` and `keltis bots`: bots against bots, and the bots there are."""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from keltis import bots
from keltis.arena import BotFault, Contest, Fault, arena, round_robin
from keltis.arena.statistics import Line, Mean, Sprt, plain
from keltis.arena.workers import WorkerLost
from keltis.cli.extras import require
from keltis.cli.failure import Failure
from keltis.cli.failure import plain as printable
from keltis.cli.progress import bars
from keltis.game.tokens import GAMES


def contest(
    names: list[str],
    *,
    players: int | None,
    tournament: bool,
    sprt: tuple[float, float] | None,
    as_json: bool,
    **settings: Any,
) -> None:
    if tournament and sprt:
        raise Failure("--sprt compares two bots: it does not go with --round-robin")
    if settings.get("out"):
        require("arena", "the picture of --out")
    if settings.get("cluster") is not None:
        require("cluster", "--cluster")
    try:
        with _progress() as progress:
            if tournament:
                _round_robin(names, players or 2, progress, as_json=as_json, **settings)
                return
            found = arena(names, players=players, sprt=sprt, progress=progress(""), **settings)
    except BotFault as fault:
        _show(fault.fault)
        cure = "with --forfeit it would lose this game, and the contest go on"
        raise Failure(f"{fault} ({cure})") from None
    except (ValueError, WorkerLost) as fault:
        raise Failure(str(fault)) from None
    if as_json:
        print(json.dumps(_facts(found, settings.get("out")), indent=2))
        return
    for line in report(found, sprt, settings.get("out")):
        print(line)
    if found.faults:
        _show(found.faults[0])


def _show(fault: Fault) -> None:
    """A bot's own traceback, for whoever wrote it."""
    for line in fault.traceback.splitlines():
        print(printable(line), file=sys.stderr)


def _round_robin(
    names: list[str], players: int, progress: Any, *, as_json: bool, **settings: Any
) -> None:
    def told(label: str, done: int, deals: int, wins: Mean) -> None:
        progress(label)(done, deals, wins)

    table, contests = round_robin(names, players=players, progress=told, **settings)
    if as_json:
        facts = {
            "ratings": [asdict(rating) for rating in table],
            "contests": [_facts(found, _folder(found, settings.get("out"))) for found in contests],
        }
        print(json.dumps(facts, indent=2))
        return
    print(f"{'bot':<14}{'rating':>8}{'':>7}{'games':>9}{'wins':>8}")
    for rating in table:
        print(
            f"{rating.bot:<14}{rating.rating:>8.0f} ± {1.96 * rating.error:<4.0f}"
            f"{rating.games:>9}{rating.wins:>8.1%}"
        )
    for found in contests:
        for line in _remarks(found, _folder(found, settings.get("out"))):
            print(line)
    faults = [fault for found in contests for fault in found.faults]
    if faults:
        _show(faults[0])


def _folder(found: Contest, out: Path | None) -> Path | None:
    """Where a round robin keeps one of its contests."""
    return out and out / "-".join(found.settings.bots)


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[str], Callable[[int, int, Mean], None] | None]]:
    """A bar with the time left and the running result, where somebody sees it."""
    with bars() as shown:
        if shown is None:
            yield lambda label: lambda done, deals, wins: None
            return
        tasks: dict[str, Any] = {}

        def bar(label: str) -> Callable[[int, int, Mean], None]:
            if label not in tasks:
                tasks[label] = shown.add_task(f"{label} getting ready", total=None)

            def show(done: int, deals: int, wins: Mean) -> None:
                text = f"{label} first bot wins {wins.value:.1%}".strip()
                shown.update(tasks[label], completed=done, total=deals, description=text)

            return show

        yield bar


def report(
    found: Contest, sprt: tuple[float, float] | None, out: Path | None = None
) -> Iterator[str]:
    """The result in words; every interval is one of 95 % over deals."""
    lines = found.lines
    yield (
        f"{found.settings.game}, {found.settings.players} players: {lines[0].games} games, "
        f"{lines[0].deals} deals, each in every order of seats"
    )
    yield f"{'bot':<14}{'wins':>8} {'':16}{'margin':>8}{'':9}{'score':>7}{'ms/decision':>14}"
    for line in lines:
        yield (
            f"{line.bot:<14}{line.wins.value:>8.2%} {_range(line.wins, 100, 2):<16}"
            f"{line.margin.value:>8.2f} {_half(line.margin):<8}{line.score.value:>7.1f}"
            f"{1000 * line.seconds:>14.3f}"
        )
    yield from _less_luck(lines)
    yield _elo(lines[0])
    yield from _remarks(found, out)
    if sprt and found.ratio is not None:
        words = {
            "accepted": f"better by at least {sprt[1]:g} Elo rather than {sprt[0]:g}",
            "rejected": f"not better by {sprt[1]:g} Elo rather than {sprt[0]:g}",
            None: "not decided yet",
        }
        yield f"SPRT: {words[found.sprt]} (log ratio {found.ratio:.2f}, bounds ±{Sprt.BOUND:.2f})"


def _less_luck(lines: list[Line]) -> Iterator[str]:
    """The same with the luck of draws taken out, if the contest tells."""
    for line in lines:
        wins, ahead = line.wins_less_luck, line.margin_less_luck
        if wins and ahead:
            if line is lines[0]:
                yield "with the luck of draws taken out:"
            yield (
                f"{line.bot:<14}{wins.value:>8.2%} {_range(wins, 100, 2):<16}"
                f"{ahead.value:>8.2f} {_half(ahead)}"
            ).rstrip()


def _remarks(found: Contest, out: Path | None) -> Iterator[str]:
    """What else is to be known of a contest."""
    if found.taken:
        yield f"{found.taken} of {len(found.outcomes)} games were taken from {out}"
    if found.cut_off:
        yield f"{found.cut_off} games hit the cap of decisions and were cut off"
    for line in found.lines:
        if line.forfeits:
            first = next(fault for fault in found.faults if fault.bot == line.bot)
            yield printable(f"{line.bot} lost {line.forfeits} games by a fault; the first: {first}")


def _half(mean: Mean) -> str:
    return f"± {mean.high - mean.value:.2f}" if math.isfinite(mean.error) else ""


def _range(mean: Mean, times: float, digits: int) -> str:
    if not math.isfinite(mean.low):
        return ""  # after one deal
    return f"({times * mean.low:.{digits}f} to {times * mean.high:.{digits}f})"


def _elo(line: Line) -> str:
    if line.elo is None:
        why = "one deal" if line.deals == 1 else "a result so clear"
        return f"{line.bot}: no Elo difference can be told from {why}"
    return f"{line.bot} is ahead by {line.elo.value:.0f} {_range(line.elo, 1, 0)} Elo"


def _facts(found: Contest, out: Path | None) -> dict[str, Any]:
    return {
        **asdict(found.settings),
        "lines": plain(found.lines),
        "cut_off": found.cut_off,
        "sprt": found.sprt,
        "taken": {"games": found.taken, "from": str(out)} if found.taken else None,
        "faults": [asdict(fault) for fault in found.faults],
    }


def list_bots(*, as_json: bool) -> None:
    """The registry, with what was measured of each bot's strength."""
    strengths = {players: bots.strengths(players) for players in (2, 3, 4)}
    found = bots.entries().values()
    if as_json:
        facts = [
            {
                "name": entry.name,
                "about": entry.about,
                "level": entry.level,
                "rating": strengths[2].get(entry.name),
                "ratings": {
                    str(players): of[entry.name]
                    for players, of in strengths.items()
                    if entry.name in of
                },
            }
            for entry in found
        ]
        print(json.dumps(facts, indent=2))
        return
    for entry in found:
        print(f"{entry.name:<12}{entry.level or '':<3}{entry.about}")
    print()
    print(f"{'ratings':<15}" + "".join(f"{game:<21}" for game in GAMES).rstrip())
    print(f"{'players':<12}" + "".join(f"{players:>6}" for players in strengths) * len(GAMES))
    for name in bots.LEVELS:
        marks = [of[name][game] for game in GAMES for of in strengths.values()]
        print(f"{name:<12}" + "".join(f"{mark:>6}" for mark in marks))
    print("They are on the scale of Elo; the mean of the levels is 1500. See docs/bots.md.")
