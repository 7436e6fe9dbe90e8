"""The review of a game: graph, lessons, mistakes to try again, playing on, links, languages."""

import base64
import json
import math
import random
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect

import keltis
from keltis import bots
from keltis.reviews import network_review
from tests.web.conftest import DESKTOP, PHONE, Visit
from tests.web.person import Person, finish

FILES = Path(__file__).resolve().parents[2] / "src" / "keltis" / "web"
LANGUAGES = ["en", "de", "fr", "nl"]
COLOURS = {"R": "red", "Y": "yellow", "V": "violet", "G": "green", "B": "blue"}


def played(game: str, players: int, seed: int) -> keltis.Record:
    """A game of somebody who plays at random against bots."""
    whole = keltis.new_game(game, players, seed=seed, names=["Ann", "Ben", "Cid", "Dora"][:players])
    others, chance = bots.make("heuristic", seed=seed), random.Random(seed)
    while not whole.is_over:
        assert whole.seat is not None
        view = whole.view(whole.seat)
        whole.play(others.choose(view) if whole.seat else chance.choice(view["legal_moves"]))
    return whole.record()


def packed(record: keltis.Record) -> str:
    """A record as the page puts it into a link."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = deflate.compress(json.dumps(record).encode()) + deflate.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def opened(person: Person, record: keltis.Record, step: int = 0) -> dict[str, Any]:
    """The review of a record by the network alone: nothing changes while one looks."""
    review: dict[str, Any] = json.loads(json.dumps(network_review(record)))
    told = {"review": review, "searched": review["searched"], "searching": False}

    def answer(route: Route) -> None:
        route.fulfill(json=told)

    person.page.route(re.compile(r"/api/review(\?.*)?$"), answer)
    person.open(f"review#{step}:{packed(record)}")
    person.page.wait_for_selector(".review-film")
    return review


def odds(chance: float) -> float:
    return math.log(chance / (1 - chance))


def test_from_the_end_of_a_game_to_its_review_and_on(visit: Visit) -> None:
    """The server's own review, of a table; everything leads everywhere."""
    ann = visit()
    page = ann.page
    table = ann.table("stones", level="random")
    finish(ann)
    page.locator(".dialog.end").get_by_role("link", name="Review").click()
    page.wait_for_selector(".review-film")
    assert f"/review/{table}" in page.url
    seats = ann.find(".review-seat")
    expect(seats).to_have_count(2)
    expect(seats.first).to_contain_text("points lost per decision")
    expect(seats.first).to_contain_text("Luck:")
    # Keys go through the game; the address keeps the place.
    slider = page.get_by_role("slider")
    last = int(slider.get_attribute("max") or 0)
    page.keyboard.press("End")
    expect(slider).to_have_value(str(last))
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value(str(last - 1))
    page.wait_for_url(re.compile(rf"#{last - 1}$"))
    # To the replay of the same position, and back.
    page.locator(".review-actions").get_by_role("link", name="Replay").click()
    page.wait_for_selector(".film-tools")
    expect(page.get_by_role("slider")).to_have_value(str(last - 1))
    page.locator(".film-review").click()
    page.wait_for_selector(".review-film")
    expect(page.get_by_role("slider")).to_have_value(str(last - 1))
    # On from there against a bot.
    page.keyboard.press("Home")
    page.get_by_role("button", name="Play on from here").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Against").select_option("fawn")
    dialog.get_by_role("button", name="Play on").click()
    page.wait_for_selector(".action-bar")
    assert "/table/" in page.url
    assert table not in page.url
    expect(ann.find(".action-bar.mine").first).to_be_visible()
    ann.open("games")
    expect(ann.find(f"a[href='review/{table}']")).to_have_count(1)


