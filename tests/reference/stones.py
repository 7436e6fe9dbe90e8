"""Keltis, Der Weg der Steine, read literally: clauses S1 to S10."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

COLOURS = "RYVGB"
TILES = [f"{colour}{number}" for colour in COLOURS for number in range(11)]  # S1
WISHING_STONES = ["V1", "V4", "B2", "B3", "R4", "R7", "G6", "G9", "Y6", "Y8"]  # S2
CLOVERS = ["V2", "V9", "B5", "B6", "R5", "R8", "G3", "G4", "Y1", "Y7"]  # S2
BONUS_POINTS = {  # S2
    "V5": 1,
    "B9": 1,
    "R6": 1,
    "G1": 1,
    "Y4": 1,
    "V7": 3,
    "B8": 3,
    "R2": 3,
    "G5": 3,
    "Y3": 3,
}
ROW_VALUES = {0: 0, 1: -4, 2: -3, 3: 2, 4: 3, 5: 6, 6: 10}  # S8
WISHING_STONE_VALUES = {0: -4, 1: -3, 2: 2, 3: 3, 4: 6, 5: 10}  # S8


class StonesReference:
    """One game, from a record's `setup`, `options` and `players`."""

    def __init__(
        self, setup: dict[str, Any], options: dict[str, str], players: Sequence[str]
    ) -> None:
        self.players = list(players)
        self.options = dict(options)
        self.face_down = list(setup["draw"])
        self.open: list[str] = []
        self.rows: list[dict[str, list[int]]] = [{c: [] for c in COLOURS} for _ in players]
        self.moves: list[str] = []
        self.history: list[dict[str, Any]] = []
        self.turn = 0  # S3: seat 0 starts
        self.phase = "turn"
        self.tile: str | None = None
        self.reason: str | None = None

    @property
    def is_over(self) -> bool:
        return self.reason is not None

    @property
    def seat(self) -> int | None:
        return None if self.is_over else self.turn

    def tiles_of(self, seat: int) -> list[str]:
        rows = self.rows[seat]
        return [f"{colour}{number}" for colour in COLOURS for number in rows[colour]]

    def wishing_stones(self, seat: int) -> int:
        return sum(tile in WISHING_STONES for tile in self.tiles_of(seat))

    def points(self, seat: int) -> int:
        return sum(BONUS_POINTS.get(tile, 0) for tile in self.tiles_of(seat))

    def scores(self) -> list[int]:
        """S8, as if the game ended now."""
        scores = []
        for seat in range(len(self.players)):
            score = sum(ROW_VALUES[min(len(row), 6)] for row in self.rows[seat].values())
            score += WISHING_STONE_VALUES[min(self.wishing_stones(seat), 5)]
            score += self.points(seat)
            scores.append(score)
        return scores

    def winners(self) -> list[int]:
        """S9; nobody has won a game that runs, nor one that was cut off."""
        if self.reason in (None, "cut off"):
            return []
        scores = self.scores()
        return [seat for seat, score in enumerate(scores) if score == max(scores)]

    def result(self) -> dict[str, Any] | None:
        if not self.is_over:
            return None
        return {"scores": self.scores(), "winners": self.winners(), "reason": self.reason}

    def fits(self, seat: int, tile: str) -> bool:
        """S5: with the tile laid, the whole row strictly rises or strictly falls."""
        row = [*self.rows[seat][tile[0]], int(tile[1:])]
        pairs = list(pairwise(row))
        return all(a < b for a, b in pairs) or all(a > b for a, b in pairs)

    def open_tiles_that_fit(self) -> list[str]:
        return [tile for tile in TILES if tile in self.open and self.fits(self.turn, tile)]

    def legal_moves(self) -> list[str]:
        if self.phase == "turn":  # S4
            return [*self.open_tiles_that_fit(), "?"]
        if self.phase == "tile":  # S4, S5
            assert self.tile is not None
            return [self.tile, "-"] if self.fits(self.turn, self.tile) else ["-"]
        if self.phase == "further":  # S7
            return [*self.open_tiles_that_fit(), "-"]
        return []

    def play(self, token: str) -> None:
        assert token in self.legal_moves(), f"{token!r} is not among {self.legal_moves()}"
        entry: dict[str, Any] = {"seat": self.turn, "move": token}
        self.moves.append(token)
        self.history.append(entry)
        if token == "?":
            self.tile = self.face_down.pop(0)
            entry["shown"] = self.tile
            self.phase = "tile"
        elif token == "-":
            if self.tile is not None:
                entry["effect"] = {"left": self.tile}
                self.open.append(self.tile)
                self.tile = None
            self.end_turn()
        else:
            self.take(token)

    def take(self, tile: str) -> None:
        self.history[-1]["effect"] = {
            "from": "turned over" if tile == self.tile else "open",
            "found": symbol(tile),
        }
        if tile == self.tile:
            self.tile = None
        else:
            self.open.remove(tile)
        self.rows[self.turn][tile[0]].append(int(tile[1:]))
        if tile not in CLOVERS:
            self.end_turn()
        elif self.face_down:  # S6
            self.phase = "turn"
        elif self.open_tiles_that_fit():  # S7
            self.phase = "further"
        else:  # S7
            self.end("deck")

    def end_turn(self) -> None:
        if not self.face_down:  # S7
            self.end("deck")
            return
        self.turn = (self.turn + 1) % len(self.players)
        self.phase = "turn"

    def end(self, reason: str) -> None:
        self.phase = "over"
        self.reason = reason

    def cut_off(self) -> None:
        """A caller's cap was hit."""
        self.tile = None
        self.end("cut off")

    def view(self, seat: int | None) -> dict[str, Any]:
        seats = range(len(self.players))
        return {
            "game": "stones",
            "options": dict(self.options),
            "players": list(self.players),
            "you": seat,
            "setup": {},
            "history": [dict(entry) for entry in self.history],
            "seat": self.seat,
            "phase": self.phase,
            "tile": self.tile,
            "open": sorted(self.open, key=TILES.index),
            "face_down": len(self.face_down),
            "rows": [{c: list(rows[c]) for c in COLOURS} for rows in self.rows],
            "wishing_stones": [self.wishing_stones(s) for s in seats],
            "points": [self.points(s) for s in seats],
            "scores": self.scores(),
            "legal_moves": self.legal_moves() if seat is not None and seat == self.seat else [],
            "result": self.result(),
        }


def symbol(tile: str) -> str | None:
    """S2: what is printed on a tile beside its number, as views write it."""
    if tile in WISHING_STONES:
        return "W"
    if tile in CLOVERS:
        return "C"
    return str(BONUS_POINTS[tile]) if tile in BONUS_POINTS else None


def deal_stones(rng: Random, shape: str = "even") -> dict[str, Any]:
    """A random `setup`; "clovers" puts one under the last face-down tile."""
    tiles = list(TILES)
    rng.shuffle(tiles)
    if shape == "clovers":
        last = rng.choice(CLOVERS)
        tiles.remove(last)
        tiles.append(last)
    return {"draw": tiles}
