"""Reviews over HTTP: what is told to whom, made once, gone on with, and what it costs."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from starlette.testclient import TestClient

import keltis
from keltis.game import records
from keltis.reviews import endings, second
from keltis.server.app import Server
from keltis.server.live import reviews as live
from keltis.server.settings import Settings
from keltis.server.storage import maintenance, privacy
from keltis.server.storage import reviews as stored
from keltis.server.tables import positions
from keltis.server.transport import limits
from tests.server.days.playing import FIRST_DAY, Calendar, Person
from tests.server.days.playing import serving as with_days
from tests.server.storage.test_privacy import stored as everything_stored
from tests.server.transport.inside import bearer, make, new_key, serving

BUSY = {"work": 1e5, "work_address": 1e5}
PATIENCE = 60.0
BUDGET = 2 * 56  # two decisions of each seat
Served = tuple[Server, TestClient]


@pytest.fixture(autouse=True)
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search in a hundredth of its time: what is tested here does not hang on it."""
    for name, value in (("SCREENED", 4), ("PROVED", 8), ("ROLLOUTS", 56)):
        monkeypatch.setattr(second, name, value)
    monkeypatch.setattr(endings, "WORLDS", 4)
    monkeypatch.setattr(live, "BUDGET", BUDGET)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path / "x.db", **BUSY) as (server, client):
        yield server, client


def played(game: str = "board", players: int = 2, seed: int = 1) -> keltis.Record:
    """The record of a game at random."""
    chance, whole = random.Random(seed), keltis.new_game(game, players, seed=seed)
    while not whole.is_over:
        whole.play(chance.choice(whole.legal_moves()))
    return whole.record()


def finished(client: TestClient, key: str, game: str = "stones", **wishes: Any) -> str:
    """A table where one person has played a whole game for both seats."""
    table = make(client, key, "me", "me", game=game, **wishes)["table"]
    state = begun(client, table, bearer(key))
    chance = random.Random(7)
    for number in range(2000):
        seat = state["views"][0]["seat"]
        if seat is None:
            return str(table)
        move = chance.choice(state["views"][seat]["legal_moves"])
        wish = {"move": move, "seq": state["seq"], "id": f"d{number}"}
        answer = client.post(f"/api/tables/{table}/decide", json=wish, headers=bearer(key))
        assert answer.status_code == 200, answer.text
        state = client.get(f"/api/tables/{table}", headers=bearer(key)).json()
    raise AssertionError("the game does not end")


def begun(client: TestClient, table: str, headers: dict[str, str]) -> Any:
    """A table once it is dealt."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        state = client.get(f"/api/tables/{table}", headers=headers).json()
        if state["table"]["status"] != "waiting":
            return state
    raise AssertionError("the game does not begin")


def plain(review: Any) -> Any:
    return json.loads(json.dumps(review))


def until_complete(ask: Callable[[], Any]) -> Any:
    """The review when the search is through."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        answer = ask()
        assert answer.status_code == 200, answer.text
        told = answer.json()
        if not told["searching"]:
            return told
        time.sleep(0.02)
    raise AssertionError("the search does not end")


def passes(server: Server, which: str) -> float:
    value = server.metrics.registry.get_sample_value("keltis_reviews_total", {"pass": which})
    return value or 0.0


# --- What is told ------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "players"), [("board", 2), ("board", 4), ("stones", 3)])
def test_a_record_gets_the_review_of_the_library(served: Served, game: str, players: int) -> None:
    _, client = served
    record = played(game, players)
    record["players"] = [f"Nobody {seat}" for seat in range(players)]
    told = until_complete(lambda: client.post("/api/review", json=record))
    assert told["review"]["format"] == "keltis-review/1"
    searched = told["searched"]
    assert searched["done"] == searched["planned"]
    assert told["review"]["searched"] == searched
    assert told["review"] == plain(keltis.review(record, budget=BUDGET))


