"""`keltis play` with piped input: whole games, commands, saving, and no hand but one's own."""

import json
import re
from pathlib import Path

import pytest

import keltis
from keltis import bots
from tests.cli.running import played, run, written

ONES = "1\n" * 3000
ALONE = ["--seat", "me", "--seat", "random"]  # against a bot that needs no time


def tables(out: str) -> int:
    return out.count("── Keltis")


# --- Whole games -------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize("players", ["2", "3", "4"])
def test_a_game_against_bots_goes_to_its_end(game: str, players: str) -> None:
    seats = ["--seat", "me"] + ["--seat", "random"] * (int(players) - 1)
    done = run("play", "--game", game, *seats, "--seed", "3", typed=ONES)
    assert (done.code, done.err) == (0, "")
    assert "with" in done.out.splitlines()[-2]
    assert re.search(r"won|tie", done.out)
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_game_at_one_keyboard_goes_to_its_end(game: str) -> None:
    done = run(
        "play", "--game", game, "--seat", "Ann=me", "--seat", "Ben=me", "--seed", "4", typed=ONES
    )
    assert (done.code, done.err) == (0, "")
    assert "Ann> 1" in done.out
    assert "Ben> 1" in done.out
    assert re.search(r"(Ann|Ben) won|tie", done.out)
    assert max(map(len, done.out.splitlines())) <= 80


def test_bots_play_alone_if_nobody_wants_to() -> None:
    done = run("play", "--seat", "random", "--seat", "random", "--seed", "1")
    assert done.code == 0
    assert "won" in done.out
    assert "hand " not in done.out


def test_bots_alone_are_cut_off_at_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keltis, "DECISION_CAP", 50)
    done = run("play", "--seat", "random", "--seat", "random", "--seed", "1")
    assert done.code == 0
    assert "cut off, so nobody has won" in done.out


def test_the_same_seed_plays_the_same_game() -> None:
    arguments = ["play", *ALONE, "--seed", "9"]
    typed = "1\n" * 60
    assert run(*arguments, typed=typed).out == run(*arguments, typed=typed).out


def test_without_options_it_is_the_board_game_against_the_best_bot() -> None:
    done = run("play", typed="quit\n")
    best = bots.LEVELS[-1].capitalize()
    assert done.out.startswith(f" You, {best}. Deal ")
    assert "R red" in done.out


def test_chance_can_decide_who_begins() -> None:
    first = {
        run(
            "play", "--shuffle-seats", "--seat", "me", "--seat", "random", "--seed", str(seed)
        ).out.partition(",")[0]
        for seed in range(8)
    }
    assert first == {" You", " Random"}


# --- What is typed -----------------------------------------------------------------------


def test_a_move_is_typed_as_a_token_or_a_number_in_any_case() -> None:
    by_token = run("play", "--seed", "3", "--seat", "me", "--seat", "me", typed="xR0\n")
    numbers = re.search(r"(\d+) xR0", by_token.out)
    assert numbers
    assert "Discarded red 0." in by_token.out
    by_number = run("play", "--seed", "3", "--seat", "me", "--seat", "me", typed=f"{numbers[1]}\n")
    assert "Discarded red 0." in by_number.out
    small = run("play", "--seed", "3", "--seat", "me", "--seat", "me", typed="Xr0\n")
    assert "Discarded red 0." in small.out


def test_a_whole_turn_fits_on_a_line() -> None:
    done = run("play", "--seed", "3", "--seat", "me", "--seat", "me", typed="R0 R* ? R7\n")
    for words in (
        "Laid red 0.",
        "Large figure onto the red path.",
        "Drew yellow 9.",
        "Not used: R7.",
    ):
        assert words in done.out
    assert "The input ended after 3 decisions" in done.out


def test_the_rest_of_a_line_is_dropped_at_the_first_illegal_move() -> None:
    done = run("play", "--seed", "3", "--seat", "me", "--seat", "me", typed="R0 ? R*\n")
    assert "First choose the figure that enters the red path" in done.out
    assert "The input ended after 1 decision;" in done.out


@pytest.mark.parametrize("word", ["R3", "0", "99", "9" * 5000, "foo", "x", "\x1b[2J", "<", "١"])
def test_what_is_no_legal_move_is_explained(word: str) -> None:
    done = run("play", *ALONE, "--seed", "3", typed=f"{word}\n")
    assert (done.code, done.err) == (0, "")
    assert "The input ended after 0 decisions" in done.out
    assert done.out.count("Lay or discard a card.") == 2
    assert "\x1b" not in done.out


