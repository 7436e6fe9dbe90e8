"""Around a game: inviting, starting, ending, again, telling others, watching, without a server."""

from __future__ import annotations

import re
import signal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from keltis.web import FILES
from tests.web.conftest import DESKTOP, PHONE, TABLET, Server, Visit, wait_until
from tests.web.person import Person, finish
from tests.web.wire import Wire, at_a_clover

LANGUAGES = ["en", "de", "fr", "nl"]
BOARD_ORDER = "GYRBV"


def two_friends(
    ann: Person, ben: Person, game: str = "stones", *, clock: object = None
) -> tuple[str, str]:
    """Ann has invited; the table and the way of the invitation."""
    seats = [{"who": "me", "name": "Ann"}, {"who": "open"}]
    made = ann.make({"game": game, "seats": seats, "first": 0, "clock": clock})
    ann.open(made["path"])
    return str(made["table"]), str(made["invitation_path"])


def sit_down(guest: Person, invitation: str, name: str = "Ben") -> None:
    guest.open(invitation)
    guest.page.get_by_label("Your name").fill(name)
    guest.page.get_by_role("button", name="Join").click()
    guest.page.wait_for_selector(".action-bar")


def resign(person: Person) -> None:
    person.page.get_by_role("button", name="Menu").click()
    person.page.get_by_role("button", name="Resign").click()
    person.page.get_by_role("dialog", name="Resign").get_by_role("button", name="Resign").click()


# --- After a game ------------------------------------------------------------------------------


def test_the_next_game_is_one_click_away_and_the_series_is_counted(visit: Visit) -> None:
    ann = visit()
    first = ann.table("stones")
    resign(ann)
    end = ann.page.get_by_role("dialog", name="Bot 1 wins")
    assert "Ann resigned." in end.inner_text()
    assert "Games won" not in end.inner_text()
    end.get_by_role("button", name="Play again").click()
    ann.page.wait_for_selector(".action-bar.mine")
    assert first not in ann.page.url
    assert ann.find(".dialog.end").count() == 0
    resign(ann)
    expect(ann.find(".end-series")).to_have_text(re.compile("Games won: .*Bot 1 2"))
    assert "Ann 0" in ann.find(".end-series").inner_text()


def test_a_friend_is_asked_in_words_for_another_game(visit: Visit) -> None:
    ann, ben = visit(), visit(PHONE, pace="calm", motion=True)
    table, invitation = two_friends(ann, ben)
    sit_down(ben, invitation)
    ann.page.wait_for_selector(".action-bar")
    resign(ann)
    ben.page.wait_for_selector(".dialog.end")
    assert ben.find(".dialog.end h2").inner_text() == "You win!"
    assert ben.find(".celebration").count() == 1
    assert ann.find(".celebration").count() == 0
    ann.find(".dialog.end").get_by_role("button", name="Play again").click()
    ann.page.wait_for_selector(".lobby")
    expect(ann.find(".lobby [role=status]")).to_have_text("Waiting for Ben…")
    expect(ben.find(".end-asked")).to_have_text("Ann would like another game")
    # Also for who has closed the sheet.
    ben.page.keyboard.press("Escape")
    expect(ben.find(".prompt")).to_have_text("You win! Ann would like another game.")
    ben.picture("asked-again")
    ben.page.get_by_role("link", name="Yes, let’s play").click()
    for person in (ann, ben):
        person.page.wait_for_selector(".middle")
        assert table not in person.page.url


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_what_comes_next_stays_in_the_bar(visit: Visit, size: tuple[int, int]) -> None:
    ann = visit(size)
    ann.table("board", opponents=2)
    resign(ann)
    ann.page.wait_for_selector(".dialog.end")
    assert "nobody" in ann.find(".dialog.end h2").inner_text().lower()
    ann.page.keyboard.press("Escape")
    bar = ann.find(".action-bar")
    expect(ann.find(".dialog")).to_have_count(0)
    for button in bar.locator(".button").all():
        box = button.bounding_box()
        assert box
        assert box["y"] + box["height"] <= size[1]
    assert bar.locator(".button").all_inner_texts() == [
        "Play again", "Score sheet", "Replay",
    ]  # fmt: skip
    assert ann.cut_texts() == []
    ann.picture(f"after-{size[0]}")
    bar.get_by_role("button", name="Score sheet").click()
    ann.page.wait_for_selector(".dialog.end")
    ann.page.keyboard.press("Escape")
    bar.get_by_role("link", name="Replay").click()
    ann.page.wait_for_selector(".film")


