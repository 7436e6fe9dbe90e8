"""Positions told as stories: a test says what was played, and a setup is dealt that allows it.

    game = board("Ann: R0 R ?", "Ann: R1", tiles="R2=C")

reads: Ann lays red 0 with a small figure and draws; Ben waits, as nothing is told of him; Ann
lays red 1 and lands on a clover, where the story stops. Each card that somebody plays is put into
their first hand, or among the cards they draw before they need it; tiles that the story names lie
where it says. All the rest of the 110 cards and 25 tiles is dealt out in a fixed order, clovers
as far away from the story as possible, so every position is one that a real deal can lead to.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import keltis

NAMES = ["Ann", "Ben", "Cat", "Dan"]
COLOURS = "RYVGB"
CARDS = [f"{colour}{number}" for number in range(11) for colour in COLOURS]
DARK_STONES = {
    "G": (3, 5, 6, 7),
    "Y": (2, 4, 6, 7),
    "R": (2, 3, 5, 7),
    "B": (2, 4, 5, 7),
    "V": (3, 4, 6, 7),
}
PLACES = [f"{colour}{stone}" for colour in COLOURS for stone in (*DARK_STONES[colour], 9)]
TILES = Counter({"W": 9, "C": 9, "1": 2, "2": 3, "3": 2})
HAND = 8
REMOVED = {2: 30, 3: 0, 4: 0}


def board(
    *turns: str,
    players: int = 2,
    tiles: str = "",
    hands: dict[str, str] | None = None,
    draw: str = "",
    may: bool = False,
    options: dict[str, str] | None = None,
) -> keltis.Game:
    """The board game after these turns, of which the last may be unfinished.

    hands: the first cards of a player's first hand; draw: the first cards of the draw pile.
    """
    record = board_record(
        *turns, players=players, tiles=tiles, hands=hands, draw=draw, may=may, options=options
    )
    moves = record["moves"]
    game = keltis.load({**record, "moves": []})
    for token in moves:
        game.play(token)
    return game


def board_record(
    *turns: str,
    players: int = 2,
    tiles: str = "",
    hands: dict[str, str] | None = None,
    draw: str = "",
    may: bool = False,
    options: dict[str, str] | None = None,
) -> dict[str, Any]:
    """The record of such a story: `result` is left open."""
    told = [_turn(turn) for turn in turns]
    table = _Table(players, told, hands or {}, draw.split())
    moves = table.tell()
    return {
        "format": "keltis-record/1",
        "game": "board",
        "options": ({"end_stone_step": "may"} if may else {}) | (options or {}),
        "players": NAMES[:players],
        "setup": {"tiles": lay_tiles(tiles, _paths_used(told)), **table.dealt()},
        "moves": moves,
        "result": None,
    }


def march(
    name: str,
    path: str,
    stones: int,
    enter: str = "",
    declined: tuple[int, ...] = (),
    falling: bool = False,
) -> list[str]:
    """Turns in which one player lays card after card of a colour: 0 0 1 1 2 … or 10 10 9 9 8 …

    enter: the answer to "small or large?" where it is asked; declined: clovers on the way.
    """
    turns = []
    for stone in range(1, stones + 1):
        number = 10 - (stone - 1) // 2 if falling else (stone - 1) // 2
        answer = enter if stone == 1 else "-" if stone in declined else ""
        turns.append(f"{name}: {path}{number} {answer} ?")
    return turns


def alternate(*stories: list[str]) -> list[str]:
    """Several players' turns shuffled into one another, one of each at a time."""
    longest = max(len(story) for story in stories)
    return [story[k] for k in range(longest) for story in stories if k < len(story)]


