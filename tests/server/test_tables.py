"""Tables as people use them: made, joined, played, watched, taken back, played again."""

import contextlib
from collections.abc import Callable

import pytest

import keltis
from tests.server.running import Client, Seat, play_out, together

New = Callable[[], Client]


@pytest.mark.parametrize(("game", "players"), [("board", 2), ("stones", 4), ("board", 3)])
def test_people_play_a_whole_game_and_get_its_record(client: New, game: str, players: int) -> None:
    people = [client() for _ in range(players)]
    made = people[0].make("me", *["open"] * (players - 1), game=game)
    for other in people[1:]:
        other.join(made)
    table = made["table"]
    with contextlib.ExitStack() as stack:
        seats = [stack.enter_context(person.at(table)) for person in people]
        watching = stack.enter_context(client().at(table))
        play_out(*seats, watching)
    record = people[0].record(table)
    replayed = keltis.load(record)
    assert replayed.is_over
    assert replayed.result() == record["result"]
    for seat in (*seats, watching):
        (view,) = seat.views
        assert view == replayed.view(view["you"])
        assert [step["move"] for step in view["history"]] == record["moves"]
    assert watching.views[0]["you"] is None


def test_a_table_with_bots_goes_on_by_itself(client: New) -> None:
    person = client()
    made = person.make("me", "random", "random", game="stones")
    with person.at(made["table"]) as seat:
        play_out(seat)
        assert seat.views[0]["result"]["scores"]


def test_only_bots_are_left_and_still_the_game_ends(client: New) -> None:
    person = client()
    made = person.make("me", "random", game="stones")
    with person.at(made["table"]) as seat:
        seat.ask("leave")
        seat.until(lambda _: seat.over)
        assert seat.table["seats"][seat.you["seats"][0]]["why"] == "left"


# --- Deciding ------------------------------------------------------------------------------


def two_people(client: New, **wishes: object) -> tuple[Client, Client, str]:
    ann, ben = client(), client()
    made = ann.make("me", "open", first=0, **wishes)
    ben.join(made)
    return ann, ben, made["table"]


def running(person: Client, table: str) -> Seat:
    seat = Seat(person, table)
    while seat.table["status"] == "waiting":
        seat.read()
    return seat


def test_a_table_is_played_by_the_rules_of_an_edition(client: New) -> None:
    ann = client()
    info = ann.http.get("/api/info").json()
    assert info["decision_limit"] == keltis.DECISION_CAP
    board = info["games"]["board"]
    assert set(board["editions"]) == {"german", "french", "english"}
    for options in board["editions"].values():
        assert all(value in board["options"][name] for name, value in options.items())
    english = board["editions"]["english"]
    seat = running(ann, ann.make("me", "me", options={**english, "piles": "top"})["table"])
    assert seat.table["options"] == {**english, "piles": "top"}
    discard = next(move for move in seat.legal() if move[0] == "x")
    seat.decide(discard)
    assert f"<{discard[1]}" in seat.legal()
    seat.close()
    body = {"seats": [{"who": "me", "name": "A"}] * 2, "options": {"clover_step": "perhaps"}}
    assert ann.http.post("/api/tables", json=body).status_code == 422


def test_refusals_have_codes_and_words(client: New) -> None:
    ann, ben, table = two_people(client)
    first, second = running(ann, table), running(ben, table)
    answer = second.ask("decide", move="?", seq=second.seq)
    assert (answer["type"], answer["code"], answer["seat"]) == ("error", "not_your_turn", 0)
    answer = first.ask("decide", move="?", seq=first.seq)
    assert answer["code"] == "illegal_move"
    assert answer["message"] == first.ask("why", move="?")["reason"]
    assert first.ask("decide", move="?", seq=first.seq + 7)["code"] == "bad_request"
    before = first.seq
    first.decide()
    answer = first.ask("decide", move=first.legal()[0], seq=before)
    assert (answer["code"], answer["seq"]) == ("stale", first.seq)
    watcher = Seat(client(), table)
    assert watcher.ask("decide", move="R7", seq=watcher.seq)["code"] == "not_allowed"
    assert ann.post(table, "replace", seat=3).json()["error"]["code"] == "no_such_seat"
    assert ann.post("2" * 12, "end").json()["error"]["code"] == "unknown_table"
    waiting = ann.make("me", "open")["table"]
    response = ann.post(waiting, "decide", move="?", seq=1, id="x")
    assert (response.status_code, response.json()["error"]["code"]) == (409, "not_started")
    for seat in (first, second, watcher):
        seat.close()


