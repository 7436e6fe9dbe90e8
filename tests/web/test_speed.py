"""What the page costs while things move, by Chromium's own trace: processor time, not wall time."""

import json
from collections.abc import Callable
from itertools import pairwise

from tests.web.conftest import DESKTOP, Visit
from tests.web.person import Person

FRAME = 1000 / 60  # milliseconds
# The few frames in which a message is read or a picture first painted may take longer.
SHARE = 0.95


def cost_of_frames(person: Person, act: Callable[[], None]) -> list[float]:
    """Milliseconds of processor time that the page's main thread used for each frame."""
    browser = person.context.browser
    assert browser
    browser.start_tracing(
        page=person.page, categories=["toplevel", "devtools.timeline", "cc", "blink", "benchmark"]
    )
    act()
    events = json.loads(browser.stop_tracing())["traceEvents"]
    frames = [each for each in events if each["name"] == "Commit" and "ts" in each]
    threads = [(each["pid"], each["tid"]) for each in frames]
    main = max(set(threads), key=threads.count)
    mine = [each for each in events if (each["pid"], each["tid"]) == main]
    starts = sorted(each["ts"] for each in mine if each["name"] == "Commit")
    tasks = [
        (each["ts"], each["tdur"] / 1000)
        for each in mine
        if each["name"].endswith("RunTask") and "tdur" in each
    ]
    assert tasks
    assert len(starts) > 20
    return [sum(time for at, time in tasks if begin <= at < end) for begin, end in pairwise(starts)]


def share_in_time(costs: list[float]) -> float:
    return sum(cost < FRAME for cost in costs) / len(costs)


def test_dragging_a_card_over_a_full_table_costs_less_than_a_frame(visit: Visit) -> None:
    ann = visit(DESKTOP)
    ann.table(opponents=3)
    ann.play(30)
    ann.play(40, until=".hand.choosing")
    card = ann.find(".hand.choosing .hand-card").first.bounding_box()
    board = ann.find(".board").bounding_box()
    assert card
    assert board

    def drag() -> None:
        mouse = ann.page.mouse
        mouse.move(card["x"] + 20, card["y"] + 20)
        mouse.down()
        for step in range(90):
            mouse.move(
                board["x"] + board["width"] * step / 90,
                board["y"] + board["height"] * ((step * 7) % 90) / 90,
            )
        mouse.move(board["x"], board["y"] - 30)
        mouse.up()

    assert share_in_time(cost_of_frames(ann, drag)) > SHARE


def test_the_moves_of_others_are_animated_within_a_frame_each(visit: Visit) -> None:
    ann = visit(DESKTOP, pace="calm")
    ann.table(opponents=3)
    ann.play(40, until=".deck.target")

    def watch() -> None:
        ann.find(".deck.target").click()
        ann.page.wait_for_timeout(5000)

    assert share_in_time(cost_of_frames(ann, watch)) > SHARE