def test_a_table_that_is_over_has_a_review_with_its_names(served: Served) -> None:
    server, client = served
    ann = new_key(client)
    table = finished(client, ann)
    address = f"/api/tables/{table}/review"
    told = until_complete(lambda: client.get(address, headers=bearer(ann)))
    record = client.get(f"/api/tables/{table}/record").json()
    assert told["review"]["players"] == record["players"]
    assert [seat["name"] for seat in told["review"]["seats"]] == record["players"]
    assert told["review"] == plain(keltis.review(record, budget=BUDGET))
    # What one has is not sent again.
    known = client.get(f"{address}?known={told['searched']['done']}").json()
    assert known["review"] is None
    assert known["searched"] == told["searched"]
    assert client.get(f"{address}?known=-1").status_code == 422
    # A record says the same as its table, and is not worked out again.
    before = passes(server, "network")
    assert client.post("/api/review", json=record).json()["review"] == told["review"]
    assert passes(server, "network") == before == 1


def test_who_resigns_has_lost(served: Served) -> None:
    """Also for who sends the record on, as the page does."""
    _, client = served
    ann = new_key(client)
    table = make(client, ann, "me", "random", game="board")["table"]
    begun(client, table, bearer(ann))
    client.post(f"/api/tables/{table}/resign", json={}, headers=bearer(ann))
    address = f"/api/tables/{table}/review"
    told = until_complete(lambda: client.get(address, headers=bearer(ann)))
    record = client.get(f"/api/tables/{table}/record", headers=bearer(ann)).json()
    (own,) = client.get(f"/api/tables/{table}", headers=bearer(ann)).json()["you"]["seats"]
    wins = [seat["sum"]["wins"]["result"] for seat in told["review"]["seats"]]
    assert wins == [float(seat != own) for seat in (0, 1)]
    del record["fair"], record["date"]
    assert client.post("/api/review", json=record).json()["review"] == told["review"]


def test_sums_add_up_to_the_last_digit(served: Served) -> None:
    _, client = served
    review = client.post("/api/review", json=played("board", 3, 4)).json()["review"]
    for seat in review["seats"]:
        for name in ("wins", "lead"):
            parts = seat["sum"][name]
            total = sum(parts[part] for part in parts if part not in ("others_luck", "result"))
            assert total - parts["others_luck"] == pytest.approx(parts["result"], abs=1e-9)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "format"),
        ({"format": "keltis-record/1"}, "options"),
        ({**played("stones"), "moves": ["R99"]}, "moves[0]"),
        ({**played("stones"), "players": [1, 2]}, "players[0]"),
        ({**played("stones"), "resigned": [4]}, "resigned[0]"),
    ],
)
def test_what_is_no_record_is_refused_in_words(
    served: Served, body: dict[str, Any], said: str
) -> None:
    _, client = served
    answer = client.post("/api/review", json=body)
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "bad_request"
    assert said in answer.json()["error"]["message"]


