"""A server that is stopped for a while and goes on, as a virtual machine is."""

import contextlib
import signal
import sqlite3
import time
from pathlib import Path

from tests.server.running import Client, Seat, Server

SHORT, LONG = 10, 600  # seconds that a decision may take
ASLEEP = SHORT + 1.0


def test_nobody_loses_time_while_the_process_is_stopped(tmp_path: Path) -> None:
    """Afterwards it is said once that clocks go on, nothing is written by itself but what is due,
    and clocks go on from where they were: one that is soon at its end, and one that is not."""
    file = tmp_path / "x.db"
    with Server(file, tmp_path / "log") as server:
        assert server.process is not None
        ann = Client(server)
        short_table, long_table = (
            ann.make("me", "me", clock={"move": limit, "game": None}, game="stones")["table"]
            for limit in (SHORT, LONG)
        )
        with ann.at(long_table) as long, ann.at(short_table) as short:
            for seat in (long, short):
                while seat.you["may"]["decide"] is None:
                    seat.read()
            server.process.send_signal(signal.SIGSTOP)
            time.sleep(ASLEEP)
            server.process.send_signal(signal.SIGCONT)
            left = resumed(short)
            woken = time.monotonic()
            assert left > 0
            assert resumed(long) > LONG - ASLEEP
            short.until(lambda message: (message.get("what") or {}).get("kind") == "time")
            assert time.monotonic() - woken > left - 0.5  # not at once, though it slept longer
            long.decide()
            # On a busy machine there may have been more pauses than ours.
            noticed = server.log.read_text().count("the server was not running for a while")
            for seat in (long, short):
                told = [message.get("what") for message in seat.received]
                assert 1 <= told.count({"kind": "resumed"}) <= noticed
        ann.close()
    with contextlib.closing(sqlite3.connect(file)) as connection:
        for table, due in ((short_table, "time"), (long_table, "moved")):
            query = "SELECT kind FROM events WHERE table_id = ? ORDER BY seq"
            kinds = [kind for (kind,) in connection.execute(query, (table,))]
            assert kinds[:3] == ["created", "started", due]
            assert "resumed" not in kinds
            assert kinds.count("time") <= 1


def resumed(seat: Seat) -> float:
    """Waits until it is said that clocks go on; how many seconds are left."""
    message = seat.until(lambda message: message.get("what") == {"kind": "resumed"})
    assert message["table"]["seats"][0]["played_by"] is None
    return float(message["table"]["clock"]["move_left"] / 1000)
