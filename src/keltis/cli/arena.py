"""`keltis arena` and `keltis bots`: bots against bots, and the bots there are."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from keltis import bots
from keltis.arena import Contest, arena, round_robin
from keltis.arena.statistics import Line, Mean, Sprt, plain
from keltis.cli.extras import require
from keltis.cli.failure import Failure
from keltis.cli.progress import bars


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
    if tournament:
        require("arena", "--round-robin")
    if settings.get("out"):
        require("arena", "the picture of --out")
    try:
        with _progress() as progress:
            if tournament:
                _round_robin(names, players or 2, progress, as_json=as_json, **settings)
                return
            found = arena(names, players=players, sprt=sprt, progress=progress(""), **settings)
    except ValueError as fault:
        raise Failure(str(fault)) from None
    if as_json:
        print(json.dumps(_facts(found), indent=2))
    else:
        for line in report(found, sprt):
            print(line)


def _round_robin(
    names: list[str], players: int, progress: Any, *, as_json: bool, **settings: Any
) -> None:
    def told(label: str, done: int, deals: int, wins: Mean) -> None:
        progress(label)(done, deals, wins)

    table, contests = round_robin(names, players=players, progress=told, **settings)
    if as_json:
        facts = {
            "ratings": [asdict(rating) for rating in table],
            "contests": [_facts(found) for found in contests],
        }
        print(json.dumps(facts, indent=2))
        return
    print(f"{'bot':<14}{'rating':>8}{'':>7}{'games':>9}{'wins':>8}")
    for rating in table:
        print(
            f"{rating.bot:<14}{rating.rating:>8.0f} ± {1.96 * rating.error:<4.0f}"
            f"{rating.games:>9}{rating.wins:>8.1%}"
        )


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


def report(found: Contest, sprt: tuple[float, float] | None) -> Iterator[str]:
    """The result in words; every interval is one of 95 % over deals."""
    lines = found.lines
    yield (
        f"{found.settings.game}, {found.settings.players} players: {lines[0].games} games, "
        f"{lines[0].deals} deals, each in every order of seats"
    )
    yield f"{'bot':<14}{'wins':>8}{'':10}{'margin':>8}{'':9}{'score':>7}{'ms/decision':>14}"
    for line in lines:
        yield (
            f"{line.bot:<14}{line.wins.value:>8.2%} {_half(line.wins, 100):<9}"
            f"{line.margin.value:>8.2f} {_half(line.margin, 1):<8}{line.score.value:>7.1f}"
            f"{1000 * line.seconds:>14.3f}"
        )
    yield _elo(lines[0])
    if found.cut_off:
        yield f"{found.cut_off} games hit the cap of decisions and were cut off"
    if sprt and found.ratio is not None:
        words = {
            "accepted": f"better by at least {sprt[1]:g} Elo rather than {sprt[0]:g}",
            "rejected": f"not better by {sprt[1]:g} Elo rather than {sprt[0]:g}",
            None: "not decided yet",
        }
        yield f"SPRT: {words[found.sprt]} (log ratio {found.ratio:.2f}, bounds ±{Sprt.BOUND:.2f})"


def _half(mean: Mean, times: float) -> str:
    half = times * (mean.high - mean.value)
    return f"± {half:.2f}" if math.isfinite(half) else ""


def _elo(line: Line) -> str:
    if not math.isfinite(line.elo.error) or line.wins.value in (0, 1):
        return f"{line.bot}: no Elo difference can be told from a result so clear"
    return f"{line.bot} is ahead by {line.elo.value:.0f} {_half(line.elo, 1)} Elo"


def _facts(found: Contest) -> dict[str, Any]:
    return {
        **asdict(found.settings),
        "lines": plain(found.lines),
        "cut_off": found.cut_off,
        "sprt": found.sprt,
    }


def list_bots(*, as_json: bool) -> None:
    """The registry, with what was measured of each bot's strength."""
    strength = bots.strengths()
    found = bots.entries().values()
    if as_json:
        facts = [
            {
                "name": entry.name,
                "about": entry.about,
                "level": entry.level,
                "rating": strength.get(entry.name),
            }
            for entry in found
        ]
        print(json.dumps(facts, indent=2))
        return
    print(f"{'bot':<12}{'level':>6}{'board':>8}{'stones':>8}  ")
    for entry in found:
        level = str(entry.level or "")
        marks = strength.get(entry.name, {})
        print(
            f"{entry.name:<12}{level:>6}{marks.get('board', ''):>8}{marks.get('stones', ''):>8}"
            f"  {entry.about}"
        )
    print("Ratings are on the scale of Elo, measured with two players; see docs/bots.md.")
