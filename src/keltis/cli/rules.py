"""`keltis rules`: the rules of either game, in four languages."""

import re
from importlib.resources import files

from keltis.cli.terminal import console
from keltis.cli.words import language

_CLAUSE = re.compile(r"[ \t]*<!--.*?-->")  # names the clause that a paragraph carries


def text(game: str, language: str) -> str:
    """The rules as Markdown, as a player reads them."""
    source = files("keltis").joinpath("texts", "rules", f"{game}.{language}.md")
    lines = _CLAUSE.sub("", source.read_text("utf-8"))
    return re.sub(r"\n{3,}", "\n\n", lines)


def rules(game: str) -> None:
    markdown = text(game, language())
    screen = console()
    if screen.is_terminal:
        from rich.markdown import Markdown

        screen.print(Markdown(markdown), width=min(screen.width, 80))
    else:
        print(markdown, end="")
