"""What is stored of people: taken out of old games, given to a person, deleted at their wish.

A person is a key. What the log of a table holds of it are names, digests of keys, and the ids of
commands. The games themselves stay as they were played: they are the other players' too.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterator
from typing import Any

from sqlalchemy import Connection, Executable, delete, select, update

from keltis.server import keys
from keltis.server.storage import attempts, games, person_keys, reviews, table_log
from keltis.server.storage.maintenance import delete_tables, over_for
from keltis.server.storage.schema import events, holders, set_aside, tables
from keltis.server.storage.store import Store
from keltis.server.storage.table_log import Log
from keltis.server.tables import commands
from keltis.server.tables.drafts import Draft, Surroundings, draft
from keltis.server.tables.events import NOBODY, BadEvent, Event
from keltis.server.tables.table import OVER, PERSON, Seat, Table, replayed


def forget_names(
    store: Store, days: float, most: int | None = None, pause: float = 0.0
) -> tuple[int, int]:
    """Take everybody out of tables that have been over for so long; how many, and how many
    are damaged and left as they are.

    People are called Player 1, Player 2 and so on from then on, and no key holds a seat.
    """
    count = damaged = 0
    for table_id in over_for(store, days, most, named=True):
        unnamed = table_log.change(store, table_id, _without_people, _Change.write)
        damaged += unnamed.table is None
        count += unnamed.table is not None
        time.sleep(pause)
    attempts.forget_old(store, days, pause)
    before = int(1000 * (time.time() - days * 86_400))
    with store.engine.begin() as connection:
        connection.execute(delete(set_aside).where(set_aside.c.set_aside_at <= before))
    return count, damaged


def _without_people(log: Log) -> _Change:
    made = _Change(log)
    if made.table is not None:
        made.forget(made.everybody())
    return made


def tables_of(store: Store, holder: str) -> list[str]:
    """Every table at which a key holds or held a seat, or which it made."""
    held = select(holders.c.table_id).where(holders.c.holder == holder)
    query = held.union(select(tables.c.id).where(tables.c.creator == holder))
    with store.reads.connect() as connection:
        return sorted(row[0] for row in connection.execute(query))


def export(store: Store, holder: str) -> Iterator[dict[str, Any]]:
    """All that is stored of a person, table by table; of a game under way what it may see."""
    for table_id in tables_of(store, holder):
        if (found := export_one(store, table_id, holder)) is not None:
            yield found
    for rest in (attempts.export, person_keys.export):
        if (found := rest(store, holder)) is not None:
            yield found


def export_one(store: Store, table_id: str, holder: str) -> dict[str, Any] | None:
    with store.snapshot.connect() as connection:
        log = table_log.read(connection, table_id)
        listed = games.one(connection, holder, table_id)
        judged = reviews.at_table(connection, table_id)
    if log.head is None:
        return None
    own = [event for event in log.events if _is_by(event, holder)]
    found: dict[str, Any] = {
        "table": table_id,
        "game": log.head.game,
        "created": log.head.created_at,
        "created_by_you": log.head.creator == holder,
        "sent": [
            {"seq": event.seq, "at": event.at, "kind": event.kind, "body": event.body}
            for event in own
        ],
        "in_your_list": None
        if listed is None
        else {name: value for name, value in listed._asdict().items() if name != "holder"},
    }
    table = _replayed(log)
    if table is None:
        return {**found, "status": "unreadable"}
    seats = table.held_by(holder)
    found |= {
        "status": table.status,
        "seats": list(seats),
        "names": [table.seats[k].name for k in seats],
        "reviews": [
            {name: value for name, value in each._asdict().items() if name != "table_id"}
            for each in judged
            if each.seat in seats
        ],
    }
    if not table.may_be_watched_by(seats):  # it was left, and played by others
        return found
    if (record := table.record()) is not None:
        return {**found, "record": record}
    views = [table.game.view(k) for k in seats] if table.game is not None else []
    return {**found, "views": views}


def forget_person(
    store: Store, holder: str, near: Surroundings, each: Callable[[str], None] = lambda _: None
) -> tuple[int, int]:
    """Take a person out of all tables; how many, and how many are damaged and left as they are.

    No server may have the tables in memory.
    """
    count = damaged = 0
    for table_id in tables_of(store, holder):
        if forget_at(store, table_id, holder, near) is None:
            damaged += 1
        else:
            count += 1
        each(table_id)
    forget_elsewhere(store, holder)
    person_keys.forget(store, holder)
    return count, damaged


def forget_elsewhere(store: Store, holder: str) -> None:
    """Take a person out of what is stored beside the tables, but for the keys."""
    attempts.forget(store, holder)
    # A table that a repair set aside whole is in no list any more. Who played there is in its rows,
    # a name perhaps in others than the key.
    theirs = select(set_aside.c.table_id).where(
        set_aside.c.row.contains(keys.client_prefix(holder)[:-1], autoescape=True)
    )
    with store.engine.begin() as connection:
        connection.execute(delete(set_aside).where(set_aside.c.table_id.in_(theirs)))


def forget_at(store: Store, table_id: str, holder: str, near: Surroundings) -> int | None:
    """Take a person out of one table; the number of its last event, None if it is damaged.

    A table under way is left first, or ended if nobody else plays there. One that is over and was
    this person's alone is deleted. Who came to a seat as a further device takes nothing from whom
    it belongs to.
    """

    def without(log: Log) -> _Change:
        made = _Change(log)
        if made.table is None:
            return made
        who = made.keys_of(holder)
        if made.table.status == OVER and not made.everybody() - who:
            made.delete()
        else:
            made.leave(holder, near)
            made.forget(who)
        return made

    done = table_log.change(store, table_id, without, _Change.write)
    if done.head is None:
        return 0
    return None if done.table is None else len(done.events)


def _replayed(log: Log) -> Table | None:
    """A table from its log; None if there is none, or it is damaged."""
    if log.head is None:
        return None
    try:
        return replayed(log.head, log.events)
    except BadEvent:
        return None


class _Change:
    """What is to become of all that is stored of a table: worked out first, then written."""

    def __init__(self, log: Log) -> None:
        self._id, self.head, events = log
        self.events = list(events)
        self.table = _replayed(log)
        self._writes: list[Callable[[Connection], Any]] = []
        if self.head is None:
            self._do(delete(holders).where(holders.c.table_id == self._id))

    def write(self, connection: Connection) -> None:
        for each in self._writes:
            each(connection)

    def _do(self, statement: Executable, rows: list[dict[str, Any]] | None = None) -> None:
        self._writes.append(lambda connection: connection.execute(statement, rows))

    def delete(self) -> None:
        self._writes.append(lambda connection: delete_tables(connection, [self._id]))

    def everybody(self) -> set[str]:
        """Every key that the log knows, of people who are at the table and who left it."""
        found = {self.head.creator} if self.head is not None else set()
        for event in self.events:
            found |= set(_holders(_body(event)))
        return found - {NOBODY}

    def keys_of(self, holder: str) -> set[str]:
        """The keys of a person: all that hold or held a seat of theirs."""
        assert self.table is not None
        who = {holder}
        for seat in self.table.seats:
            if _is_first(seat, holder):
                who |= {*seat.holders, *seat.gone}
        return who - {NOBODY}

    def leave(self, holder: str, near: Surroundings) -> None:
        """Give up one's own seats of a game under way, and be no device of others' seats any more;
        by events like any others."""
        table = self.table
        assert table is not None
        own = []
        for k in table.held_by(holder):
            if _is_first(table.seats[k], holder):
                own.append(k)
            else:
                (number,) = [
                    each.number for each in table.seats[k].devices if each.holder == holder
                ]
                self._append(draft("device removed", k, device=number), near)
        if table.status == OVER or not own:
            return
        seats = tuple(own)
        if commands.is_alone(table, seats):
            self._append(commands.end(table, seats, near), near)
        else:
            self._append(commands.leave(table, seats, None, near), near)

    def _append(self, made: Draft | None, near: Surroundings) -> None:
        table = self.table
        assert table is not None
        if made is None:
            return
        at = max(near.date, table.last_at)
        event = Event(self._id, table.seq + 1, at, made.kind, made.seat, made.body, None)
        self._do(events.insert(), [event._asdict()])
        self.events.append(event)
        table.apply(event)
        if made.status is not None:
            over_at = at if made.status == OVER else None
            self._set_head(status=made.status, over_at=over_at, origin=None)

    def forget(self, who: Collection[str]) -> None:
        """Take keys, and the names of those who held them, out of the log."""
        assert self.head is not None
        names: set[str] = set()
        left: list[Event] = []
        own = events.c.table_id == self._id
        for event in self.events:
            body = event.body
            if (parsed := _body(event)) is not None:
                parsed = _without(parsed, event, who, names)
                body = json.dumps(parsed, separators=(",", ":"))
            if body != event.body:
                self._do(update(events).where(own, events.c.seq == event.seq).values(body=body))
            left.append(event._replace(body=body))
        for each in who:
            is_by = events.c.client.startswith(keys.client_prefix(each), autoescape=True)
            self._do(update(events).where(own, is_by).values(client=None))
            held = (holders.c.table_id == self._id) & (holders.c.holder == each)
            self._do(delete(holders).where(held))
        if self.head.creator in who:
            self._set_head(creator=NOBODY, origin=None)
        renamed = replayed(self.head, left)
        self._writes.append(lambda connection: games.rename(connection, renamed))
        # What a repair has cut off may hold names too.
        self._do(delete(set_aside).where(set_aside.c.table_id == self._id))

    def _set_head(self, **values: Any) -> None:
        self._do(update(tables).where(tables.c.id == self._id).values(**values))


def _is_first(seat: Seat, holder: str) -> bool:
    """Whether a seat is a key's own: it is the one that no other device can remove."""
    return seat.kind == PERSON and seat.holders[:1] == [holder]


