"""Why a decision cost something, as keys with values: page and terminal have the words.

docs/review.md lists the keys. Every value is from what the seat could see, or from worlds that
agree with it.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from keltis.bots.kernels.heuristic import values_of
from keltis.bots.kernels.scratch import heuristic_scratch
from keltis.bots.position import likely_deals
from keltis.bots.weights import heuristic_weights
from keltis.game.game import spread
from keltis.game.kinds import kind
from keltis.game.tokens import CARD_PLACES, CARDS
from keltis.reviews import kinds
from keltis.reviews.document import Purpose, world_seed
from keltis.reviews.endings import OTHER, Source
from keltis.rules import board

if TYPE_CHECKING:
    from keltis.game.game import Game
    from keltis.reviews.document import Review

WORLDS = 100  # in which it is looked what the others do next
_ROUND = 100  # decisions after which a round of turns is left
_MOSTLY = 0.5  # share of worlds: what happens in fewer is not told

KEYS = (
    "fits", "taken", "held", "to_come", "left", "open", "hidden", "spoils", "step", "clover",
    "wish", "ahead", "ends", "gains", "cost",
)  # fmt: skip

Reason = dict[str, Any]
View = Mapping[str, Any]


def explain(
    review: Review, game: Game, *, again: int | None = None, sources: Sequence[Source] = ()
) -> None:
    """Write the reasons of all lessons and mistakes that have none, and those of a step anew.

    `sources` say where the better move of that step has its points from.
    """
    steps = {step for entry in review["seats"] for step in entry["lessons"]}
    steps |= {one["step"] for one in review["decisions"] if one["verdict"] == "mistake"}
    known = review["lessons"]
    kept = {int(step) for step in known} & steps - {again}
    wanted = [review["decisions"][step] for step in steps - kept]
    found = {step: known[str(step)] for step in kept}
    for decision, table in kinds.positions(game, wanted):
        view = table.view(decision["seat"])
        worlds = _worlds(view, decision, review["seed"])
        if worlds and decision["kind"] == "gift" and worlds.taken(decision["move"]) < _MOSTLY:
            decision["kind"] = "card"  # what nobody wants is no gift
        found[decision["step"]] = {
            "kind": decision["kind"],
            "reasons": _reasons(
                view, decision, worlds, sources if decision["step"] == again else ()
            ),
        }
    review["lessons"] = {str(step): found[step] for step in sorted(found)}


def _worlds(view: View, decision: dict[str, Any], seed: int) -> _Worlds | None:
    """The worlds in which it is looked what follows, where that is told."""
    if decision["judge"] != "search" or decision["kind"] not in ("gift", "ending", "card"):
        return None
    number = world_seed({"seed": seed}, decision, Purpose.NEXT)
    return _Worlds(view, [decision["move"], decision["best"]], number)


def _reasons(
    view: View,
    decision: dict[str, Any],
    worlds: _Worlds | None = None,
    sources: Sequence[Source] = (),
) -> list[Reason]:
    """Why: what was overlooked, then where the better move has its points from, then the cost."""
    of_kind = {
        "opened_late": _opened,
        "opened_early": _opened,
        "gift": _gift,
        "draw_source": _draw_source,
        "figure": _figure,
        "clover": _step,
        "step": _step,
        "wishing": _wishing,
        "ending": _ending,
        "card": _card,
    }[decision["kind"]]
    reasons = of_kind(view, decision, worlds)
    if sources:
        reasons.append(_reason("gains", parts=[_gain(one, view) for one in sources]))
    error = decision["error"]
    reasons.append(
        _reason(
            "cost",
            points=decision["loss"]["lead"],
            error=error and error["lead"],
            wins=decision["loss"]["wins"],
            worlds=decision["worlds"],
        )
    )
    return reasons


def _reason(key: str, **values: Any) -> Reason:
    return {"key": key, "values": values}


def _gain(source: Source, view: View) -> dict[str, Any]:
    """Where the better move has points from; with a name if it is somebody else's loss."""
    points, error = round(source.points, 2), round(source.error, 2)
    found: dict[str, Any] = {"of": source.what, "points": points, "error": error}
    if source.what == OTHER:
        found |= {"seat": source.seat, "name": view["players"][source.seat]}
    return found