def test_lessons_the_sum_and_the_table_of_a_review(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    record = played("board", 2, 3)
    review = opened(ann, record)
    own = review["seats"][0]
    lessons = ann.find(".review-lessons li")
    expect(lessons).to_have_count(len(own["lessons"]))
    assert len(own["lessons"]) > 0
    expect(lessons.first).to_contain_text("Ann played:")
    expect(lessons.first).to_contain_text("Better:")
    lessons.first.get_by_role("button", name="Show the position").click()
    expect(page.get_by_role("slider")).to_have_value(str(own["lessons"][0]))
    moves = ann.find(".review-moves tbody tr")
    assert moves.count() >= 2
    expect(ann.find(".review-moves .tag")).to_have_text("played")
    # The best move has the chance that the graph has there, and the other is corrected like it.
    step = own["lessons"][0]
    decision = review["decisions"][step]
    (drawn,) = [wins for at, wins, _ in review["graph"][0]["points"] if at == step]
    assert abs(drawn - decision["wins"]) > 0.02  # else it does not matter
    shift = odds(drawn) - odds(decision["wins"])
    less = 1 / (1 + math.exp(-odds(decision["after"]["wins"]) - shift))
    chances = [
        int(row.locator("td").first.inner_text().rstrip("%"))
        for row in (moves.first, ann.find(".review-moves tr.next"))
    ]
    assert chances == pytest.approx([100 * drawn, 100 * less], abs=0.6)
    # Why, in words: what counts is counted right, and a name stays a name.
    said = page.evaluate(
        """async (reasons) => {
            const words = await import(new URL("js/review/words.js", document.baseURI));
            return reasons.map((one) => words.reasonWords(one, one.game ?? "board"));
        }""",
        [
            {"key": "wish", "values": {"n": 1, "points": 5}},
            {"key": "fits", "values": {"card": "G4", "seat": 1, "name": "R7"}},
            {"key": "step", "values": {"colour": "R", "stone": 4, "tile": "W", "points": 1}},
            {"key": "step", "values": {"colour": "R", "stone": 4, "tile": None, "points": 3}},
            {"key": "step", "values": {"colour": "R", "stone": 4, "tile": "2", "points": 3}},
            {"key": "left", "values": {"n": 3}},
            {"key": "left", "values": {"n": 1}, "game": "stones"},
            {"key": "ahead", "values": {"points": -1}},
            {"key": "ends", "values": {"share": 0.0, "best": 0.97}},
            {
                "key": "gains",
                "values": {
                    "parts": [
                        {"of": "other", "seat": 1, "name": "Y1", "points": 3.1, "error": 0.4},
                        {"of": "G", "points": 2, "error": 0.04},
                        {"of": "wishes", "points": -1, "error": 0},
                    ]
                },
            },
            {"key": "cost", "values": {"points": 2, "wins": 0.1, "error": None, "worlds": 0}},
        ],
    )
    assert said == [
        "One more wishing stone brings 5 points.",
        "Green 4 fits a row of R7.",
        "The step on the red path counts 1 point and leads to a wishing stone.",
        "The step on the red path counts 3 points.",
        "The step on the red path counts 3 points and leads to a tile of 2 points.",
        "3 cards were still to be drawn.",
        "1 tile was still face down.",
        "One was 1 point behind at that moment.",
        "The game ends before the next turn in 0% of the possible deals, "
        "with the better move in 97%.",
        "Played to the end, the better move means 3.1 ± 0.4 points less for Y1 and "
        "2.0 ± 0.1 points more in green, but 1.0 points less for wishing stones.",
        "",
    ]
    # What was lost, where there is something to tell.
    told = page.evaluate(
        """async (losses) => {
            const words = await import(new URL("js/review/words.js", document.baseURI));
            return losses.map(([loss, error]) => words.lostWords(loss, error));
        }""",
        [
            [{"lead": 2, "wins": 0.1}, {"lead": 0.31}],
            [{"lead": 2, "wins": 0.004}, None],
            [{"lead": -1.5, "wins": 0.03}, {"lead": 0.3}],  # it leads by more and wins less often
            [{"lead": 0.04, "wins": 0.17}, {"lead": 0.3}],
            [{"lead": 1.2, "wins": -0.02}, {"lead": 0}],
        ],
    )
    assert told == [
        "2.0 ± 0.3 points and 10% of the chance to win",
        "2.0 points",
        "3% of the chance to win",
        "17% of the chance to win",
        "1.2 points",
    ]
    # How somebody played who lost hardly anything: the judge cannot tell who is better than Raven.
    skill = {"lost": 0.1, "error": 0.1, "like": "raven", "low": "fox", "high": "raven"}
    told = page.evaluate(
        """async (seat) => {
            const words = await import(new URL("js/review/words.js", document.baseURI));
            return words.skillWords(seat);
        }""",
        {"skill": skill},
    )
    assert told == "Played like Raven or better, 0.1 ± 0.1 points lost per decision"
    # Who won, by decisions or by luck: the parts of its sum.
    winner = next(seat for seat in review["seats"] if seat["sum"]["wins"]["result"] == 1)
    lead = winner["sum"]["lead"]
    by_luck = lead["deal"] + lead["luck"] - lead["others_luck"]
    headline = ann.find(".review-headline").inner_text().replace("−", "-")
    assert headline.startswith(f"How {winner['name']} won:")
    said = [float(text) for text in re.findall(r" ([+-]?\d+\.\d)", headline)]
    expected = [lead["decisions"] + lead["others_decisions"], by_luck, lead["rest"]]
    assert said == pytest.approx(expected, abs=0.051)
    # The sum that is shown adds up.
    rows = ann.find(".review-sum tbody td:nth-child(2), .review-sum tfoot td:nth-child(2)")
    shown = [float(text.replace("−", "-")) for text in rows.all_inner_texts()]
    assert sum(shown[:-1]) == pytest.approx(shown[-1], abs=1e-6)
    assert shown[-1] == own["sum"]["lead"]["result"]
    # Another seat comes to the front with its own.
    page.get_by_role("button", name="Ben").click()
    expect(ann.find(".review-sum + p")).to_be_visible()
    expect(page.get_by_role("heading", name="Where the result of Ben comes from")).to_be_visible()
    # The graph, for those who read it.
    page.get_by_role("button", name="The graph as a table").click()
    expect(ann.find(".review-table tbody tr")).to_have_count(len(record["moves"]))
    assert ann.violations() == []
    points = {step: wins for line in review["graph"] for step, wins, _ in line["points"]}
    told = ann.find(".review-table tbody td:nth-child(3)").all_inner_texts()
    assert [int(text.rstrip("%")) for text in told] == [
        pytest.approx(100 * points[step], abs=0.51) for step in range(len(told))
    ]
    ann.find(".review-table tbody button").nth(4).click()
    expect(page.get_by_role("slider")).to_have_value("4")
    # To keep.
    page.get_by_role("button", name="Share the review").click()
    page.wait_for_selector(".share img")
    assert ann.violations() == []
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as JSON").click()
    assert json.loads(download.value.path().read_text()) == review
    link = ann.find(".link-box input").input_value()
    other = ann.tab()
    other.goto(link)
    other.wait_for_selector(".review-film")
    expect(other.get_by_role("slider")).to_have_value("4")


@pytest.mark.parametrize("page", ["review", "replay"])
def test_a_link_opened_where_a_game_is_shown_is_followed(visit: Visit, page: str) -> None:
    """To another position of the same game, and to another game."""
    ann = visit()
    first, second = played("stones", 2, 3), played("stones", 2, 4)
    opened(ann, first, 5)
    if page == "replay":
        ann.open(f"replay#5:{packed(first)}")
    slider = ann.page.get_by_role("slider")
    expect(slider).to_have_value("5")
    ann.page.evaluate("location.hash = location.hash.replace('#5:', '#12:')")
    expect(slider).to_have_value("12")
    ann.page.evaluate("location.hash = location.hash.replace('#12:', '#9:')")
    ann.page.evaluate("hash => { location.hash = hash; }", f"7:{packed(second)}")
    expect(slider).to_have_attribute("max", str(len(second["moves"])))
    expect(slider).to_have_value("7")


def test_who_points_at_the_graph_is_told_what_is_there(visit: Visit) -> None:
    """With a mouse; a finger goes there. With long names it stays on the page."""
    record = played("board", 4, 3)
    record["players"] = ["W" * 24] * 4
    ann = visit((1024, 768))
    opened(ann, record)
    box = ann.find(".chance-line").bounding_box()
    assert box
    last = len(record["moves"])
    for share in (0.02, 0.45, 0.55, 0.98):
        ann.page.mouse.move(box["x"] + share * box["width"], box["y"] + 20)
        told = ann.find(".chance-over span")
        expect(told).to_contain_text(f"{round(share * last)}: WWW")
        place = told.bounding_box()
        assert place
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= 1024
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= 1024
    ann.page.mouse.move(1, 1)
    expect(ann.find(".chance-over")).to_have_count(0)
    cid = visit(PHONE)
    opened(cid, record)
    box = cid.find(".chance-line").bounding_box()
    assert box
    cid.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 20)
    slider = cid.page.get_by_role("slider")
    expect(slider).not_to_have_value("0")
    assert abs(int(slider.input_value()) - last / 2) <= 0.05 * last
    expect(cid.find(".chance-over")).to_have_count(0)