def test_the_same_id_counts_once(client: New) -> None:
    ann, _, table = two_people(client)
    seat = running(ann, table)
    move = seat.legal()[0]
    body = {"move": move, "seq": seat.seq, "id": "mine-1"}
    first = seat.ask("decide", **body)
    again = seat.ask("decide", **body)
    assert (again["type"], again["seq"]) == ("ack", first["seq"])
    by_http = ann.post(table, "decide", **body)
    assert by_http.json() == {"seq": first["seq"]}
    assert len(ann.state(table)["views"][0]["history"]) == 1
    seat.close()


def test_who_comes_or_goes_does_not_make_a_decision_stale(client: New) -> None:
    ann, ben, table = two_people(client)
    seat = running(ann, table)
    seen = seat.seq
    assert ben.post(table, "leave").status_code == 200
    assert ben.post(table, "return").status_code == 200
    seat.until(lambda message: message["seq"] == seen + 2)
    assert seat.ask("decide", move=seat.legal()[0], seq=seen)["type"] == "moved"
    seat.close()


def test_what_was_missed_comes_after_a_gap(client: New) -> None:
    ann, ben, table = two_people(client)
    first = running(ann, table)
    seen = first.seq
    while first.you["may"]["decide"] is not None:
        first.decide()
    with ben.at(table, since=seen) as second:
        missed = second.received[0]["missed"]
        assert [step["seq"] for step in missed] == list(range(seen + 1, first.seq + 1))
        history = second.views[0]["history"]
        assert [(step["seat"], step["move"]) for step in missed] == [
            (step["seat"], step["move"]) for step in history
        ]
        assert all("shown" not in step for step in missed if step["move"] == "?")
        second.say("sync", **{"from": second.seq})
        assert second.until(lambda message: message["type"] == "state")["missed"] == []
        second.say("sync", **{"from": 1})
        assert "missed" not in second.until(lambda message: message["type"] == "state")
    first.close()


# --- Taking back ---------------------------------------------------------------------------


def test_a_real_table_takes_back_only_what_revealed_nothing(client: New) -> None:
    ann, ben, table = two_people(client)
    first, second = running(ann, table), running(ben, table)
    assert first.ask("take_back", seq=first.seq)["code"] == "cannot_take_back"
    start = first.views[0]
    first.decide(next(move for move in first.legal() if move.startswith("x")))
    assert first.you["may"]["take_back"]
    together(first, second)
    assert not second.you["may"]["take_back"]
    assert second.ask("take_back", seq=second.seq)["code"] == "cannot_take_back"
    answer = first.ask("take_back", seq=first.seq)
    assert answer["what"] == {"kind": "taken back", "seat": 0, "decisions": 1}
    assert first.views[0] == start
    first.decide(next(move for move in first.legal() if move.startswith("x")))
    first.decide("?")
    answer = first.ask("take_back", seq=first.seq)
    assert "revealed" in answer["message"]
    together(first, second)
    second.decide()
    together(first, second)
    assert "not yours" in first.ask("take_back", seq=first.seq)["message"]
    first.close()
    second.close()


def test_practice_takes_back_any_number_of_own_turns(client: New) -> None:
    person = client()
    made = person.make("me", "random", practice=True, first=0)
    seat = running(person, made["table"])
    start = seat.views[0]
    for _ in range(4):
        seat.until(lambda _: True) if seat.you["may"]["decide"] is None else seat.decide()
    own = sum(step["seat"] == 0 for step in seat.views[0]["history"])
    for _ in range(own):
        while seat.you["may"]["decide"] is None:
            seat.read()
        seat.ask("take_back", seq=seat.seq)
    assert seat.views[0] == start
    assert not seat.you["may"]["take_back"]
    seat.close()


def test_hints_come_where_they_are_allowed(client: New) -> None:
    person = client()
    seat = running(person, person.make("me", "random", practice=True, first=0)["table"])
    hint = seat.ask("hint")
    assert hint["type"] == "hint"
    assert hint["move"] in seat.legal()
    best = hint["moves"][0]
    assert best["move"] == hint["move"]
    assert best["error"] > 0
    tried = [each["move"] for each in hint["moves"]]
    assert len(set(tried)) == len(tried)
    assert set(tried) <= set(seat.legal())
    seat.close()
    ann, _, table = two_people(client)
    seat = running(ann, table)
    assert seat.ask("hint")["code"] == "not_allowed"
    seat.close()


def test_the_levels_are_shown_with_their_measured_strength(client: New) -> None:
    from keltis import bots

    shown = client().http.get("/api/bots").json()["levels"]
    assert [each["number"] for each in shown] == [1, 2, 3, 4, 5, 6]
    assert {each["level"]: each["strength"] for each in shown} == bots.strengths()
    for players in (2, 3, 4):
        told = {each["level"]: each["strengths"][str(players)] for each in shown}
        assert told == bots.strengths(players)


