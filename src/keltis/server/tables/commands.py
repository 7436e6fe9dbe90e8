"""What may happen at a table: each command is checked here and becomes one event.

Nothing is changed by a check. A command that is refused raises `Problem`; one that would change
nothing gives None.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import keltis
from keltis.server import keys, models
from keltis.server.problems import Problem
from keltis.server.tables import deals, names
from keltis.server.tables.events import NOBODY, Event, Head
from keltis.server.tables.table import BOT, OPEN, OVER, PERSON, PLAYING, WAITING, Table


@dataclass(slots=True)
class NewTable:
    """A table that is not written yet."""

    head: Head
    event: Event
    holders: list[str]  # digests of the keys that hold its seats


@dataclass(slots=True)
class Draft:
    """An event that is not written yet."""

    kind: str
    seat: int | None
    body: str
    status: str | None = None  # of the table from now on, if it changes
    holder: str | None = None  # a key that holds a seat from now on
    beside: NewTable | None = None  # written together with it


@dataclass(slots=True)
class Surroundings:
    """What a check needs to know beside the table."""

    now: float  # this server's own clock, as in Seat.absent_since
    date: int  # milliseconds since 1970
    grace: float
    substitute: str  # the bot that takes over a person's seat


Seats = tuple[int, ...]  # held by one key; () is a spectator
Check = Callable[[Table, Seats, Surroundings], Draft | None]


def _draft(kind: str, seat: int | None = None, **body: Any) -> Draft:
    return Draft(kind, seat, _json(body))


def _json(body: Mapping[str, Any]) -> str:
    return json.dumps(body, separators=(",", ":"))


# --- Deciding and taking back --------------------------------------------------------------


def decide(table: Table, seats: Seats, move: str, seq: int) -> Draft:
    return _moved(table, check_turn(table, seats, seq), move)


def decide_as_bot(table: Table, seat: int, move: str, position: int) -> Draft | None:
    """A bot's decision, thought out at a position; None if the table has gone on meanwhile."""
    if table.status != PLAYING or table.position != position or table.turn != seat:
        return None
    if table.seats[seat].played_by is None:
        return None
    return _moved(table, seat, move)


def _moved(table: Table, seat: int, move: str) -> Draft:
    game = table.game
    assert game is not None
    after = game.copy()
    try:
        after.play(move)
    except keltis.IllegalMove as refusal:
        raise Problem("illegal_move", str(refusal), move=move[:40]) from None
    return Draft("moved", seat, move, OVER if after.is_over else None)


def check_turn(table: Table, seats: Seats, seq: int) -> int:
    """The seat that decides, for a client that holds some and has seen event `seq`."""
    if not seats:
        raise Problem("not_allowed", "you hold no seat at this table")
    turn = _running(table)
    if seq < table.position:
        raise Problem("stale", "the position has changed since", seq=table.seq)
    if seq > table.seq:
        raise Problem("bad_request", f"seq: the table is only at {table.seq}")
    if turn not in seats:
        name = table.seats[turn].name
        raise Problem("not_your_turn", f"{name} is to decide", seat=turn)
    if table.seats[turn].played_by is not None:
        raise Problem("not_allowed", "a bot plays your seat: return first")
    return turn


def take_back(table: Table, seats: Seats, seq: int) -> Draft:
    if not seats:
        raise Problem("not_allowed", "you hold no seat at this table")
    _running(table)
    if seq < table.position:
        raise Problem("stale", "the position has changed since", seq=table.seq)
    count = decisions_to_take_back(table, seats)
    if isinstance(count, str):
        raise Problem("cannot_take_back", count)
    return _draft("taken back", seats[0], decisions=count)


