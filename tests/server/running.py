"""Real servers as processes, and clients that talk to them over real sockets."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.ports import free_port

PATIENCE = 60.0  # seconds; only a test that fails waits so long

# Limits that a test run from one address would meet.
RELAXED = {
    "bot_pace": "0",
    "rate": "100000",
    "rate_address": "100000",
    "work": "100000",
    "work_address": "100000",
    "tables_per_client": "100000",
    "tables_per_address": "100000",
    "connections_per_address": "20000",
    "watchers_per_address": "20000",
}


class Server:
    """`keltis serve` as a process of its own; settings by the environment."""

    def __init__(
        self,
        database: str | Path,
        log: Path,
        port: int = 0,
        packages: Sequence[str | Path] = (),
        **settings: Any,
    ) -> None:
        """`packages`: folders with packages that are installed beside ours, such as bots."""
        self.database = str(database)
        self._path = os.pathsep.join(["src", *map(str, packages)])
        self.log = log
        self.port = port or free_port()
        self.settings = {**RELAXED, **{key: str(value) for key, value in settings.items()}}
        self.process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self) -> Server:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("KELTIS_")},
            "KELTIS_DATABASE": self.database,
            "PYTHONPATH": self._path,
            **{f"KELTIS_{name.upper()}": value for name, value in self.settings.items()},
        }
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "keltis", "serve", "--port", str(self.port)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=environment,
                cwd=Path(__file__).resolve().parents[2],
            )
        assert self.process.stdout is not None
        # A start that hangs must not hang the test.
        alarm = threading.Timer(2 * PATIENCE, self.process.kill)
        alarm.start()
        line = self.process.stdout.readline()
        alarm.cancel()
        found = re.search(r"http://\S+", line)
        if not found:
            self.process.wait()
            raise RuntimeError(f"the server did not start: {self.log.read_text()[-2000:]}")
        self.url = found[0].rstrip("/")
        return self

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        self._close()

    def stop(self) -> int:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE)
        self._close()
        return code

    def _close(self) -> None:
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self.running:
            self.kill()


class Client:
    """Somebody with a key."""

    def __init__(self, server: Server, key: str | None = None) -> None:
        self.server = server
        self.http = httpx.Client(base_url=server.url, timeout=PATIENCE)
        self.key: str = key or self.http.post("/api/keys").json()["key"]
        self.http.headers["authorization"] = f"Bearer {self.key}"

    def make(self, *seats: str, **wishes: Any) -> Any:
        """Seats as `me`, `open` or a bot's name."""
        body = {
            "seats": [
                {"who": "me", "name": f"P{k}"}
                if seat == "me"
                else {"who": "open"}
                if seat == "open"
                else {"who": "bot", "level": seat}
                for k, seat in enumerate(seats)
            ],
            "ready": True,
            **wishes,
        }
        response = self.http.post("/api/tables", json=body)
        assert response.status_code == 201, response.text
        return response.json()

    def join(self, made: Any, name: str = "Ben", **more: Any) -> Any:
        body = {"name": name, "invitation": made["invitation"], "ready": True, **more}
        response = self.http.post(f"/api/tables/{made['table']}/join", json=body)
        assert response.status_code == 200, response.text
        return response.json()

    def post(self, table: str, command: str, **body: Any) -> httpx.Response:
        return self.http.post(f"/api/tables/{table}/{command}", json=body)

    def state(self, table: str) -> Any:
        return self.http.get(f"/api/tables/{table}").json()

    def dealt(self, table: str) -> Any:
        """The state once the game has begun."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            state = self.state(table)
            if state["table"]["status"] != "waiting":
                return state
            time.sleep(0.02)
        raise AssertionError("it did not begin")

    def record(self, table: str) -> Any:
        return self.http.get(f"/api/tables/{table}/record").json()

    @contextlib.contextmanager
    def at(self, table: str, since: int | None = None) -> Iterator[Seat]:
        seat = Seat(self, table, since)
        try:
            yield seat
        finally:
            seat.close()

    def close(self) -> None:
        self.http.close()


class Seat:
    """A socket at a table, and what its client knows from the messages."""

    def __init__(self, client: Client, table: str, since: int | None = None) -> None:
        url = client.server.url.replace("http", "ws", 1)
        query = "" if since is None else f"?from={since}"
        self._stack = contextlib.ExitStack()
        self.socket: ClientConnection = self._stack.enter_context(
            connect(
                f"{url}/api/tables/{table}/socket{query}",
                additional_headers={"authorization": f"Bearer {client.key}"},
                open_timeout=PATIENCE,
                close_timeout=5,
                compression=None,
            )
        )
        self.received: list[Any] = []
        self.bytes: list[str] = []
        self.seq = 0
        self.table: Any = None
        self.you: Any = None
        self.views: list[Any] = []
        self._ids = 0
        self.until(lambda message: message["type"] == "state")

    def close(self) -> None:
        self._stack.close()

    @property
    def over(self) -> bool:
        return bool(self.table["status"] == "over")

    def read(self) -> Any:
        """The next message, worked in as docs/protocol.md says."""
        text = self.socket.recv(PATIENCE)
        assert isinstance(text, str)
        self.bytes.append(text)
        message = json.loads(text)
        self.received.append(message)
        kind = message["type"]
        if kind == "state":
            assert message["seq"] >= self.seq
            self.seq, self.table = message["seq"], message["table"]
            self.you, self.views = message["you"], message["views"]
        elif kind == "moved":
            assert message["seq"] == self.seq + 1
            self.seq, self.you = message["seq"], message["you"]
            assert len(message["views"]) == len(self.views)
            for k, entry in enumerate(message["views"]):
                step = entry.pop("step")
                history = [*self.views[k]["history"], step]
                self.views[k] = {**self.views[k], **entry, "history": history}
        elif kind == "presence":
            self.you = message["you"]
        return message

    def until(self, wanted: Callable[[Any], bool]) -> Any:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            message = self.read()
            if wanted(message):
                return message
        raise AssertionError("it did not come")

    def say(self, kind: str, **more: Any) -> str:
        self._ids += 1
        own_id = str(more.setdefault("id", f"{kind}-{self._ids}-{random.random()}"))
        self.socket.send(json.dumps({"type": kind, **more}))
        return own_id

    def ask(self, kind: str, **more: Any) -> Any:
        """Say something and wait for its answer."""
        own_id = self.say(kind, **more)
        return self.until(lambda message: message.get("id") == own_id)

    def decide(self, move: str | None = None) -> Any:
        """Take a decision; some legal one if none is given."""
        if move is None:
            move = random.choice(self.legal())
        return self.ask("decide", move=move, seq=self.seq)

    def legal(self) -> list[str]:
        return next((view["legal_moves"] for view in self.views if view["legal_moves"]), [])

    def closed(self) -> int:
        """Read to the end; the code that the socket was closed with."""
        while True:
            try:
                self.read()
            except ConnectionClosed as end:
                return end.rcvd.code if end.rcvd else 1006


def play_out(*seats: Seat) -> None:
    """Some legal decisions at each seat until the game is over."""
    together(*seats)  # whoever begins must have heard of the deal
    while not all(seat.over for seat in seats):
        ready = [seat for seat in seats if seat.you["may"]["decide"] is not None]
        if ready and not ready[0].over:
            ready[0].decide()
        else:
            next(seat for seat in seats if not seat.over).read()
        together(*seats)


def together(*seats: Seat) -> None:
    """Everybody hears of what one has heard."""
    last = max(seat.seq for seat in seats)
    for seat in seats:
        while seat.seq < last:
            seat.read()


@contextlib.contextmanager
def silent() -> Iterator[str]:
    """The address of something that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"postgresql://postgres@127.0.0.1:{listening.getsockname()[1]}/postgres"
