"""The day's deals: one attempt each, the same bots for everybody, nothing shown too early."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from starlette.testclient import TestClient

from keltis import bots
from keltis.server.app import Server
from keltis.server.live.days import longest, place, streak
from keltis.server.settings import database_url
from keltis.server.storage import maintenance
from keltis.server.tables import chain, deals
from tests.server.days.playing import FIRST_DAY, Calendar, Person, last_legal, raven, serving
from tests.server.transport.inside import socket

SECOND_DAY, THIRD_DAY, FOURTH_DAY = "2026-03-02", "2026-03-03", "2026-03-04"
Served = tuple[Server, TestClient, Calendar]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    calendar = Calendar()
    with serving(tmp_path / "days.db", calendar) as (server, client):
        yield server, client, calendar


def test_three_people_play_a_days_deal_and_are_compared(served: Served) -> None:
    _, client, _ = served
    ann, ben, cid = (Person(client, name) for name in ("Ann", "Ben", "Cid"))
    for person, choose in ((ann, last_legal), (ben, last_legal), (cid, raven)):
        person.play(person.begin(FIRST_DAY), choose)
    leads = {person.name: person.deal(FIRST_DAY)["lead"] for person in (ann, ben, cid)}
    assert leads["Ann"] == leads["Ben"] != leads["Cid"]
    found = {person.name: person.deal(FIRST_DAY) for person in (ann, ben, cid)}
    for each in found.values():
        assert each["finished"] == 3
        assert each["leads"] == sorted([[leads["Ann"], 2], [leads["Cid"], 1]])
    # Who has the same lead has the same place.
    assert found["Ann"]["place"] == found["Ben"]["place"]
    best = "Cid" if leads["Cid"] > leads["Ann"] else "Ann"
    assert found[best]["place"]["place"] == 1
    worse = "Ann" if best == "Cid" else "Cid"
    assert found[worse]["place"]["place"] == (2 if best == "Cid" else 3)
    other_way = found[worse]["other_way"]
    assert other_way["yours"] != other_way["theirs"]
    assert other_way["lead"] == leads[best]


def test_the_first_attempt_counts_and_is_taken_up(served: Served) -> None:
    server, client, _ = served
    ann = Person(client, "Ann")
    table = ann.begin(FIRST_DAY)
    assert ann.decide(table)
    assert ann.begin(FIRST_DAY) == table
    ann.play(table)
    assert ann.begin(FIRST_DAY) == table
    engine = create_engine(server.settings.database_url)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM attempts")).scalar() == 1
    engine.dispose()


def test_two_requests_at_once_begin_one_attempt(served: Served) -> None:
    _, client, _ = served
    ann = Person(client, "Ann")
    with ThreadPoolExecutor(4) as pool:
        tables = set(pool.map(lambda _: ann.begin(FIRST_DAY), range(4)))
    assert len(tables) == 1


def test_an_attempt_goes_on_after_a_restart(tmp_path: Path) -> None:
    calendar = Calendar()
    with serving(tmp_path / "days.db", calendar) as (_, client):
        ann = Person(client, "Ann")
        table = ann.begin(FIRST_DAY)
        for _ in range(3):
            ann.decide(table)
        before = ann.state(table)["views"][0]["history"]
        anchor = ann.get("days/chain")["anchor"]
    with serving(tmp_path / "days.db", calendar) as (_, client):
        again = Person(client, "Ann", ann.key)
        again.count = 100
        assert again.begin(FIRST_DAY) == table
        assert again.state(table)["views"][0]["history"] == before
        assert again.get("days/chain")["anchor"] == anchor
        again.play(table)
        assert again.deal(FIRST_DAY)["state"] == "finished"


def test_there_is_no_help(served: Served) -> None:
    """No take-back, hints, spectators, substitutes or second game."""
    _, client, _ = served
    ann, ben = Person(client, "Ann"), Person(client, "Ben")
    table = ann.begin(FIRST_DAY, "board")
    ann.decide(table)
    state = ann.state(table)
    may = state["you"]["may"]
    assert not any(may[what] for what in ("take_back", "hint", "leave", "rematch"))
    for command, body in (
        ("take_back", {"seq": state["seq"]}),
        ("hint", {}),
        ("leave", {}),
        ("replace", {"seat": 0}),
    ):
        assert ann.post(f"tables/{table}/{command}", **body).status_code in (403, 409), command
    watching = client.get(f"/api/tables/{table}", headers=ben.headers)
    assert watching.json()["error"]["code"] == "no_spectators"
    ann.play(table)
    assert ann.post(f"tables/{table}/rematch").status_code == 403


def doors(table: str) -> list[tuple[str, str, dict[str, object] | None]]:
    """Every way in which a game of one's own can be shown, judged, gone on with or passed on."""
    source: dict[str, object] = {"table": table, "step": 0}
    own: list[dict[str, object]] = [{"seat": 0}, {"seat": 1}]
    return [
        ("GET", f"tables/{table}/review", None),
        ("POST", "review/judge", {**source, "move": "?"}),
        ("POST", "review/play", {**source, "level": "druid"}),
        ("POST", f"tables/{table}/duplicate", {"name": "Ann"}),
        ("POST", f"tables/{table}/rematch", {}),
        ("POST", f"tables/{table}/hint", {}),
        ("POST", f"tables/{table}/take_back", {"seq": 1}),
        *(("POST", f"tables/{table}/invitations", seat) for seat in own),
        ("POST", f"tables/{table}/join", {"name": "Eve"}),
    ]


