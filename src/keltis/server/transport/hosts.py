"""Which names the server answers to.

A browser believes whoever owns a name: a page of theirs may give that name this server's address
(DNS rebinding), and is then of the same origin. So a request by a foreign name is refused.
"""

from __future__ import annotations

import re

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:\[\]/@\s]+)(?::\d{1,5})?")


class Hosts:
    def __init__(self, names: tuple[str, ...]) -> None:
        """`*.example.org` is every name below example.org; no names at all: any."""
        self._any = not names
        self._names = {name.strip("[]") for name in names if not name.startswith("*.")}
        self._below = tuple(name[1:] for name in names if name.startswith("*."))

    def allows(self, header: str) -> bool:
        """Whether a `Host` header names this server."""
        if self._any:
            return True
        found = _HOST.fullmatch(header.strip().lower())
        if found is None:
            return False
        name = found[1].strip("[]").rstrip(".")
        return name in self._names or name.endswith(self._below)
