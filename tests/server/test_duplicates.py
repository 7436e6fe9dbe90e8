"""Duplicates: made, played by several, compared, and nothing shown too early."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

import keltis
from keltis.server import keys
from keltis.server.app import Server
from keltis.server.live import duplicates as live_duplicates
from keltis.server.storage import attempts, maintenance
from keltis.server.tables import deals, duplicates
from keltis.server.tables.shared import Row
from tests.server.days.playing import FIRST_DAY, PATIENCE, Calendar, Person, raven, serving
from tests.server.storage.test_privacy import stored
from tests.server.transport.inside import make

Served = tuple[Server, TestClient, Calendar]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    calendar = Calendar()
    with serving(tmp_path / "x.db", calendar, tables_per_client=500) as (server, client):
        yield server, client, calendar


def made(person: Person, *bots: str, **wishes: Any) -> str:
    body = {"game": "stones", "bots": bots or ("fawn",), "name": person.name, **wishes}
    answer = person.post("duplicates", **body)
    assert answer.status_code == 201, answer.text
    assert answer.json()["path"] == f"duplicate/{answer.json()['duplicate']}"
    return str(answer.json()["duplicate"])


def begun(person: Person, duplicate: str, board: int = 0) -> str:
    answer = person.post(f"duplicates/{duplicate}/play", board=board, name=person.name)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["table"])


def code(answer: Any) -> str:
    return str(answer.json()["error"]["code"])


def closing(socket: WebSocketTestSession) -> int:
    """The code that a socket is closed with."""
    try:
        while True:
            socket.receive_text()
    except WebSocketDisconnect as end:
        return end.code


def played(person: Person, *who: str, first: Any = 0, whole: bool = False, **wishes: Any) -> str:
    """A finished game of somebody's, against bots, given up unless `whole`; its table."""
    table = str(make(person.client, person.key, *who, first=first, **wishes)["table"])
    if whole:
        person.play(table)
    else:
        given_up(person, table)
    return table


def given_up(person: Person, table: str) -> None:
    person.decide(table)
    assert person.post(f"tables/{table}/resign").status_code == 200


def from_game(person: Person, table: str, **wishes: Any) -> str:
    answer = person.post(f"tables/{table}/duplicate", name=person.name, **wishes)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["duplicate"])


def people(client: TestClient, *names: str) -> list[Person]:
    return [Person(client, name) for name in names]


# --- A deal of one's own making ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "bots"), [("board", ["fawn"]), ("stones", ["hare", "hare"]), ("stones", ["fox"] * 3)]
)
def test_everybody_plays_the_same_deal_against_the_same_bots(
    served: Served, game: str, bots: list[str]
) -> None:
    _, client, _ = served
    ann, ben, cid = people(client, "Ann", "Ben", "Cid")
    deal = made(ann, *bots, game=game, seat=1)
    records = [person.play(begun(person, deal)) for person in (ann, ben)]
    cid.play(begun(cid, deal), raven)
    one, other = records
    # Who decides the same meets the same decisions: names make no difference.
    assert one["players"] != other["players"]
    assert one["players"].index("Ann") == other["players"].index("Ben") == 1
    assert {**one, "players": 0, "fair": 0} == {**other, "players": 0, "fair": 0}
    assert one["fair"]["scheme"] == deals.GIVEN_SCHEME
    assert deals.verify(one).holds
    (board,) = ann.get(f"duplicates/{deal}")["boards"]
    found = {each["name"]: each for each in board["results"]}
    lead = one["result"]["scores"][1] - max(
        score for k, score in enumerate(one["result"]["scores"]) if k != 1
    )
    assert found["Ann"]["lead"] == found["Ben"]["lead"] == lead
    assert found["Ann"]["place"] == found["Ben"]["place"]
    assert sum(each["points"] for each in found.values()) == pytest.approx(1.5)
    assert [each["you"] for each in found.values() if each["name"] == "Ann"] == [True]
    # How the others played it can be looked at.
    replayed = ann.get(f"duplicates/{deal}/records/0/{found['Cid']['number']}")
    assert "Cid" in replayed["players"]
    assert keltis.load(replayed).is_over


