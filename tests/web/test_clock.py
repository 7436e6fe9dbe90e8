"""Clocks: in sight where what is asked stands, told in time, and a way back when time is up."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import PHONE, Visit, wait_until
from tests.web.wire import Wire

PHONES = [(390, 844), (360, 640)]
CLOCK = {"move": 90, "game": None}


class Shown:
    """A clock that shows what a test wants."""

    def __init__(self, milliseconds: int) -> None:
        self.milliseconds = milliseconds

    def __call__(self, message: dict[str, Any]) -> None:
        if table := message.get("table"):
            table["clock"]["move_left"] = self.milliseconds


@pytest.mark.parametrize("size", PHONES)
def test_ones_own_clock_is_large_and_in_sight_on_a_phone(
    visit: Visit, size: tuple[int, int]
) -> None:
    ann = visit(size)
    shown = Shown(42_000)
    Wire(ann, shown)
    ann.table(practice=False, clock=CLOCK)
    clock = ann.find(".own-clock strong")
    expect(clock).to_have_text(re.compile(r"0:(41|40|3\d)"))  # it counts
    box = clock.bounding_box()
    assert box
    assert box["width"] > 40
    assert box["height"] > 20
    assert 0 <= box["x"] <= size[0] - box["width"]
    assert 0 <= box["y"] <= size[1] - box["height"]
    calm = clock.evaluate("one => getComputedStyle(one).color")
    shown.milliseconds = 9_900
    ann.page.reload()
    expect(ann.find(".own-clock.urgent strong")).to_have_text(re.compile(r"0:0\d"))
    urgent = clock.evaluate("one => getComputedStyle(one).color")
    warn = ann.page.evaluate(
        """() => {
            const probe = document.body.appendChild(document.createElement("i"));
            probe.style.color = "var(--warn)";
            const { color } = getComputedStyle(probe);
            probe.remove();
            return color;
        }"""
    )
    assert urgent == warn != calm
    assert ann.cut_texts() == []


@pytest.mark.parametrize("seconds", [30, 10])
def test_the_last_seconds_are_told(visit: Visit, seconds: int) -> None:
    ann = visit(PHONE)
    Wire(ann, Shown(seconds * 1000 + 3500))
    ann.table(practice=False, clock=CLOCK)
    expect(ann.find(".voice")).to_have_text(f"{seconds} seconds left")


def test_after_the_time_is_up_one_can_take_over_again(visit: Visit) -> None:
    ann, ben = visit((360, 640)), visit()
    made = ann.make(
        {
            "game": "board",
            "first": 0,
            "clock": {"move": 5, "game": None},
            "seats": [{"who": "me", "name": "Ann"}, {"who": "open"}],
        }
    )
    ann.open(made["path"])
    ben.open(made["invitation_path"])
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Join").click()
    button = ann.page.get_by_role("button", name="Take over again", exact=True)
    button.wait_for()
    assert ann.find(".prompt").inner_text() == "You ran out of time. A bot is playing for you."
    box = button.bounding_box()
    assert box
    assert box["y"] + box["height"] <= 640
    ann.picture("time-is-up")
    button.click()
    wait_until(lambda: button.count() == 0, ann.page)
    assert "ran out" not in ann.find(".prompt").inner_text()
