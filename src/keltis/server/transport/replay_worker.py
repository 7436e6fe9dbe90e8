"""A process of its own that plays records through, because that is pure Python and takes seconds.

In a thread they would share the interpreter with the players. The process speaks by its standard
input and output, works when others have nothing to do, and ends when the server does.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import IO, Any

import orjson

import keltis
from keltis.game import positions as positions_as_text
from keltis.game.errors import IllegalRecord
from keltis.server.problems import Problem
from keltis.server.tables import deals
from keltis.server.tables import positions as practice

_WITHIN = 60.0  # seconds for a replay: the longest takes two
_NICE = 5  # a little behind those who play


class Worker:
    """The server's end of it. One replay at a time: callers take turns."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def replay(self, record: Mapping[str, Any], *, pack: bool) -> bytes:
        """All positions of a record as JSON, compressed if wanted; raises `Problem`."""
        return self._ask({"do": "replay", "record": record, "pack": pack})

    def position(self, record: Mapping[str, Any], at: int, *, hands: bool) -> bytes:
        """One position of a record as text, in JSON; raises `Problem`."""
        asked = {"do": "position", "record": record, "at": at, "hands": hands, "pack": False}
        return self._ask(asked)

    def prelude(
        self, record: Mapping[str, Any], step: int, seat: int | None
    ) -> tuple[int, dict[str, Any]]:
        """From where a practice game goes on, and who plays it; raises `Problem`."""
        asked = {"do": "prelude", "record": record, "step": step, "seat": seat, "pack": False}
        chosen, begins = orjson.loads(self._ask(asked))
        return chosen, begins

    def verify(self, record: Mapping[str, Any]) -> bytes:
        """Whether the proof in a record agrees with itself, in JSON; raises `Problem`."""
        return self._ask({"do": "verify", "record": record, "pack": False})

    def _ask(self, asked: dict[str, Any]) -> bytes:
        if self._process is not None and self._process.poll() is not None:
            self.stop()
        if self._process is None:
            command = [sys.executable, "-m", __name__]
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,  # the server's has one JSON object a line
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        alarm = threading.Timer(_WITHIN, process.kill)
        alarm.start()
        try:
            # Not orjson: a record from outside may hold integers and characters that it refuses.
            _send(process.stdin, json.dumps(asked).encode())
            kind, content = process.stdout.read(1), _receive(process.stdout)
        except (OSError, EOFError):
            self.stop()
            raise RuntimeError("the process that makes replays has ended") from None
        finally:
            alarm.cancel()
        if kind == b"!":
            raise Problem(**json.loads(content))
        return content

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()
        process.wait()


def _send(pipe: IO[bytes], content: bytes) -> None:
    pipe.write(struct.pack("!I", len(content)) + content)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes:
    head = pipe.read(4)
    if len(head) < 4:
        raise EOFError
    (size,) = struct.unpack("!I", head)
    content = pipe.read(size)
    if len(content) < size:
        raise EOFError
    return content


# --- In the process ----------------------------------------------------------------------------


def positions(record: Mapping[str, Any]) -> dict[str, Any]:
    """All positions of a record: a spectator's view of the first one, then what each decision
    changed in it, with the hands and the moves that are legal then beside it. A position as text is
    one alone."""
    if _is_position(record):
        text = record["position"]
        game = keltis.position(text, seed=0)  # what it leaves open is not shown
        dealt = _hands(game)
        named = positions_as_text.named_hands(text)
        shown: list[list[str] | None] | None = None
        if dealt is not None:
            shown = [hand if seat in named else None for seat, hand in enumerate(dealt)]
        return {"view": game.view(None), "hands": shown, "legal": [], "steps": []}
    whole = keltis.load(record)
    moves = whole.moves
    if len(moves) > keltis.DECISION_CAP:
        raise Problem("too_large", f"moves: more than {keltis.DECISION_CAP} decisions")
    game = keltis.load({**record, "moves": [], "result": None})
    seats = range(len(game.players))
    start, hands_dealt, legal = dict(game.view(None)), _hands(game), game.legal_moves()
    steps: list[dict[str, Any]] = []
    for move in moves:
        seat = game.seat
        assert seat is not None
        game.play(move)
        step, *own = game.changes([None, *seats])
        step["step"] = own[seat]["step"]
        hands = {str(each): own[each]["hand"] for each in seats if "hand" in own[each]}
        step["legal"] = game.legal_moves()
        steps.append({**step, "hands": hands} if hands else step)
    if whole.is_over and not game.is_over:
        game.cut_off()
        last = steps[-1] if steps else start
        view = game.view(None)
        last["legal"] = []
        last.update({key: view[key] for key in ("seat", "phase", "legal_moves", "result")})
    return {"view": start, "hands": hands_dealt, "legal": legal, "steps": steps}


