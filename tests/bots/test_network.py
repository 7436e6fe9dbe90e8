"""The bot that plays by the value network, and the search that stands on it."""

import numpy as np
import pytest

import keltis
from keltis.bots import search
from keltis.bots.kernels.scratch import heuristic_scratch, network_scratch
from keltis.bots.kernels.value_network import follow
from keltis.bots.position import position
from keltis.bots.search import SearchBot
from keltis.bots.weights import heuristic_weights, network_weights
from tests.parts import from_python

GAMES = ["board", "stones"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_bot_follows_it(game: str, players: int) -> None:
    table = keltis.new_game(game, players=players, seed=11)
    h, net = heuristic_scratch(heuristic_weights(game, players))[0], network_scratch()[0]
    bot = keltis.bots.make("network", seed=2)
    while table.seat is not None:
        view = table.view(table.seat)
        states = np.repeat(position(view).states, 2)
        best = from_python(follow)(states, 0, h, net, network_weights(game, players))
        assert bot.choose(view) == table._kind.tokens[best]
        table.play(table._kind.tokens[best])


@pytest.mark.parametrize("game", GAMES)
def test_the_search_follows_it(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By another network, the same plans in the same worlds are worth something else."""
    table = keltis.new_game(game, players=2, seed=3)
    while len(table.moves) < 20 or len(table.legal_moves()) < 3:
        table.play(table.legal_moves()[-1])
    assert table.seat is not None
    view = table.view(table.seat)
    with_it = SearchBot(seed=1, rollouts=100).advise(view)
    monkeypatch.setattr(search, "network_weights", lambda *given: -network_weights(*given))
    assert SearchBot(seed=1, rollouts=100).advise(view) != with_it