def decisions_to_take_back(table: Table, seats: Seats) -> int | str:
    """How many decisions a take-back would take back, or why there is none."""
    if table.status != PLAYING or table.game is None:
        return "the game is not running"
    made = table.made_by
    if not made:
        return "nothing has been decided yet"
    if table.practice:
        for count in range(1, len(made) + 1):
            if made[-count] in seats:
                return count
        return "you have decided nothing yet"
    seat = made[-1]
    if seat not in seats or table.seats[seat].played_by is not None:
        return "the last decision is not yours"
    if table.last_move == "?":
        return "the last decision revealed a card"
    return 1


# --- Coming and going ------------------------------------------------------------------------


def join(
    table: Table,
    holder: str,
    *,
    name: str,
    invitation: str | None,
    seat: int | None,
    seed: str | None,
) -> Draft:
    digest = keys.digest(invitation) if invitation else None
    if digest is not None and not keys.among(digest, table.invitations):
        raise Problem("bad_invitation", "this invitation is not valid at this table any more")
    if digest is not None and table.invitations[digest] is not None:
        own = table.invitations[digest]
        draft = _draft("joined", own, device=True, holder=holder, invitation=digest)
        draft.holder = holder
        return draft
    if digest is None and not table.public:
        raise Problem("bad_invitation", "this table can be joined by invitation only")
    if table.status != WAITING:
        raise Problem("seat_taken", "the game has begun")
    seat = _open_seat(table, seat)
    draft = _draft(
        "joined", seat, device=False, name=names.clean(name), holder=holder, seed=check_seed(seed)
    )
    draft.holder = holder
    return draft


def _open_seat(table: Table, wanted: int | None) -> int:
    free = [k for k, seat in enumerate(table.seats) if seat.kind == OPEN]
    if wanted is not None:
        _check_seat(table, wanted)
        free = [k for k in free if k == wanted]
    if not free:
        which = "no seat is" if wanted is None else "this seat is not"
        raise Problem("seat_taken", f"{which} open")
    return free[0]


def invite(table: Table, seats: Seats, seat: int | None) -> tuple[Draft, str]:
    """A new invitation: the event, and the secret, which is told once."""
    if not seats:
        raise Problem("not_allowed", "you hold no seat at this table")
    if table.status == OVER:
        raise Problem("game_over", "the game is over")
    if seat is not None:
        _check_seat(table, seat)
        if seat not in seats:
            raise Problem("not_allowed", "this seat is not yours")
    elif table.is_full:
        raise Problem("seat_taken", "no seat is open")
    if len(table.invitations) >= 100:
        raise Problem("not_allowed", "there are too many invitations to this table")
    secret = keys.new_key()
    return _draft("invited", seat, invitation=keys.digest(secret)), secret


def seed(table: Table, seats: Seats, text: str) -> Draft | None:
    if not seats:
        raise Problem("not_allowed", "you hold no seat at this table")
    awaited = [k for k in seats if table.seats[k].seed is None]
    if table.status != WAITING or not awaited:
        return None
    return _draft("seeded", None, seats=awaited, seed=check_seed(text))


def check_seed(text: str | None) -> str | None:
    if text is not None and len(text) > deals.LONGEST_SEED:
        raise Problem("bad_request", f"seed: longer than {deals.LONGEST_SEED} characters")
    return text


def leave(table: Table, seats: Seats, seat: int | None, near: Surroundings) -> Draft | None:
    mine = _own(table, seats, seat)
    if table.status == OVER:
        return None
    if table.status == PLAYING:
        mine = [k for k in mine if table.seats[k].played_by is None]
        if not mine:
            return None
    draft = _draft("left", mine[0], seats=mine, level=near.substitute)
    if table.status == WAITING and not any(
        seat.kind == PERSON and k not in mine for k, seat in enumerate(table.seats)
    ):
        draft.status = OVER  # the last person leaves
    return draft


def come_back(table: Table, seats: Seats, seat: int | None) -> Draft | None:
    mine = _own(table, seats, seat)
    if table.status != PLAYING:
        return None
    mine = [k for k in mine if table.seats[k].played_by is not None]
    if not mine:
        return None
    able = [k for k in mine if k in returnable(table, seats)]
    if not able:
        raise Problem("not_allowed", "your time for this game is over")
    return _draft("returned", able[0], seats=able)