def lay_tiles(wanted: str = "", paths_used: str = "") -> dict[str, list[str | None]]:
    """The 25 tiles on their places: those wanted (`R2=C Y4=W`), then the rest in a fixed order."""
    left = TILES.copy()
    tiles: dict[str, list[str | None]] = {colour: [None] * 9 for colour in COLOURS}
    laid = set()
    for place, tile in (item.split("=") for item in wanted.split()):
        assert place in PLACES, f"{place} carries no tile"
        assert left[tile] > 0, f"too many tiles {tile}"
        left[tile] -= 1
        laid.add(place)
        tiles[place[0]][int(place[1:]) - 1] = tile
    free = [place for place in PLACES if place not in laid]
    free.sort(key=lambda place: (place[0] in paths_used, -int(place[1:])))
    rest = [tile for tile in "CW123" for _ in range(left[tile])]
    for place, tile in zip(free, rest, strict=True):
        tiles[place[0]][int(place[1:]) - 1] = tile
    return tiles


def stones(*turns: str, players: int = 2, draw: str = "") -> keltis.Game:
    """The tile game after these turns; draw: the first tiles in the order of turning up."""
    game = keltis.load(stones_record(players=players, draw=draw))
    for turn in turns:
        name, tokens = _turn(turn)
        for token in tokens:
            assert game.seat == NAMES.index(name), f"it is not {name}'s turn: {turn}"
            game.play(token)
    return game


def stones_record(*, players: int = 2, draw: str = "", last: str = "") -> dict[str, Any]:
    """A record of the tile game before the first turn; last: the tiles that turn up last."""
    first, final = draw.split(), last.split()
    named = set(first + final)
    assert len(named) == len(first) + len(final), "a tile exists only once"
    return {
        "format": "keltis-record/1",
        "game": "stones",
        "options": {},
        "players": NAMES[:players],
        "setup": {"draw": first + [tile for tile in CARDS if tile not in named] + final},
        "moves": [],
        "result": None,
    }


def public(game: keltis.Game) -> dict[str, Any]:
    """What everybody at the table sees."""
    return dict(game.view(None))


def figures(game: keltis.Game, name: str) -> dict[str, int]:
    """Where a player's figures stand, path by path; figures on the start are left out."""
    stones_reached = public(game)["figures"][NAMES.index(name)]
    return {path: stone for path, stone in stones_reached.items() if stone}


def of(game: keltis.Game, name: str, what: str) -> Any:
    """One player's entry of a public list: `of(game, "Ann", "points")`."""
    return public(game)[what][NAMES.index(name)]


def hand(game: keltis.Game, name: str) -> list[str]:
    cards: list[str] = game.view(NAMES.index(name))["hand"]
    return cards


def score(game: keltis.Game, name: str) -> int:
    return game.scores()[NAMES.index(name)]


def play(game: keltis.Game, tokens: str) -> keltis.Game:
    """Plays a few tokens in a row: `play(game, "R7 R* G ?")`."""
    for token in tokens.split():
        game.play(token)
    return game


def _turn(text: str) -> tuple[str, list[str]]:
    name, _, tokens = text.partition(":")
    return name.strip(), tokens.split()


def _paths_used(told: list[tuple[str, list[str]]]) -> str:
    return "".join({token[0] for _, tokens in told for token in tokens if token[0] in COLOURS})


class _Slot:
    """A card whose face the story has not fixed yet, or has."""

    def __init__(self) -> None:
        self.card: str | None = None
        self.spare = False  # fixed only because somebody had to wait


