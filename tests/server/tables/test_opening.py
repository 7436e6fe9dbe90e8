"""From a table that waits to a dealt game: who is bound when, who is waited for, who can come."""

from __future__ import annotations

import json
from typing import Any

import pytest

from keltis.server import keys
from keltis.server.problems import Problem
from keltis.server.tables import commands, deals, devices, opening
from keltis.server.tables.drafts import Draft, Surroundings
from keltis.server.tables.events import Event, Head
from keltis.server.tables.table import Table, replayed

ANN, BEN, CAT = "a" * 64, "b" * 64, "c" * 64  # digests of keys, and seeds as well
NEAR = Surroundings(now=1000.0, date=1_700_000_000_000, grace=60, substitute="random", link_time=60)


class At:
    """A table whose events are folded as soon as they are checked."""

    def __init__(self, *who: str, game: str = "stones", ready: bool = False) -> None:
        seats = [
            {"who": each if each in ("me", "open") else "bot", "name": f"P{k}", "level": each}
            for k, each in enumerate(who)
        ]
        wishes = {
            "seats": seats, "practice": False, "hints": None, "clock": None, "ready": ready,
            "spectators": True, "options": {}, "first": 0,
        }  # fmt: skip
        body = commands.created_body(wishes, ANN, None)
        made = commands.new_table(game, True, body, ANN, "here", NEAR)
        self.table = replayed(made.head, [made.event])
        self.log = [made.event]
        self.head = made.head

    def do(self, draft: Draft | None) -> bool:
        if draft is None:
            return False
        table = self.table
        event = Event(table.id, table.seq + 1, NEAR.date, draft.kind, draft.seat, draft.body, None)
        table.apply(event)
        self.log.append(event)
        return True

    def join(self, holder: str, *, ready: bool = False) -> bool:
        return self.do(
            commands.join(
                self.table, holder, NEAR, name="N", invitation=None, seat=None, ready=ready
            )
        )

    def commit(self, holder: str, text: str | None = None) -> bool:
        bound = deals.player_commitment(self.table.id, holder) if text is None else text
        return self.do(opening.commit(self.table, self.table.held_by(holder), bound))

    def reveal(self, holder: str, seed: str | None = None) -> bool:
        return self.do(opening.seed(self.table, self.table.held_by(holder), seed or holder))

    def leave(self, holder: str) -> bool:
        return self.do(commands.leave(self.table, self.table.held_by(holder), None, NEAR))

    def go_on(self) -> bool:
        return self.do(opening.go_on(self.table))

    def step(self) -> tuple[str, bool] | None:
        return opening.next_step(self.table)

    def record(self) -> dict[str, Any]:
        """Of a game that was ended."""
        ended = Draft("ended", 0, '{"why":"ended"}')
        self.do(ended)
        record = self.table.record()
        assert record is not None
        return record


@pytest.mark.parametrize("game", ["board", "stones"])
def test_all_are_bound_before_the_first_seed_is_known(game: str) -> None:
    at = At("me", "open", "random", game=game)
    assert at.commit(ANN)
    at.join(BEN)
    assert at.step() == ("sealed", False)  # Ben has his time
    for holder in (ANN, BEN):
        with pytest.raises(Problem, match="keep it to yourself"):
            at.reveal(holder)
    assert at.commit(BEN)
    assert not at.commit(BEN, deals.player_commitment(at.table.id, CAT))  # bound is bound
    assert at.step() == ("sealed", True)
    at.go_on()
    seal = at.table.seal()
    assert not at.commit(BEN, deals.player_commitment(at.table.id, CAT))
    with pytest.raises(Problem, match="not the one that you are bound to"):
        at.reveal(ANN, BEN)
    at.reveal(ANN)
    # What is known of a seed before the deal: nothing.
    assert at.table.proof()["player_seeds"] is None
    assert at.step() == ("started", False)
    at.reveal(BEN)
    assert at.step() == ("started", True)
    at.go_on()
    assert at.table.proof()["server_seed"] is None
    record = at.record()
    for seed in (ANN, BEN):
        assert deals.verify(record, seal, seed).proven
    assert not deals.verify(record, seal, CAT).holds
    assert replayed(at.head, at.log).record() == record


def test_who_does_not_reveal_is_dealt_without_and_named() -> None:
    at = At("me", "open")
    at.join(BEN)
    at.commit(ANN)
    at.commit(BEN)
    at.go_on()
    at.reveal(ANN)
    assert at.step() == ("started", False)  # when the time is over, though Ben is away
    at.table.seats[1].absent_since = 0.0
    assert at.step() == ("started", False)
    seal = at.table.seal()
    at.go_on()
    assert not at.reveal(BEN)  # too late
    record = at.record()
    assert record["fair"]["player_seeds"] == [ANN, None]
    verdict = deals.verify(record, seal, ANN)
    assert (verdict.proven, verdict.silent, verdict.others) == (True, ["N"], 1)
    assert not deals.verify(record, seal, BEN).holds


