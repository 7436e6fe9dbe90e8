"""The whole server in the test's own process, over ASGI alone: no uvicorn, no ports."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from keltis.server.app import Server
from keltis.server.settings import Settings

RELAXED = {"bot_pace": 0, "rate": 1e5, "rate_address": 1e5, "allow_host": "*"}


@contextlib.contextmanager
def serving(file: Path, **settings: Any) -> Iterator[tuple[Server, TestClient]]:
    """A server, and a browser that has no cookie yet."""
    server = Server(Settings(database=str(file), **{**RELAXED, **settings}))
    server.store.open()
    with TestClient(server.asgi, raise_server_exceptions=False) as client:
        yield server, client


def new_key(client: TestClient) -> str:
    key = client.post("/api/keys").json()["key"]
    assert isinstance(key, str)
    return key


def bearer(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"}


def make(client: TestClient, key: str, *who: str, **wishes: Any) -> Any:
    """A table; `me`, `open`, or a bot's level for each seat."""
    seats = [
        {"who": each} if each in ("me", "open") else {"who": "bot", "level": each} for each in who
    ]
    body = {"seats": seats, "ready": True, "first": 0, **wishes}
    answer = client.post("/api/tables", json=body, headers=bearer(key))
    assert answer.status_code == 201, answer.text
    return answer.json()


class Socket:
    """One end of a socket, with what it last heard of the table."""

    def __init__(self, session: WebSocketTestSession) -> None:
        self.session = session
        self.state: Any = self.until("state")

    def hear(self) -> Any:
        return json.loads(self.session.receive_text())

    def until(self, kind: str) -> Any:
        """The next message of a kind."""
        while True:
            message = self.hear()
            if message["type"] == "state":
                self.state = message
            if message["type"] == kind:
                return message

    def playing(self) -> Any:
        """The view when the game has begun."""
        while self.state["table"]["status"] == "waiting":
            self.until("state")
        return self.state["views"][0]

    def closed(self) -> int:
        """Hear to the end; the code that the socket is closed with."""
        try:
            while True:
                self.session.receive_text()
        except WebSocketDisconnect as end:
            return end.code

    def say(self, **message: Any) -> None:
        self.session.send_text(json.dumps(message))

    def ask(self, **message: Any) -> Any:
        """The answer to a message with an id."""
        self.say(**message)
        while True:
            answer = self.hear()
            if answer.get("id") == message["id"]:
                return answer


@contextlib.contextmanager
def socket(
    client: TestClient, table: str, key: str | None = None, query: str = ""
) -> Iterator[Socket]:
    headers = bearer(key) if key else {}
    address = f"/api/tables/{table}/socket{query}"
    with client.websocket_connect(address, headers=headers) as session:
        yield Socket(session)
