"""The league: who sits where, that it goes on as if never interrupted, and whom it chooses."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from keltis.arena.teams import Here, call
from keltis.bots.weights import network_weights
from keltis.rules import stones
from tools import league
from tools.league import League, seat_players, tournament
from tools.train_network import sizes, untrained


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, count in (
        ("GAMES_A_SHARD", 10),
        ("TRIALS", 20),
        ("TOURNAMENT_DEALS", 4),
        ("CHOICE_DEALS", 4),
        ("FINAL_DEALS", 4),
        ("SNAPSHOTS", 3),
    ):
        monkeypatch.setattr(league, name, count)


def league_in(folder: Path, **changes: Any) -> League:
    given: dict[str, Any] = {"games": 240, "shards": 2, "seed": 5, "member": 0}
    return League("stones", 3, folder=folder, team=Here(call), **given | changes)


def test_half_of_the_others_are_the_network_itself_and_a_quarter_each_snapshots_and_levels() -> (
    None
):
    states = np.zeros(1, stones.STATE)
    states["rng"] = 7
    who = np.zeros(3, np.int64)
    games = []
    for _ in range(4_000):
        seat_players(states[0], 3, 2, 6, who)
        games.append(who.copy())
    found = np.array(games)
    assert (found == 0).any(axis=1).all()  # somebody learns of own decisions in every game
    own = (1 + 2 / 2) / 3
    for kind, share in (
        (found == 0, own),
        ((found == 1) | (found == 2), (1 - own) / 2),
        ((found >= 3) & (found < 9), (1 - own) / 2),
    ):
        assert kind.mean(axis=0) == pytest.approx([share] * 3, abs=0.03)
    assert found.max() == 8


def test_an_interrupted_league_comes_to_the_same_end(small: None, tmp_path: Path) -> None:
    whole = league_in(tmp_path / "whole").run()

    def interrupt(done: int, rounds: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        league_in(tmp_path / "cut").run(interrupt)
    shown: list[tuple[int, int]] = []
    again = league_in(tmp_path / "cut").run(lambda done, rounds: shown.append((done, rounds)))
    assert shown == [(done, 12) for done in range(5, 13)]
    assert again.log == whole.log
    for name in ("weights", "sums", "pool", "total"):
        assert (getattr(again, name) == getattr(whole, name)).all()
    files = [tmp_path / folder / "value-stones-3.npz" for folder in ("whole", "cut")]
    networks = [np.load(file)["network"] for file in files]
    assert (networks[0] == networks[1]).all()
    assert networks[0].shape == (1, len(network_weights("stones", 3)))

    # It learned, and says what it came to, behind what is known of the network it began with.
    assert 0 < np.abs(whole.weights - network_weights("stones", 3)).max() < 0.5
    log = [json.loads(line) for line in whole.log.splitlines()]
    before = max(line.get("trained", 0) for line in log[:-2])
    assert [line["event"].split(",")[0] for line in log[-2:]] == ["final", "final"]
    assert {line["trained"] for line in log[-2:]} == {before + 240}
    assert len(whole.pool) == 3

    with pytest.raises(ValueError, match="is of another run"):
        league_in(tmp_path / "cut", seed=6).run()
    league_file = tmp_path / "cut" / "league-stones-3.npz"
    league_file.write_bytes(league_file.read_bytes()[:1000])
    with pytest.raises(ValueError, match="cannot be read"):
        league_in(tmp_path / "cut").run()


def test_a_tournament_finds_the_better_network() -> None:
    novice, _ = untrained(*sizes("stones", 3), np.random.default_rng(1))
    candidates = np.stack([novice, network_weights("stones", 3)])
    wins = tournament("stones", 3, candidates, 40, 3, Here(call))
    assert wins[1] > wins[0] + 0.3


def test_a_member_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no member 1: the ensemble has 1"):
        league_in(tmp_path, member=1)
