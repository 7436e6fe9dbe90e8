"""`keltis review`: a game judged decision by decision, as a graph, a table and lessons."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from keltis import reviews
from keltis.cli import draw, files
from keltis.cli.failure import Failure, plain, unwritable
from keltis.cli.progress import bar
from keltis.cli.story import Story
from keltis.cli.terminal import WIDTH, console
from keltis.cli.words import card_name, decimal, listed, percent, sentence, t
from keltis.game.tokens import COLOURS
from keltis.reviews import runs
from keltis.reviews.kinds import positions
from keltis.reviews.skill import SCALE

if TYPE_CHECKING:
    from keltis import Game
    from keltis.reviews import Review

_HEIGHT = 11  # lines of the graph
_LABEL = 22  # columns before those of the players
_MARGIN = 6  # columns before the graph
_PARTS = {  # of the sum, with their labels
    "start": "review.start",
    "deal": "review.deal",
    "luck": "review.luck",
    "others_luck": "review.others",
    "decisions": "review.decisions",
    "others_decisions": "review.others_decisions",
    "rest": "review.rest",
    "result": "review.result",
}
_LEAST_ERROR = 0.1  # points: "± 0.0" would claim too much


class Wishes(NamedTuple):
    """What is asked for, as the options have it."""

    seat: int | None
    budget: int | None
    seed: int
    par: int
    as_json: bool
    out: Path | None


def review(source: str, wishes: Wishes) -> None:
    data = files.read(source)
    game = files.game(data, source)
    own = _seat(wishes.seat, len(game.players))
    out = wishes.out
    try:
        # The record itself says who gave the game up, if anybody did.
        found = reviews.network_review(game if files.position_in(data) else data, seed=wishes.seed)
    except ValueError as fault:
        raise Failure(files.bad_record(source, str(fault))) from None
    most = reviews.DEFAULT_BUDGET if wishes.budget is None else wishes.budget
    with bar(t("review.working")) as show:
        for now in reviews.refine(found, game, budget=most, seat=own):
            show(now["searched"]["done"], now["searched"]["planned"])
    if wishes.par:
        found["par"] = list(_par(game, own, wishes))
    if out is not None:
        try:
            files.write(out, found.svg(), overwrite=True)
        except (OSError, ValueError) as fault:
            raise Failure(unwritable(out, fault)) from None
    if wishes.as_json:
        print(json.dumps(found))
        return
    screen = console()
    for line in _Page(found, game, own, min(screen.width, WIDTH)).lines():
        screen.print(line, soft_wrap=True)


def _par(game: Game, own: int | None, wishes: Wishes) -> Iterator[dict[str, Any]]:
    """What the strongest bot makes of each seat that is reviewed."""
    seats = range(len(game.players)) if own is None else [own]
    with bar(t("review.par.working")) as show:
        for k, seat in enumerate(seats):
            leads = []
            for lead in runs.leads(game, seat, wishes.par, seed=wishes.seed):
                leads.append(lead)
                show(k * wishes.par + len(leads), len(seats) * wishes.par)
            yield {"seat": seat, "leads": leads}


def _seat(number: int | None, players: int) -> int | None:
    if number is None:
        return None
    if not 1 <= number <= players:
        raise Failure(t("fault.seat", seat=number, n=players))
    return number - 1


class _Page:
    """What is printed of a review."""

    def __init__(self, review: Review, game: Game, own: int | None, width: int) -> None:
        self._review = review
        self._game = game
        self._own = own
        self._width = width
        view = game.view(None)
        self._names = [draw.name(view, seat) for seat in range(len(game.players))]
        self._turns = [
            number for number, turn in enumerate(Story(game).turns(), start=1) for _ in turn.deeds
        ]

    def lines(self) -> Iterator[Any]:
        count = len(self._review["decisions"])
        title = t(f"title.{self._review['game']}")
        yield draw.rule(title, t("review.title", n=count), self._width)
        yield ", ".join(f"{seat + 1} {name}" for seat, name in enumerate(self._names))
        yield ""
        yield from self._graph()
        yield ""
        yield from self._table()
        for entry in self._review["seats"]:
            if self._own in (None, entry["seat"]):
                yield ""
                yield from self._lessons(entry)

    # --- The graph ---------------------------------------------------------------------------

    def _graph(self) -> Iterator[str]:
        """The chance to win over the decisions: a player's number where the line of theirs is."""
        yield f" {t('review.graph')}"
        columns = self._width - _MARGIN - 1
        count = max(1, len(self._review["decisions"]))
        grid = [[" "] * columns for _ in range(_HEIGHT)]
        for line in self._review["graph"]:
            points = line["points"]
            for column in range(columns if points else 0):
                step = column * count / max(1, columns - 1)
                wins = next((p[1] for p in reversed(points) if p[0] <= step), points[0][1])
                row = round((1 - wins) * (_HEIGHT - 1))
                taken = grid[row][column]
                grid[row][column] = str(line["seat"] + 1) if taken == " " else "·"
        for row, cells in enumerate(grid):
            share = f"{100 * (_HEIGHT - 1 - row) // (_HEIGHT - 1)} %" if row % 5 == 0 else ""
            yield f"{share:>{_MARGIN}}│{''.join(cells).rstrip()}"

    # --- The table ---------------------------------------------------------------------------

    def _table(self) -> Iterator[str]:
        seats = self._review["seats"]
        if seats[0]["sum"] is None:
            yield f" {t('review.running')}"
        else:
            yield f" {t('review.sum')}"
        yield self._row("", self._names)
        if seats[0]["sum"] is not None:
            leads = [shown_sum(entry["sum"]["lead"], 10) for entry in seats]
            wins = [shown_sum(entry["sum"]["wins"], 100) for entry in seats]
            for key, label in _PARTS.items():
                cells = [
                    self._cell(lead[key], win[key]) for lead, win in zip(leads, wins, strict=True)
                ]
                yield self._row(t(label), cells)
            yield ""
        skills = [entry["skill"] for entry in seats]
        lost = [f"{decimal(s['lost'], 2)} ± {decimal(s['error'], 2)}" if s else "–" for s in skills]
        yield self._row(t("review.skill"), lost)
        alike = [_level(s["like"]) if s and s["like"] else "–" for s in skills]
        yield self._row(t("review.like"), alike)
        yield self._row(t("review.mistakes"), [str(entry["mistakes"]) for entry in seats])
        if "par" in self._review:
            runs_of = {one["seat"]: one["leads"] for one in self._review["par"]}
            cells = [_spread(runs_of.get(entry["seat"], [])) for entry in seats]
            yield self._row(t("review.par"), cells)

    def _cell(self, lead: float, wins: float) -> str:
        return f"{decimal(lead, 1, signed=True)} {percent(wins, signed=True):>6}"

    def _row(self, label: str, cells: list[str]) -> str:
        column = min(18, (self._width - _LABEL) // len(cells))
        return f" {label}".ljust(_LABEL) + "".join(
            cell[: column - 1].rjust(column) for cell in cells
        )

    # --- The lessons -------------------------------------------------------------------------

    def _lessons(self, entry: dict[str, Any]) -> Iterator[str]:
        name = self._names[entry["seat"]]
        if not entry["lessons"]:
            yield from self._wrapped(t("review.none", name=name), " ")
            return
        yield f" {t('review.lessons', name=name)}"
        wanted = [self._review["decisions"][step] for step in entry["lessons"]]
        tables = {decision["step"]: table for decision, table in positions(self._game, wanted)}
        for number, decision in enumerate(wanted, start=1):
            words = self._lesson(decision, tables[decision["step"]])
            yield from self._wrapped(words, f" {number}  ")

    def _wrapped(self, words: str, label: str) -> list[str]:
        indent = " " * len(label)
        return textwrap.wrap(words, self._width - 1, initial_indent=label, subsequent_indent=indent)

    def _lesson(self, decision: dict[str, Any], table: Game) -> str:
        view = table.view(decision["seat"])
        lesson = self._review["lessons"][str(decision["step"])]
        head = t(
            "review.lesson" if decision["verdict"] == "mistake" else "review.maybe",
            turn=self._turns[decision["step"]],
            played=move_words(view, decision["move"]),
            kind=_kind_words(lesson["kind"], view["game"]),
            best=move_words(view, decision["best"]),
        )
        return " ".join([head, *(sentence(reason_words(one)) for one in lesson["reasons"])])


def _kind_words(kind: str, game: str) -> str:
    """The kind of a mistake; in `stones` there are no places to draw from."""
    if (game, kind) == ("stones", "draw_source"):
        return t("kind.stones.draw_source")
    return t(f"kind.{kind}")


def _level(name: str) -> str:
    """The level that a skill number is like; the last of the scale is that or better."""
    return f"{'≥ ' if name == SCALE[-1] else ''}{t(f'level.{name}')}"


def _spread(leads: list[int]) -> str:
    """The mean of some leads, with the least and the greatest."""
    if not leads:
        return "–"
    low, high = (decimal(value, 0, signed=True) for value in (min(leads), max(leads)))
    return f"{decimal(sum(leads) / len(leads), 1, signed=True)} ({low}…{high})"


def shown_sum(parts: dict[str, float], steps: int) -> dict[str, float]:
    """The parts of a sum in so many steps of one, so that what is shown adds up as well.

    The rest takes what rounding loses, and the luck of others counts against one.
    """
    whole = {key: round((-1 if key == "others_luck" else 1) * parts[key] * steps) for key in _PARTS}
    whole["rest"] += 2 * whole["result"] - sum(whole.values())
    return {key: value / steps for key, value in whole.items()}


def move_words(view: dict[str, Any], move: str) -> str:
    """A move as something to do."""
    if move == "?":
        return t("act.draw" if view["game"] == "board" else "act.turn")
    if move == "-":
        if view["game"] == "board":
            return t("choice.decline")
        if view["phase"] == "tile":
            return t("act.leave", card=card_name(view["tile"]))
        return t("choice.stop")
    colour = move.strip("x<*")[0]
    if move[0] == "x":
        return t("act.discard", card=card_name(move[1:]))
    if move[0] == "<":
        return t("act.take", card=card_name(view["piles"][colour][-1]))
    if move[-1] == "*":
        return t("choice.large", onto=t(f"onto.{colour}"))
    if len(move) == 1:
        if view["figures"][view["you"]][colour]:
            return t("act.step", path=t(f"path.{colour}"))
        return t("choice.small", onto=t(f"onto.{colour}"))
    return t("act.lay" if view["game"] == "board" else "act.tile", card=card_name(move))


def reason_words(reason: dict[str, Any]) -> str:
    """Why a decision cost something."""
    key, given = reason["key"], reason["values"]
    values: dict[str, object] = dict(given)
    if "card" in given:
        values["card"] = card_name(given["card"])
    if "colour" in given:
        values["colour"] = t(f"colour.{given['colour']}")
        values["path"] = t(f"path.{given['colour']}")
    if "name" in given:
        values["name"] = _named(given)
    if "share" in given:
        values["share"] = percent(given["share"])
    if "best" in given:
        values["best"] = percent(given["best"])
    if key == "open" and not given["fits"]:
        return t("because.open.not", **values)
    if key == "step":
        values["points"] = _whole_points(given["points"], signed=True)
        if given["tile"] is not None:
            values["tile"] = _tile_words(given["tile"])
            return t("because.step.tile", **values)
    if key == "wish":
        values["points"] = _whole_points(given["points"])
    if key == "ahead":
        return _lead_words(given["points"])
    if key == "cost":
        values["what"] = cost_words(given["points"], given["error"], given["wins"])
        if given["error"] is None:
            return t("because.cost.network", **values)
    if key == "gains":
        gains = [_gain_words(part) for part in given["parts"] if part["points"] > 0]
        less = [_gain_words(part) for part in given["parts"] if part["points"] < 0]
        values |= {"parts": listed(gains), "less": listed(less)}
        if less:
            return t("because.gains.but", **values)
    return t(f"because.{key}", **values)


def _lead_words(points: int) -> str:
    if points == 0:
        return t("because.level")
    return t("because.ahead" if points > 0 else "because.behind", n=abs(points))


def cost_words(points: float, error: float | None, wins: float) -> str:
    """What was lost, in points and in chances to win; what is nothing is left away."""
    parts = []
    if round(abs(points), 1) or not round(wins, 2):
        parts.append(points_words(points, error))
    if round(wins, 2):
        parts.append(t("because.cost.wins", wins=percent(wins)))
    return listed(parts)


def points_words(points: float, error: float | None = None) -> str:
    """ "3.1 ± 0.4 points"."""
    # English says "1.0 points", French "1,5 point".
    values: dict[str, object] = {"n": 0 if abs(points) < 1.95 else 2, "points": decimal(points, 1)}
    if not error:
        return t("points", **values)
    return t("points.error", **values, error=decimal(max(_LEAST_ERROR, error), 1))


def _whole_points(points: int, *, signed: bool = False) -> str:
    return t("points", n=points, points=decimal(points, 0, signed=signed))


def _tile_words(tile: str) -> str:
    """What lies on a stone, as the end of a sentence."""
    keys = {"C": "because.tile.clover", "W": "because.tile.wish"}
    if tile in keys:
        return t(keys[tile])
    return t("because.tile.points", points=_whole_points(int(tile)))


def _named(given: dict[str, Any]) -> str:
    return plain(given["name"]).strip() or t("player", n=given["seat"] + 1)


def _gain_words(part: dict[str, Any]) -> str:
    """Where a better move has points from; below zero, where it has fewer."""
    values = {"points": points_words(abs(part["points"]), part["error"])}
    if part["of"] == "other":
        values["name"] = _named(part)
    key = part["of"]
    if key in COLOURS:
        values["colour"] = t(f"colour.{key}")
        key = "colour"
    return t(f"{'gain' if part['points'] > 0 else 'less'}.{key}", **values)
