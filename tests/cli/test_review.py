"""`keltis review`: the graph, the sum and the lessons."""

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import keltis
from keltis import reviews
from keltis.cli import words
from keltis.cli.review import move_words, reason_words
from keltis.cli.words import LANGUAGES
from keltis.reviews import runs
from keltis.reviews.kinds import KINDS, positions
from tests.cli.running import played, run, written
from tests.reviews.games import heuristic_record


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A game in which much went wrong, so that there is something to say."""
    return written(tmp_path, played("board", 10_000, seed=3))


def test_it_prints_a_graph_a_sum_and_lessons(file: Path) -> None:
    done = run("review", file, "--budget", "0")
    assert (done.code, done.err) == (0, "")
    assert "100 %│" in done.out
    assert "  0 %│" in done.out
    for label in ("luck in drawing", "decisions", "rest", "result", "lost per decision"):
        assert f" {label}" in done.out
    (like,) = re.findall(r" plays like +(.*)", done.out)
    told = {f"≥ {name}" if name == "Raven" else name for name in ("Fawn", "Hare", "Fox", "Raven")}
    assert set(re.split(r" {2,}", like)) <= told
    assert done.out.count("Perhaps better:") == 6
    assert max(map(len, done.out.splitlines())) <= 80


def test_the_sum_that_is_printed_adds_up(file: Path) -> None:
    """Also after rounding, in points and in percent."""
    done = run("review", file, "--budget", "0")
    lines = done.out.replace("−", "-").splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith(" any start"))
    rows = [re.findall(r"([+-]?[\d.]+) +([+-]?\d+) %", line) for line in lines[first : first + 8]]
    assert [len(row) for row in rows] == [2] * 8
    for seat in (0, 1):
        for part in (0, 1):
            *parts, result = [Decimal(row[seat][part]) for row in rows]
            assert sum(parts) == result
    assert len({row[0][0] for row in rows}) > 4


def test_par_is_told_beside_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a quick bot in the place of the strongest."""
    monkeypatch.setattr(runs, "STRONGEST", "fox")
    one = keltis.load(file)
    expected = reviews.par(one, 1, 3)
    done = run("review", file, "--budget", "0", "--seat", "2", "--par", "3", "--json")
    assert json.loads(done.out)["par"] == [{"seat": 1, "leads": expected}]
    done = run("review", file, "--budget", "0", "--par", "2")
    (line,) = [line for line in done.out.splitlines() if line.startswith(" Druid in this seat")]
    told = re.findall(r"\(([+−]?\d+)…([+−]?\d+)\)", line)
    leads = [reviews.par(one, seat, 2) for seat in (0, 1)]
    shown = [[int(end.replace("−", "-")) for end in ends] for ends in told]
    assert shown == [[min(each), max(each)] for each in leads]


def test_who_gave_up_has_lost(tmp_path: Path) -> None:
    one = played("stones", 20)
    one.cut_off()
    file = tmp_path / "given-up.json"
    file.write_text(json.dumps({**one.record(), "resigned": [0]}))
    out = run("review", file, "--budget", "0").out
    (result,) = [line for line in out.splitlines() if line.startswith(" result")]
    assert re.findall(r"(\d+) %", result) == ["0", "100"]


def test_one_player_is_reviewed_alone(file: Path) -> None:
    done = run("review", file, "--seat", "2", "--budget", "2000")
    assert done.code == 0
    assert "Player 2: what cost most" in done.out or "Player 2: no decision" in done.out
    assert "Player 1: what cost most" not in done.out
    assert "Perhaps better" not in done.out


def test_json_is_the_review(file: Path) -> None:
    done = run("review", file, "--json", "--budget", "0")
    assert json.loads(done.out) == reviews.network_review(file)
    assert done.out.count("\n") == 1


def test_a_picture_is_written(file: Path, tmp_path: Path) -> None:
    picture = tmp_path / "review.svg"
    assert run("review", file, "--budget", "0", "--out", picture).code == 0
    assert picture.read_text("utf-8") == reviews.network_review(file).svg()
    lost = tmp_path / "no" / "review.svg"
    done = run("review", file, "--budget", "0", "--out", lost)
    assert (done.code, done.out) == (2, "")
    assert "there is no such folder" in done.err


def test_a_game_that_runs_has_a_review_without_a_sum(tmp_path: Path) -> None:
    for moves in (0, 1, 20):
        done = run("review", written(tmp_path, played("stones", moves)), "--budget", "0")
        assert done.code == 0
        assert "The game is not over" in done.out


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--seat", "3"], "--seat 3: expected a player from 1 to 2"),
        (["--seat", "0"], "1 at least"),
        (["--budget", "-1"], "0 at least"),
        (["--seed", "x"], "a whole number"),
    ],
)
def test_wrong_options_are_told_in_a_line(file: Path, arguments: list[str], fault: str) -> None:
    done = run("review", file, *arguments)
    assert (done.code, done.out) == (2, "")
    assert fault in done.err
    assert done.err.count("\n") == 1


