"""Whatever comes in: the server stays up, and others notice nothing."""

import asyncio
import contextlib
import json
import random
import socket
import time
from collections.abc import Callable
from typing import Any

import httpx
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.server.running import PATIENCE, Client, Server, together

New = Callable[[], Client]


def test_every_request_is_answered_as_described(server: Server) -> None:
    """Schemathesis makes requests from the OpenAPI description, right and wrong ones."""
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    checks = [
        schemathesis.checks.not_a_server_error,
        schemathesis.checks.status_code_conformance,
        schemathesis.checks.content_type_conformance,
        schemathesis.checks.response_schema_conformance,
    ]
    operations: list[Any] = [each.ok() for each in schema.get_all_operations()]  # type: ignore[union-attr]
    assert len(operations) > 15
    for operation in operations:
        if operation.path.endswith("/events"):  # streams
            continue
        for mode in schemathesis.GenerationMode:

            @given(case=operation.as_strategy(generation_mode=mode))
            @settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
            def answered(case: Any) -> None:
                case.call_and_validate(checks=checks, timeout=PATIENCE)

            with contextlib.suppress(Unsatisfiable):  # nothing wrong can be sent there
                answered()


def junk(chance: random.Random) -> str | bytes:
    """Something that is no sensible message."""
    values: list[Any] = [
        None, True, -1, 0, 1, 2**70, 1e308, "", "R7", "\x00", "ü" * 100, [], {}, [[[]]], {"a": {}},
    ]  # fmt: skip
    kinds = [
        "decide", "take_back", "commit", "seed", "leave", "return", "resign", "replace", "end",
        "rematch",
        "hint", "why", "sync", "ping", "state", "moved", "", 7, None,
    ]  # fmt: skip
    keys = ["move", "seq", "id", "seat", "seed", "commitment", "from", "type", "more", "__class__"]
    style = chance.randrange(6)
    if style == 0:
        return chance.randbytes(chance.randrange(200))
    if style == 1:
        return "".join(map(chr, chance.choices(range(1, 500), k=chance.randrange(50))))
    if style == 2:
        return "[" * chance.randrange(1, 3000)
    message = {chance.choice(keys): chance.choice(values) for _ in range(chance.randrange(6))}
    message["type"] = chance.choice(kinds)
    return json.dumps(message)


async def quarrel(url: str, table: str, key: str, seed: int) -> None:
    chance = random.Random(seed)
    path = f"{url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    headers = {"authorization": f"Bearer {key}"}
    for _ in range(3):
        with contextlib.suppress(ConnectionClosed):
            async with connect(
                path,
                additional_headers=headers,
                compression=None,
                open_timeout=PATIENCE,
                close_timeout=0.5,  # it never reads, so it will not see the answer to its close
            ) as socket:
                for _ in range(60):
                    await socket.send(junk(chance))
                await asyncio.sleep(0.05)


def test_nonsense_on_a_socket_disturbs_nobody(client: New, server: Server) -> None:
    ann, ben = client(), client()
    made = ann.make("me", "open", game="stones", first=0)
    ben.join(made)
    table = made["table"]

    async def all_at_once() -> None:
        await asyncio.gather(
            *(quarrel(server.url, table, ben.key, seed) for seed in range(4)),
            *(quarrel(server.url, "nowhere", ben.key, seed) for seed in range(2)),
        )

    with ann.at(table) as seat:
        while seat.table["status"] == "waiting":
            seat.read()
        asyncio.run(all_at_once())
        seat.say("sync")
        seat.until(lambda message: message["type"] == "state")
        if seat.you["may"]["decide"] is not None:
            seat.decide()
        assert seat.table["status"] in ("playing", "over")  # it is sensible to resign
    assert "fault" not in server.log.read_text().replace("no fault", "")


def test_too_large_and_broken_messages_close_only_their_own_socket(
    client: New, server: Server
) -> None:
    ann = client()
    table = ann.make("me", "random")["table"]
    path = f"{server.url.replace('http', 'ws', 1)}/api/tables/{table}/socket"

    async def closed_by(message: bytes | str, *, text: bool | None = None) -> int:
        async with connect(path, compression=None, open_timeout=PATIENCE) as socket:
            with contextlib.suppress(ConnectionClosed):
                await socket.send(message, text=text)
                while True:
                    await asyncio.wait_for(socket.recv(), PATIENCE)
            return socket.close_code or 0

    assert asyncio.run(closed_by("x" * 20_000)) == 1009
    assert asyncio.run(closed_by(b"\xff\xfe", text=True)) == 1007
    assert ann.http.post("/api/tables", content=b"x" * 20_000).status_code in (413, 422)
    headers = {"content-type": "application/json"}
    response = ann.http.post("/api/tables", content=iter([b"x" * 9000] * 3), headers=headers)
    assert (response.status_code, response.json()["error"]["code"]) == (413, "too_large")


def test_a_flood_is_cut_off(tmp_path: Any) -> None:
    with Server(tmp_path / "x.db", tmp_path / "log", rate=5) as server:
        ann, eve = Client(server), Client(server)
        table = ann.make("me", "random")["table"]
        path = f"{server.url.replace('http', 'ws', 1)}/api/tables/{table}/socket"

        async def flood() -> tuple[int, set[str]]:
            codes = set()
            own = {"authorization": f"Bearer {eve.key}"}
            async with connect(
                path, additional_headers=own, compression=None, open_timeout=PATIENCE
            ) as socket:
                with contextlib.suppress(ConnectionClosed):
                    for _ in range(400):
                        await socket.send('{"type": "ping"}')
                with contextlib.suppress(ConnectionClosed):
                    while True:
                        message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
                        codes.add(message.get("code", message["type"]))
                return socket.close_code or 0, codes

        code, codes = asyncio.run(flood())
        assert code in (1008, 1006)
        assert "rate_limited" in codes
        with ann.at(table) as seat:
            assert seat.you["seats"]
        ann.close()
        eve.close()


def test_half_open_and_silent_connections_hold_nobody_up(client: New, server: Server) -> None:
    ann, ben = client(), client()
    made = ann.make("me", "open", game="board")
    ben.join(made)
    host, port = server.url.removeprefix("http://").split(":")
    silent = [socket.create_connection((host, int(port))) for _ in range(20)]
    for each in silent[:10]:
        each.sendall(b"GET /api/tables/x/socket HTTP/1.1\r\nHost: localhost\r\n")
    reading_nothing = deaf(server, made["table"])
    with ann.at(made["table"]) as first, ben.at(made["table"]) as second:
        while first.table["status"] != "playing":
            first.read()
        began = time.monotonic()
        for _ in range(60):
            together(first, second)
            (first if first.you["may"]["decide"] is not None else second).decide()
        assert time.monotonic() - began < PATIENCE
    for each in (*silent, reading_nothing):
        each.close()


def deaf(server: Server, table: str) -> socket.socket:
    """A watcher that opens a socket and never reads."""
    host, port = server.url.removeprefix("http://").split(":")
    opened = socket.create_connection((host, int(port)))
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    opened.sendall(
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    return opened


def test_no_trace_leaves_the_server(server: Server) -> None:
    for path in ("/api/tables/%00", "/api/tables/" + "x" * 300, "/..%2f..%2fetc/passwd", "/%ff.js"):
        answer = httpx.get(server.url + path, timeout=PATIENCE)
        assert answer.status_code in (400, 404, 422)
        assert "Traceback" not in answer.text
        assert ".py" not in answer.text
