"""What is stored of a table: its head, and the events that follow."""

from typing import NamedTuple


class Event(NamedTuple):
    """One row of a table's log."""

    table_id: str
    seq: int
    at: int  # milliseconds since 1970, for people to read: no duration is taken from it
    kind: str
    seat: int | None
    body: str
    client: str | None
    spent: int | None = None  # milliseconds that the person to decide has used until now


class Head(NamedTuple):
    """What is stored of a table beside its events."""

    id: str
    game: str
    public: bool
    status: str
    creator: str
    server_seed: str
    created_at: int
    over_at: int | None
    origin: str | None = None  # stands for the address that it was made from, until it is over


class BadEvent(Exception):
    """An event that cannot follow those before it, or is missing: the log is damaged."""

    def __init__(self, seq: int, kind: str, reason: str) -> None:
        super().__init__(f"event {seq} ({kind}): {reason}")
        self.seq = seq
        self.kind = kind
        self.reason = reason