def test_who_tries_again_sees_what_the_seat_saw_and_no_more(visit: Visit) -> None:
    """The review shows all hands; with a name that would like to be more than a name."""
    ann = visit(PHONE)
    record = played("board", 3, 3)
    record["players"][1] = evil = "<img src=x onerror=alert(1)>"
    review = opened(ann, record)
    hands = ann.find(".other-hand")
    for shown, hand in zip(hands.all(), record["setup"]["hands"][1:], strict=True):
        for card in hand:
            expect(shown).to_contain_text(f"{COLOURS[card[0]]} {card[1:]}")
    expect(ann.find(".review-name").nth(1)).to_have_text(evil)
    assert ann.find("img[src=x]").count() == 0
    ann.find(".review-lessons li").first.get_by_role("button", name="Try again").click()
    expect(ann.find(".coach-text")).to_contain_text("What is better?")
    step = review["seats"][0]["lessons"][0]
    table = keltis.load({**record, "moves": record["moves"][:step], "result": None})
    expect(hands).to_have_count(2)
    for shown, seat in zip(hands.all(), (1, 2), strict=True):
        for card in table.view(seat)["hand"]:
            assert f"{COLOURS[card[0]]} {card[1:]}" not in (shown.text_content() or "")


@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_game_that_is_not_over_is_replayed_but_not_reviewed(visit: Visit, game: str) -> None:
    ann = visit(quiet=False)
    begun = keltis.new_game(game, 2, seed=3)
    for _ in range(6):
        begun.play(begun.legal_moves()[0])
    ann.open(f"replay#0:{packed(begun.record())}")
    ann.page.wait_for_selector(".film-tools")
    expect(ann.find(".film-review")).to_have_count(0)
    ann.open(f"review#0:{packed(begun.record())}")
    expect(ann.find("[role=alert]")).to_contain_text("This game is not over yet.")


