"""What a turn asks: choices that are what they seem, drags, what is said and where it stands."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator

from tests.web.conftest import DESKTOP, PHONE, Visit, wait_until
from tests.web.person import Person, take_all_back
from tests.web.wire import PATHS, Wire, at_a_clover

SIZES = [(1440, 900), (1024, 768), (820, 1180), (844, 390), (390, 844), (360, 640)]
PHONES = [(390, 844), (360, 640)]
LANGUAGES = ["en", "de", "fr", "nl"]

# Choices at whose centre something else lies.
MISLEADING = """() => [...document.querySelectorAll(
  ".ghost, .target, .hand.choosing .hand-card, .action-bar button, .tile-button.legal"
)].flatMap((one) => {
  one.scrollIntoView({ block: "center" });
  const box = one.getBoundingClientRect();
  const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return at && one.contains(at) ? [] : [`${one.className} ${one.ariaLabel}: ${at?.outerHTML}`];
})"""


def test_what_lies_at_the_centre_of_a_choice_is_that_choice(visit: Visit) -> None:
    ann = visit()
    ann.table(opponents=3)
    ann.find(".hand-card.fits").first.click()
    bea = visit()
    Wire(bea, at_a_clover)
    bea.table(opponents=3)
    bea.page.wait_for_selector(".ghost")
    for size in SIZES:
        ann.resize(size)
        assert ann.page.evaluate(MISLEADING) == [], size
        bea.resize(size)
        assert bea.page.evaluate(MISLEADING) == [], size
        assert bea.find(".ghost").count() == 5


def test_small_or_large_is_asked_after_the_path(visit: Visit) -> None:
    ann = visit((360, 640))
    wire = Wire(ann, at_a_clover)
    ann.table()
    ghost = ann.find(".ghost[data-colour=V]")
    assert (ghost.get_attribute("aria-label") or "").startswith(
        "Onto the violet path: small or large figure to the −4 stone"
    )
    ghost.click()
    assert ann.find(".prompt").inner_text() == "Which figure enters the violet path?"
    ann.picture("clover-which")
    ann.page.keyboard.press("Escape")
    assert ann.find(".button:has(.figure-picture)").count() == 0
    ghost.click()
    ann.page.get_by_role("button", name="Large", exact=True).click()
    wait_until(lambda: wire.decided() == ["V*"], ann.page)


def drag(person: Person, source: Locator, target: Locator) -> None:
    start, end = source.bounding_box(), target.bounding_box()
    assert start
    assert end
    mouse = person.page.mouse
    mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    mouse.down()
    mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=5)


COUNT_FLIGHTS = """() => {
  window.flights = 0;
  new MutationObserver((changes) => changes.forEach((one) => one.addedNodes.forEach((node) => {
    if (node.className === "flight") window.flights += 1;
  }))).observe(document.body, { childList: true });
}"""


def test_a_selected_card_can_be_dragged_and_does_not_fly_again(visit: Visit) -> None:
    ann = visit(pace="calm", motion=True)
    ann.table()
    ann.page.evaluate(COUNT_FLIGHTS)
    card = ann.find(".hand-card.fits").first
    colour = (card.get_attribute("data-card") or "")[0]
    row = ann.find(f"[data-drop='row:{colour}']")
    card.click()
    drag(ann, card, row)
    assert card.get_attribute("aria-pressed") == "true"
    assert ann.find(".own-row.target").count() == 1
    ann.page.mouse.up()
    ann.page.wait_for_selector(".button:has(.figure-picture)")
    assert ann.page.evaluate("flights") == 0
    # What is chosen by a touch does fly.
    ann.page.get_by_role("button", name="Small", exact=True).click()
    ann.page.wait_for_selector(".deck.target, .ghost")
    ann.play(20, until=".deck.target")
    ann.find(".deck.target").click()
    wait_until(lambda: ann.page.evaluate("flights") > 0, ann.page)


SAY = """async () => {
  const { pileWords } = await import("./js/table/piles.js");
  const { ended, promptWords } = await import("./js/words.js");
  const { t } = await import("./js/i18n.js");
  const view = (cards) => ({ piles: { R: cards } });
  const asks = ["card", "figure", "clover", "end stone", "draw"].map((phase) => promptWords(
    { game: "board", phase, seat: 0, players: ["Ann"], path: "R", legal_moves: [] }, true));
  return {
    piles: [["R7"], ["R3", "R7"], ["R1", "R3", "R7"]].map((cards) => pileWords(view(cards), "R")),
    later: asks.map((ask) => t("why.later", { ask: ended(ask) })),
  };
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_piles_are_counted_and_sentences_end_once(visit: Visit, language: str) -> None:
    ann = visit(language=language)
    ann.open()
    ann.page.wait_for_selector("main")
    said = ann.page.evaluate(SAY)
    one, two, three = said["piles"]
    assert re.findall(r"\d+", one) == ["7"]
    assert re.findall(r"\d+", two) == ["7", "3"]  # "on top of one other card. Below: 3"
    assert re.findall(r"\d+", three) == ["7", "2", "3", "1"]
    assert [words for words in said["later"] if re.search(r"[.?!…]\s*[.?!…]|[^.?!…]$", words)] == []


def test_a_card_touched_while_a_figure_is_asked_for(visit: Visit) -> None:
    ann = visit(PHONE)
    ann.table()
    ann.find(".hand-card.fits").first.click()
    ann.page.get_by_role("button", name="Lay", exact=True).click()
    ann.page.wait_for_selector(".button:has(.figure-picture)")
    ann.find(".hand-card").first.click(force=True)
    assert re.fullmatch(
        r"Not now\. Which figure enters the \w+ path\?", ann.find(".note.answer").inner_text()
    )


def test_ending_a_game_is_asked_for(visit: Visit) -> None:
    ann = visit()
    ann.table()
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="End this game").click()
    dialog = ann.page.get_by_role("dialog", name="End this game")
    dialog.get_by_role("button", name="Play on").click()
    assert dialog.count() == 0
    ann.play(1)  # it still can be played
    assert ann.find(".dialog.end").count() == 0
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="End this game").click()
    dialog.get_by_role("button", name="End the game").click()
    ann.page.wait_for_selector(".dialog.end")


