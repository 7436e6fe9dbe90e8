"""What must never leave the server, and who may not come in."""

import asyncio
import contextlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import OperationalError
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import keltis
from keltis.server.tables import names
from tests.server.running import Client, Server, play_out

New = Callable[[], Client]


def test_a_browser_gets_its_key_in_a_cookie_that_scripts_cannot_read(server: Server) -> None:
    wish = {"seats": [{"who": "me", "name": "Ann"}, {"who": "open"}]}
    with httpx.Client(base_url=server.url, timeout=60) as browser:
        made = browser.post("/api/tables", json=wish)
        cookie = made.headers["set-cookie"]
        for part in ("HttpOnly", "SameSite=strict", "Path=/"):
            assert part in cookie
        key = browser.cookies["keltis"]
        assert key not in made.text
        table = made.json()["table"]
        assert browser.get(f"/api/tables/{table}").json()["you"]["seats"] == [0]
        assert "set-cookie" not in browser.post("/api/tables", json=wish).headers
    assert httpx.get(f"{server.url}/api/tables/{table}").json()["you"]["seats"] == []


def test_neither_keys_nor_invitations_are_stored_or_logged(client: New, server: Server) -> None:
    ann, ben = client(), client()
    made = ann.make("me", "open", game="stones")
    ben.join(made)
    with ann.at(made["table"]), ben.at(made["table"]):
        pass
    folder = Path(server.database).parent
    stored = b"".join(file.read_bytes() for file in folder.glob("tables.db*"))
    logged = server.log.read_bytes()
    for secret in (ann.key, ben.key, made["invitation"]):
        assert secret.encode() not in stored
        assert secret.encode() not in logged
    assert made["table"].encode() not in logged
    for line in logged.decode().splitlines():
        assert {"time", "level", "message"} <= set(json.loads(line))


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_pages_of_other_sites_are_refused(client: New, server: Server, origin: str) -> None:
    ann = client()
    table = ann.make("me", "random")["table"]
    headers = {"origin": origin}
    response = ann.http.post("/api/keys", headers=headers)
    assert (response.status_code, response.json()["error"]["code"]) == (403, "bad_origin")
    url = f"{server.url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    with pytest.raises(InvalidStatus) as refused, connect(url, additional_headers=headers):
        pass
    assert refused.value.response.status_code == 403
    own = {"origin": server.url}
    assert ann.http.post("/api/keys", headers=own).status_code == 201
    with connect(url, additional_headers=own) as socket:
        assert json.loads(socket.recv(60))["type"] == "state"


def test_every_answer_carries_the_headers(server: Server) -> None:
    for path in ("/", "/api/info", "/nothing.js", "/api/nothing", "/healthz"):
        headers = httpx.get(server.url + path, timeout=60).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'self';")
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-frame-options"] == "DENY"
        assert "server" not in headers
        assert "strict-transport-security" not in headers


def test_forwarded_headers_count_only_from_trusted_proxies(
    server: Server, folder: Path, tmp_path: Path
) -> None:
    spoofed = {"x-forwarded-proto": "https", "x-forwarded-for": "9.9.9.9"}
    wish = {"seats": [{"who": "me", "name": "Ann"}, {"who": "open"}]}
    made = httpx.post(f"{server.url}/api/tables", json=wish, headers=spoofed, timeout=60)
    assert "Secure" not in made.headers["set-cookie"]
    with Server(
        tmp_path / "x.db", tmp_path / "log", trust_proxy="127.0.0.1", root_path="/games/keltis",
        rate_address="1", tables_per_client="2", rate="3",
    ) as behind:  # fmt: skip
        base = behind.url
        assert base.endswith("/games/keltis")
        made = httpx.post(f"{base}/api/tables", json=wish, headers=spoofed, timeout=60)
        cookie = made.headers["set-cookie"]
        assert "Secure" in cookie
        assert "Path=/games/keltis/" in cookie
        assert "strict-transport-security" in made.headers
        origin = {
            **spoofed,
            "x-forwarded-host": "keltis.example",
            "origin": "https://keltis.example",
        }
        assert httpx.post(f"{base}/api/keys", headers=origin, timeout=60).status_code == 201
        stripped = base.removesuffix("/games/keltis")  # a proxy that takes the prefix off
        assert httpx.get(f"{stripped}/healthz", timeout=60).status_code == 200
        _limits(base, wish)


def _limits(base: str, wish: Any) -> None:
    """One address cannot ask without end, nor one client have tables without end."""
    from_elsewhere = {"x-forwarded-for": "8.8.8.8"}
    with httpx.Client(headers=from_elsewhere, timeout=60) as http:
        answers = [http.get(f"{base}/api/info") for _ in range(40)]
    codes = [answer.status_code for answer in answers]
    assert codes[0] == 200
    assert 429 in codes
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert refused.json()["error"]["code"] == "rate_limited"
    assert refused.headers["retry-after"]
    asking = {"x-forwarded-for": "6.6.6.6"}
    key = httpx.post(f"{base}/api/keys", headers=asking, timeout=60).json()["key"]
    made = [
        httpx.post(
            f"{base}/api/tables",
            json=wish,
            headers={"authorization": f"Bearer {key}", "x-forwarded-for": f"7.7.7.{k}"},
            timeout=60,
        )
        for k in range(3)
    ]
    assert [answer.status_code for answer in made] == [201, 201, 429]
    assert made[2].json()["error"]["code"] == "too_many_tables"


