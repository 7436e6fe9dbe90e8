"""`keltis play` on a real terminal: prompts, covered hands, Ctrl-C."""

import contextlib
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import keltis
from tests.cli.running import played, written

pty = pytest.importorskip("pty", reason="pseudo-terminals are of Unix")
pytestmark = pytest.mark.slow

CLEAR = "\x1b[H\x1b[2J\x1b[3J"
PATIENCE = 120  # seconds: the first start ever compiles the rules


class Terminal:
    """A program at a terminal of 80 columns, and somebody who types."""

    def __init__(self, *arguments: str, folder: Path) -> None:
        self._master, slave = pty.openpty()
        environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "50"}
        environment.pop("NO_COLOR", None)
        self.program = subprocess.Popen(
            [sys.executable, "-m", "keltis", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env=environment,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(slave)
        self.seen = ""
        self._read_to = 0

    def expect(self, text: str) -> str:
        """What comes up to a text and with it."""
        end = time.monotonic() + PATIENCE
        while (at := self.seen.find(text, self._read_to)) < 0:
            assert time.monotonic() < end, f"{text!r} did not come: {self.seen[self._read_to :]!r}"
            if not self._take():
                raise AssertionError(f"{text!r} did not come: {self.seen[self._read_to :]!r}")
        new = self.seen[self._read_to : at + len(text)]
        self._read_to = at + len(text)
        return new

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def interrupt(self, until: str) -> None:
        """Press Ctrl-C, as often as a person would, until a text comes.

        Python drops a Ctrl-C that comes in the moment between a prompt and the wait for a key.
        """
        end = time.monotonic() + PATIENCE
        while until not in self.seen[self._read_to :]:
            assert time.monotonic() < end, f"{until!r} did not come: {self.seen[self._read_to :]!r}"
            self.type("\x03")
            pause = time.monotonic() + 10
            while until not in self.seen[self._read_to :] and time.monotonic() < pause:
                if select.select([self._master], [], [], 0.1)[0] and not self._take():
                    raise AssertionError(f"it ended without {until!r}: {self.seen[-500:]!r}")
        self.expect(until)

    def end(self) -> int:
        while self._take():
            pass
        return self.program.wait(PATIENCE)

    def close(self) -> None:
        self.program.kill()
        self.program.wait()
        os.close(self._master)

    def _take(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], PATIENCE)
        assert ready, f"nothing came any more: {self.seen[-500:]!r}"
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the program has closed its end
            return False
        self.seen += data.decode("utf-8", "replace")
        return bool(data)


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@contextlib.contextmanager
def terminal(*arguments: str, folder: Path) -> Iterator[Terminal]:
    at = Terminal(*arguments, folder=folder)
    try:
        yield at
    finally:
        at.close()


def hand(screen: str) -> str:
    """The hand that is shown last, without its colours."""
    plain = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", screen)
    return str(re.findall(r"^ hand +(.*?)\s*$", plain, re.MULTILINE)[-1])


def test_hands_are_covered_between_two_people(tmp_path: Path) -> None:
    with terminal(
        "play", "--seat", "Ann=me", "--seat", "Ben=me", "--seed", "3", folder=tmp_path
    ) as at:
        start = at.expect("Ann, it is your turn: press Enter to see your cards. ")
        assert " hand " not in start
        at.type("\n")
        anns = hand(at.expect("Ann> "))
        assert anns.startswith("R0 R6 R7")
        at.type("xR0 ?\n")
        assert "Drew yellow 9." in at.expect("Press Enter to cover your cards. ")
        at.type("\n")
        covered = at.expect("Ben, it is your turn: press Enter to see your cards. ")
        assert CLEAR in covered
        assert " hand " not in covered.partition(CLEAR)[2]
        at.type("\n")
        bens = at.expect("Ben> ")
        assert hand(bens) != anns
        assert "yellow 9" not in bens
        at.type("undo\n")
        undone = at.expect("Press Enter to cover your cards. ")
        assert "Taken back: drew a card." in undone
        assert "yellow 9" not in undone
        at.type("\n")
        assert CLEAR in at.expect("Ann, it is your turn")
        at.type("\n")
        at.expect("Draw a card.")
        at.type("quit\n")
        at.expect("Save the game first?")
        at.type("y\n")
        at.expect("Saved: keltis-board-")
        assert at.end() == 0
    assert len(list(tmp_path.glob("keltis-board-*.json"))) == 1


def test_a_lone_person_is_not_asked_to_cover_anything(tmp_path: Path) -> None:
    with terminal("play", "--seed", "3", "--seat", "me", "--seat", "random", folder=tmp_path) as at:
        at.expect("You> ")
        at.type("xR0 ?\n")
        shown = at.expect("You> ")
        assert "\x1b[31m" in shown or "\x1b[1;31m" in shown
        at.type("quit\n")
        at.expect("Save the game first?")
        at.type("no\n")
        assert at.end() == 0
        assert CLEAR not in at.seen
        assert "press Enter" not in at.seen
    assert list(tmp_path.iterdir()) == []


ALONE = ["--seed", "3", "--seat", "me", "--seat", "random"]
QUESTION = "Save the game first? (yes, no, or a file name) "


def test_ctrl_c_offers_to_save_and_a_second_one_leaves(tmp_path: Path) -> None:
    with terminal("play", *ALONE, folder=tmp_path) as at:
        at.expect("You> ")
        at.type("xR0\n")
        at.expect("You> ")
        at.interrupt(until=QUESTION)
        at.interrupt(until="keltis: interrupted")
        assert at.end() == 130
        assert "Traceback" not in at.seen
        assert at.seen.rstrip().endswith("keltis: interrupted")


def test_ctrl_c_and_an_answer_leave_with_130_too(tmp_path: Path) -> None:
    with terminal("play", *ALONE, folder=tmp_path) as at:
        at.expect("You> ")
        at.type("xR0\n")
        at.expect("You> ")
        at.interrupt(until=QUESTION)
        at.type("game.json\n")
        at.expect("Saved: game.json")
        assert at.end() == 130
    assert (tmp_path / "game.json").is_file()


def test_the_question_is_asked_until_the_game_is_saved(tmp_path: Path) -> None:
    (tmp_path / "taken.json").write_text("precious")
    with terminal("play", *ALONE, folder=tmp_path) as at:
        at.expect("You> ")
        at.type("xR0\n")
        at.expect("You> ")
        at.type("quit\n")
        at.expect(QUESTION)
        for answer, words in {
            "taken.json": "taken.json is there already",
            "no/such/folder.json": "no/such/folder.json: there is no such folder",
            "": "Type yes, no, or a file name such as game.json.",
            "nno": "Type yes, no, or a file name such as game.json.",
            "\x04": "Type yes, no, or a file name such as game.json.",
        }.items():
            at.type(answer if answer == "\x04" else f"{answer}\n")
            at.expect(words)
            at.expect(QUESTION)
        at.type("mine.json\n")
        at.expect("Saved: mine.json")
        assert at.end() == 0
    assert (tmp_path / "taken.json").read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.json", "taken.json"]


def test_the_game_can_be_given_up_in_words(tmp_path: Path) -> None:
    with terminal("play", *ALONE, folder=tmp_path) as at:
        at.expect("You> ")
        at.type("xR0\n")
        at.expect("You> ")
        at.type("quit\n")
        at.expect(QUESTION)
        at.type("No\n")
        assert at.end() == 0
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_asked_where_nothing_was_decided(tmp_path: Path) -> None:
    for typed in ("quit\n", "\x04"):
        with terminal("play", "--game", "stones", folder=tmp_path) as at:
            at.expect("You> ")
            at.type(typed)
            assert at.end() == 0
            assert QUESTION not in at.seen


def test_ctrl_d_asks_before_it_leaves(tmp_path: Path) -> None:
    with terminal("play", *ALONE, folder=tmp_path) as at:
        at.expect("You> ")
        at.type("xR0\n")
        at.expect("You> ")
        at.type("\x04")
        at.expect(QUESTION)
        at.type("yes\n")
        at.expect("Saved: keltis-board-")
        assert at.end() == 0
    assert len(list(tmp_path.glob("keltis-board-*.json"))) == 1


def test_where_nobody_answers_any_more_the_game_is_saved(tmp_path: Path) -> None:
    """An input that has ended gives no answer however often it is asked."""
    with terminal("play", *ALONE, folder=tmp_path) as at:
        at.expect("You> ")
        at.type("xR0\n")
        at.expect("You> ")
        at.type("\x04")
        for _ in range(3):
            at.expect(QUESTION)
            at.type("\x04")
        at.expect("Saved: keltis-board-")
        assert at.end() == 0
    assert len(list(tmp_path.glob("keltis-board-*.json"))) == 1


def test_a_typo_at_the_last_question_does_not_lose_the_game(tmp_path: Path) -> None:
    game = played("stones", 1000)
    game.undo()
    file = written(tmp_path, game, seats=["me", "me"])
    with terminal("play", "--load", file.name, folder=tmp_path) as at:
        at.expect("> ")
        at.type("1\n")
        at.expect("save, undo, score or quit> ")
        for typo in ("sav", "R7", "1", ""):
            at.type(f"{typo}\n")
            at.expect("save, undo, score or quit> ")
        at.type("\x04")
        at.expect(QUESTION)
        at.type("over.json\n")
        at.expect("Saved: over.json")
        assert at.end() == 0
    assert keltis.load(tmp_path / "over.json").is_over


# --- Ctrl-C, everywhere ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "waits"),
    [
        ("play --seat druid --seat druid", "is thinking"),
        ("play --seat Ann=me --seat Ben=me", "press Enter"),
        ("replay game.json --step", "q quits> "),
        ("check game.json -", "still running"),
        ("simulate --games 900000000", "random games"),
        ("arena heuristic random --games 900000", "wins"),
        ("arena heuristic random --games 900000 --workers 1", "wins"),
        ("arena heuristic random --games 900000 --round-robin", "wins"),
        ("serve --port 0 --database tables.db", "Keltis is ready at"),
    ],
)
def test_ctrl_c_exits_130(command: str, waits: str, tmp_path: Path) -> None:
    written(tmp_path, played("board", 30)).rename(tmp_path / "game.json")
    with terminal(*command.split(), folder=tmp_path) as at:
        at.expect(waits)
        at.interrupt(until="keltis: interrupted")
        assert at.end() == 130
        assert "Traceback" not in at.seen


def test_ctrl_c_exits_130_before_anything_is_loaded(tmp_path: Path) -> None:
    program = (
        "import signal, sys, builtins, keltis.cli\n"
        "true_import = builtins.__import__\n"
        "def slow(name, *rest):\n"
        "    if name == 'typer': signal.raise_signal(signal.SIGINT)\n"
        "    return true_import(name, *rest)\n"
        "builtins.__import__ = slow\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "keltis.cli.main(['rules'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (130, "keltis: interrupted\n")


def test_simulate_shows_how_long_it_still_takes(tmp_path: Path) -> None:
    with terminal("simulate", "--games", "20000", folder=tmp_path) as at:
        at.expect("random games")
        at.expect("Who begins")
        assert at.end() == 0
        assert "%" in at.seen
