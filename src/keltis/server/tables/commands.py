"""What may happen at a table: each command is checked here and becomes one event.

Nothing is changed by a check. A command that is refused raises `Problem`; one that would change
nothing gives None.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any

import keltis
from keltis.server import keys, models
from keltis.server.problems import Problem
from keltis.server.tables import deals, devices, names, opening
from keltis.server.tables.drafts import Draft, NewTable, Seats, Surroundings, draft, to_json
from keltis.server.tables.events import NOBODY, Event, Head
from keltis.server.tables.table import (
    BOT,
    OPEN,
    OVER,
    PERSON,
    PLAYING,
    WAITING,
    Maker,
    Seat,
    Table,
)

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


def decides(table: Table, seats: Seats) -> int | None:
    """The one of these seats whose decision it is."""
    return table.running if table.running in seats else None


def ask_hint(table: Table, seats: Seats, near: Surroundings) -> Draft | None:
    """Note that a seat is advised, once: how the game ends then tells nothing of its strength."""
    seat = check_turn(table, seats, table.seq)
    if not table.hints:
        raise Problem("not_allowed", "there are no hints at this table")
    return None if table.seats[seat].hinted else draft("hinted", seat)


def take_back(table: Table, seats: Seats, seq: int) -> Draft:
    if not seats:
        raise Problem("not_allowed", "you hold no seat at this table")
    _running(table)
    if seq < table.position:
        raise Problem("stale", "the position has changed since", seq=table.seq)
    count = decisions_to_take_back(table, seats)
    if isinstance(count, str):
        raise Problem("cannot_take_back", count)
    return draft("taken back", seats[0], decisions=count)


def decisions_to_take_back(table: Table, seats: Seats) -> int | str:
    """How many decisions a take-back would take back, or why there is none."""
    if table.status != PLAYING or table.game is None:
        return "the game is not running"
    made = table.made_by[len(table.prelude["moves"]) :] if table.prelude else table.made_by
    if not made:
        return "nothing has been decided yet"
    if table.attempt is not None:
        return "everybody has one attempt at this deal: nothing is taken back"
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
    near: Surroundings,
    *,
    name: str,
    invitation: str | None,
    seat: int | None,
    ready: bool,
) -> Draft | None:
    """Take an open seat, or come to a seat as one more of its devices."""
    digest = keys.digest(invitation) if invitation else None
    if digest is not None:
        own = devices.linked_seat(table, digest, near.date)
        if own is not None:
            return devices.add(table, holder, name, own)
        if not keys.among(digest, table.invitations):
            raise Problem("bad_invitation", "this invitation is not valid at this table any more")
    elif not table.public:
        raise Problem("bad_invitation", "this table can be joined by invitation only")
    if table.status != WAITING or table.sealed:
        raise Problem("seat_taken", "the game has begun")
    seat = _open_seat(table, seat)
    made = draft("joined", seat, name=names.clean(name), holder=holder, ready=ready)
    made.holder = holder
    return made


def _open_seat(table: Table, wanted: int | None) -> int:
    free = [k for k, seat in enumerate(table.seats) if seat.kind == OPEN]
    if wanted is not None:
        table.check_seat(wanted)
        free = [k for k in free if k == wanted]
    if not free:
        which = "no seat is" if wanted is None else "this seat is not"
        raise Problem("seat_taken", f"{which} open")
    return free[0]


def leave(table: Table, seats: Seats, seat: int | None, near: Surroundings) -> Draft | None:
    mine = _own(table, seats, seat)
    if table.status == OVER:
        return None
    if table.attempt is not None:
        raise Problem("not_allowed", "nobody plays for you here: just go, your game waits for you")
    if table.are_seats_fixed:
        mine = [k for k in mine if table.seats[k].played_by is None]
        if not mine:
            return None
    made = draft("left", mine[0], seats=mine, level=near.substitute)
    if not table.are_seats_fixed and not any(
        seat.kind == PERSON and k not in mine for k, seat in enumerate(table.seats)
    ):
        made.status = OVER  # the last person leaves
    return made


def come_back(table: Table, seats: Seats, seat: int | None) -> Draft | None:
    mine = _own(table, seats, seat)
    if table.status != PLAYING:
        return None
    mine = [k for k in mine if table.seats[k].played_by is not None]
    if not mine:
        return None
    able = [k for k in mine if k in returnable(table, seats)]
    if not able:
        later = any(table.seats[k].why in _RETURN for k in mine)
        over = "decision is over: return when the bot has decided" if later else "game is over"
        raise Problem("not_allowed", f"your time for this {over}")
    return draft("returned", able[0], seats=able)


_RETURN = ("left", "replaced", "move time")  # why a bot plays for somebody who may come back


def returnable(table: Table, seats: Seats) -> list[int]:
    if table.status != PLAYING:
        return []
    return [k for k in seats if table.seats[k].why in _RETURN and not _has_no_time(table, k)]


def _has_no_time(table: Table, seat: int) -> bool:
    """Whether it is this seat's decision, and all the time for it is over."""
    return table.turn == seat and table.move_left is not None and table.move_left <= 0


