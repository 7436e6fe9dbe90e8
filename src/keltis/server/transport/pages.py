"""Files for browsers, from memory, compressed once: the page's, and the documentation's."""

from __future__ import annotations

import gzip
import mimetypes
import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from keltis.server.problems import Problem

WEB = Path(__file__).resolve().parents[2] / "web"
_BASE = b'<base href="/">'
_DOCS = b'<meta name="docs" content="docs/">'
_SMALL = 512  # bytes: not worth compressing
_TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".html": "text/html",
    ".woff2": "font/woff2",
    ".md": "text/markdown",
}


class _File(NamedTuple):
    changed: float
    content: bytes
    packed: bytes | None  # where that is worth it
    kind: str
    etag: str


class Folder:
    """The files of a folder, and nothing else: no link leads out of it.

    A file has one name. By others (`js//app.js`, `js/./app.js`) it would be kept again for each.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._files: dict[str, _File] = {}

    def find(self, path: str) -> _File | None:
        try:
            file = (self._folder / path).resolve()
            if not file.is_relative_to(self._folder) or not file.is_file():
                return None
            own = file.relative_to(self._folder)
            if own.as_posix() != path or any(part.startswith(".") for part in own.parts):
                return None
            if file.suffix in (".py", ".pyc"):
                return None
            changed = file.stat().st_mtime
            kept = self._files.get(path)
            if kept is None or kept.changed != changed:
                kept = self._files[path] = self._read(file, changed)
        except (OSError, ValueError):  # no such name can be
            return None
        return kept

    def _read(self, file: Path, changed: float) -> _File:
        content = self._content(file)
        kind = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0]
        kind = kind or "application/octet-stream"
        packed = gzip.compress(content, 9, mtime=0) if len(content) > _SMALL else None
        if packed is not None and len(packed) > 0.9 * len(content):
            packed = None
        return _File(changed, content, packed, kind, f'"{sha256(content).hexdigest()[:20]}"')

    def _content(self, file: Path) -> bytes:
        return file.read_bytes()

    def answer(
        self, request: Request, found: _File | None, more: Mapping[str, str] | None = None
    ) -> Response:
        if found is None:
            return PlainTextResponse("There is no such page.", 404)
        headers = {"etag": found.etag, "cache-control": "no-cache", "vary": "accept-encoding"}
        headers.update(more or {})
        if request.headers.get("if-none-match") == found.etag:
            return Response(status_code=304, headers=headers)
        content = found.content
        if found.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            content = found.packed
        return Response(content, media_type=found.kind, headers=headers)


class Pages(Folder):
    """The page. Any path without a dot is one that the page itself knows."""

    def __init__(self, mount: str, folder: Path = WEB, has_docs: bool = False) -> None:
        super().__init__(folder)
        self._base = f'<base href="{mount}">'.encode()
        if has_docs:  # then the page leads there
            self._base += b"\n    " + _DOCS

    async def serve(self, request: Request) -> Response:
        path = request.path_params["path"]
        if path == "api" or path.startswith("api/"):
            raise Problem("not_found", "there is nothing here")
        if ".." in path:
            return self.answer(request, None)
        found = self.find(path) if path else None
        if found is None and "." not in path.rsplit("/", 1)[-1]:
            found = self.find("index.html")
        return self.answer(request, found)

    def _version(self) -> bytes:
        """A hash of the whole page: when it changes, browsers fetch anew what they have kept."""
        files = sorted(path for path in self._folder.rglob("*") if path.suffix in _TYPES)
        return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12].encode()

    def _content(self, file: Path) -> bytes:
        content = super()._content(file)
        if file.name == "index.html":
            content = content.replace(_BASE, self._base)
        if file.name == "sw.js":
            content = content.replace(b"VERSION", self._version())
        return content


class Docs(Folder):
    """The documentation, if it has been built (`make docs`).

    Its pages have scripts and styles in them. Those that were there when it was built may run, by
    their hashes, and no others.
    """

    def __init__(self, mount: str, folder: Path) -> None:
        super().__init__(folder)
        self._home = f"{mount}docs/"
        self._policies: dict[str, str] = {}  # by etag

    async def serve(self, request: Request) -> Response:
        path = request.path_params.get("path")
        if path is None:
            return RedirectResponse(self._home, 307)
        if self.find("index.html") is None:
            return PlainTextResponse("The documentation has not been built here: make docs", 404)
        is_file = ".." not in path and not path.endswith("/")
        found = self.find(path or "index.html") if is_file else None
        if found is None or found.kind != "text/html":
            return self.answer(request, found)
        if found.etag not in self._policies:
            self._policies[found.etag] = _policy(found.content)
        return self.answer(request, found, {"content-security-policy": self._policies[found.etag]})


def _policy(page: bytes) -> str:
    """What a page of the documentation may load: from here alone, and what is written in it."""
    hashes = {
        name: " ".join(
            f"'sha256-{b64encode(sha256(text).digest()).decode()}'"
            for text in dict.fromkeys(re.findall(rf"<{name}>(.*?)</{name}>".encode(), page, re.S))
        )
        for name in ("script", "style")
    }
    return (
        f"default-src 'self'; img-src 'self' data:; script-src 'self' {hashes['script']}; "
        f"style-src 'self' {hashes['style']}; object-src 'none'; base-uri 'self'; "
        "form-action 'self'; frame-ancestors 'none'"
    )
