"""The rules texts: complete in every language, and their tables are those of the program."""

import re
from importlib.resources import files

import pytest

from keltis.cli.words import LANGUAGES
from keltis.rules import board, stones
from tests.cli.running import run

CLAUSES = {
    "board": [f"B{number}" for number in range(1, 23)],
    "stones": [f"S{number}" for number in range(1, 11)],
}
TEXTS = [(game, language) for game in CLAUSES for language in LANGUAGES]


def source(game: str, language: str) -> str:
    return files("keltis").joinpath("texts", "rules", f"{game}.{language}.md").read_text("utf-8")


def tables(text: str) -> list[list[list[int]]]:
    """All whole numbers in the rows of each Markdown table that has any."""
    found: list[list[list[int]]] = []
    inside = False
    for line in text.splitlines():
        if not line.startswith("|"):
            inside = False
            continue
        if not inside:
            found.append([])
        inside = True
        found[-1].append([int(n.replace("−", "-")) for n in re.findall(r"(?<![\w`])−?\d+", line)])
    return found


@pytest.mark.parametrize(("game", "language"), TEXTS)
def test_every_clause_is_there_once(game: str, language: str) -> None:
    named = re.findall(r"<!-- (\w+) -->", source(game, language))
    assert sorted(named, key=lambda clause: int(clause[1:])) == CLAUSES[game]


@pytest.mark.parametrize(("game", "language"), TEXTS)
def test_every_clause_stands_behind_text(game: str, language: str) -> None:
    for paragraph in re.split(r"<!-- \w+ -->", source(game, language))[:-1]:
        last = paragraph.rstrip().splitlines()[-1]
        assert last.endswith((".", "|")), last


@pytest.mark.parametrize(("game", "language"), TEXTS)
def test_languages_have_the_same_shape(game: str, language: str) -> None:
    def shape(text: str) -> list[str]:
        return re.findall(r"^(#+ |- |\d\. |\|)", text, re.MULTILINE)

    assert shape(source(game, language)) == shape(source(game, "en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tables_of_board_are_those_of_the_rules(language: str) -> None:
    values, dark, tiles, wishes, *_ = tables(source("board", language))
    assert values[0] == list(range(1, board.STONES + 1))
    assert values[2] == board.VALUES[: board.STONES + 1].tolist()
    assert dark[2:] == board.TILED[:, :-1].tolist()
    assert tiles[2] == [board.TILES.tolist().count(board.WISHING_STONE)]
    assert tiles[3] == [board.TILES.tolist().count(board.CLOVER_TILE)]
    assert tiles[4] == [len(board.POINTS_TILES), *board.POINTS_TILES]
    assert wishes[0] == list(range(len(board.WISHES)))
    assert wishes[2] == board.WISHES.tolist()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tables_of_stones_are_those_of_the_rules(language: str) -> None:
    symbols, rows, wishes, *_ = tables(source("stones", language))
    kinds = (stones.WISHING_STONES, stones.CLOVERS, stones.ONE_POINT, stones.THREE_POINTS)
    for colour, numbers in enumerate(symbols[2:]):
        assert numbers == [number for kind in kinds for number in kind[colour]]
    assert rows[2] == stones.ROWS.tolist()
    assert wishes[2] == stones.WISHES.tolist()


@pytest.mark.parametrize(("game", "language"), TEXTS)
def test_piped_rules_are_the_text_without_the_clause_names(game: str, language: str) -> None:
    done = run("rules", game, "--lang", language)
    assert done.code == 0
    assert "<!--" not in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    words = re.sub(r"<!--.*?-->", "", source(game, language)).split()
    assert done.out.split() == words


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "nl_BE.UTF-8"}, "nl"),
        ({"LANG": "de_DE", "LC_MESSAGES": "fr_CA"}, "fr"),
        ({"LANG": "it_IT.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_is_the_environments(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], language: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert run("rules").out == run("rules", "board", "--lang", language).out


def test_on_a_terminal_the_rules_are_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    out = re.sub(r"\x1b\[[\d;]*m", "", run("rules", "stones", "--lang", "de").out)
    assert "# " not in out
    assert "<!--" not in out
    assert "Wunschstein" in out
    assert max(map(len, out.splitlines())) <= 80