def resign(table: Table, seats: Seats, seat: int | None, near: Surroundings) -> Draft | None:
    """Give the game up. It is over if that leaves one other player, or nobody who plays."""
    mine = _own(table, seats, seat)
    _running(table)
    mine = [k for k in mine if table.seats[k].why != "resigned"]
    if not mine:
        return None
    others = [each for k, each in enumerate(table.seats) if k not in mine]
    over = len(others) < 2 or not any(each.is_a_persons for each in others)
    made = draft("resigned", mine[0], seats=mine, level=near.substitute, over=over)
    made.status = OVER if over else None
    return made


def may_resign(table: Table, seats: Seats) -> bool:
    return table.status == PLAYING and any(table.seats[k].why != "resigned" for k in seats)


def replace(
    table: Table, seats: Seats, seat: int, near: Surroundings, name: str | None = None
) -> Draft | None:
    if not seats:
        raise Problem("not_allowed", "you hold no seat at this table")
    table.check_seat(seat)
    if table.status == OVER:
        raise Problem("game_over", "the game is over")
    if table.seats[seat].kind == PERSON and table.seats[seat].played_by is not None:
        return None
    if seat not in replaceable(table, seats, near):
        raise Problem(
            "not_allowed", f"seat {seat} has not been left alone for {near.grace:g} seconds"
        )
    own = table.seats[seat].name or (names.clean(name) if name else near.substitute.title())
    return draft("replaced", seat, level=near.substitute, name=own)


def is_host(table: Table, seats: Seats) -> bool:
    """Before the start: whether this is the first person at the table, who waits for the others."""
    people = [k for k, seat in enumerate(table.seats) if seat.kind == PERSON]
    return table.status == WAITING and bool(people) and people[0] in seats


def replaceable(table: Table, seats: Seats, near: Surroundings) -> list[int]:
    """Other people's seats that nobody has been at for the grace time; for the host open ones."""
    if not seats or table.status == OVER:
        return []
    found = []
    if is_host(table, seats):
        found = [k for k, seat in enumerate(table.seats) if seat.kind == OPEN]
    for k, seat in enumerate(table.seats):
        away = seat.absent_since
        gone = away is not None and near.now - away >= near.grace
        if gone and k not in seats and seat.is_a_persons:
            found.append(k)
    return sorted(found)


def end(table: Table, seats: Seats, near: Surroundings) -> Draft | None:
    if not seats:
        raise Problem("not_allowed", "you hold no seat at this table")
    if table.status == OVER:
        return None
    if not may_end(table, seats, near):
        raise Problem(
            "not_allowed", "others are at this table: it can be ended only when one has gone"
        )
    made = draft("ended", seats[0], why="ended")
    made.status = OVER
    return made


def may_end(table: Table, seats: Seats, near: Surroundings) -> bool:
    """With nobody else's consent: nobody else is there, it has not begun, or somebody has gone."""
    return is_alone(table, seats) or is_host(table, seats) or bool(replaceable(table, seats, near))


def is_alone(table: Table, seats: Seats) -> bool:
    """Whether no other person plays at a table that is not over."""
    if not seats or table.status == OVER:
        return False
    for k, seat in enumerate(table.seats):
        if seat.played_by is None and seat.kind == PERSON and k not in seats:
            return False
    return True


# --- By itself ---------------------------------------------------------------------------------


def cut_off() -> Draft:
    """The game goes round in circles."""
    return Draft("ended", None, to_json({"why": "cap"}), OVER)


def time_over(seat: int, clock: str, near: Surroundings) -> Draft:
    return draft("time", seat, clock=clock, level=near.substitute)


# --- A new table --------------------------------------------------------------------------------


