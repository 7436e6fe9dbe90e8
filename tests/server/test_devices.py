"""A seat belongs to whoever took it: links to other devices, and every way to lose a seat."""

import json
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from tests.server.running import PATIENCE, Client, Server, play_out, together

New = Callable[[], Client]


def link_to(person: Client, table: str, seat: int) -> str:
    answer = person.post(table, "invitations", seat=seat)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["invitation"])


def refused(who: Client, table: str, link: str) -> bool:
    """Whether a link brings to no seat; then whoever tries it is a spectator as before."""
    held = who.state(table)["you"]["seats"]
    answer = who.post(table, "join", name="Eve", invitation=link)
    assert who.state(table)["you"]["seats"] == held or answer.status_code == 200
    return bool(answer.json().get("error", {}).get("code") == "bad_invitation")


def sees_no_hand(who: Client, table: str) -> bool:
    state, record = who.state(table), who.record(table)
    return (
        state["you"]["seats"] == []
        and state["devices"] == []
        and [view["hand"] for view in state["views"] + record["views"]] == [None, None]
        and table not in [each["id"] for each in who.http.get("/api/tables/mine").json()["tables"]]
    )


def devices(state: Any) -> list[Any]:
    (seat,) = state["devices"]
    return list(seat["devices"])


# --- A seat that changes hands -----------------------------------------------------------------


@pytest.mark.parametrize("public", [False, True])
def test_a_link_dies_with_the_seat_that_it_was_made_for(client: New, public: bool) -> None:
    host, thief, guest = client(), client(), client()
    made = host.make("me", "open", "open", first=0, public=public)
    table = made["table"]
    thief.join(made, "Eve")
    link = link_to(thief, table, 1)
    with thief.at(table) as open_before, thief.at(table) as another:
        thief.post(table, "leave")
        guest.join(made, seat=1)
        client().join(made)
        for left in (open_before, another):
            while not left.views:
                left.read()
            assert left.you["seats"] == []
            assert left.views[0]["hand"] is None
            answer = left.ask("decide", move="?", seq=left.seq)
            assert answer["code"] == "not_allowed"
    assert host.state(table)["table"]["status"] == "playing"
    for again in (thief, client(), host):
        assert refused(again, table, link)
    assert sees_no_hand(thief, table)
    assert thief.post(table, "decide", move="?", seq=9, id="x").status_code == 403


def test_a_link_dies_with_a_seat_that_is_given_to_a_bot(client: New) -> None:
    """The server of the tests has a grace time of one second."""
    host, guest = client(), client()
    made = host.make("me", "open", "open")
    table = made["table"]
    guest.join(made)
    link = link_to(guest, table, 1)
    with host.at(table) as seat:
        while 1 not in seat.you["may"]["replace"]:
            seat.read()
        seat.ask("replace", seat=1)
    assert refused(client(), table, link)
    assert refused(guest, table, link)
    assert host.state(table)["table"]["seats"][1]["kind"] == "bot"


def test_links_follow_people_when_the_seats_turn(client: New) -> None:
    ann, ben, phone = client(), client(), client()
    made = ann.make("me", "open", "open", first=2)
    table = made["table"]
    ben.join(made)
    link = link_to(ben, table, 1)
    client().join(made)
    state = ben.dealt(table)
    assert (state["table"]["status"], state["you"]["seats"]) == ("playing", [2])
    assert phone.join({**made, "invitation": link})["seat"] == 2
    assert phone.state(table)["views"] == ben.state(table)["views"]
    assert phone.state(table)["views"] != ann.state(table)["views"]


@pytest.mark.parametrize("how", ["left", "returned", "replaced", "resigned"])
def test_a_link_ends_when_somebody_else_plays_the_seat(client: New, how: str) -> None:
    ann, ben = client(), client()
    made = ann.make("me", "open", "random", first=0)
    table = made["table"]
    ben.join(made)
    ben.dealt(table)
    if how == "returned":
        ben.post(table, "leave")
    link = link_to(ben, table, 1)
    if how == "left":
        ben.post(table, "leave")
    elif how == "returned":
        ben.post(table, "return")
    elif how == "resigned":
        ben.post(table, "resign")
    else:
        with ann.at(table) as seat:
            while 1 not in seat.you["may"]["replace"]:
                seat.read()
            seat.ask("replace", seat=1)
    assert refused(client(), table, link)


def test_nobody_makes_links_to_seats_of_others(client: New) -> None:
    host, guest = client(), client()
    made = host.make("me", "open", "random", "open")
    table = made["table"]
    guest.join(made)
    for seat in (1, 2, 3):
        answer = host.post(table, "invitations", seat=seat)
        assert answer.json()["error"]["code"] == "not_allowed"
    assert client().post(table, "invitations", seat=0).json()["error"]["code"] == "not_allowed"
    assert host.post(table, "invitations", seat=4).status_code == 422


