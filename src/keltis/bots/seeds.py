"""The seed of a bot that decides alike wherever the same is to be decided."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any


def bot_seed(mix: str, view: Mapping[str, Any], run: int | None = None) -> int:
    """What a bot's randomness comes from: the deal and what it sees, but no names.

    So it decides the same for everybody in the same position. `run` tells apart the runs of a bot
    that plays the deal several times.
    """
    seen = {key: view[key] for key in ("game", "options", "you", "setup", "history")}
    text = json.dumps([mix, run, seen], sort_keys=True, separators=(",", ":"))
    return int.from_bytes(sha256(f"keltis-bot/1 {text}".encode()).digest()[:8], "big")