def test_no_door_leads_round_a_deal_that_counts(served: Served) -> None:
    _, client, _ = served
    ann, ben = Person(client, "Ann"), Person(client, "Ben")
    table = ann.begin(FIRST_DAY)
    ann.decide(table)

    def refused(person: Person, at: str) -> None:
        for method, path, body in doors(at):
            answer = client.request(method, f"/api/{path}", json=body, headers=person.headers)
            assert answer.status_code in (403, 409), (path, answer.text)

    refused(ann, table)
    refused(ben, table)
    ann.play(table)
    refused(ben, table)  # it is over for Ann only
    # Ann may look at her own game now. What she plays on from it is nobody's to watch or to have.
    assert client.get(f"/api/tables/{table}/review", headers=ann.headers).status_code == 200
    assert ann.post(f"tables/{table}/duplicate", name="Ann").status_code == 403
    on = ann.post("review/play", table=table, step=0, level="fawn").json()["table"]
    watching = client.get(f"/api/tables/{on}", headers=ben.headers)
    assert watching.json()["error"]["code"] == "no_spectators"
    ann.play(on)
    refused(ben, on)
    assert ann.post(f"tables/{on}/duplicate", name="Ann").status_code == 403


def test_who_gives_up_stands_behind_everybody(served: Served) -> None:
    _, client, _ = served
    ann, ben = Person(client, "Ann"), Person(client, "Ben")
    table = ann.begin(FIRST_DAY)
    ann.decide(table)
    assert ann.post(f"tables/{table}/resign").status_code == 200
    ben.play(ben.begin(FIRST_DAY))
    given = ann.deal(FIRST_DAY)
    assert given["state"] == "given up"
    assert given["lead"] is given["place"] is None
    told = ben.deal(FIRST_DAY)
    assert (told["finished"], told["given_up"]) == (1, 1)


def test_an_attempt_whose_table_is_ended_or_deleted_by_its_age_is_given_up(tmp_path: Path) -> None:
    file, calendar = tmp_path / "days.db", Calendar()
    with serving(file, calendar) as (_, client):
        ann, ben = Person(client, "Ann"), Person(client, "Ben")
        ann.play(ann.begin(FIRST_DAY))
        ann.begin(FIRST_DAY, "stones", "druid")
        wish = {"game": "stones", "bots": ["fawn"], "name": "Ben"}
        duplicate = ben.post("duplicates", **wish).json()["duplicate"]
        table = ben.post(f"duplicates/{duplicate}/play", name="Ben").json()["table"]
        ben.decide(table)
    with maintenance.opened(database_url(str(file))) as store:
        assert maintenance.end_abandoned(store, 1) == 2
    with serving(file, calendar) as (_, client):
        ann, ben = Person(client, "Ann", ann.key), Person(client, "Ben", ben.key)
        given = ann.deal(FIRST_DAY, "stones", "druid")
        assert (given["state"], given["given_up"]) == ("given up", 1)
        (line,) = ben.get(f"duplicates/{duplicate}")["boards"][0]["results"]
        assert line["state"] == "given up"
    with maintenance.opened(database_url(str(file))) as store:
        assert maintenance.prune(store, 0, None) == 3
    calendar.set(THIRD_DAY)
    with serving(file, calendar) as (_, client):
        ann = Person(client, "Ann", ann.key)
        for bot, state in (("raven", "finished"), ("druid", "given up")):
            deal = ann.deal(FIRST_DAY, "stones", bot)
            assert (deal["state"], deal["table"]) == (state, None)
            assert ann.decide(ann.begin(FIRST_DAY, "stones", bot))  # again, for fun


