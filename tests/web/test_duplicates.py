"""The same deal for several people: made, played, compared; on phones and desktops."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import DESKTOP, PHONE, Visit
from tests.web.person import Person, finish

FILES = Path(__file__).resolve().parents[2] / "src" / "keltis" / "web"
LANGUAGES = ["en", "de", "fr", "nl"]


def resign(person: Person, table: str) -> None:
    """Ends an attempt: how it went does not matter here."""
    answer = person.context.request.post(f"{person.address}api/tables/{table}/resign", data={})
    assert answer.ok, answer.text()


def made(person: Person, **wishes: Any) -> str:
    """Makes a duplicate by the API, and opens its page."""
    body = {"game": "stones", "bots": ["fawn"], "name": "Ann", **wishes}
    answer = person.context.request.post(f"{person.address}api/duplicates", data=body)
    assert answer.ok, answer.text()
    path = str(answer.json()["path"])
    person.open(path)
    person.page.wait_for_selector(".duplicate-round")
    return path


def given_up(person: Person, path: str) -> None:
    """Plays a duplicate by the API, and gives up."""
    answer = person.context.request.post(
        f"{person.address}api/{path.replace('duplicate/', 'duplicates/')}/play",
        data={"name": "Benedikt"},
    )
    assert answer.ok, answer.text()
    resign(person, answer.json()["table"])


def test_a_deal_is_made_played_and_compared(visit: Visit) -> None:
    ann, ben = visit(), visit(PHONE, theme="dark")
    ann.open()
    ann.page.get_by_role("link", name="Same deal, with friends").click()
    ann.page.get_by_label("Your name").fill("Annabella")
    for label, choice in (
        ("Game", "stones"),
        ("Number of players", "3"),
        ("Bot 1", "fawn"),
        ("Your place", "1"),
    ):
        named = ann.find(".duplicate-form label").filter(has_text=re.compile(f"^{label}"))
        named.locator("select").select_option(choice)
    ann.picture("duplicate-make")
    assert ann.violations() == []
    ann.page.get_by_role("button", name="Create the link").click()
    link = ann.page.get_by_role("textbox", name="Link for your friends")
    address = link.input_value()
    expect(ann.find(".duplicate-round")).to_contain_text("Fawn – you – Fox")
    ann.page.get_by_role("button", name="Play").click()
    ann.page.wait_for_selector(".action-bar")
    ann.play(3)
    finish(ann)
    ann.page.get_by_role("dialog").get_by_role("link", name="See how the others did").click()
    expect(ann.find(".games-table tbody tr")).to_have_count(1)
    ben.page.goto(address)
    expect(ben.find("main")).to_contain_text("From Annabella")
    expect(ben.find("main")).to_contain_text("Played so far: Annabella")
    assert ben.find(".games-table").count() == 0
    assert ben.violations() == []
    ben.picture("duplicate-before")
    ben.page.get_by_label("Your name").fill("Benedikt")
    ben.page.get_by_role("button", name="Play").click()
    ben.page.wait_for_selector(".action-bar")
    finish(ben)
    ben.page.get_by_role("dialog").get_by_role("link", name="See how the others did").click()
    lines = ben.find(".games-table tbody tr")
    expect(lines).to_have_count(2)
    expect(ben.find(".games-table tr.next")).to_contain_text("Benedikt")
    assert ben.violations() == []
    ben.picture("duplicate-after")
    ben.page.get_by_role("link", name="Replay of Annabella").click()
    ben.page.wait_for_selector(".film-line")
    ann.page.reload()
    expect(ann.find(".games-table tbody tr")).to_have_count(2)
    ann.picture("duplicate-desktop")
    ann.open("duplicate")
    expect(ann.find(".tables li")).to_contain_text("1 of 1 played")


def test_a_finished_game_is_given_to_friends(visit: Visit) -> None:
    """From the end sheet, from My games and from the replay."""
    ann = visit()
    table = ann.table("stones", level="fawn")
    resign(ann, table)
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Challenge friends to this deal").click()
    expect(ann.find("h1")).to_have_text("Can you do better?")
    expect(ann.find(".games-table")).to_contain_text("original game")
    address = ann.page.url
    ann.open("games")
    ann.page.get_by_role("button", name="More").click()
    ann.page.get_by_role("button", name="Challenge friends to this deal").click()
    expect(ann.find("h1")).to_have_text("Can you do better?")
    assert ann.page.url == address
    ann.open(f"replay/{table}")
    ann.page.get_by_role("button", name="Link to this position").click()
    dialog.get_by_role("button", name="Challenge friends to this deal").click()
    expect(ann.find("h1")).to_have_text("Can you do better?")
    ben = visit(quiet=False)
    ben.open(f"replay/{table}")
    expect(ben.find("[role=alert]")).to_be_visible()
    ben.page.goto(address)
    expect(ben.find("main")).to_contain_text("wants to know whether you can do better")
    ben.open("duplicate/nothing")
    expect(ben.find("[role=alert]")).to_contain_text("nothing to play at this address")


@pytest.mark.parametrize("language", LANGUAGES)
def test_duplicates_fit(visit: Visit, language: str) -> None:
    ann = visit((360, 800) if language in "de nl" else (390, 844), language=language)
    path = made(ann, bots=["fawn", "raven", "druid"], seats="all", game="board")
    given_up(ann, path)
    ann.page.reload()
    ann.page.wait_for_selector(".games-table")
    assert ann.cut_texts() == []
    ann.picture(f"duplicate-{language}")
    ann.open("duplicate")
    ann.page.wait_for_selector(".duplicate-form")
    assert ann.cut_texts() == []
    ann.picture(f"duplicate-make-{language}")
    ann.page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    assert ann.cut_texts() == []


# --- Texts ---------------------------------------------------------------------------------------


def messages(group: str, language: str) -> dict[str, str]:
    text = (FILES / "js" / "messages" / f"{group}.{language}.js").read_text("utf-8")
    found = re.findall(r'^  "([\w.]+)":\s+(\{.*?^  \}|[^{].*?),$', text, re.MULTILINE | re.DOTALL)
    return dict(found)


@pytest.mark.parametrize("group", ["duplicate", "person"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_are_complete(group: str, language: str) -> None:
    english, other = messages(group, "en"), messages(group, language)
    assert english
    assert list(other) == list(english)
    for key, text in english.items():
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", other[key])), key


@pytest.mark.parametrize("group", ["duplicate", "person"])
def test_no_message_is_unused(group: str) -> None:
    source = "".join(
        path.read_text("utf-8")
        for path in FILES.rglob("*.js")
        if "messages" not in path.parts and "vendor" not in path.parts
    )
    assert [key for key in messages(group, "en") if f'"{key}"' not in source] == []
