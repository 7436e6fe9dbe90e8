"""Fair deals: bound before, mixed from all, checked by anybody."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import keltis
from keltis.server.tables import deals
from tests.cli.running import run
from tests.server.running import Client, play_out

New = Callable[[], Client]
SEED = "0f" * 32


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("game", ["board", "stones"])
def test_every_deal_is_a_legal_setup(game: str, players: int) -> None:
    seeds = [f"seed {k}" for k in range(players)]
    made = deals.deal(game, SEED, seeds, deals.CHANCE)
    record = {
        "format": "keltis-record/1",
        "game": game,
        "options": {},
        "players": ["x"] * players,
        "setup": made.setup,
        "moves": [],
        "result": None,
    }
    assert keltis.load(record).record()["setup"] == made.setup
    assert 0 <= made.first < players


def test_the_scheme_is_fixed_for_ever() -> None:
    """Games that run are dealt again from their seeds: these cards must never change."""
    made = deals.deal("board", SEED, ["a", ""], deals.CHANCE)
    assert deals.commitment(SEED) == PINNED["commitment"]
    assert made.first == PINNED["first"]
    assert made.setup["hands"][0] == PINNED["hand"]
    assert made.setup["tiles"]["R"] == PINNED["tiles"]
    assert deals.deal("stones", SEED, ["a", "b"], 0).setup["draw"][:5] == PINNED["draw"]


def test_every_seed_counts_and_the_first_player_is_evenly_drawn() -> None:
    def hands(*seeds: str) -> object:
        return deals.deal("board", SEED, seeds, 0).setup

    assert hands("a", "b") != hands("a", "c") != hands("b", "a")
    firsts = Counter(
        deals.deal("stones", f"{k:064x}", ["", "", ""], "chance").first for k in range(900)
    )
    assert all(240 < firsts[place] < 360 for place in range(3))


@pytest.mark.slow
def test_a_whole_game_can_be_proved_and_a_changed_one_cannot(client: New, tmp_path: Path) -> None:
    ann, ben = client(), client()
    made = ann.make("me", "open", game="stones", ready=False)
    table = made["table"]
    shown = ann.state(table)["table"]["fair"]
    assert shown["server_seed"] is None
    assert shown["player_seeds"] is None
    ben.join(made, seed="Ben's own seed")
    with ann.at(table) as first, ben.at(table) as second:
        assert first.you["may"]["seed"]
        assert not second.you["may"]["seed"]
        first.ask("seed", seed="Ann's own seed")
        while first.table["status"] == "waiting":
            first.read()
        assert first.table["fair"]["server_seed"] is None
        assert set(first.table["fair"]["player_seeds"]) == {"Ann's own seed", "Ben's own seed"}
        play_out(first, second)
        assert first.table["fair"]["server_seed"]
    record = ann.record(table)
    answer = ann.http.post("/api/verify", json=record).json()
    assert answer["fair"]
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    done = run("verify", file, "--commitment", shown["commitment"])
    assert (done.code, done.err) == (0, "")
    assert "The deal is fair." in done.out
    assert run("verify", file, "--commitment", "0" * 64).code != 0
    record["fair"]["player_seeds"][0] = "another"
    assert not ann.http.post("/api/verify", json=record).json()["fair"]
    file.write_text(json.dumps(record))
    done = run("verify", file)
    assert done.code != 0
    assert "NO" in done.out
    del record["fair"]
    response = ann.http.post("/api/verify", json=record)
    assert response.json()["error"]["code"] == "bad_request"


PINNED: dict[str, object] = {
    "commitment": "c1e2027b689992ccc50486906044a8e31892cfdc200d51c95e13847bcca8edec",
    "first": 0,
    "hand": ["V10", "V5", "Y5", "G1", "R1", "R9", "B2", "Y2"],
    "tiles": [None, "C", "2", None, "W", None, "C", None, "W"],
    "draw": ["R10", "V6", "V7", "G5", "R9"],
}
