"""One address at full malice, and people who come from others."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from keltis.server import keys
from keltis.server.app import Server
from keltis.server.live import live_table
from keltis.server.live.fair_pool import Asker
from keltis.server.live.live_table import LiveTable
from keltis.server.live.viewers import Viewer
from keltis.server.tables import commands
from keltis.server.transport import replay_worker
from tests.server.live.playing import ANN, FakeTime, run, started, until
from tests.server.live.playing import serving as in_process
from tests.server.transport.serving import PATIENCE, serving

WISH = {"seats": [{"who": "me", "name": "Ann"}, {"who": "open"}], "ready": True}
ANN_AT, BEN_AT, EVE_AT = "127.0.0.1", "127.0.0.2", "127.0.0.3"


class Person:
    """Somebody with an address, and a key if there is one."""

    def __init__(self, port: int, address: str, key: str | None = None) -> None:
        self.address = address
        self.port = port
        self.headers = {"authorization": f"Bearer {key}"} if key else {}
        self.http = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}",
            transport=httpx.AsyncHTTPTransport(local_address=address),
            headers=self.headers,
            timeout=PATIENCE,
        )

    async def post(self, path: str, **body: Any) -> httpx.Response:
        return await self.http.post(f"/api/{path}", json=body)

    async def get(self, path: str) -> httpx.Response:
        return await self.http.get(f"/api/{path}")

    async def with_key(self) -> Person:
        answer = await self.post("keys")
        assert answer.status_code == 201, answer.text
        return Person(self.port, self.address, answer.json()["key"])

    def at(self, table: str) -> connect:
        return connect(
            f"ws://127.0.0.1:{self.port}/api/tables/{table}/socket",
            additional_headers=self.headers,
            local_addr=(self.address, 0),
            compression=None,
            open_timeout=PATIENCE,
            close_timeout=1,
        )


async def first(socket: ClientConnection) -> Any:
    async with asyncio.timeout(PATIENCE):
        return json.loads(await socket.recv())


async def closed(socket: ClientConnection) -> tuple[list[Any], int]:
    """What comes until a socket is closed, and the code."""
    got = []
    async with asyncio.timeout(PATIENCE):
        try:
            while True:
                got.append(json.loads(await socket.recv()))
        except ConnectionClosed as end:
            return got, end.rcvd.code if end.rcvd else 1006


@contextlib.asynccontextmanager
async def open_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **settings: Any
) -> AsyncIterator[tuple[Server, Callable[..., Any]]]:
    """A server, and a way to come to it from an address with a key of one's own."""
    people: list[Person] = []
    async with serving(tmp_path / "x.db", monkeypatch, **settings) as (server, port, _):

        async def come(address: str, key: str | None = "new") -> Person:
            person = Person(port, address, None if key == "new" else key)
            people.append(person)
            if key == "new":
                person = await person.with_key()
                people.append(person)
            return person

        try:
            yield server, come
        finally:
            for person in people:
                await person.http.aclose()


# --- Keys --------------------------------------------------------------------------------------


def test_keys_are_marked_by_whoever_issued_them() -> None:
    issuer, other = keys.Issuer(b"one"), keys.Issuer(b"another")
    made = {issuer.new_key() for _ in range(100)}
    assert len(made) == 100
    for key in made:
        assert keys.is_key(key)
        assert issuer.has_issued(key)
        assert not other.has_issued(key)
        assert not issuer.has_issued(key[:-1] + ("A" if key[-1] != "A" else "B"))
        assert not issuer.has_issued(("A" if key[0] != "A" else "B") + key[1:])
    assert not issuer.has_issued("k" * 43)
    assert not issuer.has_issued("")


def test_a_key_that_somebody_made_up_gets_no_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with open_to(tmp_path, monkeypatch) as (_, come):
            ann, eve = await come(ANN_AT), await come(EVE_AT, "k" * 43)
            made = (await ann.post("tables", **WISH)).json()
            for path, body in (
                ("tables", WISH),
                (f"tables/{made['table']}/join", {"name": "E", "invitation": made["invitation"]}),
            ):
                refused = await eve.post(path, **body)
                assert (refused.status_code, refused.json()["error"]["code"]) == (
                    403,
                    "unknown_key",
                )
            assert (await eve.get(f"tables/{made['table']}")).status_code == 200  # a spectator

    run(play())