def new_table(
    game: str,
    public: bool,
    body: Mapping[str, Any],
    creator: str,
    origin: str,
    near: Surroundings,
    seed: str | None = None,
) -> NewTable:
    """`seed`: of a deal that is given; else the server draws one."""
    head = Head(
        keys.new_table_id(), game, public, WAITING, creator, seed or keys.new_server_seed(),
        near.date, None, origin,
    )  # fmt: skip
    event = Event(head.id, 1, near.date, "created", None, to_json(body), None)
    holding = {holder for seat in body["seats"] for holder in seat.get("holders") or []}
    return NewTable(head, event, sorted(holding))


def rematch(
    table: Table,
    seats: Seats,
    holder: str,
    origin: str,
    near: Surroundings,
    signed_out: Container[Maker] = (),
) -> Draft | None:
    """The next table: the same people, each seat one further.

    Devices come along, but for those that are there by a link of one that was signed out.
    """
    body = _rematch_body(table, seats, signed_out)
    if table.rematch is not None:
        return None
    beside = new_table(table.game_name, table.public, body, holder, origin, near)
    made = draft("rematch", seats[0], table=beside.head.id)
    made.beside = beside
    return made


def _rematch_body(table: Table, seats: Seats, signed_out: Container[Maker]) -> dict[str, Any]:
    if not seats:
        raise Problem("not_allowed", "you hold no seat at this table")
    if table.status != OVER or table.game is None:
        raise Problem("not_allowed", "the game is not over")
    if table.attempt is not None:
        raise Problem("not_allowed", "everybody has one attempt at this deal")
    if any(NOBODY in seat.holders for seat in table.seats):
        raise Problem("not_allowed", "somebody who played here has been deleted")
    turned = table.seats[1:] + table.seats[:1]
    won = {id(table.seats[k]) for k in table.winners}
    stay = {each.number for _, each in devices.brought(table, signed_out)}
    return {
        "scheme": deals.SCHEME,
        "options": table.options,
        "practice": table.practice,
        "hints": table.hints,
        "spectators": table.spectators,
        "clock": table.clock,
        "first": 0,
        "invited": table.id,
        "games": table.games + 1,
        "invitation": None,
        "seats": [
            {
                "kind": seat.kind,
                "name": seat.name,
                "level": seat.level,
                **_coming_along(seat, stay),
                "ready": False,
                "wins": seat.wins + (id(seat) in won),
            }
            for seat in turned
        ],
    }


def _coming_along(seat: Seat, stay: Container[int]) -> dict[str, Any]:
    """The devices of a seat in a rematch."""
    found = [device for device in seat.devices if device.number not in stay]
    told: dict[str, Any] = {
        "holders": [device.holder for device in found],
        "devices": [device.name for device in found],
    }
    # Whoever is not at the seat any more is not named: nobody would find them to forget them.
    makers = [[each for each in one.makers if each.holder in told["holders"]] for one in found]
    if any(makers):
        told["makers"] = makers
    return told


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
                    "devices": [None],
                    "ready": wishes["ready"],
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
        "scheme": deals.SCHEME,
        "options": wishes["options"],
        "practice": practice,
        "hints": practice if hints is None else hints,
        "spectators": wishes["spectators"],
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


def _own(table: Table, seats: Seats, seat: int | None) -> list[int]:
    if not seats:
        raise Problem("not_allowed", "you hold no seat at this table")
    if seat is None:
        return list(seats)
    table.check_seat(seat)
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
    "commit": (
        models.Committing,
        lambda table, seats, near, wish: opening.commit(table, seats, wish.commitment),
    ),
    "seed": (
        models.Seeding,
        lambda table, seats, near, wish: opening.seed(table, seats, wish.seed),
    ),
    "leave": (
        models.OwnSeat,
        lambda table, seats, near, wish: leave(table, seats, wish.seat, near),
    ),
    "return": (
        models.OwnSeat,
        lambda table, seats, near, wish: come_back(table, seats, wish.seat),
    ),
    "resign": (
        models.OwnSeat,
        lambda table, seats, near, wish: resign(table, seats, wish.seat, near),
    ),
    "replace": (
        models.OtherSeat,
        lambda table, seats, near, wish: replace(table, seats, wish.seat, near, wish.name),
    ),
    "end": (models.Nothing, lambda table, seats, near, wish: end(table, seats, near)),
}
