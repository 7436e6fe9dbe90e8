"""The terminal in four languages: complete, of one piece with the page, and it fits its columns."""

import re
import string
from pathlib import Path
from typing import Any

import pytest

from keltis import bots
from keltis.cli import menu, words
from keltis.cli.words import LANGUAGES, catalogue
from keltis.game import reasons
from keltis.reviews import endings, lessons
from keltis.reviews.kinds import KINDS
from keltis.web import FILES
from tests.cli.running import played, run, written

SOURCES_OF_POINTS = ("colour", endings.WISHES, endings.TILES, endings.OTHER)
SOURCES = Path(words.__file__).parent
OTHERS = [language for language in LANGUAGES if language != "en"]


def forms(text: str | dict[str, str]) -> list[str]:
    return list(text.values()) if isinstance(text, dict) else [text]


def placeholders(text: str | dict[str, str]) -> set[str]:
    parts = [part for form in forms(text) for part in string.Formatter().parse(form)]
    return {name for _, name, _, _ in parts if name}


def page(language: str) -> dict[str, str]:
    """The page's plain texts."""
    source = (FILES / "js" / "messages" / f"{language}.js").read_text("utf-8")
    return dict(re.findall(r'^  "?([\w.]+)"?:\s*"((?:[^"\\]|\\.)*)",$', source, re.MULTILINE))