# --- Seats -----------------------------------------------------------------------------------


def test_friends_on_one_screen(client: New) -> None:
    person = client()
    made = person.make("me", "me", "me", game="stones")
    seat = running(person, made["table"])
    assert seat.you["seats"] == [0, 1, 2]
    assert [view["you"] for view in seat.views] == [0, 1, 2]
    play_out(seat)
    seat.close()


def test_an_invitation_is_needed_and_a_seat_can_be_taken_along(client: New) -> None:
    ann, ben, carl = client(), client(), client()
    made = ann.make("me", "open", "open")
    body = {"name": "Ben", "ready": True}
    response = ben.post(made["table"], "join", **body)
    assert response.json()["error"]["code"] == "bad_invitation"
    response = ben.post(made["table"], "join", **body, invitation="x" * 43)
    assert response.json()["error"]["code"] == "bad_invitation"
    assert ben.join(made)["seat"] == 1
    assert ben.post(made["table"], "invitations", seat=0).json()["error"]["code"] == "not_allowed"
    link = ben.post(made["table"], "invitations", seat=1).json()
    phone = client()
    assert phone.join({**made, **link})["seat"] == 1
    response = carl.post(made["table"], "join", **body, invitation=link["invitation"])
    assert response.json()["error"]["code"] == "bad_invitation"
    again = ann.post(made["table"], "invitations").json()
    carl.join({**made, **again})
    assert phone.dealt(made["table"])["you"]["seats"] == ben.dealt(made["table"])["you"]["seats"]
    response = client().post(made["table"], "join", **body, invitation=made["invitation"])
    assert response.json()["error"]["code"] == "bad_invitation"  # it ended with the start


def test_public_tables_are_listed_until_they_are_over(client: New) -> None:
    ann = client()
    public = ann.make("me", "open", public=True)["table"]
    private = ann.make("me", "open")["table"]

    def listed(path: str = "/api/tables") -> list[str]:
        return [each["id"] for each in ann.http.get(path).json()["tables"]]

    shown = listed()
    while public not in shown:  # the list may be a second old
        shown = listed()
    assert private not in shown
    assert {public, private} <= set(listed("/api/tables/mine"))
    ben = client()
    with ann.at(public):  # else she would have gone after a second
        ben.post(public, "join", name="Ben", ready=True)
        assert ben.post(public, "end").json()["error"]["code"] == "not_allowed"
    assert ann.post(private, "leave").status_code == 200
    assert ann.state(private)["table"]["status"] == "over"
    assert private not in listed("/api/tables/mine")


def test_who_leaves_is_played_by_a_bot_and_can_return(client: New) -> None:
    ann, ben, table = two_people(client)
    first, second = running(ann, table), running(ben, table)
    first.ask("leave")
    second.until(lambda message: message["type"] == "moved")
    assert second.table["seats"][0]["played_by"]
    assert first.ask("decide", move="?", seq=first.seq)["type"] == "error"
    first.ask("return")
    assert first.table["seats"][0]["played_by"] is None
    first.close()
    second.close()


def test_an_absent_persons_seat_may_be_given_to_a_bot(client: New) -> None:
    """The server of the tests has a grace time of one second."""
    ann, ben, table = two_people(client)
    first, second = running(ann, table), running(ben, table)
    assert second.ask("replace", seat=0)["code"] == "not_allowed"
    assert second.ask("end")["code"] == "not_allowed"
    first.close()
    message = second.until(lambda message: message["type"] == "presence")
    assert message["seats"][0]["present"] is False
    second.until(lambda message: 0 in message["you"]["may"]["replace"])
    assert second.you["may"]["end"]
    answer = second.ask("replace", seat=0)
    assert answer["what"] == {"kind": "replaced", "seat": 0, "name": "P0"}
    second.until(lambda message: message["type"] == "moved")
    with ann.at(table) as back:
        assert back.you["may"]["return"] == [0]
        back.ask("return")
    second.until(lambda message: (message.get("what") or {}).get("kind") == "returned")
    second.until(lambda message: second.you["may"]["end"])
    second.ask("end")
    assert second.views[0]["result"]["reason"] == "cut off"
    second.close()


def test_clocks_run_out_and_a_bot_takes_over(client: New) -> None:
    ann, ben, table = two_people(client, clock={"move": 5, "game": 60})
    first, second = running(ann, table), running(ben, table)
    clock = first.table["clock"]
    assert clock["running"] == 0
    assert 3000 < clock["move_left"] <= 5000
    message = second.until(lambda message: message["type"] == "state")
    assert message["what"] == {"kind": "time", "seat": 0, "clock": "move"}
    assert message["table"]["seats"][0]["why"] == "move time"
    assert message["table"]["clock"]["left"][0] <= 55_000
    first.ask("return")
    first.close()
    second.close()


