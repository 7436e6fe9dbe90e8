"""examples/http_bot.py: it plays with anybody's bot, waits when it is told to, and is short."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.server.running import PATIENCE, Client, Server, play_out

ROOT = Path(__file__).resolve().parents[2]
BOT = ROOT / "examples" / "http_bot.py"


def test_it_is_as_short_as_is_said() -> None:
    lines = len(BOT.read_text("utf-8").splitlines())
    assert lines < 75
    for page in ("README.md", "docs/protocol.md"):
        assert "in under 75 lines" in (ROOT / page).read_text("utf-8")


def test_two_bots_at_one_table_stay_below_the_usual_limits(tmp_path: Path) -> None:
    limits: dict[str, Any] = {"rate": 20, "rate_address": 100, "work": 0.5, "work_address": 2}
    with Server(tmp_path / "tables.db", tmp_path / "log", **limits) as server:
        person = Client(server)
        made = person.make("me", "open", "open", game="stones")
        call = [sys.executable, str(BOT), server.url, made["table"], made["invitation"]]
        bots = [
            subprocess.Popen(
                [*call, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            for more in ([], ["heuristic"])
        ]
        with person.at(made["table"]) as seat:
            play_out(seat)
        for bot in bots:
            out, err = bot.communicate(timeout=PATIENCE)
            assert (bot.returncode, err) == (0, "")
            assert "scores" in out
        person.close()
    statuses = [
        json.loads(line).get("status") for line in (tmp_path / "log").read_text().splitlines()
    ]
    assert statuses.count(200) > 40
    assert 429 not in statuses


def test_a_network_of_ones_own_plays_at_a_table_by_both_ways(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """examples/network_bot: trained, installed, then one in a bot's seat and one over HTTP."""
    example = ROOT / "examples" / "network_bot"
    monkeypatch.setenv("LEARNED_WEIGHTS", str(tmp_path / "weights.npz"))
    train = ["--game", "stones", "--players", "3", "--updates", "3", "--games", "6"]
    program = [sys.executable, str(example / "keltis_network_bot.py"), *train]
    subprocess.run(program, check=True, capture_output=True)
    facts = tmp_path / "keltis_network_bot-1.0.dist-info"  # as pip leaves it
    facts.mkdir()
    (facts / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: keltis-network-bot\nVersion: 1.0\n"
    )
    points = tomllib.loads((example / "pyproject.toml").read_text())["project"]["entry-points"]
    (facts / "entry_points.txt").write_text(
        "".join(
            f"[{group}]\n" + "".join(f"{name} = {what}\n" for name, what in named.items())
            for group, named in points.items()
        )
    )
    packages = (example, tmp_path)
    with Server(tmp_path / "tables.db", tmp_path / "log", packages=packages) as server:
        person = Client(server)
        offered = person.http.get("/api/bots").json()["others"]
        assert "learned" in [bot["level"] for bot in offered]
        made = person.make("me", "open", "learned", game="stones")
        bot = subprocess.Popen(
            [sys.executable, str(BOT), server.url, made["table"], made["invitation"], "learned"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, packages))},
        )
        with person.at(made["table"]) as seat:
            play_out(seat)
        out, err = bot.communicate(timeout=PATIENCE)
        assert (bot.returncode, err) == (0, "")
        assert "scores" in out
        person.close()


class Busy(BaseHTTPRequestHandler):
    """A server that refuses each path once, and whose only game is over."""

    seen: ClassVar[list[tuple[str, float]]] = []

    def do_POST(self) -> None:
        self._answer({"key": "k", "seq": 2, "seat": 1})

    def do_GET(self) -> None:
        self._answer({"type": "state", "seq": 3, "table": {"status": "over"}, "views": [],
                      "you": {"may": {"decide": None}}})  # fmt: skip

    def _answer(self, answer: dict[str, object]) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        again = any(path == self.path for path, _ in self.seen)
        self.seen.append((self.path, time.monotonic()))
        refusal = {"error": {"code": "rate_limited", "message": "", "retry_after": 1}}
        body = json.dumps(answer if again else refusal).encode() + b"\n"
        self.send_response(200 if again else 429)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_it_waits_when_it_is_told_to() -> None:
    Busy.seen = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Busy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        address = f"http://127.0.0.1:{server.server_port}"
        done = subprocess.run(
            [sys.executable, str(BOT), address, "T", "I"], capture_output=True, text=True
        )
    finally:
        server.shutdown()
        server.server_close()
    assert (done.returncode, done.stdout, done.stderr) == (0, "None\n", "")
    times = [at for _, at in Busy.seen]
    assert [path for path, _ in Busy.seen] == [
        path
        for name in ("keys", "tables/T/join", "tables/T/events")
        for path in 2 * [f"/api/{name}"]
    ]
    assert all(again - first >= 1 for first, again in zip(times[::2], times[1::2], strict=True))
