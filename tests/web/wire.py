"""The wire between a page and the server, on which positions that are rare can be put."""

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import WebSocketRoute

from tests.web.person import Person

PATHS = "RYVGB"


class Wire:
    """Changes what the server sends before the page sees it, and keeps what the page sends."""

    def __init__(self, person: Person, change: Callable[[dict[str, Any]], None]) -> None:
        self.sent: list[dict[str, Any]] = []
        self._change = change
        person.context.route_web_socket(re.compile("/socket"), self._connect)

    def _connect(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def back(message: str | bytes) -> None:
            told = json.loads(message)
            self._change(told)
            page.send(json.dumps(told))

        def forth(message: str | bytes) -> None:
            said = json.loads(message)
            self.sent.append(said)
            # Nothing that is decided in a made-up position goes to the server.
            if said["type"] != "decide":
                server.send(message)

        page.on_message(forth)
        server.on_message(back)

    def decided(self) -> list[str]:
        return [one["move"] for one in self.sent if one["type"] == "decide"]


def at_a_clover(message: dict[str, Any]) -> None:
    """All ten steps that there can be: each path, with the small and with the large figure."""
    for view in message.get("views", []):
        view["phase"] = "clover"
        view["seat"] = 0
        view["legal_moves"] = [move for path in PATHS for move in (path, f"{path}*")] + ["-"]
        message["you"]["may"]["decide"] = 0
