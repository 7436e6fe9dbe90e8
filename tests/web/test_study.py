"""Replay, lessons, rules, and the page as an application: by clicks in Chromium."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from keltis.web import FILES
from tests.web.conftest import DESKTOP, PHONE, Visit
from tests.web.person import Person, finish

ROOT = Path(__file__).resolve().parents[2]
RECORDS = {game: ROOT / "tools" / "lessons" / f"{game}.json" for game in ("board", "stones")}
LANGUAGES = ["en", "de", "fr", "nl"]
TITLES = {"en": "Rules", "de": "Regeln", "fr": "Règles", "nl": "Regels"}


def replay_file(person: Person, game: str) -> dict[str, Any]:
    """Opens a saved game in the replay; the record."""
    person.open("replay")
    person.page.set_input_files("input[type=file]", str(RECORDS[game]))
    person.page.wait_for_selector(".film")
    return dict(json.loads(RECORDS[game].read_text()))


def position(person: Person) -> int:
    return int(person.find(".film-at").inner_text().split("/")[0])


def at_position(person: Person, number: int) -> None:
    expect(person.find(".film-at")).to_have_text(re.compile(rf"^\s*{number}\b"))


# --- Replay ------------------------------------------------------------------------------------


def test_a_finished_table_is_replayed_to_the_same_end(visit: Visit) -> None:
    ann = visit()
    table = ann.table("stones")
    finish(ann)
    ann.page.locator(".dialog.end").get_by_role("link", name="Replay").click()
    ann.page.wait_for_selector(".film")
    assert f"replay/{table}" in ann.page.url
    at_position(ann, 0)
    ann.page.get_by_role("button", name="To the end").click()
    record = ann.page.evaluate("t => fetch(`api/tables/${t}/record`).then((a) => a.json())", table)
    ann.page.get_by_role("button", name="Score sheet").click()
    totals = ann.find(".score-sheet tfoot td").all_inner_texts()
    assert [int(each.replace("−", "-")) for each in totals] == record["result"]["scores"]


def test_stepping_playing_and_scrubbing(visit: Visit) -> None:
    ann = visit(pace="off")
    record = replay_file(ann, "board")
    last = len(record["moves"])
    page = ann.page
    page.get_by_role("button", name="Forward", exact=True).click()
    page.get_by_role("button", name="Forward", exact=True).click()
    at_position(ann, 2)
    page.get_by_role("button", name="Back", exact=True).click()
    at_position(ann, 1)
    for _ in range(20):  # faster than pictures
        page.keyboard.press("ArrowRight")
    at_position(ann, 21)
    page.keyboard.press("End")
    at_position(ann, last)
    assert "Finn wins" in ann.find(".film-words").inner_text()
    page.keyboard.press("Home")
    at_position(ann, 0)
    page.keyboard.press("PageDown")
    at_position(ann, 3)  # a turn: lay, large figure, draw
    page.locator(".film-line input").fill("90")
    at_position(ann, 90)
    page.get_by_role("button", name="Play").click()
    expect(ann.find(".film-at")).to_have_text(re.compile(r"^(9[2-9]|1\d\d)"))
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Play").wait_for()
    here = position(ann)
    page.wait_for_timeout(500)  # more than a step takes
    assert position(ann) == here


def test_hands_are_shown_or_hidden_and_either_seat_sits_in_front(visit: Visit) -> None:
    ann = visit()
    record = replay_file(ann, "board")
    first, second = record["setup"]["hands"]
    shown = ann.page.locator(".hand [data-card]")
    assert sorted(shown.evaluate_all("all => all.map((one) => one.dataset.card)")) == sorted(first)
    assert ann.find(".other-hand .card-number").count() == len(second)
    ann.page.get_by_text("Show all hands").click()
    assert shown.count() == 0
    assert ann.find(".card-number").count() == 0
    ann.page.keyboard.press("PageDown")
    assert "draws from the pile" in ann.find(".film-words").inner_text()  # not which card
    ann.page.get_by_text("Show all hands").click()
    assert "draws red 6" in ann.find(".film-words").inner_text()
    ann.page.get_by_label("At the front").select_option("Maeve")
    assert sorted(shown.evaluate_all("all => all.map((one) => one.dataset.card)")) == sorted(second)


def test_a_link_holds_the_whole_game_and_the_position(visit: Visit) -> None:
    ann = visit()
    replay_file(ann, "stones")
    ann.page.locator(".film-line input").fill("42")
    ann.page.wait_for_url(re.compile("#42"))
    ann.page.reload()  # a file is not asked for again
    ann.page.wait_for_selector(".film")
    at_position(ann, 42)
    ann.page.get_by_role("button", name="Link to this position").click()
    box = ann.page.locator(".link-box input")
    expect(box).to_have_value(re.compile(r"replay#42:.+"))
    link = box.input_value()
    assert len(link) < 2000
    ben = visit()
    ben.page.goto(link)
    ben.page.wait_for_selector(".film")
    at_position(ben, 42)
    ben.page.keyboard.press("ArrowRight")
    ben.page.wait_for_url(re.compile("#43"))
    ben.page.reload()
    ben.page.wait_for_selector(".film")
    at_position(ben, 43)


def test_what_is_no_record_is_refused_in_words(visit: Visit, tmp_path: Path) -> None:
    ann = visit(quiet=False)  # the browser itself notes refused requests
    record = json.loads(RECORDS["board"].read_text())
    bad = {
        "broken.json": "{",
        "other.json": '{"a": 1}',
        "illegal.json": json.dumps({**record, "moves": ["G2", "Y3"]}),
    }
    for name, text in bad.items():
        (tmp_path / name).write_text(text)
        ann.open("replay")
        ann.page.set_input_files("input[type=file]", str(tmp_path / name))
        ann.page.wait_for_selector("[role=alert]")
    words = ann.find("[role=alert]").inner_text()
    assert words.startswith("This record goes wrong at decision 2: “Y3” by Finn")
    assert words.endswith("A figure must be chosen here.")
    misfit = json.dumps({**record, "moves": [*record["moves"][:29], "R6"], "result": None})
    (tmp_path / "misfit.json").write_text(misfit)
    ann.page.set_input_files("input[type=file]", str(tmp_path / "misfit.json"))
    ann.page.wait_for_function(
        """() => document.querySelector("[role=alert]")?.innerText.endsWith(
            "Red 6 does not fit: the row is falling and stands at 5.")"""
    )
    (tmp_path / "good.json").write_text(json.dumps(record))
    ann.page.set_input_files("input[type=file]", str(tmp_path / "good.json"))
    ann.page.wait_for_selector(".film")


def test_a_file_can_be_dropped_on_the_page(visit: Visit) -> None:
    ann = visit()
    ann.open("replay")
    ann.page.wait_for_selector(".drop-box")
    ann.page.evaluate(
        """(text) => {
            const data = new DataTransfer();
            data.items.add(new File([text], "game.json", {type: "application/json"}));
            const drag = {dataTransfer: data, bubbles: true};
            for (const kind of ["dragover", "drop"])
                document.body.dispatchEvent(new DragEvent(kind, drag));
        }""",
        RECORDS["stones"].read_text(),
    )
    ann.page.wait_for_selector(".film")


def test_a_running_game_has_no_replay_yet(visit: Visit) -> None:
    ann = visit()
    table = ann.table()
    ann.open(f"replay/{table}")
    ann.page.wait_for_selector("[role=alert]")
    assert "still being played" in ann.find("[role=alert]").inner_text()
    assert ann.find("[data-card]").count() == 0


# --- Lessons -----------------------------------------------------------------------------------


def lesson(game: str) -> dict[str, Any]:
    return dict(json.loads((FILES / "lessons" / f"{game}.json").read_text()))


def do(person: Person, game: str, move: str) -> None:
    """Does what the lesson asks for, as the texts say it."""
    page = person.page
    if game == "stones":
        if move == "?":
            page.locator("[data-turn]").last.click()
        elif move == "-":
            page.get_by_role("button", name="Leave it").click()
        elif page.locator(".place.now").count():
            page.get_by_role("button", name="Take", exact=True).click()
        else:
            page.locator(f"[data-spot=tile-{move}]").click()
            page.get_by_role("button", name="Take", exact=True).click()
    elif move == "?":
        page.get_by_role("button", name="Draw", exact=True).click()
    elif move[0] == "<":
        page.locator(f"[data-spot=pile-{move[1]}] button").click()
    elif move[0] == "x":
        page.locator(f"[data-card={move[1:]}]").click()
        page.get_by_role("button", name="Discard", exact=True).click()
    elif move.endswith("*"):
        page.get_by_role("button", name="Large", exact=True).click()
    elif len(move) == 1:
        page.locator(f".ghost[data-colour={move}]").click()
    else:
        page.locator(f"[data-card={move}]").click()
        page.get_by_role("button", name="Lay", exact=True).click()


def at_beat(person: Person, number: int) -> None:
    expect(person.find(".coach-progress")).to_have_attribute("aria-valuenow", str(number + 1))


@pytest.mark.parametrize(("game", "size"), [("board", PHONE), ("stones", DESKTOP)])
def test_a_lesson_is_played_through_by_doing(
    visit: Visit, game: str, size: tuple[int, int]
) -> None:
    ann = visit(size)
    ann.open("learn")
    ann.page.locator(f"a[href='learn/{game}']").click()
    beats = lesson(game)["beats"]
    for number, beat in enumerate(beats):
        at_beat(ann, number)
        if "move" in beat:
            do(ann, game, beat["move"])
        elif number < len(beats) - 1:
            ann.page.get_by_role("button", name="Continue").click()
    assert "You have won" in ann.find(".coach-text").inner_text()
    ann.picture(f"lesson-{game}-end")
    ann.page.get_by_role("button", name="Look at the score sheet").click()
    scores = beats[-2]["changes"][-1]["result"]["scores"]
    assert ann.find(".score-sheet tfoot td").all_inner_texts() == [str(one) for one in scores]
    ann.page.keyboard.press("Escape")
    # From here straight into that game, against the gentlest bot.
    ann.page.get_by_role("button", name="Play a real game").click()
    ann.page.wait_for_selector(f".game-{game}:not(.lesson) .action-bar.mine")
    assert ann.find(".players .player-level").inner_text() == "Fawn"


def test_a_lesson_says_what_it_wants_shows_it_and_goes_back(visit: Visit) -> None:
    ann = visit()
    ann.open("learn/board")
    page = ann.page
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Continue").click()
    at_beat(ann, 2)
    page.locator("[data-card=R8]").click()
    page.get_by_role("button", name="Lay", exact=True).click()
    assert "Lay green 2" in ann.find(".coach .note").inner_text()
    at_beat(ann, 2)
    page.get_by_role("button", name="One step back").click()
    at_beat(ann, 1)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Show me").click()
    assert page.locator("[data-card=G2]").get_attribute("aria-pressed") == "true"
    page.keyboard.press("c")  # the key that lays
    at_beat(ann, 3)


def test_the_lessons_are_what_the_rules_make_of_their_records() -> None:
    subprocess.run([sys.executable, "tools/lessons.py", "--check"], cwd=ROOT, check=True)


# --- Rules -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_tell_every_clause_with_pictures(visit: Visit, language: str) -> None:
    ann = visit(language=language)
    for game, figures in (("board", 6), ("stones", 3)):
        ann.open(f"rules/{game}")
        ann.page.wait_for_selector(".rules-text h2")
        source = (FILES.parent / "texts" / "rules" / f"{game}.{language}.md").read_text()
        shown = ann.find(".rules-text").inner_text()
        assert "<!--" not in shown
        assert "**" not in shown
        assert ann.find(".rule-figure").count() == figures
        words = len(re.findall(r"\w+", re.sub(r"<!--.*?-->", "", source)))
        assert len(re.findall(r"\w+", ann.find(".rules-text").inner_text())) >= words
    ann.picture(f"rules-{language}")


def test_the_rules_are_searched_from_the_table(visit: Visit) -> None:
    ann = visit()
    ann.table("board")
    ann.page.get_by_role("button", name="Rules").click()
    box = ann.page.get_by_role("searchbox")
    expect(box).to_be_focused()
    ann.page.wait_for_selector(".rules-dialog h2")
    everything = ann.find(".passage").count()
    box.fill("END stone")
    expect(ann.find(".rules-count")).to_have_text(re.compile(r"\d+ passages"))
    assert 0 < ann.find(".passage").count() < everything
    assert {each.lower() for each in ann.find(".rules mark").all_inner_texts()} == {"end", "stone"}
    box.fill("zzzz")
    assert ann.find(".passage").count() == 0
    ann.page.get_by_text("Nothing found").wait_for()
    box.fill("")
    expect(ann.find(".passage")).to_have_count(everything)
    ann.page.keyboard.press("Escape")
    ann.page.keyboard.press("Escape")
    expect(ann.find(".rules-dialog")).to_have_count(0)


def test_a_link_to_a_section_of_the_rules_leads_there(visit: Visit) -> None:
    ann = visit()
    ann.open("rules/board")
    ann.page.locator(".rules-contents a").last.click()
    target = ann.find(".rules-text h2").last
    expect(target).to_be_in_viewport()
    expect(target).to_be_focused()
    link = ann.find(".rules-contents a").last.get_attribute("href")
    ben = visit()
    ben.open(str(link))
    expect(ben.find(".rules-text h2").last).to_be_in_viewport()


@pytest.mark.parametrize("path", ["rules/board", "learn/board"])
def test_what_the_server_says_of_an_error_is_no_text_to_read(visit: Visit, path: str) -> None:
    ann = visit(quiet=False)
    refused = {"error": {"code": "rate_limited", "message": "too many requests"}}
    for files in ("**/api/rules/**", "**/lessons/*.json"):
        ann.page.route(files, lambda route: route.fulfill(status=429, json=refused))
    ann.open(path)
    alert = ann.page.get_by_role("alert")
    expect(alert).to_have_text("That did not work. Try again in a moment.")
    assert "rate_limited" not in ann.page.content()


def test_search_knows_no_accents_and_follows_the_language(visit: Visit) -> None:
    ann = visit(language="fr")
    ann.open("rules/board")
    ann.page.wait_for_selector(".rules-text h2")
    ann.page.get_by_role("searchbox").fill("trefle")
    expect(ann.find(".rules mark").first).to_have_text(re.compile("tr[èe]fle", re.IGNORECASE))
    ann.find(".settings-button").click()
    ann.page.get_by_label("Langue").select_option("de")
    ann.page.get_by_text("Nichts gefunden").wait_for()


# --- All of them -------------------------------------------------------------------------------


def study_pages(person: Person) -> Any:
    """Every page of this part in turn; its name."""
    page = person.page
    for path, ready in (
        ("learn", ".lesson-card"),
        ("rules/board", ".rules-text h2"),
        ("rules/stones", ".rules-text h2"),
        ("replay", ".drop-box"),
    ):
        person.open(path)
        page.wait_for_selector(ready)
        yield path
    for game in ("board", "stones"):
        replay_file(person, game)
        page.locator(".film-line input").fill("100")
        at_position(person, 100)
        yield f"replay {game}"
        person.open(f"learn/{game}")
        page.wait_for_selector(".coach")
        yield f"lesson {game}"
        page.locator(".coach .button.main").click()
        at_beat(person, 1)
        yield f"lesson {game} 2"


def test_axe_finds_nothing_wrong_with_replay_lessons_and_rules(visit: Visit) -> None:
    ann = visit()
    found: dict[str, list[str]] = {}
    for name in study_pages(ann):
        found |= ann.violations_in_all_looks(name)
        if name == "replay board":
            ann.page.get_by_role("button", name="Link to this position").click()
            found |= ann.violations_in_all_looks("link")
    ann.table()
    ann.page.get_by_role("button", name="Rules").click()
    ann.page.wait_for_selector(".rules-dialog h2")
    found |= ann.violations_in_all_looks("rules over the table")
    ann.resize(PHONE)  # where they are in the menu
    ann.page.keyboard.press("Escape")
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="Rules").click()
    ann.page.wait_for_selector(".rules-dialog h2")
    assert found == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_of_replay_lessons_and_rules_fit(visit: Visit, language: str) -> None:
    ann = visit(PHONE, language=language)
    cut = {}
    for name in study_pages(ann):
        for size in (DESKTOP, PHONE):
            ann.resize(size)
            cut[f"{name}, {size}"] = ann.cut_texts()
    # Every text of the lessons in its box, though only the first positions are on show.
    for game in ("board", "stones"):
        ann.open(f"learn/{game}")
        ann.page.wait_for_selector(".coach")
        texts = messages(language)
        keys = [key for key in texts if key.startswith(f"lesson.{game}.")]
        for size, most in ((DESKTOP, 150), (PHONE, 230)):
            ann.resize(size)
            heights = ann.page.evaluate(
                """(texts) => texts.map((text) => {
                    document.querySelector(".coach-text").textContent = text;
                    return document.querySelector(".coach").getBoundingClientRect().height;
                })""",
                [texts[key] for key in keys],
            )
            for key, height in zip(keys, heights, strict=True):
                if height > most:
                    cut[f"{key}, {size}"] = [f"the lesson's box is {height} high"]
    assert {place: wrong for place, wrong in cut.items() if wrong} == {}


def messages(language: str) -> dict[str, str]:
    text = (FILES / "js" / "messages" / f"study.{language}.js").read_text("utf-8")
    return dict(re.findall(r'^  "([\w.]+)":\s+(.*),$', text, re.MULTILINE))


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_of_study_are_complete(language: str) -> None:
    english, other = messages("en"), messages(language)
    assert list(other) == list(english)
    for key, text in english.items():
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", other[key])), key
    numbers = {key: re.findall(r"\d+", text) for key, text in english.items() if "lesson." in key}
    for key, found in numbers.items():
        assert sorted(re.findall(r"\d+", other[key])) == sorted(found), key


def test_no_message_of_study_is_unused_and_every_beat_has_one() -> None:
    source = "".join(
        path.read_text("utf-8")
        for path in FILES.rglob("*.js")
        if "messages" not in path.parts and "vendor" not in path.parts
    )
    beats = {
        f"lesson.{game}.{beat['text']}"
        for game in ("board", "stones")
        for beat in lesson(game)["beats"]
    }
    keys = set(messages("en"))
    assert {key for key in keys if key.startswith("lesson.")} == beats
    assert [key for key in keys - beats if f'"{key}"' not in source] == []


def test_the_page_can_be_installed(visit: Visit) -> None:
    ann = visit()
    ann.open()
    manifest = ann.page.evaluate(
        """async () => {
            const link = document.querySelector("link[rel=manifest]");
            const answer = await fetch(link.href);
            const manifest = await answer.json();
            const icons = await Promise.all(manifest.icons.map(async ({src, sizes}) => {
                const image = new Image();
                image.src = new URL(src, link.href);
                await image.decode();
                return [sizes, `${image.naturalWidth}x${image.naturalHeight}`];
            }));
            return {type: answer.headers.get("content-type"), manifest, icons};
        }"""
    )
    assert manifest["type"].startswith("application/manifest+json")
    assert manifest["manifest"]["display"] == "standalone"
    assert manifest["manifest"]["start_url"] == "./"  # below a sub-path too
    sized = [pair for pair in manifest["icons"] if pair[0] != "any"]
    assert len(sized) == 3
    assert all(named == real for named, real in sized)
    session = ann.context.new_cdp_session(ann.page)
    faults = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [fault["errorId"] for fault in faults] in ([], ["in-incognito"])  # as this window is
    assert session.send("Page.getAppManifest")["errors"] == []