def test_resigning_is_asked_for(visit: Visit) -> None:
    ann = visit()
    ann.table("board")
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="Resign").click()
    dialog = ann.page.get_by_role("dialog", name="Resign")
    assert "Bot 1 wins this game." in dialog.inner_text()
    dialog.get_by_role("button", name="Play on").click()
    ann.play(1)
    assert ann.find(".dialog.end").count() == 0
    resign(ann)
    ann.page.wait_for_selector(".dialog.end")


def test_of_three_who_resigns_is_played_by_a_bot(visit: Visit) -> None:
    ann, ben = visit(), visit()
    seats = [{"who": "me", "name": "Ann"}, {"who": "open"}, {"who": "bot", "level": "random"}]
    made = ann.make({"game": "stones", "seats": seats, "first": 0})
    ann.open(made["path"])
    sit_down(ben, made["invitation_path"])
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="Resign").click()
    dialog = ann.page.get_by_role("dialog", name="Resign")
    assert "A bot plays on in your place until the end." in dialog.inner_text()
    dialog.get_by_role("button", name="Resign").click()
    expect(ann.find(".prompt")).to_have_text("You have resigned. A bot is playing to the end.")
    assert ann.page.get_by_role("button", name="Take over again").count() == 0


MARGINS = """async () => {
  const { marginWords } = await import("./js/outcome.js");
  const none = { R: [], Y: [], V: [], G: [], B: [] };
  const view = {
    game: "stones", players: ["Ann", "Ben", "Cid"], you: 0, points: [3, 2, 0],
    rows: [{ ...none, R: [1, 2, 3, 4, 5, 6] }, { ...none, B: [1, 2, 3] }, none],
    wishing_stones: [2, 3, 0], scores: [15, 7, -4],
  };
  const won = { ...view, result: { winners: [0], reason: "deck" } };
  const shared = { ...view, scores: [7, 7, 0], result: { winners: [0, 1], reason: "deck" } };
  return [marginWords(won), marginWords(shared)];
}"""


def test_the_sheet_tells_by_how_much_and_by_what_it_was_won(visit: Visit) -> None:
    ann = visit()
    ann.open()
    ann.page.wait_for_selector("main")
    assert ann.page.evaluate(MARGINS) == [
        "Won by 8 points. What decided it: red, 10 to 0.",
        "",
    ]
    ann.table("stones")
    finish(ann)
    assert re.search(
        r"The last tile was turned over\. (Won by \d+ points?\. What decided it: .*, .* to .*\.)?",
        ann.find(".end-reason").inner_text(),
    )


def test_nothing_rains_where_nothing_is_to_move(visit: Visit) -> None:
    ann, ben = visit(), visit(pace="calm")
    _, invitation = two_friends(ann, ben)
    sit_down(ben, invitation)
    ann.page.wait_for_selector(".action-bar")
    resign(ann)
    ben.page.wait_for_selector(".dialog.end")
    assert ben.find(".celebration").count() == 0