def test_everybody_sits_once_in_every_seat(served: Served) -> None:
    _, client, _ = served
    ann, ben = people(client, "Ann", "Ben")
    deal = made(ann, "fawn", seats="all")
    setups = set()
    for board in range(2):
        assert ann.get(f"duplicates/{deal}")["total"] is None
        record = ann.play(begun(ann, deal, board))
        assert record["players"].index("Ann") == board
        setups.add(json.dumps(record["setup"]))
        ben.play(begun(ben, deal, board), raven)
    assert len(setups) == 2  # each board is a deal of its own: nobody knows the cards
    told = ann.get(f"duplicates/{deal}")
    assert [board["seat"] for board in told["boards"]] == [0, 1]
    assert [board["bots"].index(None) for board in told["boards"]] == [0, 1]
    totals = {each["name"]: each for each in told["total"]}
    for name, each in totals.items():
        lines = [line for board in told["boards"] for line in board["results"]
                 if line["name"] == name]  # fmt: skip
        assert each["lead"] == sum(line["lead"] for line in lines)
        assert each["points"] == pytest.approx(sum(line["points"] for line in lines) / 2, abs=1e-3)
    assert sum(each["points"] for each in totals.values()) == pytest.approx(1)
    assert code(ann.post(f"duplicates/{deal}/play", board=2, name="Ann")) == "not_found"


def test_there_is_one_attempt_and_it_can_be_taken_up(served: Served) -> None:
    _, client, _ = served
    (ann,) = people(client, "Ann")
    deal = made(ann)
    with ThreadPoolExecutor(4) as pool:
        (table,) = set(pool.map(lambda _: begun(ann, deal), range(4)))
    may = ann.state(table)["you"]["may"]
    assert not any(may[what] for what in ("take_back", "hint", "leave", "duplicate"))
    given_up(ann, table)
    assert begun(ann, deal) == table
    assert code(ann.post(f"tables/{table}/duplicate", name="Ann")) == "not_allowed"
    assert ann.post(f"tables/{table}/rematch").status_code == 403


def test_who_gives_up_has_no_points(served: Served) -> None:
    _, client, _ = served
    ann, ben = people(client, "Ann", "Ben")
    deal = made(ann)
    table = begun(ann, deal)
    ann.decide(table)
    assert ann.post(f"tables/{table}/resign").status_code == 200
    ben.play(begun(ben, deal))
    (board,) = ann.get(f"duplicates/{deal}")["boards"]
    assert [(each["name"], each["state"], each["place"], each["points"])
            for each in board["results"]] == [("Ben", "finished", 1, 1.0),
                                              ("Ann", "given up", None, 0.0)]  # fmt: skip


# --- From a game that was played -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "who", "first"),
    [
        ("board", ["me", "fox"], "chance"),
        ("board", ["fawn", "me", "fox", "random"], 2),
        ("stones", ["fawn", "hare", "me"], "chance"),
    ],
)
def test_the_deal_of_a_game_is_given_to_others(
    served: Served, game: str, who: list[str], first: Any
) -> None:
    _, client, _ = served
    ann, ben = people(client, "Ann", "Ben")
    options = {"clover_step": "must"} if game == "board" else {}
    whole = game == "stones"
    table = played(ann, *who, first=first, game=game, options=options, whole=whole)
    source = ann.get(f"tables/{table}/record")
    state = ann.get(f"tables/{table}")
    assert state["you"]["may"]["duplicate"]
    deal = from_game(ann, table)
    assert from_game(ann, table) == deal  # there is one for each seat
    told = ben.get(f"duplicates/{deal}")
    (seat,) = state["you"]["seats"]
    assert ann.get(f"tables/{table}")["table"]["duplicates"] == {str(seat): deal}
    (board,) = told["boards"]
    assert (told["game"], told["players"], told["by"]) == (game, len(who), "Ann")
    assert board["seat"] == seat
    expected = [each["level"] for each in state["table"]["seats"]]
    assert board["bots"] == [level if level != "random" else "raven" for level in expected]
    mine = begun(ben, deal)
    given_up(ben, mine)
    record = ben.get(f"tables/{mine}/record")
    assert record["setup"] == source["setup"]
    assert record["options"] == source["options"]
    assert record["players"].index("Ben") == seat
    (board,) = ann.get(f"duplicates/{deal}")["boards"]
    found = {each["name"]: each for each in board["results"]}
    original = found[source["players"][seat]]
    assert (original["original"], original["you"]) == (True, True)
    assert found["Ben"]["original"] is False
    if whole:
        assert original["score"] == source["result"]["scores"][seat]
        assert (original["place"], original["points"]) == (1, 1.0)
    else:
        assert original["state"] == "given up"


