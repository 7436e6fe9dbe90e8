"""What a connection may send, and for how long: bare bytes on real sockets."""

import asyncio
import contextlib
import json
import time
from pathlib import Path

import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

import keltis
from keltis.server.transport import protocols
from tests.server.live.playing import run, started, until
from tests.server.transport.serving import PATIENCE, Line, serving, upgraded

START = b"GET /api/info HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
LIMIT = 30_000_000  # bytes that nobody may be able to send; the system itself takes some


async def pour(line: Line, data: bytes) -> int:
    """Send the same again and again until the other end has enough; how much that was."""
    sent = 0
    try:
        while sent < LIMIT:
            await asyncio.wait_for(line.send(data), 5)
            sent += len(data)
            await asyncio.sleep(0)
    except (ConnectionError, TimeoutError):
        pass
    return sent


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (b"GET /", b"a" * 1000),
        (START, b"X-More: " + b"a" * 1000 + b"\r\n"),
        (START + b"X-More: ", b"a" * 1000),
        (START, b"a: b\r\n" * 200),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"3e8\r\n" + b" " * 1000 + b"\r\n"),
        (START + b"Transfer-Encoding: chunked\r\n\r\n", b"3e8\r\n" + b" " * 1000 + b"\r\n"),
        (POST + b"Content-Length: 9999999999\r\n\r\n", b" " * 1000),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n1;", b"a" * 1000),
    ],
)
def test_a_request_without_end_is_ended(
    first: bytes, again: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with serving(tmp_path / "x.db", monkeypatch) as (_, port, _):
            line = await Line.open(port)
            await line.send(first)
            assert await pour(line, again) < LIMIT

    run(play())


def test_a_head_that_comes_at_once_is_bounded_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with serving(tmp_path / "x.db", monkeypatch) as (_, port, _):
            for extra, status in ((10_000, b" 200 "), (40_000, b" 413 ")):
                line = await Line.open(port)
                await line.send(START + b"X-More: " + b"a" * extra + b"\r\n")
                await line.send(b"Connection: close\r\n\r\n")
                answer = await line.rest()
                if b" 400 " not in answer:  # it came in pieces: the parser was first
                    assert status in answer.split(b"\r\n")[0]
                else:
                    assert extra > protocols.HEAD_SIZE

    run(play())


def test_a_request_that_is_too_large_ends_its_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with serving(tmp_path / "x.db", monkeypatch) as (_, port, _):
            line = await Line.open(port)
            await line.send(POST + b"Content-Length: 100000\r\n\r\n{")
            head, _, body = (await line.rest()).partition(b"\r\n\r\n")
            assert b" 413 " in head.split(b"\r\n")[0]
            assert json.loads(body)["error"]["code"] == "too_large"

    run(play())


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET /api/in",
        START,
        START + b"\r\n",  # answered; then nothing more comes
        START + b"\r\n" + START,
        POST + b"Content-Length: 100\r\n\r\n{",
        POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n12",
    ],
)
def test_a_request_that_is_not_finished_in_time_is_ended(
    begun: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HEAD_WITHIN", "REQUEST_WITHIN", "_LOOK_EVERY"):
        monkeypatch.setattr(protocols, name, 0.3)
    monkeypatch.setattr("keltis.server.run.IDLE", 1)

    async def play() -> None:
        async with serving(tmp_path / "x.db", monkeypatch) as (_, port, _):
            line = await Line.open(port)
            if begun:
                await line.send(begun)
            answer = await line.rest()  # ends, or the test fails
            assert answer.count(b"HTTP/1.1 200") == begun.count(b"\r\n\r\n") * (begun[:3] == b"GET")

    run(play())


def test_a_slow_request_that_is_in_time_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with serving(tmp_path / "x.db", monkeypatch) as (_, port, _):
            line = await Line.open(port)
            for k in range(0, len(START), 7):
                await line.send(START[k : k + 7])
                await asyncio.sleep(0.01)
            await line.send(b"Connection: close\r\n\r\n")
            assert b" 200 " in (await line.rest()).split(b"\r\n")[0]

    run(play())


def test_who_does_not_read_an_answer_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Descriptors are few: a connection that takes nothing must not keep one."""
    for name in ("READ_WITHIN", "GONE_WITHIN", "_LOOK_EVERY"):
        monkeypatch.setattr(protocols, name, 0.3)

    async def play() -> None:
        async with serving(tmp_path / "x.db", monkeypatch) as (_, port, connections):
            line = await Line.open(port)
            line.writer.transport.pause_reading()  # type: ignore[attr-defined]
            ask = b"GET /js/messages/de.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
            line.writer.write(ask * 2000)  # far more than the system takes into its own buffers
            await until(lambda: connections)
            await until(lambda: not connections)

    run(play())


def test_what_waits_for_one_address_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many who read nothing would fill the memory: each lets an answer of megabytes wait."""
    monkeypatch.setattr(protocols, "READ_WITHIN", 1e9)
    monkeypatch.setattr(protocols, "MOST_WAITING", 100_000)  # one waits with 68 KB
    ask = b"GET /js/messages/de.js HTTP/1.1\r\nHost: localhost\r\n\r\n"

    async def play() -> None:
        much = {"rate_address": 1e6}  # it may ask for all of that
        async with serving(tmp_path / "x.db", monkeypatch, **much) as (_, port, connections):
            for _ in range(4):
                line = await Line.open(port, "127.0.0.2")
                line.writer.transport.pause_reading()  # type: ignore[attr-defined]
                line.writer.write(ask * 2000)
            other = await Line.open(port, "127.0.0.3")
            other.writer.transport.pause_reading()  # type: ignore[attr-defined]
            other.writer.write(ask * 2000)
            await until(lambda: len(connections) == 5)
            await until(lambda: len(connections) <= 2)
            there = {each.client[0] for each in connections}
            assert "127.0.0.3" in there  # it keeps nobody else from reading slowly

    run(play())


# --- How long somebody is read -----------------------------------------------------------------


ASK = b"GET /js/api.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
CHUNKED = POST.replace(b"tables", b"replay") + b"Transfer-Encoding: chunked\r\n\r\n"
MANY_HEADERS = START + b"a:\r\n" * 95 + b"\r\n"


@pytest.mark.parametrize(
    "data", [ASK * 5000, CHUNKED + b"1\r\n \r\n" * 50_000, MANY_HEADERS * 1000],
    ids=["files", "chunks", "headers"],
)  # fmt: skip
def test_an_address_is_read_for_its_share_of_the_time(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However it is cut into pieces: who has used up the share waits, and nobody else does."""
    rate = 20  # requests a second: a fiftieth of the time, with a tenth of a second saved up
    spent = longest = 0.0
    received = H11Protocol.data_received

    def measuring(self: H11Protocol, piece: bytes) -> None:
        nonlocal spent, longest
        began = time.perf_counter()
        received(self, piece)
        took = time.perf_counter() - began
        if self.client is not None and self.client[0] == "127.0.0.2":
            spent, longest = spent + took, max(longest, took)

    monkeypatch.setattr(H11Protocol, "data_received", measuring)

    async def play() -> None:
        async with serving(tmp_path / "x.db", monkeypatch, rate_address=rate) as (_, port, _):
            began = time.perf_counter()
            flooding = [await Line.open(port, "127.0.0.2") for _ in range(4)]
            for line in flooding:
                line.writer.write(data)
            for _ in range(30):  # somebody else meanwhile
                line = await Line.open(port, "127.0.0.3")
                await line.send(START + b"Connection: close\r\n\r\n")
                assert b" 200 " in (await line.rest()).split(b"\r\n")[0]
            allowed = rate * protocols._SHARE * (time.perf_counter() - began + protocols._BURST)
            assert 0 < spent < allowed + 4 * longest
            got = 0
            for line in flooding:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.01):
                        got += (await line.reader.read(10**7)).count(b"HTTP/1.1")
            assert got <= (allowed + 4 * longest) / protocols._REQUEST

    run(play())


def test_a_trusted_proxy_is_read_as_long_as_it_likes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It speaks for many."""

    async def play() -> None:
        settings = {"rate_address": 1, "trust_proxy": "127.0.0.2"}
        async with serving(tmp_path / "x.db", monkeypatch, **settings) as (_, port, _):
            line = await Line.open(port, "127.0.0.2")
            await line.send(ASK * 300 + START + b"Connection: close\r\n\r\n")
            assert (await line.rest()).count(b"HTTP/1.1 200") == 301

    run(play())


def test_what_is_read_bit_by_bit_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note = "x" * 200_000
    body = json.dumps({**keltis.new_game("stones", 2, seed=1).record(), "note": note}).encode()

    async def play() -> None:
        async with serving(tmp_path / "x.db", monkeypatch) as (server, port, _):
            for path in (b"replay", b"nothing"):
                line = await Line.open(port)
                await line.send(
                    b"POST /api/%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n"
                    b"Content-Type: application/json\r\nConnection: close\r\n\r\n%s"
                    % (path, len(body), body)
                )
                answer = await line.rest()
                assert (b" 200 " if path == b"replay" else b" 413 ") in answer.split(b"\r\n")[0]
            live = await started(server, "me", "me")
            line = await upgraded(port, live.table.id)
            ping = b'{"type": "ping", "more": "%s"}' % (b"x" * 9000)
            frame = b"\x81\xfe" + len(ping).to_bytes(2, "big") + b"\0\0\0\0" + ping
            await line.send(frame * 10)
            async with asyncio.timeout(PATIENCE):
                got = b""
                while got.count(b"pong") < 10:
                    got += await line.reader.read(65536)

    run(play())


# --- Sockets -----------------------------------------------------------------------------------


PING = b"\x89\x80\x00\x00\x00\x00"
EMPTY_TEXT = b"\x81\x80\x00\x00\x00\x00"
PONG = b"\x8a\x80\x00\x00\x00\x00"
PART = b"\x00\x80\x00\x00\x00\x00"  # of a message that is never finished


@pytest.mark.parametrize("frame", [PING, PONG, EMPTY_TEXT, PART])
def test_frames_without_end_close_a_socket(
    frame: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "_FAREWELL", 0.2)

    async def play() -> None:
        async with serving(tmp_path / "x.db", monkeypatch) as (server, port, _):
            live = await started(server, "me", "me")
            line = await upgraded(port, live.table.id)
            reading = asyncio.create_task(line.rest())
            if frame is PART:
                await line.send(b"\x01\x80\x00\x00\x00\x00")
            assert await pour(line, frame * 2000) < LIMIT
            assert b"\x88" in await reading  # a frame that closes

    run(play())


def test_one_read_of_tiny_frames_does_not_hold_up_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """40,000 frames fit in what is read at once; only some are looked at before it is closed."""
    monkeypatch.setattr(protocols, "_FAREWELL", 0.2)
    parsed = 0

    async def play() -> None:
        nonlocal parsed
        async with serving(tmp_path / "x.db", monkeypatch) as (server, port, _):
            live = await started(server, "me", "me")
            line = await upgraded(port, live.table.id)
            reading = asyncio.create_task(line.rest())
            received = WebSocketsSansIOProtocol.data_received

            def counting(self: WebSocketsSansIOProtocol, data: bytes) -> None:
                nonlocal parsed
                parsed += len(data)
                received(self, data)

            monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", counting)
            await pour(line, PING * 40_000)
            await reading
            assert 0 < parsed < 60_000

    run(play())


def test_a_player_may_ping_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with serving(tmp_path / "x.db", monkeypatch) as (server, port, _):
            live = await started(server, "me", "me")
            line = await upgraded(port, live.table.id)
            for _ in range(30):
                await line.send(PING)
            async with asyncio.timeout(PATIENCE):
                got = b""
                while got.count(b"\x8a\x00") < 30:
                    got += await line.reader.read(65536)

    run(play())


def test_a_handshake_with_many_headers_is_refused_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        async with serving(tmp_path / "x.db", monkeypatch) as (server, port, _):
            live = await started(server, "me", "me")
            with pytest.raises(AssertionError, match=" 400 "):
                await upgraded(port, live.table.id, b"a: b\r\n" * 500)

    run(play())
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


# --- How many ----------------------------------------------------------------------------------


def test_one_address_has_so_many_connections_and_others_have_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        settings = {"connections_per_address": 5}
        async with serving(tmp_path / "x.db", monkeypatch, **settings) as (_, port, _):
            held = [await Line.open(port, "127.0.0.2") for _ in range(10)]
            one_more = await Line.open(port, "127.0.0.2")
            assert b" 503 " in (await one_more.rest()).split(b"\r\n")[0]
            assert await answers(port, "127.0.0.3")
            held[0].close()
            async with asyncio.timeout(PATIENCE):
                while not await answers(port, "127.0.0.2"):
                    await asyncio.sleep(0.05)

    async def answers(port: int, come_from: str) -> bool:
        line = await Line.open(port, come_from)
        with_end = START + b"Connection: close\r\n\r\n"
        try:
            await line.send(with_end)
        except ConnectionError:
            return False
        return b" 200 " in (await line.rest()).split(b"\r\n")[0]

    run(play())


def test_connections_of_a_trusted_proxy_are_many_peoples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        settings = {"connections_per_address": 2, "trust_proxy": "127.0.0.2"}
        async with serving(tmp_path / "x.db", monkeypatch, **settings) as (_, port, _):
            lines = [await Line.open(port, "127.0.0.2") for _ in range(12)]
            await lines[-1].send(START + b"Connection: close\r\n\r\n")
            assert b" 200 " in (await lines[-1].rest()).split(b"\r\n")[0]

    run(play())
