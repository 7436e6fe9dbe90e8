"""Several devices of one person: links that bring them, what each may do, and their end."""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text
from starlette.testclient import TestClient

from keltis.server import keys
from keltis.server.app import Server
from keltis.server.live import bus
from keltis.server.live import person_keys as live_keys
from keltis.server.storage import maintenance, person_keys, schema
from tests.cli.running import run as command
from tests.server.days.playing import PATIENCE, Calendar, Person, serving
from tests.server.storage.test_privacy import stored
from tests.server.test_duplicates import begun, from_game, made, played
from tests.server.transport.inside import bearer, make, socket

Served = tuple[Server, TestClient, Calendar]
WEEK = 7 * 86_400


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    calendar = Calendar()
    with serving(tmp_path / "x.db", calendar) as (server, client):
        yield server, client, calendar


def code(answer: Any) -> str:
    return str(answer.json()["error"]["code"])


def link(person: Person) -> str:
    answer = person.post("me/devices/link")
    assert answer.status_code == 201, answer.text
    page, _, secret = answer.json()["path"].partition("#link=")
    assert (page, keys.is_key(secret)) == ("games/devices", True)
    return str(secret)


def use(client: TestClient, secret: str, name: str = "Phone", **headers: str) -> Any:
    client.cookies.clear()
    answer = client.post("/api/me/devices", json={"link": secret, "name": name}, headers=headers)
    client.cookies.clear()
    return answer


def add(person: Person, name: str = "Phone") -> Person:
    """One more device of a person."""
    answer = use(person.client, link(person), name)
    assert answer.status_code == 201, answer.text
    return Person(person.client, person.name, answer.cookies["keltis"])


def devices(person: Person) -> list[tuple[int, str | None, bool, bool]]:
    return [
        (each["device"], each["name"], each["this"], each["sign_out"])
        for each in person.get("me/devices")["devices"]
    ]


def test_a_link_brings_everything_to_another_device(served: Served) -> None:
    _, client, _ = served
    ann = Person(client, "Ann")
    table = make(client, ann.key, "me", "fawn", game="stones", first=0)["table"]
    phone = add(ann)
    assert phone.key != ann.key  # no key ever leaves its device
    assert [each["id"] for each in phone.get("tables/mine")["tables"]] == [table]
    assert phone.state(table)["you"]["seats"] == [0]
    phone.decide(table)
    phone.count = 1000
    phone.play(table)
    assert [each["table"] for each in ann.get("me/games")["games"]] == [table]
    # And the other way round.
    other = make(client, phone.key, "me", "fawn", game="stones", first=0)["table"]
    assert ann.state(other)["you"]["seats"] == [0]
    assert devices(ann) == [(1, None, True, True), (2, "Phone", False, True)]
    assert devices(phone) == [(1, None, False, False), (2, "Phone", True, True)]
    third = add(phone, "Tablet")
    assert [each[0] for each in devices(third)] == [1, 2, 3]
    assert third.state(other)["you"]["seats"] == [0]


def test_a_link_works_once_for_a_while_and_only_the_newest(served: Served) -> None:
    _, client, calendar = served
    ann = Person(client, "Ann")
    old, new = link(ann), link(ann)
    assert code(use(client, old)) == "bad_invitation"
    assert use(client, new).status_code == 201
    assert code(use(client, new)) == "bad_invitation"
    late = link(ann)
    assert ann.get("me/devices")["link"] is True
    calendar.now += 601
    assert ann.get("me/devices")["link"] is False
    assert code(use(client, late)) == "bad_invitation"
    ended = link(ann)
    assert client.delete("/api/me/devices/link", headers=ann.headers).status_code == 204
    assert code(use(client, ended)) == "bad_invitation"
    for wrong in ("x", ann.key, "#" * 43):
        assert code(use(client, wrong)) == "bad_invitation"
    assert code(use(client, link(ann), "\u202e")) == "bad_request"
    assert len(devices(ann)) == 2