def test_who_has_played_the_game_has_had_the_attempt(served: Served) -> None:
    """Ann's result is that game; Ben, who sat elsewhere, knows the cards and has none, and so does
    Dan, whose device was at Ann's seat for a while."""
    _, client, _ = served
    ann, ben, cid, dan = people(client, "Ann", "Ben", "Cid", "Dan")
    wish = make(client, ann.key, "me", "open", "fawn", game="stones")
    joining = {"name": "Ben", "invitation": wish["invitation"], "ready": True}
    assert ben.post(f"tables/{wish['table']}/join", **joining).status_code == 200
    table = str(wish["table"])
    link = ann.post(f"tables/{table}/invitations", seat=0).json()["invitation"]
    assert dan.post(f"tables/{table}/join", name="Dan", invitation=link).status_code == 200
    device = dan.get(f"tables/{table}")["devices"][0]["devices"][1]["device"]
    assert ann.post(f"tables/{table}/remove", device=device).status_code == 200
    while True:
        state = ann.get(f"tables/{table}")
        if state["table"]["status"] == "over":
            break
        turn = state["views"][0]["seat"] if state["views"] else None
        if turn in (0, 1):
            (ann, ben)[turn].decide(table)
    deal = from_game(ann, table, level="fox")
    assert begun(ann, deal) == table
    answer = ben.post(f"duplicates/{deal}/play", name="Ben")
    assert (code(answer), "know these cards" in answer.text) == ("not_allowed", True)
    told = ben.get(f"duplicates/{deal}")
    assert told["known"]
    assert [each["name"] for each in told["boards"][0]["results"]] == ["Player 1"]
    assert told["boards"][0]["bots"] == [None, "fox", "fawn"]
    assert code(dan.post(f"duplicates/{deal}/play", name="Dan")) == "not_allowed"
    # Ben may give his own seat to others; then it is Ann who knows the cards.
    his = from_game(ben, table)
    assert his != deal
    assert code(ann.post(f"duplicates/{his}/play", name="Ann")) == "not_allowed"
    given_up(cid, begun(cid, his))
    assert [each["name"] for each in cid.get(f"duplicates/{his}")["boards"][0]["results"]].count(
        "Cid"
    ) == 1


def test_only_a_finished_game_of_ones_own_can_be_given(served: Served) -> None:
    _, client, calendar = served
    ann, ben = people(client, "Ann", "Ben")
    running = make(client, ann.key, "me", "fawn", game="stones")["table"]
    ann.state(running)
    assert code(ann.post(f"tables/{running}/duplicate", name="Ann")) == "not_allowed"
    table = played(ann, "me", "fawn", game="stones")
    assert code(ben.post(f"tables/{table}/duplicate", name="Ben")) == "not_allowed"
    assert code(ann.post(f"tables/{table}/duplicate", name="Ann", seat=1)) == "not_allowed"
    assert code(ann.post(f"tables/{table}/duplicate", name="Ann", seat=3)) == "no_such_seat"
    assert code(ann.post(f"tables/{table}/duplicate", name="Ann", level="random")) == "bad_request"
    assert code(ann.post("tables/nothing/duplicate", name="Ann")) == "unknown_table"
    # A day's deal is everybody's: nobody is shown it by another way.
    calendar.set(FIRST_DAY)
    today = ann.begin(FIRST_DAY)
    given_up(ann, today)
    assert code(ann.post(f"tables/{today}/duplicate", name="Ann")) == "not_allowed"