def _body(event: Event) -> dict[str, Any] | None:
    """What an event says beside a move; None where it says nothing that could be read."""
    if event.kind == "moved":
        return None
    try:
        body = json.loads(event.body)
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


def _without(body: Any, event: Event, who: Collection[str], names: set[str]) -> Any:
    """The body of an event without these keys and the names that they had, which are noted."""
    if event.kind == "created":
        for k, seat in enumerate(body["seats"]):
            if seat["kind"] != PERSON:
                continue
            held = seat["holders"]
            if held[0] in who:
                names.add(seat["name"])
                seat["name"] = f"Player {k + 1}"
            # As many as before: later events tell a device by its number.
            called = seat.get("devices") or [None] * len(held)
            seat["devices"] = [
                None if each in who else name for each, name in zip(held, called, strict=True)
            ]
    elif event.kind == "device added" and body["holder"] in who:
        body["name"] = None
    elif event.kind == "joined" and body.get("holder") in who and body.get("name"):
        names.add(body["name"])
        body["name"] = f"Player {(event.seat or 0) + 1}"
    elif body.get("name") in names and event.seat is not None:
        body["name"] = f"Player {event.seat + 1}"
    return _without_keys(body, who)


def _without_keys(value: Any, who: Collection[str]) -> Any:
    if isinstance(value, str):
        return NOBODY if value in who else value
    if isinstance(value, list):
        return [_without_keys(each, who) for each in value]
    if isinstance(value, dict):
        return {name: _without_keys(each, who) for name, each in value.items()}
    return value


def _holders(value: Any, name: str = "") -> Iterator[str]:
    """The digests of keys in an event's body, wherever they are."""
    if isinstance(value, dict):
        for inner, each in value.items():
            yield from _holders(each, inner)
    elif isinstance(value, list):
        for each in value:
            yield from _holders(each, name)
    elif name in ("holder", "holders", "by", "makers") and isinstance(value, str):
        yield value


def _is_by(event: Event, holder: str) -> bool:
    return event.client is not None and event.client.startswith(keys.client_prefix(holder))
