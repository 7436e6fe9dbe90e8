"""What is told of a deal besides one's own result, to whom, and at what cost."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from starlette.testclient import TestClient

from keltis.server import keys
from keltis.server.app import Server
from keltis.server.live import days as live_days
from keltis.server.live.days import place
from keltis.server.settings import database_url
from keltis.server.storage import attempts
from keltis.server.storage.schema import attempts as rows
from keltis.server.storage.store import Store
from keltis.server.tables import chain
from keltis.server.tables.shared import FINISHED, SharedDeal
from tests.server.days.playing import FIRST_DAY, Calendar, Person, last_legal, raven, serving

SECOND_DAY, THIRD_DAY, FIFTH_DAY = "2026-03-02", "2026-03-03", "2026-03-05"
DEAL = f"{FIRST_DAY}-sr"
Served = tuple[Server, TestClient, Calendar]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    calendar = Calendar()
    with serving(tmp_path / "days.db", calendar) as (server, client):
        yield server, client, calendar


def first_legal(view: dict[str, Any]) -> str:
    return str(view["legal_moves"][0])


# --- The best, and where they went another way ---------------------------------------------------


def test_the_best_game_is_shown_to_who_has_played_and_to_nobody_else(served: Served) -> None:
    _, client, calendar = served
    ann, ben, cid = (Person(client, name) for name in ("Annabella", "Benedict", "Cid"))
    records = {}
    for person, choose in ((ann, last_legal), (ben, raven)):
        records[person.name] = person.play(person.begin(FIRST_DAY), choose)
    leads = {person.name: person.deal(FIRST_DAY)["lead"] for person in (ann, ben)}
    best = max(leads, key=lambda name: leads[name])
    shown = ann.get(f"days/best/{DEAL}")
    assert shown["moves"] == records[best]["moves"]
    assert set(shown["players"]) == {"Player 1", "Raven"}
    assert "fair" not in shown
    assert not any(name in json.dumps(shown) for name in ("Annabella", "Benedict"))
    table = cid.begin(FIRST_DAY)
    cid.decide(table)
    for headers in (cid.headers, {}):  # who is still playing, and a stranger
        refused = client.get(f"/api/days/best/{DEAL}", headers=headers)
        assert refused.status_code == 403
        assert "moves" not in refused.text
    calendar.set(THIRD_DAY)
    assert client.get(f"/api/days/best/{DEAL}").json()["moves"] == shown["moves"]


def test_of_a_deal_that_nobody_has_finished_there_is_no_best_game(served: Served) -> None:
    _, client, _ = served
    ann = Person(client, "Ann")
    table = ann.begin(FIRST_DAY)
    assert ann.post(f"tables/{table}/resign").status_code == 200
    for deal in (DEAL, "2026-03-09-sr", "2026-02-01-sr", "2026-03-01-xx", "today", "%00"):
        answer = client.get(f"/api/days/best/{deal}", headers=ann.headers)
        assert answer.status_code == 404, deal


def test_the_other_way_is_told_in_steps_and_only_to_who_did_less_well(served: Served) -> None:
    _, client, _ = served
    ann, ben, cid = (Person(client, name) for name in ("Ann", "Ben", "Cid"))
    for person, choose in ((ann, last_legal), (ben, raven)):
        person.play(person.begin(FIRST_DAY), choose)
    found = {person.name: person.deal(FIRST_DAY) for person in (ann, ben)}
    best, worse = sorted(found.values(), key=lambda deal: -int(deal["lead"]))
    assert best["lead"] > worse["lead"]
    assert best["other_way"] is None
    way = worse["other_way"]
    assert way["lead"] == best["lead"]
    assert way["yours"]["seat"] == way["theirs"]["seat"]
    assert way["yours"]["move"] != way["theirs"]["move"]
    theirs = ann.get(f"days/best/{DEAL}")["moves"]
    assert theirs[way["step"]] == way["theirs"]["move"]
    # Who gives up is told as well: that the best went on.
    table = cid.begin(FIRST_DAY)
    cid.decide(table, first_legal)
    assert cid.post(f"tables/{table}/resign").status_code == 200
    given = cid.deal(FIRST_DAY)
    assert given["place"] is None
    assert given["other_way"] is None or given["other_way"]["lead"] == best["lead"]


def test_of_several_alike_the_first_is_the_best_and_the_forgotten_are_passed_over(
    served: Served,
) -> None:
    server, client, calendar = served
    people = [Person(client, name) for name in ("Ann", "Ben", "Cid")]
    tables = [person.begin(FIRST_DAY) for person in people]
    for person, table in zip(people, tables, strict=True):
        calendar.now += 60
        person.play(table)

    def best() -> str | None:
        return attempts.tally(server.store, DEAL).best

    assert best() == tables[0]
    assert client.delete("/api/me", headers=people[0].headers).status_code == 200
    client.cookies.clear()
    assert best() == tables[1]
    assert sum(attempts.tally(server.store, DEAL).leads.values()) == 3


# --- Midnight and clocks -------------------------------------------------------------------------


def test_a_clock_that_goes_back_makes_nothing_count_once_the_link_was_shown(
    served: Served,
) -> None:
    _, client, calendar = served
    ann = Person(client, "Ann")
    table = ann.begin(FIRST_DAY)
    ann.decide(table)
    calendar.set(THIRD_DAY, 0)
    assert ann.get(f"days/{FIRST_DAY}")["link"] is not None
    calendar.set(SECOND_DAY, 23)
    ann.play(table)
    assert ann.deal(FIRST_DAY)["state"] == "late"


def test_a_day_whose_link_was_shown_never_counts_again_however_far_the_clock_goes_back(
    served: Served,
) -> None:
    """Whoever has seen the link knows every card of the day, and of those before it."""
    _, client, calendar = served
    ann, ben = Person(client, "Ann"), Person(client, "Ben")
    table = ann.begin(FIRST_DAY)
    ann.decide(table)
    calendar.set(FIFTH_DAY)
    assert ann.get(f"days/{FIRST_DAY}")["link"] is not None
    calendar.set(FIRST_DAY, 13)
    told = ann.get("days/today")
    assert (told["day"], told["open"], told["closed"]) == (FIRST_DAY, False, True)
    ann.play(table)
    assert ann.deal(FIRST_DAY)["state"] == "late"
    ben.play(ben.begin(FIRST_DAY))  # for fun, as any closed day
    deal = ben.deal(FIRST_DAY)
    assert (deal["state"], deal["finished"]) == (None, 0)


def test_a_clock_far_behind_is_logged_once(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    _, client, calendar = served
    calendar.set(FIFTH_DAY)
    client.get("/api/days/today")
    calendar.set(FIRST_DAY)
    for _ in range(5):
        assert client.get("/api/days/today").json()["day"] == FIRST_DAY
    said = [each for each in caplog.records if "days behind" in each.getMessage()]
    assert len(said) == 1


# --- Costs ---------------------------------------------------------------------------------------


def test_looking_at_days_that_nobody_played_makes_nothing_work(served: Served) -> None:
    server, client, calendar = served
    wanted: list[str] = []
    server.service.days.pars.want = lambda deal, board: wanted.append(deal)  # type: ignore[method-assign]
    calendar.set(FIFTH_DAY)
    assert len(client.get(f"/api/days/{FIRST_DAY}").json()["deals"]) == 4
    assert wanted == []
    ann = Person(client, "Ann")
    ann.play(ann.begin(FIFTH_DAY))
    wanted.clear()
    ann.get(f"days/{FIFTH_DAY}")
    assert wanted == [f"{FIFTH_DAY}-sr"]


def test_looking_is_limited(tmp_path: Path) -> None:
    with serving(tmp_path / "days.db", Calendar(), work=0.01, work_address=1000) as (_, client):
        ann = Person(client, "Ann")
        codes = {
            client.get(f"/api/{path}", headers=ann.headers).status_code
            for path in ("days/today", "days/calendar/2026-03", f"days/best/{DEAL}") * 20
        }
    assert 429 in codes


def test_of_many_not_everybody_who_finishes_makes_the_tally_be_asked_again(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, client, _ = served
    asked: list[str] = []
    real = attempts.tally

    def tally(store: Store, deal: str) -> attempts.Tally:
        asked.append(deal)
        return real(store, deal)

    monkeypatch.setattr(attempts, "tally", tally)
    monkeypatch.setattr(live_days, "_MANY", 2)
    monkeypatch.setattr(live_days, "_FRESH", 3600.0)
    people = [Person(client, name) for name in ("Ann", "Ben", "Cid")]
    for n, person in enumerate(people):
        person.play(person.begin(FIRST_DAY))
        asked.clear()
        found = person.deal(FIRST_DAY)
        assert found["place"]["place"] == 1  # all are alike
        assert (DEAL in asked) == (n < 2)
        assert found["finished"] == min(n + 1, 2)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def many(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """A database with 40,000 attempts, and nothing else."""
    if request.param == "sqlite":
        url = database_url(str(tmp_path_factory.mktemp("many") / "x.db"))
    else:
        url = database_url(request.getfixturevalue("new_database")())
    made = Store(url, "test")
    made.open()
    values = [
        {"holder": f"{person:064}", "deal": f"{chain.after(FIRST_DAY, day)}-sr", "board": 0,
         "table_id": f"{day}t{person}", "begun_at": 1, "over_at": 2, "state": FINISHED,
         "lead": person % 50, "score": 1}
        for person in range(200)
        for day in range(200)
    ]  # fmt: skip
    with made.engine.begin() as connection:
        connection.execute(rows.insert(), values)
    if made.shared:  # as it does by itself, some time
        own = made.engine.execution_options(isolation_level="AUTOCOMMIT")
        with own.connect() as connection:
            connection.exec_driver_sql("VACUUM ANALYZE attempts")
    yield made
    made.stop()


def test_places_and_own_days_come_from_an_index(many: Store) -> None:
    asked: list[tuple[str, Any]] = []

    def note(_: Any, __: Any, statement: str, values: Any, *___: Any) -> None:
        asked.append((statement, values))

    me = f"{7:064}"
    event.listen(many.engine, "before_cursor_execute", note)
    try:
        assert sum(attempts.tally(many, DEAL).leads.values()) == 200
        assert len(attempts.between(many, me, FIRST_DAY, FIFTH_DAY)) == 5
        assert len(attempts.of_holder(many, me, DEAL)) == 1
        assert len(attempts.at_deal(many, DEAL)) == 200
        assert attempts.duplicates_of(many, me, 50) == []
        given = SharedDeal("d", me, 1, "t", {})
        assert not attempts.plays_beside(many, me, given)
    finally:
        event.remove(many.engine, "before_cursor_execute", note)
    queries = [(query, values) for query, values in asked if "attempts" in query]
    assert len(queries) == 8
    explain = "EXPLAIN " if many.shared else "EXPLAIN QUERY PLAN "
    plans = []
    for query, values in queries:
        with many.engine.connect() as connection:
            plans.append(str(connection.exec_driver_sql(explain + query, values).all()))
    for plan in plans:
        assert "Seq Scan on attempts" not in plan, plan
        assert "SCAN attempts" not in plan, plan
        assert "attempts_by_lead" in plan or "attempts_pkey" in plan or "PRIMARY KEY" in plan, plan
    # All leads of a deal are in the index itself.
    assert "Only Scan using attempts_by_lead" in plans[0] or "COVERING INDEX" in plans[0], plans[0]


def test_old_attempts_are_forgotten_some_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "_AT_ONCE", 3)
    store = Store(f"sqlite:///{tmp_path / 'days.db'}", "test")
    store.open()
    people = [keys.digest(str(n)) for n in range(10)]
    with store.engine.begin() as connection:
        for n, holder in enumerate(people):
            row = {"holder": holder, "deal": DEAL, "board": 0, "table_id": f"t{n}", "begun_at": 1,
                   "over_at": None if n == 7 else 1 if n % 2 else 2**60, "state": FINISHED,
                   "lead": n}  # fmt: skip
            connection.execute(rows.insert(), row)
    for _ in range(2):
        attempts.forget_old(store, 30)
        left = {n for n, holder in enumerate(people) if attempts.of_holder(store, holder)}
        assert left == {0, 2, 4, 6, 7, 8}
        assert sum(attempts.tally(store, DEAL).leads.values()) == 10
    store.stop()


def test_nobody_is_forgotten_while_a_day_can_be_played_for_a_place(tmp_path: Path) -> None:
    """Else they could play it again, however soon names are to go."""
    store = Store(f"sqlite:///{tmp_path / 'days.db'}", "test")
    store.open()
    today = chain.day_at(int(1000 * time.time()))
    me = keys.digest("me")
    deals = [f"{chain.after(today, -n)}-sr" for n in (-1, 0, 3, 4)]
    with store.engine.begin() as connection:
        for deal in (*deals, "duplicate123"):
            row = {"holder": me, "deal": deal, "board": 0, "table_id": deal, "begun_at": 1,
                   "over_at": 1, "state": FINISHED, "lead": 1}  # fmt: skip
            connection.execute(rows.insert(), row)
    attempts.forget_old(store, 0)
    assert {row.deal for row in attempts.of_holder(store, me)} == set(deals[:2])
    store.stop()


# --- PostgreSQL ----------------------------------------------------------------------------------


def test_two_servers_on_one_postgresql_have_the_same_days(postgresql: str) -> None:
    """One attempt, wherever it is asked for; the same cards, the same bots, one tally."""
    calendar = Calendar()
    with (
        serving(postgresql, calendar) as (_, client),
        serving(postgresql, calendar) as (_, other),
    ):
        ann, ben = Person(client, "Ann"), Person(other, "Ben")
        ann_there = Person(other, "Ann", ann.key)
        with ThreadPoolExecutor(4) as pool:
            both = [ann, ann_there, ann, ann_there]
            tables = set(pool.map(lambda each: each.begin(FIRST_DAY), both))
        assert len(tables) == 1
        record = ann.play(*tables)
        theirs = ben.play(ben.begin(FIRST_DAY))
        assert (record["setup"], record["moves"]) == (theirs["setup"], theirs["moves"])
        assert ann.get("days/chain") == ben.get("days/chain")
        calendar.set(SECOND_DAY)
        deal = ann_there.deal(FIRST_DAY)
        assert (deal["finished"], deal["place"]["alike"]) == (2, 1)
        assert set(ann.get("days/calendar/2026-03")["days"]) == {FIRST_DAY}
        assert ann.get("days/best/2026-03-01-sr")["moves"] == record["moves"]


def test_what_one_server_has_shown_counts_on_no_other(postgresql: str) -> None:
    """Though the other has not been asked for days while the clock was ahead."""
    calendar = Calendar()
    with (
        serving(postgresql, calendar) as (_, client),
        serving(postgresql, calendar) as (_, other),
    ):
        ann, ben = Person(other, "Ann"), Person(other, "Ben")
        table = ann.begin(FIRST_DAY)
        ann.decide(table)
        calendar.set(THIRD_DAY)
        assert client.get(f"/api/days/{FIRST_DAY}").json()["link"] is not None
        calendar.set(FIRST_DAY, 13)
        ann.play(table)
        assert ann.deal(FIRST_DAY)["state"] == "late"
        ben.play(ben.begin(FIRST_DAY))
        assert ben.deal(FIRST_DAY)["state"] is None


def test_own_days_are_found_in_whatever_order_a_database_has(tmp_path: Path) -> None:
    """Most orders of words pass over hyphens and the like: only days are compared with days."""
    store = Store(f"sqlite:///{tmp_path / 'days.db'}", "test")
    store.open()
    holder = keys.digest("somebody")
    days = [chain.after("2026-02-26", n) for n in range(8)]
    with store.engine.begin() as connection:
        for day in days:
            row = {"holder": holder, "deal": f"{day}-br", "board": 0, "table_id": "t",
                   "begun_at": 1, "state": FINISHED}  # fmt: skip
            connection.execute(rows.insert(), row)
    compared: list[Any] = []

    @event.listens_for(store.engine, "before_cursor_execute")
    def note(connection: Any, cursor: Any, statement: str, values: Any, *_: Any) -> None:
        compared.extend(values)

    found = {row.deal[:10] for row in attempts.between(store, holder, days[1], days[6])}
    assert found == set(days[1:7])
    assert compared == [holder, days[1], days[7]]
    store.stop()


def test_the_tally_of_many_is_right() -> None:
    leads = {lead: 1000 + lead for lead in range(-40, 60)}
    count = sum(leads.values())
    for own in (-40, 0, 59):
        found = place(leads, own)
        assert found["of"] == count
        assert found["place"] == 1 + sum(n for lead, n in leads.items() if lead > own)