class _Worlds:
    """What happens until the seat's next turn, after each of some moves, in the same worlds."""

    def __init__(self, view: View, moves: Sequence[str], seed: int) -> None:
        self._view = view
        game, players, you = kind(view["game"]), len(view["players"]), view["you"]
        deals = likely_deals(view, seed, most=WORLDS)
        states = np.zeros(1, deals.dtype)
        scratch = heuristic_scratch(heuristic_weights(game.name, players))
        following = (you + 1) % players
        self._done: dict[str, list[list[str]]] = {move: [] for move in moves}  # by the next player
        self._ended = dict.fromkeys(moves, 0)
        for world, move in itertools.product(range(WORLDS), moves):
            states[0] = deals[world % len(deals)]
            states["rng"] = spread(seed + world)
            if game.name == "stones":
                game.rules.resample(states, 0, -1)
            game.rules.play(states, 0, game.actions[move])
            done: list[str] = []
            away = False
            for _ in range(_ROUND):
                if game.is_over(states):
                    self._ended[move] += 1
                    break
                seat = game.seat(states)
                if seat == you and away:
                    break
                away |= seat != you
                count = values_of(states, scratch)
                best = int(np.argmax(scratch[0].values[:count]))
                action = int(scratch[0].actions[best])
                if seat == following:
                    done.append(game.tokens[action])
                game.rules.play(states, 0, action)
            self._done[move].append(done)

    def taken(self, move: str) -> float:
        """In how many worlds the next player takes what a move gives, as a share."""
        card = _given_by(self._view, move)
        take = card if self._view["game"] == "stones" else f"<{card[0]}"
        return round(sum(take in done for done in self._done[move]) / WORLDS, 2)

    def ended(self, move: str) -> float:
        """In how many of them the game ends before the seat's next turn, as a share."""
        return round(self._ended[move] / WORLDS, 2)


def _given_by(view: View, move: str) -> str:
    """The card or tile that a move leaves to the next player."""
    return str(view["tile"] if view["game"] == "stones" else move.removeprefix("x"))


def _gift(view: View, decision: dict[str, Any], worlds: _Worlds | None) -> list[Reason]:
    seat = kinds.next_seat(view)
    card = _given_by(view, decision["move"])
    who = {"card": card, "seat": seat, "name": view["players"][seat]}
    if worlds is None:
        return [_reason("fits", **who)]
    return [_reason("taken", **who, share=worlds.taken(decision["move"]))]


def _card(view: View, decision: dict[str, Any], worlds: _Worlds | None) -> list[Reason]:
    """Another card was better: what this one spoils, and where the other leads."""
    played, best = decision["move"], decision["best"]
    reasons = []
    if played in CARD_PLACES:
        spoilt = _spoilt(view, played)
        if spoilt:
            reasons.append(_reason("spoils", card=played, n=spoilt))
    elif worlds is not None and played in _given(view):
        reasons += _gift(view, decision, worlds) if worlds.taken(played) >= _MOSTLY else []
    if view["game"] == "board" and best in CARD_PLACES:
        reasons += _stone(view, best)
    return reasons


def _spoilt(view: View, card: str) -> int:
    """How many cards of the hand, or tiles that may be taken, fit the row no more after a card."""
    you, colour = view["you"], card[0]
    row = [*view["rows"][you].get(colour, []), int(card[1:])]
    after = {**view, "rows": [{**rows, colour: row} for rows in view["rows"]]}
    if view["game"] == "board":
        left = list(view["hand"])
        left.remove(card)
    else:
        left = [*_unseen(view), *view["open"]]
    return sum(
        kinds.fits(view, you, other) and not kinds.fits(after, you, other)
        for other in left
        if other[0] == colour and other != card
    )


def _given(view: View) -> list[str]:
    """The moves that leave something to the next player."""
    if view["game"] == "stones":
        return ["-"] if view["phase"] == "tile" else []
    return [move for move in view["legal_moves"] if move.startswith("x")]


def _opened(view: View, decision: dict[str, Any], worlds: _Worlds | None) -> list[Reason]:
    """How many cards there are for the row, and how much of the game is left."""
    late = decision["kind"] == "opened_late"
    card = decision["best"] if late else decision["move"]
    if view["game"] == "board":
        held = [one for one in view["hand"] if one[0] == card[0]]
        left = _reason("left", n=view["draw_pile"])
        return [_reason("held", colour=card[0], n=len(held)), left]
    gone = {f"{colour}{n}" for rows in view["rows"] for colour in rows for n in rows[colour]}
    to_come = [one for one in CARDS if one[0] == card[0] and one not in gone and one != card]
    left = _reason("left", n=view["face_down"])
    return [_reason("to_come", colour=card[0], n=len(to_come)), left]


