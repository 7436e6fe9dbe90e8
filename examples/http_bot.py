"""A bot of one's own over HTTP: joins a table by its invitation and plays it to the end.

python examples/http_bot.py http://127.0.0.1:8000 TABLE INVITATION
"""

import json
import random
import sys
from urllib.request import Request, urlopen

server, table, invitation = sys.argv[1:4]
headers = {"Content-Type": "application/json"}


def post(path, **body):
    request = Request(f"{server}/api/{path}", json.dumps(body).encode(), headers)
    return json.load(urlopen(request))


def choose(view):
    """The bot itself: all that it may know goes in, a legal move comes out."""
    return random.choice(view["legal_moves"])


headers["Authorization"] = f"Bearer {post('keys')['key']}"
post(f"tables/{table}/join", name="My bot", invitation=invitation, ready=True)

for line in urlopen(Request(f"{server}/api/tables/{table}/events", headers=headers)):
    message = json.loads(line) if line.strip() else {}
    if message.get("type") not in ("state", "moved"):
        continue
    if message["you"]["may"]["decide"] is not None:
        seq = message["seq"]
        post(f"tables/{table}/decide", move=choose(message["views"][0]), seq=seq, id=f"{seq}")
    elif message["views"] and message["views"][0]["result"]:
        print(message["views"][0]["result"])
        break