def test_faults_in_a_record_are_told_in_a_line(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(played("board", 9).record() | {"moves": ["R11"]}))
    done = run("review", bad)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"keltis: {bad}: moves[0]")
    assert run("review", tmp_path / "none.json").code == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_four_languages(file: Path, language: str) -> None:
    done = run("review", file, "--budget", "0", "--lang", language)
    assert (done.code, done.err) == (0, "")
    words.use(language)
    try:
        for key in ("review.graph", "review.rest", "review.skill"):
            assert words.t(key) in done.out
    finally:
        words.use("en")
    assert max(map(len, done.out.splitlines())) <= 80


PARTS = [
    {"of": "G", "points": 3.12, "error": 0.04},
    {"of": "other", "seat": 1, "name": "Ben", "points": 1.5, "error": 0.2},
    {"of": "Y", "points": -1.0, "error": 0},
]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "means 3.1 ± 0.1 points more in green and 1.5 ± 0.2 points less for Ben, "
               "but 1.0 points less in yellow."),
        ("de", "bedeutet der bessere Zug 3,1 ± 0,1 Punkte mehr in Grün und "
               "1,5 ± 0,2 Punkte weniger für Ben, aber 1,0 Punkte weniger in Gelb."),
        ("fr", "donne avec le meilleur coup 3,1 ± 0,1 points de plus en vert et "
               "1,5 ± 0,2 point de moins pour Ben, mais 1,0 point de moins en jaune."),
        ("nl", "betekent de betere zet 3,1 ± 0,1 punten meer in groen en "
               "1,5 ± 0,2 punten minder voor Ben, maar 1,0 punten minder in geel."),
    ],
)  # fmt: skip
def test_where_points_come_from_is_a_sentence(language: str, said: str) -> None:
    words.use(language)
    try:
        assert reason_words({"key": "gains", "values": {"parts": PARTS}}).endswith(said)
    finally:
        words.use("en")


def test_one_point_is_no_points() -> None:
    step = {"colour": "R", "stone": 4, "tile": "2", "points": 1}
    assert reason_words({"key": "step", "values": step}) == (
        "That leads to stone 4 on the red path: +1 point, and a tile of 2 points."
    )
    assert reason_words({"key": "wish", "values": {"n": 0, "points": 1}}).endswith("worth 1 point.")


@pytest.mark.parametrize(
    ("points", "error", "wins", "said"),
    [
        (2.0, 0.31, 0.1, "It cost 2.0 ± 0.3 points and 10 % of the chance to win"),
        (2.0, 0.0, 0.004, "It cost 2.0 points"),  # the game was lost or won all the same
        (0.04, 0.3, 0.17, "It cost 17 % of the chance to win"),
        (0.0, 0.3, 0.0, "It cost 0.0 ± 0.3 points"),
    ],
)
def test_what_is_nothing_is_not_told(points: float, error: float, wins: float, said: str) -> None:
    values = {"points": points, "error": error, "wins": wins, "worlds": 820}
    assert reason_words({"key": "cost", "values": values}) == f"{said} (820 possible deals)."


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["Points ahead at that time: 1.", "Points behind at that time: 3.",
                "The scores were level at that time."]),
        ("de", ["Der Vorsprung war da 1 Punkt.", "Der Rückstand war da 3 Punkte.",
                "Da stand es unentschieden."]),
        ("fr", ["L’avance était alors de 1 point.", "Le retard était alors de 3 points.",
                "Les scores étaient alors à égalité."]),
        ("nl", ["De voorsprong was toen 1 punt.", "De achterstand was toen 3 punten.",
                "De stand was toen gelijk."]),
    ],
)  # fmt: skip
def test_a_lead_is_told_by_its_size(language: str, said: list[str]) -> None:
    words.use(language)
    try:
        told = [reason_words({"key": "ahead", "values": {"points": n}}) for n in (1, -3, 0)]
    finally:
        words.use("en")
    assert told == said


def test_a_tile_that_was_left_has_its_name() -> None:
    one = played("stones", 0)
    one.play("?")
    view: dict[str, Any] = dict(one.view(one.seat))
    tile = words.card_name(view["tile"])
    assert move_words(view, "-") == f"leave {tile} lying open"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_and_every_move_has_words(language: str) -> None:
    """For all decisions of a few games, as if each had been a mistake."""
    words.use(language)
    try:
        said = set()
        for game in ("board", "stones"):
            one = keltis.load(heuristic_record(game, 3))
            review = reviews.network_review(one)
            chosen = [each for each in review["decisions"] if not each["forced"]][::3]
            for decision, table in positions(one, chosen):
                view = table.view(decision["seat"])
                for move in view["legal_moves"]:
                    assert "{" not in move_words(view, move)
            for lesson in review["lessons"].values():
                assert lesson["kind"] in KINDS
                said |= {reason_words(reason) for reason in lesson["reasons"]}
        assert said
        assert not any("{" in text or "None" in text for text in said)
    finally:
        words.use("en")