def test_a_hint_calls_nothing_worse_that_looks_better(visit: Visit) -> None:
    ann = visit()
    ann.table()
    said = ann.page.evaluate(
        """async () => {
            const { hintFigures } = await import("./js/table/hint.js");
            const view = { game: "stones", phase: "turn" };
            const words = (wins) => hintFigures({ move: "?", seat: 0, moves: [
                { move: "?", value: 1, error: 0.4, wins: 0.61 },
                { move: "R7", value: 3, error: 0.5, wins },
            ]}, view);
            return [0.52, 0.61, 0.7].map(words);
        }"""
    )
    worse, same, better = said
    assert worse.endswith("Next best: Take red 7 with a wishing stone (52 in 100).")
    assert same.endswith("About as good: Take red 7 with a wishing stone.")
    assert better == same


def box_of(person: Person, name: str) -> Any:
    return person.page.get_by_role("button", name=name).bounding_box()


@pytest.mark.parametrize("size", [*PHONES, (1024, 768)])
def test_hint_and_take_back_keep_their_places(visit: Visit, size: tuple[int, int]) -> None:
    ann = visit(size)
    ann.table()
    places = []
    for _ in range(12):
        ann.play(1)
        ann.settle()
        if ann.find(".hand-card.fits").count() and ann.find(".hand.choosing").count():
            places.append((box_of(ann, "Hint"), box_of(ann, "Take back")))
            ann.find(".hand-card.fits").first.click()
        places.append((box_of(ann, "Hint"), box_of(ann, "Take back")))
        ann.page.keyboard.press("Escape")
    assert len({str(place) for place in places}) == 1


