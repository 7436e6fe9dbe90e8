"""Numbers, dates, plurals and spacing as each language writes them; texts that fit wide screens."""

from __future__ import annotations

import pytest

from tests.web.conftest import DESKTOP, Visit

LANGUAGES = ["en", "de", "fr", "nl"]

SAY = """async () => {
    const { decimal, list, number, plus, t, when } = await import("./js/i18n.js");
    const { cardName, misfitWords } = await import("./js/words.js");
    const view = {game: "board", rows: [{R: [2, 5], Y: [], V: [], G: [], B: []}]};
    return {
        decimal: decimal(1234.5), minus: number(-4), plus: plus(3), zero: plus(0),
        date: when("2026-03-05T14:30:00"), list: list(["A", "B", "C"]), card: cardName("R7"),
        none: t("wishes", {n: 0}), one: t("wishes", {n: 1}), five: t("wishes", {n: 5}),
        why: misfitWords(view, 0, "R3"), who: t("start.who"),
    };
}"""

EXPECTED = {
    "en": {"decimal": "1,234.5", "list": "A, B and C", "card": "red 7", "none": "0 wishing stones"},
    "de": {"decimal": "1.234,5", "list": "A, B und C", "card": "Rot 7", "none": "0 Wunschsteine"},
    "fr": {
        "decimal": "1\u202f234,5",
        "list": "A, B et C",
        "card": "7 rouge",
        "none": "0 pierre à vœux",
        "who": "Qui joue\u202f?",
    },
    "nl": {"decimal": "1.234,5", "list": "A, B en C", "card": "de rode 7", "none": "0 wensstenen"},
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_dates_and_plurals_are_the_languages_own(visit: Visit, language: str) -> None:
    ann = visit(language=language)
    ann.open()
    ann.page.wait_for_selector("main")
    said = ann.page.evaluate(SAY)
    expected = EXPECTED[language]
    assert {key: said[key].replace("A, B, and C", "A, B and C") for key in expected} == expected
    assert (said["minus"], said["plus"], said["zero"]) == ("−4", "+3", "0")
    assert "2026" in said["date"]
    assert "14:30" in said["date"]  # as in Britain, where these browsers' English is from
    assert said["one"].startswith("1 ")
    assert said["one"].removeprefix("1 ") != said["five"].removeprefix("5 ")
    assert "2, 5" in said["why"]
    assert said["card"].replace("7", "3").lower() in said["why"].lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_fits_on_a_wide_screen(visit: Visit, language: str) -> None:
    ann = visit(DESKTOP, language=language)
    page = ann.open()
    page.wait_for_selector(".places select")
    cut = {"start": ann.cut_texts()}
    page.locator(".settings-button").click()
    cut["settings"] = ann.cut_texts()
    for game in ("board", "stones"):
        ann.table(game, opponents=3)
        for decision in range(4):
            ann.play(1)
            cut[f"{game} {decision}"] = ann.cut_texts()
    assert {place: wrong for place, wrong in cut.items() if wrong} == {}
