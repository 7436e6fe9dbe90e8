"""What a person is asked: the question, and the choices with the numbers to type."""

from collections.abc import Iterable
from typing import Any

from rich.text import Text

from keltis.cli import draw, symbols
from keltis.game.tokens import COLOUR_WORDS, in_words

View = dict[str, Any]

_TILES = {"C": "clover", "W": "wishing stone"}


def question(view: View) -> str:
    """What is to be decided, in a sentence."""
    match view["phase"]:
        case "card":
            return "Lay or discard a card."
        case "figure":
            return f"Which figure goes onto the {COLOUR_WORDS[view['path']]} path?"
        case "clover":
            return "A clover: one of your figures may take a step."
        case "end stone":
            return "That figure is on the end stone: another one takes a step."
        case "draw":
            return "Draw a card."
        case "turn":
            return "Turn a tile over, or take an open one."
        case "tile":
            fits = view["tile"] in view["legal_moves"]
            return "Take it, or leave it." if fits else "It does not fit your row."
        case _:
            return "A further turn: take an open tile, or stop."


def choices(view: View, width: int) -> list[Text]:
    """The legal moves, numbered as the view lists them."""
    numbered = list(enumerate(view["legal_moves"], start=1))
    if view["phase"] == "card":
        lay = [_short(k, token) for k, token in numbered if token[0] != "x"]
        discard = [_short(k, token) for k, token in numbered if token[0] == "x"]
        lines = draw.flow("lay", lay, width, gap=2) if lay else []
        return lines + draw.flow("discard", discard, width, gap=2)
    if view["game"] == "stones" and view["phase"] != "tile":
        take = [_short(k, token, symbols.mark(token)) for k, token in numbered if len(token) > 1]
        other = [(k, token) for k, token in numbered if len(token) == 1]
        lines = draw.flow("take", take, width, gap=2) if take else []
        return lines + [_long(k, token, _words(view, token)) for k, token in other]
    return [_long(k, token, _words(view, token)) for k, token in numbered]


def _short(k: int, token: str, mark: str = "") -> Text:
    return Text.assemble((f"{k} ", "dim"), draw.card(token), mark)


def _long(k: int, token: str, words: str) -> Text:
    return Text.assemble((f"{k:>11} ", "dim"), draw.card(token.ljust(3)), f" {words}")


def _words(view: View, token: str) -> str:
    if view["game"] == "board":
        return _draw(view, token) if view["phase"] == "draw" else _figure(view, token)
    if token == "?":
        return f"turn a tile over ({view['face_down']} face down)"
    if token == "-":
        return "leave it open in the middle" if view["phase"] == "tile" else "stop"
    return "take it"


def _draw(view: View, token: str) -> str:
    if token == "?":
        left = view["draw_pile"]
        return "draw pile, " + ("the last card: it ends the game" if left == 1 else f"{left} cards")
    return f"{in_words(view['piles'][token[1]][-1])}, from the discard pile"


def _figure(view: View, token: str) -> str:
    if token == "-":
        return "decline"
    path = COLOUR_WORDS[token[0]]
    if token.endswith("*"):
        return f"the large figure onto {path}"
    stone = view["figures"][view["seat"]][token[0]]
    if stone == 0:
        return f"a small figure onto {path}"
    tile = view["tiles"][token[0]][stone]
    effect = f", {_TILES.get(tile) or f'+{tile}'}" if tile else ""
    return f"{path}, stone {stone} → {stone + 1}{effect}"


def legend(game: str) -> list[Text]:
    """The signs on the table."""
    signs = {
        "board": [
            "C clover   W wishing stone   +2 points   ○ no tile",
            "1 player 1's small figure   1* the large one   │ the goal area begins",
            "↑ the row rises   ↓ it falls   [7] a pile's top card, then older ones",
        ],
        "stones": [
            "7W with a wishing stone   7C with a clover   7+3 with bonus points",
            "↑ the row rises   ↓ it falls",
        ],
    }
    return _listed("signs", signs[game])


def tokens(game: str) -> list[Text]:
    """How moves are typed."""
    moves = {
        "board": [
            "R7   lay red 7               xR7  discard red 7",
            "R    step on the red path, or a small figure onto it",
            "R*   the large figure onto red",
            "-    decline a step          ?    draw from the draw pile",
            "<R   take the top card of the red discard pile",
        ],
        "stones": [
            "?    turn a tile over        R7   take red 7",
            "-    leave the tile just turned over, or stop",
        ],
    }
    return _listed("moves", moves[game])


def commands() -> list[Text]:
    """All else that can be typed."""
    return _listed(
        "commands",
        [
            "help         this page; the rules: keltis rules",
            "score        the score sheet, if the game ended now",
            "why R7       why that move is not allowed",
            "undo         take back your last decision, as often as you like",
            "show         draw the table again",
            "save [FILE]  save the game; go on with keltis play --load FILE",
            "quit         leave",
        ],
    )


def _listed(label: str, entries: Iterable[str]) -> list[Text]:
    return [
        Text.assemble((f" {label if k == 0 else ''}".ljust(10), "dim"), entry)
        for k, entry in enumerate(entries)
    ]
