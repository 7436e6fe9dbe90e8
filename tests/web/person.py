"""Somebody who plays in a browser, and does everything by the page."""

import json
import os
import re
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Locator, Page

SCRIPT = (Path(__file__).parent / "player.js").read_text()
ARTEFACTS = Path(__file__).resolve().parents[2] / "build" / "web"
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]  # the only rules to which a theme matters
DESKTOP, PHONE = (1440, 900), (360, 800)


class Person:
    def __init__(
        self,
        browser: Browser,
        address: str,
        size: tuple[int, int],
        language: str,
        theme: str,
        settings: dict[str, object],
    ) -> None:
        self.address = address
        self.strict = True
        self.complaints: list[str] = []
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=size[0] < 600,
            locale={"en": "en-GB", "de": "de-DE", "fr": "fr-FR", "nl": "nl-NL"}[language],
            # Things stand still, so that a test looks at where they are, unless it is about motion.
            reduced_motion="no-preference" if settings.pop("motion", False) else "reduce",
        )
        if not settings.pop("worker", False):
            # Without one, a test sees what the server sends and no more.
            self.context.add_init_script("delete Navigator.prototype.serviceWorker")
        kept = {"pace": "off", "theme": theme, "sound": False, "auto": False, **settings}
        stored = json.dumps(json.dumps(kept))
        self.context.add_init_script(
            f"localStorage.getItem('keltis') ?? localStorage.setItem('keltis', {stored})"
        )
        self.context.add_init_script(SCRIPT)
        self.context.set_default_timeout(60_000)
        self.page = self.tab()

    def tab(self) -> Page:
        page = self.context.new_page()
        page.on("console", lambda m: self.complaints.append(f"{m.type}: {m.text} {m.location}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def open(self, path: str = "") -> Page:
        self.page.goto(self.address + path)
        return self.page

    def table(
        self, game: str = "board", opponents: int = 1, level: str = "heuristic", **more: Any
    ) -> str:
        """Sits down at a new table with bots, by the server's API; its id."""
        seats = [{"who": "me", "name": "Ann"}]
        seats += [{"who": "bot", "level": level, "name": f"Bot {n + 1}"} for n in range(opponents)]
        made = self.make({"game": game, "seats": seats, "practice": True, "first": 0} | more)
        self.open(made["path"])
        self.page.wait_for_selector(".action-bar")
        return str(made["table"])

    def make(self, body: dict[str, Any]) -> Any:
        """Asks the server for a table, as this browser: what it is told."""
        answer = self.context.request.post(f"{self.address}api/tables", data=body)
        assert answer.ok, answer.text()
        return answer.json()

    def play(self, decisions: int = 10_000, seconds: float = 240, until: str = "") -> int:
        """Plays on by clicks until the game is over, or so many decisions are made."""
        return int(
            self.page.evaluate(
                "([decisions, seconds, until]) => window.playOn(decisions, seconds, until)",
                [decisions, seconds, until],
            )
        )

    def find(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def picture(self, name: str, always: bool = False) -> None:
        """Leaves a picture of the page for people to look at, if they asked for it."""
        if always or os.environ.get("PICTURES"):
            ARTEFACTS.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=ARTEFACTS / f"{name}.png")

    def settle(self) -> None:
        """Waits until nothing on the page moves or changes its size any more."""
        self.page.evaluate("() => window.settled()")

    def resize(self, size: tuple[int, int]) -> None:
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.settle()  # the board is drawn anew for its new box

    def dress(self, theme: str) -> None:
        """Chooses a theme, as the settings do; colours change at once."""
        self.page.evaluate("theme => window.dress(theme)", theme)

    def violations_in_all_looks(
        self, name: str, phone: tuple[int, int] = PHONE
    ) -> dict[str, list[str]]:
        """What axe finds wrong in each theme; in one on a phone, where things lie otherwise."""
        found = {}
        for theme, size, rules in (
            ("light", DESKTOP, WCAG),
            ("contrast", DESKTOP, COLOURS),
            ("dark", phone, WCAG),
        ):
            self.dress(theme)
            self.resize(size)
            found[f"{name}, {theme}"] = self.violations(rules)
            self.picture(f"{re.sub(r'[ /]', '-', name)}-{theme}")
        self.resize(DESKTOP)
        return {look: wrong for look, wrong in found.items() if wrong}

    def violations(self, rules: list[str] = WCAG) -> list[str]:
        """What axe finds wrong with the page as it stands."""
        self.settle()
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE)
        found = self.page.evaluate(
            """rules => axe
                .run(document, {runOnly: rules, resultTypes: ["violations"], preload: false})
                .then(found => found.violations)""",
            rules,
        )
        return [
            f"{each['id']}: {[node['html'][:150] for node in each['nodes'][:4]]}" for each in found
        ]

    def cut_texts(self) -> list[str]:
        """Texts that do not fit their place."""
        self.settle()
        return list(self.page.evaluate("() => window.cutTexts()"))

    def close(self) -> None:
        self.context.close()


def finish(*people: Person) -> None:
    """Those who sit at a table decide to its end, by the server's API: how is no matter.

    Their pages hear of it at once in the end, for to draw each step costs more than all the rest.
    """
    for person in people:
        person.page.evaluate("() => window.hold()")
    ids = re.compile(r"/table/([^/?#]+)")
    chance = Random(7)
    over = False
    while not over:
        for person in people:
            table = ids.search(person.page.url)
            assert table, person.page.url
            path = f"{person.address}api/tables/{table[1]}"
            state = person.context.request.get(path).json()
            if state["table"]["status"] == "over":
                over = True
            elif state["you"]["may"]["decide"] is None:
                person.page.wait_for_timeout(2)
            else:
                moves = next(view["legal_moves"] for view in state["views"] if view["legal_moves"])
                move = "?" if "?" in moves else chance.choice(moves)  # the short way
                body = {"move": move, "seq": state["seq"], "id": str(state["seq"])}
                person.context.request.post(f"{path}/decide", data=body)
    for person in people:
        person.page.evaluate("() => window.letGo()")
        person.page.wait_for_selector(".dialog.end")


def take_all_back(person: Person) -> None:
    """Takes all decisions back, until the log is empty."""
    person.page.evaluate("() => window.takeAllBack()")
