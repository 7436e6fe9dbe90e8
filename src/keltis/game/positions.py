"""Positions as text: one line for a game as it stands. docs/positions.md describes every field.

Here is what both games have in common: words with a name and a value, lists a seat, rows and cards.
What the fields mean is in `board_positions.py` and `stones_positions.py`. A fault raises
PositionError, a ValueError, and the message begins with the place of the fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Literal, Protocol

from keltis.game.checks import check_text
from keltis.game.errors import PositionError, quoted
from keltis.game.setups import FEWEST_PLAYERS, MOST_PLAYERS, States, check_options, filled
from keltis.game.tokens import CARD_PLACES, COLOUR_WORDS, COLOURS, GAMES

if TYPE_CHECKING:
    from keltis.game.imagined import Places
    from keltis.game.kinds import Kind

FORMAT = "keltis-position/1"
LONGEST = 4096  # characters of a text; the longest that is written has fewer than 900

ALL: Literal["all"] = "all"  # who sees everything: every hand, and the order of the draw pile
HIDDEN = "?"
NONE = "-"

Row = list[int]
Rows = list[dict[str, Row]]  # by seat and colour, the colours with cards only
Fields = dict[str, str]
Seat = int | Literal["all"] | None  # whose eyes: a seat's, everybody's, or a spectator's


class Placement(Protocol):
    """What a text says, checked; what it leaves open is None in `deck`."""

    players: int
    options: dict[str, str]
    deck: list[str | None]  # every card or tile there is, by its place in the record

    def states(self, deck: Sequence[str]) -> States:
        """The game as it stands, with the deck filled up."""

    def places(self) -> Places:
        """Where cards are, as the seat knows it whose text this is."""

    def named_hands(self) -> list[int]:
        """The seats whose hands are named whole."""


# --- In and out --------------------------------------------------------------------------


def write(kind: Kind, states: States, seat: Seat) -> str:
    """A game as it stands, as far as a seat knows it."""
    fields = kind.position(states, seat)
    return " ".join([FORMAT, kind.name, *(f"{key}={value}" for key, value in fields.items())])


def read(text: object) -> tuple[Kind, Placement]:
    """What a text says."""
    from keltis.game import kinds

    try:
        name, fields = _split(check_text(text, "position"))
        kind = kinds.kind(name)
        return kind, kind.placement(fields)
    except PositionError:
        raise
    except ValueError as fault:
        raise PositionError(str(fault)) from None


def start(kind: Kind, text: object, players: int, options: Mapping[str, str]) -> States:
    """The start of a game from a record's text, which has to name every card."""
    place = "setup.position"
    found, placement = read(check_text(text, place))
    if found.name != kind.name:
        raise ValueError(f"{place}: it is a position of {found.name}, not of {kind.name}")
    if placement.players != players:
        raise ValueError(f"{place}: it has {placement.players} players, not {players}")
    if placement.options != options:
        raise ValueError(f"{place}: its options are not those of the record")
    whole = [card for card in placement.deck if card is not None]
    if len(whole) < len(placement.deck):
        left = len(placement.deck) - len(whole)
        raise ValueError(f"{place}: it leaves {left} cards open; a record has to name all")
    return placement.states(whole)


def seen(kind: Kind, text: object, players: int) -> Placement:
    """What a seat knew of the position with which a game began, from its view."""
    place = "setup.position"
    found, placement = read(check_text(text, place))
    if found.name != kind.name or placement.players != players:
        raise ValueError(f"{place}: it is not a position of {kind.name} for {players}")
    return placement


def named_hands(text: object) -> list[int]:
    """The seats whose hands a text names whole."""
    return read(text)[1].named_hands()


def dealt(placement: Placement, chance: Random) -> States:
    """The game as it stands, with what is left open dealt by chance, every deal as likely."""
    copies = 2 if len(placement.deck) > len(CARD_PLACES) else 1
    return placement.states(filled(placement.deck, copies, chance))


def _split(text: str) -> tuple[str, Fields]:
    """The game and the fields of a text."""
    if len(text) > LONGEST:
        raise PositionError(f"position: longer than {LONGEST} characters")
    form, *words = text.split() or [""]
    if form != FORMAT:
        raise PositionError(f"position: expected {quoted(FORMAT)} first, not {quoted(form)}")
    if not words or words[0] not in GAMES:
        choices = " or ".join(map(quoted, GAMES))
        raise PositionError(
            f"position: expected {choices} second, not {quoted(' '.join(words[:1]))}"
        )
    fields: Fields = {}
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if not equals or not value:
            raise PositionError(f"position: expected name=value, not {quoted(word)}")
        if key in fields:
            raise PositionError(f"{key}: is there twice")
        fields[key] = value
    return words[0], fields


def check_fields(fields: Fields, needed: Sequence[str], more: Sequence[str]) -> None:
    """No field that is not known, none missing."""
    for key in fields:
        if key not in needed and key not in more:
            raise PositionError(f"position: {quoted(key)} is not a field of this game")
    for key in needed:
        if key not in fields:
            raise PositionError(f"{key}: missing")


# --- Reading -----------------------------------------------------------------------------


