"""Writes the page's first lessons: real games, taken apart into what the learner sees and does.

    python tools/lessons.py            writes src/keltis/web/lessons/*.json
    python tools/lessons.py --check    fails if they are not what would be written

A lesson is a record (tools/lessons/GAME.json) and a list of beats. The texts of the beats are
messages of the page, `lesson.GAME.NAME` in js/messages/study.*.js.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import keltis

ROOT = Path(__file__).resolve().parents[1]
RECORDS = ROOT / "tools" / "lessons"
LESSONS = ROOT / "src" / "keltis" / "web" / "lessons"
LEARNER = 0


@dataclass(frozen=True)
class Beat:
    """One thing that is told. With `move` the learner does it, and then `others` is played;
    without, the learner only goes on."""

    text: str
    move: str | None = None
    others: str = ""
    point: str = ""  # what is pointed at: a data-point of study.css
    skip_to: str = ""  # the game runs on until this move is next and the last one


BEATS = {
    "board": [
        Beat("welcome", point="board"),
        Beat("values", point="board"),
        Beat("lay", "G2", point="hand"),
        Beat("figure", "G*", point="control"),
        Beat("draw", "?", "xG6 ?", point="piles"),
        Beat("rise", "G4", point="hand"),
        Beat("take", "<G", "Y10 Y ?", point="piles"),
        Beat("clover.lay", "G6", point="hand"),
        Beat("clover", "G", point="board"),
        Beat("plus", "?", "Y9 ?", point="piles"),
        Beat("wish.lay", "G7", point="hand"),
        Beat("wish", "?", "Y7 ?", point="piles"),
        Beat("second", "R8", point="hand"),
        Beat("small", "?", "B5 B* ?", point="piles"),
        Beat("fall", "R5", point="hand"),
        Beat("wishes", "?", "B6 - ?", point="piles"),
        Beat("discard", "xY1", point="hand"),
        Beat("closed", "?", point="piles"),
        Beat("later", skip_to="R0"),
        Beat("end", "R0", point="hand"),
        Beat("done"),
    ],
    "stones": [
        Beat("welcome", point="middle"),
        Beat("turn", "?", point="middle"),
        Beat("take", "G6", "? -", point="control"),
        Beat("cost", "?", point="middle"),
        Beat("leave", "-", "? -", point="control"),
        Beat("open", "G9", "? R9", point="middle"),
        Beat("more", "?", point="middle"),
        Beat("clover", "B5", point="control"),
        Beat("again", "B10", "? -", point="middle"),
        Beat("misfit", "?", point="middle"),
        Beat("three", "G10", point="control"),
        Beat("later", skip_to="? R10"),
        Beat("last", "?", point="middle"),
        Beat("end", "R10", point="control"),
        Beat("done"),
    ],
}


def _change(game: keltis.Game) -> dict[str, Any]:
    (change,) = game.changes([LEARNER])
    return {key: value for key, value in change.items() if key != "you"}


def _skip(game: keltis.Game, moves: list[str], following: str) -> dict[str, Any]:
    """Many decisions as one change."""
    before: dict[str, Any] = dict(game.view(LEARNER))
    for move in moves[len(game.moves) : len(moves) - len(following.split())]:
        game.play(move)
    after: dict[str, Any] = dict(game.view(LEARNER))
    steps = after["history"][len(before["history"]) :]
    rest = {key: value for key, value in after.items() if value != before[key]}
    return {**rest, "history": steps}


def lesson(name: str) -> dict[str, Any]:
    record = json.loads((RECORDS / f"{name}.json").read_text())
    whole = keltis.load(record)
    moves, game = whole.moves, whole.restarted()
    start = game.view(LEARNER)
    beats = []
    for beat in BEATS[name]:
        made: dict[str, Any] = {"text": beat.text}
        if beat.point:
            made["point"] = beat.point
        if beat.move is not None:
            assert game.seat == LEARNER, beat
            made["move"] = beat.move
            made["changes"] = []
            for move in [beat.move, *beat.others.split()]:
                game.play(move)
                made["changes"].append(_change(game))
        elif beat.skip_to:
            made["skip"] = _skip(game, moves, beat.skip_to)
        beats.append(made)
    assert game.moves == moves
    assert game.is_over
    return {"view": start, "beats": beats}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    LESSONS.mkdir(exist_ok=True)
    for name in BEATS:
        text = json.dumps(lesson(name), separators=(",", ":"), ensure_ascii=False) + "\n"
        file = LESSONS / f"{name}.json"
        if not check:
            file.write_text(text)
        elif file.read_text() != text:
            sys.exit(f"{file.name} is out of date: run python tools/lessons.py")


if __name__ == "__main__":
    main()
