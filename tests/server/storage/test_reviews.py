"""Reviews as they are kept, in both databases."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from keltis.server.settings import database_url
from keltis.server.storage import maintenance, reviews
from keltis.server.storage.reviews import Key
from keltis.server.storage.schema import holders, tables
from keltis.server.storage.store import Store
from keltis.server.tables.results import SeatReview
from tests.server.storage.test_games import ANN, BEN, result

TABLES = [f"t{k:07}" for k in range(4)]


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A database with four games of Ann's, the newest last."""
    if request.param == "sqlite":
        url = database_url(str(tmp_path / "x.db"))
    else:
        url = database_url(request.getfixturevalue("postgresql"))
    made = Store(url, "test")
    made.open()
    head = {
        "game": "stones", "public": False, "status": "over", "creator": ANN, "server_seed": "x",
        "created_at": 1, "over_at": 2,
    }  # fmt: skip
    results = [result(2 * k, game="stones") for k in range(4)]
    rows = [each._asdict() | {"table_id": name} for each, name in zip(results, TABLES, strict=True)]
    with made.engine.begin() as connection:
        connection.execute(tables.insert(), [{**head, "id": name} for name in TABLES])
        connection.execute(holders.insert(), rows)
    yield made
    made.stop()


def review(done: int, planned: int = 4) -> dict[str, Any]:
    return {"searched": {"done": done, "planned": planned}, "decisions": []}


def seats(table: str, key: Key, lost: float = 0.5) -> list[SeatReview]:
    return [SeatReview(table, seat, key.hash, key.version, lost, 0.1, 30, 2.5) for seat in (0, 1)]


def key(number: int = 1) -> Key:
    return Key(f"{number:064}", 1, 0)


def test_a_review_is_kept_and_replaced_by_one_searched_further(store: Store) -> None:
    assert reviews.find(store, key()) is None
    for done in (0, 3):
        assert reviews.keep(store, key(), review(done), []) is None
    assert reviews.keep(store, key(), review(1), []) == review(3)
    assert reviews.find(store, key()) == review(3)
    assert reviews.find(store, key()._replace(version=2)) is None
    assert reviews.find(store, key(2)) is None


def test_what_it_says_of_each_seat_is_found_for_who_sat_there(store: Store) -> None:
    for lost in (0.7, 0.5):
        reviews.keep(store, key(), review(1), seats(TABLES[1], key(), lost))
    found = reviews.of_holder(store, ANN)
    assert found == {(TABLES[1], 0): seats(TABLES[1], key())[0]}
    assert reviews.of_holder(store, BEN) == {}
    assert reviews.not_reviewed(store, ANN, 2) == [TABLES[3], TABLES[2]]
    assert reviews.not_reviewed(store, ANN, 9) == [TABLES[3], TABLES[2], TABLES[0]]


def test_it_goes_with_its_table_and_none_comes_after_it(store: Store) -> None:
    for number in (0, 1):
        reviews.keep(store, key(number), review(4), seats(TABLES[number], key(number)))
    with store.engine.begin() as connection:
        maintenance.delete_tables(connection, [TABLES[0]])
    assert reviews.find(store, key(0)) is None
    assert reviews.find(store, key(1)) is not None
    assert list(reviews.of_holder(store, ANN)) == [(TABLES[1], 0)]
    reviews.keep(store, key(0), review(4), seats(TABLES[0], key(0)))
    assert reviews.find(store, key(0)) is None
    assert list(reviews.of_holder(store, ANN)) == [(TABLES[1], 0)]


def test_only_so_many_are_kept_those_asked_for_last(store: Store) -> None:
    for number in range(5):
        reviews.keep(store, key(number), review(0), [])
        time.sleep(0.002)
    assert reviews.forget_old(store, 3) == 2
    assert reviews.forget_old(store, 3) == 0
    left = [number for number in range(5) if reviews.find(store, key(number)) is not None]
    assert left == [2, 3, 4]