# --- The same for everybody ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "bot", "count"), [("stones", "druid", 500), ("board", "raven", 5)]
)
def test_bots_decide_the_same_for_two_people_on_two_servers(
    tmp_path: Path, game: str, bot: str, count: int
) -> None:
    """With names of their own, on servers that know nothing of each other but the chain; for so
    many decisions of one's own, or to the end."""
    played = []
    for number, name in enumerate(("Ann", "Benedict")):
        calendar = Calendar()
        file = tmp_path / f"{number}.db"
        with serving(file, calendar, bot_threads=1 + number) as (server, client):
            engine = create_engine(server.settings.database_url)
            made = chain.new_chain("ab" * 32, FIRST_DAY)
            with engine.begin() as connection:
                connection.execute(
                    text("UPDATE chains SET root = :root, anchor = :anchor"),
                    {"root": made.root, "anchor": made.end},
                )
            engine.dispose()
            server.service.days._chain = None
            person = Person(client, name)
            table = person.begin(FIRST_DAY, game, bot)
            while count > person.count and person.decide(table):
                pass
            played.append(person.state(table)["views"][0])
    one, other = played
    assert one["players"] != other["players"]
    assert len(one["history"]) > count / 4
    assert (one["setup"], one["history"]) == (other["setup"], other["history"])


def test_a_bots_seed_comes_from_what_it_sees_and_the_deal() -> None:
    import keltis
    from keltis.bots.seeds import bot_seed

    game = keltis.new_game("board", 2, seed=5)
    view = game.view(0)
    seed = bot_seed("aa", view)
    assert seed == bot_seed("aa", {**view, "players": ["Somebody", "Else"]})
    assert seed != bot_seed("bb", view)
    assert seed != bot_seed("aa", view, 0) != bot_seed("aa", view, 1)
    game.play(game.legal_moves()[0])
    game.play(game.legal_moves()[0])
    assert seed != bot_seed("aa", game.view(0))


# --- What is shown, and when ---------------------------------------------------------------------


