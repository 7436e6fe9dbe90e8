"""`keltis rules`: the rules of either game, in four languages."""

import os
import re
from importlib.resources import files

from keltis.cli.terminal import console

LANGUAGES = ("en", "de", "fr", "nl")
_CLAUSE = re.compile(r"[ \t]*<!--.*?-->")  # names the clause that a paragraph carries


def text(game: str, language: str) -> str:
    """The rules as Markdown, as a player reads them."""
    source = files("keltis").joinpath("texts", "rules", f"{game}.{language}.md")
    lines = _CLAUSE.sub("", source.read_text("utf-8"))
    return re.sub(r"\n{3,}", "\n\n", lines)


def terminal_language() -> str:
    """The first language of the environment that there is a text in, else English."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return value[:2].lower() if value[:2].lower() in LANGUAGES else "en"
    return "en"


def rules(game: str, language: str | None) -> None:
    markdown = text(game, language or terminal_language())
    screen = console()
    if screen.is_terminal:
        from rich.markdown import Markdown

        screen.print(Markdown(markdown), width=min(screen.width, 80))
    else:
        print(markdown, end="")
