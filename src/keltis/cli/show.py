"""`keltis show`: where a game stands, from a position as text or from a record."""

from __future__ import annotations

from pathlib import Path

from keltis import Game, Picture
from keltis.cli import files
from keltis.cli.failure import Failure, unwritable
from keltis.cli.replay import Replay, Viewer, viewer_of
from keltis.cli.words import t
from keltis.game import positions


def show(source: str, *, turn: int | None, view: str, svg: Path | None) -> None:
    """Print a table and its position as text, or write its picture."""
    data = source.encode() if source.startswith(files.POSITION) else files.read(source)
    text = files.position_in(data)
    hidden: list[int] = []
    if text is not None:
        game = files.position(text, seed=0)
        hidden = [s for s in range(len(game.players)) if s not in positions.named_hands(text)]
    else:
        game = files.game(data, source)
    viewer = viewer_of(view, len(game.players))
    shown = Replay(game, viewer, hidden)
    if turn is not None and turn > shown.last:
        raise Failure(t("fault.turn", turn=turn, n=shown.last))
    shown.go_to(shown.last if turn is None else turn)
    if svg is not None:
        _write(svg, Picture(shown.game.view(_eyes(shown.game, viewer, hidden))))
        print(svg)
        return
    shown.table(shown.last if turn is None else turn)
    if text is None:
        text = shown.game.position(viewer)
    elif viewer != "all":
        text = shown.game.position(None if viewer in hidden else viewer)
    print(f"\n{' '.join(text.split())}")


def _eyes(game: Game, viewer: Viewer, hidden: list[int]) -> int | None:
    """Whose hand the picture has: a picture has room for one."""
    if viewer != "all":
        return None if viewer in hidden else viewer
    named = [seat for seat in range(len(game.players)) if seat not in hidden]
    if game.seat in named or not named:
        return game.seat if named else None
    return named[0] if hidden else None


def _write(path: Path, picture: Picture) -> None:
    try:
        files.write(path, picture.svg + "\n", overwrite=True)
    except (OSError, ValueError) as fault:
        raise Failure(unwritable(path, fault)) from None
