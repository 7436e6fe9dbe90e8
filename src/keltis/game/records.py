"""Reading a record: from a dict, JSON text or a file, every part checked before it is used."""

import json
import os
from typing import Any, NamedTuple

from keltis.game.checks import (
    check_entry,
    check_list,
    check_object,
    check_seat,
    check_text,
    check_whole,
)
from keltis.game.errors import RecordError, quoted
from keltis.game.game import Game, begin
from keltis.game.tokens import CUT_OFF, ENDS, RECORD_FORMAT

LONGEST_FILE = 1 << 26  # bytes, enough for millions of moves; an endless file ends here
_REASONS = (*ENDS, CUT_OFF)


class Contents(NamedTuple):
    """What a record says. The moves and the result are well formed but not yet played out."""

    game: Game  # before its first decision
    moves: list[str]
    result: dict[str, Any] | None


def read(source: object) -> Contents:
    """The contents of a record; every fault raises RecordError."""
    try:
        return _contents(parsed(source))
    except (TypeError, ValueError) as fault:
        raise RecordError(str(fault)) from None


def parsed(source: object) -> dict[str, Any]:
    """A record as it is written, with nothing checked yet; raises TypeError or ValueError."""
    if isinstance(source, dict):
        return source
    if isinstance(source, str) and source.lstrip().startswith("keltis-position/"):
        raise ValueError("record: this is a position; keltis.position makes a game of it")
    text = source
    if isinstance(source, os.PathLike) or (
        isinstance(source, str) and not source.lstrip("\ufeff \t\r\n").startswith("{")
    ):
        text = _file(source)
    if not isinstance(text, str | bytes):
        raise TypeError(f"record: expected a dict, JSON text or a path, not {quoted(source)}")
    try:
        record = json.loads(text.lstrip("\ufeff") if isinstance(text, str) else text)
    except RecursionError:
        raise ValueError("record: nested too deeply") from None
    except json.JSONDecodeError as fault:
        place = f"line {fault.lineno}, column {fault.colno}"
        if fault.msg == "Extra data":
            raise ValueError(
                f"record: something follows it at {place}; of records in lines, each is read alone"
            ) from None
        raise ValueError(f"record: not JSON at {place}") from None
    except UnicodeDecodeError:
        raise ValueError("record: not UTF-8 text") from None
    except ValueError:  # a number of more digits than Python will read
        raise ValueError("record: a number is too long") from None
    return check_object(record, "record")


def _file(path: str | os.PathLike[str]) -> bytes:
    try:
        with open(path, "rb") as file:
            text = file.read(LONGEST_FILE + 1)
    except (OSError, TypeError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise ValueError(f"{quoted(str(path))}: cannot be read: {reason}") from None
    if len(text) > LONGEST_FILE:
        raise ValueError(f"{quoted(str(path))}: too long for a record")
    return text


def _contents(record: dict[str, Any]) -> Contents:
    form = check_text(check_entry(record, "format", "format"), "format")
    if form != RECORD_FORMAT:
        raise ValueError(f"format: expected {quoted(RECORD_FORMAT)}, not {quoted(form)}")
    options = check_object(check_entry(record, "options", "options"), "options")
    names = check_list(check_entry(record, "players", "players"), "players")
    setup = check_entry(record, "setup", "setup")
    game = begin(check_entry(record, "game", "game"), names, setup, options)
    moves = check_list(check_entry(record, "moves", "moves"), "moves")
    return Contents(game, moves, _result(check_entry(record, "result", "result"), len(names)))


def _result(value: object, players: int) -> dict[str, Any] | None:
    if value is None:
        return None
    result = check_object(value, "result")
    scores = check_entry(result, "scores", "result.scores")
    for seat, score in enumerate(check_list(scores, "result.scores", players, "scores")):
        check_whole(score, f"result.scores[{seat}]")
    winners = check_entry(result, "winners", "result.winners")
    for k, seat in enumerate(check_list(winners, "result.winners")):
        check_seat(seat, players, f"result.winners[{k}]")
    reason = check_text(check_entry(result, "reason", "result.reason"), "result.reason")
    if reason not in _REASONS:
        choices = ", ".join(map(quoted, _REASONS))
        raise ValueError(f"result.reason: expected one of {choices}, not {quoted(reason)}")
    return {"scores": scores, "winners": winners, "reason": reason}