# Parts of a note that lie over the table.
COVERED = """() => {
  const note = document.querySelector(".action-text .note");
  const box = note.getBoundingClientRect();
  return [...document.querySelectorAll(".board, .pile, .own-row, .hand-card, .player")].filter(
    (one) => {
      const other = one.getBoundingClientRect();
      return box.left < other.right - 1 && other.left < box.right - 1 &&
        box.top < other.bottom - 1 && other.top < box.bottom - 1;
    }).length;
}"""


@pytest.mark.parametrize("size", [*PHONES, DESKTOP])
def test_what_is_said_covers_nothing(visit: Visit, size: tuple[int, int]) -> None:
    ann = visit(size)
    ann.table(opponents=2)
    ann.play(200, until=".hand-card.misfit")
    ann.find(".hand-card.misfit").first.click()
    assert "does not fit" in ann.find(".action-text .note").inner_text()
    assert ann.page.evaluate(COVERED) == 0
    ann.page.keyboard.press("Escape")
    ann.page.get_by_role("button", name="Take back").click()
    ann.page.wait_for_selector(".note.answer")
    assert ann.find(".note.answer").inner_text() == "Taken back."
    assert ann.page.evaluate(COVERED) == 0


@pytest.mark.parametrize("game", ["board", "stones"])
def test_ones_own_total_stones_and_points_are_in_sight(visit: Visit, game: str) -> None:
    ann = visit()
    ann.table(game, opponents=3)
    ann.play(6)
    for size in SIZES:
        ann.resize(size)
        for part in ("score", "wishes", "points"):
            # Beside the table, or in the table itself.
            seen = [
                one
                for one in ann.find(f".own-{part}, .player.self").all()
                if (box := one.bounding_box()) and box["y"] >= 0 and box["width"]
                and box["y"] + box["height"] <= size[1]
            ]  # fmt: skip
            assert seen, (size, part)


LONGEST = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]


def long_rows(message: dict[str, Any]) -> None:
    for view in message.get("views", []):
        if "rows" in view:
            rows = {path: LONGEST[: 3 + 2 * i] for i, path in enumerate(PATHS)}
            view["rows"] = [rows] * len(view["rows"])


# Numbers that are neither seen whole nor not at all.
CUT = """() => [
  ...document.querySelectorAll(".row-number, .stone-row .stone-tile")
].filter((one) => {
  const inside = one.parentElement.getBoundingClientRect();
  const box = one.getBoundingClientRect();
  if (!inside.height) return false;
  const out = box.top >= inside.bottom - 1 || box.bottom <= inside.top + 1;
  const whole = box.left >= inside.left - 1 && box.right <= inside.right + 1 &&
    box.top >= inside.top - 4 && box.bottom <= inside.bottom + 4;
  const text = one.querySelector(".card-number") ?? one;
  return !out && !(whole && text.scrollWidth <= one.clientWidth + 1);
}).map((one) => one.outerHTML)"""


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize("players", [2, 4])
def test_numbers_of_rows_are_whole_at_every_length(visit: Visit, game: str, players: int) -> None:
    ann = visit()
    Wire(ann, long_rows)
    ann.table(game, opponents=players - 1)
    for size in SIZES:
        ann.resize(size)
        assert ann.page.evaluate(CUT) == [], size
        ann.picture(f"long-rows-{game}-{players}-{size[0]}")


def test_what_the_others_did_stays_marked_until_one_has_moved(visit: Visit) -> None:
    ann = visit()
    ann.table(opponents=2)
    for _ in range(4):
        ann.play(40, until=".hand.choosing")
        ann.play(1)
        ann.play(40, until=".deck.target")
        assert ann.find(".row-number.recent, .pile.recent").count() == 0
        ann.find(".deck.target").click()
        ann.page.wait_for_selector(".hand.choosing")
        lines = ann.find(".side .log li").all_inner_texts()
        last = {}  # what each of them laid or discarded in this round
        for line in lines:
            if found := re.match(r"\s*(Bot \d) (lays|discards) (\w+) (\d+)", line):
                bot, *deed = found.groups()
                last[bot] = deed
        for bot, (verb, colour, number) in last.items():
            panel = f".player[aria-label='{bot}'] .row-number.recent"
            marked = ann.find(f"{panel}, .pile.recent .card-number").all_inner_texts()
            taken = any("from the discard pile" in line for line in lines[-12:])
            covered = bot == "Bot 1" and last["Bot 2"][:2] == [verb, colour] == ["discards", colour]
            assert number in marked or taken or covered
        assert set(last) == {"Bot 1", "Bot 2"}
    assert ann.find(".side .log li").last.is_visible()


