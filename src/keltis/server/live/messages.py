"""What a client is told of a table: the public part, what it may do, and its seats' views.

Views come from the game and are only passed on; nothing else here knows a hidden card.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from keltis.server.tables import commands, devices, duplicates, opening
from keltis.server.tables.drafts import Seats, Surroundings
from keltis.server.tables.events import Event
from keltis.server.tables.table import OPEN, OVER, PERSON, WAITING, Seat, Table

# Nobody's business but that of a seat's own devices.
_PRIVATE = {"linked", "unlinked", "device added", "device removed"}


class Group(NamedTuple):
    """Clients that are told the same."""

    seats: Seats
    has_key: bool


def timestamp(milliseconds: int) -> str:
    moment = datetime.fromtimestamp(milliseconds // 1000, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def state(
    table: Table, group: Group, near: Surroundings, what: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The message that tells everything, but for what is the same for many: table and views."""
    if what is not None and what["kind"] in _PRIVATE and what["seat"] not in group.seats:
        what = None
    return {"type": "state", "seq": table.seq, "what": what, "you": you(table, group, near)}


def public(table: Table, near: Surroundings, elapsed: int, watchers: int) -> dict[str, Any]:
    """What everybody may know of a table beside the game."""
    return {
        "id": table.id,
        "game": table.game_name,
        "options": table.options,
        "status": table.status,
        "public": table.public,
        "practice": table.practice,
        "hints": table.hints,
        "spectators": table.spectators,
        "first": table.first,
        "created": timestamp(table.created_at),
        "seats": [
            {
                "seat": k,
                "kind": seat.kind,
                "name": seat.name,
                "level": seat.level,
                "played_by": seat.played_by,
                "why": seat.why,
                "ready": opening.is_ready(table, k),
                "wins": seat.wins,
                **presence(seat, near),
            }
            for k, seat in enumerate(table.seats)
        ],
        "clock": clock(table, elapsed),
        "watchers": watchers,
        "fair": table.proof(),
        "deal": table.attempt and table.attempt.deal,
        "board": table.attempt and table.attempt.board,
        "duplicates": {str(seat): deal for seat, deal in table.duplicates.items()},
        "invited": table.invited,
        "games": table.games,
        "rematch": table.rematch,
        "rematch_by": table.rematch_by,
    }


def listed(table: Table, watchers: int) -> dict[str, Any]:
    """A table as the list of public tables shows it."""
    return {
        "id": table.id,
        "game": table.game_name,
        "options": table.options,
        "status": table.status,
        "seats": [
            {"kind": seat.kind, "name": seat.name, "level": seat.level} for seat in table.seats
        ],
        "clock": clock(table, 0),
        "created": timestamp(table.created_at),
        "watchers": watchers,
    }


def presence(seat: Seat, near: Surroundings) -> dict[str, Any]:
    if seat.kind != PERSON:
        return {"present": seat.kind != OPEN, "absent_for": None}
    if seat.absent_since is None:
        return {"present": True, "absent_for": None}
    return {"present": False, "absent_for": max(0, round(near.now - seat.absent_since))}


def clock(table: Table, elapsed: int) -> dict[str, Any] | None:
    if table.clock is None:
        return None
    move, game = table.clock
    return {
        "move": move,
        "game": game,
        "running": table.running,
        "left": [
            None
            if game is None or seat.kind != PERSON
            else max(0, 1000 * game - table.time_used(k, elapsed))
            for k, seat in enumerate(table.seats)
        ],
        "move_left": None
        if table.move_left is None or table.running is None
        else max(0, table.move_left - elapsed),
    }


def you(table: Table, group: Group, near: Surroundings) -> dict[str, Any]:
    """What this client holds and may do now."""
    seats, has_key = group
    status = table.status
    decides = commands.decides(table, seats)
    return {
        "seats": seats,
        "key": has_key,
        "may": {
            "decide": decides,
            "take_back": type(commands.decisions_to_take_back(table, seats)) is int,
            "hint": table.hints and decides is not None,
            "commit": bool(opening.commits_awaited(table, seats)),
            "seed": bool(opening.seeds_awaited(table, seats)),
            "leave": table.attempt is None
            and (
                decides is not None
                or (status != OVER and any(table.seats[k].is_a_persons for k in seats))
            ),
            "return": commands.returnable(table, seats),
            "resign": commands.may_resign(table, seats),
            "replace": commands.replaceable(table, seats, near),
            "end": commands.may_end(table, seats, near),
            "invite": bool(seats) and status == WAITING and not table.is_full,
            "link": bool(seats) and status != OVER and table.attempt is None,
            "rematch": bool(seats)
            and status == OVER
            and table.game is not None
            and table.attempt is None,
            "duplicate": duplicates.refusal(table, seats) is None,
        },
    }


def own_devices(table: Table, holder: str | None, near: Surroundings) -> list[dict[str, Any]]:
    """The devices of each seat that a key holds, and whether a link to it is open."""
    listed = []
    for k in table.held_by(holder):
        found = table.seats[k].devices
        own = next(i for i, device in enumerate(found) if device.holder == holder)
        listed.append(
            {
                "seat": k,
                "link": devices.is_open(table, k, near.date),
                "devices": [
                    {
                        "device": device.number,
                        "name": device.name,
                        "added": device.added_at and timestamp(device.added_at),
                        "this": i == own,
                        "remove": len(found) > 1 and i >= own,
                    }
                    for i, device in enumerate(found)
                ],
            }
        )
    return listed


def views(table: Table, seats: Seats) -> Sequence[Mapping[str, Any]]:
    if table.game is None:
        return []
    return [table.game.view(seat) for seat in seats or (None,)]


def moved(
    table: Table, event: Event, groups: Collection[Group], near: Surroundings, elapsed: int
) -> dict[Group, dict[str, Any]]:
    """The message about the last decision, for each group."""
    assert table.game is not None
    seen = list({viewer for group in groups for viewer in group.seats or (None,)})
    changes = dict(zip(seen, table.game.changes(seen), strict=True))
    running = clock(table, elapsed)
    return {
        group: {
            "type": "moved",
            "seq": event.seq,
            "seat": event.seat,
            "views": [changes[viewer] for viewer in group.seats or (None,)],
            "you": you(table, group, near),
            "clock": running,
        }
        for group in groups
    }


def missed(table: Table, seats: Seats, since: int) -> list[dict[str, Any]] | None:
    """The decisions after event `since` as the client may see them; None if there was more."""
    if table.game is None or not 0 < since <= table.seq:
        return None
    count = table.seq - since
    if count == 0:
        return []
    if len(table.steps) < count or table.steps[-count] != since + 1:
        return None
    history = table.game.view(seats[0] if seats else None)["history"][-count:]
    return [{"seq": since + 1 + k, **step} for k, step in enumerate(history)]


def happened(event: Event) -> dict[str, Any]:
    """An event as clients are told of it: nothing of keys, seeds or invitations."""
    told: dict[str, Any] = {"kind": event.kind}
    if event.seat is not None:
        told["seat"] = event.seat
    if event.kind in _TOLD:
        body = json.loads(event.body)
        told.update((key, body[key]) for key in _TOLD[event.kind] if body.get(key) is not None)
    return told


_TOLD = {
    "joined": ("name",),
    "replaced": ("name",),
    "taken back": ("decisions",),
    "time": ("clock",),
    "rematch": ("table",),
    "device added": ("name",),
}