def test_keys_from_before_keys_were_marked_keep_what_they_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with open_to(tmp_path, monkeypatch) as (server, come):
            old = keys.new_key()
            body = commands.created_body(
                {"seats": [{"who": "me", "name": "Old"}, {"who": "open"}], "practice": False,
                 "hints": None, "clock": None, "ready": True, "spectators": True, "options": {},
                 "first": 0}, keys.digest(old), None,
            )  # fmt: skip
            live = await server.service.create(
                "board", False, body, Asker("somewhere", keys.digest(old))
            )
            ann = await come(ANN_AT, old)
            state = (await ann.get(f"tables/{live.table.id}")).json()
            assert state["you"]["seats"] == [0]
            assert (await ann.post("tables", **WISH)).status_code == 201

    run(play())


def test_a_browser_whose_key_is_unknown_gets_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with open_to(tmp_path, monkeypatch) as (_, come):
            browser = await come(ANN_AT, None)
            browser.http.cookies.set("keltis", "k" * 43)
            answer = await browser.post("tables", **WISH)
            assert answer.status_code == 201
            assert "keltis=" in answer.headers["set-cookie"]
            assert "kkkk" not in answer.headers["set-cookie"]

    run(play())


def test_a_server_started_again_knows_the_keys_it_issued(tmp_path: Path) -> None:
    made: list[str] = []

    async def play() -> None:
        async with in_process(tmp_path / "x.db") as server:
            made.append(server.service.issuer.new_key())
            assert all(server.service.issuer.has_issued(key) for key in made)

    run(play())
    run(play())


# --- Many tables -------------------------------------------------------------------------------


def test_one_address_cannot_make_tables_without_end_with_whatever_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with open_to(tmp_path, monkeypatch, work_address=0.5) as (_, come):
            ben = await come(BEN_AT)
            made = 0
            for _ in range(50):
                eve = await come(EVE_AT, None)  # a new cookie each time
                answer = await eve.post("tables", **{**WISH, "public": True})
                if answer.status_code != 201:
                    break
                made += 1
            assert answer.status_code == 429
            error = answer.json()["error"]
            assert error["code"] == "rate_limited"
            assert error["retry_after"] > 0
            assert int(answer.headers["retry-after"]) >= 1
            assert 5 <= made <= 15
            assert (await ben.post("tables", **WISH)).status_code == 201

    run(play())


def test_an_address_has_so_many_tables_that_are_not_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with open_to(tmp_path, monkeypatch, tables_per_address=3) as (server, come):
            eves = [await come(EVE_AT) for _ in range(4)]
            made = [await eve.post("tables", **WISH) for eve in eves]
            assert [answer.status_code for answer in made] == [201, 201, 201, 429]
            assert made[3].json()["error"]["code"] == "too_many_tables"
            ben = await come(BEN_AT)
            assert (await ben.post("tables", **WISH)).status_code == 201
            over = made[0].json()["table"]
            head = server.store.head(over)
            assert head is not None
            assert head.origin is not None
            assert EVE_AT not in head.origin
            assert (await eves[0].post(f"tables/{over}/end")).status_code == 200
            head = server.store.head(over)
            assert head is not None
            assert head.origin is None
            assert (await eves[3].post("tables", **WISH)).status_code == 201

    run(play())


def test_one_address_does_not_fill_the_list_of_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        many = {"work": 1e6, "work_address": 1e6, "rate": 1e6, "rate_address": 1e6}
        many |= {"tables_per_client": 1000, "tables_per_address": 1000}
        async with open_to(tmp_path, monkeypatch, **many) as (server, come):
            ben, eve = await come(BEN_AT), await come(EVE_AT)
            wish = {**WISH, "public": True}
            wanted = (await ben.post("tables", **wish)).json()["table"]
            for _ in range(120):
                assert (await eve.post("tables", **wish)).status_code == 201
            server.service._listed = (-1e9, [])
            listed = [table["id"] for table in (await ben.get("tables")).json()["tables"]]
            assert wanted in listed
            assert len(listed) == 11

    run(play())


# --- Messages ----------------------------------------------------------------------------------


def test_the_rate_is_a_clients_and_not_a_sockets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with open_to(tmp_path, monkeypatch, rate=5) as (_, come):
            ann = await come(ANN_AT)
            table = (await ann.post("tables", **WISH)).json()["table"]
            async with contextlib.AsyncExitStack() as stack:
                sockets = [await stack.enter_async_context(ann.at(table)) for _ in range(4)]
                for socket in sockets:
                    for _ in range(9):  # fewer than a socket alone might send
                        await socket.send('{"type": "ping"}')
                limited = 0
                for socket in sockets:
                    answers: list[str] = []
                    while len(answers) < 9:
                        message = await first(socket)
                        if message["type"] in ("pong", "error"):
                            answers.append(message["type"])
                    limited += answers.count("error")
                assert limited >= 20

    run(play())


