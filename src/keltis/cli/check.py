"""`keltis check`: whether records are sound, a line for each."""

import json
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

import keltis
from keltis.cli import files
from keltis.cli.failure import Failure, plain, reason
from keltis.game.records import LONGEST_FILE
from keltis.game.tokens import CUT_OFF


def check(sources: list[str]) -> int:
    """Print a verdict on every record; 0 if all are sound, 1 if one is bad, 2 if unread."""
    code = 0
    for source in sources:
        try:
            for place, record in records_of(source):
                verdict, sound = _verdict(record)
                print(f"{plain(place)}: {verdict}")
                code = code if sound else max(code, 1)
        except Failure as fault:
            print(f"keltis: {plain(str(fault))}", file=sys.stderr)
            code = 2
    return code


def records_of(source: str) -> Iterator[tuple[str, bytes]]:
    """The records of a file with their places: one, or one in each line."""
    if source == "-":
        first = sys.stdin.buffer.readline(LONGEST_FILE + 1)
        if _is_json(first):
            yield from _lines(source, sys.stdin.buffer, first)
        else:
            yield source, first + files.read(source)
    elif source.endswith(".jsonl"):
        try:
            with open(source, "rb") as file:
                yield from _lines(source, file, file.readline(LONGEST_FILE + 1))
        except (OSError, ValueError) as fault:
            raise Failure(f"{source}: {reason(fault)}") from None
    else:
        yield source, files.read(source)


def _lines(source: str, file: BinaryIO, line: bytes) -> Iterator[tuple[str, bytes]]:
    """The lines of a file of any length, one at a time; `line` is the first."""
    number = 1
    while line:
        if len(line) > LONGEST_FILE:
            raise Failure(f"{source}:{number}: too long for a record")
        if line.strip():
            yield f"{source}:{number}", line.rstrip(b"\r\n")  # so a fault is in line 1 of it
        line = file.readline(LONGEST_FILE + 1)
        number += 1


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (RecursionError, ValueError):
        return False
    return True


def _verdict(record: bytes) -> tuple[str, bool]:
    try:
        game = keltis.load(record)
    except keltis.RecordError as fault:
        return f"bad: {plain(str(fault))}", False
    if (false := _false_result(game, json.loads(record)["result"])) is not None:
        return f"bad: {false}", False
    facts = [game.game, f"{len(game.players)} players", f"{len(game.moves)} decisions"]
    if game.is_over:
        scores = " : ".join(str(score).replace("-", "−") for score in game.scores())
        facts.append(f"{scores} ({game.reason})")
    else:
        facts.append("still running")
    return f"ok: {', '.join(facts)}", True


def _false_result(game: keltis.Game, claimed: dict[str, Any] | None) -> str | None:
    """What a record claims of a game that is still running; None if there is nothing.

    `load` leaves such a claim alone, so that a record cut short can be looked at and played on.
    """
    if claimed is None or game.is_over:
        return None
    if claimed["reason"] != CUT_OFF:
        return "result: the game is not over"
    if claimed["scores"] != game.scores():
        return f"result.scores: the game is not over, and was cut off at {game.scores()}"
    return "result.winners: the game is not over, and nobody wins one that was cut off"
