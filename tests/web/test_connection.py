"""Reloads, lost networks, restarted servers: the table comes back, and nothing is sent twice."""

import json
import signal
from pathlib import Path

from tests.web.conftest import PHONE, Server, Visit


def test_reloading_in_the_middle_of_a_clover_chain(visit: Visit) -> None:
    ann = visit(PHONE)
    for _ in range(8):
        ann.table()
        ann.play(until=".action-bar.mine:has(.prompt:text-matches('^Clover'))", seconds=0)
        for _ in range(60):
            ann.play(1, until=".dialog.end")
            if ann.find(".prompt").inner_text().startswith("Clover"):
                break
        else:
            continue
        break
    asked = ann.find(".prompt").inner_text()
    ghosts = sorted(ann.find(".ghost").evaluate_all("all => all.map(one => one.ariaLabel)"))
    assert ghosts
    ann.picture("clover")
    ann.page.reload()
    ann.page.wait_for_selector(".ghost")
    assert ann.find(".prompt").inner_text() == asked
    assert ghosts == sorted(ann.find(".ghost").evaluate_all("all => all.map(one => one.ariaLabel)"))
    ann.play(3)


def test_a_lost_network_costs_nothing(visit: Visit) -> None:
    ann = visit(quiet=False)
    ann.table()
    sent: list[str] = []
    ann.page.on(
        "websocket", lambda socket: socket.on("framesent", lambda text: sent.append(str(text)))
    )
    ann.play(40, until=".deck.target")
    before = ann.find(".side .log li").count()
    ann.context.set_offline(True)
    ann.page.evaluate("window.dropSockets?.()")
    ann.find(".deck.target").click()
    ann.page.wait_for_timeout(300)
    ann.context.set_offline(False)
    ann.page.wait_for_selector(".hand.choosing", timeout=20_000)
    draws = [one for one in map(json.loads, sent) if one.get("move") == "?"]
    assert len({one["id"] for one in draws}) <= 1
    assert ann.find(".side .log li").count() > before


def test_a_killed_server_comes_back_with_the_table(visit: Visit, tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        ann = visit(address=server.address, quiet=False)
        ann.table()
        ann.play(40, until=".deck.target")
        log = ann.find(".side .log li").all_inner_texts()
        hand = ann.find(".hand-card").evaluate_all("all => all.map(one => one.dataset.card)")
        server.stop(signal.SIGKILL)
        ann.page.wait_for_selector(".link-note.shown")
        ann.picture("server-gone")
        # Decided while nobody listens: it is sent when the server is back.
        ann.find(".deck.target").click()
        server.start()
        ann.page.wait_for_selector(".link-note:not(.shown)", state="attached", timeout=30_000)
        ann.page.wait_for_selector(".hand.choosing", timeout=30_000)
        after = ann.find(".side .log li").all_inner_texts()
        assert after[: len(log)] == log
        assert sum("Ann draws" in line for line in after[len(log) :]) == 1
        now = ann.find(".hand-card").evaluate_all("all => all.map(one => one.dataset.card)")
        assert len(now) == len(hand) + 1
    finally:
        server.stop()
