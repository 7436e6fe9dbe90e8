"""What the page in the browser costs: bytes, seconds to a playable table, frames while things move.

`python -m benchmarks.page` starts a server and Chromium and prints a table. Time to a playable
table is taken inside the page, from the request of the address to the first picture in which a card
can be chosen. Frames are counted by Chromium's own trace: a frame is in time if the page's main
thread used less than a sixtieth of a second of processor time for it. On a busy machine only the
bytes mean anything.
"""

import gzip
import json
import statistics
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from keltis.web import FILES
from tests.web.conftest import DESKTOP, FLAGS, PHONE, Server, chromium
from tests.web.person import Person

BYTES = 220_000
SECONDS = 1.0
FRAME = 1000 / 60  # milliseconds
# The few frames in which a message is read or a picture first painted may take longer.
SHARE = 0.95
TRIES = 9
KINDS = {".html", ".css", ".js", ".svg", ".png", ".json", ".webmanifest"}

# Two frames after the hand first stands there it has been painted.
PLAYABLE = """new MutationObserver((_, observer) => {
    if (!document.querySelector(".hand.choosing")) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => {
        document.documentElement.dataset.playable = performance.now() / 1000;
    }));
}).observe(document, {childList: true, subtree: true, attributes: true})"""

LOADED = """() => {
    const all = [...performance.getEntriesByType("resource")];
    const whole = performance.getEntriesByType("navigation")[0].transferSize;
    const bytes = all.reduce((sum, one) => sum + one.transferSize, whole);
    return {requests: all.length + 1, bytes};
}"""


def compressed() -> int:
    files = [path for path in FILES.rglob("*") if path.suffix in KINDS]
    return sum(len(gzip.compress(path.read_bytes(), 9)) for path in files)


def times_to_a_table(browser: Browser, address: str, warm: bool) -> tuple[list[float], str]:
    """Seconds to a playable table, each try in a new browser profile, or again in the same one."""
    times: list[float] = []
    loaded = ""
    ann = Person(browser, address, DESKTOP, "en", "light", {"motion": True})
    table = ann.table()
    cookies = ann.context.cookies()
    for _ in range(TRIES):
        guest = ann
        if not warm:
            guest = Person(browser, address, DESKTOP, "en", "light", {"motion": True})
            guest.context.add_cookies(cookies)  # type: ignore[arg-type]
        guest.page.add_init_script(PLAYABLE)
        guest.open(f"table/{table}")
        mark = guest.page.wait_for_selector("html[data-playable]", state="attached")
        assert mark
        times.append(float(mark.get_attribute("data-playable") or ""))
        found = guest.page.evaluate(LOADED)
        loaded = f"{found['requests']} requests, {found['bytes'] / 1000:.0f} KB"
        if guest is not ann:
            guest.close()
    ann.close()
    return times, loaded


def cost_of_frames(person: Person, act: Callable[[], None]) -> list[float]:
    """Milliseconds of processor time that the page's main thread used for each frame."""
    browser = person.context.browser
    assert browser
    browser.start_tracing(
        page=person.page, categories=["toplevel", "devtools.timeline", "cc", "blink", "benchmark"]
    )
    act()
    events = json.loads(browser.stop_tracing())["traceEvents"]
    commits = [each for each in events if each["name"] == "Commit" and "ts" in each]
    threads = [(each["pid"], each["tid"]) for each in commits]
    main = max(set(threads), key=threads.count)
    mine = [each for each in events if (each["pid"], each["tid"]) == main]
    starts = sorted(each["ts"] for each in mine if each["name"] == "Commit")
    tasks = [
        (each["ts"], each["tdur"] / 1000)
        for each in mine
        if each["name"].endswith("RunTask") and "tdur" in each
    ]
    return [sum(time for at, time in tasks if begin <= at < end) for begin, end in pairwise(starts)]


def dragging(browser: Browser, address: str, size: tuple[int, int]) -> list[float]:
    ann = Person(browser, address, size, "en", "light", {"motion": True})
    ann.table(opponents=3)
    ann.play(30)
    ann.play(40, until=".hand.choosing")
    card = ann.find(".hand.choosing .hand-card").first.bounding_box()
    board = ann.find(".board").bounding_box()
    assert card
    assert board

    def drag() -> None:
        mouse = ann.page.mouse
        mouse.move(card["x"] + 20, card["y"] + 20)
        mouse.down()
        for step in range(90):
            mouse.move(
                board["x"] + board["width"] * step / 90,
                board["y"] + board["height"] * ((step * 7) % 90) / 90,
            )
        mouse.move(board["x"], board["y"] - 30)
        mouse.up()

    costs = cost_of_frames(ann, drag)
    ann.close()
    return costs


def watching(browser: Browser, address: str, size: tuple[int, int]) -> list[float]:
    ann = Person(browser, address, size, "en", "light", {"pace": "calm", "motion": True})
    ann.table(opponents=3)
    ann.play(40, until=".deck.target")

    def watch() -> None:
        ann.find(".deck.target").click()
        ann.page.wait_for_timeout(5000)

    costs = cost_of_frames(ann, watch)
    ann.close()
    return costs


def verdict(met: bool) -> str:
    return "met" if met else "missed"


def line(what: str, figure: str, bar: str, met: bool) -> None:
    print(f"{what:<46} {figure:<44} {bar:<16} {verdict(met)}", flush=True)


def frames(what: str, costs: list[float]) -> None:
    share = sum(cost < FRAME for cost in costs) / len(costs)
    figure = f"{share:.1%} of {len(costs)} frames in time, median {statistics.median(costs):.1f} ms"
    line(what, figure, f">= {SHARE:.0%}", share >= SHARE)


def main() -> None:
    size = compressed()
    line("all files of the page, compressed", f"{size / 1000:.0f} KB", "< 220 KB", size < BYTES)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            for warm in (False, True):
                times, loaded = times_to_a_table(browser, server.address, warm)
                middle = statistics.median(times)
                figure = f"median {middle:.2f} s, worst {max(times):.2f} s; {loaded}"
                what = f"address to playable table, {'again' if warm else 'first time'}"
                line(what, figure, f"< {SECONDS:.0f} s", middle < SECONDS)
            for name, screen in (("desktop", DESKTOP), ("phone", PHONE)):
                frames(f"dragging, four players, {name}", dragging(browser, server.address, screen))
                frames(
                    f"moves of others, four players, {name}",
                    watching(browser, server.address, screen),
                )
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
