"""Ways of playing the reference by chance, some of which lead to what even chance rarely meets."""

from __future__ import annotations

from random import Random

from tests.reference.board import COLOURS, BoardReference
from tests.reference.stones import CLOVERS, StonesReference

STYLES = ("even", "runner", "narrow", "collector", "solo")
"""even: any legal token. The others lay and step where they can: a runner on all paths, a narrow
player on two, a collector by what the piles offer; solo: seat 0 alone, on four paths, while the
others feed it."""


def choose(game: BoardReference | StonesReference, rng: Random, style: str) -> str:
    """A legal token."""
    if style == "even":
        return rng.choice(game.legal_moves())
    if isinstance(game, StonesReference):
        return choose_stone(game, rng, style)
    return choose_board(game, rng, style)


def choose_board(game: BoardReference, rng: Random, style: str) -> str:
    legal = game.legal_moves()
    figures = game.figures[game.turn]
    favourites = COLOURS
    if style == "narrow":
        favourites = COLOURS[game.turn] + COLOURS[(game.turn + 1) % 5]
    elif style == "solo":
        if game.turn != 0:
            return feed(game, rng)
        favourites = COLOURS[:4]
    if game.phase == "card":
        lays = [t for t in legal if t[0] != "x" and t[0] in favourites]
        if not lays or rng.random() < 0.05:
            others = [t for t in legal if t[0] == "x" and t[1] not in favourites]
            return rng.choice(others or [t for t in legal if t[0] == "x"])

        def cost(card: str) -> tuple[float, float]:
            row, number = game.rows[game.turn][card[0]], int(card[1:])
            gap = abs(number - row[-1]) if row else min(number, 10 - number)
            return gap - figures[card[0]] / 3, rng.random()

        return min(lays, key=cost)
    if game.phase in ("clover", "end stone"):
        if "-" in legal and rng.random() < 0.1:
            return "-"
        steps = [t for t in legal if t != "-"]
        if style == "solo":
            steps = [t for t in steps if t[0] in favourites] or steps
        onto_clover = [t for t in steps if game.tiles[t[0]][figures[t[0]]] == "C"]
        if onto_clover and rng.random() < 0.7:
            return rng.choice(onto_clover)
        if rng.random() < 0.5:
            return max(steps, key=lambda t: figures[t[0]])
        return rng.choice(steps)
    if game.phase == "draw":
        wanted = [
            t
            for t in legal
            if t != "?" and t[1] in favourites and game.fits(game.turn, game.piles[t[1]][-1])
        ]
        if wanted and rng.random() < (0.9 if style in ("collector", "solo") else 0.4):
            return rng.choice(wanted)
        return "?"
    return rng.choice(legal)


def feed(game: BoardReference, rng: Random) -> str:
    """Discards what seat 0 can lay soonest, and never lays."""
    legal = game.legal_moves()
    if game.phase == "draw":
        return "?"
    discards = [t for t in legal if t[0] == "x"]
    if not discards:  # the turn began in another style
        return rng.choice(legal)
    useful = [t for t in discards if game.fits(0, t[1:])] or discards

    def gap(token: str) -> tuple[int, float]:
        row, number = game.rows[0][token[1]], int(token[2:])
        return (abs(number - row[-1]) if row else number), rng.random()

    return min(useful, key=gap)


def choose_stone(game: StonesReference, rng: Random, style: str) -> str:
    legal = game.legal_moves()
    clovers = [t for t in legal if t in CLOVERS]
    tiles = [t for t in legal if t not in ("?", "-")]
    if style == "solo" and game.face_down:  # leaves the clovers for the last turn
        legal = [t for t in legal if t not in CLOVERS]
        tiles = [t for t in tiles if t not in CLOVERS]
        clovers = []
    if style == "collector":  # leaves nearly all that it turns up for the end
        late = len(game.face_down) < 4
        if game.phase == "tile" and not late and "-" in legal:
            return "-"
        if game.phase == "turn" and not late:
            return "?"
    if clovers and rng.random() < 0.8:
        return rng.choice(clovers)

    def gap(tile: str) -> tuple[int, float]:
        row, number = game.rows[game.turn][tile[0]], int(tile[1:])
        return (abs(number - row[-1]) if row else min(number, 10 - number)), rng.random()

    close = [t for t in tiles if gap(t)[0] <= (2 if style == "runner" else 4)]
    if close and rng.random() < 0.9:
        return min(close, key=gap)
    return rng.choice([t for t in legal if t in ("?", "-")] or legal)