def returnable(table: Table, seats: Seats) -> list[int]:
    if table.status != PLAYING:
        return []
    return [k for k in seats if table.seats[k].why in ("left", "replaced", "move time")]


def replace(table: Table, seats: Seats, seat: int, near: Surroundings) -> Draft | None:
    if not seats:
        raise Problem("not_allowed", "you hold no seat at this table")
    _check_seat(table, seat)
    if table.status == OVER:
        raise Problem("game_over", "the game is over")
    if table.seats[seat].kind == PERSON and table.seats[seat].played_by is not None:
        return None
    if seat not in replaceable(table, seats, near):
        raise Problem(
            "not_allowed", f"seat {seat} has not been left alone for {near.grace:g} seconds"
        )
    return _draft("replaced", seat, level=near.substitute, name=table.seats[seat].name)


def replaceable(table: Table, seats: Seats, near: Surroundings) -> list[int]:
    """Other people's seats that nobody has been at for the grace time."""
    if not seats or table.status == OVER:
        return []
    found = []
    for k, seat in enumerate(table.seats):
        away = seat.absent_since
        gone = away is not None and near.now - away >= near.grace
        if gone and k not in seats and seat.is_a_persons:
            found.append(k)
    return found


def end(table: Table, seats: Seats, near: Surroundings) -> Draft | None:
    if not seats:
        raise Problem("not_allowed", "you hold no seat at this table")
    if table.status == OVER:
        return None
    if not may_end(table, seats, near):
        raise Problem(
            "not_allowed", "others are at this table: it can be ended only when one has gone"
        )
    draft = _draft("ended", seats[0], why="ended")
    draft.status = OVER
    return draft


def may_end(table: Table, seats: Seats, near: Surroundings) -> bool:
    """With nobody else's consent: there is nobody else, or somebody has been gone too long."""
    return is_alone(table, seats) or bool(replaceable(table, seats, near))


def is_alone(table: Table, seats: Seats) -> bool:
    """Whether no other person plays at a table that is not over."""
    if not seats or table.status == OVER:
        return False
    for k, seat in enumerate(table.seats):
        if seat.played_by is None and seat.kind == PERSON and k not in seats:
            return False
    return True


# --- By itself ---------------------------------------------------------------------------------


def start() -> Draft:
    """Every seat is taken and every seed is there."""
    return Draft("started", None, "{}", PLAYING)


def cut_off() -> Draft:
    """The game goes round in circles."""
    return Draft("ended", None, _json({"why": "cap"}), OVER)


def time_over(seat: int, clock: str, near: Surroundings) -> Draft:
    return _draft("time", seat, clock=clock, level=near.substitute)


# --- A new table --------------------------------------------------------------------------------


def new_table(
    game: str, public: bool, body: Mapping[str, Any], creator: str, near: Surroundings
) -> NewTable:
    head = Head(
        keys.new_table_id(), game, public, WAITING, creator, keys.new_server_seed(), near.date, None
    )
    event = Event(head.id, 1, near.date, "created", None, _json(body), None)
    holding = {holder for seat in body["seats"] for holder in seat.get("holders") or []}
    return NewTable(head, event, sorted(holding))


def rematch(table: Table, seats: Seats, holder: str, near: Surroundings) -> Draft | None:
    """The next table: the same people, each seat one further."""
    body = _rematch_body(table, seats)
    if table.rematch is not None:
        return None
    made = new_table(table.game_name, table.public, body, holder, near)
    draft = _draft("rematch", table=made.head.id)
    draft.beside = made
    return draft