# --- Spectators --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        {"watchers": 5, "watchers_per_address": 50},
        {"watchers": 50, "watchers_per_address": 5},
        {"watchers": 50, "watchers_per_address": 50, "connections_per_address": 5},
        {"watchers": 50, "watchers_per_address": 50, "connections": 8},
    ],
)
def test_spectators_never_keep_a_player_out(
    settings: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even one who shares the spectators' address."""

    async def play() -> None:
        async with open_to(tmp_path, monkeypatch, **settings) as (_, come):
            ann, eve = await come(EVE_AT), await come(EVE_AT)
            table = (await ann.post("tables", **WISH)).json()["table"]
            for person in (ann, eve):
                await person.http.aclose()  # not to count its connection
            async with contextlib.AsyncExitStack() as stack:
                got = []
                for _ in range(7):
                    with contextlib.suppress(Exception):
                        socket = await stack.enter_async_context(eve.at(table))
                        got.append(await first(socket))
                assert [message["type"] for message in got][:5] == ["state"] * 5
                refused = [message for message in got if message["type"] == "error"]
                assert all(message["code"] == "busy" for message in refused)
                assert len(got) - len(refused) < 7
                async with ann.at(table) as socket:
                    assert (await first(socket))["you"]["seats"] == [0]

    run(play())


def test_one_players_tabs_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with open_to(tmp_path, monkeypatch) as (_, come):
            ann = await come(ANN_AT)
            table = (await ann.post("tables", **WISH)).json()["table"]
            async with contextlib.AsyncExitStack() as stack:
                for _ in range(16):
                    socket = await stack.enter_async_context(ann.at(table))
                    assert (await first(socket))["type"] == "state"
                async with ann.at(table) as socket:
                    got, code = await closed(socket)
                    assert (got[0]["code"], code) == ("busy", 1013)

    run(play())


def test_a_table_without_spectators(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with open_to(tmp_path, monkeypatch) as (server, come):
            ann, ben, eve = await come(ANN_AT), await come(BEN_AT), await come(EVE_AT)
            wish = {**WISH, "public": True, "spectators": False}
            made = (await ann.post("tables", **wish)).json()
            table = made["table"]
            async with eve.at(table) as spying:
                state = await first(spying)  # it waits for players: whoever may join may look
                assert state["table"]["spectators"] is False
                join = {"name": "Ben", "invitation": made["invitation"], "ready": True}
                assert (await ben.post(f"tables/{table}/join", **join)).status_code == 200
                got, code = await closed(spying)
                assert code == 4403
                assert got[-1]["code"] == "no_spectators"
                assert all(not message.get("views") for message in got)
            for path in (f"tables/{table}", f"tables/{table}/record", f"tables/{table}/events"):
                refused = await eve.get(path)
                assert refused.status_code == 403
                assert refused.json()["error"]["code"] == "no_spectators"
            async with eve.at(table) as spying:
                got, code = await closed(spying)
                assert ([message["code"] for message in got], code) == (["no_spectators"], 4403)
            server.service._listed = (-1e9, [])
            assert (await eve.get("tables")).json() == {"tables": []}
            async with ben.at(table) as socket:
                assert (await first(socket))["you"]["seats"] != []
            live = await server.service.find(table)
            await server.service.act(live, lambda *_: commands.cut_off())
            assert (await eve.get(f"tables/{table}/record")).status_code == 403
            assert (await ben.get(f"tables/{table}/record")).json()["format"] == "keltis-record/1"
            again = (await ann.post(f"tables/{table}/rematch")).json()["table"]
            assert (await server.service.find(again)).table.spectators is False

    run(play())


# --- Bots --------------------------------------------------------------------------------------


def leave(server: Server, live: LiveTable) -> Any:
    return server.service.act(
        live, lambda at, seats, near: commands.leave(at, seats, None, near), ANN
    )


def watching(server: Server, live: LiveTable, holder: str | None) -> Viewer:
    async def nothing(_: Any) -> None:
        pass

    viewer = Viewer(holder, "here", nothing, nothing)
    server.service.enter(live, viewer, None)
    return viewer


@pytest.mark.parametrize("who", [None, ANN, "over HTTP"])
def test_bots_alone_wait_until_somebody_comes(who: str | None, tmp_path: Path) -> None:
    async def play() -> None:
        time = FakeTime()
        clock = time.clock()
        async with in_process(tmp_path / "x.db", clock) as server:
            live = await started(server, "me", "random", "random")
            time.pass_by(live_table.ATTENDED + 1, clock)
            await leave(server, live)
            await until(lambda: not live.acting)
            stopped_at = live.table.seq
            assert live.table.status == "playing"
            await asyncio.sleep(0.05)
            assert live.table.seq == stopped_at
            assert live.timer is None
            if who == "over HTTP":
                server.service.visit(live, Asker("here", ANN))
                await until(lambda: live.table.seq > stopped_at + 3)
                return
            viewer = watching(server, live, who)
            await until(lambda: live.table.seq > stopped_at + 3)
            server.service.exit(live, viewer)
            await until(lambda: not live.acting)
            stopped_at = live.table.seq
            await asyncio.sleep(0.05)
            assert live.table.seq == stopped_at or live.table.status == "over"

    run(play())


def test_a_clock_runs_out_though_nobody_is_there(tmp_path: Path) -> None:
    async def play() -> None:
        time = FakeTime()
        clock = time.clock()
        async with in_process(tmp_path / "x.db", clock) as server:
            live = await started(server, "me", "me", clock=(5, None))
            time.pass_by(live_table.ATTENDED + 1, clock)
            server.service.scheduler.look(live)
            await until(lambda: any(seat.why == "move time" for seat in live.table.seats))

    run(play())


def test_bots_think_for_whoever_holds_a_seat(tmp_path: Path) -> None:
    async def play() -> None:
        async with in_process(tmp_path / "x.db") as server:
            live = await started(server, "me", "me")
            assert live.asker == Asker("here", ANN)
            other = LiveTable(live.table, 0.0)
            assert other.asker == Asker("", "")
            stranger = Viewer(None, "there", lambda _: None, lambda _: None)  # type: ignore[arg-type,return-value]
            other.viewers.append(stranger)
            assert other.asker == Asker("there", "")
            player = Viewer(ANN, "at home", lambda _: None, lambda _: None)  # type: ignore[arg-type,return-value]
            player.seats = (0,)
            other.viewers.append(player)
            assert other.asker == Asker("at home", ANN)

    run(play())


# --- Work beside the loop ----------------------------------------------------------------------


def test_replays_are_made_in_a_process_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pure Python that takes seconds would keep the interpreter from everybody else."""
    import keltis

    game = keltis.new_game("stones", 2, seed=1)
    for _ in range(5):
        game.play(game.legal_moves()[0])
    expected = json.loads(json.dumps(replay_worker.positions(game.record())))

    def here(_: Any) -> Any:
        raise AssertionError("made in the server's own process")

    monkeypatch.setattr(replay_worker, "positions", here)

    async def play() -> None:
        async with open_to(tmp_path, monkeypatch) as (server, come):
            ann = await come(ANN_AT)
            answer = await ann.post("replay", **game.record())
            assert answer.status_code == 200
            assert answer.headers["content-encoding"] == "gzip"
            assert answer.json() == expected
            bad = await ann.post("replay", **{**game.record(), "moves": ["R7"] * 9})
            assert (bad.status_code, bad.json()["error"]["code"]) == (422, "bad_request")
            worker = server._replays._worker
            assert worker._process is not None
            worker._process.kill()  # as the system does when memory is short
            worker._process.wait()
            assert (await ann.post("replay", **game.record())).json() == expected
            process = worker._process
        assert process.poll() is not None  # it ends with the server

    run(play())


def test_replays_and_hints_are_weighed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import keltis

    record = keltis.new_game("stones", 2, seed=1).record()

    async def play() -> None:
        async with open_to(tmp_path, monkeypatch) as (server, come):
            eve = await come(EVE_AT)

            async def codes(path: str, **body: Any) -> set[int]:
                return {(await eve.post(path, **body)).status_code for _ in range(35)}

            assert await codes("replay", **record) == {200, 429}
            table = (await (await come(BEN_AT)).post("tables", **WISH)).json()["table"]
            assert 429 in await codes(f"tables/{table}/hint")
            live = await server.service.find(table)
            async with eve.at(live.table.id) as socket:
                await first(socket)
                await socket.send('{"type": "hint", "id": "h"}')
                while (message := await first(socket)).get("id") != "h":
                    pass
                assert message["code"] == "rate_limited"
                assert message["retry_after"] > 0

    run(play())
