"""Replays of records and the rules as text, over HTTP."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import httpx
import pytest

import keltis
from keltis.server.transport.replay_worker import positions
from tests.server.running import Server
from tests.server.transport.inside import serving as inside

ROOT = Path(__file__).resolve().parents[3]


def finished(game: str, players: int, seed: int) -> keltis.Game:
    played = keltis.new_game(game, players, seed=seed)
    chance = random.Random(seed)
    while not played.is_over:
        played.play(chance.choice(played.legal_moves()))
    return played


def walk(answer: dict[str, Any]) -> list[tuple[dict[str, Any], list[list[str]] | None]]:
    """Every position as a client puts it together."""
    view, hands = answer["view"], answer["hands"]
    found = [(view, hands)]
    for step in answer["steps"]:
        change = dict(step)
        taken, changed = change.pop("step"), change.pop("hands", {})
        change.pop("legal")
        view = {**view, **change, "history": [*view["history"], taken]}
        if hands is not None:
            hands = [changed.get(str(seat), hand) for seat, hand in enumerate(hands)]
        found.append((view, hands))
    return found


@pytest.mark.parametrize(("game", "players"), [("board", 2), ("board", 4), ("stones", 3)])
def test_every_position_is_what_the_rules_say(game: str, players: int) -> None:
    whole = finished(game, players, 11)
    record = whole.record()
    again = keltis.load({**record, "moves": [], "result": None})
    answer = positions(record)
    found = walk(answer)
    assert len(found) == len(whole.moves) + 1
    for number, (view, hands) in enumerate(found):
        expected = again.view(None)
        seen = [{key: step[key] for key in ("seat", "move")} for step in view["history"]]
        assert seen == [
            {key: step[key] for key in ("seat", "move")} for step in expected["history"]
        ]
        assert {**view, "history": []} == {**expected, "history": []}
        if game == "board":
            assert hands == [again.view(seat)["hand"] for seat in range(players)]
        assert (answer["steps"][number - 1] if number else answer)["legal"] == again.legal_moves()
        if number < len(whole.moves):
            again.play(whole.moves[number])


def test_a_replay_tells_every_card_drawn() -> None:
    whole = finished("board", 2, 3)
    steps = [step["step"] for step in positions(whole.record())["steps"]]
    draws = [step for step in steps if step["move"] == "?"]
    assert [step["shown"] for step in draws] == whole.record()["setup"]["draw"][: len(draws)]


def test_a_game_that_was_cut_off_ends_so() -> None:
    game = keltis.new_game("board", 2, seed=1)
    game.play(game.legal_moves()[0])
    game.cut_off()
    view, _ = walk(positions(game.record()))[-1]
    assert view["phase"] == "over"
    assert view["result"]["reason"] == "cut off"


def test_replay_over_http_and_its_refusals(server: Server) -> None:
    record = finished("stones", 2, 5).record()
    with httpx.Client(base_url=server.url, timeout=60) as client:
        answer = client.post("/api/replay", json=record)
        assert answer.status_code == 200
        assert answer.headers["content-encoding"] == "gzip"
        assert walk(answer.json())[-1][0]["result"] == record["result"]
        bad = client.post("/api/replay", json={**record, "moves": ["?", "?"]})
        assert bad.status_code == 422
        assert "moves[1]" in bad.json()["error"]["message"]
        assert bad.json()["error"]["illegal"]["reason"] in ("tile", "tile.fits")
        assert client.post("/api/replay", json={"format": "other"}).status_code == 422
        assert client.post("/api/replay", json=[1]).status_code == 422
        large = client.post("/api/replay", json={**record, "note": "x" * 300_000})
        assert large.status_code == 413


STRANGE = {
    "beyond 64 bits": "1%s" % ("0" * 40),
    "beyond digits": "-1%s" % ("0" * 4000),
    "half a character": '"\\ud804"',
    "infinite": "1e999",
    "no number": "NaN",
    "deep": "[" * 900 + "]" * 900,
    "deep objects": '{"a":' * 900 + "1" + "}" * 900,
    "deepest": "[" * 6000 + "]" * 6000,
    "nothing": r'"\u0000"',
}
FAIR = {
    "scheme": "keltis-deal/2", "server_seed": "a" * 64, "commitment": "x", "first": 0,
    "table": "t", "seal": "a" * 64, "player_commitments": ["", ""], "player_seeds": ["", ""],
}  # fmt: skip
WITH_RECORDS = {
    "replay": "HERE",
    "verify": "HERE",
    "review": "HERE",
    "position": {"record": "HERE", "at": 0},
    "review/judge": {"record": "HERE", "step": 0, "move": "?"},
    "review/play": {"record": "HERE", "step": 0, "level": "random"},
}


@pytest.mark.parametrize("text", STRANGE.values(), ids=STRANGE)
def test_no_value_in_a_record_is_too_strange(text: str, tmp_path: Path) -> None:
    """Wherever it is, and whatever is to be done with the record."""
    record = finished("stones", 2, 5).record()
    json_type = {"content-type": "application/json"}
    bodies = [{**record, place: "STRANGE"} for place in (*record, "seed", "fair", "unheard")]
    bodies += [{**record, "fair": {**FAIR, place: "STRANGE"}} for place in FAIR]
    for scheme in ("keltis-deal/1", "keltis-deal/3"):
        other = {**FAIR, "scheme": scheme, "deal": "x"}
        bodies += [{**record, "fair": {**other, place: "STRANGE"}} for place in ("deal", "first",
                   "player_seeds", "commitment")]  # fmt: skip
    limits = {"work": 1e6, "work_address": 1e6}
    with inside(tmp_path / "x.db", **limits) as (server, client):
        for path, body in WITH_RECORDS.items():
            for each in bodies if path == "verify" else bodies[:10]:
                whole = json.dumps(body).replace('"HERE"', json.dumps(each))
                whole = whole.replace('"STRANGE"', text)
                answer = client.post(f"/api/{path}", content=whole, headers=json_type)
                assert answer.status_code in (200, 201, 422), (path, each, answer.text)
            client.cookies.clear()
        assert client.post("/api/replay", json=record).status_code == 200
        assert "keltis_faults_total 0.0" in server.metrics.text().decode()


def test_a_record_may_be_long_wherever_it_goes(tmp_path: Path) -> None:
    """And one that is too long is too long everywhere."""
    record = {**finished("stones", 2, 5).record(), "note": "x" * 100_000}
    longer = {**record, "note": "x" * 300_000}
    limits = {"work": 1e6, "work_address": 1e6}
    with inside(tmp_path / "x.db", **limits) as (_, client):
        for path, body in WITH_RECORDS.items():
            whole = json.dumps(body).replace('"HERE"', json.dumps(record))
            answer = client.post(f"/api/{path}", content=whole)
            assert answer.status_code != 413, (path, answer.text)
            whole = json.dumps(body).replace('"HERE"', json.dumps(longer))
            assert client.post(f"/api/{path}", content=whole).status_code == 413


def test_a_long_body_counts_as_much_as_it_is_long(tmp_path: Path) -> None:
    """Its JSON is read before anybody knows what it asks for."""
    record = {**finished("stones", 2, 5).record(), "note": "x" * 200_000}
    with inside(tmp_path / "x.db") as (server, client):
        bucket = server.limits._messages_here.of("?")
        bucket._rate, bucket._left = 1e-9, 50.0  # of which nothing comes back
        codes = [client.post("/api/replay", json=record).status_code for _ in range(5)]
        assert codes == [200] * 3 + [429] * 2  # each is a message, and twelve times 16 KB


def test_an_illegal_move_is_told_with_its_reason(server: Server) -> None:
    record = json.loads((ROOT / "tools/lessons/board.json").read_text())
    whole = record["moves"]
    with httpx.Client(base_url=server.url) as client:

        def illegal(moves: list[str]) -> dict[str, Any]:
            answer = client.post("/api/replay", json={**record, "moves": moves, "result": None})
            assert answer.status_code == 422
            found = answer.json()["error"]["illegal"]
            assert found.pop("place") == len(moves) - 1
            return dict(found)

        due = {"card": None, "top": None}
        figure = {"seat": 0, "phase": "figure", "reason": "figure"}
        assert illegal(["G2", "Y3"]) == {**figure, **due}
        missing = {"seat": 0, "phase": "card", "reason": "hold", "card": "B0", "top": None}
        assert illegal(["B0"]) == missing
        misfits = {29: ("falling", 0, "R6", 5), 31: ("rising", 1, "B2", 6)}
        for place, (reason, seat, card, top) in misfits.items():
            told = {"seat": seat, "phase": "card", "reason": reason, "card": card, "top": top}
            assert illegal([*whole[:place], card]) == told
        over = {"seat": None, "phase": "over", "reason": "over"}
        assert illegal([*whole, "?"]) == {**over, **due}


def test_the_rules_are_served_in_four_languages(server: Server) -> None:
    with httpx.Client(base_url=server.url, timeout=60) as client:
        for game in ("board", "stones"):
            texts = [client.get(f"/api/rules/{game}/{code}") for code in ("en", "de", "fr", "nl")]
            assert all(each.headers["content-type"].startswith("text/markdown") for each in texts)
            assert len({each.text.split("\n")[0] for each in texts}) == 4
        assert client.get("/api/rules/chess/en").status_code == 422