# --- The catalogues ----------------------------------------------------------------------


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_every_text_with_the_same_placeholders(language: str) -> None:
    english, other = catalogue("en"), catalogue(language)
    assert list(other) == list(english)
    assert {key: placeholders(text) for key, text in other.items()} == {
        key: placeholders(text) for key, text in english.items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_plural_has_both_forms_and_no_text_is_empty(language: str) -> None:
    for key, text in catalogue(language).items():
        assert all(form.strip() for form in forms(text)), key
        if isinstance(text, dict):
            assert set(text) == {"one", "other"}, key


def test_every_text_is_used_and_every_text_used_is_there() -> None:
    source = "".join(path.read_text("utf-8") for path in SOURCES.glob("*.py"))
    literal = set(re.findall(r"""["']([a-z]+(?:\.[a-zA-Z_]+)*)["']""", source))
    families = {
        f"{family}.{member}"
        for family, members in {
            "colour": "RYVGB", "card": "RYVGB", "path": "RYVGB", "onto": "RYVGB", "pile": "RYVGB",
            "command": menu.COMMANDS, "about": menu.COMMANDS,
            "level": bots.LEVELS, "title": ("board", "stones"), "no": reasons.KEYS,
            "kind": (*KINDS, "stones.draw_source"), "because": lessons.KEYS,
            "gain": SOURCES_OF_POINTS, "less": SOURCES_OF_POINTS,
        }.items()
        for member in members
    }  # fmt: skip
    assert set(catalogue("en")) - literal - families == set()
    assert families <= set(catalogue("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_page_are_the_words_of_the_terminal(language: str) -> None:
    shared = {key: text for key, text in page(language).items() if key in catalogue(language)}
    assert {"colour.R", "card.Y", "path.V", "onto.G", "level.fawn", "reason.goal"} <= set(shared)
    # The page gives some their capital only where they begin a sentence.
    assert {key: beginning(text) for key, text in shared.items()} == {
        key: beginning(catalogue(language)[key]) for key in shared
    }


def beginning(text: Any) -> Any:
    return text[:1].upper() + text[1:] if isinstance(text, str) else text


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_leave_room_for_what_follows(language: str) -> None:
    for key, text in catalogue(language).items():
        if key.startswith("label."):
            longest = 7 if key in ("label.rows", "label.holds") else 9
            assert all(len(form.format(n=4)) <= longest for form in forms(text)), key


def test_french_holds_its_marks_to_their_words() -> None:
    words.use("fr")
    try:
        assert words.t("question.figure", onto="la voie rouge").endswith("rouge\u00a0?")
        assert words.t("choice.draw", n=0).endswith("la partie s’arrête")
    finally:
        words.use("en")


def test_a_reason_has_words_in_every_language() -> None:
    for language in LANGUAGES:
        words.use(language)
        try:
            for key in reasons.KEYS:
                said = words.refusal(reasons.Reason(key, "R", "R7", 5, '"foo"'))
                assert "{" not in said
        finally:
            words.use("en")


# --- The commands that talk to a person --------------------------------------------------

ALONE = ["--seat", "me", "--seat", "random", "--seed", "3"]
SAID = {
    "en": ["You, Random.", "Lay or discard a card.", "Discarded red 0.", "You do not hold red 3."],
    "de": ["Du, Random.", "Leg eine Karte aus oder wirf eine ab.", "Rot 0 abgeworfen.",
           "Rot 3 hast du nicht auf der Hand."],
    "fr": ["Vous, Random.", "Posez ou défaussez une carte.", "0 rouge défaussé.",
           "Vous n’avez pas le 3 rouge en main."],
    "nl": ["Jij, Random.", "Leg een kaart aan of leg er een af.", "De rode 0 afgelegd.",
           "Je hebt de rode 3 niet in je hand."],
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_is_played_in_the_language_asked_for(language: str) -> None:
    done = run("play", *ALONE, "--lang", language, typed="R3\nxR0\n")
    assert (done.code, done.err) == (0, "")
    assert [words for words in SAID[language] if words not in done.out] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_environment_chooses_the_language(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
    assert SAID[language][1] in run("play", *ALONE).out
    assert SAID["en"][1] in run("play", *ALONE, "--lang", "en").out


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize("players", [2, 4])
def test_a_whole_game_fits_80_columns(
    language: str, game: str, players: int, tmp_path: Path
) -> None:
    seats = ["--seat", "me"] + ["--seat", "random"] * (players - 1)
    typed = "help\nscore\n" + "1\n" * 3000
    done = run("play", "--game", game, *seats, "--seed", "3", "--lang", language, typed=typed)
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    file = written(tmp_path, played(game, 5000, players))
    done = run("replay", file, "--lang", language)
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    reason = str(catalogue(language)["reason.goal" if game == "board" else "reason.tiles"])
    deck = str(catalogue(language)["reason.deck"])
    assert reason in done.out or deck in done.out


@pytest.mark.parametrize("language", OTHERS)
def test_commands_are_understood_in_both_languages(language: str, tmp_path: Path) -> None:
    own = {key: str(catalogue(language)[f"command.{key}"]) for key in menu.COMMANDS}
    for called in (own, dict.fromkeys(own)):
        name = {key: called[key] or key for key in own}
        file = tmp_path / f"{len(list(tmp_path.iterdir()))}.json"
        typed = "".join(
            f"{line}\n"
            for line in (
                f"{name['why']} R3", name["score"], "xR0", name["undo"].upper(), name["help"],
                f"{name['save']} {file}", name["show"], name["quit"], "xR0",
            )
        )  # fmt: skip
        done = run("play", *ALONE, "--lang", language, typed=typed)
        assert (done.code, done.err) == (0, "")
        assert file.is_file()
        assert done.out.casefold().count(SAID[language][2].casefold()) == 2  # done and taken back
        assert done.out.rstrip().endswith(name["quit"])


def test_accents_need_not_be_typed() -> None:
    words.use("fr")
    try:
        assert menu.command("decompte") == menu.command("Décompte") == "score"
        assert menu.answer("O") is True
        assert menu.answer("non") is menu.answer("no") is False
        assert menu.answer("peut-être") is None
    finally:
        words.use("en")


@pytest.mark.parametrize("language", OTHERS)
def test_faults_are_told_in_the_language_too(language: str, tmp_path: Path) -> None:
    missing = run("replay", "no such file", "--lang", language).err
    assert str(catalogue(language)["fault.missing"]) in missing
    bad = written(tmp_path, played("board", 4), moves=["R99"])
    told = run("play", "--load", bad, "--lang", language).err
    assert "moves[0]" in told
    assert "illegal" not in told
    assert str(bad) in told


def test_the_language_ends_with_its_command() -> None:
    run("play", *ALONE, "--lang", "de")
    assert words.language() == "en"
    assert "random games of board" in run("simulate", "--games", "5").out
