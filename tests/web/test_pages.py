"""Pages as they stand: accessible, whole in every language, light, and quiet."""

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Request, Route

import keltis
from keltis.game.kinds import kind
from keltis.web import FILES
from tests.web.conftest import DESKTOP, PHONE, Visit, wait_until
from tests.web.person import finish

LANGUAGES = ["en", "de", "fr", "nl"]
PAGE_FILES = [
    path
    for path in sorted(FILES.rglob("*"))
    if path.suffix in {".html", ".css", ".js", ".svg", ".png", ".json", ".webmanifest"}
]


def test_axe_finds_nothing_wrong(visit: Visit) -> None:
    ann = visit()
    page = ann.open()
    page.wait_for_selector(".places select")
    found = ann.violations_in_all_looks("start")
    page.get_by_role("button", name="Settings").click()
    found |= ann.violations_in_all_looks("settings")
    for game in ("board", "stones"):
        ann.table(game, opponents=3)
        ann.play(9)
        found |= ann.violations_in_all_looks(f"{game} four")
        page.get_by_role("button", name="Score sheet").click()
        found |= ann.violations_in_all_looks(f"{game} sheet")
    finish(ann)
    found |= ann.violations_in_all_looks("end")
    made = ann.make({"game": "board", "seats": [{"who": "me", "name": "Ann"}, {"who": "open"}]})
    ann.open(made["path"])
    page.wait_for_selector(".qr")
    found |= ann.violations_in_all_looks("lobby")
    assert found == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_fits_its_place(visit: Visit, language: str) -> None:
    ann = visit(PHONE, language=language)
    page = ann.open()
    page.wait_for_selector(".places select")
    page.locator(".options > summary").click()
    page.locator(".single-rules summary").click()
    ann.picture(f"start-{language}")
    cut = {"start": ann.cut_texts()}
    page.locator(".page-tools .settings-button").click()
    cut["settings"] = ann.cut_texts()
    for game in ("board", "stones"):
        ann.table(game, opponents=2)
        for decision in range(7):
            ann.play(1)
            cut[f"{game} {decision}"] = ann.cut_texts()
        if game == "board":
            ann.play(30, until=".hand.choosing")
            page.wait_for_selector(".hand.choosing")
            page.locator(".hand-card").first.click()
            cut["selected"] = ann.cut_texts()
        ann.picture(f"{game}-{language}")
        page.locator(".page-tools .menu-button").click()
        cut[f"{game} menu"] = ann.cut_texts()
        page.locator(".menu button").nth(1).click()
        cut[f"{game} keys"] = ann.cut_texts()
    assert {place: wrong for place, wrong in cut.items() if wrong} == {}


# Puts all that is ever asked in a game into the bar, each with the buttons that come with it.
PROMPTS = """async () => {
    const { html, render } = await import("./vendor/index.js");
    const { ActionBar } = await import("./js/table/actions.js");
    const { Figure } = await import("./js/art.js");
    const { StoneTile } = await import("./js/cards.js");
    const { IconButton } = await import("./js/ui.js");
    const { t } = await import("./js/i18n.js");
    const { onPath } = await import("./js/words.js");
    const button = (key, art) => html`<button class="button main">${art}${t(key)}</button>`;
    const figures = ["small", "large"].map((size) =>
        button(`button.${size}`, html`<${Figure} seat=${0} large=${size === "large"} />`));
    const tile = html`<${StoneTile} tile="V4" class="asked" />`;
    const piles = html`<${IconButton} name="piles" label="" />`;
    const turn = html`<button class="button main turn-over">${t("button.turn")}</button>`;
    const [take, leave, stop] = ["button.take", "do.leave", "do.stop"].map((key) => button(key));
    const cases = [
        ["ask.card"], ["ask.over"],
        ["leads.either", [button("button.lay"), button("button.discard")], { value: "−4" }],
        ["ask.other", [], { name: "Maximiliane der Kühne" }],
        ...["R", "Y", "V", "G", "B"].map((c) => ["ask.figure", figures, { path: onPath(c) }]),
        ["ask.clover", [button("do.decline")]], ["ask.clover.must"],
        ["ask.endstone", [button("do.decline")]],
        ["ask.draw", [button("button.draw"), piles]], ["ask.draw.only", [button("button.draw")]],
        ["ask.turn", [turn]], ["ask.turn.only", [turn]],
        ["ask.turn", [tile, take]], ["ask.tile", [tile, take, leave]],
        ["ask.tile.only", [tile, leave]], ["ask.tile.forced", [tile, leave]],
        ["ask.further", [stop]],
        ["ask.further", [tile, take, stop]],
    ];
    const place = document.querySelector(".control");
    const cut = [];
    for (const [key, buttons = [], words = {}] of cases) {
        const may = { take_back: true, hint: true };
        const live = { you: { value: { may, seats: [0] } }, refused: { value: null },
            hint: { value: null }, table: { value: { hints: true, seats: [], clock: null } } };
        const play = { live, view: { you: 0, seat: 0 }, mine: true, asked: null };
        const bar = document.createElement("div");
        place.replaceChildren(bar);
        render(html`<${ActionBar} play=${play} prompt=${t(key, words)}>${buttons}<//>`, bar);
        for (const wrong of window.cutTexts()) cut.push(`${key}, ${buttons.length}: ${wrong}`);
        const { top, bottom } = bar.querySelector(".action-bar").getBoundingClientRect();
        const tools = bar.querySelector(".action-tools").getBoundingClientRect();
        for (const part of bar.querySelectorAll(".prompt, .button, .stone-tile")) {
            const box = part.getBoundingClientRect();
            if (!box.width) continue;
            if (box.top < top - 1 || box.bottom > bottom + 1)
                cut.push(`${key}, ${buttons.length}: ${part.textContent} sticks out`);
            if (part.closest(".action-buttons") && box.right > tools.left + 1)
                cut.push(`${key}, ${buttons.length}: ${part.textContent} lies under the tools`);
        }
    }
    return cut;
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_prompt_fits_beside_its_buttons(visit: Visit, language: str) -> None:
    ann = visit(PHONE, language=language)
    ann.table("stones", opponents=3)
    assert ann.page.evaluate(PROMPTS) == []
    for width, height in (DESKTOP, (1000, 700)):
        ann.resize((width, height))
        ann.settle()
        assert ann.page.evaluate(PROMPTS) == [], width
    texts = re.findall(r'"(ask\.[\w.]+)"', (FILES / "js" / "messages" / "en.js").read_text("utf-8"))
    assert [key for key in texts if f'"{key}"' not in PROMPTS] == []


def test_touch_targets_are_large_enough(visit: Visit) -> None:
    ann = visit(PHONE)
    for game in ("board", "stones"):
        ann.table(game, opponents=3)
        ann.play(8)
        small = ann.page.evaluate(
            """() => [...document.querySelectorAll("main button, header button, header a")]
                .filter((one) => one.offsetParent !== null)
                .map((one) => [one.className, one.getBoundingClientRect()])
                .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
                .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""
        )
        assert small == []


