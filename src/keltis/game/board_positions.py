"""Positions of the board game as text; `positions.py` has what both games share.

A position is checked for whatever holds in every game: the cards, the tiles, where the figures can
be by the cards laid, what they have found. That some play leads to it is not proved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from keltis.game.board import option_bits, options_of
from keltis.game.errors import PositionError, quoted
from keltis.game.imagined import Places
from keltis.game.positions import (
    ALL,
    HIDDEN,
    Fields,
    Rows,
    Seat,
    by_colour,
    check_card,
    check_copies,
    check_fields,
    directed,
    items,
    listed,
    number,
    numbers,
    options,
    phase,
    piled,
    rows,
    seats,
    written,
    written_options,
)
from keltis.game.rows import cards as cards_of
from keltis.game.rows import rows as rows_of
from keltis.game.setups import States
from keltis.game.tokens import CARD_PLACES, CARDS, COLOUR_WORDS, COLOURS, NUMBERS
from keltis.rules import board as rules

_NEEDED = (
    "seat", "phase", "tiles", "rows", "figures", "wishing_stones", "points", "hands", "piles",
)  # fmt: skip
_MORE = ("options", "takes", "draw", "removed")
_PHASES = {
    "card": ("",),
    "figure": tuple(COLOURS),
    "clover": ("",),
    "end-stone": ("",),
    "draw": ("", *COLOURS),
    "over": ("",),
}
_PHASE_NAMES = tuple(_PHASES)  # by the rules' number
_TILES = ".123CW"  # by the rules' code
_POINTS = (rules.NO_TILE, 1, 2, 3, 0, 0)  # by the code of a tile: what its figure's owner scored
_KNOWN = "!"  # after a card in a hand: everybody saw it being taken
_LARGE = "*"  # after a figure
_MOST_TAKES = 0xFFFF


class _Figures(NamedTuple):
    """A seat's figures."""

    stones: tuple[int, ...]  # by path
    large: int  # the path of the large one, or -1


class _Hand(NamedTuple):
    cards: list[str]  # that are named
    known: list[str]  # of these, what everybody knows
    hidden: int  # how many are left open


