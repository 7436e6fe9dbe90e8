"""The files of the page, from memory, compressed once."""

from __future__ import annotations

import gzip
import mimetypes
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

WEB = Path(__file__).resolve().parents[2] / "web"
_BASE = b'<base href="/">'
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


class Pages:
    def __init__(self, mount: str, folder: Path = WEB) -> None:
        self._folder = folder
        self._base = f'<base href="{mount}">'.encode()
        self._files: dict[str, tuple[float, bytes, bytes | None, str, str]] = {}

    async def serve(self, request: Request) -> Response:
        path = request.url.path.lstrip("/")
        if ".." in path:
            return PlainTextResponse("There is no such page.", 404)
        found = self._find(path) if path else None
        if found is None and "." not in path.rsplit("/", 1)[-1] and not path.startswith("api/"):
            found = self._find("index.html")
        if found is None:
            return PlainTextResponse("There is no such page.", 404)
        _, plain, packed, kind, etag = found
        headers = {"etag": etag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers=headers)
        content = plain
        if packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            content = packed
        return Response(content, media_type=kind, headers=headers)

    def _find(self, path: str) -> tuple[float, bytes, bytes | None, str, str] | None:
        file = self._folder / path
        try:
            if not file.resolve().is_relative_to(self._folder) or not file.is_file():
                return None
            if file.suffix in (".py", ".pyc") or file.name.startswith("."):
                return None
            changed = file.stat().st_mtime
            kept = self._files.get(path)
            if kept is None or kept[0] != changed:
                kept = self._files[path] = self._read(file, changed)
        except (OSError, ValueError):  # no such name can be
            return None
        return kept

    def _version(self) -> bytes:
        """A hash of the whole page: when it changes, browsers fetch anew what they have kept."""
        files = sorted(path for path in self._folder.rglob("*") if path.suffix in _TYPES)
        return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12].encode()

    def _read(self, file: Path, changed: float) -> tuple[float, bytes, bytes | None, str, str]:
        content = file.read_bytes()
        if file.name == "index.html":
            content = content.replace(_BASE, self._base)
        if file.name == "sw.js":
            content = content.replace(b"VERSION", self._version())
        kind = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0]
        kind = kind or "application/octet-stream"
        packed = gzip.compress(content, 9, mtime=0) if len(content) > _SMALL else None
        if packed is not None and len(packed) > 0.9 * len(content):
            packed = None
        return changed, content, packed, kind, f'"{sha256(content).hexdigest()[:20]}"'