def test_nothing_of_a_deal_is_told_to_who_has_not_finished_it(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    """By whatever can be asked for, nor by the log."""
    caplog.set_level(0)
    server, client, _ = served
    ann, ben = Person(client, "Ann"), Person(client, "Ben")
    table = ann.begin(FIRST_DAY)
    record = ann.play(table)
    bens = ben.begin(FIRST_DAY)
    ben.decide(bens)
    link = chain.link_of(server.service.days._chain or pytest.fail("no chain"), FIRST_DAY)
    heard: dict[str, str] = {}
    for path in (
        f"days/{FIRST_DAY}",
        "days/today",
        "days/chain",
        "days/calendar/2026-03",
        f"tables/{bens}",
        f"tables/{bens}/record",
        "tables",
        "tables/mine",
        "me",
        "me/devices",
        "me/duplicates",
        "me/games",
        "me/games/records",
        "me/games/running",
        "me/games/summary",
    ):
        answer = client.get(f"/api/{path}", headers=ben.headers)
        assert answer.status_code == 200, path
        heard[path] = answer.text
    with socket(client, bens, ben.key) as connected:
        heard["socket"] = json.dumps(connected.playing()) + json.dumps(connected.state)
    for path in ("healthz", "metrics"):
        heard[path] = client.get(f"/{path}").text
    heard["log"] = "\n".join(repr(each.__dict__) for each in caplog.records)
    for where, told in heard.items():
        assert link not in told, where
        assert record["fair"]["server_seed"] not in told, where
        assert json.dumps(record["setup"]["draw"][-6:])[1:-1] not in told, where
        assert table not in told or where == "log", where
    deal = ben.deal(FIRST_DAY)
    assert deal["finished"] == 1
    assert not {"leads", "par", "other_way", "place"} & set(deal)
    for path in ("", "/record", "/events"):
        answer = client.get(f"/api/tables/{table}{path}", headers=ben.headers)
        assert answer.json()["error"]["code"] == "no_spectators"
    # Nor is Ann's game there for a review or a duplicate of Ben's making.
    assert client.get(f"/api/tables/{table}/record").status_code == 403


def test_the_anchor_is_published_when_a_server_first_starts(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Before anybody asks for it; and it stays, while of the root nothing is said."""
    caplog.set_level(0)
    said, made = [], []
    for day in (FIRST_DAY, THIRD_DAY):
        caplog.clear()
        with serving(tmp_path / "days.db", Calendar(day)) as (server, _):
            said += [vars(each)["anchor"] for each in caplog.records if hasattr(each, "anchor")]
            found = server.service.days._chain or pytest.fail("no chain")
            assert found.root not in "".join(repr(each.__dict__) for each in caplog.records)
            made.append(found.anchor)
    assert said == made
    assert made[0] == made[1]
    assert made[0].startswith(FIRST_DAY)


def test_a_record_gives_nothing_away_of_the_days_link(served: Served) -> None:
    server, client, _ = served
    ann = Person(client, "Ann")
    record = ann.play(ann.begin(FIRST_DAY))
    made = server.service.days._chain
    assert made is not None
    text_of = json.dumps(record)
    assert made.root not in text_of
    assert chain.link_of(made, FIRST_DAY) not in text_of
    fair = record["fair"]
    assert fair["server_seed"] == chain.mix_of(
        chain.link_of(made, FIRST_DAY), chain.DayDeal(FIRST_DAY, "stones", "raven")
    )


def test_the_link_is_shown_when_the_day_is_closed_and_proves_the_record(served: Served) -> None:
    _, client, calendar = served
    ann = Person(client, "Ann")
    record = ann.play(ann.begin(FIRST_DAY))
    noted = ann.get("days/chain")["anchor"]
    for day in (FIRST_DAY, SECOND_DAY):
        calendar.set(day, 23)
        assert ann.get(f"days/{FIRST_DAY}")["link"] is None
        assert ann.get("days/chain")["last_link"] is None
    calendar.set(THIRD_DAY, 0)
    link = ann.get(f"days/{FIRST_DAY}")["link"]
    assert ann.get("days/chain")["last_link"] == {"day": FIRST_DAY, "link": link}
    assert ann.get(f"days/{SECOND_DAY}")["link"] is None
    assert deals.verify(record, noted, link).proven


def test_midnight_in_the_middle_of_a_game(served: Served) -> None:
    """It counts for the day on which it was begun, and that day only."""
    _, client, calendar = served
    ann = Person(client, "Ann")
    calendar.set(FIRST_DAY, 23)
    table = ann.begin(FIRST_DAY)
    ann.decide(table)
    calendar.set(SECOND_DAY, 0)
    assert ann.begin(FIRST_DAY) == table
    ann.play(table)
    assert ann.deal(FIRST_DAY)["state"] == "finished"
    assert ann.deal(FIRST_DAY)["place"]["place"] == 1
    assert ann.deal(SECOND_DAY)["state"] is None
    assert ann.get("days/calendar/2026-03")["streak"] == 1


def test_what_is_finished_after_the_link_was_shown_does_not_count(served: Served) -> None:
    _, client, calendar = served
    ann = Person(client, "Ann")
    table = ann.begin(FIRST_DAY)
    ann.decide(table)
    calendar.set(THIRD_DAY)
    assert ann.begin(FIRST_DAY) == table
    ann.play(table)
    late = ann.deal(FIRST_DAY)
    assert (late["state"], late["finished"], late["place"]) == ("late", 0, None)


def test_past_days_can_be_played_again_and_again_not_counting(served: Served) -> None:
    _, client, calendar = served
    ann = Person(client, "Ann")
    calendar.set(SECOND_DAY)
    refused = ann.post(f"days/{FIRST_DAY}/play", game="stones", bot="raven")
    assert refused.status_code == 403  # it is being finished by those who began it
    calendar.set(THIRD_DAY)
    first = ann.begin(FIRST_DAY)
    ann.play(first)
    assert ann.begin(FIRST_DAY) != first
    found = ann.deal(FIRST_DAY)
    assert (found["state"], found["finished"]) == (None, 0)
    assert ann.get("days/calendar/2026-03")["streak"] == 0
    # Nor among one's own games, where it leads back to its day and to nothing that is refused.
    (listed,) = ann.get("me/games")["games"]
    assert (listed["result"], listed["deal"]) == ("practice", f"{FIRST_DAY}-sr")
    may = ann.get(f"tables/{first}")["you"]["may"]
    assert not may["rematch"]
    assert not may["duplicate"]
    assert ann.get("me/games/summary")["counted"] == 0


@pytest.mark.parametrize("day", ["2026-02-28", SECOND_DAY, "yesterday", "2026-3-1", "9999-12-31"])
def test_no_day_but_those_since_the_start_is_there(served: Served, day: str) -> None:
    _, client, _ = served
    ann = Person(client, "Ann")
    refused = ann.post(f"days/{day}/play", game="stones", bot="raven")
    assert refused.status_code == 404
    assert refused.json()["error"]["code"] == "not_found"
    assert client.get(f"/api/days/{day}").status_code == 404


def test_days_that_were_left_out_can_be_played_for_fun(served: Served) -> None:
    """The server was off, or nobody asked."""
    _, client, calendar = served
    ann = Person(client, "Ann")
    calendar.set("2026-04-20")
    assert ann.get("days/today")["day"] == "2026-04-20"
    left_out = ann.get("days/2026-03-15")
    assert (left_out["open"], left_out["closed"]) == (False, True)
    assert chain.leads_to(left_out["link"], left_out["anchor"], "2026-03-15")
    shown = ann.get("days/chain")["last_link"]
    assert shown["day"] == "2026-04-18"
    assert chain.leads_to(shown["link"], left_out["anchor"], shown["day"])
    table = ann.begin("2026-03-15")
    ann.decide(table)
    assert ann.deal("2026-03-15")["state"] is None


def test_the_chain_ends_and_what_was_stays(served: Served) -> None:
    _, client, calendar = served
    ann = Person(client, "Ann")
    anchor = ann.get("days/chain")["anchor"]
    last = chain.after(FIRST_DAY, chain.LENGTH - 1)
    calendar.set(last)
    assert ann.decide(ann.begin(last))
    for days in (1, 2, 5):
        now = chain.after(last, days)
        calendar.set(now)
        for day in ("today", now):
            refused = client.get(f"/api/days/{day}")
            assert refused.status_code == 404
            assert f"to {last}" in refused.json()["error"]["message"]
        assert ann.post(f"days/{now}/play", game="stones", bot="raven").status_code == 404
        shown = ann.get("days/chain")["last_link"]
        assert shown["day"] == min(last, chain.after(now, -2))
        assert chain.leads_to(shown["link"], anchor, shown["day"])
    found = ann.get(f"days/{last}")
    assert (found["closed"], found["link"]) == (True, shown["link"])


def test_before_the_first_day_there_is_none_and_the_server_says_so(served: Served) -> None:
    """The clock was ahead when the server first started."""
    _, client, calendar = served
    client.get("/api/days/chain")
    calendar.set("2026-02-10")
    refused = client.get("/api/days/today")
    assert refused.status_code == 404
    assert refused.json()["error"]["message"] == f"day: there are days from {FIRST_DAY} on"
    assert client.get("/api/days/chain").json()["last_link"] is None


def test_a_clock_that_jumps_back_brings_no_day_again(served: Served) -> None:
    _, client, calendar = served
    ann = Person(client, "Ann")
    calendar.set(SECOND_DAY, 0)
    assert ann.get("days/today")["day"] == SECOND_DAY
    calendar.set(FIRST_DAY, 23)
    assert ann.get("days/today")["day"] == SECOND_DAY
    refused = ann.post(f"days/{FIRST_DAY}/play", game="stones", bot="raven")
    assert refused.status_code == 403


def test_the_latest_day_is_remembered_over_a_restart(tmp_path: Path) -> None:
    calendar = Calendar(SECOND_DAY)
    with serving(tmp_path / "days.db", calendar) as (_, client):
        calendar.set(THIRD_DAY)
        assert client.get("/api/days/today").json()["day"] == THIRD_DAY
    calendar.set(SECOND_DAY)
    with serving(tmp_path / "days.db", calendar) as (_, client):
        assert client.get("/api/days/today").json()["day"] == THIRD_DAY


# --- Par, streaks and places ---------------------------------------------------------------------


def test_par_is_the_strongest_bots_lead_over_several_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A quick bot in the place of the strongest: what is tested is where the figures come from.
    monkeypatch.setattr(bots, "make_steady", lambda name, seed: bots.make("random", seed))
    with serving(tmp_path / "days.db", Calendar(), par=True) as (server, client):
        ann = Person(client, "Ann")
        table = ann.begin(FIRST_DAY)
        assert "par" not in ann.deal(FIRST_DAY)
        ann.play(table)
        deadline = server.clock.now() + 60
        while len(par := ann.deal(FIRST_DAY)["par"]["leads"]) < 5:
            assert server.clock.now() < deadline
        board = client.portal.call(  # type: ignore[union-attr]
            server.service.days.board, chain.DayDeal(FIRST_DAY, "stones", "raven")
        )
        again = [
            client.portal.call(server.service.days.pars.play, board, run)  # type: ignore[union-attr]
            for run in range(5)
        ]
        assert par == again
        assert len(set(par)) > 1


def test_a_streak_ends_with_a_day_left_out() -> None:
    days = {"2026-02-26", "2026-02-27", "2026-03-01", "2026-02-28", "2026-03-03"}
    assert streak(days, "2026-03-01") == 4
    assert streak(days, "2026-03-02") == 4  # today may still come
    assert streak(days, "2026-03-04") == 1
    assert streak(days, "2026-03-06") == 0
    assert longest(days) == 4
    assert longest(set()) == 0


def test_places_are_fair_to_those_alike() -> None:
    leads = {10: 1, 3: 2, -4: 1}
    assert place(leads, 10) == {"place": 1, "of": 4, "alike": 0, "better_than": 1.0}
    assert place(leads, 3) == {"place": 2, "of": 4, "alike": 1, "better_than": 0.5}
    assert place(leads, -4) == {"place": 4, "of": 4, "alike": 0, "better_than": 0.0}
    assert place({}, 5) == {"place": 1, "of": 1, "alike": 0, "better_than": None}


# --- What is stored of people --------------------------------------------------------------------


def test_deletion_leaves_no_trace_and_the_tally_as_it_was(served: Served) -> None:
    server, client, _ = served
    ann, ben = Person(client, "Annabella"), Person(client, "Ben")
    ann.play(ann.begin(FIRST_DAY))
    ann.begin(FIRST_DAY, "board")
    ben.play(ben.begin(FIRST_DAY), raven)
    before = ben.deal(FIRST_DAY)["leads"]
    lines = client.get("/api/me", headers=ann.headers).text.splitlines()
    assert len(json.loads(lines[-1])["attempts"]) == 2
    assert client.delete("/api/me", headers=ann.headers).status_code == 200
    client.cookies.clear()
    assert ben.deal(FIRST_DAY)["leads"] == before
    from keltis.server.keys import digest

    engine = create_engine(server.settings.database_url)
    with engine.connect() as connection:
        names = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table'"))
        whole = "\n".join(
            str(row)
            for (name,) in names.all()
            for row in connection.execute(text(f"SELECT * FROM {name}"))
        )
    engine.dispose()
    assert "Annabella" not in whole
    assert digest(ann.key) not in whole
    assert digest(ben.key) in whole