def _draw_source(view: View, decision: dict[str, Any], worlds: _Worlds | None) -> list[Reason]:
    """What speaks for the better source: what lay open there, or that the other was no use."""
    you, best, played = view["you"], decision["best"], decision["move"]
    reasons = []
    if card := _open_card(view, best):
        seat = kinds.next_seat(view)
        if kinds.helps(view, you, card):
            reasons.append(_reason("open", card=card, fits=True))
        elif kinds.helps(view, seat, card):
            reasons.append(_reason("fits", card=card, seat=seat, name=view["players"][seat]))
    if card := _open_card(view, played):
        spoilt = _spoilt(view, card) if card == played else 0
        if not kinds.fits(view, you, card):
            reasons.append(_reason("open", card=card, fits=False))
        elif spoilt:
            reasons.append(_reason("spoils", card=card, n=spoilt))
    if "?" in (best, played):
        unseen = _unseen(view)
        share = sum(kinds.helps(view, you, card) for card in unseen) / max(1, len(unseen))
        reasons.append(_reason("hidden", share=round(share, 2)))
    return reasons


def _open_card(view: View, move: str) -> str:
    """The open card or tile that a move takes; "" if it takes none."""
    if move.startswith("<"):
        return str(view["piles"][move[1:]][-1])
    return move if move in CARD_PLACES else ""


def _unseen(view: View) -> list[str]:
    """The cards or tiles that the seat has not seen, one entry for each copy."""
    on_board = view["game"] == "board"
    seen: list[str] = [
        f"{colour}{n}" for rows in view["rows"] for colour in rows for n in rows[colour]
    ]
    if on_board:
        seen += [card for pile in view["piles"].values() for card in pile]
        seen += view["hand"]
        seen += [
            card for k, known in enumerate(view["known"]) if k != view["you"] for card in known
        ]
    else:
        seen += view["open"]
        seen += [view["tile"]] if view["tile"] else []
    left = list(CARDS) * (2 if on_board else 1)
    for card in seen:
        left.remove(card)
    return left


def _figure(view: View, decision: dict[str, Any], worlds: _Worlds | None) -> list[Reason]:
    held = [one for one in view["hand"] if one[0] == view["path"]]
    return [_reason("held", colour=view["path"], n=len(held)), _reason("left", n=view["draw_pile"])]


def _step(view: View, decision: dict[str, Any], worlds: _Worlds | None) -> list[Reason]:
    """Where the better step leads; in `stones`, that a clover is another turn."""
    best = decision["best"]
    if view["game"] == "stones":
        return [_reason("clover", card=best)]
    return [] if best == "-" else _stone(view, best)


def _stone(view: View, move: str) -> list[Reason]:
    """Where a step on a path leads, if that is something good."""
    you, colour = view["you"], move[0]
    stone = kinds.stone_after(view, colour)
    if stone > board.STONES:
        return []
    tile = kinds.tile_after(view, colour)
    value = int(board.VALUES[stone] - board.VALUES[stone - 1])
    if view["large"][you] == colour or move == f"{colour}*":
        value *= 2
    if value <= 0 and tile is None:
        return []
    return [_reason("step", colour=colour, stone=stone, tile=tile, points=value)]


def _wishing(view: View, decision: dict[str, Any], worlds: _Worlds | None) -> list[Reason]:
    """What one more wishing stone would have brought."""
    have = view["wishing_stones"][view["you"]]
    return [_reason("wish", n=have, points=kinds.wish_worth(view))]


def _ending(view: View, decision: dict[str, Any], worlds: _Worlds | None) -> list[Reason]:
    you, scores = view["you"], view["scores"]
    ahead = scores[you] - max(score for seat, score in enumerate(scores) if seat != you)
    reasons = [_reason("ahead", points=ahead)]
    if worlds is not None:
        share, best = (worlds.ended(decision[which]) for which in ("move", "best"))
        if share != best:
            reasons.append(_reason("ends", share=share, best=best))
    return reasons
