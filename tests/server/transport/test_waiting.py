"""A database that says nothing: every request is answered in time all the same."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from keltis.server.problems import Problem
from tests.server.transport.inside import bearer, make, new_key, serving

LIMIT = 0.5  # seconds that a request may wait for the database
PATIENCE = 20 * LIMIT  # what else a busy machine may need

BODIES: dict[str, dict[str, Any]] = {
    "/api/tables": {"seats": [{"who": "me"}, {"who": "bot", "level": "fawn"}]},
    "/api/me/devices": {"link": "x" * 43, "name": "Phone"},
    "/api/me/devices/sign_out": {"device": None},
    "/api/days/{day}/play": {"game": "board", "bot": "raven"},
    "/api/duplicates": {"bots": ["fawn"], "name": "Ann"},
    "/api/duplicates/{duplicate}/play": {"name": "Ann"},
    "/api/tables/{table}/duplicate": {"name": "Ann"},
    "/api/tables/{table}/join": {"name": "Ann"},
    "/api/tables/{table}/invitations": {"seat": 0},
    "/api/tables/{table}/remove": {"device": 1},
    "/api/tables/{table}/decide": {"move": "?", "seq": 1, "id": "1"},
    "/api/review/play": {"table": "aaaaaaaaaaaa", "step": 0, "level": "fawn"},
    "/api/review/judge": {"table": "aaaaaaaaaaaa", "step": 0, "move": "?"},
}


def test_no_request_waits_longer_for_the_database_than_it_may(tmp_path: Path) -> None:
    """Whatever the question is, and however many others wait for their answers too."""
    hanging, goes_on = threading.Event(), threading.Event()

    def wait(*_: object) -> None:
        if hanging.is_set():
            goes_on.wait(3 * PATIENCE)

    relaxed = {"work": 1e5, "work_address": 1e5, "tables_per_client": 1000}
    with serving(tmp_path / "x.db", database_timeout=LIMIT, **relaxed) as (server, client):
        ann, ben = new_key(client), new_key(client)
        tables = [make(client, ann, "me", "me")["table"] for _ in range(2)]
        known = client.get("/api/days/today", headers=bearer(ann)).json()
        names = {
            "table": tables[0],
            "duplicate": "aaaaaaaaaaaa",
            "day": known["today"],
            "month": known["today"][:7],
            "deal": f"{known['today']}-br",
            "board": "0",
            "number": "0",
            "game": "board",
            "language": "en",
        }
        asked = [
            (method.upper(), path, key, table)
            for path, methods in client.get("/api/openapi.json").json()["paths"].items()
            for method in methods
            if not path.endswith("/events")  # it stays open
            for key in (ann, ben)
            for table in (tables[0], "aaaaaaaaaaaa")
        ]

        def ask(what: tuple[str, str, str, str]) -> tuple[str, float]:
            method, path, key, table = what
            address = path.format(**{**names, "table": table})
            body = BODIES.get(path, {}) if method == "POST" else None
            began = time.monotonic()
            answer = client.request(method, address, json=body, headers=bearer(key))
            took = time.monotonic() - began
            if answer.status_code < 500:
                return "", took
            return f"{method} {path}: {answer.json()['error']['code']}", took

        event.listen(server.store.engine, "before_cursor_execute", wait)
        hanging.set()
        try:
            with ThreadPoolExecutor(40) as pool:
                answers = list(pool.map(ask, asked))
        finally:
            hanging.clear()
            goes_on.set()
        told = {problem for problem, _ in answers if problem}
        assert told
        assert [each for each in told if not each.endswith(": busy")] == []
        late = [asked[k][:2] for k, (_, took) in enumerate(answers) if took > PATIENCE]
        assert late == []
        # When it answers again, all goes on.
        deadline = time.monotonic() + 60
        while client.get("/api/tables/mine", headers=bearer(ann)).status_code != 200:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_a_table_that_is_not_read_in_time_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else somebody who deletes everything is told that it is done, and a name stays."""
    with serving(tmp_path / "x.db", work=1e5, work_address=1e5) as (server, client):
        ann = new_key(client)
        table = make(client, ann, "me", "fawn")["table"]

        async def busy(table_id: str) -> None:
            raise Problem("busy", "the database does not answer", retry_after=2)

        with monkeypatch.context() as patched:
            patched.setattr(server.service, "find", busy)
            answer = client.delete("/api/me", headers=bearer(ann))
            assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")
        assert client.get("/api/me", headers=bearer(ann)).json()["table"] == table
        answer = client.delete("/api/me", headers=bearer(ann))
        assert answer.json() == {"tables": 1, "unreadable": 0}