def test_zoomed_to_two_hundred_per_cent_nothing_is_lost(visit: Visit) -> None:
    ann = visit((640, 400))
    ann.table(opponents=3)
    assert ann.page.evaluate(
        "document.scrollingElement.scrollWidth <= document.scrollingElement.clientWidth"
    )
    ann.find(".hand-card.fits").first.scroll_into_view_if_needed()
    ann.find(".hand-card.fits").first.click()
    assert ann.find(".action-buttons .button.main").is_visible()


def test_language_and_theme_are_remembered(visit: Visit) -> None:
    ann = visit()
    page = ann.open()
    page.get_by_label("Language").select_option("nl")
    page.get_by_text("Wie speelt er mee?").wait_for()
    page.get_by_label("Uiterlijk").select_option("dark")
    page.reload()
    page.get_by_text("Wie speelt er mee?").wait_for()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("document.documentElement.lang") == "nl"


def test_without_a_choice_the_look_is_that_of_the_device(visit: Visit) -> None:
    ann = visit(theme="auto")
    page = ann.open()
    page.get_by_label("Language").wait_for()

    def paper(look: str) -> str:
        wait_until(lambda: page.evaluate("document.documentElement.dataset.theme") == look, page)
        return str(page.evaluate("getComputedStyle(document.body).backgroundImage"))

    page.emulate_media(color_scheme="dark")
    dark = paper("dark")
    page.emulate_media(color_scheme="light")
    assert paper("light") != dark
    page.get_by_label("Theme").select_option("dark")
    assert paper("dark") == dark
    page.get_by_label("Theme").select_option("auto")
    paper("light")
    page.emulate_media(contrast="more")
    paper("contrast")


LOADED = """() => {
    const all = performance.getEntries().filter((one) => one.encodedBodySize);
    const files = new Map(all.map((one) => [one.name, one.encodedBodySize]));
    return [...files.values()].reduce((sum, size) => sum + size, 0);
}"""
KEPT = """async () => {
    await navigator.serviceWorker.ready;
    const [name] = await caches.keys();
    const store = await caches.open(name);
    return (await store.keys()).map((one) => one.url);
}"""


@pytest.mark.parametrize("language", ["en", "fr"])  # the shortest texts, and the longest
def test_what_a_visitor_loads_is_light(visit: Visit, language: str) -> None:
    """Bytes as they are sent, packed: at first, at a first table, and to be kept for later."""
    ann, ben = visit(language=language, worker=True), visit(language=language)
    page = ann.open()
    page.wait_for_selector(".places select")
    page.wait_for_selector(".today-deals li")
    start = page.evaluate(LOADED)
    ben.table("board", opponents=3)
    ben.find(".hand-card").first.wait_for()
    table = ben.page.evaluate(LOADED)
    kept = 0
    for url in page.evaluate(KEPT):
        answer = ann.context.request.get(url, headers={"accept-encoding": "identity"})
        assert answer.ok, url
        kept += len(gzip.compress(answer.body(), 9))
    assert start < 154_000
    assert table < 152_000
    assert kept < 342_000  # with all four languages


