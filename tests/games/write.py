"""Writes a whole game as a text file into this folder, for the tests to replay.

    python tests/games/write.py SEED board|stones PLAYERS NAME [--may] [--discard N]
    python tests/games/write.py RECORD.json NAME

The first form deals the game of that seed and lets everybody play by a simple plan: lay what
leaves the smallest gap, walk on with the figure that is farthest, decline a poor step. With
`--discard N` they discard in N turns of 10, so that games last until the draw pile is empty.
The second form writes the game of a record. Go through a new file by hand before it is kept:
a file written by the program proves nothing until somebody has checked it against the rules.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1]))

import keltis  # noqa: E402
from tests.games import drawing  # noqa: E402

NAMES = ["Ann", "Ben", "Cat", "Dan"]
WORDS = {2: "two", 3: "three", 4: "four"}
TITLES = {"board": "Keltis", "stones": "Keltis: Der Weg der Steine"}


def finish(game: keltis.Game, choose: random.Random, discard: int) -> None:
    """Plays the game to its end."""
    while not game.is_over:
        game.play(_move(game, choose, discard))


def _move(game: keltis.Game, choose: random.Random, discard: int) -> str:
    seen = game.view(game.seat)
    legal: list[str] = seen["legal_moves"]
    rows = seen["rows"][seen["you"]]
    discards = [token for token in legal if token.startswith("x")]
    if discards and choose.randrange(10) < discard:
        return choose.choice(discards)

    def eager(token: str) -> float:
        if token[1:].isdigit() and token[0] in drawing.COLOURS:
            row = rows[token[0]]
            return 5 - abs(int(token[1:]) - row[-1]) if row else 0.5 - abs(int(token[1:]) - 5) % 5
        if token[0] == "x":
            row = rows[token[1]]
            return min(4, abs(int(token[2:]) - row[-1])) - 4 if row else -2
        if token[0] == "<":
            row = rows[token[1]]
            gap = int(seen["piles"][token[1]][-1][1:]) - row[-1] if row else 9
            rising = row[-1] - row[0] if row else 0
            return 1 if abs(gap) < 3 and gap * rising >= 0 else -1
        if token[0] in drawing.COLOURS:
            return float(seen["figures"][seen["you"]][token[0]])
        # Declined rather than bring a fresh figure or move one that has just come; in the tile
        # game a tile is turned over rather than one taken that leaves a wide gap.
        return 1.5 if token == ("-" if seen["game"] == "board" else "?") else 0.0

    return max(legal, key=lambda token: (eager(token), choose.random()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", help="a seed, or the path of a record")
    parser.add_argument("rest", nargs="+", help="board|stones PLAYERS NAME, or only NAME")
    parser.add_argument("--may", action="store_true", help="end_stone_step = may")
    parser.add_argument("--discard", type=int, default=0, metavar="N", help="discard N of 10")
    given = parser.parse_args()
    if len(given.rest) == 1:
        game = keltis.load(Path(given.source))
    else:
        kind, players, _ = given.rest
        options = {"end_stone_step": "may"} if given.may else {}
        seed = int(given.source)
        game = keltis.new_game(kind, int(players), seed, NAMES[: int(players)], options)
        finish(game, random.Random(seed), given.discard)
    title = f"{TITLES[game.game]} for {WORDS[len(game.players)]} players"
    path = FOLDER / f"{given.rest[-1]}.txt"
    path.write_text(drawing.written(game, title), "utf-8")
    print(f"{path}: {len(game.moves)} decisions, {drawing.ending(game)}")


if __name__ == "__main__":
    main()
