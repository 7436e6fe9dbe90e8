"""Positions as text over HTTP: opened, copied, refused; nothing that a text leaves open is told."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import keltis
from keltis.server.transport.replay_worker import positions
from tests.server.transport.inside import serving


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("positions") / "keltis.db", work=1e6) as (_, client):
        yield client


def played(game: str, decisions: int) -> keltis.Game:
    chance = random.Random(4)
    one = keltis.new_game(game, 2, seed=4)
    for _ in range(decisions):
        one.play(chance.choice(one.legal_moves()))
    return one


@pytest.mark.parametrize("game", ["board", "stones"])
def test_any_position_of_a_record_is_told(client: TestClient, game: str) -> None:
    one = played(game, 40)
    for at in (0, 17, 40):
        asked = {"record": one.record(), "at": at}
        found = keltis.load({**one.record(), "moves": one.moves[:at]})
        assert client.post("/api/position", json=asked).json() == {"position": found.position()}
        closed = client.post("/api/position", json={**asked, "hands": False}).json()
        assert closed == {"position": found.position(None)}


def test_a_position_is_a_replay_of_one_picture(client: TestClient) -> None:
    one = played("board", 40)
    answer = client.post("/api/replay", json={"position": one.position()}).json()
    assert answer["steps"] == []
    assert answer["hands"] == [one.view(seat)["hand"] for seat in (0, 1)]
    assert answer["view"]["seat"] == one.seat
    # A record that begins in the middle is replayed like any other.
    begun = keltis.position(one.position())
    begun.play(begun.legal_moves()[0])
    answer = client.post("/api/replay", json=begun.record()).json()
    assert len(answer["steps"]) == 1
    assert answer["view"]["setup"]["position"] == one.position(None)


def test_hands_that_are_left_open_are_not_told(client: TestClient) -> None:
    one = played("board", 40)
    answer = client.post("/api/replay", json={"position": one.position(1)}).json()
    assert answer["hands"] == [None, one.view(1)["hand"]]
    assert positions({"position": one.position(None)})["hands"] == [None, None]
    for hands in (True, False):
        asked = {"record": {"position": one.position(1)}, "hands": hands}
        told = client.post("/api/position", json=asked).json()["position"]
        assert told == one.position(1 if hands else None)


@pytest.mark.parametrize(
    "body",
    [
        {"position": "keltis-position/1 board"},
        {"position": "no"},
        {"position": 7},
        {"position": None},
        {"position": ["?"] * 1000},
        {"position": "keltis-position/1 stones seat=0 phase=turn rows=R5.5|- open=-"},
        {"position": "keltis-position/1 bo\u0000rd \u2028"},
        {"position": "x" * 200_000},
    ],
)
def test_what_is_no_position_is_refused(client: TestClient, body: dict[str, object]) -> None:
    for path, asked in (("replay", body), ("position", {"record": body})):
        answer = client.post(f"/api/{path}", json=asked)
        assert answer.status_code == 422, (path, answer.text)
        assert answer.json()["error"]["code"] == "bad_request"
        assert len(answer.json()["error"]["message"]) <= 300


def test_what_is_asked_wrongly_is_refused(client: TestClient) -> None:
    record = played("stones", 9).record()
    for asked in (
        {"record": record, "at": 10},
        {"record": record, "at": -1},
        {"record": record, "at": 10**9},
        {"record": record, "at": "1"},
        {"record": record, "hands": "all"},
        {"record": [], "at": 0},
        {"at": 0},
    ):
        assert client.post("/api/position", json=asked).status_code == 422, asked
    large = {"record": {**record, "note": "x" * 300_000}}
    assert client.post("/api/position", json=large).status_code == 413


def test_positions_count_as_work(tmp_path: Path) -> None:
    record = played("stones", 9).record()
    with serving(tmp_path / "keltis.db", work=0.05, work_address=0.05) as (_, client):
        codes = {
            client.post("/api/position", json={"record": record}).status_code for _ in range(12)
        }
    assert codes == {200, 429}
