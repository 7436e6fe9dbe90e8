"""Whole games in the browser, at the sizes of a phone and a desktop, and every way to play."""

import re

import pytest

from tests.web.conftest import DESKTOP, PHONE, TABLET, Visit, wait_until
from tests.web.person import Person, take_all_back

SIZES = {"phone": PHONE, "desktop": DESKTOP}
# What a player of the board game can be asked for, and the end.
DECISIONS = (
    ".dialog.end, .ghost, button:has(.figure-picture), .deck.target, .hand.choosing .hand-card"
)


def finished(person: Person) -> None:
    person.page.wait_for_selector(".dialog.end")
    person.page.wait_for_selector(".proof summary .icon")
    assert "fair" in person.find(".proof summary").inner_text()
    totals = person.find(".dialog.end tfoot td").all_inner_texts()
    assert len(totals) >= 2


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_whole_game_against_a_bot(visit: Visit, game: str, size: str) -> None:
    ann = visit(SIZES[size], theme="dark" if game == "stones" else "light")
    ann.table(game)
    ann.play(12)
    ann.picture(f"{game}-{size}")
    ann.play()
    finished(ann)
    ann.picture(f"{game}-{size}-end")
    assert ann.cut_texts() == []


@pytest.mark.parametrize("game", ["board", "stones"])
def test_four_at_a_table_fit_a_tablet(visit: Visit, game: str) -> None:
    ann = visit(TABLET, theme="dark")
    ann.table(game, opponents=3)
    ann.play(14)
    ann.picture(f"{game}-tablet-four")
    assert ann.cut_texts() == []
    assert ann.find(".players .player").count() == 3


def test_two_clicks_from_the_start_page_to_a_table(visit: Visit) -> None:
    ann = visit()
    page = ann.open()
    page.get_by_text("The Way of Stones").click()
    page.get_by_role("button", name="Take a seat").click()
    page.wait_for_selector(".middle")
    assert "/table/" in page.url


def test_a_card_is_selected_and_then_placed_on_its_row(visit: Visit) -> None:
    ann = visit()
    ann.table()
    card = ann.find(".hand-card.fits").first
    name = card.get_attribute("data-card") or ""
    card.click()
    assert card.get_attribute("aria-pressed") == "true"
    assert ann.find(".ghost").count() == 1
    ann.find(".own-row.target").click()
    ann.page.wait_for_selector(".action-buttons .button:has(.figure-picture)")
    ann.page.get_by_role("button", name="Large", exact=True).click()
    ann.page.wait_for_selector(".deck.target, .ghost")
    assert f"lays {['red', 'yellow', 'violet', 'green', 'blue']['RYVGB'.index(name[0])]}" in (
        ann.find(".log").first.inner_text()
    )


def test_cards_and_figures_can_be_dragged(visit: Visit) -> None:
    ann = visit()
    ann.table()
    card = ann.find(".hand-card.fits").first
    colour = (card.get_attribute("data-card") or "")[0]
    card.drag_to(ann.find(f"[data-drop='row:{colour}']"))
    ann.page.wait_for_selector(".action-buttons .button:has(.figure-picture)")
    # The large figure goes from the start stone to its path by hand, too.
    large = ann.find("[data-drag='start:large']").bounding_box()
    path = ann.find(f".path-zone[data-drop='path:{colour}']").bounding_box()
    assert large
    assert path
    mouse = ann.page.mouse
    mouse.move(large["x"] + large["width"] / 2, large["y"] + large["height"] / 2)
    mouse.down()
    mouse.move(path["x"] + path["width"] / 2, path["y"] + path["height"] / 2, steps=6)
    mouse.up()
    ann.page.wait_for_selector(".deck.target, .ghost")
    ann.play(20, until=".deck.target")
    ann.find(".deck.target").drag_to(ann.find(".hand"))
    ann.page.wait_for_selector(".hand li:nth-child(8)")


