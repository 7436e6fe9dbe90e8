"""Days whose midnight comes when a test says so, and people who play them."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from keltis import bots
from keltis.server.app import Server
from keltis.server.clock import Clock
from keltis.server.settings import Settings
from tests.server.transport.inside import RELAXED, bearer, new_key

PATIENCE = 60.0
FIRST_DAY = "2026-03-01"


class Calendar:
    """The date of a server's machine; durations go on as they are."""

    def __init__(self, day: str = FIRST_DAY, hour: int = 12) -> None:
        self.set(day, hour)

    def set(self, day: str, hour: int = 12) -> None:
        self.now = datetime.fromisoformat(f"{day}T{hour:02}:00:00").replace(tzinfo=UTC).timestamp()

    def clock(self) -> Clock:
        return Clock(time.monotonic, lambda: self.now)


@contextlib.contextmanager
def serving(
    database: Path | str, calendar: Calendar, *, par: bool = False, **settings: Any
) -> Iterator[tuple[Server, TestClient]]:
    """A server of its own process; without `par` nothing computes behind the games."""
    chosen = {**RELAXED, "work": 1e5, "work_address": 1e5, **settings}
    server = Server(Settings(database=str(database), **chosen), calendar.clock())
    server.clock.agree = lambda ask: None  # type: ignore[method-assign]  # on the database's date
    if not par:
        server.service.days.pars.want = lambda deal, board: None  # type: ignore[method-assign]
    server.store.open()
    with TestClient(server.asgi, raise_server_exceptions=False) as client:
        yield server, client


Chooser = Callable[[dict[str, Any]], str]


def last_legal(view: dict[str, Any]) -> str:
    """A player who is quick to imitate."""
    return str(view["legal_moves"][-1])


def raven(view: dict[str, Any]) -> str:
    return bots.make("raven").choose(view)


class Person:
    """Somebody with a key."""

    def __init__(self, client: TestClient, name: str, key: str | None = None) -> None:
        self.client = client
        self.name = name
        self.key = key or new_key(client)
        self.headers = bearer(self.key)
        self.count = 0

    def get(self, path: str) -> Any:
        answer = self.client.get(f"/api/{path}", headers=self.headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, **body: Any) -> Any:
        return self.client.post(f"/api/{path}", json=body, headers=self.headers)

    def begin(self, day: str, game: str = "stones", bot: str = "raven") -> str:
        answer = self.post(f"days/{day}/play", game=game, bot=bot, name=self.name)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["table"])

    def state(self, table: str) -> Any:
        """The table when it is one's turn, or over."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            state = self.get(f"tables/{table}")
            if state["table"]["status"] == "over" or state["you"]["may"]["decide"] is not None:
                return state
            time.sleep(0.002)
        raise AssertionError("the table does not go on")

    def decide(self, table: str, choose: Chooser = last_legal) -> bool:
        """One decision; False when the game is over."""
        state = self.state(table)
        if state["table"]["status"] == "over":
            return False
        self.count += 1
        move = choose(state["views"][0])
        wish = {"move": move, "seq": state["seq"], "id": f"d{self.count}"}
        answer = self.post(f"tables/{table}/decide", **wish)
        assert answer.status_code == 200, answer.text
        return True

    def play(self, table: str, choose: Chooser = last_legal) -> Any:
        """To the end; the record."""
        while self.decide(table, choose):
            pass
        return self.get(f"tables/{table}/record")

    def deal(self, day: str, game: str = "stones", bot: str = "raven") -> Any:
        """What one is told of a deal."""
        found = self.get(f"days/{day}")["deals"]
        return next(each for each in found if (each["game"], each["bot"]) == (game, bot))