def test_the_newest_line_of_the_log_is_in_view(visit: Visit) -> None:
    ann = visit((1024, 768))
    ann.table()
    ann.play(20)
    ann.play(60, until=".hand-card.misfit")
    ann.find(".hand-card.misfit").first.click()  # what is said makes the log lower
    shown = ann.find(".side .log").evaluate(
        """log => {
            const last = log.querySelector("li:last-child").getBoundingClientRect();
            return last.bottom <= log.getBoundingClientRect().bottom + 1;
        }"""
    )
    assert shown
    last = ann.find(".side .log li").last.inner_text().strip()
    ann.resize((360, 640))
    assert ann.find(".last-line").inner_text() == last
    assert ann.find(".last-line").is_visible()


def test_taking_a_tile_tells_what_the_row_will_be_worth_and_what_it_shuts_out(visit: Visit) -> None:
    ann = visit()
    ann.open()
    ann.page.wait_for_selector("main")
    said = ann.page.evaluate(
        """async () => {
            const { misfitWords, rowAfterWords } = await import("./js/words.js");
            const none = { R: [], Y: [], V: [], G: [], B: [] };
            const view = { game: "stones", rows: [{ ...none, R: [2] }, { ...none, R: [5, 6] }] };
            const after = (tile) => rowAfterWords(view, 0, tile);
            const full = { game: "stones", rows: [{ ...none, R: [2, 10] }] };
            return [after("R7"), after("R3"), after("B3"), misfitWords(full, 0, "R4")];
        }"""
    )
    assert [each.replace(", and", " and") for each in said] == [
        "Your red row will count −3 instead of −4. 0, 1, 3 and 4 will no longer fit.",
        "Your red row will count −3 instead of −4. 0 and 1 will no longer fit.",
        "Your blue row will count −4 instead of 0.",
        "Red 4 does not fit: your red row is finished (2, 10).",
    ]


def test_bots_of_one_level_have_names_of_their_own(visit: Visit) -> None:
    ann = visit()
    page = ann.open()
    page.get_by_role("button", name="4 players").click()
    for select in page.locator(".places select").all():
        select.select_option("bot:2")
    page.get_by_role("button", name="Take a seat").click()
    page.wait_for_selector(".player")
    names = ann.find(".players .player-name").all_inner_texts()
    assert len(set(names)) == 3
    assert ann.find(".players .player-level").all_inner_texts() == ["Hare"] * 3


def test_what_can_only_go_one_way_goes_by_itself_and_can_be_taken_back(visit: Visit) -> None:
    ann = visit(auto=True)
    ann.table()
    hand = ann.find(".hand-card").evaluate_all("cards => cards.map(one => one.dataset.card)")
    ann.find(".hand-card.fits").first.click()
    ann.page.get_by_role("button", name="Lay", exact=True).click()
    ann.page.get_by_role("button", name="Small", exact=True).click()
    # No card was discarded yet, so there is only the draw pile; then it is the bot's turn.
    ann.page.wait_for_selector(".hand.choosing li:nth-child(8)")
    assert "Ann draws" in ann.find(".side .log").inner_text()
    take_all_back(ann)
    ann.page.wait_for_selector(".hand.choosing")
    now = ann.find(".hand-card").evaluate_all("cards => cards.map(one => one.dataset.card)")
    assert now == hand
    # Nothing goes by itself now, however long one waits.
    ann.page.wait_for_timeout(1500)
    assert ann.find(".hand.choosing").count() == 1
