"""Reloads, lost networks, restarted servers: the table comes back, and nothing is sent twice."""

import json
import re
import signal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute

from tests.web.conftest import PHONE, Server, Visit, wait_until
from tests.web.person import Person


def test_reloading_in_the_middle_of_a_clover_chain(visit: Visit) -> None:
    ann = visit(PHONE)
    asked = ""
    for _ in range(200):
        if not asked or ann.find(".dialog.end").count():
            ann.table()
        ann.play(1)
        ann.play(until=".ghost")  # which stops before a step is made, so that its prompt is there
        asked = ann.find(".prompt").inner_text()
        if asked.startswith("Clover"):
            break
    assert asked.startswith("Clover")
    ghosts = sorted(ann.find(".ghost").evaluate_all("all => all.map(one => one.ariaLabel)"))
    assert ghosts
    ann.picture("clover")
    ann.page.reload()
    ann.page.wait_for_selector(".ghost")
    assert ann.find(".prompt").inner_text() == asked
    assert ghosts == sorted(ann.find(".ghost").evaluate_all("all => all.map(one => one.ariaLabel)"))
    ann.play(3)


class Network:
    """The wire between a page and the server; it can be cut in either direction."""

    def __init__(self, person: Person) -> None:
        self.to_server = self.to_page = True
        self.sent: list[dict[str, Any]] = []
        self.lost: list[dict[str, Any]] = []
        self._sockets: list[WebSocketRoute] = []
        person.context.route_web_socket(re.compile("/socket"), self._connect)

    def _connect(self, page: WebSocketRoute) -> None:
        if not self.to_server:
            page.close()
            return
        server = page.connect_to_server()

        def forth(message: str | bytes) -> None:
            if self.to_server:
                self.sent.append(json.loads(message))
                server.send(message)
            else:
                self.lost.append(json.loads(message))

        def back(message: str | bytes) -> None:
            if self.to_page:
                page.send(message)
            else:
                self.lost.append(json.loads(message))

        page.on_message(forth)
        server.on_message(back)
        self._sockets.append(page)

    def cut(self) -> None:
        self.to_server = self.to_page = False
        for socket in self._sockets:
            socket.close()
        self._sockets.clear()

    def mend(self) -> None:
        self.to_server = self.to_page = True


@pytest.mark.parametrize("lost", ["the move", "its acknowledgement"])
def test_what_a_lost_network_swallows_is_sent_again_and_counts_once(
    visit: Visit, lost: str
) -> None:
    ann = visit(quiet=False)
    network = Network(ann)
    ann.table()
    ann.play(40, until=".deck.target")
    before = ann.find(".side .log li").count()
    if lost == "the move":
        network.to_server = False
    else:
        network.to_page = False
    ann.find(".deck.target").click()
    kind = "decide" if lost == "the move" else "moved"
    wait_until(lambda: kind in [one["type"] for one in network.lost], ann.page)
    network.cut()
    ann.page.wait_for_selector(".link-note.shown")
    network.mend()
    ann.page.wait_for_selector(".hand.choosing")
    ann.page.wait_for_selector(".link-note:not(.shown)", state="attached")
    draws = [one["id"] for one in network.sent if one.get("move") == "?"]
    assert len(set(draws[-2:])) == 1
    added = ann.find(".side .log li").all_inner_texts()[before:]
    assert sum(line.startswith("Ann draws") for line in added) == 1


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
        ann.page.wait_for_selector(".link-note:not(.shown)", state="attached")
        ann.page.wait_for_selector(".hand.choosing")
        after = ann.find(".side .log li").all_inner_texts()
        assert after[: len(log)] == log
        assert sum("Ann draws" in line for line in after[len(log) :]) == 1
        now = ann.find(".hand-card").evaluate_all("all => all.map(one => one.dataset.card)")
        assert len(now) == len(hand) + 1
    finally:
        server.stop()


def test_the_page_works_below_a_sub_path(visit: Visit, tmp_path: Path) -> None:
    server = Server(tmp_path, "--root-path", "/keltis/")
    server.start()
    try:
        assert server.address.endswith("/keltis/")
        ann = visit(address=server.address)
        page = ann.open()
        page.get_by_role("button", name="Take a seat").click()
        page.wait_for_selector(".hand.choosing, .hand-card")
        assert "/keltis/table/" in page.url
        ann.play(4)
        page.reload()
        page.wait_for_selector(".hand-card")
        page.go_back()
        page.wait_for_selector(".setup")
    finally:
        server.stop()
