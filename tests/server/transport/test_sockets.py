"""Sockets over ASGI, in process: what is said, heard, refused and closed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from keltis.server.app import Server
from keltis.server.live import viewers
from keltis.server.tables.events import Event
from tests.server.transport.inside import bearer, make, new_key, serving, socket


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, TestClient]]:
    with serving(tmp_path_factory.mktemp("inside") / "x.db") as both:
        yield both


@pytest.fixture
def client(inside: tuple[Server, TestClient]) -> TestClient:
    return inside[1]


def test_a_decision_is_acknowledged_to_its_sender_and_told_to_all(client: TestClient) -> None:
    key = new_key(client)
    table = make(client, key, "me", "me")["table"]
    with socket(client, table, key) as ann, socket(client, table) as somebody:
        move = ann.playing()["legal_moves"][0]
        somebody.playing()
        seq = ann.state["seq"]
        answer = ann.ask(type="decide", move=move, seq=seq, id="one")
        assert (answer["type"], answer["seq"]) == ("moved", seq + 1)
        told = somebody.until("moved")
        assert told["seq"] == seq + 1
        assert "id" not in told
        assert ann.ask(type="decide", move=move, seq=seq, id="one") == {
            "type": "ack", "id": "one", "seq": seq + 1,
        }  # fmt: skip


def test_the_same_decision_by_http_and_by_socket_goes_one_way(client: TestClient) -> None:
    key = new_key(client)
    table = make(client, key, "me", "me")["table"]
    with socket(client, table, key) as ann:
        move, seq = ann.playing()["legal_moves"][0], ann.state["seq"]
        body = {"move": move, "seq": seq, "id": "one"}
        path = f"/api/tables/{table}/decide"
        assert client.post(path, json=body, headers=bearer(key)).json() == {"seq": seq + 1}
        assert ann.until("moved")["seq"] == seq + 1
        assert ann.ask(type="decide", **body)["type"] == "ack"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "bad_request"),
        ("[]", "bad_request"),
        ('{"type": "fly"}', "bad_request"),
        ('{"type": "decide", "move": "R7"}', "bad_request"),
        ('{"type": "decide", "move": "R7", "seq": true, "id": "a"}', "bad_request"),
        ('{"type": "decide", "move": "R7", "seq": 2, "id": ""}', "bad_request"),
        ('{"type": "decide", "move": "nonsense", "seq": 2, "id": "b"}', "illegal_move"),
        ('{"type": "decide", "move": "R7", "seq": 99, "id": "c"}', "bad_request"),
        ('{"type": "decide", "move": "R7", "seq": 1, "id": "d"}', "stale"),
        ('{"type": "take_back", "seq": 2, "id": "e"}', "cannot_take_back"),
        ('{"type": "hint"}', "not_allowed"),
        ('{"type": "rematch"}', "not_allowed"),
    ],
)
def test_what_is_refused_is_refused_by_code_and_the_socket_stays(
    client: TestClient, text: str, code: str
) -> None:
    key = new_key(client)
    table = make(client, key, "me", "me")["table"]
    with socket(client, table, key) as ann:
        ann.playing()
        ann.session.send_text(text)
        assert ann.until("error")["code"] == code
        ann.say(type="ping")
        assert ann.until("pong") == {"type": "pong"}


@pytest.mark.parametrize("has_key", [True, False])
def test_a_spectator_may_do_nothing_and_is_told_whether_it_has_a_key(
    client: TestClient, has_key: bool
) -> None:
    table = make(client, new_key(client), "me", "me")["table"]
    with socket(client, table, new_key(client) if has_key else None) as somebody:
        view = somebody.playing()
        assert view["you"] is None
        assert view["legal_moves"] == []
        assert somebody.state["you"]["key"] is has_key
        assert somebody.state["you"]["seats"] == []
        for kind in ("decide", "end", "leave", "why"):
            more = {"move": "R7", "seq": 2} if kind == "decide" else {}
            more = {"move": "R7"} if kind == "why" else more
            answer = somebody.ask(type=kind, id=kind, **more)
            assert (answer["type"], answer["code"]) == ("error", "not_allowed"), kind


def test_after_a_gap_what_was_missed_is_told(client: TestClient) -> None:
    key = new_key(client)
    table = make(client, key, "me", "me")["table"]
    with socket(client, table, key) as ann:
        move, seq = ann.playing()["legal_moves"][0], ann.state["seq"]
        ann.ask(type="decide", move=move, seq=seq, id="one")
    with socket(client, table, key, f"?from={seq}") as ann:
        assert [step["seq"] for step in ann.state["missed"]] == [seq + 1]
        ann.say(type="sync", **{"from": seq + 1})
        assert ann.until("state")["missed"] == []


def test_no_such_table_is_said_before_the_socket_closes(client: TestClient) -> None:
    with client.websocket_connect("/api/tables/abcdefghijkl/socket") as session:
        assert json.loads(session.receive_text())["code"] == "unknown_table"
        with pytest.raises(WebSocketDisconnect) as closed:
            session.receive_text()
    assert closed.value.code == viewers.NO_TABLE


def test_a_page_of_another_site_gets_no_socket(client: TestClient) -> None:
    table = make(client, new_key(client), "me", "me")["table"]
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(
            f"/api/tables/{table}/socket", headers={"origin": "https://elsewhere.example"}
        ),
    ):
        pass


def test_a_damaged_log_is_its_own_tables_matter(inside: tuple[Server, TestClient]) -> None:
    """The table's people get a typed error; lists and other tables go on."""
    server, client = inside
    key = new_key(client)
    bad = make(client, key, "me", "open", public=True)["table"]
    good = make(client, key, "me", "open", public=True)["table"]
    with socket(client, bad, key) as ann:
        with server.store.engine.begin() as connection:
            row = Event(bad, 2, 0, "moved", 0, "R7", None, None)
            connection.exec_driver_sql(
                "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", tuple(row)
            )
        ann.say(type="commit", commitment="", id="one")
        ann.say(type="end", id="two")
        assert ann.until("error")["code"] == "unreadable"
        assert ann.closed() == viewers.NO_TABLE
    answer = client.get(f"/api/tables/{bad}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "unreadable")
    listed = [each["id"] for each in client.get("/api/tables").json()["tables"]]
    assert good in listed
    assert bad not in listed
    mine = client.get("/api/tables/mine", headers=bearer(key)).json()["tables"]
    assert [each["id"] for each in mine] == [good]
    assert "keltis_unreadable 1.0" in server.metrics.text().decode()


def test_a_flood_is_closed(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db", rate=1) as (_, client):
        key = new_key(client)
        table = make(client, key, "me", "me")["table"]
        with socket(client, table, key) as ann:
            for _ in range(200):
                ann.say(type="ping")
            assert ann.closed() == viewers.FLOOD


def test_a_reader_that_is_too_slow_is_dropped_and_counted(tmp_path: Path) -> None:
    """What is dropped is told by the metrics; once the counter stood still."""
    with serving(tmp_path / "x.db") as (server, client):
        key = new_key(client)
        table = make(client, key, "me", "me")["table"]
        with socket(client, table, key) as ann:
            ann.playing()
            live = server.service.registry.get(table)
            assert live is not None
            assert client.portal is not None

            def flood() -> None:
                for _ in range(viewers.MOST_MESSAGES + 1):
                    live.viewers[0].send(b"{}")

            client.portal.call(flood)
            assert ann.closed() == viewers.TOO_SLOW
        assert "keltis_dropped_total 1.0" in server.metrics.text().decode()


def test_a_stop_says_goodbye(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db") as (server, client):
        key = new_key(client)
        table = make(client, key, "me", "me")["table"]
        with socket(client, table, key) as ann:
            ann.playing()
            assert client.portal is not None
            client.portal.call(server.service.stop)
            assert ann.until("bye")["reconnect_after"] > 0
            with pytest.raises(WebSocketDisconnect) as closed:
                ann.hear()
            assert closed.value.code == viewers.STOPPING
