"""The page of one's own games: list, filters, statistics, ladder; on phones and desktops."""

import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from keltis.server import keys
from keltis.server.tables import results
from tests.web.conftest import DESKTOP, PHONE, Server, Visit
from tests.web.person import Person

FILES = Path(__file__).resolve().parents[2] / "src" / "keltis" / "web"
LANGUAGES = ["en", "de", "fr", "nl"]
LEVELS = ["fawn", "hare", "fox", "raven"]
COUNT = 60
REVIEWED = 4  # one in so many


def remember(person: Person, server: Server) -> str:
    """A running game of this browser's, and sixty finished ones; the running one's id."""
    body: dict[str, Any] = {
        "game": "stones",
        "seats": [{"who": "me", "name": "Ann"}, {"who": "bot", "level": "fox", "name": "Una"}],
        "first": 0,
        "ready": True,
    }
    table = person.make(body)["table"]
    (cookie,) = [each for each in person.context.cookies() if each["name"] == "keltis"]
    holder = keys.digest(cookie["value"])
    rows = []
    for k in range(COUNT):
        others: list[dict[str, Any]] = [
            {"seat": 1, "kind": "bot", "name": "Una", "level": LEVELS[k % 4]}
        ]
        if k % 5 == 0:
            others.append({"seat": 2, "kind": "person", "name": "Benedikt", "level": None})
        lead = 15 - (k * 7) % 31
        rows.append(
            results.Result(
                holder, f"{holder[:6]}{k:06}", 1_763_000_000_000 + 7_200_000 * k, k % 2, 1,
                ("board", "stones")[k % 3 == 0], len(others) + 1,
                "won" if lead > 0 else "lost", 30 + lead, lead, 90 + k, ("goal", "deck")[k % 2],
                int(k % 9 == 0), results.text(others),
            )
        )  # fmt: skip
    columns = ", ".join(results.Result._fields)
    marks = ", ".join("?" * len(results.Result._fields))
    with sqlite3.connect(server._folder / "tables.db", timeout=60) as connection:
        connection.executemany(f"INSERT INTO holders ({columns}) VALUES ({marks})", rows)
        connection.executemany(
            "INSERT INTO reviewed VALUES (?, ?, 'h', 1, 0.5, 0.1, 20, ?)",
            [(row.table_id, row.seat, row.lead / 2) for row in rows[::REVIEWED]],
        )
    connection.close()
    return str(table)


def opened(person: Person) -> None:
    person.open("games")
    person.page.wait_for_selector(".games-list li, .games-over .quiet")


def statistics(person: Person) -> None:
    person.page.get_by_role("navigation").locator("[href='games/statistics']").click()
    person.page.wait_for_selector(".games-plot")


def test_a_finished_game_is_in_the_list_and_can_be_played_again_and_removed(visit: Visit) -> None:
    ann = visit()
    ann.table("stones", level="random")
    ann.page.get_by_role("button", name="Menu").or_(ann.find(".menu-button")).first.wait_for()
    table = ann.page.url.rsplit("/", 1)[-1]
    answer = ann.context.request.post(f"{ann.address}api/tables/{table}/resign", data={})
    assert answer.ok, answer.text()
    opened(ann)
    line = ann.find(".games-list li")
    expect(line).to_have_count(1)
    expect(line).to_contain_text("Lost")
    expect(line).to_contain_text("against Bot 1")
    expect(line).to_contain_text("somebody resigned")
    line.get_by_role("link", name="Replay").click()
    ann.page.wait_for_selector(".film-line")
    opened(ann)
    line.get_by_role("button", name="More").click()
    line.get_by_role("button", name="Play again").click()
    ann.page.wait_for_selector(".action-bar")
    opened(ann)
    expect(ann.find(".tables li")).to_have_count(1)
    expect(ann.find(".tables li")).to_contain_text("against Bot 1")
    line.get_by_role("button", name="More").click()
    line.get_by_role("button", name="Remove").click()
    ann.page.get_by_role("button", name="Keep it").click()
    expect(line).to_have_count(1)
    line.get_by_role("button", name="Remove").click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(line).to_have_count(0)
    opened(ann)
    expect(ann.find(".games-over")).to_contain_text("No finished games yet")
    expect(ann.find(".games-over").get_by_role("link", name="Play a game")).to_be_visible()


def test_a_table_that_waits_says_so(visit: Visit) -> None:
    ann = visit()
    me, free = {"who": "me", "name": "Ann"}, {"who": "open"}
    ann.make({"game": "stones", "seats": [me, free]})
    fawn = {"who": "bot", "level": "fawn", "name": "Una"}
    ann.make({"game": "stones", "seats": [me, free, fawn]})
    opened(ann)
    said = sorted(ann.find(".tables .tables-names").all_inner_texts())
    assert said == ["against Una (Fawn) · waiting for players", "waiting for players"]


def test_who_waits_is_told_what_for(visit: Visit) -> None:
    """And whoever does not is shown nothing that comes and goes."""
    ann = visit()
    held: list[Any] = []
    for pattern in ("**/api/me/games?*", "**/api/me/games/summary"):
        ann.page.route(pattern, lambda route: held.append(route))
    for page in ("games", "games/statistics"):
        ann.open(page)
        expect(ann.find(".waiting")).to_be_visible()
        for route in held:
            route.continue_()
        held.clear()
        expect(ann.find(".waiting")).to_have_count(0)


