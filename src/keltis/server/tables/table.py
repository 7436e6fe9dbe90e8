"""A table: the fold of its events. Nothing here waits, writes or knows of connections.

`apply` takes events in the order of their numbers. They were checked (`commands`) before they were
written; one that cannot follow the others means a damaged log.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable
from typing import Any

import keltis
from keltis.server import keys
from keltis.server.tables import deals
from keltis.server.tables.events import BadEvent, Event, Head

WAITING, PLAYING, OVER = "waiting", "playing", "over"
PERSON, BOT, OPEN = "person", "bot", "open"


class Seat:
    """One place at the table; before the start in the order in which the table was made."""

    __slots__ = ("absent_since", "holders", "kind", "level", "name", "played_by", "seed", "used",
                 "why")  # fmt: skip

    def __init__(self, kind: str, name: str | None, level: str | None) -> None:
        self.kind = kind
        self.name = name
        self.level = level
        self.holders: list[str] = []  # digests of the keys that hold it
        self.seed: str | None = "" if kind == BOT else None
        self.played_by = level if kind == BOT else None
        self.why: str | None = None  # why a bot plays a person's seat
        self.used = 0  # milliseconds of the game clock
        self.absent_since: float | None = None  # by this server's own clock

    @property
    def is_a_persons(self) -> bool:
        return self.kind == PERSON and self.played_by is None


class Table:
    """The state of a table after its event number `seq`."""

    __slots__ = (
        "asked", "asked_at", "clock", "created_at", "ended", "first", "game", "game_name", "hints",
        "id", "invitations", "invited", "last_at", "last_move", "made_by", "options", "over_at",
        "position", "practice", "public", "rematch", "seats", "seeds", "seq", "server_seed",
        "spectators", "status", "steps", "turn", "turned",
    )  # fmt: skip

    def __init__(self, head: Head) -> None:
        self.id = head.id
        self.game_name = head.game
        self.public = head.public
        self.server_seed = head.server_seed
        self.created_at = head.created_at
        self.seq = 0
        self.status = WAITING
        self.turn: int | None = None  # the seat to decide
        self.position = 0  # number of the event that last changed what is on the table
        self.last_at = head.created_at
        self.asked = 0  # number of the event since which the decision is asked
        self.asked_at = 0  # the date of that event
        self.options: dict[str, str] = {}
        self.practice = False
        self.hints = False
        self.spectators = True
        self.clock: tuple[int | None, int | None] | None = None  # seconds: a move, a game
        self.first: int | str = deals.CHANCE
        self.seats: list[Seat] = []
        self.seeds: list[str] | None = None  # by place, once dealt
        self.turned = 0  # the place that became seat 0
        self.invitations: dict[str, int | None] = {}  # digest -> own seat for another device
        self.invited: str | None = None  # the table that this is a rematch of
        self.rematch: str | None = None
        self.game: keltis.Game | None = None
        self.ended = False
        self.over_at: int | None = None
        # Of each decision on the table: the number of its event, and the seat that took it.
        self.steps = array("i")
        self.made_by = array("b")
        self.last_move: str | None = None

    # --- What it is now ------------------------------------------------------------------

    @property
    def is_full(self) -> bool:
        return all(seat.kind != OPEN for seat in self.seats)

    @property
    def people(self) -> set[str]:
        """A holder of each person's seat."""
        return {seat.holders[0] for seat in self.seats if seat.kind == PERSON}

    def held_by(self, holder: str | None) -> tuple[int, ...]:
        """The seats that a key holds."""
        if holder is None:
            return ()
        return tuple(k for k, seat in enumerate(self.seats) if keys.among(holder, seat.holders))

    def may_be_watched_by(self, seats: tuple[int, ...]) -> bool:
        """Whether somebody who holds these seats may see the table.

        Before the game begins everybody may: how else could they join?
        """
        return bool(seats) or self.spectators or self.status == WAITING

    def commitment(self) -> str:
        return deals.commitment(self.server_seed)

    def time_used(self, seat: int, elapsed: int) -> int:
        """Milliseconds of a seat's game time; `elapsed` of them for the running decision."""
        used = self.seats[seat].used
        return used + elapsed if self.running == seat else used

    @property
    def running(self) -> int | None:
        """The seat whose clock runs: a person is to decide."""
        turn = self.turn
        return turn if turn is not None and self.seats[turn].is_a_persons else None

    def time_limit(self) -> tuple[int, str] | None:
        """Milliseconds that the running decision may take, and by which clock; None: no limit."""
        if self.clock is None or self.running is None:
            return None
        move, game = self.clock
        limits = []
        if move is not None:
            limits.append((1000 * move, "move"))
        if game is not None:
            limits.append((1000 * game - self.seats[self.running].used, "game"))
        return min(limits) if limits else None

    def stops_clock(self, kind: str, seat: int | None, body: str) -> bool:
        """Whether an event ends the time of the decision that is asked now."""
        if self.turn is None:
            return False
        if kind == "replaced":
            return seat == self.turn
        if kind in ("left", "returned"):
            return self.turn in json.loads(body)["seats"]
        return kind in ("moved", "taken back", "time", "resumed")

    def record(self) -> dict[str, Any] | None:
        """The whole record with its proof; only for a game that is over."""
        if self.game is None or self.status != OVER:
            return None
        from datetime import UTC, datetime

        date = datetime.fromtimestamp(self.created_at / 1000, UTC).isoformat(timespec="seconds")
        return {
            **self.game.record(),
            "date": date,
            "fair": {
                "scheme": deals.SCHEME,
                "table": self.id,
                "commitment": self.commitment(),
                "server_seed": self.server_seed,
                "player_seeds": self.seeds,
                "first": self.first,
                "places": len(self.seats),
            },
        }

    # --- Events --------------------------------------------------------------------------

    def apply(self, event: Event) -> None:
        """Go on to the state after the next event.

        Raises `BadEvent` if it cannot follow those before it; the table is of no use then.
        """
        if event.seq != self.seq + 1:
            raise BadEvent(event.seq, event.kind, f"it follows event {self.seq}")
        if (event.kind == "created") != (event.seq == 1):
            raise BadEvent(event.seq, event.kind, "the first event, and no other, is created")
        try:
            self._charge(event)
            _FOLDS[event.kind](self, event)
        except Exception as fault:
            raise BadEvent(event.seq, event.kind, _words(fault)) from fault
        self.seq = event.seq
        self.last_at = max(self.last_at, event.at)
        if self.game is None:
            self.status = OVER if self.ended else WAITING
        else:
            self.turn = None if self.ended else self.game.seat
            self.status = OVER if self.turn is None else PLAYING
        if self.over_at is None and self.status == OVER:
            self.over_at = event.at

    def _charge(self, event: Event) -> None:
        """What the running decision took is the time of the person who was asked."""
        if not self.stops_clock(event.kind, event.seat, event.body):
            return
        if self.running is not None and event.kind != "resumed":
            # Logs of the first version have dates only.
            spent = max(0, event.at - self.asked_at) if event.spent is None else event.spent
            self.seats[self.running].used += spent
        self.asked, self.asked_at = event.seq, event.at

    def _moved(self, event: Event) -> None:
        if self.game is None or event.seat is None or event.seat != self.turn:
            raise ValueError("it is not this seat's turn")
        self.game.play(event.body)
        self.steps.append(event.seq)
        self.made_by.append(event.seat)
        self.last_move = event.body
        self.position = event.seq

    def _created(self, event: Event) -> None:
        body = json.loads(event.body)
        self.options = body["options"]
        self.practice = body["practice"]
        self.hints = body["hints"]
        self.spectators = body.get("spectators", True)  # logs of the first version have none
        self.clock = tuple(body["clock"]) if body["clock"] else None
        self.first = body["first"]
        self.invited = body["invited"]
        for each in body["seats"]:
            seat = Seat(each["kind"], each["name"], each["level"])
            if seat.kind == PERSON:
                seat.holders = list(each["holders"])
                seat.seed = each["seed"]
            self.seats.append(seat)
        if body["invitation"]:
            self.invitations[body["invitation"]] = None

    def _invited(self, event: Event) -> None:
        body = json.loads(event.body)
        self.invitations[body["invitation"]] = event.seat

    def _joined(self, event: Event) -> None:
        body = json.loads(event.body)
        assert event.seat is not None
        seat = self.seats[event.seat]
        if body["device"]:
            self.invitations.pop(body["invitation"], None)
            seat.holders.append(body["holder"])
            return
        self.seats[event.seat] = seat = Seat(PERSON, body["name"], None)
        seat.holders = [body["holder"]]
        seat.seed = body["seed"]

    def _seeded(self, event: Event) -> None:
        body = json.loads(event.body)
        for seat in body["seats"]:
            self.seats[seat].seed = body["seed"]

    def _started(self, event: Event) -> None:
        self.seeds = [seat.seed or "" for seat in self.seats]
        dealt = deals.deal(self.game_name, self.server_seed, self.seeds, self.first)
        self.turned = dealt.first
        self.seats = self.seats[dealt.first :] + self.seats[: dealt.first]
        places = len(self.seats)
        for digest, seat in self.invitations.items():
            if seat is not None:
                self.invitations[digest] = (seat - dealt.first) % places
        self.game = keltis.load(
            {
                "format": "keltis-record/1",
                "game": self.game_name,
                "options": self.options,
                "players": [seat.name for seat in self.seats],
                "setup": dealt.setup,
                "moves": [],
                "result": None,
            }
        )
        self.position = event.seq
        self.asked, self.asked_at = event.seq, event.at

    def _taken_back(self, event: Event) -> None:
        body = json.loads(event.body)
        assert self.game is not None
        for _ in range(body["decisions"]):
            self.game.undo()
            self.steps.pop()
            self.made_by.pop()
        moves = self.game.moves
        self.last_move = moves[-1] if moves else None
        self.position = event.seq

    def _left(self, event: Event) -> None:
        body = json.loads(event.body)
        for k in body["seats"]:
            if self.game is None:
                self.seats[k] = Seat(OPEN, None, None)
            else:
                self.seats[k].played_by, self.seats[k].why = body["level"], "left"
        if self.game is None:
            self.ended = not self.people

    def _returned(self, event: Event) -> None:
        body = json.loads(event.body)
        for k in body["seats"]:
            self.seats[k].played_by = self.seats[k].why = None

    def _replaced(self, event: Event) -> None:
        body = json.loads(event.body)
        assert event.seat is not None
        seat = self.seats[event.seat]
        if self.game is None:
            self.seats[event.seat] = Seat(BOT, body["name"], body["level"])
        else:
            seat.played_by, seat.why = body["level"], "replaced"

    def _time(self, event: Event) -> None:
        body = json.loads(event.body)
        assert event.seat is not None
        seat = self.seats[event.seat]
        seat.played_by, seat.why = body["level"], f"{body['clock']} time"

    def _ended(self, event: Event) -> None:
        self.ended = True
        if self.game is not None and not self.game.is_over:
            self.game.cut_off()

    def _rematch(self, event: Event) -> None:
        body = json.loads(event.body)
        self.rematch = body["table"]

    def _resumed(self, event: Event) -> None:
        """Only in logs of the first version: the server was down, and the clock began anew."""


_FOLDS: dict[str, Callable[[Table, Event], None]] = {
    "created": Table._created,
    "invited": Table._invited,
    "joined": Table._joined,
    "seeded": Table._seeded,
    "started": Table._started,
    "moved": Table._moved,
    "taken back": Table._taken_back,
    "left": Table._left,
    "returned": Table._returned,
    "replaced": Table._replaced,
    "time": Table._time,
    "ended": Table._ended,
    "rematch": Table._rematch,
    "resumed": Table._resumed,
}


def replayed(head: Head, events: Iterable[Event]) -> Table:
    """A table from its log; raises `BadEvent`."""
    table = Table(head)
    for event in events:
        table.apply(event)
    if table.seq == 0:
        raise BadEvent(1, "created", "it is missing")
    return table


def _words(fault: Exception) -> str:
    if isinstance(fault, KeyError):
        return f"there is no {fault}"
    return f"{type(fault).__name__}: {fault}"