def verified(record: Mapping[str, Any]) -> dict[str, Any]:
    """Whether the proof in a record agrees with itself, in words too."""
    verdict = deals.verify(record)
    return {
        "holds": verdict.holds,
        "checks": [{"what": name, "ok": ok} for name, ok in verdict.checks],
        "unchecked": verdict.unchecked,
        "message": (
            "the record agrees with itself; whether the deal was fair only a player can tell, "
            "who compares the own seed and the seal seen before"
            if verdict.holds
            else "the proof does not hold"
        ),
    }


def _is_position(record: Mapping[str, Any]) -> bool:
    """Whether it is only where a game stands: records may have that key for something else."""
    return "position" in record and "format" not in record


def position_at(record: Mapping[str, Any], at: int, *, hands: bool) -> dict[str, Any]:
    """A position as text: everything in it, or what a spectator sees."""
    seat = positions_as_text.ALL if hands else None
    if _is_position(record):
        text = record["position"]
        game = keltis.position(text, seed=0)
        return {"position": " ".join(text.split()) if hands else game.position(None)}
    game = keltis.load(record)
    if len(game.moves) > keltis.DECISION_CAP:
        raise Problem("too_large", f"moves: more than {keltis.DECISION_CAP} decisions")
    if at > len(game.moves):
        raise Problem("bad_request", f"at: the game has {len(game.moves)} decisions")
    begun = keltis.load({**record, "moves": game.moves[:at], "result": None})
    return {"position": begun.position(seat)}


def _hands(game: keltis.Game) -> list[list[str]] | None:
    if game.game != "board":
        return None
    return [game.view(seat)["hand"] for seat in range(len(game.players))]


def _illegal(fault: IllegalRecord) -> dict[str, Any]:
    """What speaks against a move of a record, to be said in any language."""
    reason = fault.reason
    return {
        "place": fault.place,
        "seat": fault.view["seat"],
        "phase": fault.view["phase"],
        "reason": reason.key,
        "card": reason.card or None,
        "top": reason.top if reason.key in ("rising", "falling") else None,
    }


def _answer(asked: dict[str, Any]) -> tuple[bytes, bytes]:
    found: Any
    try:
        record = asked["record"]
        if asked["do"] == "replay":
            found = positions(record)
        elif asked["do"] == "verify":
            found = verified(record)
        elif asked["do"] == "prelude":
            found = practice.prelude(record, asked["step"], asked["seat"])
        else:
            found = position_at(record, asked["at"], hands=asked["hands"])
        content = orjson.dumps(found)
    except Problem as problem:
        return b"!", json.dumps(problem.body()).encode()
    except IllegalRecord as fault:
        return _refused(str(fault), illegal=_illegal(fault))
    except (keltis.RecordError, keltis.PositionError, deals.NoProof, TypeError) as fault:
        return _refused(str(fault))
    except RecursionError:
        return _refused("this is not a record")
    return b".", gzip.compress(content, 5, mtime=0) if asked["pack"] else content


def _refused(message: str, **more: Any) -> tuple[bytes, bytes]:
    return b"!", json.dumps({"code": "bad_request", "message": message[:300], **more}).encode()


def main() -> None:
    """The process's own end."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        while True:
            kind, content = _answer(json.loads(_receive(sys.stdin.buffer)))
            sys.stdout.buffer.write(kind)
            _send(sys.stdout.buffer, content)


if __name__ == "__main__":
    main()
