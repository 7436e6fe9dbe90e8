"""Devices and data: one more by a link, one less, and everything deleted."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import DESKTOP, PHONE, Visit
from tests.web.person import Person

LANGUAGES = ["en", "de", "fr", "nl"]


def opened(person: Person) -> None:
    person.open("games/devices")
    person.page.wait_for_selector(".own-games h2")


def test_a_person_moves_to_a_phone_and_signs_out_and_deletes_everything(visit: Visit) -> None:
    ann = visit(DESKTOP)
    ann.table("stones", level="fawn")
    opened(ann)
    ann.page.get_by_role("button", name="Add a device").click()
    link = ann.page.get_by_role("textbox", name="Link for your other device").input_value()
    assert ann.find("svg.qr").count() == 1
    assert ann.violations() == []
    ann.picture("devices-link")

    phone = visit(PHONE, theme="dark")
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    phone.page.goto(link)
    dialog = phone.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Go on only if you made the link yourself")
    # The secret is in no address any more, and nothing has been asked with it.
    secret = link.partition("#link=")[2]
    assert secret not in phone.page.url
    assert not any(secret in url for url in asked)
    assert phone.violations() == []
    phone.picture("devices-join")
    dialog.get_by_label("Name of this device").fill("My phone")
    dialog.get_by_role("button", name="Yes, this is mine").click()
    expect(phone.find(".devices li")).to_have_count(2)
    expect(phone.find(".devices li").nth(1)).to_contain_text("this one")
    assert phone.page.get_by_role("button", name="Sign out The first device").count() == 0
    assert phone.page.get_by_role("button", name="Delete everything").count() == 0
    phone.open("games")
    expect(phone.find(".tables li")).to_have_count(1)
    phone.page.get_by_role("link", name="Continue").click()
    phone.page.wait_for_selector(".action-bar")

    # Whoever made the link is told.
    expect(ann.find("[role=alert]")).to_contain_text("The link has been used")
    expect(ann.find(".devices li")).to_have_count(2)
    ann.picture("devices-used")
    ann.page.get_by_role("button", name="Sign out My phone").click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(ann.find(".devices li")).to_have_count(1)
    opened(phone)
    expect(phone.find("[role=alert]")).to_contain_text("was signed out")
    phone.picture("devices-gone")
    phone.strict = False
    phone.open("games")
    phone.page.goto(link)
    phone.page.get_by_role("button", name="Yes, this is mine").click()
    expect(phone.page.get_by_role("dialog")).to_contain_text("This link has been used")

    with ann.page.expect_download() as download:
        ann.page.get_by_role("link", name="Save everything as a file").click()
    assert download.value.suggested_filename == "keltis-my-data.jsonl"
    ann.page.get_by_role("button", name="Delete everything").click()
    assert ann.violations() == []
    ann.page.get_by_role("dialog").get_by_role("button", name="Delete everything").click()
    expect(ann.find("[role=status].note")).to_have_text(
        "Everything that was stored about you is deleted."
    )
    ann.open("games")
    expect(ann.find(".games-over")).to_contain_text("No finished games yet")


def test_what_could_not_be_deleted_is_told(visit: Visit) -> None:
    ann = visit()
    opened(ann)
    expect(ann.find(".own-games")).to_contain_text("Nothing is stored about you yet")
    assert ann.page.get_by_role("button", name="Delete everything").count() == 0
    ann.table("stones", level="fawn")
    opened(ann)

    def damaged(route: Any) -> None:
        if route.request.method == "DELETE":
            route.fulfill(json={"tables": 1, "unreadable": 2})
        else:
            route.continue_()

    ann.page.route("**/api/me", damaged)
    ann.page.get_by_role("button", name="Delete everything").click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Delete everything").click()
    expect(ann.find("[role=status].note")).to_contain_text("2 damaged games could not be read")


@pytest.mark.parametrize("language", LANGUAGES)
def test_own_devices_fit(visit: Visit, language: str) -> None:
    ann = visit((360, 800) if language in "de nl" else (390, 844), language=language)
    answer = ann.context.request.post(f"{ann.address}api/me/devices/link", data={})
    assert answer.ok, answer.text()
    opened(ann)
    ann.find(".own-games .button.main").first.click()
    ann.page.wait_for_selector("svg.qr")
    assert ann.cut_texts() == []
    ann.picture(f"devices-{language}")
