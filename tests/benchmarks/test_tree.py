"""The tree search that the search is compared with plays whole games by the rules."""

import pytest

import keltis
from benchmarks.tree import TreeBot


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize("players", [2, 4])
def test_it_plays_a_game_to_its_end_and_the_same_again(game: str, players: int) -> None:
    games = []
    for _ in range(2):
        table = keltis.new_game(game, players=players, seed=5)
        bots = [TreeBot(seed, rollouts=20) for seed in range(players)]
        while table.seat is not None:
            table.play(bots[table.seat].choose(table.view(table.seat)))
        games.append(table.moves)
    assert games[0] == games[1]