# --- Nothing too early ---------------------------------------------------------------------------


def test_nothing_of_a_deal_is_shown_to_who_has_not_played_it(served: Served) -> None:
    server, client, _ = served
    ann, ben, eve = people(client, "Ann", "Ben", "Eve")
    table = played(ann, "me", "fawn", game="board")
    record = ann.get(f"tables/{table}/record")
    assert eve.get(f"tables/{table}/record") == record  # it was open to whoever has the link
    deal = from_game(ann, table)
    mix = server.service.registry.get(table).table.mix().hex()  # type: ignore[union-attr]
    for who in (ben, eve):
        for path in (f"tables/{table}", f"tables/{table}/record", f"tables/{table}/events"):
            assert code(client.get(f"/api/{path}", headers=who.headers)) == "no_spectators"
        address = f"/api/tables/{table}/socket"
        with client.websocket_connect(address, headers=who.headers) as socket:
            assert json.loads(socket.receive_text())["code"] == "no_spectators"
            assert closing(socket) == 4403
    assert ann.get(f"tables/{table}/record") == record

    def shown(person: Person) -> str:
        """All that somebody can ask for."""
        paths = [
            f"duplicates/{deal}", "me/duplicates", "me/games", "me/games/running", "me",
            "me/games/records", "tables", "tables/mine", "me/games/summary",
        ]  # fmt: skip
        return "\n".join(client.get(f"/api/{p}", headers=person.headers).text for p in paths)

    mine = begun(ben, deal)
    ben.decide(mine)
    told = ben.get(f"duplicates/{deal}")
    assert told["boards"][0]["results"] is None
    assert told["played"] == ["Player 1"]
    assert code(client.get(f"/api/duplicates/{deal}/records/0/0", headers=ben.headers)) == (
        "not_allowed"
    )
    draw = json.dumps(record["setup"]["draw"], separators=(",", ":"))
    hers = json.dumps(record["setup"]["hands"][1], separators=(",", ":"))
    for who in (ben, eve):
        text = shown(who)
        for secret in (table, mix, draw, hers, draw[1:-1][:40]):
            assert secret not in text
    view = ben.get(f"tables/{mine}")
    assert view["table"]["fair"]["server_seed"] is None
    assert mix not in json.dumps(view)
    # Another's attempt is nobody's to look at, not even by its link.
    for path in (f"tables/{mine}", f"tables/{mine}/record"):
        assert code(client.get(f"/api/{path}", headers=eve.headers)) == "no_spectators"
        assert code(client.get(f"/api/{path}", headers=ann.headers)) == "no_spectators"
    given_up(ben, mine)
    assert ben.get(f"duplicates/{deal}")["boards"][0]["results"]
    assert ben.get(f"duplicates/{deal}/records/0/0")["setup"] == record["setup"]
    assert code(client.get(f"/api/duplicates/{deal}/records/0/0", headers=eve.headers)) == (
        "not_allowed"
    )
    assert code(client.get(f"/api/duplicates/{deal}/records/0/9", headers=ben.headers)) == (
        "not_found"
    )


def test_who_watches_a_game_sees_it_no_more_when_its_deal_is_given_to_others(
    served: Served,
) -> None:
    _, client, _ = served
    ann, eve = people(client, "Ann", "Eve")
    table = played(ann, "me", "fawn", game="stones")
    with client.websocket_connect(f"/api/tables/{table}/socket", headers=eve.headers) as socket:
        assert json.loads(socket.receive_text())["type"] == "state"
        from_game(ann, table)
        assert closing(socket) == 4403


