"""From a table that waits to a dealt game: commit, seal, reveal, deal (docs/fairness.md).

    waiting ── every seat is taken, everybody has committed ──▶ sealed ── revealed ──▶ dealt

Each step is an event of the log. The time that people have for a step runs in the server that looks
after the table, and begins anew when another one does: it only decides when the next event comes,
never what is in it.
"""

from __future__ import annotations

from typing import NamedTuple

from keltis.server.problems import Problem
from keltis.server.tables import deals
from keltis.server.tables.drafts import Draft, Seats, draft
from keltis.server.tables.table import PERSON, PLAYING, WAITING, Table

# --- What people do ------------------------------------------------------------------------


def commit(table: Table, seats: Seats, commitment: str) -> Draft | None:
    """Bind oneself to a seed, for all own seats that have not; "" takes no part."""
    if not seats:
        raise Problem("not_allowed", "you hold no seat at this table")
    if commitment and not deals.is_hex(commitment):
        raise Problem("bad_request", "commitment: expected 64 hex digits in lower case, or nothing")
    awaited = commits_awaited(table, seats)
    if not awaited:
        return None
    return draft("committed", None, seats=awaited, commitment=commitment)


def commits_awaited(table: Table, seats: Seats) -> list[int]:
    if table.status != WAITING or table.sealed or table.scheme != deals.SCHEME:
        return []
    return [k for k in seats if table.seats[k].commitment is None]


def seed(table: Table, seats: Seats, text: str) -> Draft | None:
    """Reveal a seed, for the own seats that are bound to it."""
    if not seats:
        raise Problem("not_allowed", "you hold no seat at this table")
    awaited = seeds_awaited(table, seats)
    if table.scheme == deals.FIRST_SCHEME:
        if len(text) > deals.LONGEST_SEED:
            raise Problem("bad_request", f"seed: longer than {deals.LONGEST_SEED} characters")
    elif table.status == WAITING and not table.sealed:
        raise Problem("not_allowed", "seed: not all are bound to theirs yet; keep it to yourself")
    elif awaited:
        if not deals.is_hex(text):
            raise Problem("bad_request", "seed: expected 64 hex digits in lower case")
        bound = deals.player_commitment(table.id, text)
        awaited = [k for k in awaited if table.seats[k].commitment == bound]
        if not awaited:
            raise Problem("bad_request", "seed: it is not the one that you are bound to")
    return draft("seeded", None, seats=awaited, seed=text) if awaited else None


def seeds_awaited(table: Table, seats: Seats) -> list[int]:
    if table.status != WAITING or (table.scheme == deals.SCHEME and not table.sealed):
        return []
    return [k for k in seats if table.seats[k].seed is None]


def is_ready(table: Table, seat: int) -> bool:
    """Whether a seat has given what the table now waits for."""
    one = table.seats[seat]
    asked = one.commitment if table.scheme == deals.SCHEME and not table.sealed else one.seed
    return asked is not None


# --- What happens by itself ------------------------------------------------------------------


class Step(NamedTuple):
    kind: str  # of the event: sealed or started
    now: bool  # else when people have had their time


def next_step(table: Table) -> Step | None:
    """What a waiting table goes on with; None: it waits for people to come, however long.

    Who is to reveal a seed must be there when the commitments are sealed. Afterwards nobody is
    waited for any longer than the time for it, so that nobody can hold up the deal.
    """
    if not table.is_full:
        return None
    people = [seat for seat in table.seats if seat.kind == PERSON]
    if table.sealed:
        away = [seat.seed is None and seat.played_by is None for seat in people]
        return Step("started", not any(away))
    by_seed = table.scheme == deals.FIRST_SCHEME
    silent = [seat for seat in people if (seat.seed if by_seed else seat.commitment) is None]
    bound = [seat for seat in people if seat.commitment]
    if any(seat.absent_since is not None for seat in (*silent, *bound)):
        return None
    return Step("sealed" if bound else "started", not silent)


def go_on(table: Table) -> Draft | None:
    """The next step, whose time has come."""
    step = next_step(table)
    if step is None:
        return None
    return Draft(step.kind, None, "{}", PLAYING if step.kind == "started" else None)