def test_a_rematch_turns_the_seats(client: New) -> None:
    ann, ben, table = two_people(client, game="stones")
    first, second = running(ann, table), running(ben, table)
    assert first.ask("rematch")["code"] == "not_allowed"
    play_out(first, second)
    answer = first.ask("rematch")
    new = answer["table"]["rematch"]
    again = second.ask("rematch")
    assert again["type"] == "ack"
    assert ben.state(table)["table"]["rematch"] == new
    with ann.at(new) as one, ben.at(new) as two:
        for seat in (one, two):
            seat.ask("commit", commitment="")
        one.until(lambda message: message["type"] == "state" and message["views"] != [])
        assert ben.state(new)["you"]["seats"] == [0]
        assert one.you["seats"] == [1]
        assert one.table["invited"] == table
    first.close()
    second.close()


def test_who_resigns_against_one_loses_and_the_series_counts_it(client: New) -> None:
    ann, ben, table = two_people(client)
    first, second = running(ann, table), running(ben, table)
    assert second.you["may"]["resign"]
    answer = second.ask("resign")
    assert answer["what"] == {"kind": "resigned", "seat": 1}
    assert answer["table"]["status"] == "over"
    assert answer["you"]["may"]["resign"] is False
    assert second.ask("resign")["code"] == "game_over"
    record = ann.record(table)
    assert record["resigned"] == [1]
    assert record["result"]["reason"] == "cut off"
    assert keltis.load(record).is_over
    first.until(lambda message: message["type"] == "state")
    answer = second.ask("rematch")
    assert answer["what"] == {"kind": "rematch", "seat": 1, "table": answer["table"]["rematch"]}
    assert answer["table"]["rematch_by"] == 1
    again = ann.state(answer["table"]["rematch"])["table"]
    assert again["games"] == 1
    assert [(seat["name"], seat["wins"]) for seat in again["seats"]] == [("Ben", 0), ("P0", 1)]
    first.close()
    second.close()


def test_of_three_one_may_resign_and_a_bot_plays_on_for_good(client: New) -> None:
    ann, ben = client(), client()
    made = ann.make("me", "open", "random", first=0)
    ben.join(made)
    first, second = running(ann, made["table"]), running(ben, made["table"])
    answer = first.ask("resign")
    assert answer["table"]["status"] == "playing"
    assert answer["table"]["seats"][0]["why"] == "resigned"
    assert answer["you"]["may"]["return"] == []
    assert first.ask("return")["code"] == "not_allowed"
    second.until(lambda message: message["type"] == "moved" and message["seat"] == 0)
    second.ask("resign")  # only bots are left
    assert second.table["status"] == "over"
    assert second.views[0]["result"]["winners"] == []
    first.close()
    second.close()


def test_the_host_gives_open_seats_to_bots_and_may_call_the_game_off(client: New) -> None:
    ann, ben = client(), client()
    made = ann.make("me", "open", "open")
    table = made["table"]
    ben.join(made)
    assert ben.post(table, "replace", seat=2).json()["error"]["code"] == "not_allowed"
    assert ben.state(table)["you"]["may"]["replace"] == []
    assert ann.state(table)["you"]["may"]["replace"] == [2]
    assert ann.post(table, "replace", seat=2, name="Niamh").status_code == 200
    with ann.at(table) as seat:
        seat.until(lambda message: seat.table["status"] == "playing")
        assert {"Niamh"} == {one["name"] for one in seat.table["seats"] if one["kind"] == "bot"}
    other = ann.make("me", "open")
    assert ann.post(other["table"], "end").status_code == 200
    assert ann.state(other["table"])["table"]["status"] == "over"


def test_ones_own_tables_tell_where_it_is_ones_turn(client: New) -> None:
    ann, ben, table = two_people(client)
    running(ann, table).close()
    turns = [
        {
            each["id"]: each["your_turn"]
            for each in one.http.get("/api/tables/mine").json()["tables"]
        }
        for one in (ann, ben)
    ]
    assert [turn[table] for turn in turns] == [True, False]


def test_records_before_the_end_hold_only_own_views(client: New) -> None:
    ann, _, table = two_people(client)
    running(ann, table).close()
    record = ann.record(table)
    assert record["format"] == "keltis-view/1"
    assert [view["you"] for view in record["views"]] == [0]
    stranger = client().record(table)
    assert stranger["views"][0]["hand"] is None
