"""The deal of the day in the browser: played, compared, looked back at, shared and checked."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import expect

from keltis.server.tables import chain
from tests.server.days import playing
from tests.server.days.playing import Calendar, raven
from tests.web.conftest import DESKTOP, PHONE, Server, Visit
from tests.web.person import Person

FILES = Path(__file__).resolve().parents[2] / "src" / "keltis" / "web"
LANGUAGES = ["en", "de", "fr", "nl"]
CARD = re.compile(r"\b[RYVGB](10|\d)\b")


PAR = [-3, 4, 6, 9, 15]


def set_par(folder: Path, *days: str) -> None:
    """As if the strongest bot had played: it would take minutes, and the processor of all tests."""
    rows = [
        (chain.DayDeal(day, game, bot).id, run, lead)
        for day in days
        for game in chain.GAMES
        for bot in chain.OPPONENTS
        for run, lead in enumerate(PAR)
    ]
    with sqlite3.connect(folder / "tables.db", timeout=60) as connection:
        connection.executemany("INSERT OR IGNORE INTO pars VALUES (?, ?, ?)", rows)
    connection.close()


class Past(NamedTuple):
    """A server that has been running for some days; on the last of them nothing was played."""

    server: Server
    keys: dict[str, str]
    closed: str
    yesterday: str


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Past]:
    """Ann and Ben have played a day that is closed; yesterday Ann began a game."""
    folder = tmp_path_factory.mktemp("days")
    today = datetime.now(UTC).date().isoformat()
    closed, yesterday = chain.after(today, -3), chain.after(today, -1)
    calendar = Calendar(closed)
    with playing.serving(folder / "tables.db", calendar) as (_, client):
        ann, ben = (playing.Person(client, name) for name in ("Ann", "Ben"))
        ann.play(ann.begin(closed))
        ben.play(ben.begin(closed), raven)
        calendar.set(yesterday)
        begun = ann.begin(yesterday)
        ann.decide(begun)
    set_par(folder, *(chain.after(today, n) for n in (-3, -2, -1, 0, 1)))
    server = Server(folder, today=today)
    server.start()
    yield Past(server, {"Ann": ann.key, "Ben": ben.key}, closed, yesterday)
    server.stop()


def come(visit: Visit, past: Past, name: str, *args: Any, new: bool = False, **more: Any) -> Person:
    """Somebody with the key of one who has played before, in the same browser or a new one."""
    person = visit(*args, address=past.server.address, **more)
    person.context.add_cookies(
        [{"name": "keltis", "value": past.keys[name], "url": past.server.address}]
    )
    if not new:
        first = datetime.fromisoformat(f"{past.closed}T12:00:00+00:00").timestamp()
        answer = person.context.request.get(f"{person.address}api/days/chain")
        seen = json.dumps({"anchor": answer.json()["anchor"], "at": 1000 * first})
        person.context.add_init_script(
            "localStorage.getItem('keltis-anchor /') ?? "
            f"localStorage.setItem('keltis-anchor /', {json.dumps(seen)})"
        )
    return person


def shown(person: Person, day: str = "") -> None:
    person.open(f"day/{day}" if day else "day")
    person.page.wait_for_selector(".day-deal >> nth=3")
    person.page.wait_for_selector(".day-calendar table")
    person.page.wait_for_selector(".day-proof[data-verdict]", state="attached")


def told(person: Person, day: str = "today") -> Any:
    return person.context.request.get(f"{person.address}api/days/{day}").json()


def finish(person: Person, table: str) -> None:
    """Plays on to the end, without looking at the page."""
    ask = person.context.request
    end = time.monotonic() + 60
    for n in range(10_000):
        state = ask.get(f"{person.address}api/tables/{table}").json()
        if state["table"]["status"] == "over":
            return
        assert time.monotonic() < end
        if state["you"]["may"]["decide"] is not None:
            move = state["views"][0]["legal_moves"][-1]
            wish = {"move": move, "seq": state["seq"], "id": f"f{n}"}
            answer = ask.post(f"{person.address}api/tables/{table}/decide", data=wish)
            assert answer.ok, answer.text()


def stones_and_raven(person: Person) -> Any:
    return person.find(".day-deal").filter(has_text="Way of Stones").filter(has_text="Raven")


def test_three_people_in_three_browsers_are_compared(visit: Visit, past: Past) -> None:
    """From the start page to the table and back, with a pause; the others only when done."""
    address = past.server.address
    ann = visit((390, 844), address=address)
    ben, cid = visit(address=address), visit(address=address)
    ann.open()
    ann.find(".today").get_by_role("link").click()
    deal = stones_and_raven(ann)
    expect(deal).to_contain_text("Nobody has finished it yet")
    deal.get_by_role("button", name="Play").click()
    ann.page.wait_for_selector(".action-bar")
    table = ann.page.url.rsplit("/", 1)[-1]
    ann.play(3)
    # What is off, is said; there is nothing to take back, and no hint.
    ann.find(".menu-button").click()
    expect(ann.find(".menu .day-note")).to_contain_text("no take-backs, no hints")
    expect(ann.page.get_by_role("button", name=re.compile("Take back|Hint"))).to_have_count(0)
    ann.find(".menu").get_by_role("button", name="Resign").click()
    expect(ann.page.get_by_role("dialog")).to_contain_text("your one attempt")
    ann.open()
    expect(ann.find(".today").get_by_role("link")).to_have_text("Continue")
    shown(ann)
    deal.get_by_role("button", name="Continue").click()
    ann.page.wait_for_selector(".action-bar")
    assert ann.page.url.endswith(table)
    finish(ann, table)
    dialog = ann.page.locator(".dialog.end")
    expect(dialog).to_contain_text("fixed before the day began")
    expect(dialog.get_by_role("button", name="Share")).to_have_count(0)
    # Ben looks before he has played: he is told of her, and no more.
    shown(ben)
    expect(stones_and_raven(ben)).to_contain_text("1 person has finished it")
    assert ben.find(".day-plot, .day-place, .day-lead").count() == 0
    for person in (ben, cid):
        body = {"game": "stones", "bot": "raven", "name": "Ben"}
        day = told(person)["day"]
        answer = person.context.request.post(f"{person.address}api/days/{day}/play", data=body)
        finish(person, answer.json()["table"])
    dialog.get_by_role("link", name="How did the others do?").click()
    for person in (ann, ben, cid):
        if person is not ann:
            shown(person)
        mine = stones_and_raven(person)
        own = next(each for each in told(person)["deals"] if each["deal"].endswith("-sr"))
        lead = own["lead"]
        sign = f"+{lead}" if lead > 0 else str(lead).replace("-", "−")
        expect(mine.locator(".day-lead")).to_have_text(sign)
        expect(mine.locator(".day-place")).to_contain_text(f"Place {own['place']['place']} of 3")
        expect(mine.locator(".day-plot .own-mark")).to_have_count(1)
        expect(mine.locator(".games-behind tbody tr.next")).to_have_count(1)
        expect(mine).to_contain_text("Par +6: Druid played your seat 5 times")
        expect(mine).to_contain_text("came to between −3 and +15")
    assert told(ben)["deals"][2]["place"] == told(cid)["deals"][2]["place"]
    ann.open()
    expect(ann.find(".today")).to_contain_text("1 day in a row")


def test_the_opponent_is_called_by_its_name_in_the_chosen_language(
    visit: Visit, past: Past
) -> None:
    """At the table, where the game is told and listed; and there is one way to give up."""
    ann = visit(address=past.server.address, language="de")
    shown(ann)
    ann.find(".day-deal").nth(2).get_by_role("button", name="Spielen").click()
    ann.page.wait_for_selector(".action-bar")
    table = ann.page.url.rsplit("/", 1)[-1]
    ann.play(2)
    names = ann.find(".player-name")
    expect(names.filter(has_text="Rabe")).to_have_count(1)
    expect(ann.find("body")).to_contain_text("Rabe")
    assert "Raven" not in ann.find("body").inner_text()
    ann.find(".menu-button").click()
    expect(ann.find(".menu").get_by_role("button", name="Aufgeben")).to_have_count(1)
    expect(ann.find(".menu .danger")).to_have_count(1)
    ann.open()
    listed = ann.find(".tables.mine li").filter(has=ann.find(f"a[href='table/{table}']"))
    expect(listed).to_contain_text("Rabe")
    ann.context.request.post(f"{ann.address}api/tables/{table}/resign", data={})
    ann.open(f"replay/{table}")
    ann.page.wait_for_selector(".film-line")
    expect(names.filter(has_text="Rabe")).to_have_count(1)
    assert "Raven" not in ann.find("body").inner_text()


def test_a_closed_day_is_compared_checked_shared_and_played_again(visit: Visit, past: Past) -> None:
    ann = come(visit, past, "Ann")
    shown(ann, past.closed)
    found = told(ann, past.closed)
    own = next(each for each in found["deals"] if each["deal"].endswith("-sr"))
    proof = ann.find(".day-proof")
    expect(proof).to_have_attribute("data-verdict", "proven")
    proof.locator("summary").click()
    expect(proof.locator(".checks li")).to_have_count(3)
    expect(proof).to_contain_text(f"--commitment {found['anchor']} --seed {found['link']}")
    # Where the best went another way: both games open there.
    if own["other_way"]:
        at = own["other_way"]["step"] + 1
        links = stones_and_raven(ann).locator(".day-way a")
        for n, name in enumerate((own["table"], own["deal"])):
            expect(links.nth(n)).to_have_attribute("href", f"replay/{name}#{at}")
            links.nth(n).click()
            ann.page.wait_for_selector(".film-line")
            assert f"replay/{name}#{at}" in ann.page.url
            # A link to it is not promised to those who may not see it.
            ann.page.get_by_role("button", name="Link to this position").click()
            expect(ann.find(".link-box")).to_contain_text("Others play this deal too")
            shown(ann, past.closed)
    else:
        expect(stones_and_raven(ann)).to_contain_text("Nobody has done better")
    # What can be shown to others tells no card.
    ann.find(".day-share summary").click()
    ann.page.wait_for_selector(".day-share img")
    words = ann.find(".share-words").inner_text()
    assert f"Place {own['place']['place']} of 2" in words
    assert f"day/{past.closed}" in words
    assert not CARD.search(words.split("http")[0])
    # The calendar knows the day; yesterday's game still waits, and counts.
    cell = ann.find(f".day-calendar a[href='day/{past.yesterday}']")
    if past.yesterday[:7] == past.closed[:7]:
        expect(cell).to_have_attribute("aria-label", re.compile("a game is waiting"))
    shown(ann, past.yesterday)
    expect(stones_and_raven(ann)).to_contain_text("Finish it today, and it counts")
    expect(ann.page.get_by_role("button", name="Play")).to_have_count(0)
    shown(ann, past.closed)
    stones_and_raven(ann).get_by_role("button", name="Play for fun").click()
    ann.page.wait_for_selector(".action-bar")
    assert told(ann, past.closed)["deals"] == found["deals"]


def test_another_chain_or_link_is_noticed(visit: Visit, past: Past) -> None:
    ann = come(visit, past, "Ann")
    shown(ann, past.closed)
    forged = {"anchor": f"2026-09-01:{'ab' * 32}", "at": 1_790_000_000_000}
    ann.page.evaluate(
        "(kept) => localStorage.setItem('keltis-anchor /', JSON.stringify(kept))", forged
    )
    shown(ann, past.closed)
    proof = ann.find(".day-proof")
    expect(proof).to_have_attribute("data-verdict", "wrong")
    proof.locator("summary").click()
    expect(proof.get_by_role("alert")).to_contain_text("another chain")
    proof.get_by_role("button", name="Keep the new one").click()
    # A chain that was first seen after the day could have been made for it.
    expect(proof).to_have_attribute("data-verdict", "unproven")
    expect(proof).to_contain_text("after this day")
    ann = come(visit, past, "Ann")
    shown(ann, past.closed)
    proof = ann.find(".day-proof")
    expect(proof).to_have_attribute("data-verdict", "proven")
    # A server that shows another link, or whose record has other cards.
    link = told(ann, past.closed)["link"]
    for pattern, old, new in (
        (f"**/api/days/{past.closed}", link, "cd" * 32),
        ("**/api/tables/*/record", '"server_seed":"', '"server_seed":"0'),
    ):

        def forge(route: Any, *, old: str = old, new: str = new) -> None:
            answer = route.fetch()
            route.fulfill(response=answer, body=answer.text().replace(old, new))

        ann.page.route(pattern, forge)
        shown(ann, past.closed)
        expect(proof).to_have_attribute("data-verdict", "wrong")
        ann.page.unroute(pattern)


def test_the_link_of_a_later_day_does_not_do(visit: Visit, past: Past) -> None:
    """Else a server could choose among all days to come."""
    ann = come(visit, past, "Ann")
    ann.open("day")
    with sqlite3.connect(past.server._folder / "tables.db", timeout=60) as connection:
        (root,) = connection.execute("SELECT root FROM chains").fetchone()
    connection.close()
    days = chain.new_chain(root, past.closed)
    later = chain.after(past.closed, 9)

    def leads(link: str, day: str) -> bool:
        return bool(
            ann.page.evaluate(
                "async (of) => (await import('./js/day/chain.js')).leadsTo(...of)",
                [link, days.anchor, day],
            )
        )

    assert leads(chain.link_of(days, past.closed), past.closed)
    assert leads(chain.link_of(days, later), later)
    assert not leads(chain.link_of(days, later), past.closed)
    assert not leads(chain.link_of(days, past.closed), chain.after(past.closed, -1))


@pytest.mark.parametrize(
    ("share", "words"), [(0.004, ""), (0.9996, "ahead of 99%"), (0.29, "ahead of 29%")]
)
def test_nobody_is_told_to_be_ahead_of_more_than_it_is(
    visit: Visit, past: Past, share: float, words: str
) -> None:
    ann = come(visit, past, "Ann")

    def changed(route: Any) -> None:
        answer = route.fetch()
        found = answer.json()
        own = next(each for each in found["deals"] if each["deal"].endswith("-sr"))
        own["place"]["better_than"] = share
        route.fulfill(response=answer, json=found)

    ann.page.route(f"**/api/days/{past.closed}", changed)
    shown(ann, past.closed)
    place = stones_and_raven(ann).locator(".day-place")
    expect(place).to_contain_text("of 2")
    expect(place).to_contain_text(words) if words else expect(place).not_to_contain_text("ahead")


@pytest.mark.parametrize("zone", ["Pacific/Honolulu", "Pacific/Kiritimati"])
def test_days_are_those_of_utc_wherever_one_is(visit: Visit, past: Past, zone: str) -> None:
    ann = come(visit, past, "Ann")
    clock = ann.context.new_cdp_session(ann.page)
    clock.send("Emulation.setTimezoneOverride", {"timezoneId": zone})
    shown(ann, past.closed)
    assert ann.page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone") == zone
    day = datetime.fromisoformat(past.closed)
    written = f"{day.day} {day:%B %Y}"  # as the British write it
    expect(ann.find(".day-date")).to_have_text(f"{day:%A}, {written}")
    cell = ann.find(f".day-calendar a[href='day/{past.closed}']")
    expect(cell).to_have_attribute("aria-label", re.compile(rf"^{written},"))
    assert cell.locator("span").first.inner_text() == str(day.day)
    column = cell.evaluate("cell => cell.closest('td').cellIndex")
    assert column == day.weekday()


def test_a_day_that_is_not_there_is_told(visit: Visit, past: Past) -> None:
    ann = come(visit, past, "Ann", quiet=False)
    for day in ("2001-01-01", "nonsense"):
        ann.open(f"day/{day}")
        expect(ann.page.get_by_role("alert")).to_contain_text("There is no deal for this day")
    ann.page.get_by_role("link", name="Today", exact=True).click()
    ann.page.wait_for_selector(".day-deal")


def test_the_calendar_goes_by_keys(visit: Visit, past: Past) -> None:
    ann = come(visit, past, "Ann")
    shown(ann, past.closed)
    link = ann.find(f".day-calendar a[href='day/{past.closed}']")
    expect(link).to_have_attribute("aria-current", "date")
    expect(link).to_have_attribute("aria-label", re.compile("1 deal finished, best lead"))
    link.focus()
    ann.page.keyboard.press("Tab")
    assert ann.page.evaluate("document.activeElement.className.includes('day-cell')")
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_url("**/day/*")
    assert not ann.page.url.endswith(past.closed)


def test_axe_finds_nothing_wrong_with_a_day(visit: Visit, past: Past) -> None:
    ann = come(visit, past, "Ann")
    shown(ann, past.closed)
    for summary in ann.find("main summary").all():
        summary.click()
    ann.page.wait_for_selector(".day-share img")
    assert ann.violations_in_all_looks("day", (390, 844)) == {}
    shown(ann)
    assert ann.violations_in_all_looks("day open", (390, 844)) == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_day_fits(visit: Visit, past: Past, language: str) -> None:
    """On the page, on the start page, and in the header."""
    ann = come(visit, past, "Ann", DESKTOP, language=language)
    for size in (DESKTOP, (390, 844), PHONE):
        ann.page.set_viewport_size({"width": size[0], "height": size[1]})
        shown(ann, past.closed)
        assert ann.cut_texts() == []
        room = ann.page.evaluate(
            """() => document.querySelector(".page-tools").getBoundingClientRect().left -
                Math.max(...[...document.querySelectorAll(".head-link")].map(
                    each => each.getBoundingClientRect().right))"""
        )
        assert room >= 0, size
        ann.picture(f"day-{language}-{size[0]}")
    ann.open()
    # On a phone its page alone tells of each deal.
    ann.page.wait_for_selector(".today-deals li", state="attached")
    expect(ann.find(".today-deals")).to_be_hidden()
    assert ann.cut_texts() == []
    ann.page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    expect(ann.find(".today-deals li").last).to_be_visible()
    assert ann.cut_texts() == []


# --- Words ---------------------------------------------------------------------------------------


def messages(language: str) -> dict[str, str]:
    text = (FILES / "js" / "messages" / f"day.{language}.js").read_text("utf-8")
    entry = r'^  "([\w.]+)":\s+(\{.*?\}|".*?"),$'
    return dict(re.findall(entry, text, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_of_a_day_are_complete(language: str) -> None:
    english, other = messages("en"), messages(language)
    assert len(english) > 60
    assert list(other) == list(english)
    for key, text in english.items():
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", other[key])), key
        assert text.startswith("{") == other[key].startswith("{"), key


def test_no_message_of_a_day_is_unused() -> None:
    source = "".join(
        path.read_text("utf-8")
        for path in FILES.rglob("*.js")
        if "messages" not in path.parts and "vendor" not in path.parts
    )
    assert [key for key in messages("en") if f'"{key}"' not in source] == []