def test_of_two_who_use_a_link_at_once_one_comes_in(served: Served) -> None:
    _, client, _ = served
    ann = Person(client, "Ann")
    secret = link(ann)
    wish = {"link": secret, "name": "Phone"}
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: client.post("/api/me/devices", json=wish), range(4)))
    assert sorted(each.status_code for each in answers) == [201, 403, 403, 403]
    assert len(devices(ann)) == 2


def test_neither_key_nor_secret_is_stored_or_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    file = tmp_path / "x.db"
    with serving(file, Calendar()) as (_, client):
        ann = Person(client, "Ann")
        phone = add(ann)
        open_link = link(phone)
        secrets = [ann.key, phone.key, open_link]
    logged = caplog.text + "".join(str(vars(record)) for record in caplog.records)
    for secret in secrets:
        assert secret not in stored(file)
        assert secret not in logged


def test_a_link_is_made_over_the_same_site_only(served: Served) -> None:
    _, client, _ = served
    ann = Person(client, "Ann")
    headers = {**ann.headers, "origin": "https://elsewhere.example"}
    assert code(client.post("/api/me/devices/link", headers=headers)) == "bad_origin"
    wish = {"link": link(ann), "name": "x"}
    headers = {"origin": "https://elsewhere.example"}
    assert code(client.post("/api/me/devices", json=wish, headers=headers)) == "bad_origin"
    # A link that is only looked at, as messengers do, is not used up.
    assert client.get("/games/devices").status_code == 200
    assert use(client, wish["link"]).status_code == 201


def test_a_signed_out_device_has_nothing_any_more(served: Served) -> None:
    _, client, _ = served
    ann = Person(client, "Ann")
    phone = add(ann)
    table = make(client, ann.key, "me", "fawn", game="stones", first=0)["table"]
    mine = link(phone)
    ann.state(table)
    with socket(client, table, phone.key) as there, socket(client, table, ann.key) as here:
        there.playing()
        answer = ann.post("me/devices/sign_out", device=2)
        assert answer.json() == {"signed_out": 1}
        assert there.closed() == 1012
        here.playing()
        assert here.ask(type="why", move="R1", id="a")["type"] == "why"  # the other goes on
    for path in ("tables/mine", "me/games/running"):
        assert phone.get(path)["tables"] == []
    assert phone.get(f"tables/{table}")["you"]["seats"] == []
    assert code(phone.post(f"tables/{table}/resign")) == "not_allowed"
    assert phone.get("me/devices") == {"devices": [], "link": False, "signed_out": True}
    assert code(client.get("/api/me", headers=phone.headers)) == "not_allowed"
    assert code(phone.post("me/devices/link")) == "unknown_key"
    assert code(use(client, mine)) == "bad_invitation"  # its link ends with it
    wish = {"game": "stones", "seats": [{"who": "me"}, {"who": "bot", "level": "fawn"}]}
    assert code(phone.post("tables", **wish)) == "unknown_key"
    # A browser gets a new key, and is somebody new.
    client.cookies.clear()
    made = client.post("/api/tables", json=wish, headers={"cookie": f"keltis={phone.key}"})
    assert made.status_code == 201
    assert made.cookies["keltis"] not in (phone.key, ann.key)
    client.cookies.clear()
    assert devices(ann) == [(1, None, True, False)]


def seat_link(person: Person, table: str) -> str:
    return str(person.post(f"tables/{table}/invitations", seat=0).json()["invitation"])


def come(person: Person, table: str, secret: str) -> Any:
    return person.post(f"tables/{table}/join", name=person.name, invitation=secret)


def held(person: Person, table: str) -> list[int]:
    return list(person.get(f"tables/{table}")["you"]["seats"])