# How many colours a picture has, and how large it is.
PICTURE = """async (img) => {
  await img.decode();
  const canvas = document.createElement("canvas");
  canvas.width = img.naturalWidth;
  canvas.height = img.naturalHeight;
  const pen = canvas.getContext("2d");
  pen.drawImage(img, 0, 0);
  const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  for (let i = 0; i < data.length; i += 16)
    colours.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
  return [canvas.width, canvas.height, colours.size];
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_result_is_shared_as_picture_and_words(visit: Visit, language: str) -> None:
    ann = visit(PHONE, language=language)
    table = ann.table("stones", opponents=3)
    finish(ann)
    share = {"en": "Share", "de": "Teilen", "fr": "Partager", "nl": "Delen"}[language]
    ann.find(".dialog.end").get_by_role("button", name=share).click()
    picture = ann.find(".share img")
    width, height, colours = picture.evaluate(PICTURE)
    assert (width, height) == (1200, 630)
    assert colours > 100
    words = ann.find(".share-words").inner_text()
    assert "Ann" in words
    assert f"replay/{table}" in words
    assert (picture.get_attribute("alt") or "?") in words
    assert ann.find(f".share a[download='keltis-{table}.png']").count() == 1
    assert ann.cut_texts() == []
    picture.screenshot(path=Path("build/web") / f"share-{language}.png")
    assert ann.violations() == []


# What is written on a picture, by the height of its letters; the names are as long as they may be.
LETTERS = """async (text) => {
    const { sheet, write } = await import("./js/table/share.js");
    const { pen } = sheet("Keltis");
    const written = [];
    pen.fillText = (shown) => written.push([shown, parseFloat(/[\\d.]+(?=px)/.exec(pen.font)[0])]);
    pen.font = "700 50px serif";
    write(pen, text, 0, 0, 960);
    write(pen, "Ann", 0, 0, 960);
    write(pen, text.repeat(3), 0, 0, 960);
    return written;
}"""


def test_what_is_long_on_a_picture_is_written_smaller_before_it_is_cut(visit: Visit) -> None:
    ann = visit()
    ann.open()
    long = "Maximilien et Alexandrine se partagent la victoire"
    [whole, size], [name, as_before], [cut, _] = ann.page.evaluate(LETTERS, long)
    assert (whole, name, as_before) == (long, "Ann", 50)
    assert 30 <= size < 50
    assert cut.endswith("…")


# --- Before a game -----------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["board", "stones"])
def test_an_invitation_is_a_card(visit: Visit, game: str) -> None:
    ann, ben = visit(), visit(PHONE)
    _, invitation = two_friends(ann, ben, game, clock={"move": 30, "game": None})
    ben.open(invitation)
    title = {"board": "Keltis", "stones": "Keltis: The Way of Stones"}[game]
    expect(ben.find("h1")).to_have_text(f"Ann invites you to play {title}")
    card = ben.find(".invitation").inner_text()
    assert "rows" in card  # what the game is
    assert "2 players" in card
    assert "30 seconds a move" in card
    lesson = ben.find(".invitation a")
    assert (lesson.get_attribute("href"), lesson.get_attribute("target")) == (
        f"learn/{game}", "_blank",
    )  # fmt: skip
    seal = ben.find(".proof code")
    assert not seal.is_visible()
    ben.page.get_by_text("Fair deal").click()
    assert re.fullmatch("[0-9a-f]{64}", seal.inner_text())
    assert ben.violations() == []
    assert ben.cut_texts() == []


def test_the_host_gives_the_empty_seat_to_a_bot(visit: Visit) -> None:
    ann = visit()
    two_friends(ann, ann)
    ann.page.get_by_role("button", name="Let a bot play").click()
    ann.page.wait_for_selector(".middle")
    assert ann.find(".players .player-name").inner_text() not in ("", "Ann")
    assert ann.find(".players .player-level").count() == 1


def test_the_host_calls_the_game_off(visit: Visit) -> None:
    ann, ben = visit(), visit()
    seats = [{"who": "me", "name": "Ann"}, {"who": "open"}, {"who": "open"}]
    made = ann.make({"game": "stones", "seats": seats})
    ann.open(made["path"])
    ben.open(made["invitation_path"])
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Join").click()
    ben.page.get_by_role("button", name="Leave the table").wait_for()
    assert ben.page.get_by_role("button", name="Call the game off").count() == 0
    ann.page.get_by_role("button", name="Call the game off").click()
    dialog = ann.page.get_by_role("dialog", name="Call the game off")  # Ben is there: it asks
    dialog.get_by_role("button", name="Call the game off").click()
    for person in (ann, ben):
        expect(person.find("h1")).to_have_text("This table was closed before the game began")


@pytest.mark.parametrize("can", [True, False])
def test_without_https_a_link_is_copied_too_and_no_lie_is_told(visit: Visit, can: bool) -> None:
    """Among friends in one house there is no https; browsers then copy what is selected."""
    ann = visit(PHONE)
    ann.context.add_init_script(
        f"""delete Navigator.prototype.clipboard;
        Document.prototype.execCommand = (what) => {{
            window.took = what === "copy" && getSelection().toString();
            return {str(can).lower()};
        }}"""
    )
    made = ann.make({"game": "stones", "seats": [{"who": "me", "name": "Ann"}, {"who": "open"}]})
    page = ann.open(made["path"])
    field = page.get_by_label("Invitation link")
    field.wait_for()
    page.get_by_role("button", name="Copy").click()
    assert page.evaluate("window.took") == field.input_value()
    expect(page.get_by_role("button", name="Copied")).to_have_count(int(can))
    if not can:  # chosen, for whoever copies it by hand
        assert page.evaluate("getSelection().toString()") == field.input_value()


def test_who_clicks_twice_takes_one_seat_and_needs_no_name(visit: Visit) -> None:
    ann, ben = visit(), visit()
    seats = [{"who": "me", "name": "Ann"}, {"who": "open"}, {"who": "open"}]
    made = ann.make({"game": "stones", "seats": seats})
    ann.open(made["path"])
    ben.open(made["invitation_path"])
    ben.page.get_by_role("button", name="Join").dblclick()
    ben.page.get_by_role("button", name="Leave the table").wait_for()
    expect(ann.page.get_by_text("Guest", exact=True)).to_have_count(1)
    expect(ann.find(".lobby-seat.open")).to_have_count(1)


def test_a_guest_leaves_before_the_start_and_the_seat_is_free(visit: Visit) -> None:
    ann, ben = visit(), visit()
    seats = [{"who": "me", "name": "Ann"}, {"who": "open"}, {"who": "open"}]
    made = ann.make({"game": "stones", "seats": seats})
    ann.open(made["path"])
    ben.open(made["invitation_path"])
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Join").click()
    ann.page.get_by_text("Ben", exact=True).wait_for()
    ben.page.get_by_role("button", name="Leave the table").click()
    ben.page.wait_for_selector(".setup")
    expect(ann.find(".lobby-seat.open")).to_have_count(2)


def test_who_comes_back_hears_where_the_game_stands(visit: Visit) -> None:
    ann = visit(PHONE)
    ann.table("board")
    ann.play(30, until=".hand.choosing:not(:has(.hand-card:nth-child(1):last-child))")
    ann.play(3)
    ann.play(30, until=".hand.choosing")
    ann.page.reload()
    expect(ann.find(".note.answer")).to_have_text(
        re.compile(r"Welcome back\. Your turn: .*\. Ann: .* points?; Bot 1: .* points?\.")
    )


# --- The start page ----------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_way_to_the_table_is_in_sight_on_a_phone(visit: Visit, language: str) -> None:
    ann = visit((360, 640), language=language)
    page = ann.open()
    page.wait_for_selector(".places select")
    button = page.locator(".setup > .button.main")
    for _ in range(2):
        box = button.bounding_box()
        assert box
        assert box["y"] + box["height"] <= 640
        assert ann.cut_texts() == []
        # And with tables of one's own above the form.
        for _ in range(3):
            ann.make({"seats": [{"who": "me", "name": "Ann"}, {"who": "bot", "level": "fawn"}]})
        page.reload()
        page.wait_for_selector(".tables.mine li")
    ann.picture(f"start-phone-{language}")


def test_newcomers_meet_the_fawn(visit: Visit) -> None:
    ann = visit()
    page = ann.open()
    page.wait_for_selector(".places select")
    expect(page.locator(".places select")).to_have_value("bot:1")
    page.get_by_role("button", name="Take a seat").click()
    expect(ann.find(".players .player-level")).to_have_text("Fawn")


def test_ones_own_tables_come_first_and_show_where_one_is_awaited(visit: Visit) -> None:
    ann, ben = visit(), visit()
    made = ann.make({"seats": [{"who": "me", "name": "Ann"}, {"who": "open"}], "first": 0})
    ann.open(made["path"])
    sit_down(ben, made["invitation_path"])
    ann.page.wait_for_selector(".action-bar.mine")
    for person in (ann, ben):
        person.open()
        person.page.wait_for_selector(".tables.mine li")
    assert ann.find(".tables.mine li.turn").inner_text().split("\n").count("your turn") == 1
    assert ben.find(".tables.mine li.turn").count() == 0
    expect(ann.page).to_have_title("● Keltis")
    expect(ben.page).to_have_title("Keltis")
    above = ann.find(".tables.mine").bounding_box()
    form = ann.find(".setup").bounding_box()
    assert above
    assert form
    assert above["y"] < form["y"]
    ann.page.get_by_role("link", name="Continue").click()
    ann.page.wait_for_selector(".action-bar.mine")


# Where what is seen in the header begins and ends, from left to right.
HEADER = """() => [...document.querySelectorAll(".brand, .head-link, .page-tools > *")]
    .map((one) => one.getBoundingClientRect())
    .filter((box) => box.width)
    .map((box) => [box.left, box.right])"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_has_the_same_header(visit: Visit, language: str) -> None:
    """All pages are links where there is room, else in a menu; nothing is cut or overlaps."""
    ann = visit(language=language)
    for name in ("", "learn/board", "replay"):
        ann.open(name)
        ann.page.wait_for_selector("main h1, .coach", state="attached")
        for size in (DESKTOP, (1000, 800), TABLET, PHONE, (320, 640)):
            ann.resize(size)
            links = ann.find(".head-link").filter(visible=True)
            menu = ann.find(".pages-button")
            if menu.is_visible():
                assert ann.cut_texts() == [], (name, size)
                menu.click()
                links = ann.find(".pages-link")
            header = [link.get_attribute("href") for link in links.all()]
            assert header == ["day", "games", "learn", "rules", "replay"], (name, size)
            assert ann.cut_texts() == [], (name, size)
            ann.page.keyboard.press("Escape")
            boxes = ann.page.evaluate(HEADER)
            assert all(right <= left for (_, right), (left, _) in pairwise(boxes)), boxes
            assert ann.find(".settings-button").is_visible()


