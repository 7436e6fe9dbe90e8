"""What people read, in four languages: the page, its lessons, the rules and the terminal."""

import re
import tomllib
from pathlib import Path

import pytest

import keltis

PACKAGE = Path(keltis.__file__).parent
LANGUAGES = ["en", "de", "fr", "nl"]
ENTRY = re.compile(r'^  "?([\w.]+)"?:\s*(\{.*?\}|"(?:[^"\\]|\\.)*"),$', re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')

# Words of the rule books, which every kind of text uses.
WORDS = {
    "en": ["wishing stone", "clover", "discard pile", "draw pile", "figure", "path"],
    "de": ["Wunschstein", "Kleeblatt", "Abwurfstapel", "Nachziehstapel", "Plättchen", "Pfad"],
    "fr": ["pierre à vœux", "trèfle", "défausse", "pioche", "figurine", "voie", "série"],
    "nl": ["wenssteen", "klaverblad", "aflegstapel", "trekstapel", "steentegel", "opklimmend"],
}
# Second words for the same things, and what a native would not say.
NEVER = {
    "en": [r"meeple", r"pawn", r"shamrock", r"climb\w*", r"under way", r"broken off",
           r"is to move", r"most points win", r"^to the (table|content)"],
    "de": [r"Hufeisen", r"Ablagestapel", r"Fliesen?", r"vollendet\w*", r"Rat", r"Partien?",
           r"Mitspielende\w*", r"Mitspielern?", r"(Lege|Ziehe|Decke|Nehme|Lasse)",
           r"meisten Punkte gewinnen"],
    "fr": [r"pions?", r"sentiers?", r"rangées?", r"bots?", r"tuiles? Pierre",
           r"chemins?(?! des pierres| n’est pas un dossier)", r"voies? (achevée|complétée)s?",
           r"dès (deux|trois|six)", r"(est|été) tirée", r"à table"],
    "nl": [r"pion(nen)?", r"gedekte?", r"om(ge)?draai\w*", r"klimmende", r"dalende", r"klimt",
           r"scoreblad", r"waardering", r"bewaarde?", r"partij", r"verslag opslaan",
           r"(rood|geel|groen|blauw) \d+"],
}  # fmt: skip


def messages(name: str) -> dict[str, list[str]]:
    """The forms of each text of the page."""
    source = (PACKAGE / "web" / "js" / "messages" / f"{name}.js").read_text("utf-8")
    return {key: QUOTED.findall(value) for key, value in ENTRY.findall(source)}


def rules(game: str, language: str) -> str:
    return (PACKAGE / "texts" / "rules" / f"{game}.{language}.md").read_text("utf-8")


def terminal(language: str) -> dict[str, list[str]]:
    """The forms of each text of the terminal."""
    source = (PACKAGE / "texts" / "terminal" / f"{language}.toml").read_text("utf-8")
    texts: dict[str, str | dict[str, str]] = tomllib.loads(source)
    return {
        key: [text] if isinstance(text, str) else list(text.values()) for key, text in texts.items()
    }


def kinds(language: str) -> dict[str, str]:
    """All texts of a language, one a line; paragraphs of the rules are such lines."""
    groups = ["", "study.", "positions.", "games.", "day.", "review.", "duplicate.", "person."]
    page = {key: forms for group in groups for key, forms in messages(group + language).items()}
    both = rules("board", language) + "\n\n" + rules("stones", language)
    prose = re.sub(r"<!--.*?-->", "", both).replace("\u00a0", " ")
    return {
        "page": "\n".join(form for forms in page.values() for form in forms),
        "terminal": "\n".join(form for forms in terminal(language).values() for form in forms),
        "rules": re.sub(r"(?<!\n)\n(?![\n|])", " ", prose),
    }


def lines_with(pattern: str, text: str) -> list[str]:
    return [line for line in text.splitlines() if re.search(pattern, line)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_uses_the_words_of_the_rule_books(language: str) -> None:
    for kind, text in kinds(language).items():
        missing = [word for word in WORDS[language] if word.lower() not in text.lower()]
        assert missing == [], kind


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_uses_another_word_for_the_same(language: str) -> None:
    for kind, text in kinds(language).items():
        for word in NEVER[language]:
            assert lines_with(rf"(?i)(?<!\w){word}(?!\w)", text) == [], kind


@pytest.mark.parametrize("language", LANGUAGES)
def test_apostrophes_are_typographic(language: str) -> None:
    for kind, text in kinds(language).items():
        prose = re.sub(r"`[^`]*`", "", text)
        assert lines_with(r"(?<=\w)'|'(?=\w)", prose) == [], kind


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_space_stands_before_an_ellipsis(language: str) -> None:
    """German and Dutch set one, where whole words are left out."""
    for kind, text in kinds(language).items():
        assert lines_with(r"\s…", text) == [], kind


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_mark_or_space_is_doubled(language: str) -> None:
    """On the page; in the terminal "?" is a move as well."""
    page = kinds(language)["page"]
    assert lines_with(r"\S  +\S|[.,;:!?…]\s?[.,;!?…]", page) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tile_game_has_one_name(language: str) -> None:
    (name,) = messages(language)["game.stones"]
    assert terminal(language)["title.stones"] == [name]
    title = rules("stones", language).splitlines()[0].replace("\u00a0", " ")
    assert title == f"# {name}"
