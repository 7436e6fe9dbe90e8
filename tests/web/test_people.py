"""Several people: by a link, four at a table, on one screen, strangers, and names of all kinds."""

import json
import re

import numpy as np
import pytest
import zxingcpp
from playwright.sync_api import expect

from tests.web.conftest import DESKTOP, PHONE, Visit, wait_until
from tests.web.person import Person, finish

MARKUP = '<img src=x onerror="1">'


def take_turn(*people: Person) -> None:
    """Whoever is to decide plays on, if the game does."""
    while not all(person.find(".dialog.end").count() for person in people):
        for person in people:
            if person.find(".action-bar.mine").count() and person.play(1, seconds=1):
                return
        people[0].page.wait_for_timeout(10)


def read_code(person: Person, link: str) -> str:
    """What a camera would make of the QR code that the page draws for a link."""
    modules = person.page.evaluate(
        """link => import(new URL("js/qr.js", document.baseURI))
            .then((qr) => qr.qrModules(link))""",
        link,
    )
    dark = np.pad(np.array(modules, np.uint8), 4)
    picture = (255 * (1 - np.kron(dark, np.ones((6, 6), np.uint8)))).astype(np.uint8)
    [found] = zxingcpp.read_barcodes(picture)
    return str(found.text)


def test_two_friends_play_through_a_link(visit: Visit) -> None:
    ann, ben = visit(DESKTOP), visit(PHONE, language="de")
    page = ann.open()
    page.get_by_text("The Way of Stones").click()
    page.get_by_label("Your name").fill("Ann")
    page.locator(".places select").select_option("link")
    page.get_by_role("button", name="Take a seat").click()
    page.wait_for_selector(".qr")
    link = page.get_by_label("Invitation link").input_value()
    assert read_code(ann, link) == link
    ann.picture("invitation")
    assert ann.cut_texts() == []

    ben.page.goto(link)
    ben.page.get_by_label("Dein Name").fill(MARKUP)
    ben.page.get_by_role("button", name="Mitspielen").click()
    for person in (ann, ben):
        person.page.wait_for_selector(".middle")
    # The invitation is no longer in the address, and a name is only a name.
    assert "#" not in ben.page.url
    assert MARKUP in ann.find(".players .player-name").inner_text()
    while ann.find(".side .log li").count() < 12:
        take_turn(ann, ben)
    finish(ann, ben)
    assert ann.find(".dialog.end tfoot td").all_inner_texts() == (
        ben.find(".dialog.end tfoot td").all_inner_texts()
    )


def test_four_people_at_one_table(visit: Visit) -> None:
    people = [visit() for _ in range(4)]
    host = people[0]
    made = host.make(
        {"game": "board", "seats": [{"who": "me", "name": "P0"}] + [{"who": "open"}] * 3}
    )
    host.open(made["path"])
    for number, guest in enumerate(people[1:], 1):
        guest.open(made["invitation_path"])
        guest.page.get_by_label("Your name").fill(f"P{number}")
        guest.page.get_by_role("button", name="Join").click()
    for person in people:
        person.page.wait_for_selector(".hand")
        assert person.find(".players .player").count() == 3
    while host.find(".side .log li").count() < 16:
        take_turn(*people)
    for person in people:
        expect(person.find(".side .log li").nth(15)).to_be_attached()
    host.picture("four-people")


def test_a_stranger_sees_no_hand(visit: Visit) -> None:
    ann, eve = visit(), visit()
    table = ann.table()
    ann.play(3)
    frames: list[str] = []
    eve.page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda text: frames.append(str(text))),
    )
    eve.open(f"table/{table}")
    eve.page.wait_for_selector(".hand.hidden")
    assert eve.find(".hand-card").count() == 0
    assert eve.find(".action-buttons button").count() == 0
    wait_until(lambda: bool(frames), eve.page)
    views = json.loads(frames[0])["views"]
    assert [view["hand"] for view in views] == [None]
    eve.picture("stranger")


# The key that asks for the hand, in the very moment in which the cover comes.
PRESS_WHEN_COVERED = """
() => {
  let covered = false;
  new MutationObserver(() => {
    const now = document.querySelector(".cover") !== null;
    if (now && !covered) dispatchEvent(new KeyboardEvent("keydown", { key: "h" }));
    covered = now;
  }).observe(document.body, { childList: true, subtree: true });
}
"""


