"""Runs the program inside the test, as if its input were piped in."""

import contextlib
import io
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import keltis
from keltis.cli import main, words


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


def run(*arguments: str | Path, typed: str = "") -> Done:
    """`keltis ARGUMENTS` with some lines as its input."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with (
        _input(typed),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        finally:  # what the command spoke is nobody else's language
            words.use("en")
    return Done(code, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def _input(typed: str) -> Iterator[None]:
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before


def written(folder: Path, game: keltis.Game, **more: Any) -> Path:
    """A game saved in a file of its own."""
    path = folder / f"game-{len(list(folder.iterdir()))}.json"
    path.write_text(json.dumps(game.record() | more), "utf-8")
    return path


def played(game: str, decisions: int, players: int = 2, seed: int = 7) -> keltis.Game:
    """A game some decisions on; every decision is the first, the middle or the last legal one."""
    running = keltis.new_game(game, players, seed=seed)
    for k in range(decisions):
        if running.is_over:
            break
        legal = running.legal_moves()
        running.play(legal[(0, len(legal) // 2, -1)[k % 3]])
    return running
