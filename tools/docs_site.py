"""What mkdocs needs to make one site of the whole project; it is called as a hook (mkdocs.yml).

- Pages that lie beside docs/ come in: the benchmarks, ARCHITECTURE.md and its like.
- Links that lead to other files of the project lead to a page that shows them.
- The reference of the API is made from the docstrings (tools/reference.py).
- Pages of docs/ that the navigation does not name stand under "More".

In the repository all links are as they are for whoever reads the files there.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

BESIDE = (
    "benchmarks/RESULTS.md",
    "benchmarks/ENVIRONMENTS.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
)
ICON = "src/keltis/web/icon.svg"
# The page's green; links are dark enough to be read.
STYLE = """\
:root { --md-primary-fg-color: #1f4d3a; --md-primary-bg-color: #fff; }
[data-md-color-scheme="default"] { --md-typeset-a-color: #17693f; }
[data-md-color-scheme="slate"] { --md-typeset-a-color: #84d3a5; }
"""
SHOWN = "files"  # where the pages are that show files of the project

_LINK = re.compile(r"(?<!!)\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^( *)(```|~~~).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
_LANGUAGES = {".py": "python", ".toml": "toml", ".yaml": "yaml", ".yml": "yaml", ".js": "js"}


def on_config(config: MkDocsConfig) -> None:
    from tools import reference

    nav: list[Any] = config.nav or []
    named = set(re.findall(r"[\w/-]+\.md", str(nav)))
    docs = Path(config.docs_dir)
    found = {file.relative_to(docs).as_posix() for file in docs.rglob("*.md")}
    if others := sorted(found - named):
        nav.append({"More": list(others)})
    nav.append({"Reference": [{title: f"reference/{title}.md"} for title in reference.MODULES]})
    config.nav = nav


def on_files(files: Files, config: MkDocsConfig) -> None:
    from mkdocs.structure.files import File

    from tools import reference

    for name in BESIDE:
        files.append(File.generated(config, name, content=(ROOT / name).read_text("utf-8")))
    files.append(File.generated(config, ICON.split("/")[-1], content=(ROOT / ICON).read_bytes()))
    files.append(File.generated(config, "site.css", content=STYLE))
    for title in reference.MODULES:
        content = reference.page(title)
        files.append(File.generated(config, f"reference/{title}.md", content=content))
    for target in sorted(_shown(files)):
        files.append(File.generated(config, f"{SHOWN}/{target}.md", content=_showing(target)))


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    here = page.file.src_uri
    parts, end = [], 0
    for fence in _FENCE.finditer(markdown):
        parts += [_linked(markdown[end : fence.start()], here), fence[0]]
        end = fence.end()
    return "".join([*parts, _linked(markdown[end:], here)])


def _linked(text: str, here: str) -> str:
    def link(found: re.Match[str]) -> str:
        target = _target(here, found[1])
        if target is None:
            return found[0]
        uri, anchor = target
        relative = os.path.relpath(uri, PurePosixPath(here).parent)
        return f"]({relative}{anchor})"

    return _LINK.sub(link, text)


def _place(here: str) -> str:
    """Where a page's source is in the project."""
    return here if here in BESIDE else f"docs/{here}"


def _target(here: str, link: str) -> tuple[str, str] | None:
    """The page that a link to a file of the project leads to, and the place in it."""
    if "://" in link or link.startswith(("#", "mailto:")) or here.startswith(("reference/", SHOWN)):
        return None
    path, _, anchor = link.partition("#")
    place = os.path.normpath(PurePosixPath(_place(here)).parent / path)
    after = f"#{anchor}" if anchor else ""
    if place.startswith("docs/"):
        return place.removeprefix("docs/"), after
    return (place if place in BESIDE else f"{SHOWN}/{place}.md"), after


def _shown(files: Files) -> set[str]:
    """The files and folders of the project that pages link to, and that are no pages themselves."""
    found = set()
    for file in files.documentation_pages():
        if file.src_uri.startswith("reference/"):
            continue
        for link in _LINK.findall(_FENCE.sub("", file.content_string)):
            target = _target(file.src_uri, link)
            if target and target[0].startswith(f"{SHOWN}/"):
                found.add(target[0].removeprefix(f"{SHOWN}/").removesuffix(".md"))
    return found


def _showing(name: str) -> str:
    """A page that shows a file, or all files of a folder."""
    place = ROOT / name
    if not place.exists():
        raise FileNotFoundError(f"a page links to {name}, which is not there")
    several = place.is_dir()
    files = sorted(file for file in place.iterdir() if file.is_file()) if several else [place]
    parts = [f"# {name}\n"]
    for file in files:
        language = _LANGUAGES.get(file.suffix, "text")
        if several:
            parts.append(f"## {file.name}\n")
        parts.append(f"````{language}\n{file.read_text('utf-8').rstrip()}\n````\n")
    return "\n".join(parts)