def test_programs_that_know_nothing_of_seeds_get_their_game() -> None:
    """Ready is dealt at once; who says nothing is not waited for beyond the time."""
    at = At("me", "open", ready=True)
    at.join(BEN, ready=True)
    assert at.step() == ("started", True)
    at.go_on()
    assert at.table.status == "playing"
    record = at.record()
    assert record["fair"]["player_seeds"] == ["", ""]
    verdict = deals.verify(record)
    assert (verdict.holds, verdict.proven) == (True, False)
    at = At("me", "open")
    at.join(BEN)
    assert at.step() == ("started", False)
    at.go_on()
    assert at.table.status == "playing"
    # One takes part, the other is silent.
    at = At("me", "open")
    at.join(BEN)
    at.commit(ANN)
    assert at.step() == ("sealed", False)
    at.go_on()
    at.reveal(ANN)
    assert at.step() == ("started", True)
    seal = at.table.seal()
    at.go_on()
    verdict = deals.verify(at.record(), seal, ANN)
    assert (verdict.proven, verdict.silent, verdict.others) == (True, [], 0)


def test_friends_on_one_screen_and_bots_have_one_share_and_none() -> None:
    at = At("me", "me", "random", "random", game="board")
    at.commit(ANN)
    assert at.step() == ("sealed", True)
    at.go_on()
    at.reveal(ANN)
    at.go_on()
    record = at.record()
    assert record["fair"]["player_seeds"] == [ANN, ANN, "", ""]
    assert deals.verify(record, record["fair"]["seal"], ANN).proven


def test_a_seat_that_is_left_takes_its_commitment_along() -> None:
    at = At("me", "open")
    at.join(BEN)
    at.commit(BEN)
    at.leave(BEN)
    at.join(CAT)
    assert at.table.seats[1].commitment is None
    at.commit(ANN)
    assert at.step() == ("sealed", False)
    at.commit(CAT)
    at.go_on()
    with pytest.raises(Problem, match="no seat"):
        at.reveal(BEN)


def test_after_the_seal_nobody_comes_and_who_leaves_is_played_by_a_bot() -> None:
    at = At("me", "open")
    at.join(BEN)
    at.commit(ANN)
    at.commit(BEN)
    at.go_on()
    at.leave(BEN)
    assert (at.table.seats[1].kind, at.table.seats[1].played_by) == ("person", "random")
    with pytest.raises(Problem, match="the game has begun"):
        at.join(CAT)
    assert at.table.held_by(CAT) == ()
    at.reveal(ANN)
    assert at.step() == ("started", True)  # nobody waits for who has left
    at.go_on()
    assert at.table.proof()["player_seeds"] == [ANN, None]
    assert at.table.held_by(BEN) == (1,)
    assert at.do(commands.come_back(at.table, (1,), None))


def test_who_is_away_is_waited_for_before_the_seal() -> None:
    at = At("me", "open")
    at.join(BEN)
    at.commit(BEN)
    at.table.seats[1].absent_since = 0.0  # he could not reveal
    assert at.step() is None
    at.table.seats[1].absent_since = None
    assert at.step() == ("sealed", False)


# --- Logs of the first version -------------------------------------------------------------------


def first_log(*more: tuple[str, int | None, dict[str, Any]], link: str = "x") -> Table:
    seats = [
        {"kind": "person", "name": "Ann", "level": None, "holders": [ANN], "seed": None},
        {"kind": "open", "name": None, "level": None},
    ]
    created = {
        "options": {}, "practice": False, "hints": False, "clock": None, "first": 0,
        "invited": None, "invitation": None, "seats": seats,
    }  # fmt: skip
    joined = {"device": False, "name": "Ben", "holder": BEN, "seed": "Ben's own"}
    log = [("created", None, created), ("joined", 1, joined)]
    log += [("invited", 1, {"invitation": keys.digest(link)}), *more]
    head = Head("f3KdW9pQx2Lm", "stones", False, "waiting", ANN, "0f" * 32, 0, None)
    return replayed(
        head,
        [
            Event(head.id, seq, seq, kind, seat, json.dumps(body), None)
            for seq, (kind, seat, body) in enumerate(log, 1)
        ],
    )


def test_a_table_of_the_first_version_is_dealt_as_it_was() -> None:
    table = first_log()
    assert opening.commits_awaited(table, (0,)) == []
    draft = opening.seed(table, (0,), "Ann's own")
    assert draft is not None
    table = first_log((draft.kind, None, json.loads(draft.body)), ("started", None, {}))
    mix = deals.mixed_first("stones", "0f" * 32, ["Ann's own", "Ben's own"])
    assert table.game is not None
    assert table.game.record()["setup"] == deals.deal("stones", 2, 0, mix).setup
    table.apply(Event(table.id, 6, 6, "ended", 0, '{"why":"ended"}', None))
    record = table.record()
    assert record is not None
    verdict = deals.verify(record, table.commitment(), "Ann's own")
    assert (verdict.holds, verdict.proven) == (True, False)


def test_a_link_of_the_first_version_leads_to_no_seat() -> None:
    """Nobody knows who made it."""
    table = first_log(link="secret")
    assert devices.linked_seat(table, keys.digest("secret"), 0) is None
    with pytest.raises(Problem, match="not valid"):
        commands.join(table, CAT, NEAR, name="Eve", invitation="secret", seat=None, ready=True)