def test_the_menu_leads_to_another_page_and_back_to_its_button(visit: Visit) -> None:
    ann = visit(PHONE)
    ann.open("learn").wait_for_selector("main h1")
    menu = ann.find(".pages-button")
    menu.click()
    assert ann.violations() == []
    ann.picture("menu")
    ann.page.keyboard.press("Escape")
    expect(menu).to_be_focused()
    menu.click()
    ann.find(".pages-link[aria-current]").click()  # where one is already
    expect(ann.find(".dialog.pages")).to_have_count(0)
    menu.click()
    ann.find(".pages-link[href=rules]").click()
    ann.page.wait_for_url("**/rules*")
    expect(ann.find(".dialog.pages")).to_have_count(0)


def test_without_the_server_there_are_rules_and_lessons(visit: Visit, tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        ann = visit(address=server.address, quiet=False, worker=True)
        page = ann.open()
        page.wait_for_selector(".places select")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        kept = page.evaluate(
            """async () => {
                const [name] = await caches.keys();
                const all = await (await caches.open(name)).keys();
                return all.map((one) => new URL(one.url).pathname);
            }"""
        )
        files = {
            f"/{path.relative_to(FILES).as_posix()}"
            for folder in ("css", "js", "vendor", "lessons")
            for path in (FILES / folder).rglob("*")
            if path.suffix in {".js", ".css", ".json"} and path.name != "types.js"
        }
        assert files - set(kept) == set()
    finally:
        server.stop(signal.SIGKILL)
    ann.open()
    page.get_by_role("heading", name="The server cannot be reached").wait_for()
    assert ann.violations() == []
    ann.picture("offline")
    ann.find(".offline").get_by_role("link", name="Rules").click()
    page.get_by_role("heading", name="Keltis: the board game").wait_for()
    ann.open("learn/stones")
    page.get_by_role("button", name="Continue").click()
    page.locator(".tile-button, .stone-back").first.wait_for()
    ann.open("table/222222222222")
    page.get_by_role("heading", name="The server cannot be reached").wait_for()
    server.start()
    try:
        ann.open()
        page.wait_for_selector(".places select")
    finally:
        server.stop()


# --- Looking on --------------------------------------------------------------------------------


def test_who_watches_is_told_so_and_counted(visit: Visit) -> None:
    ann, eve = visit(), visit(PHONE)
    table = ann.table()
    assert ann.find(".watchers").count() == 0
    eve.open(f"table/{table}")
    eve.page.wait_for_selector(".hand.hidden")
    assert eve.find(".prompt").inner_text() == "You are watching. Ann’s turn"
    expect(ann.find(".watchers .visually-hidden")).to_have_text("1 person is watching")
    heard = eve.page.content()
    assert "Your rows" not in heard
    assert "Rows: Ann" in heard
    eve.open()
    expect(ann.find(".watchers")).to_have_count(0)


@pytest.mark.parametrize("game", ["board", "stones"])
def test_counts_are_heard_in_words(visit: Visit, game: str) -> None:
    ann = visit()
    ann.table(game)
    session = ann.context.new_cdp_session(ann.page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    heard = [
        str(node["name"].get("value", ""))
        for node in nodes
        if not node.get("ignored") and node.get("role", {}).get("value") == "StaticText"
    ]
    assert heard.count("0 wishing stones") >= 2
    assert heard.count("0 points collected") >= 2
    panel = ann.find(".players .player").evaluate(
        """panel => {
            const copy = panel.cloneNode(true);
            copy.querySelectorAll("[aria-hidden=true]").forEach((one) => one.remove());
            return copy.querySelector(".player-facts").textContent;
        }"""
    )
    assert re.match(r"\s*0 wishing stones\s*0 points collected", panel)


def test_choices_at_a_clover_go_from_left_to_right_and_the_best_is_named(visit: Visit) -> None:
    ann = visit()

    def position(message: dict[str, Any]) -> None:
        at_a_clover(message)
        for view in message.get("views", []):
            if "figures" in view:
                view["figures"] = [{**dict.fromkeys("RYVGB", 0), "B": 3, "Y": 2}] * 2

    Wire(ann, position)
    ann.table()
    ann.page.wait_for_selector(".ghost")
    order = ann.find(".ghost").evaluate_all("all => all.map(one => one.dataset.colour)")
    assert "".join(order) == BOARD_ORDER
    best = ann.find(".ghost[data-choice=best]")
    assert best.evaluate_all("all => all.map(one => one.dataset.colour)") == ["B"]  # −2 to 1
    # What had the focus is gone: it goes there.
    ann.find(".ghost[data-colour=V]").focus()
    ann.page.keyboard.press("Enter")
    ann.page.get_by_role("button", name="Small", exact=True).focus()
    ann.page.keyboard.press("Escape")
    wait_until(lambda: ann.page.evaluate("document.activeElement.dataset.colour") == "B", ann.page)


# --- Replay ------------------------------------------------------------------------------------

RECORD = Path(__file__).resolve().parents[2] / "tools" / "lessons" / "board.json"


@pytest.mark.parametrize("size", [DESKTOP, (1024, 768), PHONE])
def test_all_moves_can_be_touched_and_keys_change_the_speed(
    visit: Visit, size: tuple[int, int]
) -> None:
    ann = visit(size)
    page = ann.open("replay")
    page.set_input_files("input[type=file]", str(RECORD))
    page.wait_for_selector(".film")
    if size == PHONE:
        page.get_by_role("button", name="All moves").click()
    moves = page.locator(".moves:visible button")
    assert moves.count() == 145
    moves.nth(70).click()
    expect(ann.find(".film-at")).to_have_text(re.compile(r"^71"))
    current = page.locator(".moves:visible [aria-current]")
    assert current.inner_text().strip() == moves.nth(70).inner_text().strip()
    inside = current.evaluate(
        """one => {
            const box = one.getBoundingClientRect();
            const list = one.closest(".moves").getBoundingClientRect();
            return box.top >= list.top - 1 && box.bottom <= list.bottom + 1;
        }"""
    )
    assert inside
    assert ann.cut_texts() == []
    ann.picture(f"replay-moves-{size[0]}")
    speed = page.locator("label:visible", has_text="Speed").locator("select")
    assert speed.input_value() == "1"
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator("main").focus()
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.keyboard.press("-")
    if size == PHONE:
        page.get_by_role("button", name="All moves").click()
    assert page.locator("label:visible", has_text="Speed").locator("select").input_value() == "2"
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator("main").focus()
    page.keyboard.press("?")
    assert "Slower, faster" in page.get_by_role("dialog").inner_text()


# --- Room --------------------------------------------------------------------------------------

# How much of the height of each column of the table is taken.
COLUMNS = """() => {
  const table = document.querySelector("main.table").getBoundingClientRect();
  const parts = [...document.querySelectorAll(
    ".player, .board-area, .own-rows, .piles, .middle, .stone-rows, .log, .action-bar, .hand")]
    .map((one) => one.getBoundingClientRect()).filter((box) => box.height);
  const columns = new Map();
  for (const box of parts) {
    const name = Math.round(box.left / 60);
    columns.set(name, (columns.get(name) ?? 0) + box.height);
  }
  return [...columns.values()].map((height) => height / table.height);
}"""


@pytest.mark.parametrize("game", ["board", "stones"])
def test_with_two_players_no_column_is_empty(visit: Visit, game: str) -> None:
    ann = visit()
    ann.table(game)
    for size in (DESKTOP, (1024, 768), (1920, 1080)):
        ann.resize(size)
        filled = ann.page.evaluate(COLUMNS)
        assert len(filled) == 2, size
        assert min(filled) > 0.6, size
        ann.picture(f"two-{game}-{size[0]}")


@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_phone_on_its_side_has_all_of_a_turn_in_sight(visit: Visit, game: str) -> None:
    """720 by 450 is also a screen of 1440 by 900 zoomed to twice its size."""
    ann = visit((844, 390))
    ann.table(game)
    parts = {"board": ".board, .hand, .action-bar, .own-rows", "stones": ".middle, .action-bar"}
    for size in ((844, 390), (720, 450), (740, 360)):
        ann.resize(size)
        for part in ann.find(parts[game]).all():
            box = part.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= size[0]
            assert box["y"] + box["height"] <= size[1] + 1, part
        board = ann.find(".board, .middle").bounding_box()
        bar = ann.find(".action-bar").bounding_box()
        assert board
        assert bar
        assert board["x"] + board["width"] <= bar["x"]
        ann.picture(f"side-{game}-{size[0]}")