def test_a_signed_out_device_leaves_no_way_to_a_seat(served: Served) -> None:
    """Neither by a link to a seat that it made, nor by keys that it has brought there before."""
    _, client, _ = served
    ann = Person(client, "Ann")
    phone, tablet = add(ann), add(ann, "Tablet")
    eve, friend, last = (Person(client, name) for name in ("Eve", "Friend", "Last"))
    table = make(client, ann.key, "me", "fawn", game="stones", first=0)["table"]
    other = make(client, ann.key, "me", "fawn", game="stones", first=0)["table"]
    assert come(tablet, table, seat_link(tablet, table)).status_code == 200  # there already
    assert come(friend, table, seat_link(tablet, table)).status_code == 200
    assert come(eve, table, seat_link(phone, table)).status_code == 200
    brought = seat_link(eve, table)
    assert come(last, table, brought).status_code == 200
    number = next(
        each["device"] for each in eve.state(table)["devices"][0]["devices"] if each["this"]
    )
    assert eve.post(f"tables/{table}/remove", device=number).status_code == 200
    waiting, own = seat_link(phone, other), seat_link(last, table)
    party = make(client, ann.key, "me", "open", game="stones")["table"]
    invitations = [
        str(each.post(f"tables/{party}/invitations").json()["invitation"])
        for each in (phone, tablet, phone)
    ]
    assert held(last, table) == [0]
    with socket(client, table, last.key) as there:
        there.playing()
        assert ann.post("me/devices/sign_out", device=2).json() == {"signed_out": 1}
    assert held(last, table) == held(eve, table) == []
    assert code(come(eve, other, waiting)) == code(come(eve, table, own)) == "bad_invitation"
    assert code(last.post(f"tables/{table}/resign")) == "not_allowed"
    for k in (0, 2):
        assert code(come(eve, party, invitations[k])) == "bad_invitation"
    # What others have made stays.
    assert come(friend, party, invitations[1]).status_code == 200
    assert held(friend, table) == held(tablet, table) == held(ann, table) == [0]


def test_a_rematch_leaves_behind_who_came_by_a_signed_out_device(served: Served) -> None:
    _, client, _ = served
    ann = Person(client, "Ann")
    phone, eve, friend = add(ann), Person(client, "Eve"), Person(client, "Friend")
    table = make(client, ann.key, "me", "fawn", game="stones", first=0)["table"]
    ann.state(table)
    come(eve, table, seat_link(phone, table))
    come(friend, table, seat_link(ann, table))
    assert ann.post(f"tables/{table}/resign").status_code == 200
    second = ann.post(f"tables/{table}/rematch").json()["table"]
    assert held(eve, second) == held(friend, second) == held(ann, second) != []
    assert ann.post(f"tables/{second}/commit", commitment="").status_code == 200
    while ann.get(f"tables/{second}")["table"]["status"] == "waiting":
        time.sleep(0.002)
    assert ann.post(f"tables/{second}/resign").status_code == 200
    assert ann.post("me/devices/sign_out", device=2).json() == {"signed_out": 1}
    third = ann.post(f"tables/{second}/rematch").json()["table"]
    assert held(eve, third) == []
    assert held(friend, third) == held(ann, third) != []


def test_who_brought_a_device_is_forgotten_with_everything_else(tmp_path: Path) -> None:
    """In the rematch, too, where whoever brought it may have no seat."""
    file = tmp_path / "x.db"
    with serving(file, Calendar()) as (_, client):
        ann, eve, last = (Person(client, name) for name in ("Ann", "Eve", "Last"))
        table = make(client, ann.key, "me", "fawn", game="stones", first=0)["table"]
        come(eve, table, seat_link(ann, table))
        come(last, table, seat_link(eve, table))
        number = next(each["device"] for each in _at(eve, table) if each["this"])
        assert eve.post(f"tables/{table}/remove", device=number).status_code == 200
        ann.state(table)
        assert ann.post(f"tables/{table}/resign").status_code == 200
        second = ann.post(f"tables/{table}/rematch").json()["table"]
        assert held(last, second) == held(ann, second) != []
        for person in (eve, ann):
            raw = stored(file)
            assert keys.digest(person.key) in raw
            assert client.delete("/api/me", headers=person.headers).status_code == 200
            assert keys.digest(person.key) not in stored(file)


