"""The documentation at /docs: its own files and no others, under a policy that its pages fit."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import WebSocketDenialResponse

from keltis.server.settings import BadSetting, Settings
from keltis.server.transport.pages import Folder
from tests.server.transport.inside import serving

PAGE = "<!doctype html><script>one()</script><script src=a.js></script><style>p{}</style>"


def built(folder: Path) -> Path:
    site = folder / "site"
    (site / "start").mkdir(parents=True)
    (site / ".git").mkdir()
    (site / "index.html").write_text(PAGE)
    (site / "start" / "players.html").write_text("<p>players</p>")
    (site / "a.js").write_text("two()")
    (site / ".git" / "config").write_text("secret")
    (folder / "secret.html").write_text("secret")
    (site / "link.html").symlink_to(folder / "secret.html")
    return site


@pytest.mark.parametrize("mount", ["/", "/keltis"])
def test_the_documentation_is_shown_below_the_mount(tmp_path: Path, mount: str) -> None:
    site = built(tmp_path)
    root = mount.rstrip("/")
    with serving(tmp_path / "tables.db", docs=str(site), root_path=mount) as (_, client):
        moved = client.get(f"{root}/docs", follow_redirects=False)
        assert (moved.status_code, moved.headers["location"]) == (307, f"{root}/docs/")
        for path in ("", "index.html"):
            found = client.get(f"{root}/docs/{path}")
            assert (found.status_code, found.text) == (200, PAGE)
            assert found.headers["content-type"].startswith("text/html")
        assert client.get(f"{root}/docs/start/players.html").text == "<p>players</p>"
        again = client.get(f"{root}/docs/a.js")
        assert again.headers["content-type"].startswith("text/javascript")
        asked = {"if-none-match": again.headers["etag"]}
        assert client.get(f"{root}/docs/a.js", headers=asked).status_code == 304


def test_a_page_may_run_what_was_built_into_it_and_nothing_else(tmp_path: Path) -> None:
    with serving(tmp_path / "tables.db", docs=str(built(tmp_path))) as (_, client):
        found = client.get("/docs/")
        policy = found.headers["content-security-policy"]
        other = client.get("/docs/a.js").headers["content-security-policy"]
        page = client.get("/").headers["content-security-policy"]
    for text in (b"one()", b"p{}"):
        assert f"'sha256-{b64encode(sha256(text).digest()).decode()}'" in policy
    assert policy.count("sha256-") == 2
    assert "unsafe" not in policy
    for part in ("default-src 'self'", "object-src 'none'", "base-uri 'self'",
                 "form-action 'self'", "frame-ancestors 'none'"):  # fmt: skip
        assert part in policy
    assert other == page  # what is no page has the strict one
    for name, value in {"x-content-type-options": "nosniff", "x-frame-options": "DENY"}.items():
        assert found.headers[name] == value


ELSEWHERE = [
    "../secret.html", "..%2fsecret.html", "%2e%2e/secret.html", "start/../../secret.html",
    "/secret.html", "//etc/passwd", "%2fetc/passwd", "link.html", ".git/config", "start",
    "start/", "a.js/", "a.js%00", "nothing.html", "a" * 3000, "..\\secret.html",
]  # fmt: skip


def test_nothing_else_is_served(tmp_path: Path) -> None:
    with serving(tmp_path / "tables.db", docs=str(built(tmp_path))) as (_, client):
        for path in ELSEWHERE:
            found = client.get(f"/docs/{path}")
            # A client takes ../ off by itself: then it asks for another page.
            assert found.status_code == 404 or found.url.path == "/secret.html", path
            assert "secret" not in found.text, path


def test_a_server_without_it_says_how_to_build_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("keltis.server.settings._CLONE", tmp_path)
    with serving(tmp_path / "tables.db") as (_, client):
        assert client.get("/docs/").status_code == 404
        assert "make docs" in client.get("/docs").text
        (tmp_path / "build" / "site").mkdir(parents=True)
        (tmp_path / "build" / "site" / "index.html").write_text("built")
        assert client.get("/docs/").text == "built"  # it need not be started anew


def test_the_page_leads_to_the_documentation_where_there_is_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = '<meta name="docs" content="docs/">'
    with serving(tmp_path / "tables.db", docs=str(built(tmp_path)), root_path="/keltis") as both:
        page = both[1].get("/keltis/").text
        assert page.index('<base href="/keltis/">') < page.index(told)
    monkeypatch.setattr("keltis.server.settings._CLONE", tmp_path)
    with serving(tmp_path / "other.db") as (_, client):
        assert told not in client.get("/").text


def test_a_folder_without_documentation_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"docs: .* has no index\.html; make docs builds one"):
        Settings(docs=str(tmp_path))


def test_the_page_does_not_keep_the_documentation_for_later() -> None:
    worker = (Path(__file__).parents[3] / "src/keltis/web/sw.js").read_text("utf-8")
    assert re.search(r"const isKept.*?docs", worker, re.S)


def test_header_and_body_tell_the_same_time_to_wait(tmp_path: Path) -> None:
    with serving(tmp_path / "tables.db", rate_address=3) as (_, client):
        answers: list[Any] = [client.get("/api/info") for _ in range(20)]
        refused = [each for each in answers if each.status_code == 429]
        work = {"work": 0.01, "work_address": 0.01}
    with serving(tmp_path / "other.db", **work) as (_, client):
        answers = [client.post("/api/keys") for _ in range(5)]
        refused += [each for each in answers if each.status_code == 429]
    assert len(refused) >= 4
    for each in refused:
        told = each.json()["error"]["retry_after"]
        assert isinstance(told, int)
        assert told >= 1
        assert each.headers["retry-after"] == str(told)


OTHER_WAYS = ["js//app.js", "js/./app.js", "./js/app.js", "/js/app.js", "js/app.js/.", "js/app.js/",
              "js/../js/app.js", "start/link/app.js"]  # fmt: skip


def test_a_file_has_one_name(tmp_path: Path) -> None:
    """Else it would be read, compressed and kept for each of them."""
    site = built(tmp_path)
    (site / "js").mkdir()
    (site / "js" / "app.js").write_text("three()")
    (site / "start" / "link").symlink_to(site / "js")
    folder = Folder(site)
    assert folder.find("js/app.js") is folder.find("js/app.js") is not None
    for path in OTHER_WAYS:
        assert folder.find(path) is None, path
    with serving(tmp_path / "tables.db", docs=str(site)) as (_, client):
        for root in ("", "/docs"):
            assert client.get(f"{root}/js%2f.%2fapi.js").status_code == 404


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "http://a]b", "//", "\u00e9"])
def test_no_origin_is_too_strange(origin: str, tmp_path: Path) -> None:
    with serving(tmp_path / "tables.db") as (_, client):
        headers: Any = {"origin": origin.encode("latin-1")}
        answer = client.post("/api/keys", headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "bad_origin")
        with pytest.raises(WebSocketDenialResponse) as refused:  # noqa: SIM117
            with client.websocket_connect("/api/tables/x/socket", headers=headers):
                pass
        assert refused.value.status_code == 403
