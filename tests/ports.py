"""Ports for servers that a test stops and starts again."""

import contextlib
import os
import re
import socket
from random import SystemRandom

_FIRST, _EACH = 20_000, 1_000  # below those that a system hands out, from 32768 on


def free_port() -> int:
    """A port that nobody else gets while its server is down: each test process has its own."""
    worker = re.sub(r"\D", "", os.environ.get("PYTEST_XDIST_WORKER", "")) or "0"
    start = _FIRST + int(worker) % 12 * _EACH
    for port in SystemRandom().sample(range(start, start + _EACH), _EACH):
        with socket.socket() as trying, contextlib.suppress(OSError):
            trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trying.bind(("127.0.0.1", port))
            return port
    raise RuntimeError(f"all ports from {start} on are taken")
