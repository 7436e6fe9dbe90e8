"""A table: the fold of its events. Nothing here waits, writes or knows of connections.

`apply` takes events in the order of their numbers. They were checked (`commands`) before they were
written; one that cannot follow the others means a damaged log.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import keltis
from keltis.bots.seeds import bot_seed
from keltis.server import keys
from keltis.server.problems import Problem
from keltis.server.tables import deals, shared
from keltis.server.tables.events import NOBODY, BadEvent, Event, Head

LONGEST_LOG = 4 * keltis.DECISION_CAP  # events: who takes back without end comes to it

WAITING, PLAYING, OVER = "waiting", "playing", "over"
PERSON, BOT, OPEN = "person", "bot", "open"


class Maker(NamedTuple):
    """Who made a link: a person, and at which of their devices."""

    holder: str
    device: int | None  # its number among the person's; None in logs from before it was noted


@dataclass(slots=True)
class Device:
    """A key that holds a seat."""

    number: int  # its own at the table
    holder: str  # digest of the key
    name: str | None  # as its person calls it; None: it took the seat
    added_at: int | None  # None: it took the seat, or came along from the game before
    makers: tuple[Maker, ...] = ()  # of the link that it came by, and of those that these came by


@dataclass(slots=True)
class Link:
    """Brings another device to a seat, once."""

    digest: str
    by: Maker
    until: int


class Seat:
    """One place at the table; before the start in the order in which the table was made.

    Its devices and its link are in it, so that they end with whatever ends the seat.
    """

    __slots__ = (
        "absent_since", "commitment", "devices", "gone", "hinted", "kind", "level", "link", "name",
        "played_by", "seed", "take_backs", "used", "why", "wins",
    )  # fmt: skip

    def __init__(self, kind: str, name: str | None, level: str | None) -> None:
        self.kind = kind
        self.name = name
        self.level = level
        self.devices: list[Device] = []
        self.gone: list[str] = []  # holders of devices that were removed
        self.link: Link | None = None
        # A share in the shuffle: None is awaited, "" is none.
        self.commitment: str | None = "" if kind == BOT else None
        self.seed: str | None = "" if kind == BOT else None
        self.played_by = level if kind == BOT else None
        self.why: str | None = None  # why a bot plays a person's seat
        self.used = 0  # milliseconds of the game clock
        self.take_backs = 0
        self.hinted = False  # whether it was advised
        self.wins = 0  # of the games before in a series of rematches
        self.absent_since: float | None = None  # by this server's own clock

    @property
    def is_a_persons(self) -> bool:
        return self.kind == PERSON and self.played_by is None

    @property
    def holders(self) -> list[str]:
        """Digests of the keys that hold it."""
        return [device.holder for device in self.devices]

    def give_to_bot(self, level: str | None, why: str | None) -> None:
        """Let a bot play a person's seat; or nobody but the person."""
        self.played_by, self.why = level, why
        self.link = None

    def give_no_seed(self) -> None:
        self.commitment = self.seed = ""