def _rematch_body(table: Table, seats: Seats) -> dict[str, Any]:
    if not seats:
        raise Problem("not_allowed", "you hold no seat at this table")
    if table.status != OVER or table.game is None:
        raise Problem("not_allowed", "the game is not over")
    if any(NOBODY in seat.holders for seat in table.seats):
        raise Problem("not_allowed", "somebody who played here has been deleted")
    turned = table.seats[1:] + table.seats[:1]
    return {
        "options": table.options,
        "practice": table.practice,
        "hints": table.hints,
        "clock": table.clock,
        "first": 0,
        "invited": table.id,
        "invitation": None,
        "seats": [
            {
                "kind": seat.kind,
                "name": seat.name,
                "level": seat.level,
                "holders": seat.holders,
                "seed": None if seat.kind == PERSON else "",
            }
            for seat in turned
        ],
    }


def created_body(wishes: Mapping[str, Any], holder: str, invitation: str | None) -> dict[str, Any]:
    """The first event's body, from a checked request."""
    practice = wishes["practice"]
    hints = wishes["hints"]
    clock = wishes["clock"]
    seats = []
    for k, seat in enumerate(wishes["seats"]):
        who = seat["who"]
        if who == "me":
            name = names.clean(seat["name"]) if seat["name"] else f"Player {k + 1}"
            seats.append(
                {
                    "kind": PERSON,
                    "name": name,
                    "level": None,
                    "holders": [holder],
                    "seed": "" if wishes["ready"] else None,
                }
            )
        elif who == "bot":
            name = names.clean(seat["name"])
            seats.append({"kind": BOT, "name": name, "level": seat["level"]})
        else:
            seats.append({"kind": OPEN, "name": None, "level": None})
    if practice and any(seat["kind"] == OPEN for seat in seats):
        raise Problem("bad_request", "practice: every seat must be me or a bot")
    if all(seat["kind"] != PERSON for seat in seats):
        raise Problem("bad_request", "seats: one of them must be me")
    return {
        "options": wishes["options"],
        "practice": practice,
        "hints": practice if hints is None else hints,
        "clock": clock,
        "first": wishes["first"],
        "invited": None,
        "invitation": keys.digest(invitation) if invitation else None,
        "seats": seats,
    }


# --- Helpers ---------------------------------------------------------------------------


def _running(table: Table) -> int:
    if table.status == WAITING:
        raise Problem("not_started", "the game has not begun")
    turn = table.turn
    if table.status == OVER or turn is None:
        raise Problem("game_over", "the game is over")
    return turn


def _check_seat(table: Table, seat: int) -> None:
    if not 0 <= seat < len(table.seats):
        raise Problem("no_such_seat", f"there is no seat {seat} at this table")


def _own(table: Table, seats: Seats, seat: int | None) -> list[int]:
    if not seats:
        raise Problem("not_allowed", "you hold no seat at this table")
    if seat is None:
        return list(seats)
    _check_seat(table, seat)
    if seat not in seats:
        raise Problem("not_allowed", "this seat is not yours")
    return [seat]


# --- All of them by name -----------------------------------------------------------------------

# Those that lead to one event, over HTTP and WebSocket alike.
COMMANDS: dict[str, tuple[Any, Callable[..., Draft | None]]] = {
    "take_back": (
        models.TakingBack,
        lambda table, seats, near, wish: take_back(table, seats, wish.seq),
    ),
    "seed": (
        models.Seeding,
        lambda table, seats, near, wish: seed(table, seats, wish.seed),
    ),
    "leave": (
        models.OwnSeat,
        lambda table, seats, near, wish: leave(table, seats, wish.seat, near),
    ),
    "return": (
        models.OwnSeat,
        lambda table, seats, near, wish: come_back(table, seats, wish.seat),
    ),
    "replace": (
        models.OtherSeat,
        lambda table, seats, near, wish: replace(table, seats, wish.seat, near),
    ),
    "end": (models.Nothing, lambda table, seats, near, wish: end(table, seats, near)),
}