def a_tile_to_take_or_leave(review: dict[str, Any]) -> int:
    """The place among the first seat's lessons of one where a tile was taken or left."""
    lessons: list[int] = review["seats"][0]["lessons"]
    for k, step in enumerate(lessons):
        moves = {one["move"] for one in review["decisions"][step]["moves"]}
        if "-" in moves and len(moves) == 2:
            return k
    return -1


def test_one_learns_from_a_mistake_by_trying_again(visit: Visit) -> None:
    ann = visit(PHONE, theme="dark")
    page = ann.page
    record, place = next(
        (each, k)
        for each in (played("stones", 2, seed) for seed in range(30))
        if (k := a_tile_to_take_or_leave(dict(network_review(each)))) >= 0
    )
    review = opened(ann, record)
    step = review["seats"][0]["lessons"][place]
    decision = review["decisions"][step]
    ann.find(".review-lessons li").nth(place).get_by_role("button", name="Try again").click()
    coach = ann.find(".coach-text")
    expect(coach).to_contain_text("What is better?")
    assert ann.violations() == []
    take, leave = ann.find(".action-buttons .button").all()[:2]
    same, better = (leave, take) if decision["move"] == "-" else (take, leave)
    same.click()
    expect(coach).to_contain_text("That is what was played")
    page.get_by_role("button", name="Hint").click()
    expect(coach).not_to_contain_text("That is what was played")
    better.click()
    expect(coach).to_contain_text("Right")
    assert ann.cut_texts() == []
    page.get_by_role("button", name="Next position").click()
    expect(ann.find("main [role=status]")).to_contain_text("Found without help: 0 of 1")
    page.get_by_role("button", name="Back to the review").click()
    page.wait_for_selector(".review-film")


@pytest.mark.parametrize(
    ("language", "size", "theme", "game", "players"),
    [
        ("en", (390, 844), "light", "board", 4),
        ("de", PHONE, "dark", "stones", 4),
        ("fr", PHONE, "light", "board", 2),
        ("nl", DESKTOP, "contrast", "stones", 3),
    ],
)
def test_a_review_fits_and_axe_finds_nothing_wrong(
    visit: Visit, language: str, size: tuple[int, int], theme: str, game: str, players: int
) -> None:
    ann = visit(size, language=language, theme=theme)
    opened(ann, played(game, players, 5), 30)
    assert ann.cut_texts() == []
    assert ann.violations() == []
    ann.picture(f"review-{language}")


def messages(language: str) -> dict[str, str]:
    text = (FILES / "js" / "messages" / f"review.{language}.js").read_text("utf-8")
    return dict(re.findall(r'^  "([\w.]+)":\s*(\{.*?\}|".*?"),$', text, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_of_reviews_are_complete(language: str) -> None:
    english, other = messages("en"), messages(language)
    assert list(other) == list(english)
    for key, text in english.items():
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", other[key])), key


def test_every_kind_and_reason_of_a_review_has_words() -> None:
    from keltis.reviews import kinds, lessons

    known = messages("en")
    for kind in kinds.KINDS:
        assert f"review.kind.{kind}" in known
    for key in set(lessons.KEYS) - {"cost"}:
        assert any(name.startswith(f"review.reason.{key}") for name in known), key


def test_no_message_of_reviews_is_unused() -> None:
    source = "".join(
        path.read_text("utf-8")
        for path in FILES.rglob("*.js")
        if "messages" not in path.parts and "vendor" not in path.parts
    )
    composed = ("review.reason.",)
    unused = [
        key for key in messages("en") if f'"{key}"' not in source and not key.startswith(composed)
    ]
    assert unused == []
