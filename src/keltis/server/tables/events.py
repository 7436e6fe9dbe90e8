"""What is stored of a table: its head, and the events that follow."""

from typing import NamedTuple


class Event(NamedTuple):
    """One row of a table's log."""

    table_id: str
    seq: int
    at: int  # milliseconds since 1970
    kind: str
    seat: int | None
    body: str
    client: str | None


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