def test_filters_pages_and_the_ladder(visit: Visit, server: Server) -> None:
    ann = visit()
    running = remember(ann, server)
    opened(ann)
    lines = ann.find(".games-list li")
    expect(lines).to_have_count(25)
    ann.page.get_by_role("button", name="Show more").click()
    expect(lines).to_have_count(50)
    ann.page.get_by_role("button", name="Show more").click()
    expect(lines).to_have_count(COUNT)
    expect(ann.page.get_by_role("button", name="Show more")).to_have_count(0)
    choices = ann.find(".games-filters select")
    choices.nth(3).select_option(label="Benedikt")
    expect(lines).to_have_count(12)
    choices.nth(0).select_option("stones")
    expect(lines).to_have_count(4)
    choices.nth(2).select_option("none")
    expect(ann.find(".games-over")).to_contain_text("No game fits")
    turn = ann.find(f".tables li.turn a[href='table/{running}']")
    expect(turn).to_have_count(1)
    with ann.page.expect_download() as download:
        opened(ann)
        ann.page.get_by_role("link", name="Save all games").click()
    assert download.value.suggested_filename == "keltis-my-games.jsonl"
    statistics(ann)
    # Every plot has its numbers in a table.
    points, behind = ann.find(".games-plot circle"), ann.find(".games-behind tbody tr")
    assert points.count() == behind.count()
    expect(ann.find(".games-plot text").first).to_have_text("+15")
    ann.find(".games-stats .games-filters select").first.select_option("score")
    expect(ann.find(".games-plot text").first).to_have_text("45")
    ann.find(".games-stats .games-filters select").first.select_option("luck")
    # Of games that were reviewed, and in which nothing was taken back.
    expect(points).to_have_count(len([k for k in range(0, COUNT, REVIEWED) if k % 9]))
    assert points.count() == behind.count()
    expect(behind.first).to_contain_text(re.compile(r"[+−]\d+\.\d.*0\.5$"))
    ann.find(".games-stats .games-filters select").first.select_option("score")
    ann.find(".games-stats .games-filters select").nth(1).select_option("stones")
    expect(points).to_have_count(COUNT // 3)
    assert points.count() == behind.count()
    expect(ann.find(".games-ladder h3").first).to_contain_text(re.compile(r"like \w+, \d+\s±\s\d+"))
    expect(ann.find(".games-ladder").first.locator("tr.own")).to_contain_text("you")
    ann.page.get_by_role("button", name=re.compile("^Play ")).first.click()
    ann.page.wait_for_selector(".action-bar, .lobby")
    assert "/table/" in ann.page.url


def test_axe_finds_nothing_wrong_with_own_games(visit: Visit, server: Server) -> None:
    ann = visit()
    remember(ann, server)
    opened(ann)
    assert ann.violations_in_all_looks("games", (390, 800)) == {}
    ann.page.get_by_role("button", name="More").first.click()
    ann.page.get_by_role("button", name="Remove").first.click()
    assert ann.violations_in_all_looks("games more", (390, 800)) == {}
    ann.page.get_by_role("button", name="Keep it").click()
    statistics(ann)
    assert ann.violations_in_all_looks("games statistics", (390, 800)) == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_own_games_fit(visit: Visit, server: Server, language: str) -> None:
    """The header, too: nothing reaches beyond the screen."""
    sizes = (DESKTOP, (390, 844), PHONE)
    ann = visit(PHONE, language=language)
    remember(ann, server)
    opened(ann)
    for size in sizes:
        ann.resize(size)
        assert ann.cut_texts() == [], size
    statistics(ann)
    for size in sizes:
        ann.resize(size)
        assert ann.cut_texts() == [], size
        # Luck stands in the last column: nobody has to find out that there is more to the right.
        hidden = ann.page.evaluate(
            """() => {
                const skill = document.querySelector(".games-skill");
                return skill.scrollWidth - skill.clientWidth;
            }"""
        )
        assert hidden <= 0, size
        room = ann.page.evaluate(
            """() => document.querySelector(".page-tools").getBoundingClientRect().left -
                Math.max(...[...document.querySelectorAll(".head-link")].map(
                    each => each.getBoundingClientRect().right))"""
        )
        assert room >= 0, size


def messages(language: str) -> dict[str, str]:
    text = (FILES / "js" / "messages" / f"games.{language}.js").read_text("utf-8")
    entry = r'^  "([\w.]+)":\s+(\{.*?\}|".*?"),$'
    return dict(re.findall(entry, text, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_of_own_games_are_complete(language: str) -> None:
    english, other = messages("en"), messages(language)
    assert list(other) == list(english)
    for key, text in english.items():
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", other[key])), key


def test_no_message_of_own_games_is_unused() -> None:
    source = "".join(
        path.read_text("utf-8")
        for path in FILES.rglob("*.js")
        if "messages" not in path.parts and "vendor" not in path.parts
    )
    assert [key for key in messages("en") if f'"{key}"' not in source] == []
