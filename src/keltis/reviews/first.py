"""The first pass of a review: the value network judges every decision and every draw, at once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from keltis.bots.kernels.value_network import POINT_WORTH
from keltis.game import records
from keltis.game.checks import check_list, check_seat
from keltis.game.errors import RecordError
from keltis.game.game import DECISION_CAP, Game, load
from keltis.game.tokens import CARDS
from keltis.reviews import even, kinds, lessons, skill
from keltis.reviews.document import Pair, Review, final, is_above_floor, pair, sum_up
from keltis.reviews.luck import Judge

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = "keltis-review/1"
VERSION = 4
"""Version of how reviews are computed: raised when the same record gets other numbers."""

MOST_LOST = 10.0
"""Points that the network may find lost in a decision; of games long decided it knows little."""


def game_of(record: object) -> Game:
    """The game to review: a `Game` as it stands, or what a record holds."""
    return opened(record)[0]


def opened(record: object) -> tuple[Game, list[int]]:
    """The game to review, and who gave it up: the rules know no such end, but servers note it."""
    if isinstance(record, Game):
        game, resigned = record, []
    else:
        try:
            written = records.parsed(record)
            game = load(written)
            resigned = check_list(written.get("resigned", []), "resigned")
            for k, seat in enumerate(resigned):
                check_seat(seat, len(game.players), f"resigned[{k}]")
        except RecordError:
            raise
        except (TypeError, ValueError) as fault:
            raise RecordError(str(fault)) from None
    if len(game.moves) > DECISION_CAP:
        raise RecordError(f"moves: a review takes {DECISION_CAP} decisions at most")
    return game, sorted(set(resigned))


def network_review(record: object, *, seed: int = 0) -> Review:
    """A review by the value network alone, in a fraction of a second.

    Takes what `keltis.load` takes, or a game. The same record, version and seed give the same
    review. Every fault in a record raises `RecordError`.
    """
    game, resigned = opened(record)
    kind, players = game._kind, len(game.players)
    judge = Judge(kind, players)
    actions = np.array([kind.actions[move] for move in game.moves], np.int64)
    judged, weighed = judge.analysed(game._start, actions)
    review = Review(
        format=FORMAT,
        version=VERSION,
        seed=seed,
        game=game.game,
        options=game.options,
        players=game.players,
        result=game.result(),
        resigned=resigned,
        drawn=judge.drawn(game._start),
        searched={"done": 0, "planned": 0},
    )
    review["decisions"] = [
        _decision(step, move, one, weighed[one["first"] : one["first"] + one["count"]], kind.tokens)
        for step, (move, one) in enumerate(zip(game.moves, judged, strict=True))
    ]
    review["luck"] = [
        {"step": step, "seat": one["seat"].item(), "shown": CARDS[one["shown"]]}
        | pair(one["wins"].item(), one["lead"].item())
        for step, one in enumerate(judged)
        if one["shown"] >= 0
    ]
    review["graph"] = []
    starts, means = judge.start(game._start), judge.deal(game._start, game.options, seed)
    review["seats"] = [
        {
            "seat": seat,
            "name": game.players[seat],
            "sum": _begun(review, game, seat, starts[seat], means[seat]),
            "skill": skill.of_seat(game.game, players, review["decisions"], seat),
        }
        for seat in range(players)
    ]
    review["lessons"] = {}
    kinds.name_kinds(review, game)
    sum_up(review)
    lessons.explain(review, game)
    return review


def _begun(
    review: Review, game: Game, seat: int, start: Any, mean: NDArray[np.float64]
) -> dict[str, Pair] | None:
    """The first parts of a sum: what equals may expect, and by how much this start is better.

    A game that begins in the middle was not dealt: there, it is what its position promised. None
    while a game runs.
    """
    end = final(review, seat)
    if end is None:
        return None
    name, players = game.game, len(game.players)
    wins, lead = start["wins"].item(), start["lead"].item()
    if game._kind.is_over(game._start):
        equal = end
    elif game._kind.is_start(game._start):
        equal = pair(*even.start(name, players))
    else:
        equal = pair(*even.corrected(name, players, review["drawn"], wins, lead))
    deal = pair(wins - mean[0], lead - mean[1])
    return {name: {"start": equal[name], "deal": deal[name]} for name in ("wins", "lead")}


def _decision(
    step: int, move: str, judged: Any, weighed: NDArray[Any], tokens: tuple[str, ...]
) -> dict[str, Any]:
    """A decision as the network judges it."""
    wins, lead = weighed["wins"], weighed["lead"]
    order = np.argsort(-(wins + POINT_WORTH * lead), kind="stable")
    moves = [
        {"move": tokens[action], **pair(own_wins, own_lead), "error": None, "worlds": 0}
        for action, own_wins, own_lead in zip(
            *(weighed[name][order].tolist() for name in ("action", "wins", "lead")), strict=True
        )
    ]
    best = moves[0]
    played = next(one for one in moves if one["move"] == move)
    loss = loss_of(best, played, MOST_LOST)
    forced = len(moves) == 1
    return {
        "step": step,
        "seat": judged["seat"].item(),
        "move": move,
        "forced": forced,
        "wins": best["wins"],
        "lead": best["lead"],
        "after": {"wins": played["wins"], "lead": played["lead"]},
        "best": best["move"],
        "loss": loss,
        "judge": "network",
        "error": None,
        "worlds": 0,
        "verdict": "forced" if forced else "open" if is_above_floor(loss) else "equal",
        "kind": None,
        "moves": moves,
    }


def loss_of(best: dict[str, Any], played: dict[str, Any], most: float = math.inf) -> Pair:
    """What the best move is worth more than the one played, from 0 up to so many points."""
    loss = pair(best["wins"] - played["wins"], best["lead"] - played["lead"])
    return {"wins": max(0.0, loss["wins"]), "lead": min(most, max(0.0, loss["lead"]))}
