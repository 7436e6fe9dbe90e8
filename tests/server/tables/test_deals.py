"""Fair deals: all are bound before, mixed from all, checked by anybody who kept the own seed."""

import contextlib
import copy
import itertools
import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import keltis
from keltis.server.tables import deals
from tests.cli.running import run
from tests.server.running import Client, play_out

New = Callable[[], Client]
SEED = "0f" * 32
TABLE = "f3KdW9pQx2Lm"


def sealed_record(
    game: str, seeds: list[str | None], first: deals.First = deals.CHANCE, server_seed: str = SEED
) -> dict[str, Any]:
    """A record of the second scheme in which nothing has been played; "" takes no part."""
    bound = [deals.player_commitment(TABLE, seed or SEED) if seed != "" else "" for seed in seeds]
    published = deals.commitment(deals.SCHEME, TABLE, server_seed)
    seal = deals.seal(TABLE, game, first, published, bound)
    made = deals.deal(game, len(seeds), first, deals.mixed(seal, server_seed, seeds))
    return {
        "format": "keltis-record/1",
        "game": game,
        "options": {},
        "players": [f"P{k}" for k in range(len(seeds))],
        "setup": made.setup,
        "moves": [],
        "result": None,
        "fair": {
            "scheme": deals.SCHEME,
            "table": TABLE,
            "commitment": published,
            "player_commitments": bound,
            "seal": seal,
            "server_seed": server_seed,
            "player_seeds": seeds,
            "first": first,
            "places": len(seeds),
        },
    }


def some_seed(chance: random.Random) -> str:
    return chance.randbytes(32).hex()


# --- The schemes -----------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("game", ["board", "stones"])
def test_every_deal_is_a_legal_setup(game: str, players: int) -> None:
    chance = random.Random(players)
    record = sealed_record(game, [some_seed(chance) for _ in range(players)])
    assert keltis.load(record).record()["setup"] == record["setup"]


def test_the_first_scheme_is_fixed_for_ever() -> None:
    """Games that run are dealt again from their seeds: these cards must never change."""
    made = deals.deal("board", 2, deals.CHANCE, deals.mixed_first("board", SEED, ["a", ""]))
    assert deals.commitment(deals.FIRST_SCHEME, TABLE, SEED) == PINNED["commitment"]
    assert made.first == PINNED["first"]
    assert made.setup["hands"][0] == PINNED["hand"]
    assert made.setup["tiles"]["R"] == PINNED["tiles"]
    mix = deals.mixed_first("stones", SEED, ["a", "b"])
    assert deals.deal("stones", 2, 0, mix).setup["draw"][:5] == PINNED["draw"]


def test_the_second_scheme_is_fixed_for_ever() -> None:
    record = sealed_record("board", ["a5" * 32, "", None])
    assert record["fair"]["commitment"] == PINNED_SECOND["commitment"]
    assert record["fair"]["player_commitments"][0] == PINNED_SECOND["player commitment"]
    assert record["fair"]["seal"] == PINNED_SECOND["seal"]
    assert record["setup"]["hands"][0] == PINNED_SECOND["hand"]
    assert record["setup"]["tiles"]["R"] == PINNED_SECOND["tiles"]


def test_every_seed_counts_and_the_first_player_is_evenly_drawn() -> None:
    seeds: list[str | None] = ["a0" * 32, "b0" * 32]
    others: list[list[str | None]] = [
        ["a0" * 32, "b1" * 32], ["b0" * 32, "a0" * 32], ["a0" * 32, None], ["a0" * 32, ""],
        ["", ""],
    ]  # fmt: skip
    setups = [sealed_record("board", each, 0)["setup"] for each in (seeds, *others)]
    assert all(one != other for one, other in itertools.combinations(setups, 2))
    firsts = Counter(
        deals.deal("stones", 3, "chance", deals.mixed(SEED, f"{k:064x}", ["", "", ""])).first
        for k in range(900)
    )
    assert all(240 < firsts[place] < 360 for place in range(3))


# --- What is proven, and to whom ---------------------------------------------------------------


