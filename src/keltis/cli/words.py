"""The terminal's words in four languages: one catalogue each, in texts/terminal.

Where the page says the same thing, the catalogues have its key and its words.
"""

from __future__ import annotations

import functools
import os
import re
import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keltis.game.reasons import Reason

LANGUAGES = ("en", "de", "fr", "nl")

_in_use = "en"


def use(language: str | None) -> None:
    """Speak a language from now on; None is that of the environment."""
    global _in_use  # a program speaks one language at a time
    _in_use = language or of_environment()


def language() -> str:
    return _in_use


def of_environment() -> str:
    """The language that the environment asks for, if there are texts in it, else English."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return value[:2].lower() if value[:2].lower() in LANGUAGES else "en"
    return "en"


@functools.cache
def catalogue(language: str) -> dict[str, str | dict[str, str]]:
    """All texts of a language; a text with plural forms has one for each, as the page's have."""
    source = files("keltis").joinpath("texts", "terminal", f"{language}.toml")
    return tomllib.loads(source.read_text("utf-8"))


def t(key: str, **values: object) -> str:
    """The text of a key. One with plural forms is chosen by the value `n`."""
    text = catalogue(_in_use)[key]
    if isinstance(text, dict):
        text = text[_form(values["n"])]
    return re.sub(r"\{(\w+)\}", lambda match: _shown(values[match[1]]), _typeset(text))


def _form(n: object) -> str:
    one = (0, 1, -1) if _in_use == "fr" else (1, -1)
    return "one" if n in one else "other"


def _shown(value: object) -> str:
    """A value in a text; numbers have a true minus sign."""
    return str(value).replace("-", "−") if isinstance(value, int) else str(value)


def _typeset(text: str) -> str:
    """French never breaks a line before a colon and its like."""
    if _in_use != "fr":
        return text
    return re.sub(" (?=[:;!?»])", "\u00a0", text).replace("« ", "«\u00a0")


def decimal(value: float, places: int, *, signed: bool = False) -> str:
    """A number with so many decimals, as the language writes it."""
    text = f"{value:{'+' if signed else ''}.{places}f}"
    if not text.strip("+-0."):
        text = text.lstrip("+-")  # nothing is neither more nor less
    return text.replace("-", "−").replace(".", t("decimal"))


def percent(share: float, *, signed: bool = False) -> str:
    """A share in whole percent."""
    return f"{decimal(100 * share, 0, signed=signed)} %"


def listed(items: Sequence[str]) -> str:
    """Parts of a sentence: "A, B and C"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {t('and')} {items[-1]}"


def sentence(text: str) -> str:
    """With a capital at its beginning and a mark at its end."""
    mark = "" if text.endswith((".", "?", "!")) else "."
    return f"{text[:1].upper()}{text[1:]}{mark}"


# --- Cards, tiles and reasons -------------------------------------------------------------


def card_name(card: str) -> str:
    """A card or tile as one says it: `R7` is red 7."""
    return t(f"card.{card[0]}", number=card[1:])


def tile_name(tile: str) -> str:
    """What lies on a stone or is printed on a tile: `C`, `W`, or points."""
    keys = {"C": "tile.clover", "W": "tile.wish"}
    return t(keys[tile]) if tile in keys else f"+{tile}"


def refusal(reason: Reason) -> str:
    """Why a move may not be played."""
    values: dict[str, object] = {"top": reason.top, "move": reason.move}
    if letter := reason.colour:
        values |= {"letter": letter} | {
            kind: t(f"{kind}.{letter}") for kind in ("colour", "path", "onto", "pile")
        }
    if reason.card:
        values |= {"card": card_name(reason.card), "token": reason.card}
    return t(f"no.{reason.key}", **values)
