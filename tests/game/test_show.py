"""Pictures: of games, views, records and positions, and what must not be on them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import keltis
from keltis.game import picture
from tests.game.test_positions import played


@pytest.mark.parametrize("game", ["board", "stones"])
def test_all_that_can_be_shown(game: str, tmp_path: Path) -> None:
    one = played(game, 2, 40)
    expected = one._repr_svg_()
    file = tmp_path / "game.json"
    file.write_text(json.dumps(one.record()))
    for what in (one, one.record(), json.dumps(one.record()), file, str(file), one.position()):
        shown = keltis.show(what)
        assert shown.svg == shown._repr_svg_() == expected
        assert repr(shown) == f"<Picture of {game}, 2 players, phase {one.view(0)['phase']}>"
    assert keltis.show(one.view(1)).svg == keltis.show(one, seat=1).svg
    shown.save(tmp_path / "game.svg")
    assert (tmp_path / "game.svg").read_text() == expected + "\n"
    for wrong in (7, None, [one]):
        with pytest.raises(TypeError, match="what: expected a game"):
            keltis.show(wrong)  # type: ignore[arg-type]


def test_a_hand_that_a_text_leaves_open_is_not_made_up() -> None:
    one = played("board", 2, 40)
    seat = one.seat
    assert seat is not None
    assert keltis.show(one.position(None)).svg == picture.svg(one.view(None))
    # The other seat's text has its own hand, whoever is to decide.
    assert keltis.show(one.position(1 - seat)).svg == picture.svg(one.view(1 - seat))
    assert keltis.show(one.position(1 - seat), seat=seat).svg == picture.svg(one.view(None))
