"""Pictures of a contest's result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from keltis.arena.statistics import margin, share, win_share

if TYPE_CHECKING:
    from keltis.arena.contest import Contest


def draw(contest: Contest, path: Path) -> None:
    """The first bot's share of wins as the deals came in, and its margins."""
    from matplotlib.figure import Figure

    settings = contest.settings
    first = settings.bots[0]
    shares: list[float] = []
    margins: list[int] = []
    by_deal: dict[int, list[float]] = {}
    for outcome in contest.outcomes:
        for seat, which in enumerate(outcome.order):
            if settings.bots[which] == first:
                by_deal.setdefault(outcome.deal, []).append(win_share(outcome, seat))
                margins.append(margin(outcome, seat))
    shares = [sum(values) / len(values) for values in by_deal.values()]
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    steps = sorted({max(2, round(len(shares) * k / 200)) for k in range(1, 201)})
    steps = [n for n in steps if n <= len(shares)]
    running = [share(shares[:n]) for n in steps]
    left.fill_between(
        steps, [m.low for m in running], [m.high for m in running], alpha=0.25, linewidth=0
    )
    left.plot(steps, [m.value for m in running])
    left.axhline(1 / settings.players, color="grey", linestyle=":", label="fair share")
    left.set(xlabel="deals", ylabel="share of wins", ylim=(0, 1), title=" – ".join(settings.bots))
    left.legend(frameon=False)
    right.hist(margins, bins=30)
    right.axvline(0, color="grey", linestyle=":")
    right.set(xlabel=f"margin of {first}, points", ylabel="games")
    figure.savefig(path, metadata={"Date": None})