class _Table:
    """Walks through a story with blank cards and writes on them what the story needs."""

    def __init__(
        self,
        players: int,
        told: list[tuple[str, list[str]]],
        hands: dict[str, str],
        draw: list[str],
    ) -> None:
        self.players = players
        self.told = told
        self.left = Counter(dict.fromkeys(CARDS, 2))
        self.first_hands = [[_Slot() for _ in range(HAND)] for _ in range(players)]
        self.removed = [_Slot() for _ in range(REMOVED[players])]
        size = len(CARDS) * 2 - players * HAND - len(self.removed)
        self.draw_pile = [_Slot() for _ in range(size)]
        for name, cards in hands.items():
            for slot, card in zip(self.first_hands[NAMES.index(name)], cards.split(), strict=False):
                self._write(slot, card)
        for slot, card in zip(self.draw_pile, draw, strict=False):
            self._write(slot, card)
        self.hands = [list(hand) for hand in self.first_hands]
        self.piles: dict[str, list[_Slot]] = {colour: [] for colour in COLOURS}
        self.drawn = 0
        # Cards the story names are kept for it; colours it does not name are best for waiting.
        named = [token.lstrip("x") for _, tokens in told for token in tokens]
        self.kept = Counter(card for card in named if card in self.left)
        unused = [colour for colour in COLOURS if colour not in _colours(named)]
        self.spare_cards = sorted(CARDS, key=lambda card: (card[0] not in unused, -int(card[1:])))

    def tell(self) -> list[str]:
        moves = []
        seat = 0
        for name, tokens in self.told:
            while seat != NAMES.index(name):
                moves += self._wait(seat)
                seat = (seat + 1) % self.players
            for token in tokens:
                self._follow(seat, token)
            moves += tokens
            seat = (seat + 1) % self.players
        return moves

    def dealt(self) -> dict[str, Any]:
        """The setup's cards, blank ones filled in with what is left."""
        groups = [*self.first_hands, self.draw_pile, self.removed]
        blanks = [slot for group in groups for slot in group if slot.card is None]
        for slot, card in zip(blanks, sorted(self.left.elements(), key=CARDS.index), strict=True):
            slot.card = card
        return {
            "hands": [[slot.card for slot in hand] for hand in self.first_hands],
            "draw": [slot.card for slot in self.draw_pile],
            "removed": [slot.card for slot in self.removed],
        }

    def _follow(self, seat: int, token: str) -> None:
        if token == "?":
            self._draw(seat)
        elif token.startswith("<"):
            self.hands[seat].append(self.piles[token[1]].pop())
        elif token.startswith("x"):
            self.piles[token[1]].append(self._take(seat, token[1:]))
        elif token in CARDS:
            self._take(seat, token)

    def _wait(self, seat: int) -> list[str]:
        """Discards a spare card; takes back a card discarded so before if possible, else draws."""
        tops = [path for path, pile in self.piles.items() if pile and pile[-1].spare]
        back = next((path for path in tops if self._spare(seat, path)), "")
        slot = self._spare(seat, back)
        assert slot is not None, f"{NAMES[seat]} has no card to wait with"
        assert slot.card is not None
        self.hands[seat].remove(slot)
        self.piles[slot.card[0]].append(slot)
        tokens = [f"x{slot.card}", f"<{back}" if back else "?"]
        self._follow(seat, tokens[1])
        return tokens

    def _spare(self, seat: int, other_than: str) -> _Slot | None:
        """A card in hand that the story can do without, of another colour than this one."""
        spares = [slot for slot in self.hands[seat] if slot.spare]
        for slot in spares:
            if slot.card and slot.card[0] != other_than:
                return slot
        if len(spares) > 1:  # two are enough to go on with: blank cards are for the story
            return None
        for slot in self.hands[seat]:
            for card in self.spare_cards if slot.card is None else ():
                if card[0] != other_than and self.left[card] > self.kept[card]:
                    self._write(slot, card)
                    slot.spare = True
                    return slot
        for slot in self.hands[seat]:
            if slot.card and not self.kept[slot.card] and slot.card[0] != other_than:
                slot.spare = True
                return slot
        return None

    def _draw(self, seat: int) -> None:
        self.hands[seat].append(self.draw_pile[self.drawn])
        self.drawn += 1

    def _take(self, seat: int, card: str) -> _Slot:
        hand = self.hands[seat]
        slot = next((slot for slot in hand if slot.card == card), None)
        if slot is None:
            slot = next((slot for slot in hand if slot.card is None), None)
            assert slot is not None, f"{NAMES[seat]} cannot hold {card}"
            self._write(slot, card)
        hand.remove(slot)
        return slot

    def _write(self, slot: _Slot, card: str) -> None:
        assert self.left[card] > 0, f"a third {card}"
        self.left[card] -= 1
        slot.card = card


def _colours(tokens: list[str]) -> set[str]:
    return {token.lstrip("<")[0] for token in tokens if token.lstrip("<")[:1] in COLOURS}