def test_a_card_that_does_not_fit_says_why(visit: Visit) -> None:
    ann = visit(PHONE)
    ann.table()
    ann.play(200, until=".hand-card.misfit")
    ann.find(".hand-card.misfit").first.click()
    note = ann.find(".action-text .note").inner_text()
    assert "does not fit" in note
    assert re.search("row (rises|falls|has reached)", note)
    assert ann.find(".action-buttons .button.main").count() == 0
    ann.picture("why-not")


def tab_to(person: Person, choice: str) -> None:
    page = person.page
    page.evaluate("document.querySelector('main').focus()")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("choice => document.activeElement.matches(choice)", choice):
            return
    raise AssertionError(f"Tab does not reach {choice}")


def test_a_whole_game_with_keys_only(visit: Visit) -> None:
    ann = visit()
    ann.table()
    page = ann.page
    page.keyboard.press("Tab")
    reached = set[str]()
    while not ann.find(".dialog.end").count():
        page.wait_for_selector(DECISIONS, state="attached")
        figures = ann.find("button:has(.figure-picture)").count()
        if figures or ann.find(".ghost").count():
            # Tab reaches the choices that stand on the board, and those in the bar: where a path
            # is chosen on which both figures may enter, the bar asks which.
            choice = "button:has(.figure-picture)" if figures else ".ghost"
            if choice not in reached:
                tab_to(ann, choice)
                reached.add(choice)
            ann.find(choice).first.press("Enter")
        elif ann.find(".deck.target").count():
            page.keyboard.press("d")
        elif ann.find(".hand.choosing").count():
            fits = ann.find(".hand-card").evaluate_all(
                "cards => cards.findIndex(one => one.classList.contains('fits'))"
            )
            page.keyboard.press(str(max(fits, 0) + 1))
            page.keyboard.press("c" if fits >= 0 else "x")
        assert page.evaluate("document.activeElement !== document.body"), "focus was lost"
    finished(ann)


def test_keys_ask_for_everything(visit: Visit) -> None:
    ann = visit()
    ann.table()
    ann.play(6)
    answers = {
        "h": "Your hand",
        "r": "Ann",
        "o": "Bot 1",
        "p": "Discard piles",
        "s": "points",
        "l": "Bot 1",
        "w": "turn",
    }
    ann.play(until=".hand.choosing")
    ann.page.wait_for_selector(".hand.choosing")
    for key, words in answers.items():
        ann.page.keyboard.press(key)
        assert words.lower() in ann.find(".voice").inner_text().lower(), key
    ann.page.keyboard.press("?")
    assert ann.find(".keys dt").count() > 12


def test_moves_wait_for_a_yes_if_asked_to(visit: Visit) -> None:
    ann = visit(confirm=True)
    ann.table("stones")
    ann.find("[data-turn]").first.click()
    assert ann.find(".prompt").inner_text() == "Turn a tile over?"
    ann.page.get_by_role("button", name="No").click()
    assert ann.find(".place.now").count() == 0
    ann.find("[data-turn]").first.click()
    ann.page.get_by_role("button", name="Yes").click()
    ann.page.wait_for_selector(".place.now")


def test_a_turn_is_taken_back_and_a_hint_given(visit: Visit) -> None:
    ann = visit(PHONE)
    ann.table()
    hand = ann.find(".hand-card").evaluate_all("cards => cards.map(one => one.dataset.card)")
    ann.play(200, until=".deck.target")
    take_all_back(ann)
    ann.page.wait_for_selector(".hand.choosing")
    assert hand == ann.find(".hand-card").evaluate_all(
        "cards => cards.map(one => one.dataset.card)"
    )
    ann.page.get_by_role("button", name="Hint").click()
    # The first hint may wait for the compiler.
    ann.page.wait_for_selector(".note.hint", timeout=200_000)
    assert ann.find(".note.hint").inner_text().startswith("Hint: ")
    assert ann.find(".advised").count() >= 1
    ann.picture("hint")
    ann.page.get_by_role("button", name="Details").click()
    assert "games in 100" in ann.find(".note.hint").inner_text()
    before = ann.find(".side .log li").count()
    ann.page.get_by_role("button", name="Play it").click()
    wait_until(lambda: ann.find(".side .log li").count() > before, ann.page)
