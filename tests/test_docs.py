"""The documentation: links lead somewhere, code runs, and its site can be built and shown."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import keltis
from keltis import bots
from keltis.server.settings import Settings
from tests.cli.running import run
from tests.test_layers import ROOT, tracked_files
from tools import reference

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

DOCS = ROOT / "docs"
PAGES = sorted(
    path for path in tracked_files() if path.suffix == ".md" and "texts" not in path.parts
)
_FENCE = re.compile(r"^ *(```|~~~)(\w*)\n(.*?)^ *\1 *$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")

# Pages whose code other tests run, in ways of their own.
ELSEWHERE = {"README.md", "docs/api.md", "docs/cli.md", "docs/environments.md", "docs/positions.md"}
# What stands on pages and is not run here: it needs the network, or goes on for ever.
NOT_RUN = ("pip ", "pipx ", "keltis serve", "python examples/http_bot.py", "keltis play")


def text(page: Path) -> str:
    return page.read_text("utf-8")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def anchors(page: Path) -> set[str]:
    """The places of a page that links can name, as GitHub names them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.*)$", _FENCE.sub("", text(page)), re.MULTILINE):
        words = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")
        count = sum(
            re.fullmatch(rf"{re.escape(anchor)}(-\d+)?", other) is not None for other in found
        )
        found.add(f"{anchor}-{count}" if count else anchor)
    return found


def blocks(page: Path, *languages: str) -> list[str]:
    return [code for _, language, code in _FENCE.findall(text(page)) if language in languages]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere_as_the_files_lie(page: Path) -> None:
    wrong = []
    for link in _LINK.findall(_FENCE.sub("", text(page))):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        is_gone = not target.exists() or (
            anchor and target.suffix == ".md" and anchor not in anchors(target)
        )
        if "://" not in link and is_gone:
            wrong.append(link)
    assert not wrong


WITH_CODE = [page for page in PAGES if name(page) not in ELSEWHERE and blocks(page, "python", "sh")]


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_CODE, ids=name)
def test_the_code_of_a_page_runs_from_top_to_bottom(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder of its own: what is written first can be read after. Commands run as typed."""
    monkeypatch.chdir(tmp_path)
    if "--database tables.db" in text(page):
        from keltis.server.storage.store import Store

        store = Store(Settings(database="tables.db").database_url, "test")
        store.open()
        store.stop()
    monkeypatch.setattr("keltis.arena.picture.draw", lambda contest, path: None)  # it takes seconds
    space: dict[str, object] = {"__name__": "page"}
    for _, language, code in _FENCE.findall(text(page)):
        if language == "python":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the frameworks, of their own modules
                exec(compile(code, page.name, "exec"), space)
        for line in code.splitlines() if language == "sh" else ():
            command, *arguments = shlex.split(line, comments=True) or [""]
            if not command or line.startswith(NOT_RUN):
                continue
            assert command == "keltis", line
            done = run(*arguments)
            assert (done.code, done.err) == (0, ""), (line, done.err)


def test_how_to_pages_are_short_and_have_code() -> None:
    pages = sorted((DOCS / "how-to").glob("*.md")) + sorted((DOCS / "start").glob("*.md"))
    assert len(pages) == 10
    for page in pages:
        assert page in WITH_CODE, page
        assert len(text(page).split()) < 600, page


@pytest.mark.parametrize("module", reference.MODULES)
def test_everything_public_says_what_it_is(module: str) -> None:
    page = reference.page(module)
    for each in reference.public(module):
        assert f"\n## {each}\n" in page
        part = page.split(f"\n## {each}\n")[1].split("\n## ")[0]
        words = _FENCE.sub("", part).strip()
        assert words or " = " in part, f"{module}.{each} has no docstring"


def test_the_reference_has_every_key_of_a_view_and_of_advice() -> None:
    views = reference.page("keltis").split("\n## View\n")[1].split("\n## ")[0]
    for key in keltis.new_game("board", seed=1).view(0):
        assert f"\n| `{key}` | " in views, key
    advice = bots.make("search", seed=1, rollouts=10).advise(keltis.new_game(seed=1).view(0))
    part = reference.page("keltis.bots").split("\n## AdvisedMove\n")[1].split("\n## ")[0]
    for key in advice["moves"][0]:
        assert f"\n| `{key}` | " in part, key


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it; with --strict, a broken link ends the build."""
    folder = tmp_path_factory.mktemp("docs") / "site"
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir"]
    done = subprocess.run([*build, str(folder)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


def of_tags(site: Path, pattern: str) -> Iterator[tuple[Path, str]]:
    for page in site.rglob("*.html"):
        for found in re.findall(pattern, text(page)):
            yield page, found


@pytest.mark.slow
def test_the_site_has_every_page_and_needs_no_other_host(site: Path) -> None:
    for page in PAGES:
        if DOCS in page.parents:
            built = site / page.relative_to(DOCS).with_suffix(".html")
            assert built.is_file(), name(page)
    for more in (
        "benchmarks/RESULTS",
        "ARCHITECTURE",
        "files/examples/http_bot.py",
        "reference/keltis",
    ):
        assert (site / f"{more}.html").is_file(), more
    loaded = re.compile(
        r"<(?:script|img|iframe|source)[^>]* src=\"?([^\"\s>]+)|<link[^>]* href=\"?([^\"\s>]+)"
    )
    count = 0
    for page in site.rglob("*.html"):
        for source, link in loaded.findall(text(page)):
            path = (source or link).split("?")[0]
            if path.startswith("data:"):
                continue
            assert not re.match(r"(https?:)?//", path), (page, path)
            assert (page.parent / path).exists() or page.name == "404.html", (page, path)
            count += 1
    assert count > 100
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//|@import", text(style)), style


@pytest.mark.slow
def test_the_site_shows_what_github_shows(site: Path) -> None:
    """Lists, tables and blocks of code are what they are for whoever reads the files."""
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark").enable("table")
    wrong = {}
    for page in PAGES:
        if DOCS not in page.parents:
            continue
        built = text(site / page.relative_to(DOCS).with_suffix(".html"))
        shown = re.search(r"<article.*?</article>", built, re.DOTALL)
        assert shown
        expected = reader.render(text(page))
        for tag in ("li", "table", "pre", "h2", "h3"):
            counts = [len(re.findall(rf"<{tag}\b", html)) for html in (expected, shown[0])]
            if counts[0] != counts[1]:
                wrong[f"{name(page)} {tag}"] = counts
    assert not wrong
