"""What a table shows at a glance, on the smallest phone too, and what it answers when asked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.web.conftest import DESKTOP, PHONE, Visit
from tests.web.person import Person, finish

ROOT = Path(__file__).resolve().parents[2]
SMALL = (360, 640)
LANGUAGES = ["en", "de", "fr", "nl"]

# Parts that are cut off by the edge of the screen, or lie under another part.
HIDDEN = """(parts) => parts.flatMap((part) => [...document.querySelectorAll(part)].flatMap(
  (one) => {
    const box = one.getBoundingClientRect();
    if (!box.width || !box.height) return [`${part}: nothing there`];
    const name = `${part} from ${Math.round(box.top)} to ${Math.round(box.bottom)}`;
    if (box.top < -1 || box.bottom > innerHeight + 1) return [`${name}: off the screen`];
    return [box.top + box.height / 2, box.bottom - 4].flatMap((y) => {
        const at = document.elementFromPoint(box.left + box.width / 2, y);
        if (at && (one.contains(at) || at.contains(one))) return [];
        return [`${name}: under ${at?.className}`];
    });
  }))"""


def hidden(person: Person, *parts: str) -> list[str]:
    for part in parts:
        assert person.find(part).count(), part
    person.settle()
    return list(person.page.evaluate(HIDDEN, list(parts)))


@pytest.mark.parametrize("players", [2, 4])
def test_all_that_a_turn_needs_is_in_sight_on_a_small_phone(visit: Visit, players: int) -> None:
    ann = visit(SMALL, language={2: "fr", 4: "de"}[players])
    ann.table(opponents=players - 1)
    ann.play(20)
    ann.play(60, until=".hand.choosing")
    assert ann.cut_texts() == []
    for card in ann.find(".hand-card").all():  # those that fit and those that don't
        card.click()
        assert ann.cut_texts() == []
    ann.page.keyboard.press("Escape")
    parts = (".players .player", ".board", ".own-row", ".pile", ".action-bar", ".hand-card")
    assert hidden(ann, *parts) == []
    ann.picture(f"board-small-{players}")
    ann.table("stones", opponents=players - 1)
    ann.play(14)
    assert hidden(ann, ".players .player", ".place:not(.gone)", ".stone-row", ".action-bar") == []
    ann.picture(f"stones-small-{players}")
    small = ann.page.evaluate("document.scrollingElement.scrollHeight - innerHeight")
    assert small <= 0


def test_a_replay_with_four_hands_is_in_sight_on_a_small_phone(visit: Visit) -> None:
    ann = visit(SMALL)
    table = ann.table(opponents=3)
    finish(ann)
    # The whole score sheet, too, without scrolling to the side.
    sheet = ann.find(".dialog.end .sheet-scroll")
    assert sheet.evaluate("one => one.scrollWidth <= one.clientWidth")
    ann.picture("sheet-small-four")
    ann.open(f"replay/{table}#40")
    ann.page.wait_for_selector(".film")
    parts = (".players .player", ".other-hand", ".board", ".own-row", ".pile", ".hand", ".film")
    assert hidden(ann, *parts) == []
    assert ann.find(".film-button.next").is_visible()
    ann.picture("replay-small-four")


def test_opponents_rows_show_what_they_count(visit: Visit) -> None:
    ann = visit(SMALL)
    ann.table(opponents=3)
    ann.play(20)
    rows = ann.find(".players .row-cell:not(.empty)")
    assert rows.count() > 3
    for row in rows.all():
        words = row.locator(".visually-hidden").inner_text()
        shown = row.locator(".row-worth").inner_text().lstrip("+")
        assert words.endswith(f"counts {shown}")
        assert row.locator(".row-worth").is_visible()


def test_discards_below_the_top_can_be_seen_by_touch_and_by_keys(visit: Visit) -> None:
    ann = visit(PHONE)
    ann.table()
    for _ in range(60):
        ann.play(60, until=".hand.choosing")
        ann.page.wait_for_selector(".hand.choosing")
        if ann.find(".card.deep").count() or ann.find(".dialog.end").count():
            break
        ann.find(".hand-card").first.click()
        ann.page.get_by_role("button", name="Discard", exact=True).click()
        ann.page.wait_for_selector(".deck.target")
        ann.find(".deck.target").click()
        ann.page.wait_for_selector(".deck.target", state="detached")
    pile = ann.find(".pile:has(.deep)").first
    label = pile.get_attribute("aria-label") or ""
    below = label.split("Below: ")[1]
    pile.click()
    dialog = ann.page.get_by_role("dialog", name="What lies in the discard piles")
    assert below.split(", ")[0] in dialog.inner_text()
    assert dialog.locator(".pile-cards .card").count() >= 2
    assert ann.violations() == []
    ann.picture("piles")
    ann.page.keyboard.press("Escape")
    assert dialog.count() == 0
    ann.page.keyboard.press("p")
    assert f"Below: {below}" in ann.find(".voice").inner_text()
    # Where a touch would take the top card, a button looks below it.
    ann.play(60, until=".deck.target")
    ann.page.get_by_role("button", name="What lies in the discard piles").click()
    assert dialog.count() == 1


def test_a_card_touched_too_early_says_what_comes_first(visit: Visit) -> None:
    ann = visit(PHONE)
    ann.table()
    ann.play(60, until=".deck.target")
    ann.find(".hand-card").first.click(force=True)
    assert ann.find(".note.answer").inner_text().startswith("Not now. Draw")
    assert ann.find(".deck.target").count() == 1


def test_a_hint_gives_one_reason_in_words_and_its_figures_if_asked(visit: Visit) -> None:
    ann = visit()
    ann.table()
    said = ann.page.evaluate(
        """async () => {
            const { hintFigures, hintWords } = await import("./js/table/hint.js");
            const colours = (value) => Object.fromEntries([..."RYVGB"].map((one) => [one, value]));
            const tiles = {...colours(Array(9).fill(null)), Y: ["W", ...Array(8).fill(null)]};
            const view = {
                game: "board", you: 0, phase: "card", players: ["Ann", "Ben"], in_goal: 0,
                hand: ["R5", "R7", "R2", "B1", "Y4"], large: [null, null], small_at_start: [3, 4],
                figures: [{...colours(0), R: 1}, colours(0)], tiles,
                rows: [{...colours([]), R: [1, 3]}, {...colours([]), B: [9, 5]}],
                piles: {...colours([]), R: ["R6"]},
            };
            const moves = [
                {move: "R5", value: 3.25, error: 0.4, wins: 0.612},
                {move: "xB1", value: -1.75, error: 0.3, wins: 0.4},
            ];
            const reasons = ["R5", "Y4", "xB1", "<R"].map((move) =>
                hintWords({move, moves, seat: 0}, view));
            const figures = ["R5", "xB1"].map((move) => hintFigures({move, moves, seat: 0}, view));
            return [...reasons, ...figures];
        }"""
    )
    assert said == [
        "Hint: Lay red 5. After that, 1 card in your hand still fits this row.",
        "Hint: Lay yellow 4. Small figure to the −4 stone. A wishing stone.",
        "Hint: Discard blue 1. Ben could lay it.",
        "Hint: Take red 6. It fits your row.",
        "Wins about 61 games in 100. Expected lead at the end: 3.3 points (± 0.4). "
        "Next best: Discard blue 1 (40 in 100).",
        "Wins about 40 games in 100. Expected to end 1.8 points behind (± 0.3). "
        "About as good: Lay red 5.",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_is_told_in_the_pages_language(visit: Visit, language: str) -> None:
    protocol = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    codes = re.findall(r"^\| `(\w+)` \| \d+ \|", protocol, re.MULTILINE)
    assert len(codes) > 15
    ann = visit(language=language)
    ann.open()
    ann.page.wait_for_selector(".places select")
    words = ann.page.evaluate(
        """async (codes) => {
            const { faultWords } = await import("./js/faults.js");
            return codes.map(faultWords);
        }""",
        codes,
    )
    assert all(re.match(r"[A-ZÀ-Ý].+[.a-zà-ü]$", each) for each in words), words
    assert len(set(words)) > 8


def test_levels_stand_with_their_measured_strength(visit: Visit) -> None:
    ann = visit(DESKTOP)
    page = ann.open()
    page.wait_for_selector(".places select")
    levels = page.evaluate("fetch('api/bots').then((answer) => answer.json())")["levels"]
    for game, name in (("board", "The board game"), ("stones", "The tile game")):
        page.locator(".game-choice", has_text=name).last.click()
        for players in (2, 3, 4):
            page.locator(".count", has_text=f"{players} players").click()
            page.get_by_text(f"measured with {players} players").wait_for()
            shown = ann.find(".places option").all_inner_texts()
            for level in levels:
                strength = level["strengths"][str(players)][game]
                assert f"Level {level['number']}: {level['name']} ({strength})" in shown
    assert "[object" not in page.content()
