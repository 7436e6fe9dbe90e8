"""Keltis, the board game, as the façade needs it. `kinds.Kind` says what each part is for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from random import Random
from struct import Struct
from typing import TYPE_CHECKING, Any

import numpy as np

from keltis.game import positions, rows
from keltis.game.checks import check_entry, check_list, check_object, check_text
from keltis.game.errors import quoted
from keltis.game.imagined import Places, imagined
from keltis.game.kinds import NOTHING_MORE, Effect, Event, Kind, Outcome
from keltis.game.reasons import Reason
from keltis.game.setups import States, check_cards
from keltis.game.tokens import BOARD, CARD_PLACES, CARDS, COLOUR_WORDS, COLOURS, NUMBERS
from keltis.rules import board as rules

if TYPE_CHECKING:
    from keltis.game.positions import Fields, Placement, Seat

# Where the rule books differ: the values of each option, the German book's first, and its bit.
_OPTIONS: dict[str, tuple[tuple[str, str], int]] = {
    "end_stone_step": (("must", "may"), rules.END_STONE_MAY),  # B16
    "clover_step": (("may", "must"), rules.CLOVER_MUST),  # B14
    "own_discard": (("barred", "allowed"), rules.OWN_DISCARD),  # B17
    "piles": (("open", "top"), rules.TOP_CARDS),  # B12
}
_ENGLISH = {"end_stone_step": "may", "clover_step": "must", "own_discard": "allowed"}

_TILE_ENTRIES = (None, "1", "2", "3", "C", "W")  # by the rules' code of a tile
_TILE_CODES = {entry: code for code, entry in enumerate(_TILE_ENTRIES)}
_TILE_WORDS = ("", "1-point tiles", "2-point tiles", "3-point tiles", "clovers", "wishing stones")

_ON_PATHS = ("figures", "large", "small_at_start", "tiles", "wishing_stones", "points", "in_goal")


class Board(Kind):
    name = "board"
    rules = rules
    tokens = BOARD
    actions: Mapping[str, int] = {token: action for action, token in enumerate(BOARD)}
    options: Mapping[str, tuple[str, ...]] = {
        name: values for name, (values, _) in _OPTIONS.items()
    }
    editions: Mapping[str, Mapping[str, str]] = {
        "german": {},
        "french": {"end_stone_step": "may"},
        "english": _ENGLISH,
    }
    phases = ("card", "figure", "clover", "end stone", "draw", "over")
    public_keys = (
        "hand_sizes", "known", "rows", "figures", "large", "small_at_start", "tiles",
        "wishing_stones", "points", "piles", "draw_pile", "removed", "in_goal",
    )  # fmt: skip
    private_keys = ("hand",)
    secret_draw = "?"

    # --- Setting up ------------------------------------------------------------------------

    def deal(self, players: int, seed: int, options: Mapping[str, str]) -> States:
        start = np.zeros(1, rules.STATE)
        rules.deal(start, 0, players, np.uint64(seed), option_bits(options))
        return start

    def begin(self, setup: object, players: int, options: Mapping[str, str]) -> States:
        """B3, B5, B6, B7."""
        contents = check_object(setup, "setup")
        tiles = _check_tiles(check_entry(contents, "tiles", "setup.tiles"))
        hands = check_entry(contents, "hands", "setup.hands")
        removed = rules.removed(players)
        sizes = {"removed": removed, "draw": rules.DECK - removed - players * rules.HAND}
        seen: Counter[str] = Counter()
        deck = []
        for seat, hand in enumerate(check_list(hands, "setup.hands", players, "hands")):
            deck += check_cards(hand, f"setup.hands[{seat}]", rules.HAND, seen, 2, "card")
        for key, size in sizes.items():
            place = f"setup.{key}"
            deck += check_cards(check_entry(contents, key, place), place, size, seen, 2, "card")
        start = np.zeros(1, rules.STATE)
        rules.setup(
            start,
            0,
            players,
            np.array(deck, np.uint8),
            np.array(tiles, np.int8),
            option_bits(options),
        )
        return start

    def setup(self, start: States) -> dict[str, Any]:
        """B7; its cards are in the order in which they lie in the deck."""
        players = start["players"][0].item()
        deck = [CARDS[card] for card in start["deck"][0].tolist()]
        draw = start["next"][0].item()
        dealt = players * rules.HAND
        return {
            "tiles": _tiles(start.tobytes(), players),
            "hands": [deck[k : k + rules.HAND] for k in range(0, dealt, rules.HAND)],
            "draw": deck[draw:],
            "removed": deck[dealt:draw],
        }

    def is_start(self, states: States) -> bool:
        raw = states.tobytes()
        untouched = raw[_AT["next"]] == raw[_AT["drawn_from"]] and raw[_AT["phase"]] == rules.CARD
        if not untouched or raw[_AT["seat"]]:
            return False
        # A card may have been discarded and taken up again: then somebody's is known.
        seen = (*_masks(raw, _AT["laid"]), *_masks(raw, _AT["known"]))
        return not any(seen) and not any(raw[_AT["pile_size"] : _AT["pile_size"] + len(COLOURS)])

    def position(self, states: States, seat: Seat) -> Fields:
        from keltis.game import board_positions

        return board_positions.fields(states, seat)

    def placement(self, fields: Fields) -> Placement:
        from keltis.game import board_positions

        return board_positions.BoardPlacement(fields, self.options)

    def imagine(
        self,
        seen: dict[str, Any],
        history: Sequence[Event],
        players: int,
        you: int | None,
        chance: Random,
    ) -> dict[str, Any]:
        if "position" in seen:
            begun = positions.seen(self, seen["position"], players)
            whole = imagined(history, you, begun.places(), chance)
            return {"position": positions.write(self, begun.states(whole), positions.ALL)}
        dealt = players * rules.HAND
        draw = dealt + rules.removed(players)
        places = Places(
            deck=[None] * rules.DECK,
            hidden=[list(range(k, k + rules.HAND)) for k in range(0, dealt, rules.HAND)],
            known=[Counter() for _ in range(players)],
            piles={colour: [] for colour in COLOURS},
            next=draw,
        )
        if you is not None:
            hand = check_entry(seen, "hand", "setup.hand")
            cards = check_list(hand, "setup.hand", rules.HAND, "cards")
            for k, (place, card) in enumerate(zip(places.hidden[you], cards, strict=True)):
                places.deck[place] = check_text(card, f"setup.hand[{k}]")
        whole = imagined(history, you, places, chance)
        return {
            "tiles": check_entry(seen, "tiles", "setup.tiles"),
            "hands": [whole[k : k + rules.HAND] for k in range(0, dealt, rules.HAND)],
            "draw": whole[draw:],
            "removed": whole[dealt:draw],
        }

    def playouts(
        self,
        states: States,
        players: int,
        options: Mapping[str, str],
        cap: int,
        results: States,
    ) -> None:
        rules.playouts(states, 0, players, option_bits(options), cap, results)

    # --- What is seen ----------------------------------------------------------------------

    def public_setup(self, start: States) -> dict[str, Any]:
        raw = start.tobytes()
        return {"tiles": _tiles(raw, raw[_AT["players"]])}

    def public(self, states: States, phase: str, keys: Collection[str]) -> dict[str, Any]:
        raw = states.tobytes()
        players = raw[_AT["players"]]
        seen: dict[str, Any] = {
            "path": COLOURS[raw[_AT["path"]]] if phase == "figure" else None,
            "closed_pile": _colour(raw[_AT["closed"]]) if phase == "draw" else None,
        }
        for key in keys:
            seen[key] = _PARTS[key](raw, players)
        return seen

    def private(self, states: States, seat: int) -> dict[str, Any]:
        raw = states.tobytes()
        return {"hand": rows.cards(_masks(raw, _AT["held"])[seat], _masks(raw, _AT["twice"])[seat])}

    def changed(self, token: str) -> tuple[str, ...]:
        if token == "?":
            return ("hand_sizes", "draw_pile")
        if token[0] in "x<":
            return ("hand_sizes", "known", "piles")
        if token in CARD_PLACES:
            return ("hand_sizes", "known", "rows", *_ON_PATHS)
        return _ON_PATHS

    # --- Decisions -------------------------------------------------------------------------

    def play(self, states: States, action: int) -> Outcome | None:
        before = states.tobytes()
        if not rules.play(states, 0, action):
            return None
        if action < rules.DISCARD:
            return None, _figure_moved(before, states.tobytes(), action // NUMBERS)
        if action < rules.STEP or action == rules.DECLINE:
            return NOTHING_MORE
        if action < rules.DECLINE:
            path = (action - rules.STEP) % len(COLOURS)
            return None, _figure_moved(before, states.tobytes(), path)
        return _drawn(before, action), None

    def why_not(self, states: States, action: int) -> Reason:
        phase = states["phase"].item()
        if phase == rules.CARD:
            return _why_not_card(states, action)
        if phase == rules.FIGURE:
            return Reason("figure", COLOURS[states["path"].item()])
        if phase == rules.DRAW:
            return _why_not_draw(states, action)
        return _why_not_step(states, action)


# --- Setting up --------------------------------------------------------------------------


def option_bits(options: Mapping[str, str]) -> int:
    """Options as the compiled rules take them; those that are not named have their default."""
    return sum(
        bit for name, (values, bit) in _OPTIONS.items() if options.get(name, values[0]) != values[0]
    )


def options_of(bits: int) -> dict[str, str]:
    """The options that are not the default, as records have them."""
    return {name: values[1] for name, (values, bit) in _OPTIONS.items() if bits & bit}


def _check_tiles(value: object) -> list[list[int]]:
    paths = check_object(value, "setup.tiles")
    tiles = []
    for colour, tiled in zip(COLOURS, rules.TILED.tolist(), strict=True):
        place = f"setup.tiles.{colour}"
        entries = check_list(check_entry(paths, colour, place), place, rules.STONES)
        codes = [rules.NO_TILE]
        for k, entry in enumerate(entries):
            if not (entry is None or isinstance(entry, str)) or entry not in _TILE_CODES:
                raise ValueError(f"{place}[{k}]: {quoted(entry)} is not a tile")
            if (entry is not None) != (k + 1 in tiled):
                stone = f"stone {k + 1} of the {COLOUR_WORDS[colour]} path"
                raise ValueError(
                    f"{place}[{k}]: {stone} bears {'no' if entry is not None else 'a'} tile"
                )
            codes.append(_TILE_CODES[entry])
        tiles.append(codes)
    there = Counter(code for path in tiles for code in path)
    for code, count in Counter(rules.TILES.tolist()).items():
        if there[code] != count:
            raise ValueError(
                f"setup.tiles: expected {count} {_TILE_WORDS[code]}, not {there[code]}"
            )
    return tiles


# --- What is seen ------------------------------------------------------------------------

# Read from the record's bytes: a field of a numpy record costs more than what is built of it, and
# servers do this for every decision. A byte above 127 is a negative number: none.
_AT: dict[str, int] = {name: field[1] for name, field in (rules.STATE.fields or {}).items()}
_masks = Struct("=4q").unpack_from  # one for each seat
_points = Struct("=4h").unpack_from
_PLACES = rules.STONES + 1  # of a path: stone 1 is at 1
_PILE: int = rules.STATE["pile"].shape[1]


def _top_only(raw: bytes) -> bool:
    """Whether the table keeps to what lies on top of the discard piles (B12)."""
    return bool(raw[_AT["options"]] & rules.TOP_CARDS)


def _hand_sizes(raw: bytes, players: int) -> list[int]:
    held, twice = _masks(raw, _AT["held"]), _masks(raw, _AT["twice"])
    return [held[seat].bit_count() + twice[seat].bit_count() for seat in range(players)]


def _known(raw: bytes, players: int) -> list[list[str]]:
    if _top_only(raw):
        return [[] for _ in range(players)]
    known, twice = _masks(raw, _AT["known"]), _masks(raw, _AT["known_twice"])
    return [rows.cards(known[seat], twice[seat]) for seat in range(players)]


def _rows(raw: bytes, players: int) -> list[dict[str, list[int]]]:
    laid, twice = _masks(raw, _AT["laid"]), _masks(raw, _AT["laid_twice"])
    return rows.rows(laid[:players], twice, raw[_AT["direction"] :])


def _figures(raw: bytes, players: int) -> list[dict[str, int]]:
    paths = len(COLOURS)
    starts = range(_AT["stone"], _AT["stone"] + players * paths, paths)
    return [dict(zip(COLOURS, raw[start : start + paths], strict=True)) for start in starts]


def _tiles(raw: bytes, players: int) -> dict[str, list[str | None]]:
    """The tiles of each path, stone 1 first."""
    starts = range(_AT["tile"], _AT["tile"] + len(COLOURS) * _PLACES, _PLACES)
    return {
        colour: list(_entries(raw[start + 1 : start + _PLACES]))
        for colour, start in zip(COLOURS, starts, strict=True)
    }


@lru_cache(1 << 10)  # the same paths come again in every view
def _entries(codes: bytes) -> tuple[str | None, ...]:
    return tuple(_TILE_ENTRIES[code] for code in codes)


def _piles(raw: bytes, players: int) -> dict[str, list[str]]:
    sizes = raw[_AT["pile_size"] : _AT["pile_size"] + len(COLOURS)]
    starts = range(_AT["pile"], _AT["pile"] + len(COLOURS) * _PILE, _PILE)
    shown = 1 if _top_only(raw) else _PILE
    return {
        colour: [CARDS[card] for card in raw[start + max(0, size - shown) : start + size]]
        for colour, start, size in zip(COLOURS, starts, sizes, strict=True)
    }


def _colour(path: int) -> str | None:
    return COLOURS[path] if path < len(COLOURS) else None


def _by_seat(field: str) -> Callable[[bytes, int], list[int]]:
    at = _AT[field]
    return lambda raw, players: list(raw[at : at + players])


_PARTS: dict[str, Callable[[bytes, int], Any]] = {
    "hand_sizes": _hand_sizes,
    "known": _known,
    "rows": _rows,
    "figures": _figures,
    "large": lambda raw, players: [
        _colour(path) for path in raw[_AT["large"] : _AT["large"] + players]
    ],
    "small_at_start": _by_seat("small"),
    "tiles": _tiles,
    "wishing_stones": _by_seat("wishing"),
    "points": lambda raw, players: list(_points(raw, _AT["points"])[:players]),
    "piles": _piles,
    "draw_pile": lambda raw, players: rules.DECK - raw[_AT["next"]],
    "removed": lambda raw, players: rules.removed(players),
    "in_goal": lambda raw, players: raw[_AT["goal"]],
}


# --- What a decision did -----------------------------------------------------------------


def _drawn(before: bytes, action: int) -> str:
    """The card that an action drew."""
    if action == rules.DRAW_PILE:
        return CARDS[before[_AT["deck"] + before[_AT["next"]]]]
    colour = action - rules.TAKE
    return CARDS[before[_AT["pile"] + _PILE * colour + before[_AT["pile_size"] + colour] - 1]]


def _figure_moved(before: bytes, after: bytes, path: int) -> Effect | None:
    """How the figure of the seat that decided moved on a path, if it did, and what it found."""
    seat = before[_AT["seat"]]
    figure = _AT["stone"] + len(COLOURS) * seat + path
    stone = after[figure]
    if stone == before[figure]:
        return None
    large = after[_AT["large"] + seat] == path
    effect: Effect = {"path": COLOURS[path], "stone": stone, "large": large}
    if after[_AT["phase"]] == rules.OVER:  # B18: before its tile is carried out
        return effect | {"found": None, "ends": True}
    effect["found"] = _TILE_ENTRIES[before[_AT["tile"] + _PLACES * path + stone]]
    return effect


# --- Why not -----------------------------------------------------------------------------


def _why_not_card(states: States, action: int) -> Reason:
    if action < rules.STEP:
        card = action % len(CARDS)
        if not states["held"][0, states["seat"].item()].item() >> card & 1:
            return Reason("hold", card=CARDS[card])
        return rows.misfit(states, card)
    if action == rules.DECLINE:
        return Reason("decline")
    if action < rules.DECLINE:
        return Reason("step")
    return Reason("draw.yet")


def _why_not_draw(states: States, action: int) -> Reason:
    if action < rules.TAKE:
        return Reason("draw")
    path = action - rules.TAKE
    empty = states["pile_size"][0, path] == 0
    return Reason("pile.empty" if empty else "pile.closed", COLOURS[path])


def _why_not_step(states: States, action: int) -> Reason:
    """In the phases of a clover and of a card laid on a path that is finished."""
    seat = states["seat"].item()
    if rules.STEP <= action < rules.LARGE:
        path = action - rules.STEP
        at_end = states["stone"][0, seat, path] == rules.STONES
        return Reason("end.stone" if at_end else "small", COLOURS[path])
    if rules.LARGE <= action < rules.DECLINE:
        large = states["large"][0, seat].item()
        if large >= 0:
            return Reason("large", COLOURS[large])
        return Reason("second", COLOURS[action - rules.LARGE])
    options = states["options"].item()
    if states["phase"].item() == rules.CLOVER:
        return Reason("clover.must" if options & rules.CLOVER_MUST else "clover.may")
    return Reason("other.may" if options & rules.END_STONE_MAY else "other.must")
