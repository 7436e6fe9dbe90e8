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
    for _ in range(40):
        table.play(PeekingSearch(1, rollouts=20)(table))
    assert table.seat is not None
    chosen = set()
    for seed in range(20):
        other = keltis.resample(table.view(table.seat), seed=seed)
        chosen.add(PeekingSearch(1, rollouts=400)(other))
    assert len(chosen) > 1
