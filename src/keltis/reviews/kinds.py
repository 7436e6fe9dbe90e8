"""What kind of mistake a decision was, by what was played and what was better."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from keltis.game.stones import SYMBOLS
from keltis.game.tokens import CARD_PLACES, COLOURS
from keltis.rules import board, stones

if TYPE_CHECKING:
    from keltis.game.game import Game
    from keltis.reviews.document import Review

KINDS = (
    "opened_late",  # a path, or in `stones` a row: to open it was better
    "opened_early",  # another move was better than to open it
    "gift",  # what the next player can use was left or discarded
    "draw_source",  # the wrong pile, or turned over where an open tile was better
    "figure",  # the small one for the large one, or the other way round
    "clover",  # its step was declined, or went to the wrong figure; in `stones`, a clover not taken
    "step",  # the same of the step that a card on a finished path brings
    "wishing",  # a wishing stone was not taken
    "ending",  # the game was ended, or not ended, or hurried
    "card",  # another card was better
)

View = Mapping[str, Any]


def name_kinds(review: Review, game: Game) -> None:
    """Write the kind of every decision that may be a mistake."""
    wanted = [one for one in review["decisions"] if one["verdict"] in ("open", "mistake")]
    for decision, table in positions(game, wanted):
        decision["kind"] = kind_of(table.view(decision["seat"]), decision["move"], decision["best"])


def positions(game: Game, decisions: list[dict[str, Any]]) -> list[tuple[dict[str, Any], Game]]:
    """Some decisions in the order of their steps, each with the game as it was before it."""
    found = []
    table = game.restarted()
    moves = game.moves
    for decision in sorted(decisions, key=lambda one: int(one["step"])):
        for move in moves[len(table.moves) : decision["step"]]:
            table.play(move)
        found.append((decision, table.copy()))
    return found


def kind_of(view: View, played: str, best: str) -> str:
    """The kind of mistake, if the best move was another one."""
    kind = _board_kind if view["game"] == "board" else _stones_kind
    return kind(view, played, best)


def next_seat(view: View) -> int:
    return (int(view["you"]) + 1) % len(view["players"])


def fits(view: View, seat: int, card: str) -> bool:
    """Whether a card or tile fits a player's row."""
    row: list[int] = view["rows"][seat].get(card[0], [])
    number = int(card[1:])
    if not row:
        return True
    strict = view["game"] == "stones"
    if number == row[-1]:
        return not strict
    others = [value for value in row if value != row[0]]
    return not others or (number > row[-1]) == (others[0] > row[0])


def opens(view: View, card: str) -> bool:
    """Whether a card or tile would begin a row of the seat's."""
    return not view["rows"][view["you"]].get(card[0])


def wish_worth(view: View) -> int:
    """The points that one more wishing stone brings."""
    wishes = board.WISHES if view["game"] == "board" else stones.WISHES
    last = len(wishes) - 1
    have = min(view["wishing_stones"][view["you"]], last)
    return int(wishes[min(have + 1, last)] - wishes[have])


# --- board ---------------------------------------------------------------------------------


def _board_kind(view: View, played: str, best: str) -> str:
    phase = view["phase"]
    if phase == "figure":
        return "figure"
    if phase == "draw":
        return "ending" if view["draw_pile"] == 1 and "?" in (played, best) else "draw_source"
    if _ends(view, played) != _ends(view, best):
        return "ending"
    if phase != "card":
        return "clover" if phase == "clover" else "step"
    lays, better = played in CARD_PLACES, best in CARD_PLACES
    if not lays and not better:
        return "gift" if _is_gift(view, played) and not _is_gift(view, best) else "card"
    if better and opens(view, best) and not (lays and opens(view, played)):
        return "opened_late"
    if lays and opens(view, played) and not (better and opens(view, best)):
        return "opened_early"
    if better and _is_wish(view, best) and not (lays and _is_wish(view, played)):
        return "wishing"
    if not lays and _is_gift(view, played):
        return "gift"
    return "card"


def _is_gift(view: View, discard: str) -> bool:
    """Whether the next player could go on with what is discarded."""
    return helps(view, next_seat(view), discard[1:])


def helps(view: View, seat: int, card: str) -> bool:
    """Whether a card or tile fits a row that a player has begun."""
    return bool(view["rows"][seat].get(card[0])) and fits(view, seat, card)


def stone_after(view: View, colour: str) -> int:
    """The stone that the figure on a path would step to; beyond the end, none."""
    return int(view["figures"][view["you"]][colour]) + 1


def tile_after(view: View, colour: str) -> str | None:
    """The tile that a step on a path finds: the one that ends the game finds none (B18)."""
    stone = stone_after(view, colour)
    if stone > board.STONES or _is_last(view, colour):
        return None
    tile: str | None = view["tiles"][colour][stone - 1]
    return tile


def _is_wish(view: View, card: str) -> bool:
    """Whether a card leads to a wishing stone that is worth something."""
    return tile_after(view, card[0]) == "W" and wish_worth(view) > 0


def _is_last(view: View, colour: str) -> bool:
    """Whether a step on a path ends the game."""
    last = view["in_goal"] + 1 == board.LAST_FIGURE
    return last and stone_after(view, colour) == board.GOAL


def _ends(view: View, move: str) -> bool:
    """Whether a card or a step brings the last figure into the goal area."""
    return move[0] in COLOURS and _is_last(view, move[0])


# --- stones --------------------------------------------------------------------------------


def _stones_kind(view: View, played: str, best: str) -> str:
    if view["phase"] == "turn" and "?" in (played, best) and view["face_down"] == 1:
        return "ending"
    takes, better = played in CARD_PLACES, best in CARD_PLACES
    if better and has(best, "C") and not (takes and has(played, "C")):
        return "clover"
    if better and opens(view, best) and not (takes and opens(view, played)):
        return "opened_late"
    if takes and opens(view, played) and not (better and opens(view, best)):
        return "opened_early"
    if better and has(best, "W") and not (takes and has(played, "W")) and wish_worth(view):
        return "wishing"
    if view["phase"] == "tile":
        left = view["tile"]
        return "gift" if played == "-" and helps(view, next_seat(view), left) else "card"
    return "draw_source" if "?" in (played, best) else "card"


def has(tile: str, symbol: str) -> bool:
    """Whether a tile bears a symbol."""
    return SYMBOLS.get(tile) == symbol