class Table:
    """The state of a table after its event number `seq`."""

    __slots__ = (
        "asked", "asked_at", "attempt", "clock", "created_at", "duplicates", "ended", "first",
        "game", "game_name", "games", "hints", "id", "invitations", "invited", "last_at",
        "last_move", "made_by", "newest_device", "options", "over_at", "position", "practice",
        "prelude", "public", "rematch", "rematch_by", "scheme", "sealed", "seats", "seeds", "seq",
        "server_seed", "spectators", "status", "steps", "taken", "times", "turn", "turned",
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
        self.taken = 0  # milliseconds that people have taken for that decision before
        self.options: dict[str, str] = {}
        self.practice = False
        self.hints = False
        self.spectators = True
        self.clock: tuple[int | None, int | None] | None = None  # seconds: a move, a game
        self.first: int | str = deals.CHANCE
        self.seats: list[Seat] = []
        self.scheme = deals.FIRST_SCHEME
        self.sealed: list[str] | None = None  # commitments by place, once nothing can be added
        self.seeds: list[str | None] | None = None  # by place, once dealt; None: not revealed
        self.newest_device = 0
        self.turned = 0  # the place that became seat 0
        self.invitations: dict[str, Maker] = {}  # to open seats: digest -> who made it
        self.invited: str | None = None  # the table that this is a rematch of
        self.rematch: str | None = None
        self.rematch_by: int | None = None  # the seat that asked for it
        self.attempt: shared.Attempt | None = None  # at a deal that many play
        self.prelude: dict[str, Any] | None = None  # setup and moves from which the game goes on
        self.duplicates: dict[int, str] = {}  # made from this game, by the seat to play
        self.games = 0  # before this one, in a series of rematches
        self.game: keltis.Game | None = None
        self.ended = False
        self.over_at: int | None = None
        # Of each decision on the table: the number of its event, the seat that took it, and the
        # milliseconds that people took for it.
        self.steps = array("i")
        self.made_by = array("b")
        self.times = array("q")
        self.last_move: str | None = None

    # --- What it is now ------------------------------------------------------------------

    @property
    def is_full(self) -> bool:
        return all(seat.kind != OPEN for seat in self.seats)

    @property
    def are_seats_fixed(self) -> bool:
        """Nobody can take another's place: who leaves is played by a bot.

        So from the seal on, not from the deal on: who came later could choose a seed that goes
        with those already revealed.
        """
        return self.game is not None or self.sealed is not None

    @property
    def people(self) -> set[str]:
        """A holder of each person's seat."""
        return {seat.holders[0] for seat in self.seats if seat.kind == PERSON}

    @property
    def is_endless(self) -> bool:
        """Whether it goes round in circles, by decisions or by whatever else is done."""
        return len(self.steps) >= keltis.DECISION_CAP or self.seq >= LONGEST_LOG

    def held_by(self, holder: str | None) -> tuple[int, ...]:
        """The seats that a key holds; nobody has what a person held who was forgotten."""
        if holder is None or holder == NOBODY:
            return ()
        return tuple(k for k, seat in enumerate(self.seats) if keys.among(holder, seat.holders))

    @property
    def resigned(self) -> list[int]:
        """The seats whose players have given the game up."""
        return [k for k, seat in enumerate(self.seats) if seat.why == "resigned"]

    @property
    def winners(self) -> list[int]:
        """Of a game that is over. Who resigns against one other player loses to that one."""
        assert self.game is not None
        if len(self.seats) == 2 and len(self.resigned) == 1:
            return [1 - self.resigned[0]]
        return list(self.game.winners())

    def may_be_watched_by(self, seats: tuple[int, ...]) -> bool:
        """Whether somebody who holds these seats may see the table.

        Before the game begins everybody may: how else could they join? But nobody joins a deal
        that is given, or a game that goes on from another. And nobody is shown a game any more that
        others are to play.
        """
        is_open = self.spectators and not self.duplicates
        can_be_joined = self.status == WAITING and self.attempt is None and self.prelude is None
        return bool(seats) or is_open or can_be_joined

    def check_seat(self, seat: int) -> None:
        if not 0 <= seat < len(self.seats):
            raise Problem("no_such_seat", f"there is no seat {seat} at this table")

    def commitment(self) -> str:
        if self.attempt is not None:
            return deals.given_commitment(self.attempt.deal, self.server_seed)
        return deals.commitment(self.scheme, self.id, self.server_seed)

    def seal(self) -> str | None:
        """All that is fixed before the first seed is revealed."""
        if self.sealed is None:
            return None
        return deals.seal(self.id, self.game_name, self.first, self.commitment(), self.sealed)

    def mix(self) -> bytes:
        """What the shuffle follows from; secret, and there only once all seeds are."""
        if self.scheme == deals.GIVEN_SCHEME:
            return bytes.fromhex(self.server_seed)
        assert self.seeds is not None
        if self.scheme == deals.FIRST_SCHEME:
            seeds = [seed or "" for seed in self.seeds]
            return deals.mixed_first(self.game_name, self.server_seed, seeds)
        sealed = self.seal()
        assert sealed is not None
        return deals.mixed(sealed, self.server_seed, self.seeds)

    def proof(self) -> dict[str, Any]:
        """What everybody may know of the shuffle by now."""
        if self.prelude is not None:
            return {"scheme": deals.NO_DEAL, "table": self.id, "places": len(self.seats)}
        proof = {
            "scheme": self.scheme,
            "table": self.id,
            "commitment": self.commitment(),
            "player_commitments": self.sealed,
            "seal": self.seal(),
            "server_seed": self.server_seed if self.status == OVER else None,
            "player_seeds": self.seeds,
            "first": self.first,
            "places": len(self.seats),
        }
        if self.scheme != deals.SCHEME:
            del proof["player_commitments"], proof["seal"]
        if self.attempt is not None:
            del proof["player_seeds"]
            proof |= {"deal": self.attempt.deal, "board": self.attempt.board}
        return proof

    def bot_seed(self, view: Mapping[str, Any]) -> int | None:
        """What a bot's randomness comes from where it must decide alike for everybody."""
        return None if self.attempt is None else bot_seed(self.server_seed, view)

    def time_used(self, seat: int, elapsed: int) -> int:
        """Milliseconds of a seat's game time; `elapsed` of them for the running decision."""
        used = self.seats[seat].used
        return used + elapsed if self.running == seat else used

    @property
    def running(self) -> int | None:
        """The seat whose clock runs: a person is to decide."""
        turn = self.turn
        return turn if turn is not None and self.seats[turn].is_a_persons else None

    @property
    def move_left(self) -> int | None:
        """Milliseconds that are left for the running decision since `asked`; None: no limit.

        It has its time once: not again for who leaves and returns, or takes back.
        """
        if self.clock is None or self.clock[0] is None:
            return None
        return 1000 * self.clock[0] - self.taken

    def time_limit(self) -> tuple[int, str] | None:
        """Milliseconds that the running decision may take, and by which clock; None: no limit."""
        if self.clock is None or self.running is None:
            return None
        game = self.clock[1]
        limits = []
        if self.move_left is not None:
            limits.append((self.move_left, "move"))
        if game is not None:
            limits.append((1000 * game - self.seats[self.running].used, "game"))
        return min(limits) if limits else None

    def stops_clock(self, kind: str, seat: int | None, body: str) -> bool:
        """Whether an event ends the time of the decision that is asked now."""
        if self.turn is None:
            return False
        if kind == "replaced":
            return seat == self.turn
        if kind in ("left", "returned", "resigned"):
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
            **({"resigned": self.resigned} if self.resigned else {}),
            **({} if self.prelude is not None else {"fair": self.proof()}),
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
        """What the running decision took is the time of the person who was asked; what passed until
        a take-back is the time of who takes back."""
        if not self.stops_clock(event.kind, event.seat, event.body):
            return
        # Logs of the first version have dates only.
        spent = max(0, event.at - self.asked_at) if event.spent is None else event.spent
        if event.kind == "taken back":
            count = json.loads(event.body)["decisions"]
            self.seats[self.made_by[-count]].used += spent
            self.taken = self.times[-count] + spent
        elif self.running is not None and event.kind != "resumed":
            self.seats[self.running].used += spent
            self.taken += spent
        self.asked, self.asked_at = event.seq, event.at

    def _moved(self, event: Event) -> None:
        if self.game is None or event.seat is None or event.seat != self.turn:
            raise ValueError("it is not this seat's turn")
        self.game.play(event.body)
        self.steps.append(event.seq)
        self.made_by.append(event.seat)
        self.times.append(self.taken)
        self.taken = 0
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
        self.games = body.get("games", 0)
        self.scheme = body.get("scheme", deals.FIRST_SCHEME)
        self.attempt = shared.attempt_of(body)
        self.prelude = body.get("prelude")
        for each in body["seats"]:
            seat = Seat(each["kind"], each["name"], each["level"])
            seat.wins = each.get("wins", 0)
            if seat.kind == PERSON:
                holders = each["holders"]
                for holder, name in zip(
                    holders, each.get("devices") or [None] * len(holders), strict=True
                ):
                    self._add_device(seat, holder, name)
                for device, makers in zip(seat.devices, each.get("makers") or (), strict=False):
                    device.makers = tuple(Maker(*maker) for maker in makers)
                if each.get("ready") or each.get("seed") == "":
                    seat.give_no_seed()
            self.seats.append(seat)
        if body["invitation"]:
            self.invitations[body["invitation"]] = Maker(next(iter(self.people)), None)

    def _add_device(self, seat: Seat, holder: str, name: str | None, at: int | None = None) -> None:
        self.newest_device += 1
        seat.devices.append(Device(self.newest_device, holder, name, at))

    def _void(self) -> None:
        """End the invitations and links whose makers have lost the right to them."""
        held = [holder for seat in self.seats for holder in seat.holders]
        for digest, by in list(self.invitations.items()):
            if by.holder not in held:
                del self.invitations[digest]
        for seat in self.seats:
            if seat.link is not None and seat.link.by.holder not in seat.holders:
                seat.link = None

    def _invited(self, event: Event) -> None:
        body = json.loads(event.body)
        # The first logs do not tell who made an invitation or a link: these have ended.
        if "by" in body:
            self.invitations[body["invitation"]] = Maker(body["by"], body.get("device"))

    def _uninvited(self, event: Event) -> None:
        for digest in json.loads(event.body)["invitations"]:
            del self.invitations[digest]

    def _linked(self, event: Event) -> None:
        body = json.loads(event.body)
        assert event.seat is not None
        by = Maker(body["by"], body.get("device"))
        self.seats[event.seat].link = Link(body["link"], by, body["until"])

    def _unlinked(self, event: Event) -> None:
        assert event.seat is not None
        self.seats[event.seat].link = None

    def _device_added(self, event: Event) -> None:
        body = json.loads(event.body)
        assert event.seat is not None
        seat = self.seats[event.seat]
        self._add_device(seat, body["holder"], body["name"], event.at)
        if seat.link is not None:
            by = seat.link.by
            before = next((each.makers for each in seat.devices if each.holder == by.holder), ())
            seat.devices[-1].makers = (by, *before)
            seat.link = None

    def _device_removed(self, event: Event) -> None:
        body = json.loads(event.body)
        assert event.seat is not None
        seat = self.seats[event.seat]
        removed = [device for device in seat.devices if device.number == body["device"]]
        seat.devices = [device for device in seat.devices if device not in removed]
        seat.gone += [device.holder for device in removed]
        self._void()

    def _joined(self, event: Event) -> None:
        body = json.loads(event.body)
        assert event.seat is not None
        if body.get("device"):  # in the first logs
            self._add_device(self.seats[event.seat], body["holder"], None, event.at)
            return
        self.seats[event.seat] = seat = Seat(PERSON, body["name"], None)
        self._add_device(seat, body["holder"], None)
        if body.get("ready"):
            seat.give_no_seed()
        elif "seed" in body:  # in the first logs
            seat.seed = body["seed"]

    def _committed(self, event: Event) -> None:
        body = json.loads(event.body)
        for k in body["seats"]:
            if body["commitment"]:
                self.seats[k].commitment = body["commitment"]
            else:
                self.seats[k].give_no_seed()

    def _sealed(self, event: Event) -> None:
        for seat in self.seats:
            if seat.commitment is None:
                seat.give_no_seed()
        self.sealed = [seat.commitment or "" for seat in self.seats]
        self.invitations.clear()

    def _seeded(self, event: Event) -> None:
        body = json.loads(event.body)
        for seat in body["seats"]:
            self.seats[seat].seed = body["seed"]

    def _started(self, event: Event) -> None:
        if self.prelude is not None:
            self._go_on(event, self.prelude)
            return
        places = len(self.seats)
        if self.scheme == deals.FIRST_SCHEME:
            self.seeds = [seat.seed or "" for seat in self.seats]
        elif self.scheme == deals.SCHEME:
            if self.sealed is None:  # nobody has a share
                self._sealed(event)
            self.seeds = [seat.seed for seat in self.seats]
        dealt = deals.deal(self.game_name, places, self.first, self.mix())
        self.turned = dealt.first
        self.seats = self.seats[dealt.first :] + self.seats[: dealt.first]
        self.invitations.clear()
        self._begin(event, dealt.setup, [])

    def _begin(self, event: Event, setup: dict[str, Any], moves: list[str]) -> None:
        self.game = keltis.load(
            {
                "format": "keltis-record/1",
                "game": self.game_name,
                "options": self.options,
                "players": [seat.name for seat in self.seats],
                "setup": setup,
                "moves": moves,
                "result": None,
            }
        )
        self.position = event.seq
        self.asked, self.asked_at = event.seq, event.at

    def _go_on(self, event: Event, prelude: dict[str, Any]) -> None:
        """The decisions up to here are no events of this table: no client is told of them as such,
        and nobody takes them back."""
        self._begin(event, prelude["setup"], prelude["moves"])
        assert self.game is not None
        seats = [step["seat"] for step in self.game.view(None)["history"]]
        self.steps = array("i", [0] * len(seats))
        self.made_by = array("b", seats)
        self.times = array("q", [0] * len(seats))
        self.last_move = prelude["moves"][-1] if seats else None

    def _taken_back(self, event: Event) -> None:
        body = json.loads(event.body)
        assert self.game is not None
        assert event.seat is not None
        self.seats[event.seat].take_backs += 1
        for _ in range(body["decisions"]):
            self.game.undo()
            self.steps.pop()
            self.made_by.pop()
            self.times.pop()
        moves = self.game.moves
        self.last_move = moves[-1] if moves else None
        self.position = event.seq

    def _hinted(self, event: Event) -> None:
        assert event.seat is not None
        self.seats[event.seat].hinted = True

    def _left(self, event: Event) -> None:
        body = json.loads(event.body)
        for k in body["seats"]:
            if self.are_seats_fixed:
                self.seats[k].give_to_bot(body["level"], "left")
            else:
                self.seats[k] = Seat(OPEN, None, None)
        if not self.are_seats_fixed:
            self.ended = not self.people
            self._void()

    def _returned(self, event: Event) -> None:
        body = json.loads(event.body)
        for k in body["seats"]:
            self.seats[k].give_to_bot(None, None)

    def _resigned(self, event: Event) -> None:
        body = json.loads(event.body)
        for k in body["seats"]:
            self.seats[k].give_to_bot(body["level"], "resigned")
        if body["over"]:
            self._ended(event)

    def _replaced(self, event: Event) -> None:
        body = json.loads(event.body)
        assert event.seat is not None
        if self.are_seats_fixed:
            self.seats[event.seat].give_to_bot(body["level"], "replaced")
        else:
            self.seats[event.seat] = Seat(BOT, body["name"], body["level"])
            self._void()

    def _time(self, event: Event) -> None:
        body = json.loads(event.body)
        assert event.seat is not None
        self.seats[event.seat].give_to_bot(body["level"], f"{body['clock']} time")

    def _ended(self, event: Event) -> None:
        self.ended = True
        if self.game is not None and not self.game.is_over:
            self.game.cut_off()

    def _rematch(self, event: Event) -> None:
        body = json.loads(event.body)
        self.rematch = body["table"]
        self.rematch_by = event.seat

    def _duplicated(self, event: Event) -> None:
        assert event.seat is not None
        self.duplicates[event.seat] = json.loads(event.body)["deal"]

    def _resumed(self, event: Event) -> None:
        """Only in logs of the first version: the server was down, and the clock began anew."""


_FOLDS: dict[str, Callable[[Table, Event], None]] = {
    "created": Table._created,
    "invited": Table._invited,
    "uninvited": Table._uninvited,
    "linked": Table._linked,
    "unlinked": Table._unlinked,
    "device added": Table._device_added,
    "device removed": Table._device_removed,
    "joined": Table._joined,
    "committed": Table._committed,
    "sealed": Table._sealed,
    "seeded": Table._seeded,
    "started": Table._started,
    "moved": Table._moved,
    "taken back": Table._taken_back,
    "hinted": Table._hinted,
    "left": Table._left,
    "returned": Table._returned,
    "resigned": Table._resigned,
    "replaced": Table._replaced,
    "time": Table._time,
    "ended": Table._ended,
    "rematch": Table._rematch,
    "duplicated": Table._duplicated,
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