def sit_together(ann: Person) -> str:
    """Ann and Ben on one screen; the id of their table."""
    page = ann.open()
    page.get_by_label("Your name").fill("Ann")
    page.locator(".places select").select_option("here")
    page.get_by_label("Your friend’s name").fill("Ben")
    page.get_by_role("button", name="Take a seat").click()
    page.wait_for_selector(".cover")
    return page.url.rsplit("/", 1)[1]


def test_hands_are_covered_between_turns_on_one_screen(visit: Visit) -> None:
    ann = visit(PHONE)
    page = ann.page
    sit_together(ann)
    ann.picture("covered")
    assert ann.find(".hand-card").count() == 0
    page.locator(".cover button").click()
    page.wait_for_selector(".hand.choosing")
    page.evaluate(PRESS_WHEN_COVERED)
    for _ in range(4):
        ann.play(30, until=".cover")
        page.wait_for_selector(".cover")
        assert ann.find(".hand-card").count() == 0
        expect(ann.find(".voice")).to_have_text("The hand is hidden.")
        page.locator(".cover button").click()


def accessible(person: Person) -> str:
    """All that a screen reader could find on the page."""
    session = person.context.new_cdp_session(person.page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    texts = [
        str(part.get("value", {}).get("value", ""))
        for node in nodes
        if not node.get("ignored")
        for part in (
            {"value": node.get("name", {})},
            {"value": node.get("description", {})},
            {"value": node.get("value", {})},
        )
    ]
    return "\n".join(texts)


LOG = "all => all.map(one => one.textContent.trim())"


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_a_covered_screen_tells_what_a_spectator_may_know(
    visit: Visit, size: tuple[int, int]
) -> None:
    ann, eve = visit(size, pace="quick", motion=True), visit(size)
    page = ann.page
    table = sit_together(ann)
    eve.open(f"table/{table}")
    eve.page.wait_for_selector(".hand.hidden")
    for _ in range(4):
        cover = page.locator(".cover button")
        name = "Ann" if cover.inner_text() == "I am Ann: show my cards" else "Ben"
        cover.click()
        page.wait_for_selector(".hand.choosing")
        ann.play(40, until=".deck.target")
        page.locator(".deck.target").click()
        # Who drew sees the card, as long as it takes.
        hide = page.get_by_role("button", name="Hide my cards")
        hide.wait_for()
        drawn = re.fullmatch(
            rf"You drew (\w+ \d+)\. Once .* to {'Ben' if name == 'Ann' else 'Ann'}\.",
            ann.find(".prompt").inner_text(),
        )
        assert drawn
        assert page.get_by_role("button", name=drawn[1]).count() >= 1
        assert f"{name} draws {drawn[1]} from the pile" in page.content()
        page.keyboard.press("h")  # and what the keys tell is gone afterwards, too
        hide.click()
        page.wait_for_selector(".cover")
        wait_until(lambda: eve.find(".log li").count() == ann.find(".log li").count(), page)
        assert page.eval_on_selector_all(".log li", LOG) == eve.page.eval_on_selector_all(
            ".log li", LOG
        )
        for told in (page.content(), accessible(ann)):
            assert "Your hand" not in told
            assert not re.search(r"draws? \w+ \d+ from the pile|You drew", told)
        assert ann.find(".flight").count() == 0
        assert ann.find(".voice").inner_text() == ""
        assert ann.find(".hand-card, .fresh").count() == 0
        known = "all => all.map(one => one.textContent)"
        # Ann sees the other's known cards on the side; a spectator sees everybody's.
        assert set(page.eval_on_selector_all(".player-known", known)) <= set(
            eve.page.eval_on_selector_all(".player-known", known)
        )
    ann.picture(f"covered-{size[0]}")


def test_a_shared_screen_that_was_left_comes_back_covered(visit: Visit) -> None:
    """Browsers keep a page as it was, for whoever goes back to it."""
    ann = visit(PHONE)
    sit_together(ann)
    ann.find(".cover button").click()
    ann.page.wait_for_selector(".hand.choosing")
    ann.page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    ann.page.wait_for_selector(".cover")
    assert ann.find(".hand-card").count() == 0


def test_a_second_tab_shows_the_same_table(visit: Visit) -> None:
    ann = visit()
    table = ann.table()
    other = ann.tab()
    other.goto(f"{ann.address}table/{table}")
    other.wait_for_selector(".hand")
    ann.play(5)
    wait_until(lambda: other.locator(".log li").count() == ann.find(".side .log li").count(), other)
