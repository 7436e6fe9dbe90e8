"""One's own games: written with the end, filled in where missing, listed by an index, removed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, event, select

import keltis
from keltis.server import keys
from keltis.server.settings import database_url
from keltis.server.storage import games, maintenance, migrate, privacy
from keltis.server.storage.games import Filter
from keltis.server.storage.schema import events, holders, secrets, tables
from keltis.server.storage.store import Store
from keltis.server.tables import results
from keltis.server.tables.drafts import Surroundings
from keltis.server.tables.results import Result
from keltis.server.tables.table import replayed
from tests.server.days.playing import Calendar, Person, serving
from tests.server.running import Client, Server, play_out, together
from tests.server.storage.test_privacy import stored
from tests.server.transport.inside import make

ANN, BEN = "a" * 64, "b" * 64
MANY = 10_000


def bot(seat: int, level: str) -> dict[str, Any]:
    return {"seat": seat, "kind": "bot", "name": "Aoife", "level": level}


def person(seat: int, name: str) -> dict[str, Any]:
    return {"seat": seat, "kind": "person", "name": name, "level": None}


def result(k: int, holder: str = ANN, **changes: Any) -> Result:
    others = changes.pop("others", [bot(1, ("fawn", "fox", "druid")[k % 3])])
    plain = {
        "holder": holder, "table_id": f"t{k:07}", "over_at": 1000 * (k // 2), "seat": 0, "seats": 1,
        "game": ("board", "stones")[k % 2], "players": len(others) + 1,
        "result": ("won", "lost")[k % 2], "score": 20, "lead": 5, "decisions": 60, "ended": "goal",
        "take_backs": 0, "others": results.text(others),
    }  # fmt: skip
    return Result(**{**plain, **changes})


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """A database in which Ann has ten thousand games, and Ben a few."""
    if request.param == "sqlite":
        url = database_url(str(tmp_path_factory.mktemp("games") / "x.db"))
    else:
        url = database_url(request.getfixturevalue("new_database")())
    made = Store(url, "test")
    made.open()
    rows = [result(k) for k in range(MANY)]
    rows += [result(k, BEN) for k in range(10)]
    rows.append(result(MANY, others=[person(1, 'Ben "the %_ fox"'), bot(2, "raven")]))
    with made.engine.begin() as connection:
        connection.execute(holders.insert(), [each._asdict() for each in rows])
        if made.shared:
            connection.exec_driver_sql("ANALYZE holders")
    yield made
    made.stop()


def ids(found: list[Result]) -> list[str]:
    return [each.table_id for each in found]


def test_pages_have_every_game_once_newest_first(store: Store) -> None:
    before, seen = None, []
    for _ in range(40):
        page = games.page(store, ANN, Filter(), before, 300)
        seen += ids(page)
        if len(page) < 300:
            break
        before = (page[-1].over_at, page[-1].table_id)
    assert seen == [f"t{k:07}" for k in range(MANY, -1, -1)]
    assert {each.holder for each in games.page(store, BEN, Filter(), None, 50)} == {BEN}


@pytest.mark.parametrize(
    ("wanted", "holds"),
    [
        (Filter(game="stones"), lambda each: each.game == "stones"),
        (Filter(players=3), lambda each: each.players == 3),
        (Filter(result="lost"), lambda each: each.result == "lost"),
        (Filter(level="druid"), lambda each: '"druid"' in each.others),
        (Filter(level="fo"), lambda each: False),
        (Filter(level='fox"'), lambda each: False),
        (Filter(name='Ben "the %_ fox"'), lambda each: "Ben" in each.others),
        (Filter(name="Ben"), lambda each: False),
        (Filter(name="Aoife"), lambda each: False),  # a bot's name is no person's
        (Filter(game="board", result="won", level="fox"),
         lambda each: each.game == "board" and '"fox"' in each.others),
    ],
)  # fmt: skip
def test_filters(store: Store, wanted: Filter, holds: Callable[[Result], bool]) -> None:
    everything = games.everything(store, ANN, 2 * MANY)
    expected = [each.table_id for each in reversed(everything) if holds(each)]
    assert ids(games.page(store, ANN, wanted, None, 2 * MANY)) == expected


def test_a_page_is_read_by_the_index(store: Store) -> None:
    """No scan of the table and no sorting, for the first page and for a later one."""
    asked: list[tuple[str, Any]] = []

    def note(_: Any, __: Any, statement: str, values: Any, *___: Any) -> None:
        asked.append((statement, values))

    event.listen(store.engine, "before_cursor_execute", note)
    try:
        games.page(store, ANN, Filter(), (5000 * 1000, "t0009000"), 26)
        store.ids_held_by(ANN, 20)
    finally:
        event.remove(store.engine, "before_cursor_execute", note)
    for statement, values in asked:
        explain = "EXPLAIN " if store.shared else "EXPLAIN QUERY PLAN "
        with store.engine.connect() as connection:
            plan = str(connection.exec_driver_sql(explain + statement, values).all())
        assert "holders_by_end" in plan or "holders_not_over" in plan, plan
        assert "Seq Scan on holders" not in plan, plan
        assert "SCAN holders" not in plan, plan
    page, values = asked[0]
    with store.engine.connect() as connection:
        plan = str(connection.exec_driver_sql(explain + page, values).all())
    assert "holders_by_end" in plan, plan
    assert "Sort" not in plan, plan
    assert "B-TREE" not in plan, plan


def test_a_game_is_removed_from_one_list_only(store: Store) -> None:
    before = ids(games.everything(store, ANN, 2 * MANY))
    assert not games.remove(store, ANN, "nothing")
    assert games.remove(store, BEN, "t0000003")
    assert not games.remove(store, BEN, "t0000003")
    assert "t0000003" not in ids(games.everything(store, BEN, 50))
    assert ids(games.everything(store, ANN, 2 * MANY)) == before
    assert games.fill_in(store) == 0  # it does not come back


# --- From real games -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str], str, str]:
    """A file with finished games of Ann and Benedikt; their tables by name, and the keys."""
    folder = tmp_path_factory.mktemp("played")
    with Server(folder / "x.db", folder / "log") as server:
        ann, ben = Client(server), Client(server)
        found = {}
        for name, game, bots in (("two", "board", []), ("four", "stones", ["random", "fawn"])):
            made = ann.make("me", "open", *bots, game=game, first=0)
            ben.join(made, name="Benedikt")
            found[name] = made["table"]
            with ann.at(made["table"]) as first, ben.at(made["table"]) as second:
                for seat in (first, second):
                    while seat.table["status"] == "waiting":
                        seat.read()
                together(first, second)
                play_out(first, second)
        found["resigned"] = ann.make("me", "fox", game="stones", first=0)["table"]
        ann.dealt(found["resigned"])
        assert ann.post(found["resigned"], "resign").status_code == 200
        found["never"] = ann.make("me", "open")["table"]
        assert ann.post(found["never"], "end").status_code == 200
        found["running"] = ann.make("me", "hare", "fox", first=0)["table"]
        ann.dealt(found["running"])
        ann.close()
        ben.close()
    return folder / "x.db", found, ann.key, ben.key


def listed(store: Store, key: str) -> dict[str, Result]:
    return {each.table_id: each for each in games.everything(store, keys.digest(key), 100)}


def test_a_result_is_what_the_record_says(played: tuple[Path, dict[str, str], str, str]) -> None:
    file, table, ann, ben = played
    with maintenance.opened(database_url(str(file))) as store:
        mine, his = listed(store, ann), listed(store, ben)
        assert set(mine) == {table["two"], table["four"], table["resigned"]}
        assert set(his) == {table["two"], table["four"]}
        for name in ("two", "four"):
            head = store.head(table[name])
            assert head is not None
            record = replayed(head, store.events_after(table[name], 0)).record()
            assert record is not None
            for one in (mine[table[name]], his[table[name]]):
                scores, winners = record["result"]["scores"], record["result"]["winners"]
                rest = [score for k, score in enumerate(scores) if k != one.seat]
                assert (one.score, one.lead) == (scores[one.seat], one.score - max(rest))
                won = one.seat in winners
                assert one.result == (
                    "lost" if not won else "won" if len(winners) == 1 else "shared"
                )
                assert one.ended == record["result"]["reason"]
                assert (one.decisions, one.players) == (len(record["moves"]), len(scores))
                assert one.over_at == head.over_at
                assert [each["name"] for each in json.loads(one.others)] == [
                    each for k, each in enumerate(record["players"]) if k != one.seat
                ]
        lost = mine[table["resigned"]]
        assert (lost.result, lost.ended) == ("lost", "resigned")
        assert lost.decisions < keltis.DECISION_CAP


def copied(file: Path, to: Path) -> Path:
    to.write_bytes(file.read_bytes())
    return to


def test_what_is_missing_is_made_from_the_log(
    played: tuple[Path, dict[str, str], str, str], tmp_path: Path
) -> None:
    file, _, ann, ben = played
    with maintenance.opened(database_url(str(copied(file, tmp_path / "x.db")))) as store:
        before = listed(store, ann), listed(store, ben)
        with store.engine.begin() as connection:
            nothing = dict.fromkeys(Result._fields[2:])
            connection.execute(holders.update().values(nothing))
        assert listed(store, ann) == {}
        assert games.fill_in(store) == 4  # and the one that never began
        assert (listed(store, ann), listed(store, ben)) == before
        assert games.fill_in(store) == 0


def as_before(url: str, file: Path) -> None:
    """Put a file's rows into a database of the schema before any of this."""
    now, before = create_engine(f"sqlite:///{file}"), create_engine(url)
    with now.connect() as of, before.begin() as to:
        migrate.upgrade(to, "0004")
        for table, columns in (
            (tables, tables.c),
            (events, events.c),
            (holders, (holders.c.holder, holders.c.table_id)),
            (secrets, secrets.c),
        ):
            rows = [dict(row) for row in of.execute(select(*columns)).mappings()]
            to.execute(table.insert(), rows)
    now.dispose()
    before.dispose()


