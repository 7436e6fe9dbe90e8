"""The devices of a seat, and the links that bring one more.

A seat belongs to whoever took it. A link to it belongs to the device that made it, works once, for
a while, and ends when the seat changes hands in whatever way. A device is removed by one that was
there before it, or by itself, so whoever comes by a link cannot shut out who made it.

A person who signs a device out ends the invitations and the links to seats that it made, and takes
away what came by these: else whoever has stolen it would keep the seats.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from keltis.server import keys
from keltis.server.problems import Problem
from keltis.server.tables import names
from keltis.server.tables.drafts import Draft, Seats, Surroundings, draft
from keltis.server.tables.table import OVER, Device, Link, Maker, Table

MOST_DEVICES = 8  # of one seat
MOST_INVITATIONS = 10  # to the open seats that one key may have made


@dataclass(slots=True)
class Secret:
    """An event that tells of a secret, which is told once, and the secret."""

    draft: Draft
    text: str


def invite(table: Table, holder: str | None, seats: Seats, device: int) -> Secret:
    """A new invitation to the open seats; `device`: the number of the one that makes it."""
    _check_running(table, seats)
    assert holder is not None
    if table.is_full:
        raise Problem("seat_taken", "no seat is open")
    if sum(by.holder == holder for by in table.invitations.values()) >= MOST_INVITATIONS:
        raise Problem("not_allowed", "you have made too many invitations to this table")
    secret = keys.new_key()
    made = draft("invited", invitation=keys.digest(secret), by=holder, device=device)
    return Secret(made, secret)


def link(
    table: Table, holder: str | None, seats: Seats, seat: int, near: Surroundings, device: int
) -> Secret:
    """A link that brings another device to an own seat; it replaces the seat's last one.

    `device`: the number of the person's device that makes it.
    """
    _check_running(table, seats)
    table.check_seat(seat)
    if seat not in seats:
        raise Problem("not_allowed", "this seat is not yours")
    if table.attempt is not None:  # whoever came by it would see the cards and have an attempt too
        raise Problem("not_allowed", "everybody plays this deal: add a device to all your games")
    if len(table.seats[seat].devices) >= MOST_DEVICES:
        raise Problem("not_allowed", f"this seat has {MOST_DEVICES} devices: remove one first")
    secret = keys.new_key()
    until = near.date + round(1000 * near.link_time)
    made = draft("linked", seat, link=keys.digest(secret), by=holder, until=until, device=device)
    return Secret(made, secret)


def linked_seat(table: Table, digest: str, date: int) -> int | None:
    """The seat that a link brings to now."""
    found = None
    for k, seat in enumerate(table.seats):
        one = seat.link
        if one is not None and keys.among(digest, [one.digest]) and _is_open(table, one, date):
            found = k
    return found


def add(table: Table, holder: str, name: str, seat: int) -> Draft | None:
    """Another device at a seat that a link led to; None if it is there already."""
    if keys.among(holder, table.seats[seat].holders):
        return None
    made = draft("device added", seat, name=names.clean(name), holder=holder)
    made.holder = holder
    return made


def remove(table: Table, holder: str | None, seats: Seats, number: int) -> Draft:
    if not seats:
        raise Problem("not_allowed", "you hold no seat at this table")
    for k in seats:
        devices = table.seats[k].devices
        own = next(i for i, device in enumerate(devices) if device.holder == holder)
        for i, device in enumerate(devices):
            if device.number != number:
                continue
            if len(devices) == 1:
                raise Problem("not_allowed", "it is the seat's only device: leave instead")
            if i < own:
                raise Problem("not_allowed", "that device was at the seat before this one")
            return draft("device removed", k, device=number)
    raise Problem("not_allowed", "your seats have no such device")


def brought(table: Table, makers: Container[Maker]) -> list[tuple[int, Device]]:
    """The devices, each with its seat, that came by links of these, or by links of those that did.

    A seat keeps one device, whatever it came by.
    """
    found: list[tuple[int, Device]] = []
    for k, seat in enumerate(table.seats):
        came = [each for each in seat.devices if any(maker in makers for maker in each.makers)]
        found += [(k, each) for each in (came if len(came) < len(seat.devices) else came[1:])]
    return found


def end(table: Table, makers: Container[Maker]) -> Draft | None:
    """The next event that takes away what signed out devices have left here; None: nothing is."""
    invitations = [digest for digest, by in table.invitations.items() if by in makers]
    if invitations:
        return draft("uninvited", invitations=invitations)
    for k, seat in enumerate(table.seats):
        if seat.link is not None and seat.link.by in makers:
            return draft("unlinked", k)
    for k, device in brought(table, makers):
        return draft("device removed", k, device=device.number)
    return None


def _check_running(table: Table, seats: Seats) -> None:
    if not seats:
        raise Problem("not_allowed", "you hold no seat at this table")
    if table.status == OVER:
        raise Problem("game_over", "the game is over")


def _is_open(table: Table, one: Link, date: int) -> bool:
    return table.status != OVER and date < one.until


def is_open(table: Table, seat: int, date: int) -> bool:
    """Whether a link to this seat works now."""
    one = table.seats[seat].link
    return one is not None and _is_open(table, one, date)
