"""What a stopped benchmark of the bots has played can be summed up."""

from pathlib import Path

import pytest

from benchmarks import bots
from keltis.arena import arena


def test_what_was_played_is_summed_up_to_the_last_whole_deal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "FOLDER", tmp_path)
    for players, games in ((2, 6), (4, 8)):
        folder = tmp_path / "search-heuristic" / f"stones-{players}"
        names = ["heuristic", "random"]
        arena(names, game="stones", players=players, games=games, seed=1, out=folder, workers=1)
        records = folder / "records.jsonl"
        records.write_text("".join(records.read_text().splitlines(keepends=True)[:-1]))
    found = dict(bots.so_far())
    assert {name: len(contest.outcomes) for name, contest in found.items()} == {
        "search-heuristic/stones-2": 4,
        "search-heuristic/stones-4": 4,
    }
    assert all(contest.lines[0].games == 4 for contest in found.values())


def test_stalls_are_looked_for_in_games_of_all_pairings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "STALL_BOTS", ["random", "search"])
    monkeypatch.setattr(bots, "STALL_ROLLOUTS", 1)
    monkeypatch.setattr(bots, "_most_games", 1)
    # Both games; a deal is played in every order: one among equals, else one for each player.
    assert bots.stalls() == {"games": 2 * (3 + (2 + 3 + 4) + 3), "cut_off": 0}