def test_a_database_of_the_version_before_gets_its_games(
    played: tuple[Path, dict[str, str], str, str], tmp_path: Path
) -> None:
    """By a server that starts with it."""
    file, table, ann, _ = played
    as_before(f"sqlite:///{tmp_path / 'old.db'}", file)
    with Server(tmp_path / "old.db", tmp_path / "log") as server:
        client = Client(server, ann)
        wanted = {table["two"], table["four"], table["resigned"]}
        for _ in range(2000):
            found = client.http.get("/api/me/games").json()["games"]
            if {each["table"] for each in found} == wanted:
                break
        assert {each["table"] for each in found} == wanted
        client.close()


def test_a_postgresql_of_the_version_before_gets_its_games(
    played: tuple[Path, dict[str, str], str, str], postgresql: str
) -> None:
    file, _, ann, ben = played
    with maintenance.opened(database_url(str(file))) as store:
        expected = [listed(store, key) for key in (ann, ben)]
    url = database_url(postgresql)
    as_before(url, file)
    old = Store(url, "test")
    old.open()
    assert games.fill_in(old) == 4
    assert [listed(old, key) for key in (ann, ben)] == expected
    old.stop()


def test_a_game_with_hints_is_told_so_also_after_a_restart(tmp_path: Path) -> None:
    """And does not count for the strength: the strongest bot's advice is none of one's own."""
    file, calendar = tmp_path / "x.db", Calendar()
    with serving(file, calendar) as (server, client):
        ann = Person(client, "Ann")
        wishes = {"game": "stones", "practice": True, "first": 0}
        table = make(client, ann.key, "me", "fawn", **wishes)["table"]
        ann.state(table)
        for _ in range(2):
            assert ann.post(f"tables/{table}/hint").status_code == 200
        kinds = [event.kind for event in server.store.events_after(table, 0)]
        assert kinds.count("hinted") == 1
    with serving(file, calendar) as (_, client):
        again = Person(client, "Ann", ann.key)
        again.play(table)
        plain = make(client, ann.key, "me", "fawn", **wishes)["table"]
        again.play(plain)
        noted = {each["table"]: each["hinted"] for each in again.get("me/games")["games"]}
        assert noted == {table: True, plain: False}
        told = again.get("me/games/summary")
        assert told["counted"] == 2
        assert {each["game"]: each["games"] for each in told["strength"]} == {
            "board": 0, "stones": 1,
        }  # fmt: skip


