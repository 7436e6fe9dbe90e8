"""Positions as text on the page: copied from a replay, opened, and refused in words."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

import keltis
from tests.web.conftest import DESKTOP, PHONE, Visit
from tests.web.test_study import at_position, replay_file


@pytest.mark.parametrize(("size", "theme"), [(PHONE, "dark"), (DESKTOP, "light")])
def test_a_position_is_copied_and_opened(visit: Visit, size: tuple[int, int], theme: str) -> None:
    ann = visit(size, theme=theme, quiet=False)  # the browser itself notes refused requests
    page = ann.page
    record = replay_file(ann, "board")
    page.locator(".film-line input").fill("40")
    at_position(ann, 40)
    page.get_by_role("button", name="Link to this position").click()
    text = page.get_by_label("Position as text")
    expected = keltis.load({**record, "moves": record["moves"][:40], "result": None})
    expect(text).to_have_value(expected.position())
    assert ann.violations() == []
    ann.picture(f"position-copied-{theme}")

    # With closed hands the text has none.
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    page.get_by_role("button", name="Link to this position").click()
    expect(page.get_by_label("Position as text")).to_have_value(expected.position(None))
    expect(page.get_by_text("The hands are hidden here")).to_be_visible()

    # What is wrong is said with its place, and the page goes on.
    ann.open("replay")
    box = page.get_by_label("Position as text")
    show = page.get_by_role("button", name="Show", exact=True)
    expect(show).to_be_disabled()
    box.fill("keltis-position/1 stones seat=0 phase=turn rows=R5.5|- open=-")
    show.click()
    expect(page.get_by_role("alert")).to_have_text(
        "This position is faulty. The fault is at “rows[0]”."
    )
    assert ann.violations() == []
    ann.picture(f"position-refused-{theme}")

    # A seat's own text shows its own hand, and backs of cards for the others.
    expect(page.get_by_label("Position as text")).to_have_value(re.compile("rows=R5.5"))  # kept
    page.get_by_label("Position as text").fill(expected.position(1))
    page.get_by_role("button", name="Show", exact=True).click()
    page.wait_for_selector(".film")
    own = expected.view(1)["hand"]
    cards = page.locator(".hand [data-card]")
    expect(cards).to_have_count(len(own))
    shown = cards.evaluate_all("all => all.map((one) => one.dataset.card)")
    assert sorted(shown) == sorted(own)
    assert "Player 2" in page.locator("body").inner_text()
    assert ann.violations() == []
    ann.picture(f"position-opened-{theme}")
    page.reload()  # the address holds it
    page.wait_for_selector(".film")
    page.get_by_role("button", name="Link to this position").click()
    expect(page.get_by_label("Position as text")).to_have_value(expected.position(1))