def test_nothing_is_proven_without_the_own_seed_and_the_seal() -> None:
    record = sealed_record("stones", ["a0" * 32, "b0" * 32])
    fair = record["fair"]
    for commitment in (None, fair["commitment"], fair["seal"]):
        for seed in (None, "a0" * 32):
            verdict = deals.verify(record, commitment, seed)
            assert verdict.holds
            assert verdict.proven == (commitment == fair["seal"] and seed is not None)
    verdict = deals.verify(record, fair["seal"], "a0" * 32)
    assert (verdict.unchecked, verdict.others) == ([], 1)


def test_every_change_of_a_proof_is_noticed() -> None:
    """By somebody who kept the own seed and the seal, whatever else the record says."""
    chance = random.Random(4)
    own = some_seed(chance)
    record = sealed_record("board", [own, some_seed(chance), None, ""])
    kept = {"commitment": record["fair"]["seal"], "seed": own}
    assert deals.verify(record, **kept).proven

    def changed(key: str, value: Any) -> Any:
        other = copy.deepcopy(record)
        other["fair"][key] = value
        return other

    fair = record["fair"]
    seeds, bound = fair["player_seeds"], fair["player_commitments"]
    replaced = deals.player_commitment(TABLE, SEED)
    tampered = [
        changed("server_seed", "1e" * 32),
        changed("commitment", "1e" * 32),
        changed("seal", "1e" * 32),
        changed("table", "f3KdW9pQx2Ln"),
        changed("first", 0),
        changed("player_seeds", [own, SEED, None, ""]),
        changed("player_seeds", [own, None, None, ""]),
        changed("player_seeds", [None, *seeds[1:]]),
        changed("player_commitments", [bound[0], replaced, *bound[2:]]),
        changed("player_commitments", [*bound[:3], replaced]),
    ]
    for other in tampered:
        with contextlib.suppress(deals.NoProof):
            assert not deals.verify(other, **kept).holds
    other = copy.deepcopy(record)
    hands = other["setup"]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    assert not deals.verify(other, **kept).holds


def test_a_deal_ground_out_with_replaced_seeds_convinces_nobody_who_kept_the_own() -> None:
    """A server that lies afterwards: it replaces a seed, and all that hangs on it, until the deal
    is one of its choice. The record agrees with itself, and that is why it proves nothing."""
    chance = random.Random(7)
    ann, ben = some_seed(chance), some_seed(chance)
    honest = sealed_record("stones", [ann, ben], 0)
    for _ in range(5000):
        lie = sealed_record("stones", [ann, some_seed(chance)], 0)
        if lie["setup"]["draw"][:2] == ["R0", "R1"] or lie["setup"]["draw"][0] == "B10":
            break
    else:
        raise AssertionError("it should have been found")
    assert deals.verify(lie).holds
    assert not deals.verify(lie).proven
    # Ben's seed is not there.
    assert not deals.verify(lie, seed=ben).holds
    # Ann's is; but the seal that she saw was made with what Ben was bound to.
    assert not deals.verify(lie, commitment=honest["fair"]["commitment"], seed=ann).proven
    assert not deals.verify(lie, honest["fair"]["seal"], ann).holds


def test_who_does_not_reveal_is_named(tmp_path: Path) -> None:
    record = sealed_record("stones", ["a0" * 32, None], 1)
    verdict = deals.verify(record, record["fair"]["seal"], "a0" * 32)
    assert verdict.proven
    assert verdict.silent == ["P0"]  # the second place starts, so it is the first seat
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    done = run("verify", file, "--commitment", record["fair"]["seal"], "--seed", "a0" * 32)
    assert done.code == 0
    assert "P0 was bound to a seed and did not reveal it" in done.out
    assert "one of 2 deals" in done.out


def test_the_command_says_fair_only_with_the_own_seed_and_the_seal(tmp_path: Path) -> None:
    record = sealed_record("board", ["a0" * 32, "b0" * 32])
    fair = record["fair"]
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    seed, seal = ("--seed", "a0" * 32), ("--commitment", fair["seal"])
    done = run("verify", file, *seed, *seal)
    assert done.code == 0
    assert "The deal is fair" in done.out
    shown = ("--commitment", fair["commitment"])
    for some in ((), seed, seal, shown, (*seed, *shown)):
        done = run("verify", file, *some)
        assert (done.code, "fair" in done.out) == (3, False)
        assert "not checked" in done.out
    for some in (("--seed", "a1" * 32), ("--commitment", "0" * 64)):
        done = run("verify", file, *some)
        assert (done.code, "fair" in done.out) == (1, False)
        assert "NO" in done.out