def test_a_deleted_person_is_in_nobodys_list(
    played: tuple[Path, dict[str, str], str, str], tmp_path: Path
) -> None:
    file, table, ann, ben = played
    copy = copied(file, tmp_path / "x.db")
    with maintenance.opened(database_url(str(copy))) as store:
        (given,) = [
            each["in_your_list"]
            for each in privacy.export(store, keys.digest(ben))
            if each["table"] == table["two"]
        ]
        assert given["result"] in ("won", "lost", "shared")
        before = listed(store, ann)
        near = Surroundings(0.0, 0, 60.0, "fox", 60.0)
        assert privacy.forget_person(store, keys.digest(ben), near) == (2, 0)
        after = listed(store, ann)
        assert listed(store, ben) == {}
    assert set(after) == set(before)
    others = json.loads(after[table["two"]].others)
    assert [each["name"] for each in others] == ["Player 2"]
    assert "Benedikt" not in stored(copy)
    assert keys.digest(ben) not in stored(copy)


# --- Over HTTP -----------------------------------------------------------------------------------


def test_the_routes(played: tuple[Path, dict[str, str], str, str], tmp_path: Path) -> None:
    file, table, ann, _ = played
    with Server(copied(file, tmp_path / "x.db"), tmp_path / "log") as server:
        client = Client(server, ann)
        get = client.http.get
        games_ = get("/api/me/games").json()
        assert [each["table"] for each in games_["games"]] == [
            table["resigned"], table["four"], table["two"],
        ]  # fmt: skip
        assert games_["next"] is None
        assert "holder" not in games_["games"][0]
        assert keys.digest(ann) not in get("/api/me/games").text
        (only,) = get("/api/me/games?name=Benedikt&players=4").json()["games"]
        assert only["table"] == table["four"]
        (running,) = get("/api/me/games/running").json()["tables"]
        assert (running["id"], running["your_turn"]) == (table["running"], True)
        assert (running["your_seats"], running["deal"]) == ([0], None)
        told = get("/api/me/games/summary").json()
        assert (told["games"], told["opponents"]["names"]) == (3, ["Benedikt"])
        lines = get("/api/me/games/records").text.splitlines()
        assert len(lines) == 3
        for line in lines:
            assert keltis.load(json.loads(line)).is_over
        for bad in ("before=x", "before=9-", "players=5", "result=best", "game=chess",
                    f"name={'x' * 100}", "level=%00"):  # fmt: skip
            answer = get(f"/api/me/games?{bad}")
            assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_request"), bad
        # A running game cannot be taken out, nor another's.
        for other in (table["running"], "nothing"):
            assert client.http.delete(f"/api/me/games/{other}").status_code == 404
        stranger = Client(server)
        assert stranger.http.delete(f"/api/me/games/{table['two']}").status_code == 404
        assert stranger.http.get("/api/me/games").json() == {"games": [], "next": None}
        assert stranger.http.get("/api/me/games/records").text == ""
        assert client.http.delete(f"/api/me/games/{table['two']}").status_code == 204
        assert table["two"] not in get("/api/me/games").text
        assert table["two"] not in get("/api/me/games/records").text
        client.close()
        stranger.close()
