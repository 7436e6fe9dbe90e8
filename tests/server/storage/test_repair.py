"""`keltis tables check`: damaged logs are found, and cut to what is good in them."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from keltis.server.live.fair_pool import Asker
from keltis.server.tables.table import replayed
from tests.cli.running import Done
from tests.cli.running import run as keltis
from tests.server.live.playing import ANN, facts, logged, run, serving, started, until


def made(file: Path, tables: int = 1, decisions: int = 6) -> list[str]:
    """Tables in play, in a database whose server is stopped."""
    ids = []

    async def play() -> None:
        async with serving(file) as server:
            for _ in range(tables):
                live = await started(server, "me", "me")
                for k in range(decisions):
                    assert live.table.game is not None
                    move = live.table.game.legal_moves()[0]
                    await server.service.decide(live, ANN, move, live.table.seq, f"{k}")
                ids.append(live.table.id)

    run(play())
    return ids


def check(file: Path, *more: str) -> Done:
    return keltis("tables", "check", "--database", file, *more)


def change(file: Path, *statements: str) -> None:
    with sqlite3.connect(file) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def rows(file: Path, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(file)
    found = connection.execute(query).fetchall()
    connection.close()
    return found


def test_a_sound_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    made(file, 3)
    before = rows(file, "SELECT * FROM events"), rows(file, "SELECT * FROM tables")
    for more in ((), ("--repair",)):
        done = check(file, *more)
        assert (done.code, done.out) == (0, "Every log can be replayed.\n")
    assert before == (rows(file, "SELECT * FROM events"), rows(file, "SELECT * FROM tables"))


DAMAGES = {
    "an illegal move": ("UPDATE events SET body = 'R*' WHERE seq = 5", 4, "event 5 (moved)"),
    "another's turn": ("UPDATE events SET seat = 1 - seat WHERE seq = 5", 4, "turn"),
    "a gap": ("DELETE FROM events WHERE seq = 5", 4, "event 6 (moved): it follows event 4"),
    "no such kind": ("UPDATE events SET kind = 'flown' WHERE seq = 8", 7, "there is no 'flown'"),
    "no JSON": ("UPDATE events SET body = '{', kind = 'left' WHERE seq = 3", 2, "JSONDecodeError"),
    "made twice": ("UPDATE events SET kind = 'created' WHERE seq = 4", 3, "the first event"),
    "another status": ("UPDATE tables SET status = 'over', over_at = 1", 8, "by its log it is"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_log_is_cut_to_its_last_good_event(name: str, tmp_path: Path) -> None:
    damage, good, reason = DAMAGES[name]
    file = tmp_path / "x.db"
    (table,) = made(file)
    change(file, damage)
    log = rows(file, "SELECT * FROM events ORDER BY seq")
    done = check(file)
    assert done.code == 1
    assert table in done.out
    assert reason in done.out
    assert "--repair" in done.err
    assert rows(file, "SELECT * FROM events ORDER BY seq") == log  # nothing is changed by a look

    done = check(file, "--repair")
    assert done.code == 0, done.err
    assert f"it ends at event {good} now" in done.out
    assert rows(file, "SELECT * FROM events ORDER BY seq") == log[:good]
    aside = rows(file, "SELECT row FROM set_aside ORDER BY id")
    assert [tuple(json.loads(str(row)).values()) for (row,) in aside] == log[good:]
    assert check(file).code == 0

    async def play_on() -> None:
        async with serving(file) as server:
            live = await server.service.find(table)
            assert live.table.seq >= good
            await until(lambda: live.table.status == "playing")
            assert live.table.game is not None
            move = live.table.game.legal_moves()[0]
            await server.service.decide(live, ANN, move, live.table.seq, "on")
            assert facts(live.table) == facts(logged(server, table))

    run(play_on())


@pytest.mark.parametrize(
    "damage", ["UPDATE events SET body = '{}' WHERE seq = 1", "DELETE FROM tables",
               "DELETE FROM events"],
)  # fmt: skip
def test_a_table_of_which_nothing_is_good_is_set_aside_whole(damage: str, tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    made(file)
    change(file, damage)
    stored = len(rows(file, "SELECT * FROM events")) + len(rows(file, "SELECT * FROM tables"))
    assert check(file).code == 1
    done = check(file, "--repair")
    assert done.code == 0
    assert "set aside" in done.out
    assert len(rows(file, "SELECT * FROM set_aside")) == stored
    for each in ("tables", "events", "holders"):
        assert rows(file, f"SELECT * FROM {each}") == [], each
    assert check(file).code == 0


def test_the_tables_beside_a_damaged_one_are_not_touched(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    one, two, three = made(file, 3)
    change(file, f"UPDATE events SET body = 'R*' WHERE table_id = '{two}' AND seq = 5")
    others = f"SELECT * FROM events WHERE table_id IN ('{one}', '{three}') ORDER BY table_id, seq"
    before = rows(file, others)
    done = check(file, "--repair")
    assert [line.split(":")[0] for line in done.out.splitlines()] == [two, two]
    assert rows(file, others) == before


def test_in_postgresql_too(postgresql: str) -> None:
    tables: list[str] = []

    async def damage() -> None:
        async with serving(postgresql) as server:
            for _ in range(2):
                live = await started(server, "me", "me")
                assert live.table.game is not None
                move = live.table.game.legal_moves()[0]
                await server.service.decide(live, ANN, move, live.table.seq, "one")
                tables.append(live.table.id)
            with server.store.engine.begin() as connection:
                connection.exec_driver_sql(
                    "UPDATE events SET body = 'R*' WHERE seq = 3 AND table_id = %s", (tables[1],)
                )
                connection.exec_driver_sql("DELETE FROM leases")

    run(damage())
    done = keltis("tables", "check", "--database", postgresql)
    assert (done.code, tables[1] in done.out, tables[0] in done.out) == (1, True, False)
    done = keltis("tables", "check", "--repair", "--database", postgresql)
    assert done.code == 0, done.err
    assert f"{tables[1]}: it ends at event 2 now; 1 events are set aside" in done.out
    assert keltis("tables", "check", "--database", postgresql).code == 0

    async def play_on() -> None:
        async with serving(postgresql) as server:
            live = await server.service.find(tables[1])
            assert live.table.seq == 2
            assert tables[1] in await asyncio.to_thread(server.store.expired, 100)

    run(play_on())


def test_a_server_that_runs_is_not_repaired_under_its_feet(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    (table,) = made(file)
    change(file, "UPDATE events SET body = 'R*' WHERE seq = 5")

    async def play() -> None:
        async with serving(file):
            looked, repaired = [
                await asyncio.to_thread(check, file, *more) for more in ((), ("--repair",))
            ]
            assert (looked.code, table in looked.out) == (1, True)
            assert repaired.code == 2
            assert "another server is using" in repaired.err

    run(play())


def test_export_and_prune_pass_a_damaged_table_by(tmp_path: Path) -> None:
    file, records = tmp_path / "x.db", tmp_path / "records.jsonl"
    one, _ = made(file, 2)

    async def end() -> None:
        async with serving(file) as server:
            from keltis.server.tables import commands

            for table_id in server.store.live_ids():
                live = await server.service.find(table_id)
                await server.service.act(live, commands.end, ANN)

    run(end())
    change(file, f"UPDATE events SET body = 'R*' WHERE table_id = '{one}' AND seq = 5")
    done = keltis("tables", "export", records, "--database", file)
    assert (done.code, done.out) == (1, f"1 records written to {records}\n")
    assert "1 tables are damaged" in done.err
    assert len(records.read_text().splitlines()) == 1
    assert check(file, "--repair").code == 0
    assert rows(file, "SELECT * FROM set_aside") != []
    change(file, "UPDATE tables SET status = 'over', over_at = 1")
    assert keltis("tables", "prune", "--days", "0", "--database", file).code == 0
    assert rows(file, "SELECT * FROM set_aside") == []


def test_a_damaged_table_keeps_no_other_from_going_on_after_a_start(tmp_path: Path) -> None:
    """Once the start stopped at the first one, and others' bots stood still."""
    file = tmp_path / "x.db"

    async def begin() -> list[str]:
        async with serving(file) as server:
            lives = [await started(server, "me", "me") for _ in range(4)]
            return [live.table.id for live in lives]

    ids: list[str] = []

    async def play(then: Callable[[list[str]], None]) -> None:
        then(await begin())

    run(play(ids.extend))
    change(
        file,
        # A seat of each is a bot's from now on, and it is its turn.
        "INSERT INTO events (table_id, seq, at, kind, seat, body) SELECT id, 3, 0, 'left', 0, "
        """'{"seats":[0],"level":"random"}' FROM tables""",
        f"UPDATE events SET body = '[]' WHERE table_id = '{ids[0]}' AND seq = 1",
        f"DELETE FROM events WHERE table_id = '{ids[2]}' AND seq = 2",
    )

    async def go_on() -> None:
        async with serving(file) as server:
            await server.service.scheduler.go_on()
            for table_id in (ids[1], ids[3]):
                live = await server.service.find(table_id)
                server.service.visit(live, Asker("here", ANN))  # bots decide if somebody is there
                await until(lambda: live.table.turn == 1)  # noqa: B023 - it is awaited here
                head = server.store.head(table_id)
                assert head is not None
                log = server.store.events_after(table_id, 0)
                assert facts(replayed(head, log)) == facts(live.table)
            assert "keltis_unreadable 2.0" in server.metrics.text().decode()

    run(go_on())
