"""A bot whose types are checked: `mypy --strict examples/typed_bot.py` finds nothing."""

from __future__ import annotations

import keltis
from keltis import Record, View, bots
from keltis.arena import arena
from keltis.envs.vector import Vector


class Patient:
    """Lays what fits best, discards what fits least, and leaves tiles of no use."""

    def choose(self, view: View) -> str:
        return max(view["legal_moves"], key=lambda move: self.worth(view, move))

    def worth(self, view: View, move: str) -> float:
        if not move[-1].isdigit():
            return 0.0
        colour, number = move.removeprefix("x")[0], int(move.removeprefix("x")[1:])
        row = view["rows"][view["you"]][colour]
        gap = abs(number - row[-1]) if row else 3
        if move[0] == "x":
            return gap - 12.0 - view.get("hand", []).count(move[1:])
        return 5.0 - gap


def main() -> None:
    game = keltis.new_game("board", players=2, seed=1)
    bot = Patient()
    while (seat := game.seat) is not None and len(game.moves) < 400:
        game.play(bot.choose(game.view(seat)))
    record: Record = game.record()
    again = keltis.load(record)
    assert again == game
    assert keltis.position(again.position()).scores() == game.scores()
    advice = bots.make("network").advise(keltis.new_game("board", seed=2).view(0))
    assert max(each["wins"] for each in advice["moves"]) == advice["moves"][0]["wins"]
    buffers = Vector("stones", games=4, seed=1).buffers()
    assert buffers.observations.shape[0] == buffers.masks.shape[0]
    print(arena([Patient(), "random"], games=20))


if __name__ == "__main__":
    main()