def test_friends_on_one_screen_have_a_link_each(client: New) -> None:
    host, guest = client(), client()
    made = host.make("me", "me", "open", first=0)
    table = made["table"]
    links = [link_to(host, table, seat) for seat in (0, 1)]
    host.post(table, "leave", seat=1)
    guest.join(made, seat=1)
    assert refused(client(), table, links[1])
    phone = client()
    assert phone.join({**made, "invitation": links[0]})["seat"] == 0
    client().join(made)
    assert phone.dealt(table)["you"]["seats"] == [0]
    assert [each["seat"] for each in host.state(table)["devices"]] == [0]


def test_an_invitation_ends_with_the_right_of_who_made_it(client: New) -> None:
    host, guest = client(), client()
    made = host.make("me", "open", "open", "open")
    table = made["table"]
    guest.join(made)
    theirs = guest.post(table, "invitations").json()["invitation"]
    guest.post(table, "leave")
    assert refused(client(), table, theirs)
    guest.join(made)
    again = guest.post(table, "invitations").json()["invitation"]
    host.post(table, "leave")
    assert refused(client(), table, made["invitation"])
    client().join({**made, "invitation": again})


# --- Devices -------------------------------------------------------------------------------------


def test_a_device_is_listed_told_and_removed(client: New) -> None:
    ann, ben, phone = client(), client(), client()
    made = ann.make("me", "open", first=0)
    table = made["table"]
    ben.join(made)
    ann.dealt(table)
    with ann.at(table) as seat, ben.at(table) as other:
        assert [each["this"] for each in devices(seat.received[-1])] == [True]
        link = link_to(ann, table, 0)
        message = seat.until(lambda message: message.get("seq") == 4)
        assert message["what"] == {"kind": "linked", "seat": 0}
        assert message["devices"][0]["link"]
        assert phone.join({**made, "invitation": link}, "Phone")["seat"] == 0
        message = seat.until(lambda message: message.get("seq") == 5)
        assert message["what"] == {"kind": "device added", "seat": 0, "name": "Phone"}
        assert not message["devices"][0]["link"]
        assert [each["name"] for each in devices(message)] == [None, "Phone"]
        number = devices(message)[1]["device"]
        assert refused(client(), table, link)  # it works once
        # Others know nothing of it.
        together(seat, other)
        for told in other.received:
            assert (told.get("what") or {}).get("kind") not in ("linked", "device added")
            assert "Phone" not in json.dumps(told)
        with (
            phone.at(table) as there,
            phone.http.stream("GET", f"/api/tables/{table}/events") as stream,
        ):
            lines = stream.iter_lines()
            assert json.loads(next(lines))["views"][0]["hand"] == seat.views[0]["hand"]
            assert there.views[0]["hand"] == seat.views[0]["hand"]
            assert [each["this"] for each in devices(there.received[-1])] == [False, True]
            # Who came by a link cannot shut out who made it, nor others at the table.
            first = devices(there.received[-1])[0]["device"]
            assert phone.post(table, "remove", device=first).status_code == 403
            assert ben.post(table, "remove", device=number).status_code == 403
            assert client().post(table, "remove", device=number).status_code == 403
            own = link_to(phone, table, 0)
            assert ann.post(table, "remove", device=number).status_code == 200
            there.until(lambda message: message.get("seq") == 7)
            assert there.you["seats"] == []
            assert there.views[0]["hand"] is None
            last: Any = {}
            while last.get("seq") != 7:
                last = json.loads(next(lines) or "{}")
            assert last["views"][0]["hand"] is None
            assert there.ask("decide", move="?", seq=there.seq)["code"] == "not_allowed"
            seat.until(lambda message: message.get("seq") == 7)
            seat.decide()
            message = there.until(lambda message: message["type"] == "moved")
            assert message["views"][0].get("hand") is None
        assert refused(client(), table, own)  # a link of a removed device
        assert sees_no_hand(phone, table)


def test_a_device_removes_itself_but_not_the_last_one(client: New) -> None:
    ann, phone = client(), client()
    made = ann.make("me", "open")
    table = made["table"]
    phone.join({**made, "invitation": link_to(ann, table, 0)})
    number = devices(phone.state(table))[1]["device"]
    assert phone.post(table, "remove", device=number).status_code == 200
    assert phone.state(table)["you"]["seats"] == []
    only = devices(ann.state(table))[0]["device"]
    assert ann.post(table, "remove", device=only).json()["error"]["code"] == "not_allowed"
    assert ann.post(table, "remove", device=99).json()["error"]["code"] == "not_allowed"