class BoardPlacement:
    """What a text says, checked."""

    def __init__(self, fields: Fields, known: Mapping[str, tuple[str, ...]]) -> None:
        check_fields(fields, _NEEDED, _MORE)
        self.options = options(fields.get("options"), known)
        self.rows: Rows = rows(fields["rows"], strict=False)
        self.players = len(self.rows)
        self.seat = number(fields["seat"], "seat", self.players - 1)
        name, what = phase(fields["phase"], _PHASES)
        self.phase = _PHASE_NAMES.index(name)
        self.path = COLOURS.index(what) if what else -1
        self.tiles = _tiles(fields["tiles"])
        self.figures = [
            _figures(entry, f"figures[{seat}]")
            for seat, entry in enumerate(seats(fields["figures"], "figures", self.players))
        ]
        self.wishing = self._numbers(fields, "wishing_stones", 9)
        self.points = self._numbers(fields, "points", sum(rules.POINTS_TILES))
        self.hands = [
            _hand(entry, f"hands[{seat}]")
            for seat, entry in enumerate(seats(fields["hands"], "hands", self.players))
        ]
        self.piles = numbers(fields["piles"], "piles", "card")
        self.takes = number(fields.get("takes", "0"), "takes", _MOST_TAKES)
        self._check_phase()
        self._check_steps()
        self._check_tiles()
        self._lay_out(fields)

    def _numbers(self, fields: Fields, key: str, most: int) -> list[int]:
        entries = seats(fields[key], key, self.players)
        return [number(entry, f"{key}[{seat}]", most) for seat, entry in enumerate(entries)]

    # --- Checks --------------------------------------------------------------------------

    @property
    def goal(self) -> int:
        """How many figures are in the goal area."""
        return sum(stone >= rules.GOAL for mine in self.figures for stone in mine.stones)

    @property
    def reason(self) -> int:
        if self.phase != rules.OVER:
            return rules.RUNNING
        return rules.BY_GOAL if self.goal == rules.LAST_FIGURE else rules.BY_DECK

    def _check_phase(self) -> None:
        """Whether who is to decide can be asked that."""
        mine = self.figures[self.seat]
        laid = self.rows[self.seat]
        if self.goal > rules.LAST_FIGURE:
            raise PositionError(
                f"figures: {self.goal} are in the goal area; the game ends with the fifth"
            )
        if self.goal == rules.LAST_FIGURE and self.phase != rules.OVER:
            raise PositionError("phase: expected over: five figures are in the goal area")
        if self.phase == rules.FIGURE:
            colour = COLOURS[self.path]
            if mine.large >= 0 or _small(mine) == 0:
                raise PositionError(
                    "phase: a figure is chosen only if a small and the large one are on the start"
                )
            if mine.stones[self.path] or len(laid.get(colour, [])) != 1:
                raise PositionError(
                    f"phase: a figure enters the {COLOUR_WORDS[colour]} path after the first card "
                    "of its row"
                )
        if self.phase in (rules.CLOVER, rules.END_STONE) and min(mine.stones) == rules.STONES:
            raise PositionError("phase: no figure can move, so nothing is asked")
        if self.phase == rules.CLOVER and not self._found(mine, rules.CLOVER_TILE, on_it=True):
            raise PositionError(f"phase: no figure of seat {self.seat} is on a clover")
        if self.phase == rules.END_STONE and not any(
            stone == rules.STONES and laid.get(colour)
            for colour, stone in zip(COLOURS, mine.stones, strict=True)
        ):
            raise PositionError(f"phase: no figure of seat {self.seat} is on an end stone")
        if self.phase == rules.DRAW and self.path >= 0:
            if "own_discard" in self.options:
                raise PositionError("phase: no pile is closed where own_discard is allowed")
            if COLOURS[self.path] not in self.piles:
                raise PositionError(f"phase: the {COLOUR_WORDS[COLOURS[self.path]]} pile is empty")

    def _found(self, mine: _Figures, tile: int, *, on_it: bool = False) -> int:
        """How many such tiles a seat's figures have come to, or stand on."""
        return sum(
            self.tiles[path][stone] == tile
            for path, there in enumerate(mine.stones)
            for stone in range(there if on_it and there else 1, there + 1)
        )

    def _check_steps(self) -> None:
        """B10, B14: a card moves a figure by a stone, and so may a clover."""
        for seat, (mine, laid) in enumerate(zip(self.figures, self.rows, strict=True)):
            pending = 0  # steps of this turn that are still to be made
            if seat == self.seat:
                pending = int(self.phase in (rules.FIGURE, rules.CLOVER, rules.END_STONE))
            for path, colour in enumerate(COLOURS):
                cards = len(laid.get(colour, []))
                entering = seat == self.seat and self.phase == rules.FIGURE and path == self.path
                if mine.stones[path] < min(cards, rules.STONES) - entering:
                    raise PositionError(
                        f"figures[{seat}]: {cards} {COLOUR_WORDS[colour]} cards are laid, and the "
                        f"figure is only on stone {mine.stones[path]}"
                    )
            cards = sum(map(len, laid.values()))
            clovers = self._found(mine, rules.CLOVER_TILE)
            steps = sum(mine.stones)
            if steps > cards + clovers - pending:
                raise PositionError(
                    f"figures[{seat}]: {steps} steps were made, but {cards} cards and {clovers} "
                    f"clovers give {cards + clovers - pending}"
                )

    def _check_tiles(self) -> None:
        """B13, B15: what the figures have found is what they passed."""
        # The figure that ends the game stands on stone 7 and does not carry its tile out (B18).
        last = [
            path
            for path, stone in enumerate(self.figures[self.seat].stones)
            if self.reason == rules.BY_GOAL and stone == rules.GOAL
        ]
        if self.reason == rules.BY_GOAL and not last:
            raise PositionError(
                f"figures[{self.seat}]: the figure that ended the game would be on stone 7"
            )
        gone: list[set[tuple[int, int]]] = []  # the wishing stones that each may have taken
        lying = []  # those passed that are still there
        for seat, mine in enumerate(self.figures):
            passed = {
                (path, stone)
                for path, there in enumerate(mine.stones)
                for stone in range(1, there + 1)
            }
            scored = sum(_POINTS[self.tiles[path][stone]] for path, stone in passed)
            possible = {scored}
            if seat == self.seat and last:
                possible = {scored - _POINTS[self.tiles[path][rules.GOAL]] for path in last}
            if self.points[seat] not in possible:
                choices = " or ".join(map(str, sorted(possible)))
                raise PositionError(
                    f"points[{seat}]: the figures have passed tiles of {choices} points, "
                    f"not {self.points[seat]}"
                )
            lying += [(seat, place) for place in passed if self.tiles[place[0]][place[1]] == _WISH]
            gone.append({place for place in passed if place in _DARK and not self._tile(place)})
        ends = {(self.seat, (path, rules.GOAL)) for path in last}
        if len(set(lying) - ends) + max(0, len(set(lying) & ends) - 1):
            path, stone = min(place for _, place in lying)
            raise PositionError(
                f"tiles: the wishing stone on stone {stone} of the {_path(path)} path is passed, "
                "so somebody has taken it"
            )
        taken = sum(not self._tile(place) for place in _DARK)
        if sum(self.wishing) != taken:
            raise PositionError(
                f"wishing_stones: {taken} are off the board, not {sum(self.wishing)}"
            )
        for size in range(1, self.players + 1):
            for some in combinations(range(self.players), size):
                within = len(set().union(*(gone[seat] for seat in some)))
                if sum(self.wishing[seat] for seat in some) > within:
                    who = " and ".join(map(str, some))
                    raise PositionError(
                        f"wishing_stones: seats {who} have passed {within} that are gone"
                        if size > 1
                        else f"wishing_stones[{who}]: {within} of those gone were on its way"
                    )

    def _tile(self, place: tuple[int, int]) -> int:
        return self.tiles[place[0]][place[1]]

    # --- The cards -----------------------------------------------------------------------

    def _lay_out(self, fields: Fields) -> None:
        """Give every card its place in the record's deck.

        As at the start of a game: the hands, the cards out of the game, the draw pile; what has
        come into sight lies where cards are that have been drawn. A hand's hidden cards are the
        first of its places.
        """
        over_by_deck = self.reason == rules.BY_DECK
        for seat, hand in enumerate(self.hands):
            played = seat == self.seat and self.phase != rules.CARD and not over_by_deck
            size = rules.HAND - played
            there = len(hand.cards) + hand.hidden
            if there != size:
                raise PositionError(f"hands[{seat}]: expected {size} cards, not {there}")
        seen = [f"{c}{n}" for laid in self.rows for c, row in laid.items() for n in row]
        seen += [f"{colour}{n}" for colour, pile in self.piles.items() for n in pile]
        seen += [card for hand in self.hands for card in hand.known]
        hidden = sum(len(hand.cards) - len(hand.known) + hand.hidden for hand in self.hands)
        removed = rules.removed(self.players)
        left = rules.DECK - removed - len(seen) - hidden
        if left < 0:
            raise PositionError(
                f"position: hands, rows and piles hold {len(seen) + hidden} cards, but only "
                f"{rules.DECK - removed} are in the game"
            )
        if (left == 0) != over_by_deck:
            words = "no card is left to draw" if left == 0 else f"{left} cards are left to draw"
            expected = "over" if left == 0 else "a decision"
            raise PositionError(f"phase: expected {expected}: {words}")
        out = piled(fields.get("removed"), "removed", removed, "card")
        draw = piled(fields.get("draw"), "draw", left, "card")
        deck: list[str | None] = []
        spare = iter(seen)
        self.places_held: list[list[int]] = []  # in the deck, of each hand's hidden cards
        for hand in self.hands:
            own = list((Counter(hand.cards) - Counter(hand.known)).elements())
            mine: list[str | None] = [*own, *[None] * hand.hidden]
            self.places_held.append(list(range(len(deck), len(deck) + len(mine))))
            deck += mine
            deck += [next(spare) for _ in range(rules.HAND - len(mine))]
        self.deck = [*deck, *out, *spare, *draw]
        self.next = rules.DECK - left
        check_copies(Counter(card for card in self.deck if card is not None), 2, "card")

    def places(self) -> Places:
        """Where cards are, as the seat knows it whose text this is."""
        return Places(
            deck=self.deck.copy(),
            hidden=[[p for p in mine if self.deck[p] is None] for mine in self.places_held],
            known=[Counter(hand.cards) for hand in self.hands],
            piles={c: [f"{c}{n}" for n in self.piles.get(c, [])] for c in COLOURS},
            next=self.next,
        )

    def named_hands(self) -> list[int]:
        return [seat for seat, hand in enumerate(self.hands) if not hand.hidden]

    def states(self, deck: Sequence[str]) -> States:
        """The game as it stands, with the deck filled up."""
        start = np.zeros(1, rules.STATE)
        codes = np.array([CARD_PLACES[card] for card in deck], np.uint8)
        tiles = np.array(self.tiles, np.int8)
        rules.setup(start, 0, self.players, codes, tiles, option_bits(self.options))
        s = start[0]
        for seat, (laid, mine, hand) in enumerate(
            zip(self.rows, self.figures, self.hands, strict=True)
        ):
            held = [*(deck[place] for place in self.places_held[seat]), *hand.known]
            s["held"][seat], s["twice"][seat] = _masks(held)
            s["known"][seat], s["known_twice"][seat] = _masks(hand.known)
            cards = [f"{colour}{n}" for colour, row in laid.items() for n in row]
            s["laid"][seat], s["laid_twice"][seat] = _masks(cards)
            fits = 0
            for path, colour in enumerate(COLOURS):
                row = laid.get(colour, [])
                way = directed(row)
                fitting = int(rules.FITS[row[-1], way + 1]) if row else (1 << NUMBERS) - 1
                fits |= fitting << NUMBERS * path
                s["top"][seat, path] = row[-1] if row else -1
                s["direction"][seat, path] = way
            s["fits"][seat] = fits
            s["stone"][seat] = mine.stones
            s["large"][seat] = mine.large
            s["small"][seat] = _small(mine)
        s["wishing"][: self.players] = self.wishing
        s["points"][: self.players] = self.points
        for colour, pile in self.piles.items():
            path = COLOURS.index(colour)
            s["pile"][path, : len(pile)] = [CARD_PLACES[f"{colour}{n}"] for n in pile]
            s["pile_size"][path] = len(pile)
            s["piles"] |= 1 << path
        s["next"] = self.next
        s["seat"], s["phase"], s["takes"] = self.seat, self.phase, self.takes
        if self.phase == rules.FIGURE:
            s["path"] = self.path
        elif self.phase == rules.DRAW:
            s["closed"] = self.path
        s["goal"], s["reason"] = self.goal, self.reason
        return start