def test_a_game_that_goes_round_in_circles_is_too_long(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, client = served
    record = played("stones")
    monkeypatch.setattr(live, "LONGEST", len(record["moves"]) - 1)
    answer = client.post("/api/review", json=record)
    assert answer.json()["error"]["code"] == "too_large"


def test_a_long_record_is_refused_before_it_is_played(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, client = served

    def read(record: Any) -> Any:
        raise AssertionError("it was read")

    monkeypatch.setattr(records, "read", read)
    long = {**played("stones"), "moves": ["?"] * (keltis.DECISION_CAP + 1)}
    wishes = [
        ("review", long),
        ("review/judge", {"record": long, "step": 0, "move": "?"}),
        ("review/play", {"record": long, "step": 0, "level": "random"}),
    ]
    for path, body in wishes:
        answer = client.post(f"/api/{path}", json=body)
        assert answer.json()["error"]["code"] == "too_large", path


@pytest.mark.parametrize("game", ["board", "stones"])
def test_games_cut_off_and_just_dealt_are_reviewed(served: Served, game: str) -> None:
    _, client = served
    record = played(game, 2, 9)
    for cut in (0, 1, 40):
        begun = keltis.load({**record, "moves": record["moves"][:cut], "result": None})
        begun.cut_off()
        told = client.post("/api/review", json=begun.record())
        assert told.status_code == 200, told.text
        assert len(told.json()["review"]["decisions"]) == cut


# --- To whom -----------------------------------------------------------------------------------


def test_a_running_game_has_no_review(served: Served) -> None:
    server, client = served
    ann = new_key(client)
    table = make(client, ann, "me", "me", game="board")["table"]
    for headers in (bearer(ann), {}):
        answer = client.get(f"/api/tables/{table}/review", headers=headers)
        assert answer.status_code == 403
        assert answer.json()["error"]["code"] == "not_allowed"
        assert set(answer.json()["error"]) == {"code", "message"}
    wishes = [("judge", {"move": "?"}), ("play", {"level": "random"})]
    for what, more in wishes:
        wish = {"table": table, "step": 0, **more}
        answer = client.post(f"/api/review/{what}", json=wish, headers=bearer(ann))
        assert answer.json()["error"]["code"] == "not_allowed", what
    assert sum(passes(server, which) for which in ("kept", "network", "search")) == 0
    assert client.get("/api/tables/unknown/review").json()["error"]["code"] == "unknown_table"


@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_record_of_a_game_that_runs_has_no_review(served: Served, game: str) -> None:
    """Whoever plays it could make one up, with any cards for the others, to be told what to do."""
    server, client = served
    record = played(game, 2, 9)
    for cut in (0, 1, 40):
        running = {**record, "moves": record["moves"][:cut], "result": None}
        position = keltis.load(running).position()
        records: list[Any] = [running, keltis.position(position).record()]
        for each in records:
            wish = {"record": each, "step": max(0, len(each["moves"]) - 1), "move": "?"}
            for path, body in (("review", each), ("review/judge", wish)):
                answer = client.post(f"/api/{path}", json=body)
                assert answer.status_code == 403, answer.text
                assert answer.json()["error"]["code"] == "not_allowed"
    assert sum(passes(server, which) for which in ("kept", "network", "search")) == 0


def test_who_may_not_see_the_record_may_not_see_the_review(served: Served) -> None:
    _, client = served
    ann, eve = new_key(client), new_key(client)
    table = finished(client, ann, spectators=False)
    assert client.get(f"/api/tables/{table}/review", headers=bearer(ann)).status_code == 200
    wish = {"table": table, "step": 0}
    for headers in (bearer(eve), bearer(new_key(client))):
        client.cookies.clear()
        answers = [
            client.get(f"/api/tables/{table}/record", headers=headers),
            client.get(f"/api/tables/{table}/review", headers=headers),
            client.post("/api/review/judge", json={**wish, "move": "?"}, headers=headers),
            client.post("/api/review/play", json={**wish, "level": "random"}, headers=headers),
        ]
        for answer in answers:
            assert answer.status_code == 403
            assert answer.json() == answers[0].json()


def test_a_days_deal_is_reviewed_only_for_who_has_finished_it(tmp_path: Path) -> None:
    with with_days(tmp_path / "days.db", Calendar()) as (_, client):
        ann, ben = Person(client, "Ann"), Person(client, "Ben")
        table = ann.begin(FIRST_DAY)
        ann.decide(table)
        early = client.get(f"/api/tables/{table}/review", headers=ann.headers)
        assert early.json()["error"]["code"] == "not_allowed"
        ann.play(table)
        assert client.get(f"/api/tables/{table}/review", headers=ann.headers).status_code == 200
        for headers in (ben.headers, {}):
            client.cookies.clear()
            refused = client.get(f"/api/tables/{table}/review", headers=headers)
            assert refused.json()["error"]["code"] == "no_spectators"
        # What she plays on from it can be watched by nobody either.
        wish = {"table": table, "step": 3, "level": "random"}
        made = client.post("/api/review/play", json=wish, headers=ann.headers).json()
        begun(client, made["table"], ann.headers)
        watching = client.get(f"/api/tables/{made['table']}", headers=ben.headers)
        assert watching.json()["error"]["code"] == "no_spectators"


# --- Made once, and gone on with ----------------------------------------------------------------


def test_many_who_ask_at_once_share_one_review(served: Served) -> None:
    server, client = served
    record = played("board", 3, 5)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: client.post("/api/review", json=record), range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert passes(server, "network") == 1


def test_everybody_has_one_review_at_a_time(served: Served) -> None:
    server, client = served
    ann, ben = (bearer(new_key(client)) for _ in range(2))
    searches = server.service.reviews._searches
    hold(server)
    first, second_ = played("board", 2, 1), played("board", 2, 2)

    def ask(record: keltis.Record, who: dict[str, str]) -> bool:
        return bool(client.post("/api/review", json=record, headers=who).json()["searching"])

    assert ask(first, ann)
    assert ask(first, ben)
    assert len(searches) == 1
    assert ask(second_, ann)  # Ben still wants the first
    assert len(searches) == 2
    assert ask(second_, ben)
    assert len(searches) == 1


def test_of_one_address_only_few_are_searched_at_once(served: Served) -> None:
    server, client = served
    hold(server)
    keys = [bearer(new_key(client)) for _ in range(7)]
    found = [
        client.post("/api/review", json=played("board", 2, seed), headers=key).json()["searching"]
        for seed, key in enumerate(keys)
    ]
    assert found == [True] * 4 + [False] * 3


def hold(server: Server) -> None:
    """Bots are busy for good: nothing behind them begins."""

    async def never(work: Any) -> Any:
        await asyncio.Event().wait()

    server.service.bots.review_behind = never  # type: ignore[method-assign]


def test_a_server_that_was_stopped_goes_on_and_comes_to_the_same(tmp_path: Path) -> None:
    record = played("board", 3, 6)
    whole = plain(keltis.review(record, budget=BUDGET))
    assert whole["searched"]["done"] >= 4

    def at_server(enough: Callable[[Any], bool]) -> tuple[Any, float]:
        with serving(tmp_path / "x.db", **BUSY) as (_, client):
            until = time.monotonic() + PATIENCE
            first = None
            while time.monotonic() < until:
                told = client.post("/api/review", json=record).json()
                first = told["searched"]["done"] if first is None else first
                if enough(told):
                    return told, first
                time.sleep(0.01)
        raise AssertionError("the search does not go on")

    told, first = at_server(lambda told: told["searched"]["done"] >= 2)
    assert first < 2
    last, again = at_server(lambda told: not told["searching"])
    assert again >= told["searched"]["done"] or again >= 2
    assert last["review"] == {**whole, "players": record["players"]}


def test_a_server_that_was_killed_goes_on(tmp_path: Path) -> None:
    """Its files as they were at some moment in the middle, with nothing brought to an end."""
    record = played("board", 3, 6)
    with serving(tmp_path / "x.db", **BUSY) as (server, client):
        stop_after(server, 2)
        told = client.post("/api/review", json=record).json()
        until = time.monotonic() + PATIENCE
        while told["searched"]["done"] < 2:
            assert time.monotonic() < until
            told = client.post("/api/review", json=record).json()
        (tmp_path / "killed").mkdir()
        for file in tmp_path.glob("x.db*"):
            shutil.copy(file, tmp_path / "killed")
    with serving(tmp_path / "killed" / "x.db", **BUSY) as (server, client):
        again = client.post("/api/review", json=record).json()
        assert again["searched"]["done"] >= 2
        assert passes(server, "network") == 0
        last = until_complete(lambda: client.post("/api/review", json=record))
        assert last["review"] == plain(keltis.review(record, budget=BUDGET))


def stop_after(server: Server, done: int) -> None:
    """The search goes on no further after so many decisions."""
    searches = server.service.reviews._searches
    go_on = server.service.bots.review_behind

    async def step(work: Any) -> Any:
        if any(one.review["searched"]["done"] >= done for one in searches.values()):
            await asyncio.Event().wait()
        return await go_on(work)

    server.service.bots.review_behind = step  # type: ignore[method-assign]


def test_what_another_server_has_searched_is_taken_over(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two servers with one database work at the same review: whoever is behind catches up."""
    _, client = served
    record = played("board", 3, 6)
    whole = plain(keltis.review(record, budget=BUDGET))
    assert whole["searched"]["done"] >= 4
    _, other, _ = live._prepared(record)
    nameless = plain(keltis.review(other, budget=BUDGET))
    keep = stored.keep
    kept: list[int] = []

    def beside(store: Any, key: Any, review: Any, seats: Any) -> Any:
        if review["searched"]["done"] == 1:
            keep(store, key, nameless, [])
        kept.append(review["searched"]["done"])
        return keep(store, key, review, seats)

    monkeypatch.setattr(stored, "keep", beside)
    told = until_complete(lambda: client.post("/api/review", json=record))
    assert told["review"] == whole
    assert kept == [0, 1]


def test_a_search_that_fails_is_given_up_and_others_go_on(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, client = served
    bad, good = played("board", 2, 1), played("board", 2, 2)

    def broken(review: Any, record: Any, **more: Any) -> Any:
        if record["moves"] == bad["moves"]:
            raise RuntimeError("broken")
        return second.refine(review, record, **more)

    monkeypatch.setattr(live, "refine", broken)
    ann, ben = (bearer(new_key(client)) for _ in range(2))
    assert client.post("/api/review", json=bad, headers=ann).status_code == 200
    told = until_complete(lambda: client.post("/api/review", json=good, headers=ben))
    assert told["searched"]["done"] == told["searched"]["planned"] > 0
    again = client.post("/api/review", json=bad, headers=ann).json()
    assert (again["searched"]["done"], again["searching"]) == (0, False)


def test_a_search_that_could_not_be_kept_goes_on_when_somebody_asks_again(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that is busy for a moment ends no review for good."""
    _, client = served
    record = played("board", 2, 1)
    keep = stored.keep
    failed: list[Any] = []

    def busy(store: Any, key: Any, review: Any, seats: Any) -> Any:
        if review["searched"]["done"] and not failed:
            failed.append(key)
            raise OperationalError("INSERT", {}, Exception("database is locked"))
        return keep(store, key, review, seats)

    monkeypatch.setattr(stored, "keep", busy)
    until_complete(lambda: client.post("/api/review", json=record))
    assert failed
    told = until_complete(lambda: client.post("/api/review", json=record))
    assert told["searched"]["done"] == told["searched"]["planned"] > 0


def test_a_review_is_told_though_it_cannot_be_kept(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a full disk; nobody pays for it twice while somebody waits for the search."""
    server, client = served
    hold(server)

    def full(*anything: Any) -> None:
        raise OperationalError("INSERT", {}, Exception("database or disk is full"))

    monkeypatch.setattr(stored, "keep", full)
    record = played("board", 2, 1)
    for _ in range(2):
        answer = client.post("/api/review", json=record)
        assert answer.status_code == 200, answer.text
        assert len(answer.json()["review"]["decisions"]) == len(record["moves"])
    assert passes(server, "network") == 1


def test_a_review_that_is_kept_is_told_though_nothing_can_be_written(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, client = served
    record = played("stones")
    until_complete(lambda: client.post("/api/review", json=record))
    monkeypatch.setattr(stored, "_TOUCH", -1)

    def full(*anything: Any) -> None:
        raise OperationalError("UPDATE", {}, Exception("database or disk is full"))

    monkeypatch.setattr(server.store.engine, "begin", full)
    assert client.post("/api/review", json=record).status_code == 200
    assert passes(server, "network") == 1


def test_names_that_cannot_be_written_are_refused(served: Served) -> None:
    _, client = served
    record = {**played("stones"), "players": ["\ud800", "Ben"]}
    body = json.dumps(record)
    for path in ("review", "review/judge"):
        sent = body if path == "review" else json.dumps({"record": record, "step": 0, "move": "?"})
        headers = {"content-type": "application/json"}
        answer = client.post(f"/api/{path}", content=sent, headers=headers)
        assert answer.status_code == 422, answer.text
        assert answer.json()["error"]["message"].startswith("players[0]: ")


# --- What is stored ----------------------------------------------------------------------------


def test_no_name_is_in_what_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    with serving(file, **BUSY) as (_, client):
        record = played("board", 4, 3)
        record["players"] = ["Benedikt", "Rosalind", "Benedikt", "Cornelius"]
        told = until_complete(lambda: client.post("/api/review", json=record))
        assert told["review"]["players"] == record["players"]
        rows = kept_rows(file)
        assert len(rows) == 1
        for name in record["players"]:
            assert name not in rows[0]
    assert "Rosalind" not in everything_stored(file)


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize("begun", [False, True])
def test_nothing_is_kept_of_a_record_but_the_game(tmp_path: Path, game: str, begun: bool) -> None:
    """Whoever writes something else into a record gets, and leaves behind, the same review."""
    file = tmp_path / "x.db"
    record: Any = played(game, 2, 3)
    if begun:  # in the middle: then a text is part of the record
        whole = keltis.load(record).restarted()
        for move in record["moves"][:10]:
            whole.play(move)
        rest = keltis.position(whole.position(), names=record["players"])
        for move in record["moves"][10:]:
            rest.play(move)
        record = rest.record()
    setup, result = record["setup"], record["result"]
    said = "Unkind words"
    sayings: list[Any] = [
        {**record, "comment": said, "fair": {"scheme": said}, "date": said},
        {**record, "setup": {**setup, "comment": said}},
        {**record, "result": {**result, "comment": said}},
        {**record, "options": {"comment": said}},
        {**record, "result": {**result, "reason": said}},
        {**record, "setup": {**setup, "position": f"{setup.get('position', '')} comment={said}"}},
        {**record, "moves": [*record["moves"], said]},
    ]
    with serving(file, **BUSY) as (server, client):
        told = until_complete(lambda: client.post("/api/review", json=record))["review"]
        answers = [client.post("/api/review", json=each) for each in sayings]
        for answer in answers:
            assert answer.status_code in (200, 422)
            if answer.status_code == 200:
                assert answer.json()["review"] == told
        assert answers[0].status_code == 200
        assert passes(server, "network") == 1
        [row] = kept_rows(file)
        assert said not in row
        assert "comment" not in row
    assert said not in everything_stored(file)


def kept_rows(file: Path) -> list[str]:
    import zlib

    with sqlite3.connect(file) as connection:
        rows = connection.execute("SELECT body FROM reviews").fetchall()
    connection.close()
    return [zlib.decompress(row[0]).decode() for row in rows]


def test_a_review_goes_with_its_table(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    with serving(file, **BUSY) as (server, client):
        ann = new_key(client)
        table = finished(client, ann)
        until_complete(lambda: client.get(f"/api/tables/{table}/review", headers=bearer(ann)))
        url = server.settings.database_url
    with maintenance.opened(url) as store:
        with store.engine.connect() as connection:
            listed = connection.exec_driver_sql("SELECT count(*) FROM reviewed").scalar()
        assert listed == 2
        assert len(kept_rows(file)) == 1
        assert privacy.forget_names(store, 0) == (1, 0)
        assert len(kept_rows(file)) == 1  # nobody is named in it
        assert maintenance.prune(store, 0, None) == 1
        with store.engine.connect() as connection:
            for name in ("reviews", "reviewed"):
                count = connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar()
                assert count == 0, name


def test_reviews_feed_the_statistics_of_those_who_played(served: Served) -> None:
    server, client = served
    ann = new_key(client)
    # One key for one seat: with two, a game is not one's own.
    table = finished(client, ann)
    told = until_complete(lambda: client.get(f"/api/tables/{table}/review", headers=bearer(ann)))
    holders = stored.of_holder(server.store, holder_of(server, table))
    assert list(holders) == [(table, 0)]
    seat = told["review"]["seats"][0]
    found = holders[table, 0]
    assert found.decisions == (seat["skill"] or {}).get("decisions", 0)
    lead = seat["sum"]["lead"]
    assert found.luck == pytest.approx(lead["deal"] + lead["luck"] - lead["others_luck"])


@pytest.mark.parametrize("leaves", [True, False])
def test_what_a_bot_decided_for_somebody_says_nothing_of_their_skill(
    served: Served, leaves: bool
) -> None:
    server, client = served
    ann = new_key(client)
    table = make(client, ann, "me", "me", game="stones")["table"]
    begun(client, table, bearer(ann))
    if leaves:
        for what in ("leave", "return"):
            wish = {"seat": 0}
            done = client.post(f"/api/tables/{table}/{what}", json=wish, headers=bearer(ann))
            assert done.status_code == 200, done.text
    by_bots = stored.played_by_bots(server.store, table)
    assert by_bots == ({0} if leaves else set())
    client.post(f"/api/tables/{table}/resign", json={}, headers=bearer(ann))
    assert stored.played_by_bots(server.store, table) == by_bots
    review = plain(keltis.review(played("stones"), budget=0))
    key = stored.Key("0" * 64, 1, 0)
    found = live.seats_of(key, review, table, by_bots)
    assert [each.lost is None for each in found] == [leaves, False]
    assert [each.decisions > 0 for each in found] == [not leaves, True]
    assert all(each.luck for each in found)


def holder_of(server: Server, table: str) -> str:
    with server.store.engine.connect() as connection:
        query = "SELECT holder FROM holders WHERE table_id = ?"
        return str(connection.exec_driver_sql(query, (table,)).scalar())


def test_the_last_games_are_reviewed_for_who_asks_for_statistics(served: Served) -> None:
    _, client = served
    ann = new_key(client)
    table = make(client, ann, "me", "random", game="stones", practice=True)["table"]
    chance = random.Random(3)
    until = time.monotonic() + PATIENCE
    for number in range(100_000):
        assert time.monotonic() < until
        state = client.get(f"/api/tables/{table}", headers=bearer(ann)).json()
        if state["table"]["status"] == "over":
            break
        if state["you"]["may"]["decide"] is None:
            continue
        move = chance.choice(state["views"][0]["legal_moves"])
        wish = {"move": move, "seq": state["seq"], "id": f"d{number}"}
        client.post(f"/api/tables/{table}/decide", json=wish, headers=bearer(ann))
    skill: list[Any] = []
    while not skill:
        assert time.monotonic() < until
        summary = client.get("/api/me/games/summary", headers=bearer(ann)).json()
        skill = summary["skill"]
    assert [(one["game"], one["players"], one["games"]) for one in skill] == [("stones", 2, 1)]
    assert skill[0]["decisions"] > 0
    assert summary["over_time"][0]["luck"] is not None


# --- Moves to judge ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_move_is_judged_against_the_best(served: Served, game: str) -> None:
    _, client = served
    record = played(game, 2, 8)
    review = client.post("/api/review", json=record).json()["review"]
    decision = next(one for one in review["decisions"] if len(one["moves"]) > 2)
    step, worst = decision["step"], decision["moves"][-1]["move"]
    wish = {"record": record, "step": step, "move": worst}
    told = client.post("/api/review/judge", json=wish).json()
    assert told["move"] == worst
    assert set(told["loss"]) == set(told["error"]) == {"wins", "lead"}
    assert told["worlds"] > 0
    assert client.post("/api/review/judge", json=wish).json() == told
    same = client.post("/api/review/judge", json={**wish, "move": told["best"]}).json()
    assert same["loss"] == {"wins": 0, "lead": 0}


@pytest.mark.parametrize(
    "wish",
    [
        {"step": 0, "move": "R7"},
        {"record": {}, "step": 0, "move": "R7"},
        {"record": played("stones"), "step": 0, "move": "V99"},
        {"record": played("stones"), "step": 20_000, "move": "?"},
        {"record": played("stones"), "step": -1, "move": "?"},
        {"record": played("stones"), "table": "abcdefghijkl", "step": 0, "move": "?"},
    ],
)
def test_what_cannot_be_judged_is_refused(served: Served, wish: dict[str, Any]) -> None:
    _, client = served
    answer = client.post("/api/review/judge", json=wish)
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "bad_request"


# --- Playing on --------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "players"), [("board", 2), ("board", 3), ("stones", 4)])
def test_one_plays_on_with_what_the_seat_knew_and_no_more(
    served: Served, game: str, players: int
) -> None:
    _, client = served
    ann = bearer(new_key(client))
    record = played(game, players, 12)
    step = len(record["moves"]) // 2
    before = keltis.load({**record, "moves": record["moves"][:step], "result": None})
    seat = before.seat
    assert seat is not None
    wish = {"record": record, "step": step, "level": "random", "name": "Ann"}
    answer = client.post("/api/review/play", json=wish, headers=ann)
    assert answer.status_code == 201, answer.text
    table = answer.json()["table"]
    state = begun(client, table, ann)
    assert state["table"]["practice"]
    assert state["table"]["fair"] == {"scheme": "none", "table": table, "places": players}
    assert state["you"]["seats"] == [seat]
    view, then = state["views"][0], before.view(seat)
    assert view["players"][seat] == "Ann"
    assert not set(view["players"]) & set(record["players"])
    assert {**view, "players": 0} == {**then, "players": 0}
    # The cards that the seat could not know are others.
    assert not state["you"]["may"]["take_back"]
    end = client.post(f"/api/tables/{table}/resign", json={}, headers=ann)
    assert end.status_code == 200, end.text
    dealt = client.get(f"/api/tables/{table}/record", headers=ann).json()
    assert dealt["moves"] == record["moves"][:step]
    assert dealt["setup"] != record["setup"]
    assert "fair" not in dealt
    assert keltis.load({**dealt, "result": None}).view(seat)["history"] == then["history"]


def test_a_game_that_went_on_is_played_to_its_end_and_is_practice(
    tmp_path: Path,
) -> None:
    record = played("stones", 2, 12)
    step = len(record["moves"]) - 6
    with serving(tmp_path / "x.db", **BUSY) as (_, client):
        ann = bearer(new_key(client))
        wish = {"record": record, "step": step, "level": "random"}
        table = client.post("/api/review/play", json=wish, headers=ann).json()["table"]
    with serving(tmp_path / "x.db", **BUSY) as (_, client):  # its log can be read again
        until = time.monotonic() + PATIENCE
        number = 0
        taken_back = False
        while True:
            assert time.monotonic() < until
            state = client.get(f"/api/tables/{table}", headers=ann).json()
            if state["table"]["status"] == "over":
                break
            if state["you"]["may"]["decide"] is None:
                continue
            if state["you"]["may"]["take_back"] and not taken_back:
                back = {"seq": state["seq"]}
                assert client.post(
                    f"/api/tables/{table}/take_back", json=back, headers=ann
                ).status_code == 200  # fmt: skip
                taken_back = True
                continue
            number += 1
            move = state["views"][0]["legal_moves"][0]
            wish = {"move": move, "seq": state["seq"], "id": f"d{number}"}
            assert client.post(
                f"/api/tables/{table}/decide", json=wish, headers=ann
            ).status_code == 200  # fmt: skip
        found = client.get(f"/api/tables/{table}/record", headers=ann).json()
        assert found["moves"][:step] == record["moves"][:step]
        assert keltis.load(found).is_over
        (listed,) = client.get("/api/me/games", headers=ann).json()["games"]
        assert (listed["table"], listed["result"]) == (table, "practice")
        assert not state["you"]["may"]["duplicate"]  # it has no deal of its own
        assert client.get("/api/me/games?result=practice", headers=ann).json()["games"] == [listed]
        summary = client.get("/api/me/games/summary", headers=ann).json()
        assert summary["counted"] == 0
        assert all(one["games"] == 0 for one in summary["strength"])


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"level": "nobody"}, "bad_request"),
        ({"step": 999}, "bad_request"),
        ({"step": 0, "seat": 3}, "no_such_seat"),
        ({"name": "\u202e"}, "bad_request"),
        ({"record": {"format": "x"}}, "bad_request"),
    ],
)
def test_a_position_that_is_none_is_refused(
    served: Served, more: dict[str, Any], code: str
) -> None:
    _, client = served
    wish = {"record": played("stones"), "step": 0, "level": "random", **more}
    answer = client.post("/api/review/play", json=wish)
    assert answer.json()["error"]["code"] == code, answer.text


def test_nobody_plays_on_from_the_end(served: Served) -> None:
    _, client = served
    record = played("stones")
    wish = {"record": record, "step": len(record["moves"]), "level": "random"}
    assert client.post("/api/review/play", json=wish).json()["error"]["code"] == "game_over"


# --- What it costs -----------------------------------------------------------------------------


def test_what_a_practice_game_goes_on_from_is_worked_out_where_replays_are(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the server's own threads some of the longest records would hold up whoever waits there."""
    server, client = served
    asked: list[int] = []
    prelude = server._replays._worker.prelude

    def watched(record: Any, step: int, seat: int | None) -> Any:
        asked.append(step)
        return prelude(record, step, seat)

    monkeypatch.setattr(server._replays._worker, "prelude", watched)
    monkeypatch.setattr(positions, "prelude", None)  # nobody here can
    wish = {"record": played("stones"), "step": 4, "level": "random"}
    assert client.post("/api/review/play", json=wish).status_code == 201
    assert asked == [4]


def test_reviews_are_weighed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the usual limits: what a key may ask for in a minute and no more."""
    monkeypatch.setattr(limits, "_QUEUE_SECONDS", 0.0)
    settings = {"work": Settings(database="x").work, "work_address": 2.0}
    with serving(tmp_path / "x.db", **settings) as (server, client):
        hold(server)
        ann = new_key(client)
        record = played("stones")
        codes = [
            client.post("/api/review", json=record, headers=bearer(ann)).status_code
            for _ in range(45)
        ]
        assert codes.count(200) < 36
        assert codes[-1] == 429
        assert passes(server, "network") == 1
        judging = client.post(
            "/api/review/judge",
            json={"record": record, "step": 0, "move": "?"},
            headers=bearer(ann),
        )
        assert judging.json()["error"]["code"] == "rate_limited"
        # Who has a seat goes on playing.
        assert client.get("/api/tables/mine", headers=bearer(ann)).status_code == 200
