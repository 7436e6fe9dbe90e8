"""From a view back to a full game: one of all those that the view leaves possible."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from keltis.game.checks import check_entry, check_list, check_object, check_seat, check_text
from keltis.game.errors import quoted
from keltis.game.game import Game, load, spread
from keltis.game.tokens import CARD_PLACES, CARDS, COLOURS, CUT_OFF, RECORD_FORMAT

if TYPE_CHECKING:
    from keltis.game.setups import States


class _Event(NamedTuple):
    """An entry of a view's history."""

    seat: int
    move: str
    shown: str | None


def resample(view: dict[str, Any], seed: int | None = None) -> Game:
    """A random full game that agrees with a view: its `view(view["you"])` is that view.

    All deals that agree with the view are equally likely, the two copies of a card counted as
    two cards. The hidden places of `board` are the cards dealt to the other players, what they
    drew from the draw pile, what is left of it, and the cards out of the game. A card that
    another player plays, unless they took it from a discard pile before, came from any of the
    hidden places in their hand at that time; later moves only add places to choose from, so
    choosing at each move gives every way of choosing the same chance. The cards not seen at all
    then lie in the places left over in any order.

    It rests on the view's `game`, `options`, `players`, `you`, `setup` and `history`, and on a
    `result` that says "cut off". Raises ValueError for what no game can look like.
    """
    try:
        return _resample(check_object(view, "view"), Random(spread(seed)))
    except TypeError as fault:
        raise ValueError(str(fault)) from None


def state_from_view(view: dict[str, Any]) -> States:
    """One state that agrees with a view, in an array of length one, for the compiled rules.

    It is always the same one: set its `rng` and let the rules' `resample` deal what is hidden.
    """
    return resample(view, seed=0)._states


def past_from_view(view: dict[str, Any], seed: int) -> tuple[States, list[int]]:
    """How a game began that agrees with a view, and the actions up to now.

    The start is in an array of length one; see `resample` for the seed.
    """
    game = resample(view, seed)
    return game._start, [game._kind.actions[move] for move in game.moves]


def _resample(view: dict[str, Any], chance: Random) -> Game:
    from keltis.game import kinds

    names = check_list(check_entry(view, "players", "players"), "players")
    you = check_entry(view, "you", "you")
    if you is not None:
        you = check_seat(you, len(names), "you")
    setup = check_object(check_entry(view, "setup", "setup"), "setup")
    history = check_list(check_entry(view, "history", "history"), "history")
    events = [_event(entry, len(names), f"history[{k}]") for k, entry in enumerate(history)]
    name = kinds.kind(check_entry(view, "game", "game")).name
    game = load(
        {
            "format": RECORD_FORMAT,
            "game": name,
            "options": check_entry(view, "options", "options"),
            "players": names,
            "setup": _SETUPS[name](setup, events, len(names), you, chance),
            "moves": [event.move for event in events],
            "result": None,
        }
    )
    result = view.get("result")
    if isinstance(result, dict) and result.get("reason") == CUT_OFF and not game.is_over:
        game.cut_off()
    for key, value in game.view(you).items():
        if key in view and view[key] != value:
            raise ValueError(f"{key}: does not agree with the view's setup and history")
    return game


def _event(entry: object, players: int, place: str) -> _Event:
    contents = check_object(entry, place)
    shown = contents.get("shown")
    return _Event(
        check_seat(check_entry(contents, "seat", f"{place}.seat"), players, f"{place}.seat"),
        check_text(check_entry(contents, "move", f"{place}.move"), f"{place}.move"),
        shown if shown is None else check_text(shown, f"{place}.shown"),
    )


def _board_setup(
    setup: dict[str, Any], events: list[_Event], players: int, you: int | None, chance: Random
) -> dict[str, Any]:
    from keltis.rules import board

    dealt = players * board.HAND
    draw = dealt + board.removed(players)
    deck: list[str | None] = [None] * board.DECK  # by place; None is hidden
    hidden = [list(range(k, k + board.HAND)) for k in range(0, dealt, board.HAND)]
    if you is not None:
        hand = check_entry(setup, "hand", "setup.hand")
        cards = check_list(hand, "setup.hand", board.HAND, "cards")
        for k, (place, card) in enumerate(zip(hidden[you], cards, strict=True)):
            deck[place] = check_text(card, f"setup.hand[{k}]")
    known: list[Counter[str]] = [Counter() for _ in range(players)]  # taken from discard piles
    piles: dict[str, list[str]] = {colour: [] for colour in COLOURS}
    next_draw = draw
    for k, (seat, move, shown) in enumerate(events):
        card = move.removeprefix("x")
        if move == "?":
            if next_draw == len(deck):
                raise ValueError(f"history[{k}]: the draw pile is empty")
            deck[next_draw] = shown
            hidden[seat].append(next_draw)
            next_draw += 1
        elif move.startswith("<"):
            if not piles.get(move[1:]):
                raise ValueError(f"history[{k}]: there is nothing to draw by {quoted(move)}")
            known[seat][piles[move[1:]].pop()] += 1
        elif card in CARD_PLACES:
            if move != card:
                piles[card[0]].append(card)
            if seat == you:
                continue
            if known[seat][card]:
                known[seat][card] -= 1
            elif hidden[seat]:
                deck[hidden[seat].pop(chance.randrange(len(hidden[seat])))] = card
            else:
                raise ValueError(f"history[{k}]: nobody can play so many cards")
    whole = _filled(deck, 2, chance)
    return {
        "tiles": check_entry(setup, "tiles", "setup.tiles"),
        "hands": [whole[k : k + board.HAND] for k in range(0, dealt, board.HAND)],
        "draw": whole[draw:],
        "removed": whole[dealt:draw],
    }


def _stones_setup(
    setup: dict[str, Any], events: list[_Event], players: int, you: int | None, chance: Random
) -> dict[str, Any]:
    turned = [event.shown for event in events if event.move == "?"]
    if len(turned) > len(CARDS):
        raise ValueError("history: more tiles are turned over than there are")
    return {"draw": _filled(turned + [None] * (len(CARDS) - len(turned)), 1, chance)}


def _filled(deck: list[str | None], copies: int, chance: Random) -> list[str]:
    """The deck with the cards that nobody saw in the hidden places, in random order."""
    unseen = Counter(dict.fromkeys(CARDS, copies))
    unseen.subtract(card for card in deck if card is not None)
    if min(unseen.values()) < 0:
        card = min(unseen, key=lambda card: unseen[card])
        raise ValueError(f"history: {quoted(card)} is seen too often, or is no card")
    cards = list(unseen.elements())
    chance.shuffle(cards)
    return [card if card is not None else cards.pop() for card in deck]


_SETUPS = {"board": _board_setup, "stones": _stones_setup}
