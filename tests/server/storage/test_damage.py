"""Whatever of what is stored beside the logs is damaged, the rest is not."""

import contextlib
import sqlite3
from pathlib import Path

import pytest

from keltis.server.storage import games
from tests.server.days.playing import Calendar, Person, serving
from tests.server.test_duplicates import code, made, played


@pytest.mark.parametrize("bad", ["", "garbage", "{}", "-5"])
def test_what_is_damaged_is_its_own_matter(tmp_path: Path, bad: str) -> None:
    """The other games and duplicates are shown, and what can be made again is."""
    file = tmp_path / "x.db"
    with serving(file, Calendar()) as (server, client):
        ann = Person(client, "Ann")
        tables = [played(ann, "me", "fawn", game="stones") for _ in range(3)]
        good, lost = made(ann), made(ann)
        path = f"tables/{tables[0]}/review"
        review = ann.get(path)["review"]
        assert ann.get("me/games/summary")["wins"]
        damages = [
            ("UPDATE holders SET others = ? WHERE table_id = ?", tables[0]),
            ("UPDATE events SET body = ? WHERE seq = 1 AND table_id = ?", tables[1]),
            ("UPDATE shared_deals SET body = ? WHERE id = ?", lost),
            ("UPDATE reviews SET body = ? WHERE hash <> ?", ""),
        ]
        with contextlib.closing(sqlite3.connect(file)) as other, other:
            for statement, which in damages:
                assert other.execute(statement, (bad, which)).rowcount
        listed = [each["table"] for each in ann.get("me/games")["games"]]
        assert sorted(listed) == sorted(tables[1:])
        ann.get("me/games/summary")
        assert [each["duplicate"] for each in ann.get("me/duplicates")["duplicates"]] == [good]
        ann.get(f"duplicates/{good}")
        for damaged in (
            client.get(f"/api/duplicates/{lost}", headers=ann.headers),
            ann.post(f"duplicates/{lost}/play", name="Ann"),
        ):
            assert (damaged.status_code, code(damaged)) == (503, "unreadable")
        assert lost not in client.get("/api/me", headers=ann.headers).text
        again = ann.get(path)["review"]
        assert again["decisions"] == review["decisions"]
        assert games.fill_in(server.store) == 1
        assert sorted(e["table"] for e in ann.get("me/games")["games"]) == sorted(tables)
        assert len(ann.get("me/games")["games"][-1]["others"]) == 1
