"""What can go wrong for a client: one code each, stable, listed in docs/protocol.md."""

import math
from typing import Any

STATUS = {
    "illegal_move": 409,
    "not_your_turn": 409,
    "stale": 409,
    "not_started": 409,
    "game_over": 409,
    "cannot_take_back": 409,
    "not_allowed": 403,
    "unknown_key": 403,
    "no_spectators": 403,
    "bad_invitation": 403,
    "seat_taken": 409,
    "no_such_seat": 404,
    "unknown_table": 404,
    "not_found": 404,
    "bad_request": 422,
    "bad_method": 405,
    "bad_origin": 403,
    "bad_host": 421,
    "too_large": 413,
    "too_many_tables": 429,
    "rate_limited": 429,
    "busy": 503,
    "stopping": 503,
    "unreadable": 503,
    "internal": 500,
}


class Problem(Exception):
    """A refusal that the client is told of, by code and in words."""

    def __init__(self, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.more = more

    @property
    def status(self) -> int:
        return STATUS[self.code]

    def body(self) -> dict[str, Any]:
        return {"code": self.code, "message": self.message, **self.more}

    def http(self) -> tuple[dict[str, Any], dict[str, str]]:
        """The body over HTTP, and its headers. Both tell to wait for the same whole seconds.

        A header can say no less than one, and to come back a little early would be refused again.
        """
        if "retry_after" not in self.more:
            return self.body(), {}
        seconds = math.ceil(self.more["retry_after"])
        return {**self.body(), "retry_after": seconds}, {"retry-after": str(seconds)}
