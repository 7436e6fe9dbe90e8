"""A bot of one's own over HTTP: joins a table by its invitation and plays it to the end.

python examples/http_bot.py http://127.0.0.1:8000 TABLE INVITATION [BOT]

BOT is one of `keltis bots`; without it, the bot is `choose` below, which needs no Keltis.
"""

import json
import random
import sys
import time
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

server, table, invitation, *bot = sys.argv[1:]
headers = {"Content-Type": "application/json"}
view: dict[str, Any] = {}
seq, status = 0, ""


def ask(path, **body):
    """The server's answer. Fewer than twenty requests a second, and none while it says to wait."""
    while True:
        time.sleep(0.06)
        try:
            data = json.dumps(body).encode() if body or path == "keys" else None
            return urlopen(Request(f"{server}/api/{path}", data, headers))
        except HTTPError as refusal:
            error = json.load(refusal)["error"]
            if error["code"] in ("stale", "not_your_turn", "game_over"):
                return None  # the position has changed, and what comes next tells how
            if "retry_after" not in error:
                sys.exit(error["message"])
            time.sleep(error["retry_after"])
        except URLError:
            if not status:
                raise
            time.sleep(1)  # the server is started anew


def choose(view):
    """The bot itself: all that it may know goes in, a legal move comes out."""
    return random.choice(view["legal_moves"])


if bot:
    from keltis import bots

    choose = bots.make(bot[0]).choose

headers["Authorization"] = f"Bearer {json.load(ask('keys'))['key']}"
ask(f"tables/{table}/join", name="My bot", invitation=invitation, ready=True)

while status != "over":
    for line in ask(f"tables/{table}/events"):  # from the beginning: the first is a whole state
        message = json.loads(line.strip() or '{"type": "nothing"}')
        if message["type"] == "state":
            status, view = message["table"]["status"], (message["views"] or [{}])[0]
        elif message["type"] == "moved" and message["seq"] == seq + 1:
            changed = message["views"][0]  # what is not there is as it was
            view["history"].append(changed.pop("step"))
            view.update(changed)
        elif message["type"] == "moved":
            break  # something was missed
        else:
            continue
        seq = message["seq"]
        if message["you"]["may"]["decide"] is not None:
            ask(f"tables/{table}/decide", move=choose(view), seq=seq, id=f"{seq}")
print(view.get("result"))
