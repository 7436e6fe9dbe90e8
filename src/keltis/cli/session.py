"""A game in the terminal from the first decision to the last: show, ask, play."""

from __future__ import annotations

import contextlib
import json
import os
import re
import textwrap
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import keltis
from keltis.cli import draw, files, menu
from keltis.cli.failure import Failure, plain, unwritable
from keltis.cli.story import Story
from keltis.cli.terminal import WIDTH, Lines, console, cover, waiting
from keltis.cli.words import refusal, sentence, t
from keltis.game.errors import quoted
from keltis.game.tokens import BOARD

if TYPE_CHECKING:
    from rich.text import Text

    from keltis import Game
    from keltis.bots import Bot


_PATIENCE = 3  # questions that an input which has ended leaves without an answer
_BEGINNINGS = ("card", "turn", "further")  # phases in which one looks at the whole table


class _Leave(Exception):
    """Nobody wants to go on, or nobody is there any more."""


class Session:
    def __init__(
        self,
        game: Game,
        kinds: Sequence[str],
        seats: Sequence[Bot | None],
        *,
        deal: int | None,
        file: Path | None,
    ) -> None:
        """`kinds` names who sits where, for saving; `seats` has None where a person sits."""
        self._story = Story(game)
        self._kinds = list(kinds)
        self._seats = seats
        self._deal = deal
        self._own_files = {file.resolve()} if file else set()
        self._saved = game.moves if file else []
        self._console = console()
        self._width = min(self._console.width, WIDTH)
        self._lines = Lines()
        self._typed: list[str] = []  # moves typed ahead on one line
        self._hand_shown: int | None = None  # whose cards can be read on the screen
        self._drawn_at: int | None = None  # after how many decisions the table was drawn

    @property
    def _game(self) -> Game:
        return self._story.game

    def run(self) -> None:
        self._introduce()
        try:
            while True:
                try:
                    self._go_on()
                except KeyboardInterrupt:
                    if not self._lines.from_person:
                        raise
                    print()
                    with contextlib.suppress(_Leave):
                        self._quit()
                    raise
        except _Leave:
            pass

    def _go_on(self) -> None:
        while not self._game.is_over:
            self._decide()
        self._finish()

    # --- Showing --------------------------------------------------------------------------

    def _print(self, *lines: Text | str) -> None:
        for line in lines:
            self._console.print(line, soft_wrap=True)

    def _say(self, words: str) -> None:
        """A sentence of any length, with a capital and a full stop."""
        lines = textwrap.wrap(sentence(plain(words)), self._width - 1, break_on_hyphens=False)
        self._print(*(f" {line}" for line in lines))

    def _say_of_file(self, words: str) -> None:
        """A sentence with the name of a file, whose letters and spaces stay as they are."""
        self._print(f" {plain(words)}")

    def _introduce(self) -> None:
        players = ", ".join(draw.name(self._game.view(None), s) for s in range(len(self._seats)))
        again = "" if self._deal is None else t("intro.deal", n=str(self._deal)) + " "
        self._say(f"{players}. {again}{t('intro.help')}")
        self._print(*menu.legend(self._game.game, self._width), "")

    def _people(self) -> list[int]:
        return [seat for seat, bot in enumerate(self._seats) if bot is None]

    def _viewer(self, seat: int | None) -> int | None:
        """Whose eyes the table is drawn for: a lone person's own, else the asked seat's."""
        people = self._people()
        return people[0] if len(people) == 1 else seat if seat in people else None

    def _draw_table(self, seat: int | None) -> None:
        viewer = self._viewer(seat)
        view = self._game.view(viewer)
        turns = self._story.turns()
        under_way = bool(turns) and turns[-1].seat == view["seat"]
        number = len(turns) + (0 if under_way or self._game.is_over else 1)
        self._print(*draw.table(view, number, self._width))
        self._print(*self._news(viewer))
        if hand := view.get("hand"):
            self._print(*draw.hand(t("label.hand"), hand, self._width))

    def _news(self, viewer: int | None) -> list[Text]:
        """What was done in the last round."""
        recent = self._story.turns()[-len(self._seats) :]
        return draw.moves(self._game.view(None), recent, viewer, self._width)

    # --- Asking ---------------------------------------------------------------------------

    def _decide(self) -> None:
        seat = self._game.seat
        assert seat is not None  # the game is running
        bot = self._seats[seat]
        if bot is None:
            self._ask(seat)
        else:
            self._let(bot, seat)
        if not self._people() and len(self._story.deeds) >= keltis.DECISION_CAP:
            self._game.cut_off()

    def _let(self, bot: Bot, seat: int) -> None:
        view = self._game.view(seat)
        with waiting(t("thinking", name=draw.name(view, seat))):
            try:
                token = bot.choose(view)
            except (Exception, SystemExit) as fault:
                if "KELTIS_TRACEBACK" in os.environ:
                    raise
                words = f"{type(fault).__name__}: {fault}"
                raise Failure(t("fault.bot.failed", name=self._kinds[seat], fault=words)) from None
        try:
            self._story.play(token)
        except keltis.IllegalMove:
            raise Failure(t("fault.bot", name=self._kinds[seat], move=quoted(token))) from None

    def _ask(self, seat: int) -> None:
        """Show what there is to see and read one line, unless moves were typed ahead."""
        if not self._typed:
            self._hand_over(seat)
            view = self._game.view(seat)
            new = self._drawn_at != len(self._story.deeds) and view["phase"] in _BEGINNINGS
            if new or self._drawn_at is None:
                self._draw_table(seat)
                self._drawn_at = len(self._story.deeds)
            self._print(f" {menu.question(view)}", *menu.choices(view, self._width))
            line = self._read(f"{draw.name(view, seat)}> ")
            if self._obey(line, seat):
                return
            self._typed = line.split()
        if self._typed:
            self._try(self._typed.pop(0), seat)

    def _read(self, prompt: str) -> str:
        """A line; leaves the game where there is none any more."""
        line = self._lines.next(prompt)
        if line is None:
            if self._lines.from_person:
                self._quit()
            if not self._game.is_over:
                self._say(t("input.ended", n=len(self._story.deeds)))
            raise _Leave
        if menu.command(line) == "quit":
            self._quit()
        return line

    def _quit(self) -> None:
        """Leave; before that, ask until what is not saved is saved or given up in words."""
        unanswered = 0
        while self._lines.from_person and self._game.moves != self._saved:
            line = self._lines.next(t("save.ask"))
            unanswered = unanswered + 1 if line is None else 0
            wanted = None if line is None else menu.answer(line)
            if wanted is False:
                break
            if wanted:
                self._save("")
            elif line and re.search(r"[./\\]", line):
                self._save(line)
            elif unanswered < _PATIENCE:
                self._say(t("save.answers"))
            else:  # nobody is there any more
                self._save("")
                break
        raise _Leave

    def _hand_over(self, seat: int) -> None:
        """Between two people at one screen, see to it that each sees only their own hand."""
        if self._hand_shown == seat:
            return
        view = self._game.view(None)
        secret = "hand" in view and len(self._people()) > 1
        if secret and self._lines.from_person:
            name = draw.name(view, seat)
            if self._hand_shown is not None:
                self._read(t("cover.mine"))
                cover()
            self._read(t("cover.next", name=name))
        self._hand_shown = seat

    def _try(self, word: str, seat: int) -> None:
        """Play a move, given as its token or its number in the menu."""
        legal = self._game.legal_moves()
        token = _token(word, legal)
        try:
            deed = self._story.play(token)
        except keltis.IllegalMove:
            self._typed = []
            self._say(self._refusal(token) or "")
            return
        self._say(deed.told_to(seat))
        if self._typed and self._game.seat != seat:
            self._say(t("unused", moves=" ".join(self._typed)))
            self._typed = []

    # --- Commands -------------------------------------------------------------------------

    def _obey(self, line: str, seat: int | None) -> bool:
        """Carry out a command; tell whether the line was one."""
        word, _, rest = line.partition(" ")
        match menu.command(word):
            case "show":
                self._drawn_at = None
                if self._game.is_over:
                    self._draw_table(None)
            case "help":
                self._help()
            case "score":
                self._print(*draw.scores(self._game.view(None), self._width))
            case "why":
                self._why(rest.strip())
            case "undo":
                self._undo(seat)
            case "save":
                self._save(rest.strip())
            case _:
                return False
        return True

    def _help(self) -> None:
        game = self._game.game
        self._print(*menu.tokens(game), *menu.commands(), *menu.legend(game, self._width))
        self._say(t("tokens.note"))

    def _why(self, word: str) -> None:
        if not word:
            self._say(t("why.which"))
            return
        token = _token(word, self._game.legal_moves())
        self._say(self._refusal(token) or t("why.allowed", move=token))

    def _refusal(self, token: str) -> str | None:
        """Why a move may not be played, in words; None if it may."""
        reason = self._game.refusal(token)
        return refusal(reason) if reason else None

    def _undo(self, seat: int | None) -> None:
        """Take back the last decision that a person took, and what bots did after it."""
        people = self._people()
        if not any(deed.seat in people for deed in self._story.deeds):
            self._say(t("undo.none"))
            return
        while (deed := self._story.undo()).seat not in people:
            pass
        self._drawn_at = None
        self._say(t("undo.done", words=deed.told_to(self._viewer(seat))))

    def _save(self, name: str) -> None:
        path = Path(os.path.expanduser(name)) if name else _fresh(self._game.game)
        record: dict[str, Any] = self._game.record() | {"seats": self._kinds}
        try:
            own = path.resolve() in self._own_files
            files.write(path, json.dumps(record, ensure_ascii=False) + "\n", overwrite=own)
        except FileExistsError:
            self._say_of_file(t("save.exists", file=path))
        except (OSError, ValueError) as fault:
            self._say_of_file(unwritable(path, fault))
        else:
            self._own_files.add(path.resolve())
            self._saved = self._game.moves
            self._say_of_file(t("saved", file=path))

    # --- The end --------------------------------------------------------------------------

    def _finish(self) -> None:
        """Show how it ended; somebody may still look, save, or take the last move back."""
        self._typed = []
        self._draw_table(None)
        view = self._game.view(None)
        self._print("", *draw.scores(view, self._width))
        self._say(draw.outcome(view))
        while self._game.is_over:
            line = self._read(t("last.ask"))
            if self._obey(line, None):
                continue
            if not self._lines.from_person:
                raise _Leave
            self._say(t("last.unknown"))


def _token(word: str, legal: Sequence[str]) -> str:
    """The token that somebody means: a number in the menu, or a token in any mix of case."""
    if re.fullmatch("[0-9]{1,3}", word) and 1 <= int(word) <= len(legal):
        return legal[int(word) - 1]
    return next((token for token in BOARD if token.lower() == word.lower()), word)


def _fresh(game: str) -> Path:
    """The name of a file that does not exist yet."""
    stem = f"keltis-{game}-{time.strftime('%Y%m%d-%H%M%S')}"
    path = Path(f"{stem}.json")
    number = 2
    while path.exists():
        path = Path(f"{stem}-{number}.json")
        number += 1
    return path
