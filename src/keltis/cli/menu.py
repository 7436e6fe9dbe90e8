"""What a person is asked: the question, and the choices with the numbers to type."""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from rich.text import Text

from keltis.cli import draw, symbols
from keltis.cli.words import card_name, t, tile_name

View = Mapping[str, Any]


def question(view: View) -> str:
    """What is to be decided, in a sentence."""
    legal = view["legal_moves"]
    match view["phase"]:
        case "card":
            return t("question.card")
        case "figure":
            return t("question.figure", onto=t(f"onto.{view['path']}"))
        case "clover":
            return t("question.clover" if "-" in legal else "question.clover.must")
        case "end stone":
            return t("question.endstone.may" if "-" in legal else "question.endstone")
        case "draw":
            return t("question.draw")
        case "turn":
            return t("question.turn" if len(legal) > 1 else "question.turn.only")
        case "tile":
            return t("question.tile" if len(legal) > 1 else "question.tile.only")
        case _:
            return t("question.further")


def choices(view: View, width: int) -> list[Text]:
    """The legal moves, numbered as the view lists them."""
    numbered = list(enumerate(view["legal_moves"], start=1))
    if view["phase"] == "card":
        lay = [_short(k, token) for k, token in numbered if token[0] != "x"]
        discard = [_short(k, token) for k, token in numbered if token[0] == "x"]
        lines = draw.flow(t("label.lay"), lay, width, gap=2) if lay else []
        return lines + draw.flow(t("label.discard"), discard, width, gap=2)
    if view["game"] == "stones" and view["phase"] != "tile":
        take = [_short(k, token, symbols.mark(token)) for k, token in numbered if len(token) > 1]
        other = [(k, token) for k, token in numbered if len(token) == 1]
        lines = draw.flow(t("label.take"), take, width, gap=2) if take else []
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
        return t("choice.turn", n=view["face_down"])
    if token == "-":
        return t("choice.leave" if view["phase"] == "tile" else "choice.stop")
    return t("choice.tile")


def _draw(view: View, token: str) -> str:
    if token == "?":
        return t("choice.draw", n=view["draw_pile"])
    return t("choice.take", card=card_name(view["piles"][token[1]][-1]))


def _figure(view: View, token: str) -> str:
    if token == "-":
        return t("choice.decline")
    onto = t(f"onto.{token[0]}")
    if token.endswith("*"):
        return t("choice.large", onto=onto)
    stone = view["figures"][view["seat"]][token[0]]
    if stone == 0:
        return t("choice.small", onto=onto)
    places = {"colour": t(f"colour.{token[0]}"), "from": stone, "to": stone + 1}
    tile = view["tiles"][token[0]][stone]
    if tile is None:
        return t("choice.step", **places)
    return t("choice.step.effect", **places, effect=tile_name(tile))


def legend(game: str, width: int) -> list[Text]:
    """The signs on the table."""
    row = [("↑", "sign.up"), ("↓", "sign.down")]
    signs = {
        "board": [
            ("C", "sign.clover"),
            ("W", "sign.wish"),
            ("+2", "sign.points"),
            ("○", "sign.none"),
            ("1", "sign.small"),
            ("1*", "sign.large"),
            ("│", "sign.goal"),
            *row,
            ("[7]", "sign.pile"),
        ],
        "stones": [
            ("7W", "sign.tile.wish"),
            ("7C", "sign.tile.clover"),
            ("7+3", "sign.tile.bonus"),
            *row,
        ],
    }
    return draw.flow(
        t("label.signs"), [Text(f"{sign} {t(key)}") for sign, key in signs[game]], width
    )


_TOKENS = {
    "board": {
        "R7": "token.lay",
        "xR7": "token.discard",
        "R": "token.step",
        "R*": "token.large",
        "-": "token.decline",
        "?": "token.draw",
        "<R": "token.take",
    },
    "stones": {"?": "token.turn", "R7": "token.tile", "-": "token.leave"},
}


def tokens(game: str) -> list[Text]:
    """How moves are typed."""
    entries = [(token, t(key)) for token, key in _TOKENS[game].items()]
    return _listed(t("label.tokens"), entries, 5)


COMMANDS = ("help", "score", "why", "undo", "show", "save", "quit")


def commands() -> list[Text]:
    """All else that can be typed."""
    arguments = {"why": " R7", "save": f" [{t('file')}]"}
    entries = [
        (t(f"command.{command}") + arguments.get(command, ""), t(f"about.{command}"))
        for command in COMMANDS
    ]
    return _listed(t("label.commands"), entries, max(len(word) for word, _ in entries) + 2)


def command(word: str) -> str | None:
    """The command that somebody typed, in English or in the language in use; None if none."""
    typed = _bare(word)
    short = {"": "show", "h": "help", "q": "quit", "exit": "quit"}
    if typed in (*COMMANDS, *short):
        return short.get(typed, typed)
    return next((each for each in COMMANDS if _bare(t(f"command.{each}")) == typed), None)


def answer(word: str) -> bool | None:
    """What somebody answered to a question; None if it is neither yes nor no."""
    typed = _bare(word)
    for key, meaning in (("save.yes", True), ("save.no", False)):
        for known in (_bare(t(key)), "yes" if meaning else "no"):
            if typed in (known, known[0]):
                return meaning
    return None


def _bare(word: str) -> str:
    """A word without capitals and accents, which not every keyboard has."""
    letters = unicodedata.normalize("NFD", word.strip().casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _listed(label: str, entries: Iterable[tuple[str, str]], column: int) -> list[Text]:
    """Words and what they mean, one below the other."""
    return [
        Text.assemble((f" {label if k == 0 else ''}".ljust(11), "dim"), word.ljust(column), about)
        for k, (word, about) in enumerate(entries)
    ]