def test_the_end_of_the_input_is_no_error() -> None:
    done = run("play", *ALONE, typed="")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("The input ended after 0 decisions; the game is not over.\n")


def test_quit_leaves_at_once_if_nobody_can_be_asked() -> None:
    done = run("play", typed="quit\nxR0\n")
    assert done.code == 0
    assert done.out.endswith("> quit\n")


def test_help_lists_moves_commands_and_signs() -> None:
    out = run("play", *ALONE, "--game", "stones", typed="help\n").out
    for word in ("turn a tile over", "undo", "why R7", "score", "save [FILE]", "quit", "clover"):
        assert word in out


def test_show_draws_the_table_again() -> None:
    assert tables(run("play", *ALONE, typed="show\n").out) == 2
    assert tables(run("play", *ALONE, typed="help\n").out) == 1


def test_why_tells_the_reason() -> None:
    out = run("play", *ALONE, "--seed", "3", typed="why R3\nwhy\nwhy ?\nwhy r0\nwhy 1\n").out
    assert "You do not hold red 3." in out
    assert "Say which move: why R7." in out
    assert "You draw at the end of your turn" in out
    assert out.count("R0 is allowed.") == 2


def test_score_adds_up() -> None:
    out = run("play", "--seed", "3", "--seat", "me", "--seat", "me", typed="R0 R* ?\nscore\n").out
    sheet = out[out.index(" Points collected") :].splitlines()
    assert sheet[1].split() == ["red", "on", "1*", "−8", "–"]
    assert sheet[7].split() == ["Total", "−12", "−4"]


# --- Taking back -------------------------------------------------------------------------


def test_undo_takes_back_ones_own_last_decision_and_what_bots_did_since() -> None:
    arguments = ["play", "--seed", "3", "--seat", "me", "--seat", "random"]
    out = run(*arguments, typed="xR0\n?\nundo\n?\n").out
    assert "Taken back: drew yellow 9." in out
    assert out.count("Drew yellow 9.") == 2


def test_undo_goes_back_to_the_beginning_and_no_further() -> None:
    out = run("play", *ALONE, "--seed", "3", typed="xR0\n?\nundo\nundo\nundo\n").out
    assert "Taken back: discarded red 0." in out
    assert "There is nothing to take back." in out
    assert out.endswith("The input ended after 0 decisions; the game is not over.\n")


def test_a_bots_first_turn_is_nothing_to_take_back() -> None:
    out = run("play", "--seat", "random", "--seat", "me", typed="undo\n").out
    assert "There is nothing to take back." in out


def test_the_last_move_of_a_game_can_be_taken_back(tmp_path: Path) -> None:
    game = played("stones", 1000)
    assert game.is_over
    game.undo()
    path = written(tmp_path, game, seats=["me", "me"])
    out = run("play", "--load", path, typed="1\nundo\n1\n").out
    assert out.count("The last tile was turned over.") == 2


# --- Saving and loading ------------------------------------------------------------------


@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_saved_game_goes_on_where_it_was(game: str, tmp_path: Path) -> None:
    path = tmp_path / "saved.json"
    first = run(
        "play", "--game", game, "--seat", "Ann=me", "--seat", "random", "--seed", "5",
        typed="1\n1\n1\n1\n1\nsave " + str(path) + "\nshow\n",
    )  # fmt: skip
    assert f"Saved: {path}" in first.out
    assert json.loads(path.read_text())["seats"] == ["me", "random"]
    second = run("play", "--load", path, typed="show\n")
    assert second.code == 0
    assert first.out.split("> show\n")[1] == second.out.split("> show\n")[1]


def test_a_game_saved_in_the_middle_of_a_turn_shows_the_table(tmp_path: Path) -> None:
    game = keltis.new_game("board", seed=3)
    game.play("xR0")
    done = run("play", "--load", written(tmp_path, game))
    assert tables(done.out) == 1
    assert "Draw a card." in done.out


def test_without_a_file_name_one_is_made_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("play", *ALONE, typed="save\nsave\n").code == 0
    files = list(tmp_path.iterdir())
    assert len(files) == 2
    assert all(re.fullmatch(r"keltis-board-\d{8}-\d{6}(-2)?\.json", file.name) for file in files)
    assert run("check", *files).code == 0