_WISH = rules.WISHING_STONE
_DARK = {(path, stone) for path, stones in enumerate(rules.TILED.tolist()) for stone in stones}


def _path(path: int) -> str:
    return COLOUR_WORDS[COLOURS[path]]


def _small(mine: _Figures) -> int:
    """How many small figures are on the start."""
    return rules.SMALL_FIGURES - sum(
        stone > 0 and path != mine.large for path, stone in enumerate(mine.stones)
    )


def _masks(cards: Sequence[str]) -> tuple[int, int]:
    """Cards as two masks: those there, and those there twice."""
    once = twice = 0
    for card in cards:
        bit = 1 << CARD_PLACES[card]
        twice |= once & bit
        once |= bit
    return once, twice


# --- Reading -----------------------------------------------------------------------------


def _tiles(text: str) -> list[list[int]]:
    """B5, B6: the tiles of each path, stone 1 at 1; wishing stones may be gone."""
    paths = text.split("/")
    if len(paths) != len(COLOURS) or any(len(path) != rules.STONES for path in paths):
        raise PositionError(f"tiles: expected {len(COLOURS)} paths of {rules.STONES} signs")
    tiles = []
    for k, path in enumerate(paths):
        for stone, sign in enumerate(path, start=1):
            if sign not in _TILES:
                raise PositionError(f"tiles: {quoted(sign)} is not a tile; they are {_TILES}")
            if sign != "." and (k, stone) not in _DARK:
                raise PositionError(f"tiles: stone {stone} of the {_path(k)} path bears no tile")
        tiles.append([rules.NO_TILE, *(_TILES.index(sign) for sign in path)])
    there = Counter(code for path in tiles for code in path)
    for code, count in Counter(rules.TILES.tolist()).items():
        if there[code] > count or (there[code] < count and code != _WISH):
            raise PositionError(f"tiles: expected {count} of {_TILES[code]}, not {there[code]}")
    return tiles