def seats(text: str, place: str, players: int | None = None) -> list[str]:
    """A list with an entry a seat."""
    entries = text.split("|")
    if players is None:
        if not FEWEST_PLAYERS <= len(entries) <= MOST_PLAYERS:
            raise PositionError(
                f"{place}: expected {FEWEST_PLAYERS} to {MOST_PLAYERS} players, not {len(entries)}"
            )
    elif len(entries) != players:
        raise PositionError(f"{place}: expected {players} players, as rows has, not {len(entries)}")
    return entries


def number(text: str, place: str, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 4 and int(text) <= most):
        raise PositionError(f"{place}: expected a number from 0 to {most}, not {quoted(text)}")
    return int(text)


def items(text: str) -> list[str]:
    """A list; a dash is an empty one."""
    return [] if text == NONE else text.split(",")


def cards(text: str, place: str, noun: str) -> list[str]:
    found = items(text)
    for card in found:
        check_card(card, place, noun)
    return found


def check_card(card: str, place: str, noun: str) -> None:
    if card not in CARD_PLACES:
        raise PositionError(f"{place}: {quoted(card)} is not a {noun}")


def by_colour(text: str, place: str) -> dict[str, str]:
    """A list of texts by colour: what follows the colour's letter."""
    found: dict[str, str] = {}
    for entry in items(text):
        if entry[:1] not in COLOUR_WORDS:
            raise PositionError(
                f"{place}: expected a colour ({COLOURS}) first, not {quoted(entry)}"
            )
        if entry[0] in found:
            raise PositionError(f"{place}: {COLOUR_WORDS[entry[0]]} is there twice")
        found[entry[0]] = entry[1:]
    return found


def numbers(text: str, place: str, noun: str) -> dict[str, Row]:
    """Cards by colour, in order: `R0.3.5,B10`."""
    found: dict[str, Row] = {}
    for colour, entry in by_colour(text, place).items():
        names = [f"{colour}{one}" for one in entry.split(".")]
        for name in names:
            check_card(name, place, noun)
        found[colour] = [int(name[1:]) for name in names]
    return found


def rows(text: str, *, strict: bool) -> Rows:
    """Each seat's rows, which rise or fall; strictly, or with equal numbers next to each other."""
    found = [
        numbers(entry, f"rows[{seat}]", "card") for seat, entry in enumerate(seats(text, "rows"))
    ]
    for seat, mine in enumerate(found):
        for colour, row in mine.items():
            steps = [b - a for a, b in pairwise(row)]
            if min(steps, default=0) < 0 < max(steps, default=0):
                words = "rises and falls"
            elif strict and 0 in steps:
                words = "repeats a number"
            else:
                continue
            raise PositionError(f"rows[{seat}]: the {COLOUR_WORDS[colour]} row {words}")
    return found


def directed(row: Row) -> int:
    """1 for a row that rises, -1 for one that falls, 0 for one that may do either."""
    return (row[-1] > row[0]) - (row[-1] < row[0]) if row else 0


def phase(text: str, parted: Mapping[str, Sequence[str]]) -> tuple[str, str]:
    """A phase, and what it is about: `draw:R`. `parted` has what may follow, "" for nothing."""
    name, _, what = text.partition(":")
    if name not in parted or (text.endswith(":")):
        raise PositionError(f"phase: expected one of {', '.join(parted)}, not {quoted(text)}")
    if what not in parted[name]:
        bare = set(parted[name]) == {""}
        expected = f"nothing after {name}" if bare else f"{name}:{parted[name][-1]}, say"
        raise PositionError(f"phase: expected {expected}, not {quoted(text)}")
    return name, what


def options(text: str | None, known: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Options that differ from the default: `end_stone_step:may,piles:top`."""
    given: dict[str, str] = {}
    for entry in items(text or NONE):
        name, _, value = entry.partition(":")
        if name in given:
            raise PositionError(f"options: {quoted(name)} is there twice")
        given[name] = value
    return check_options(known, given)


def check_copies(named: Counter[str], copies: int, noun: str) -> None:
    """No card or tile may be there more often than there are copies."""
    for card, count in named.items():
        if count > copies:
            times = {2: "twice", 3: "three times", 4: "four times"}.get(count, f"{count} times")
            of = "there is one of each" if copies == 1 else "there are two of each"
            raise PositionError(f"{noun}s: {card} is there {times}; {of}")


def piled(text: str | None, place: str, size: int, noun: str) -> list[str | None]:
    """A pile of a size as far as it is named, from the top; None is left open."""
    found: list[str | None] = []
    for card in items(text or NONE):
        if card != HIDDEN:
            check_card(card, place, noun)
        found.append(None if card == HIDDEN else card)
    if len(found) > size:
        raise PositionError(f"{place}: {size} {noun}s are left for it, not {len(found)}")
    return found + [None] * (size - len(found))


# --- Writing -----------------------------------------------------------------------------


def listed(entries: Sequence[str]) -> str:
    return ",".join(entries) or NONE


def written(found: Mapping[str, Sequence[int]]) -> str:
    """Cards by colour, as `numbers` reads them."""
    return listed([f"{c}{'.'.join(map(str, row))}" for c, row in found.items() if len(row)])


def written_options(chosen: Mapping[str, str]) -> str:
    return listed([f"{name}:{value}" for name, value in chosen.items()])