def test_the_start_page_leads_to_the_documentation(visit: Visit) -> None:
    ann = visit(language="de")

    def add(route: Route) -> None:
        answer = route.fetch()
        told = '<meta name="docs" content="docs/"></head>'
        route.fulfill(response=answer, body=answer.text().replace("</head>", told))

    ann.page.route(ann.address, add)
    ann.open()
    link = ann.page.get_by_role("link", name="Dokumentation")
    assert link.get_attribute("href") == "docs/"
    ann.page.unroute(ann.address, add)
    ann.page.reload()
    ann.page.wait_for_selector(".places select")
    assert link.count() == 0


def imported(path: Path) -> set[Path]:
    """The modules that a module needs before it runs, itself included."""
    found = {path}
    for name in re.findall(r'(?:^|[;}\s])from\s*"(\.[^"]+\.js)"', path.read_text("utf-8")):
        other = (path.parent / name).resolve()
        if other not in found:
            found |= imported(other)
    return found


def test_all_modules_of_a_table_are_asked_for_at_once() -> None:
    index = (FILES / "index.html").read_text("utf-8")
    asked = set(re.findall(r'<link rel="modulepreload" href="(.+?)">', index))
    needed = set[Path]()
    for name in ("main.js", "pages/start.js", "pages/table.js"):
        needed |= imported((FILES / "js" / name).resolve())
    needed.discard((FILES / "js" / "main.js").resolve())
    assert asked == {str(path.relative_to(FILES.resolve())) for path in needed}


def test_the_page_works_below_a_sub_path_and_names_no_other_host() -> None:
    wrong = []
    for path in PAGE_FILES:
        text = path.read_text("utf-8", errors="replace")
        if path.parent.name != "vendor" and re.search(
            r"""(?:src|href|import|from)\\s*[=(]?\\s*["']/(?!/)""", text
        ):
            wrong.append(f"{path.name}: an address from the root")
        for host in re.findall(r"https?://([\w.-]+)", text):
            if host not in {"www.w3.org"} and path.parent.name != "vendor":
                wrong.append(f"{path.name}: {host}")
    # <base> is the one address from the root; the server writes the mount there.
    assert [one for one in wrong if not one.startswith("index.html")] == []


def messages(language: str, folder: Path = FILES / "js" / "messages") -> dict[str, str]:
    text = (folder / f"{language}.js").read_text("utf-8")
    entry = r'^  "?([\w.]+)"?:\s*(\{.*?\}|".*?"),$'
    return dict(re.findall(entry, text, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_are_complete_and_say_what_is_filled_in(language: str) -> None:
    english, other = messages("en"), messages(language)
    assert list(other) == list(english)
    for key, text in english.items():
        assert set(re.findall(r"\{(\w+)\}", text)) >= set(re.findall(r"\{(\w+)\}", other[key])), key
        assert text.startswith("{") == other[key].startswith("{"), key


def test_the_page_knows_the_editions_and_the_limit_of_the_server() -> None:
    scripts = FILES / "js"
    text = (scripts / "editions.js").read_text("utf-8")
    editions = kind("board").editions
    for name, options in editions.items():
        pairs = ", ".join(f'{option}: "{value}"' for option, value in options.items())
        assert f"  {name}: {{ {pairs} }},\n".replace("{  }", "{}") in text
    others = {name: values[1] for name, values in kind("board").options.items()}
    for name, value in others.items():
        assert f'  {name}: "{value}",\n' in text
    limit = re.search(r"DECISION_LIMIT = ([\d_]+);", (scripts / "game.js").read_text("utf-8"))
    assert limit is not None
    assert int(limit[1]) == keltis.DECISION_CAP


def test_an_edition_or_single_rules_are_chosen_for_a_table(visit: Visit) -> None:
    ann = visit()
    page = ann.open()
    page.wait_for_selector(".places select")
    asked: list[Any] = []
    page.on("request", lambda request: _note_tables(request, asked))
    page.locator(".options > summary").click()
    edition = page.locator(".options label", has_text="Rules").locator("select")
    edition.select_option("english")
    page.locator(".single-rules summary").click()
    clover = page.get_by_text("A clover’s step must be taken")
    clover.click()
    assert edition.input_value() == "own"
    clover.click()
    page.get_by_text("Discard piles show only their top card").click()
    assert edition.input_value() == "english"
    page.locator(".setup button[type=submit]").click()
    page.wait_for_selector(".action-bar")
    (body,) = asked
    assert body["options"] == {**kind("board").editions["english"], "piles": "top"}


def _note_tables(request: Request, asked: list[Any]) -> None:
    if request.method == "POST" and request.url.endswith("/api/tables"):
        asked.append(request.post_data_json)


def test_no_message_is_unused() -> None:
    source = "".join(
        path.read_text("utf-8")
        for path in FILES.rglob("*.js")
        if "messages" not in path.parts and "vendor" not in path.parts
    )
    made = {
        found.split("$")[0] for found in re.findall(r"`([a-z]+\.\$\{\w[\w.]*\}[\w.]*)`", source)
    }
    unused = [
        key
        for key in messages("en")
        if f'"{key}"' not in source and not any(key.startswith(start) for start in made)
    ]
    assert unused == []
