"""The search that sees the other hands plays by the rules, and it does see them."""

import keltis
from benchmarks.peek import PeekingSearch


def test_it_plays_a_game_to_its_end_and_the_same_again() -> None:
    games = []
    for _ in range(2):
        table = keltis.new_game("board", players=3, seed=5)
        seats = [PeekingSearch(seed, rollouts=20) for seed in range(3)]
        while table.seat is not None:
            table.play(seats[table.seat](table))
        games.append(table.moves)
    assert games[0] == games[1]


def test_what_the_others_hold_makes_a_difference() -> None:
    """In games that its seat should not be able to tell apart it decides differently."""
    table = keltis.new_game("board", seed=8)
    found = False
    while table.seat is not None and not found:
        view = table.view(table.seat)
        if len(table.moves) > 40 and view["phase"] == "card":
            others = [keltis.resample(view, seed=seed) for seed in range(8)]
            found = len({PeekingSearch(1, rollouts=200)(other) for other in others}) > 1
        table.play(PeekingSearch(1, rollouts=20)(table))
    assert found
