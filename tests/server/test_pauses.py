"""A server that is stopped for a while and goes on, as a virtual machine is."""

import signal
import sqlite3
import time
from pathlib import Path

import pytest

from tests.server.running import Client, Server

ASLEEP = 11.0  # seconds: longer than a decision may take


@pytest.mark.parametrize("ended", [True, False])
def test_nobody_loses_time_while_the_process_is_stopped(ended: bool, tmp_path: Path) -> None:
    """Afterwards it is said once that clocks go on, nothing is written by itself but what is due,
    and the clock goes on from where it was."""
    file = tmp_path / "x.db"
    with Server(file, tmp_path / "log") as server:
        assert server.process is not None
        ann = Client(server)
        limit = 10 if ended else 600
        table = ann.make("me", "me", clock={"move": limit, "game": None}, game="stones")["table"]
        with ann.at(table) as seat:
            while seat.you["may"]["decide"] is None:
                seat.read()
            server.process.send_signal(signal.SIGSTOP)
            time.sleep(ASLEEP)
            server.process.send_signal(signal.SIGCONT)
            resumed = seat.until(lambda message: message.get("what") == {"kind": "resumed"})
            assert resumed["table"]["seats"][0]["played_by"] is None
            assert resumed["table"]["clock"]["move_left"] > 0
            left = resumed["table"]["clock"]["move_left"] / 1000
            woken = time.monotonic()
            if ended:
                seat.until(lambda message: (message.get("what") or {}).get("kind") == "time")
                assert time.monotonic() - woken > left - 0.5  # not at once, though it slept longer
            else:
                assert left > limit - ASLEEP
                time.sleep(2)
                seat.decide()
            # On a busy machine there may have been more pauses than ours.
            told = [message.get("what") for message in seat.received]
            noticed = server.log.read_text().count("the server was not running for a while")
            assert 1 <= told.count({"kind": "resumed"}) <= noticed
        ann.close()
    connection = sqlite3.connect(file)
    kinds = [row[0] for row in connection.execute("SELECT kind FROM events ORDER BY seq")]
    connection.close()
    assert kinds[:3] == ["created", "started", "time" if ended else "moved"]
    assert "resumed" not in kinds
    assert kinds.count("time") <= 1