def _figures(text: str, place: str) -> _Figures:
    """`R3,Y1*`: a figure on stone 3 of the red path, the large one on stone 1 of the yellow."""
    stones, large = [0] * len(COLOURS), -1
    for colour, entry in by_colour(text, place).items():
        path = COLOURS.index(colour)
        stones[path] = number(entry.removesuffix(_LARGE), f"{place}.{colour}", rules.STONES)
        if stones[path] == 0:
            raise PositionError(f"{place}.{colour}: figures on the start are not named")
        if entry.endswith(_LARGE):
            if large >= 0:
                raise PositionError(f"{place}: there is one large figure")
            large = path
    mine = _Figures(tuple(stones), large)
    if _small(mine) < 0:
        raise PositionError(f"{place}: there are {rules.SMALL_FIGURES} small figures")
    return mine


def _hand(text: str, place: str) -> _Hand:
    cards, known, hidden = [], [], 0
    for entry in items(text):
        if entry == HIDDEN:
            hidden += 1
            continue
        card = entry.removesuffix(_KNOWN)
        check_card(card, place, "card")
        cards.append(card)
        if entry != card:
            known.append(card)
    return _Hand(cards, known, hidden)


# --- Writing -----------------------------------------------------------------------------


def fields(states: States, seat: Seat) -> Fields:
    """A game as it stands, as far as a seat knows it."""
    s = states[0]
    players = s["players"].item()
    chosen = options_of(s["options"].item())
    name = _PHASE_NAMES[s["phase"].item()]
    about = {"figure": s["path"].item(), "draw": s["closed"].item()}.get(name, -1)
    deck = [CARDS[card] for card in s["deck"].tolist()]
    piles = {
        colour: [card % NUMBERS for card in s["pile"][path, : s["pile_size"][path]].tolist()]
        for path, colour in enumerate(COLOURS)
    }
    tiles = s["tile"].tolist()
    masks = s["laid"][:players].tolist(), s["laid_twice"].tolist(), s["direction"].tobytes()
    laid = rows_of(*masks)
    found = {
        "seat": str(s["seat"].item()),
        "phase": name if about < 0 else f"{name}:{COLOURS[about]}",
        "options": written_options(chosen),
        "tiles": "/".join("".join(_TILES[code] for code in path[1:]) for path in tiles),
        "rows": "|".join(map(written, laid)),
        "figures": "|".join(_written_figures(states, player) for player in range(players)),
        "wishing_stones": "|".join(map(str, s["wishing"][:players].tolist())),
        "points": "|".join(map(str, s["points"][:players].tolist())),
        "hands": "|".join(
            _written_hand(states, player, open=seat in (player, ALL)) for player in range(players)
        ),
        "piles": written(piles),
        "takes": str(s["takes"].item()),
    }
    if not chosen:
        del found["options"]
    if found["takes"] == "0":
        del found["takes"]
    if seat == ALL:
        found["draw"] = listed(deck[s["next"].item() :])
        out = deck[s["removed_from"].item() : s["drawn_from"].item()]
        found["removed"] = listed(sorted(out, key=CARD_PLACES.__getitem__))  # in no order
        if players != 2:
            del found["removed"]
    return found


def _written_figures(states: States, player: int) -> str:
    s = states[0]
    large = s["large"][player]
    return listed(
        [
            f"{COLOURS[path]}{stone}{_LARGE if path == large else ''}"
            for path, stone in enumerate(s["stone"][player].tolist())
            if stone
        ]
    )


def _written_hand(states: States, player: int, *, open: bool) -> str:
    s = states[0]
    known = cards_of(s["known"][player].item(), s["known_twice"][player].item())
    held = cards_of(s["held"][player].item(), s["twice"][player].item())
    hidden = list((Counter(held) - Counter(known)).elements())
    shown = [card + _KNOWN for card in known]
    return listed([*shown, *(hidden if open else [HIDDEN] * len(hidden))])
