"""How many games does it save to take the luck of draws out of a contest's results?

    python -m benchmarks.luck         # some minutes; docs/bots.md gets the figures

Contests on duplicate deals, so that the luck of the deal is out already. What is told is the
variance of the plain results over that of the results less luck: so many times the games would be
needed for intervals as narrow. And the mean of luck, in standard errors: it must be near zero.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from pathlib import Path

from keltis.arena import arena
from keltis.arena.contest import Contest
from keltis.arena.statistics import luck_by_seat, mean

PAGE = Path(__file__).parents[1] / "docs" / "bots.md"
MARKS = "<!-- luck -->\n", "<!-- end of luck -->\n"
PAIRS = {("raven", "fox"): 200, ("bard", "raven"): 100}  # and how many deals
TABLES = [("board", 2), ("board", 4), ("stones", 2), ("stones", 4)]
SEED = 20_261_120


def off(contest: Contest) -> float:
    """How many standard errors the mean luck of a seat is off zero, where it is most."""
    most = 0.0
    for seat in range(contest.settings.players):
        by_deal: dict[int, list[float]] = {}
        for outcome in contest.outcomes:
            by_deal.setdefault(outcome.deal, []).append(luck_by_seat(outcome)[seat].wins)
        found = mean([math.fsum(values) / len(values) for values in by_deal.values()])
        most = max(most, abs(found.value) / found.error)
    return most


def row(names: tuple[str, str], game: str, players: int) -> str:
    games = PAIRS[names] * players
    contest = arena(list(names), game=game, players=players, games=games, seed=SEED, luck=True)
    line = contest.lines[0]
    assert line.wins_less_luck is not None
    assert line.margin_less_luck is not None
    wins, ahead = line.wins, line.margin
    saved_wins = (wins.error / line.wins_less_luck.error) ** 2
    saved_lead = (ahead.error / line.margin_less_luck.error) ** 2
    text = (
        f"| {', '.join(names)} | {game} | {players} | {line.games:,} "
        f"| {wins.value:.1%} ± {1.96 * wins.error:.1%} "
        f"| {line.wins_less_luck.value:.1%} ± {1.96 * line.wins_less_luck.error:.1%} "
        f"| {saved_wins:.2f} | {saved_lead:.2f} | {off(contest):.1f} |"
    )
    print(text, flush=True)
    return text


def main() -> None:
    rows = [row(names, game, players) for names in PAIRS for game, players in TABLES]
    head = [
        f"Measured on {datetime.now(UTC).date()} by `python -m benchmarks.luck`:",
        "",
        "| bots | game | players | games | wins of the first | less luck | games saved: wins "
        "| margin | mean luck of a seat, standard errors off 0 at most |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    before, _, rest = PAGE.read_text().partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    PAGE.write_text(before + MARKS[0] + "\n".join(head + rows) + "\n" + MARKS[1] + after)


if __name__ == "__main__":
    main()