def _at(person: Person, table: str) -> list[Any]:
    return list(person.get(f"tables/{table}")["devices"][0]["devices"])


def test_a_link_to_a_seat_that_is_made_during_the_sign_out_ends(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, client, _ = served
    ann, eve = Person(client, "Ann"), Person(client, "Eve")
    phone = add(ann)
    table = make(client, ann.key, "me", "fawn", game="stones", first=0)["table"]
    act = server.service.act
    is_first = True

    async def sign_out_meanwhile(*asked: Any, **more: Any) -> Any:
        nonlocal is_first
        if is_first:
            is_first = False
            own = keys.digest(ann.key)
            assert await server.service.person_keys.sign_out(own, own, 2) == 1
        return await act(*asked, **more)

    monkeypatch.setattr(server.service, "act", sign_out_meanwhile)
    assert code(phone.post(f"tables/{table}/invitations", seat=0)) == "not_allowed"
    assert ann.state(table)["devices"][0]["link"] is False
    assert held(eve, table) == []


def test_the_first_device_can_be_signed_out_and_the_person_stays(served: Served) -> None:
    _, client, calendar = served
    ann = Person(client, "Ann")
    table = make(client, ann.key, "me", "fawn", game="stones", first=0)["table"]
    ann.state(table)
    phone = add(ann)
    # Whoever has come by a stolen link cannot shut out whom it belongs to ...
    assert code(phone.post("me/devices/sign_out", device=1)) == "not_allowed"
    assert phone.post("me/devices/sign_out").json() == {"signed_out": 0}
    calendar.now += WEEK
    # ... but who has been there for a week and has lost the other device can.
    tablet = add(phone, "Tablet")
    assert tablet.post("me/devices/sign_out").json() == {"signed_out": 0}
    assert phone.post("me/devices/sign_out").json() == {"signed_out": 2}
    assert devices(phone) == [(2, "Phone", True, False)]
    for gone in (ann, tablet):
        assert gone.get("me/devices")["signed_out"]
        assert gone.get("tables/mine")["tables"] == []
    assert phone.state(table)["you"]["seats"] == [0]
    phone.play(table)
    assert [each["table"] for each in phone.get("me/games")["games"]] == [table]
    third = add(phone, "Third")
    assert [each[0] for each in devices(third)] == [2, 4]


def test_one_can_sign_oneself_out(served: Served) -> None:
    _, client, _ = served
    ann = Person(client, "Ann")
    phone = add(ann)
    assert ann.post("me/devices/sign_out", device=1).json() == {"signed_out": 1}
    assert ann.get("me/devices")["signed_out"]
    assert devices(phone) == [(2, "Phone", True, False)]
    # The last one stays: with it everything would be lost without being deleted.
    assert phone.post("me/devices/sign_out", device=2).status_code == 403
    assert code(phone.post("me/devices/sign_out", device=9)) == "not_found"


def test_strangers_have_no_devices_and_their_number_is_limited(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, client, _ = served
    assert client.get("/api/me/devices").json()["devices"] == []
    assert client.post("/api/me/devices/sign_out", json={}).status_code == 403
    assert client.delete("/api/me/devices/link").status_code == 403
    monkeypatch.setattr(live_keys, "MOST", 3)
    ann, ben = Person(client, "Ann"), Person(client, "Ben")
    for _ in range(2):
        add(ann)
    assert code(ann.post("me/devices/link")) == "not_allowed"
    assert code(ben.post("me/devices/sign_out", device=2)) == "not_found"
    assert len(devices(ann)) == 3
    # A browser without a key gets one with its first link.
    client.cookies.clear()
    made = client.post("/api/me/devices/link")
    assert keys.is_key(made.cookies["keltis"])
    client.cookies.clear()


def test_a_connection_that_is_made_during_the_sign_out_ends(served: Served) -> None:
    """Whatever is slow in between: nothing is listened to that came without a key."""
    server, client, _ = served
    ann = Person(client, "Ann")
    phone = add(ann)
    table = make(client, ann.key, "me", "fawn", game="stones", first=0)["table"]
    ann.state(table)
    find = server.service.find

    async def slow(wanted: str) -> Any:
        live = await find(wanted)
        server.service.find = find  # type: ignore[method-assign]
        holder = keys.digest(ann.key)
        await server.service.person_keys.sign_out(holder, holder, 2)
        return live

    server.service.find = slow  # type: ignore[assignment, method-assign]
    with socket(client, table, phone.key) as there:
        there.say(type="resign", id="a")
        assert there.closed() == 1012
    assert ann.state(table)["table"]["status"] == "playing"


def test_everything_of_a_person_is_given_and_deleted(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    calendar = Calendar()
    with serving(file, calendar) as (_, client):
        ann, ben = Person(client, "Ann"), Person(client, "Ben")
        phone = add(ann, "Annabella’s phone")
        add(ben, "Bens")
        link(ann)
        (told,) = map(json.loads, client.get("/api/me", headers=ann.headers).text.splitlines())
        assert told["link_until"] > 1000 * calendar.now
        tablet = add(ann, "Annabella’s tablet")
        assert phone.post("me/devices/sign_out", device=2).status_code == 200
        (told,) = map(json.loads, client.get("/api/me", headers=tablet.headers).text.splitlines())
        assert [(each["name"], each["signed_out"]) for each in told["devices"]] == [
            (None, True),
            ("Annabella’s tablet", False),
        ]
        calendar.now += WEEK
        assert client.delete("/api/me", headers=tablet.headers).status_code == 200
        assert client.get("/api/me", headers=ann.headers).text == ""
    text = stored(file)
    for secret in ("Annabella", *map(keys.digest, (ann.key, phone.key, tablet.key))):
        assert secret not in text
    assert "Bens" in text


def test_a_device_that_is_new_deletes_nothing_of_those_before_it(served: Served) -> None:
    """Else whoever comes by a stolen link could take everything from whom it belongs to."""
    _, client, calendar = served
    ann = Person(client, "Ann")
    phone = add(ann)
    table = make(client, ann.key, "me", "fawn", game="stones", first=0)["table"]
    refused = client.delete("/api/me", headers=phone.headers)
    assert code(refused) == "not_allowed"
    assert len(devices(ann)) == 2
    assert ann.state(table)["you"]["seats"] == [0]
    calendar.now += WEEK
    assert client.delete("/api/me", headers=phone.headers).status_code == 200
    assert ann.get("tables/mine")["tables"] == []


def test_of_two_devices_that_sign_each_other_out_one_stays(served: Served) -> None:
    """With both gone nobody could come to what they have, nor delete it."""
    server, client, calendar = served
    ann = Person(client, "Ann")
    phone = add(ann)
    calendar.now += WEEK
    holder, later = keys.digest(ann.key), keys.digest(phone.key)
    store = server.store
    # Both have looked before either has written.
    assert person_keys.sign_out(store, holder, holder, [2], 1) == [later]
    assert person_keys.sign_out(store, holder, later, [1], 1) == []
    assert [each.key for each in person_keys.keys_of(store, holder)] == [holder]


def test_devices_that_were_signed_out_do_not_pile_up(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, client, _ = served
    monkeypatch.setattr(person_keys, "REMEMBERED", 2)
    ann = Person(client, "Ann")
    gone = []
    for _ in range(4):
        gone.append(add(ann))
        assert ann.post("me/devices/sign_out").json() == {"signed_out": 1}
    last = add(ann)
    told = client.get("/api/me", headers=ann.headers).text
    assert len(json.loads(told)["devices"]) == 3
    for each in gone:  # nothing of the person's, whether it is remembered or not
        assert each.get("me/devices")["devices"] in ([], [ANOTHER])
    assert [each[0] for each in devices(last)] == [1, 6]


ANOTHER = {"device": 1, "name": None, "added": None, "this": True, "sign_out": False}


def test_a_device_that_comes_while_all_is_deleted_leaves_nothing(postgresql: str) -> None:
    with serving(postgresql, Calendar()) as (server, client):
        store, ann = server.store, Person(client, "Ann")
        holder, secret = keys.digest(ann.key), link(ann)
        with ThreadPoolExecutor(1) as pool:
            with store.engine.begin() as coming:
                row = {"key": "f" * 64, "holder": holder, "number": 2, "name": "Phone",
                       "added_at": 1, "signed_out": False}  # fmt: skip
                used = schema.key_links.c.link == keys.digest(secret)
                assert coming.execute(schema.key_links.delete().where(used)).rowcount == 1
                coming.execute(schema.person_keys.insert(), row)
                deleting = pool.submit(person_keys.forget, store, holder)
                waits = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
                until = time.monotonic() + PATIENCE
                while not coming.execute(waits).scalar() and time.monotonic() < until:
                    time.sleep(0.005)
            deleting.result(PATIENCE)
        with store.engine.connect() as connection:
            there = select(schema.person_keys.c.key).where(schema.person_keys.c.holder == holder)
            assert connection.execute(there).all() == []


def test_a_sign_out_that_another_server_was_not_told_of_ends_its_sockets(
    postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bus.Bus, "tell_signed_out", lambda self, key: None)  # it is lost
    calendar = Calendar()
    with (
        serving(postgresql, calendar) as (_, client),
        serving(postgresql, calendar) as (
            other,
            there,
        ),
    ):
        ann = Person(client, "Ann")
        phone = add(ann)
        table = make(client, ann.key, "me", "fawn", game="stones", first=0)["table"]
        ann.state(table)
        with socket(there, table, phone.key) as lost, socket(there, table, ann.key) as kept:
            lost.playing()
            kept.playing()
            assert ann.post("me/devices/sign_out", device=2).json() == {"signed_out": 1}
            assert there.portal is not None
            there.portal.call(other.service.person_keys.end_signed_out)
            assert lost.closed() == 1012
            assert kept.ask(type="why", move="R1", id="a")["type"] == "why"


def lived(client: TestClient) -> tuple[list[str], str]:
    """Whatever somebody can play, make and share, all of it deleted: what must be nowhere then, and
    what stays of another."""
    zoe, ben = Person(client, "Zoe of Zurich"), Person(client, "Ben")
    phone = add(zoe, "Zoe’s phone")
    table = played(zoe, "me", "fawn", game="stones", whole=True)
    given = from_game(zoe, table)
    ben.play(begun(ben, given))
    bens = made(ben)
    zoe.play(begun(zoe, bens))
    begun(zoe, made(zoe, seats="all"))
    today = zoe.get("days/today")["day"]
    zoe.play(zoe.begin(today))
    zoe.begin(today, "board")
    wish = {"step": 3, "level": "fawn", "name": zoe.name}
    zoe.decide(zoe.post("review/play", table=table, **wish).json()["table"])
    assert client.get(f"/api/tables/{table}/review", headers=zoe.headers).status_code == 200
    link(phone)
    told = client.get("/api/me", headers=zoe.headers).text
    (reviewed,) = [each for each in map(json.loads, told.splitlines()) if each.get("reviews")]
    assert (reviewed["table"], reviewed["reviews"][0]["seat"]) == (table, reviewed["seats"][0])
    assert client.delete("/api/me", headers=zoe.headers).status_code == 200
    results = ben.get(f"duplicates/{given}")["boards"][0]["results"]
    assert sorted(each["name"] or "" for each in results) == ["", "Ben"]
    assert ben.get(f"duplicates/{bens}")["played"] == []
    digests = [keys.digest(zoe.key), keys.digest(phone.key)]
    secrets = ["Zurich", "Zoe’s phone", *(digest[:12] for digest in digests)]
    return secrets, keys.digest(ben.key)


def test_nothing_of_a_person_is_left_in_the_file(tmp_path: Path) -> None:
    """In no table and no index: all of them are written anew, without what is in no use.

    Where SQLite has moved rows from page to page, old copies stay until then (docs/server.md).
    """
    file = tmp_path / "x.db"
    with serving(file, Calendar()) as (_, client):
        secrets, other = lived(client)
    assert [path.name for path in tmp_path.iterdir() if path.suffix != ".lock"] == ["x.db"]
    raw = file.read_bytes()
    assert other.encode() in raw
    for secret in secrets:
        assert secret.encode() not in raw
        assert json.dumps(secret)[1:-1].encode() not in raw


def test_nothing_of_a_person_is_left_in_any_table_of_postgresql(postgresql: str) -> None:
    with serving(postgresql, Calendar()) as (server, client):
        secrets, other = lived(client)
        with server.store.engine.connect() as connection:
            whole = repr([
                [zlib.decompress(each) if isinstance(each, bytes) else each for each in row]
                for table in schema.metadata.sorted_tables
                for row in connection.execute(select(table))
            ])  # fmt: skip
    assert other in whole
    for secret in secrets:
        assert secret not in whole
        assert json.dumps(secret)[1:-1] not in whole


def test_any_of_the_keys_does_for_the_commands(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    with serving(file, Calendar()) as (_, client):
        ann = Person(client, "Ann")
        table = make(client, ann.key, "me", "fawn", game="stones", first=0)["table"]
        phone, gone = add(ann), add(ann, "Old")
        ann.post("me/devices/sign_out", device=3)
    out = tmp_path / "out.jsonl"
    command("tables", "export-person", out, "--database", file, typed=f"{phone.key}\n")
    assert json.loads(out.read_text().splitlines()[0])["table"] == table
    done = command("tables", "delete-person", "--database", file, typed=f"{gone.key}\n")
    assert (done.code, "signed out" in done.err) == (2, True)
    done = command("tables", "delete-person", "--database", file, typed=f"{phone.key}\n")
    assert done.code == 0, done.err
    for key in (ann.key, phone.key, gone.key):
        assert keys.digest(key) not in stored(file)


def test_another_server_knows_too(postgresql: str) -> None:
    """By a notice; and without one when what it believes is a few seconds old."""
    calendar = Calendar()
    with (
        serving(postgresql, calendar) as (one, client),
        serving(postgresql, calendar) as (_, there),
    ):
        ann = Person(client, "Ann")
        phone = add(ann)
        table = make(client, ann.key, "me", "fawn", game="stones", first=0)["table"]
        ann.state(table)
        with socket(there, table, phone.key) as open_there:
            open_there.playing()
            assert ann.post("me/devices/sign_out", device=2).json() == {"signed_out": 1}
            assert open_there.closed() == 1012
        answer = there.get("/api/me/devices", headers=bearer(phone.key))
        assert answer.json()["signed_out"]
        with maintenance.opened(one.settings.database_url) as store:
            assert person_keys.who(store, keys.digest(phone.key)) is None
            assert person_keys.who(store, keys.digest(ann.key)) == keys.digest(ann.key)
        # Two servers, one link: one of them gives a key.
        secret = link(ann)
        wish = {"link": secret, "name": "Phone"}
        with ThreadPoolExecutor(2) as pool:
            answers = list(
                pool.map(lambda each: each.post("/api/me/devices", json=wish), (client, there))
            )
        assert sorted(each.status_code for each in answers) == [201, 403]


def test_a_connection_is_closed_though_its_reader_is_slow() -> None:
    """What is said on a connection that is being closed is not listened to."""
    import asyncio

    from keltis.server.live.viewers import Viewer

    async def look() -> None:
        stuck = asyncio.Event()

        async def deliver(message: bytes) -> None:
            await stuck.wait()

        async def close(code: int) -> None:
            raise AssertionError("not before the rest")

        viewer = Viewer("h", "a", deliver, close, key="k")
        viewer.send(b"1")
        assert not viewer.is_ending
        viewer.close(1012)
        await asyncio.sleep(0)
        assert viewer.is_ending
        viewer.stop()

    asyncio.run(look())