def test_save_overwrites_only_its_own_file(tmp_path: Path) -> None:
    own, other = tmp_path / "own.json", tmp_path / "other.json"
    other.write_text("precious")
    done = run("play", *ALONE, typed=f"save {own}\n1\nsave {own}\nsave {other}\nsave {tmp_path}\n")
    assert len(json.loads(own.read_text())["moves"]) == 1
    assert other.read_text() == "precious"
    assert "is there already: choose another name" in " ".join(done.out.split())
    assert done.err == ""


def test_a_finished_game_can_be_saved_and_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "over.json"
    game = written(tmp_path, played("stones", 1000))
    done = run("play", "--load", game, typed=f"score\nsave {path}\n")
    assert done.code == 0
    assert keltis.load(path).is_over


def test_seats_can_be_given_anew(tmp_path: Path) -> None:
    path = written(tmp_path, played("board", 30), seats=["me", "me"])
    done = run("play", "--load", path, "--seat", "random", "--seat", "random")
    assert re.search(r"won|tie", done.out)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"seats": ["me"]}, "seats: expected a list of 2"),
        ({"seats": "me"}, "seats: expected a list of 2"),
        ({"seats": ["me", "nobody"]}, "seats[1]: nobody by that name"),
        ({"seats": ["me", ["me"]]}, "seats[1]: nobody by that name"),
        ({"moves": ["R99"]}, 'moves[0]: "R99" is'),
        ({"format": "keltis-record/7"}, "format: expected"),
    ],
)
def test_a_bad_record_is_refused_with_the_place(
    tmp_path: Path, more: dict[str, object], message: str
) -> None:
    done = run("play", "--load", written(tmp_path, played("board", 4), **more))
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--game", "board"],
        ["--players", "2"],
        ["--end-stone-step", "may"],
        ["--edition", "french"],
        ["--piles", "top"],
        ["--shuffle-seats"],
        ["--seat", "me"],
        ["--seat", "Ann=me", "--seat", "Ben=me"],
    ],
)
def test_what_the_saved_game_decides_cannot_be_asked_for(
    tmp_path: Path, arguments: list[str]
) -> None:
    done = run("play", "--load", written(tmp_path, played("board", 4)), *arguments)
    assert done.code == 2
    assert done.err.count("\n") == 1


# --- Secrets -----------------------------------------------------------------------------


@pytest.mark.parametrize("decisions", [0, 40, 160])
@pytest.mark.parametrize("players", [2, 4])
def test_what_is_hidden_changes_nothing_that_is_shown(
    tmp_path: Path, decisions: int, players: int
) -> None:
    """Games that differ only in what the person can't know look the same, whatever is asked."""
    game = played("board", decisions, players)
    while game.seat != 0:
        game.play(game.legal_moves()[0])
    seats = ["me"] + ["random"] * (players - 1)
    typed = "show\nscore\nhelp\nwhy R3\nwhy <B\nfoo\n"
    outputs = {
        run("play", "--load", written(tmp_path, world, seats=seats), typed=typed).out
        for world in (game, *(keltis.resample(game.view(0), seed=seed) for seed in range(3)))
    }
    assert len(outputs) == 1


def test_a_bots_hidden_draws_are_not_told() -> None:
    done = run("play", "--seed", "3", "--seat", "me", "--seat", "Bot=random", typed=ONES)
    assert "Bot discarded" in done.out
    assert "drew a card" in done.out
    assert not re.search(r"Bot .*drew (?!a card)", done.out)
    assert "hand 2" not in done.out


def test_names_cannot_command_the_terminal(tmp_path: Path) -> None:
    game = keltis.new_game("board", names=["\x1b[31mEve\x07\n", "x" * 200], seed=1)
    done = run("play", "--load", written(tmp_path, game), typed="score\n")
    assert "\x1b" not in done.out
    assert "\x07" not in done.out
    assert max(map(len, done.out.splitlines())) <= 80


# --- Colour ------------------------------------------------------------------------------


def test_piped_output_is_plain() -> None:
    assert "\x1b" not in run("play", *ALONE, typed="1\n").out


def test_colours_are_shown_on_a_terminal_unless_unwanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    coloured = re.compile(r"\x1b\[[\d;]*3[1-6]m|\x1b\[[\d;]*9\dm")
    with_colour = run("play", *ALONE, "--seed", "3", typed="1\n").out
    assert coloured.search(with_colour)
    monkeypatch.setenv("NO_COLOR", "1")
    without = run("play", *ALONE, "--seed", "3", typed="1\n").out
    assert not coloured.search(without)
    strip = re.compile(r"\x1b\[[\d;]*m")
    assert strip.sub("", without) == strip.sub("", with_colour)
