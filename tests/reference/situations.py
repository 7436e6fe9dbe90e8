"""Names the situations that a game passes through, so that a test can count them."""

from __future__ import annotations

from collections import Counter

from tests.reference.board import COLOURS, END_STONE, BoardReference
from tests.reference.stones import CLOVERS, StonesReference


class Watcher:
    """Plays tokens in a reference game and counts each situation met into `seen`."""

    def __init__(self, game: BoardReference | StonesReference, seen: Counter[str]) -> None:
        self.game = game
        self.seen = seen
        self.chain = 0

    def play(self, token: str) -> None:
        if isinstance(self.game, BoardReference):
            self.play_board(self.game, token)
        else:
            self.play_stones(self.game, token)
        if self.game.is_over:
            self.seen[f"ended by {self.game.reason}"] += 1
            self.seen["several winners"] += len(self.game.winners()) > 1

    def play_board(self, game: BoardReference, token: str) -> None:
        seen, seat, phase = self.seen, game.turn, game.phase
        figures, known = dict(game.figures[seat]), list(game.known[seat])
        in_goal, small, large = game.in_goal(), game.small_at_start[seat], game.large[seat]
        hand, legal = list(game.hands[seat]), game.legal_moves()
        closed = game.closed_pile
        wishing_stones = {c: [i for i in range(9) if game.tiles[c][i] == "W"] for c in COLOURS}
        game.play(token)
        moved = [c for c in COLOURS if game.figures[seat][c] != figures[c]]
        stone = game.figures[seat][moved[0]] if moved else 0
        tile = game.start_tiles[moved[0]][stone - 1] if moved else None
        cause = {"card": "a card", "figure": "a card"}.get(phase, phase)

        if phase == "card" and token[0] != "x":
            row = game.rows[seat][token[0]]
            if len(row) == 1 and figures[token[0]]:
                seen["first card moves a figure that is there already"] += 1
            if len(row) > 2 and row[0] == row[1] != row[2]:
                seen["third card fixes the direction"] += 1
            if figures[token[0]] == END_STONE:
                option = game.options.get("end_stone_step", "must")
                seen[f"card laid at the end stone, {option}"] += 1
                seen["card laid at the end stone and nothing can move"] += game.phase == "draw"
            if moved and stone == 1:
                seen["last small figure leaves by a card"] += small == 1 and large is not None
                seen["only the large figure is left for a card"] += small == 0
                seen["only small figures are left for a card"] += large is not None
        if phase == "card" and token.lstrip("x") in known:
            seen["known card played"] += 1
            seen["known card played, the same unknown one kept"] += (
                hand.count(token.lstrip("x")) == 2 and known.count(token.lstrip("x")) == 1
            )
        if phase in ("clover", "end stone"):
            if token == "-":
                seen[f"{phase} declined"] += 1
            elif stone == 1:
                seen[f"figure leaves the start by {phase}"] += 1
            seen[f"{phase} with no small figure on the start"] += small == 0 and large is None
            seen[f"{phase} with one choice"] += len([t for t in legal if t != "-"]) == 1
        if phase == "draw":
            seen["pile of the discarded card closed, another open"] += (
                closed is not None and len(legal) > 1
            )
            seen["pile under the discarded card stays closed"] += (
                closed is not None and len(game.piles[closed]) > 1
            )
            seen["all of a hand known"] += len(game.known[seat]) == 8
        if moved:
            seen["a figure reaches the end stone"] += stone == END_STONE
            if game.in_goal() == 5:
                seen[f"fifth figure by {cause}"] += 1
                seen[f"fifth figure on {tile}"] += 1
            elif tile is not None:
                seen[f"{cause} onto {tile}"] += 1
                seen["clover on the end stone"] += tile == "C" and stone == END_STONE
                seen["wishing stone taken before"] += (
                    tile == "W" and stone - 1 not in wishing_stones[moved[0]]
                )
            seen["goal area entered"] += game.in_goal() > in_goal
        self.chain = self.chain + 1 if game.phase == "clover" else 0
        seen["three clovers in a row"] += self.chain == 3
        seen["five clovers in a row"] += self.chain == 5
        seen["five wishing stones"] += max(game.wishing_stones) == 5

    def play_stones(self, game: StonesReference, token: str) -> None:
        seen, phase, seat = self.seen, game.phase, game.turn
        fits = game.tile is not None and game.fits(game.turn, game.tile)
        game.play(token)
        last = not game.face_down
        if phase == "tile":
            seen["tile that does not fit"] += not fits
            seen["last tile taken"] += last and token != "-"
            seen["last tile left"] += last and token == "-"
            seen["last tile is a clover and nothing fits"] += (
                last and token in CLOVERS and game.is_over
            )
        if phase == "turn" and token in CLOVERS:
            seen["open clover taken"] += 1
        if phase == "further":
            seen["further turn declined"] += token == "-"
            seen["further turn chained"] += token in CLOVERS and not game.is_over
            seen["further turn: clover taken and nothing fits"] += token in CLOVERS and game.is_over
            seen["further turn: last tile taken"] += token != "-" and token not in CLOVERS
        self.chain = self.chain + 1 if token in CLOVERS else self.chain
        if game.is_over or game.turn != seat:
            self.chain = 0
        seen["three clovers in a row"] += self.chain == 3 and token in CLOVERS
        seen["row of six"] += any(len(row) == 6 for row in game.rows[seat].values())
        seen["five wishing stones"] += game.wishing_stones(seat) == 5