@pytest.mark.parametrize(
    "name",
    ["", " ", "x" * 25, "tab\there", "bell\u0007", "\u202eturned", "\u200b", "a\u0000b", "\ud800",
     # Letters and marks that show nothing, and joiners where there is nothing to join.
     *(f"Ann{blank}" for blank in "\u3164\u115f\u1160\uffa0\u2800\u034f"),
     *(f"Ann{blank}" for blank in "\u17b5\u180b\ufe01\U000e0100\ufffc\U0001d159\U00016fe4"),
     "\u3164", "\ufe0f", "Ann\ufe0f", "An\u200dn", "Ann\u200d", "\u200dAnn", "Ann \u2764\u200d",
     "\u2764\u200dAnn", "Ann \u2764\ufe0f\ufe0f"],
)  # fmt: skip
def test_names_that_cannot_be_shown_are_refused(client: New, name: str) -> None:
    body = {"seats": [{"who": "me", "name": name}, {"who": "open"}]}
    text = json.dumps(body)
    headers = {"content-type": "application/json"}
    response = client().http.post("/api/tables", content=text, headers=headers)
    assert (response.status_code, response.json()["error"]["code"]) == (422, "bad_request")


@pytest.mark.parametrize(
    "name",
    ["Åsa", "Ａｎｎ", "Νίκη", "Анна", "عمر", "रश्मि", "ක්\u200dරිස්", "명수",
     "\u2764\ufe0f Ann", "1\ufe0f\u20e3", "\U0001f469\u200d\U0001f4bb",
     "\U0001f3f3\ufe0f\u200d\U0001f308", "\U0001f44b\U0001f3fd"],
)  # fmt: skip
def test_names_that_can_be_shown_stay_as_they_are(name: str) -> None:
    assert names.clean(name) == name


def test_markup_in_a_name_stays_text(client: New) -> None:
    ann = client()
    name = '<img src=x onerror="1">'
    made = ann.make("me", "random", seats=[{"who": "me", "name": name}, {"who": "open"}])
    response = ann.http.get(f"/api/tables/{made['table']}")
    assert response.headers["content-type"] == "application/json"
    assert response.json()["table"]["seats"][0]["name"] == name


def test_metrics_and_health(server: Server, client: New) -> None:
    assert httpx.get(f"{server.url}/healthz", timeout=60).json()["status"] == "ok"
    assert "keltis_commit_seconds" in httpx.get(f"{server.url}/metrics", timeout=60).text
    proxied = {"x-forwarded-for": "9.9.9.9"}
    response = httpx.get(f"{server.url}/metrics", headers=proxied, timeout=60)
    assert response.status_code == 404


# --- No client's bytes tell a hidden card ------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "seats"),
    [("board", ("me", "open")), ("board", ("me", "open", "random")), ("stones", ("me", "open"))],
)
def test_what_a_client_gets_is_the_same_whatever_the_hidden_cards_are(
    client: New, game: str, seats: tuple[str, ...]
) -> None:
    """Deal anew all that a client cannot know: it must have been told exactly the same."""
    people = [client() for seat in seats if seat != "random"]
    made = people[0].make(*seats, game=game, hints=True)
    for person in people[1:]:
        person.join(made)
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(person.at(made["table"])) for person in (*people, client())]
        errors = [seat.ask("decide", move="R11", seq=seat.seq) for seat in opened]
        assert all(error["type"] == "error" for error in errors)
        play_out(*opened)
    record = people[0].record(made["table"])
    for seat in opened:
        compare_with_other_deals(seat.bytes, record, seat.views[0]["you"])


def compare_with_other_deals(received: list[str], record: Any, you: int | None) -> None:
    some = int(0.7 * len(record["moves"]))  # later nothing may be hidden any more
    last = {**record, "moves": record["moves"][:some], "result": None}
    view = keltis.load(last).view(you)
    for seed in range(3):
        other = keltis.resample(view, seed=seed)
        setup = other.record()["setup"]
        assert setup != record["setup"]
        game = keltis.load({**last, "setup": setup, "moves": []})
        moves = iter(last["moves"])
        compared = 0
        for text in received:
            message = json.loads(text)
            views = message.pop("views", [])
            if message["type"] == "state" and message["table"]["status"] == "over":
                break
            if message.get("code") == "illegal_move":
                assert message.pop("message") == game.why(message.pop("move"))
            assert not re.search(r"\b[RYVGB](10|[0-9])\b", json.dumps(message)), message
            assert record["fair"]["server_seed"] not in text
            if message["type"] == "moved":
                if (move := next(moves, None)) is None:
                    break
                game.play(move)
                assert views == game.changes([you])
                compared += 1
            elif views:
                # Whoever opens the table late is told at once what has been played until then.
                for _ in range(len(views[0]["history"]) - len(game.moves)):
                    game.play(next(moves))
                    compared += 1
                assert views == [game.view(you)]
        assert compared == len(last["moves"])


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [(OperationalError("SELECT", {}, Exception()), 503, "busy"), (KeyError("R7"), 500, "internal")],
)
def test_a_fault_is_told_in_words_and_without_its_cause(
    fault: Exception, status: int, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from keltis.server.app import Server as InProcess
    from keltis.server.settings import Settings

    server = InProcess(Settings(database=str(tmp_path / "x.db")))

    async def fails(table: str) -> None:
        raise fault

    monkeypatch.setattr(server.service, "find", fails)

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(server.asgi)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as asking:
            return await asking.get("/api/tables/abcdefghijkm")

    answer = asyncio.run(ask())
    server.store.stop()
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert "R7" not in answer.text
    assert "content-security-policy" in answer.headers