def test_a_rematch_takes_the_devices_along_that_are_there_and_no_link(client: New) -> None:
    ann, ben, phone, lost = client(), client(), client(), client()
    made = ann.make("me", "open", game="stones", first=0)
    table = made["table"]
    ben.join(made)
    for device in (phone, lost):
        device.join({**made, "invitation": link_to(ann, table, 0)}, "Phone")
    number = devices(ann.state(table))[2]["device"]
    ann.post(table, "remove", device=number)
    link = link_to(ann, table, 0)
    with ann.at(table) as first, ben.at(table) as second:
        play_out(first, second)
    assert refused(client(), table, link)
    new = ben.post(table, "rematch").json()["table"]
    assert refused(client(), new, link)
    assert [each["name"] for each in devices(phone.state(new))] == [None, "Phone"]
    for device, seats in ((ann, [1]), (phone, [1]), (lost, [])):
        assert device.state(new)["you"]["seats"] == seats
        mine = [each["id"] for each in device.http.get("/api/tables/mine").json()["tables"]]
        assert (new in mine) == bool(seats)


def test_the_same_device_by_a_second_link_changes_nothing(client: New) -> None:
    ann = client()
    made = ann.make("me", "open")
    link = link_to(ann, made["table"], 0)
    assert ann.join({**made, "invitation": link})["seat"] == 0
    assert len(devices(ann.state(made["table"]))) == 1


def test_only_so_many_devices_and_invitations(client: New) -> None:
    ann = client()
    made = ann.make("me", "open")
    table = made["table"]
    for _ in range(7):
        client().join({**made, "invitation": link_to(ann, table, 0)})
    assert ann.post(table, "invitations", seat=0).json()["error"]["code"] == "not_allowed"
    answers = [ann.post(table, "invitations").status_code for _ in range(12)]
    assert answers.count(201) == 9  # and the one that the table was made with
    assert set(answers) == {201, 403}


def test_links_expire(tmp_path: Path) -> None:
    with Server(tmp_path / "tables.db", tmp_path / "log", link_time=0.001) as server:
        ann, phone = Client(server), Client(server)
        made = ann.make("me", "open")
        answer = ann.post(made["table"], "invitations", seat=0).json()
        assert answer["seconds"] == 0.001
        while ann.state(made["table"])["devices"][0]["link"]:
            pass
        assert refused(phone, made["table"], answer["invitation"])
        ann.close()
        phone.close()


def test_a_restart_keeps_devices_and_links_and_what_ended_them(tmp_path: Path) -> None:
    with Server(tmp_path / "tables.db", tmp_path / "log") as server:
        ann, phone, lost, late = (Client(server) for _ in range(4))
        made = ann.make("me", "open", "open")
        table = made["table"]
        for device in (phone, lost):
            device.join({**made, "invitation": link_to(ann, table, 0)})
        ann.post(table, "remove", device=devices(ann.state(table))[2]["device"])
        link = link_to(ann, table, 0)
        thief = Client(server)
        thief.join(made, "Eve")
        dead = link_to(thief, table, 1)
        thief.post(table, "leave")
        server.kill()
        server.start()
        assert phone.state(table)["you"]["seats"] == [0]
        assert lost.state(table)["you"]["seats"] == []
        assert refused(thief, table, dead)
        assert late.join({**made, "invitation": link})["seat"] == 0
        for each in (ann, phone, lost, late, thief):
            each.close()


def test_two_servers_agree_on_who_holds_a_seat(postgresql: str, tmp_path: Path) -> None:
    """A device that is removed at one server loses its view at the other."""
    with (
        Server(postgresql, tmp_path / "one", poll=0.5) as one,
        Server(postgresql, tmp_path / "two", poll=0.5) as two,
        ExitStack() as people,
    ):
        ann, ben, phone = (people.enter_context(closing(Client(at))) for at in (one, one, two))
        made = ann.make("me", "open", first=0)
        ben.join(made)
        table = made["table"]
        phone.join({**made, "invitation": link_to(ann, table, 0)})
        with phone.at(table) as there:
            while not there.views:
                there.read()
            assert there.views[0]["hand"]
            deadline = time.monotonic() + PATIENCE
            while len(listed := devices(ann.state(table))) < 2:  # her server hears of it later
                assert time.monotonic() < deadline
                time.sleep(0.02)
            ann.post(table, "remove", device=listed[1]["device"])
            there.until(lambda _: there.you["seats"] == [])
            assert there.views[0]["hand"] is None


def test_seats_turn_for_open_sockets_too(client: New) -> None:
    ann, ben, phone = client(), client(), client()
    made = ann.make("me", "open", first=1)
    table = made["table"]
    phone.join({**made, "invitation": link_to(ann, table, 0)})
    with ann.at(table) as one, phone.at(table) as two:
        ben.join(made)
        for seat in (one, two):
            while not seat.views:
                seat.read()
            assert seat.you["seats"] == [1]
        assert one.views == two.views