def test_the_game_stays_closed_after_a_restart(tmp_path: Path) -> None:
    calendar = Calendar()
    with serving(tmp_path / "x.db", calendar) as (_, client):
        ann = Person(client, "Ann")
        table = played(ann, "me", "fawn", game="stones")
        deal = from_game(ann, table)
    with serving(tmp_path / "x.db", calendar) as (_, client):
        ben = Person(client, "Ben")
        answer = client.get(f"/api/tables/{table}/record", headers=ben.headers)
        assert code(answer) == "no_spectators"
        assert Person(client, "Ann", ann.key).get(f"tables/{table}")["table"]["duplicates"] == {
            "0": deal
        }
        given_up(ben, begun(ben, deal))


def test_who_has_played_a_deal_from_one_seat_plays_it_from_no_other(served: Served) -> None:
    """Two seats of one game are two duplicates, with the same cards."""
    _, client, _ = served
    ann, ben, eve = people(client, "Ann", "Ben", "Eve")
    table = played(ann, "me", "me", game="stones")
    deals_ = [from_game(ann, table, seat=seat) for seat in (0, 1)]
    assert len(set(deals_)) == 2
    mine = begun(ben, deals_[0])
    for _ in range(2):  # under way, and over
        answer = ben.post(f"duplicates/{deals_[1]}/play", name="Ben")
        assert code(answer) == "not_allowed"
        assert "you know these cards" in answer.json()["error"]["message"]
        assert ben.get(f"duplicates/{deals_[1]}")["known"] is True
        assert ben.get(f"duplicates/{deals_[0]}")["known"] is False
        assert begun(ben, deals_[0]) == mine
        ben.play(mine)
    assert eve.get(f"duplicates/{deals_[1]}")["known"] is False
    begun(eve, deals_[1])


@pytest.fixture(params=["sqlite", "postgresql"])
def doors(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[TestClient]]:
    """Two ways to the same tables: one server, or two that share a PostgreSQL."""
    with ExitStack() as stack:
        calendar = Calendar()
        if request.param == "sqlite":
            _, client = stack.enter_context(serving(tmp_path / "x.db", calendar))
            yield [client, client]
        else:
            shared = request.getfixturevalue("postgresql")
            yield [stack.enter_context(serving(shared, calendar))[1] for _ in range(2)]


