"""Keltis, the board game, read literally: clauses B1 to B22."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

COLOURS = "RYVGB"
STONE_VALUES = {0: 0, 1: -4, 2: -3, 3: -2, 4: 1, 5: 2, 6: 3, 7: 6, 8: 7, 9: 10}  # B2
WISHING_STONE_VALUES = {0: -4, 1: -3, 2: 2, 3: 3, 4: 6, 5: 10}  # B20
GOAL_STONES = (7, 8, 9)  # B2
END_STONE = 9  # B2
DARK_STONES = {  # B6
    "G": (3, 5, 6, 7),
    "Y": (2, 4, 6, 7),
    "R": (2, 3, 5, 7),
    "B": (2, 4, 5, 7),
    "V": (3, 4, 6, 7),
}
TILES = ["W"] * 9 + ["C"] * 9 + ["1", "1", "2", "2", "2", "3", "3"]  # B5
CARDS = [f"{colour}{number}" for colour in COLOURS for number in range(11)]


class BoardReference:
    """One game, from a record's `setup`, `options` and `players`."""

    def __init__(
        self, setup: dict[str, Any], options: dict[str, str], players: Sequence[str]
    ) -> None:
        seats = range(len(players))
        self.players = list(players)
        self.options = dict(options)
        self.start_tiles = {colour: list(setup["tiles"][colour]) for colour in COLOURS}
        self.start_hands = [list(hand) for hand in setup["hands"]]
        self.start_draw_pile = list(setup["draw"])
        self.tiles = {colour: list(setup["tiles"][colour]) for colour in COLOURS}
        self.hands = [list(hand) for hand in setup["hands"]]
        self.draw_pile = list(setup["draw"])
        self.removed = list(setup["removed"])
        self.known: list[list[str]] = [[] for _ in seats]
        self.rows: list[dict[str, list[int]]] = [{c: [] for c in COLOURS} for _ in seats]
        self.figures = [dict.fromkeys(COLOURS, 0) for _ in seats]  # B4: all on the start
        self.large: list[str | None] = [None for _ in seats]
        self.small_at_start = [4 for _ in seats]
        self.wishing_stones = [0 for _ in seats]
        self.points = [0 for _ in seats]
        self.piles: dict[str, list[str]] = {colour: [] for colour in COLOURS}
        self.moves: list[str] = []
        self.history: list[dict[str, Any]] = []  # every card drawn is in "card", public or not
        self.turn = 0  # B8: seat 0 starts
        self.phase = "card"
        self.path: str | None = None
        self.closed_pile: str | None = None
        self.reason: str | None = None

    # What anyone at the table can say about the position

    @property
    def is_over(self) -> bool:
        return self.reason is not None

    @property
    def seat(self) -> int | None:
        return None if self.is_over else self.turn

    def in_goal(self) -> int:
        return sum(stone in GOAL_STONES for figures in self.figures for stone in figures.values())

    def scores(self) -> list[int]:
        """B20, as if the game ended now."""
        scores = []
        for seat in range(len(self.players)):
            score = self.points[seat]
            for colour, stone in self.figures[seat].items():
                score += STONE_VALUES[stone]
                if colour == self.large[seat]:
                    score += STONE_VALUES[stone]
            score += WISHING_STONE_VALUES[min(self.wishing_stones[seat], 5)]
            scores.append(score)
        return scores

    def winners(self) -> list[int]:
        """B21; nobody has won a game that runs, nor one that was cut off (B22)."""
        if self.reason in (None, "cut off"):
            return []
        scores = self.scores()
        return [seat for seat, score in enumerate(scores) if score == max(scores)]

    def result(self) -> dict[str, Any] | None:
        if not self.is_over:
            return None
        return {"scores": self.scores(), "winners": self.winners(), "reason": self.reason}

    # What may be done

    def fits(self, seat: int, card: str) -> bool:
        """B9: with the card laid, the whole row never falls or never rises."""
        row = [*self.rows[seat][card[0]], int(card[1:])]
        return row == sorted(row) or row == sorted(row, reverse=True)

    def steps(self) -> list[str]:
        """B14, B16: the ways of moving one figure of this player by one stone."""
        figures, steps = self.figures[self.turn], []
        for colour in COLOURS:
            if 1 <= figures[colour] < END_STONE or (
                figures[colour] == 0 and self.small_at_start[self.turn] > 0
            ):
                steps.append(colour)
        for colour in COLOURS:
            if figures[colour] == 0 and self.large[self.turn] is None:
                steps.append(colour + "*")
        return steps

    def may_decline(self) -> bool:
        if self.phase == "clover":
            return self.options.get("clover_step") != "must"  # B14
        return self.phase == "end stone" and self.options.get("end_stone_step") == "may"  # B16

    def legal_moves(self) -> list[str]:
        if self.phase == "card":
            hand = [card for card in CARDS if card in self.hands[self.turn]]
            lays = [card for card in hand if self.fits(self.turn, card)]  # B9
            return lays + ["x" + card for card in hand]  # B12: always allowed
        if self.phase == "figure":  # B10
            assert self.path is not None
            return [self.path, self.path + "*"]
        if self.phase in ("clover", "end stone"):
            return self.steps() + (["-"] if self.may_decline() else [])
        if self.phase == "draw":  # B17
            open_piles = [c for c in COLOURS if self.piles[c] and c != self.closed_pile]
            return ["?"] + ["<" + colour for colour in open_piles]
        return []

    # Doing it

    def play(self, token: str) -> None:
        assert token in self.legal_moves(), f"{token!r} is not among {self.legal_moves()}"
        entry: dict[str, Any] = {"seat": self.turn, "move": token}
        self.moves.append(token)
        self.history.append(entry)
        if self.phase == "card":
            if token.startswith("x"):
                self.discard(token[1:])
            else:
                self.lay(token)
        elif self.phase == "draw":
            entry["card"] = self.draw(token)
        elif token == "-":
            self.phase = "draw"
        else:
            self.step(token[0], large=token.endswith("*"))

    def leave_hand(self, card: str) -> None:
        self.hands[self.turn].remove(card)
        if card in self.known[self.turn]:
            self.known[self.turn].remove(card)

    def discard(self, card: str) -> None:
        """B12."""
        self.leave_hand(card)
        self.piles[card[0]].append(card)
        if self.options.get("own_discard") != "allowed":  # B17
            self.closed_pile = card[0]
        self.phase = "draw"

    def lay(self, card: str) -> None:
        colour = card[0]
        self.leave_hand(card)
        self.rows[self.turn][colour].append(int(card[1:]))
        stone = self.figures[self.turn][colour]
        if stone == END_STONE:  # B16
            self.phase = "end stone" if self.steps() else "draw"
        elif stone > 0:  # B10, B11
            self.step(colour, large=False)
        elif self.large[self.turn] is None and self.small_at_start[self.turn] > 0:  # B10
            self.phase = "figure"
            self.path = colour
        else:
            self.step(colour, large=self.large[self.turn] is None)

    def step(self, colour: str, large: bool) -> None:
        """One figure goes one stone on; `large` says which one leaves the start."""
        figures = self.figures[self.turn]
        if figures[colour] == 0:
            if large:
                assert self.large[self.turn] is None
                self.large[self.turn] = colour
            else:
                assert self.small_at_start[self.turn] > 0
                self.small_at_start[self.turn] -= 1
        figures[colour] += 1
        stone = figures[colour]
        assert stone <= END_STONE
        self.path = None
        self.phase = "draw"
        effect: dict[str, Any] = {
            "path": colour,
            "stone": stone,
            "large": self.large[self.turn] == colour,
            "found": None,
        }
        self.history[-1]["effect"] = effect
        if stone == GOAL_STONES[0] and self.in_goal() == 5:  # B18
            effect["ends"] = True
            self.end("goal")
            return
        tile = self.tiles[colour][stone - 1]
        effect["found"] = tile
        if tile == "W":  # B15
            self.tiles[colour][stone - 1] = None
            self.wishing_stones[self.turn] += 1
        elif tile == "C":  # B14
            if self.steps():
                self.phase = "clover"
        elif tile is not None:  # B13
            self.points[self.turn] += int(tile)

    def draw(self, token: str) -> str:
        """B17; returns the card."""
        card: str
        if token == "?":
            card = self.draw_pile.pop(0)
        else:
            card = self.piles[token[1]].pop()
            self.known[self.turn].append(card)
        self.hands[self.turn].append(card)
        self.closed_pile = None
        if not self.draw_pile:  # B19
            self.end("deck")
        else:
            self.turn = (self.turn + 1) % len(self.players)
            self.phase = "card"
        return card

    def end(self, reason: str) -> None:
        self.phase = "over"
        self.reason = reason
        self.closed_pile = None

    def cut_off(self) -> None:
        """B22: a caller's cap was hit."""
        self.path = None
        self.end("cut off")

    # What a seat sees

    def view(self, seat: int | None) -> dict[str, Any]:
        history = []
        for entry in self.history:
            seen = {"seat": entry["seat"], "move": entry["move"]}
            taken_openly = entry["move"].startswith("<")
            if "card" in entry and (taken_openly or entry["seat"] == seat):
                seen["shown"] = entry["card"]
            if "effect" in entry:
                seen["effect"] = dict(entry["effect"])
            history.append(seen)
        top_only = self.options.get("piles") == "top"  # B12
        return {
            "game": "board",
            "options": dict(self.options),
            "players": list(self.players),
            "you": seat,
            "setup": {
                "tiles": {colour: list(self.start_tiles[colour]) for colour in COLOURS},
                "hand": None if seat is None else in_order(self.start_hands[seat]),
            },
            "history": history,
            "seat": self.seat,
            "phase": self.phase,
            "path": self.path,
            "closed_pile": self.closed_pile,
            "hand": None if seat is None else in_order(self.hands[seat]),
            "hand_sizes": [len(hand) for hand in self.hands],
            "known": [[] if top_only else in_order(cards) for cards in self.known],
            "rows": [{c: list(rows[c]) for c in COLOURS} for rows in self.rows],
            "figures": [dict(figures) for figures in self.figures],
            "large": list(self.large),
            "small_at_start": list(self.small_at_start),
            "tiles": {colour: list(self.tiles[colour]) for colour in COLOURS},
            "wishing_stones": list(self.wishing_stones),
            "points": list(self.points),
            "scores": self.scores(),
            "piles": {c: self.piles[c][-1:] if top_only else list(self.piles[c]) for c in COLOURS},
            "draw_pile": len(self.draw_pile),
            "removed": len(self.removed),
            "in_goal": self.in_goal(),
            "legal_moves": self.legal_moves() if seat is not None and seat == self.seat else [],
            "result": self.result(),
        }


