"""Games as pictures, in notebooks and elsewhere."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

import keltis
from keltis.game import picture


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_notebook_shows_a_game_from_its_start_to_its_end(game: str, players: int) -> None:
    chance = random.Random(1)
    one = keltis.new_game(game, players=players, seed=1)
    pictures = set()
    while not one.is_over:
        if len(one.moves) % 20 == 0:
            pictures.add(one._repr_svg_())
        one.play(chance.choice(one.legal_moves()))
    pictures.add(one._repr_svg_())
    assert len(pictures) > 2
    for shown in pictures:
        assert ElementTree.fromstring(shown).tag.endswith("svg")


def test_a_picture_shows_what_the_view_shows_and_no_more() -> None:
    one = keltis.new_game("board", players=3, seed=4)
    for seat in (0, 1, 2, None):
        world = keltis.resample(one.view(seat), seed=9)
        assert picture.svg(world.view(seat)) == picture.svg(one.view(seat))
    assert len({picture.svg(one.view(seat)) for seat in (0, 1, 2, None)}) == 4


def test_the_picture_of_a_running_game_is_that_of_who_decides() -> None:
    one = keltis.new_game("board", seed=4)
    assert one._repr_svg_() == picture.svg(one.view(0))
    one.cut_off()
    assert one._repr_svg_() == picture.svg(one.view(None))
