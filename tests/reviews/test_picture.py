"""A review as a picture."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

import keltis
from keltis import reviews
from tests.reviews.games import TABLES, heuristic_record


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_it_has_a_line_for_each_seat(game: str, players: int) -> None:
    review = reviews.network_review(heuristic_record(game, players))
    picture = ElementTree.fromstring(review.svg())
    lines = picture.findall("{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == players
    assert review._repr_svg_() == review.svg()


def test_names_are_written_as_text() -> None:
    names = ['<script>alert("1")</script>', "\x00\x1b[31mA & B"]
    one = keltis.new_game("stones", 2, seed=1, names=names)
    one.play("?")
    text = reviews.network_review(one).svg()
    assert "<script" not in text
    ElementTree.fromstring(text)
