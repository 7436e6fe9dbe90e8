"""A seat on several devices: a link for the other one, being told of it, and sending it away."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.conftest import PHONE, Visit
from tests.web.person import Person, finish


def link_of(person: Person) -> str:
    """A link to another device, made by the page."""
    person.find(".menu-button").click()
    person.find(".dialog").get_by_role("button", name="Your devices").click()
    person.page.get_by_role("button", name="Add a device").click()
    return person.page.get_by_label("Link for your other device").input_value()


def test_a_seat_is_taken_along_and_the_holder_is_told(visit: Visit) -> None:
    ann, phone, thief = visit(), visit(PHONE), visit(quiet=False)
    ann.table("board")
    link = link_of(ann)
    assert ann.cut_texts() == []
    assert ann.violations() == []
    ann.picture("devices")
    phone.page.goto(link)
    phone.page.get_by_label("Name of this device").fill("Red phone")
    assert phone.violations() == []
    phone.picture("take-along")
    phone.page.get_by_role("button", name="Play here too").click()
    phone.page.wait_for_selector(".hand-card")
    assert "#" not in phone.page.url
    assert phone.find(".hand-card").count() == ann.find(".hand-card").count()
    # The link is spent, on the page that made it too.
    expect(ann.page.get_by_label("Link for your other device")).to_have_count(0)
    thief.page.goto(link)
    thief.page.get_by_role("button", name="Play here too").click()
    expect(thief.page.get_by_role("alert")).to_contain_text(["This invitation is no longer valid."])
    thief.page.keyboard.press("Escape")
    thief.page.wait_for_selector(".hand.hidden")
    # Told at once, and again until it is answered.
    note = ann.find(".device-note")
    expect(note).to_contain_text("A device was added to your seat: Red phone.")
    ann.page.keyboard.press("Escape")
    ann.page.reload()
    expect(note).to_contain_text("Red phone")
    ann.picture("device-added")
    assert phone.find(".device-note").inner_text() == ""
    note.get_by_role("button", name="Remove it").click()
    expect(note).to_be_empty()
    phone.page.wait_for_selector(".hand.hidden")
    expect(phone.find(".device-note")).to_contain_text("no longer has a seat")
    assert phone.find(".hand-card").count() == 0


def test_ones_own_device_is_told_of_once(visit: Visit) -> None:
    ann, phone = visit(), visit(PHONE)
    ann.table("board")
    phone.page.goto(link_of(ann))
    phone.page.get_by_role("button", name="Play here too").click()
    phone.page.wait_for_selector(".hand-card")
    ann.page.keyboard.press("Escape")
    ann.find(".device-note").get_by_role("button", name="That was me").click()
    expect(ann.find(".device-note")).to_be_empty()
    ann.page.reload()
    ann.page.wait_for_selector(".hand-card")
    expect(ann.find(".device-note")).to_be_empty()
    # The phone lists both, and can only send itself away.
    phone.find(".menu-button").click()
    phone.find(".dialog").get_by_role("button", name="Your devices").click()
    expect(phone.find(".devices li")).to_have_count(2)
    expect(phone.find(".devices li .button")).to_have_count(1)
    phone.find(".devices li .button").click()
    phone.page.wait_for_selector(".hand.hidden")


@pytest.mark.parametrize("language", ["de", "fr", "nl"])
def test_devices_fit_in_every_language(visit: Visit, language: str) -> None:
    ann = visit(PHONE, language=language)
    ann.table("stones")
    ann.find(".menu-button").click()
    ann.find(".menu button").nth(2).click()
    ann.find(".devices .button.main").click()
    ann.page.wait_for_selector(".devices .qr")
    assert ann.cut_texts() == []
    ann.picture(f"devices-{language}")


def test_the_lobby_has_the_devices_too(visit: Visit) -> None:
    ann, phone = visit(), visit(PHONE)
    made = ann.make({"game": "stones", "seats": [{"who": "me", "name": "Ann"}, {"who": "open"}]})
    ann.open(made["path"])
    ann.page.get_by_role("button", name="Your devices").click()
    ann.page.get_by_role("button", name="Add a device").click()
    link = ann.page.get_by_label("Link for your other device").input_value()
    phone.page.goto(link)
    phone.page.get_by_role("button", name="Play here too").click()
    expect(phone.find(".lobby-seat .tag").first).to_have_text("you")
    expect(ann.find(".devices li")).to_have_count(2)


def test_a_device_stays_known_in_the_next_game(visit: Visit) -> None:
    ann, phone = visit(), visit(PHONE)
    for said in (True, False):
        table = ann.table("stones", level="random")
        phone.page.goto(link_of(ann))
        phone.page.get_by_role("button", name="Play here too").click()
        phone.page.wait_for_selector(".middle")
        if said:
            ann.page.keyboard.press("Escape")
            ann.page.get_by_role("button", name="That was me").click()
        ann.page.reload()
        finish(ann)
        ann.page.get_by_role("dialog").get_by_role("button", name="Play again").click()
        ann.page.wait_for_url(re.compile(rf"/table/(?!{table})"))
        ann.page.wait_for_selector(".middle")
        # Whoever was not known then is told of again.
        note = ann.find(".device-note")
        expect(note).to_be_empty() if said else expect(note).to_contain_text("was added")