def in_order(cards: list[str]) -> list[str]:
    return sorted(cards, key=CARDS.index)


def deal_board(rng: Random, players: int, shape: str = "even") -> dict[str, Any]:
    """A random `setup`.

    Every shape is a legal deal; all but "even" only make what is rare in even deals more common:
    "rising" and "falling" bring the cards roughly in order, so that rows grow long; "clovers" is
    "rising" with the clovers on two paths.
    """
    cards = 2 * CARDS
    rng.shuffle(cards)
    out_of_the_game = 30 if players == 2 else 0  # B7
    if shape != "even":
        sign = -1 if shape == "falling" else 1
        played = len(cards) - out_of_the_game
        cards[:played] = sorted(
            cards[:played], key=lambda card: sign * int(card[1:]) + rng.uniform(0, 4)
        )
    hands = [[cards.pop(0) for _ in range(8)] for _ in range(players)]  # B7: dealt first
    removed = [cards.pop() for _ in range(out_of_the_game)]  # B7: then taken off the pile

    tiles = list(TILES)
    rng.shuffle(tiles)
    places = [(colour, stone) for colour in COLOURS for stone in (*DARK_STONES[colour], END_STONE)]
    if shape == "clovers":
        favoured = rng.sample(COLOURS, 2)
        tiles.sort(key=lambda tile: tile != "C")
        places.sort(key=lambda place: place[0] not in favoured)
    on_board: dict[str, list[str | None]] = {colour: [None] * 9 for colour in COLOURS}
    for (colour, stone), tile in zip(places, tiles, strict=True):
        on_board[colour][stone - 1] = tile
    return {"tiles": on_board, "hands": hands, "draw": cards, "removed": removed}


SHAPES = ("even", "rising", "falling", "clovers")