def test_a_record_of_the_first_scheme_verifies_as_what_it_was(tmp_path: Path) -> None:
    seeds = ["Ann's own seed", ""]
    made = deals.deal("stones", 2, 0, deals.mixed_first("stones", SEED, seeds))
    record = sealed_record("stones", ["", ""], 0)
    record["setup"] = made.setup
    record["fair"] = {
        "scheme": deals.FIRST_SCHEME,
        "table": TABLE,
        "commitment": deals.commitment(deals.FIRST_SCHEME, TABLE, SEED),
        "server_seed": SEED,
        "player_seeds": seeds,
        "first": 0,
        "places": 2,
    }
    verdict = deals.verify(record, record["fair"]["commitment"], seed="Ann's own seed")
    assert (verdict.holds, verdict.proven) == (True, False)
    assert not deals.verify(record, seed="another").holds
    assert not deals.verify(record, "0" * 64).holds
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    done = run("verify", file, "--seed", "Ann's own seed")
    assert (done.code, "fair" in done.out) == (3, False)
    record["fair"]["player_seeds"][0] = "another"
    assert not deals.verify(record).holds


# --- At a table ------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_whole_game_is_proven_to_its_players(client: New, tmp_path: Path) -> None:
    ann, ben = client(), client()
    made = ann.make("me", "open", game="stones", ready=False)
    table = made["table"]
    shown = ann.state(table)["table"]["fair"]
    assert [shown[key] for key in ("server_seed", "player_seeds", "seal")] == [None] * 3
    ben.join(made, ready=False)
    seeds = ["a5" * 32, "b6" * 32]
    with ann.at(table) as first, ben.at(table) as second:
        for seat, seed in zip((first, second), seeds, strict=True):
            assert seat.you["may"]["commit"]
            assert not seat.you["may"]["seed"]
            seat.ask("commit", commitment=deals.player_commitment(table, seed))
        for seat, seed in zip((first, second), seeds, strict=True):
            while not seat.you["may"]["seed"]:
                seat.read()
            fair = seat.table["fair"]
            assert fair["player_seeds"] is None
            bound = fair["player_commitments"]
            assert bound == [deals.player_commitment(table, each) for each in seeds]
            seal = deals.seal(table, "stones", "chance", fair["commitment"], bound)
            assert fair["seal"] == seal
            assert fair["commitment"] == shown["commitment"]
            seat.ask("seed", seed=seed)
        while first.table["status"] == "waiting":
            first.read()
        assert first.table["fair"]["server_seed"] is None
        assert first.table["fair"]["player_seeds"] == seeds
        play_out(first, second)
        assert first.table["fair"]["server_seed"]
    record = ann.record(table)
    answer = ann.http.post("/api/verify", json=record).json()
    assert answer["holds"]
    assert set(answer["unchecked"]) == {"own seed", "seen seal"}
    assert "fair" not in answer
    for seed in seeds:
        assert deals.verify(record, seal, seed).proven
    record["fair"]["player_seeds"][0] = "c7" * 32
    assert not ann.http.post("/api/verify", json=record).json()["holds"]
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
PINNED_SECOND: dict[str, object] = {
    "commitment": "b6768af11935f0862b24777aaba49e1d05a0ac7e58aa25d0f5bdb242fc3ec4c7",
    "player commitment": "fb06e5be1f85663ab0c7dabd5934bf36118b9f591be6a8040deea49e16a5321c",
    "seal": "76a650fb68f0eadd610dd62c009aa4394ee9d3c904c972d9ff096aedeefd5ee2",
    "hand": ["Y9", "G8", "B0", "G2", "G5", "Y1", "B3", "V0"],
    "tiles": [None, "W", "C", None, "1", None, "3", None, "W"],
}


@pytest.mark.parametrize("content", [b"[" * 200_000, b'{"a":' * 100_000, b"\xff\xfe", b"7", b""])
def test_a_file_that_is_no_record_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(content)
    done = run("verify", file)
    assert done.code == 2
    assert done.err.startswith(f"keltis: {file}: ")