def test_nor_by_asking_for_both_at_once(
    doors: list[TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each seat's hand would be seen while the other plays."""
    ann = Person(doors[0], "Ann")
    table = played(ann, "me", "me", game="stones")
    wanted = [from_game(ann, table, seat=seat) for seat in (0, 1)]
    ben = Person(doors[0], "Ben")
    ways = [Person(door, "Ben", ben.key) for door in doors]
    looked, real = Barrier(2), attempts.plays_beside

    def plays_beside(*asked: Any) -> bool:
        found = real(*asked)
        looked.wait(PATIENCE)  # both have looked before either is written
        return found

    monkeypatch.setattr(attempts, "plays_beside", plays_beside)

    def play(way: Person, deal: str) -> Any:
        return way.post(f"duplicates/{deal}/play", name="Ben")

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(play, ways, wanted))
    monkeypatch.undo()
    assert sorted(answer.status_code for answer in answers) == [200, 403]
    refused = next(answer for answer in answers if answer.status_code == 403)
    assert code(refused) == "not_allowed"
    assert sorted(ben.get(f"duplicates/{deal}")["known"] for deal in wanted) == [False, True]


def test_a_game_that_went_on_from_a_position_is_not_given_to_others(served: Served) -> None:
    """Its deal follows from no seed, and it is another game's."""
    _, client, _ = served
    (ann,) = people(client, "Ann")
    table = played(ann, "me", "fawn", game="stones", whole=True)
    wish = {"table": table, "step": 3, "level": "fawn", "name": "Ann"}
    further = ann.post("review/play", **wish).json()["table"]
    given_up(ann, further)
    assert code(ann.post(f"tables/{further}/duplicate", name="Ann")) == "not_allowed"


def test_what_was_played_on_from_a_game_shows_it_to_nobody(served: Served) -> None:
    """It has the cards of a game that others may be given to play, then or before."""
    _, client, _ = served
    ann, eve = people(client, "Ann", "Eve")
    table = played(ann, "me", "fawn", game="board")
    wish = {"step": 1, "level": "fawn", "name": "Ann"}
    record = ann.get(f"tables/{table}/record")
    on = [
        ann.post("review/play", **wish, **source).json()["table"]
        for source in ({"table": table}, {"record": record})
    ]
    from_game(ann, table)
    on.append(ann.post("review/play", **wish, table=table).json()["table"])
    for further in on:
        ann.state(further)
        answer = client.get(f"/api/tables/{further}", headers=eve.headers)
        assert code(answer) == "no_spectators"


def test_a_link_to_a_seat_brings_nobody_to_a_deal_that_many_play(served: Served) -> None:
    """Whoever came by it would see the cards without an attempt, and then have one."""
    _, client, calendar = served
    (ann,) = people(client, "Ann")
    calendar.set(FIRST_DAY)
    for table in (begun(ann, made(ann)), ann.begin(FIRST_DAY)):
        assert ann.state(table)["you"]["may"]["link"] is False
        assert code(ann.post(f"tables/{table}/invitations", seat=0)) == "not_allowed"


# --- Limits and time -----------------------------------------------------------------------------


def test_what_cannot_be_is_refused_in_words(served: Served) -> None:
    _, client, _ = served
    (ann,) = people(client, "Ann")
    good = {"game": "stones", "bots": ["fawn"], "name": "Ann"}
    wrongs: list[dict[str, Any]] = [
        {"bots": []},
        {"bots": ["fawn"] * 4},
        {"bots": ["random"]},  # it does not decide alike for everybody
        {"bots": ["no such"]},
        {"seats": "some"},
        {"name": " \u202e"},
        {"name": "x" * 25},
        {"options": {"clover_step": "must"}},
        {"game": "chess"},
        {"more": 1},
    ]
    for wrong in wrongs:
        answer = ann.post("duplicates", **{**good, **wrong})
        assert (answer.status_code, code(answer)) == (422, "bad_request"), wrong
    assert code(ann.post("duplicates", **good, seat=2)) == "no_such_seat"
    assert code(ann.post("duplicates/nothing/play", name="Ann")) == "not_found"
    assert client.get("/api/duplicates/nothing").status_code == 404
    deal = made(ann)
    assert code(ann.post(f"duplicates/{deal}/play", name="\x00")) == "bad_request"
    # Nobody needs a key to look.
    assert client.get(f"/api/duplicates/{deal}").json()["yours"] is False


def test_how_many_are_made_and_how_many_play_is_limited(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, client, calendar = served
    monkeypatch.setattr(live_duplicates, "MOST_OPEN", 3)
    monkeypatch.setattr(live_duplicates, "MOST_PEOPLE", 2)
    ann, ben, cid = people(client, "Ann", "Ben", "Cid")
    deal = max(made(ann) for _ in range(3))
    answer = ann.post("duplicates", game="stones", bots=["fawn"], name="Ann")
    assert code(answer) == "too_many_tables"
    table = played(ann, "me", "fawn", game="stones")
    assert code(ann.post(f"tables/{table}/duplicate", name="Ann")) == "too_many_tables"
    for person in (ann, ben):
        begun(person, deal)
    assert code(cid.post(f"duplicates/{deal}/play", name="Cid")) == "not_allowed"
    begun(ann, deal)  # who plays goes on
    calendar.now += 86_400 * (duplicates.OPEN_DAYS + 1)
    made(ann)


def test_a_duplicate_closes_and_is_deleted_with_old_tables(served: Served) -> None:
    server, client, calendar = served
    ann, ben, cid = people(client, "Ann", "Ben", "Cid")
    deal = made(ann)
    table = begun(ben, deal)
    calendar.now += 86_400 * (duplicates.OPEN_DAYS + 1)
    assert ann.get(f"duplicates/{deal}")["open"] is False
    assert code(cid.post(f"duplicates/{deal}/play", name="Cid")) == "not_allowed"
    given_up(ben, begun(ben, deal))  # what was begun is played to its end
    assert ben.get(f"duplicates/{deal}")["boards"][0]["own"]["table"] == table
    with maintenance.opened(server.settings.database_url) as store:
        assert attempts.expire(store, 100_000) == 0
        maintenance.prune(store, 1, None)
        assert attempts.find_deal(store, deal) is None
        assert attempts.at_deal(store, deal) == []
    assert client.get(f"/api/duplicates/{deal}").status_code == 404
    assert ben.get("me/duplicates") == {"duplicates": []}


def test_own_duplicates_are_listed(served: Served) -> None:
    _, client, _ = served
    ann, ben, eve = people(client, "Ann", "Ben", "Eve")
    deal = made(ann, seats="all")
    given_up(ben, begun(ben, deal, 1))
    (mine,) = ann.get("me/duplicates")["duplicates"]
    (his,) = ben.get("me/duplicates")["duplicates"]
    assert (mine["duplicate"], mine["yours"], mine["done"], mine["of"]) == (deal, True, 0, 2)
    assert (his["duplicate"], his["yours"], his["done"], his["of"]) == (deal, False, 1, 2)
    assert eve.get("me/duplicates") == client.get("/api/me/duplicates").json() == {"duplicates": []}


# --- What is stored of people --------------------------------------------------------------------


def test_deletion_leaves_no_trace_and_the_others_keep_their_results(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    with serving(file, Calendar()) as (_, client):
        ann, ben = people(client, "Annabella", "Benedikt")
        deal = made(ann, seats="all")
        for person in (ann, ben):
            person.play(begun(person, deal))
        begun(ann, deal, 1)
        own = played(ann, "me", "fawn", game="stones")
        given_up(ben, begun(ben, from_game(ann, own)))
        before = {each["name"]: each for each in
                  ben.get(f"duplicates/{deal}")["boards"][0]["results"]}  # fmt: skip
        lines = client.get("/api/me", headers=ann.headers).text.splitlines()
        told = [each for line in lines if "attempts" in (each := json.loads(line))]
        assert [each["duplicates"][0]["name"] for each in told] == ["Annabella"]
        assert len(told[0]["attempts"]) == 3
        assert client.delete("/api/me", headers=ann.headers).status_code == 200
        after = ben.get(f"duplicates/{deal}")
        assert after["by"] is None
        board = after["boards"][0]["results"]
        assert {each["name"] for each in board} == {None, "Benedikt"}
        assert [each["lead"] for each in board if each["you"]] == [before["Benedikt"]["lead"]]
        assert sorted(each["lead"] for each in board) == sorted(
            each["lead"] for each in before.values()
        )
        assert not any(each["replay"] for each in board if each["name"] is None)
        (gone,) = [each["number"] for each in board if each["name"] is None]
        path = f"/api/duplicates/{deal}/records/0/{gone}"
        assert code(client.get(path, headers=ben.headers)) == "not_found"
    text = stored(file)
    for secret in ("Annabella", keys.digest(ann.key), keys.digest(ann.key)[:12] + ":"):
        assert secret not in text
    assert "Benedikt" in text


def test_a_person_is_given_all_of_their_attempts_and_duplicates_and_no_seed(
    served: Served,
) -> None:
    server, client, _ = served
    ann, ben = people(client, "Ann", "Ben")
    table = played(ann, "me", "fox", "hare", game="stones")
    from_hers, new = from_game(ann, table), made(ann, "fawn", game="board", seats="all")
    begun(ann, new)
    given_up(ann, begun(ann, new, 1))
    ann.play(ann.begin(FIRST_DAY))

    def told(person: Person) -> Any:
        text = client.get("/api/me", headers=person.headers).text
        return next(each for line in text.splitlines() if "attempts" in (each := json.loads(line)))

    given = told(ann)
    named = {"table_id": "table", "begun_at": "begun", "over_at": "over"}
    stored_of_each = {named.get(name, name) for name in Row._fields} - {"holder"}
    assert all(set(each) == stored_of_each for each in given["attempts"])
    states = {(each["deal"], each["board"]): each["state"] for each in given["attempts"]}
    assert states == {
        (from_hers, 0): "given up",
        (new, 0): "playing",
        (new, 1): "given up",
        (f"{FIRST_DAY}-sr", 0): "finished",
    }
    by_id = {each["deal"]: each for each in given["duplicates"]}
    assert by_id[from_hers]["source"] == table
    assert by_id[from_hers]["game"] == "stones"
    assert sorted(by_id[from_hers]["rounds"][0], key=str) == sorted([None, "fox", "hare"], key=str)
    assert by_id[new]["rounds"] == [[None, "fawn"], ["fawn", None]]
    for deal in (from_hers, new):
        body = attempts.find_deal(server.store, deal)
        assert body is not None
        assert not any(board["mix"] in json.dumps(given) for board in body.body["boards"])
    # Whoever was in a game that is given to others has an entry that says so, and no more.
    shared_game = make(client, ann.key, "me", "open", game="stones")
    assert ben.post(
        f"tables/{shared_game['table']}/join",
        name="Ben", invitation=shared_game["invitation"], ready=True,
    ).status_code == 200  # fmt: skip
    until = time.monotonic() + PATIENCE
    while ben.get(f"tables/{shared_game['table']}")["table"]["status"] == "waiting":
        assert time.monotonic() < until
    assert ben.post(f"tables/{shared_game['table']}/resign").status_code == 200
    from_game(ann, shared_game["table"])
    assert [each["state"] for each in told(ben)["attempts"]] == ["known"]


def test_a_duplicate_is_its_makers_whichever_device_of_the_seat_made_it(tmp_path: Path) -> None:
    """So it counts for that key, and goes with it."""
    file = tmp_path / "x.db"
    with serving(file, Calendar()) as (_, client):
        ann, phone = people(client, "Ann", "Annabella")
        table = str(make(client, ann.key, "me", "fawn", game="stones", first=0)["table"])
        ann.state(table)
        invitation = ann.post(f"tables/{table}/invitations", seat=0).json()["invitation"]
        joining = {"name": "Phone", "invitation": invitation, "ready": True}
        assert phone.post(f"tables/{table}/join", **joining).status_code == 200
        given_up(phone, table)
        deal = from_game(phone, table)
        assert phone.get(f"duplicates/{deal}")["yours"]
        assert not ann.get(f"duplicates/{deal}")["yours"]
        assert client.delete("/api/me", headers=phone.headers).status_code == 200
    text = stored(file)
    for secret in ("Annabella", keys.digest(phone.key)):
        assert secret not in text


def test_old_names_go_from_duplicates_too(tmp_path: Path) -> None:
    from keltis.server.storage import privacy

    file = tmp_path / "x.db"
    with serving(file, Calendar()) as (server, client):
        ann, ben = people(client, "Annabella", "Benedikt")
        table = played(ann, "me", "fawn", game="stones")
        deal = from_game(ann, table)
        given_up(ben, begun(ben, deal))
        url = server.settings.database_url
    with maintenance.opened(url) as store:
        privacy.forget_names(store, 0)
    text = stored(file)
    for secret in ("Annabella", "Benedikt", keys.digest(ann.key), keys.digest(ben.key)):
        assert secret not in text
    with serving(file, Calendar()) as (_, client):
        assert client.get(f"/api/duplicates/{deal}").json()["played"] == []


def test_an_id_that_no_database_takes_is_none_of_ours(postgresql: str) -> None:
    """It is the client's fault, and not one of the database."""
    with serving(postgresql, Calendar()) as (server, client):
        (ann,) = people(client, "Ann")
        faults: list[str] = []
        server.store.on_fault = faults.append
        answers = [client.get(f"/api/duplicates/{odd}", headers=ann.headers) for odd in ODD]
        answers += [ann.post(f"duplicates/{odd}/play", name="Ann") for odd in ODD]
        answers += [client.delete(f"/api/me/games/{odd}", headers=ann.headers) for odd in ODD]
        assert {answer.status_code for answer in answers} == {404}
        assert faults == []


ODD = ["%00", "a%00b", "abcdefghijk%00", "%F0%9F%98%80", "%FF%FE", "x" * 64]
