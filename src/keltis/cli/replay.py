"""`keltis replay`: a saved game printed turn by turn, or stepped through."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Collection
from typing import TYPE_CHECKING, Literal

from keltis.cli import draw, files
from keltis.cli.failure import Failure
from keltis.cli.story import Story, Turn
from keltis.cli.terminal import WIDTH, Lines, console
from keltis.cli.words import t

if TYPE_CHECKING:
    from rich.text import Text

    from keltis import Game

Viewer = int | Literal["all"] | None  # a seat, "all", or None for what is public


def replay(source: str, *, step: bool, turn: int | None, view: str) -> None:
    if step and source == "-":
        raise Failure(t("fault.step.input"))
    game = files.game(files.read(source), source)
    show = Replay(game, viewer_of(view, len(game.players)))
    if turn is not None and turn > show.last:
        raise Failure(t("fault.turn", turn=turn, n=show.last))
    if step:
        show.step(turn or 0)
    elif turn is not None:
        show.table(turn)
    else:
        show.whole()


def viewer_of(view: str, players: int) -> Viewer:
    if view == "all":
        return "all"
    if view == "public":
        return None
    numbers = [str(seat + 1) for seat in range(players)]
    if view in numbers:
        return numbers.index(view)
    raise Failure(t("fault.view", view=view, n=players))


class Replay:
    """A game, told to a viewer; hands that are `hidden` are shown to nobody."""

    def __init__(self, game: Game, viewer: Viewer, hidden: Collection[int] = ()) -> None:
        self._hidden = hidden
        self._story = Story(game)
        self._viewer = viewer
        self._turns = self._story.turns()
        self._console = console()
        self._width = min(self._console.width, WIDTH)
        self._cut_off = game.reason == "cut off"

    @property
    def game(self) -> Game:
        """The game as it is shown."""
        return self._story.game

    @property
    def last(self) -> int:
        return len(self._turns)

    def _print(self, *lines: Text | str) -> None:
        for line in lines:
            self._console.print(line, soft_wrap=True)

    def whole(self) -> None:
        """Every turn in a line, then the table and the score."""
        view = self._story.game.view(None)
        names = [f"{seat + 1} {draw.name(view, seat)}" for seat in range(len(view["players"]))]
        self._print(", ".join(names))
        for seat, hand in self._hands():
            self._print(*draw.hand(t("label.dealt", n=seat + 1), hand, self._width))
        for number, turn in enumerate(self._turns, start=1):
            self._print(*self._line(number, turn))
        self._print("")
        self.table(self.last)

    def _hands(self, *, dealt: bool = True) -> list[tuple[int, list[str]]]:
        """The hands that the viewer may see, as dealt or as they are."""
        game = self._story.game
        if self._viewer is None:
            return []
        seats = range(len(game.players)) if self._viewer == "all" else [int(self._viewer)]
        if game.game != "board":
            return []
        views = [(seat, game.view(seat)) for seat in seats if seat not in self._hidden]
        return [
            (seat, view["setup"]["hand"] if dealt else view["hand"] or []) for seat, view in views
        ]

    def _line(self, number: int, turn: Turn) -> list[Text]:
        return draw.numbered(number, turn, self._viewer, self._width)

    def table(self, number: int) -> None:
        """The table after some turns, and the turn that led there."""
        self.go_to(number)
        game = self._story.game
        seat = self._viewer if isinstance(self._viewer, int) else None
        view = game.view(None if seat in self._hidden else seat)
        self._print(*draw.table(view, number, self._width))
        for player, hand in self._hands(dealt=False):
            self._print(*draw.hand(t("label.hand.of", n=player + 1), hand, self._width))
        if number > 0:
            self._print(*self._line(number, self._turns[number - 1]))
        if game.is_over:
            outcome = textwrap.wrap(draw.outcome(view), self._width - 1)
            self._print("", *draw.scores(view, self._width), *(f" {line}" for line in outcome))

    def go_to(self, number: int) -> None:
        """Bring the game to where it was after some turns."""
        deeds = [deed for turn in self._turns[:number] for deed in turn.deeds]
        while len(self._story.deeds) > len(deeds):
            self._story.undo()
        for deed in deeds[len(self._story.deeds) :]:
            self._story.play(deed.token)
        if number == self.last and self._cut_off and not self._story.game.is_over:
            self._story.game.cut_off()

    def step(self, number: int) -> None:
        """Show one turn after the other, as the reader goes."""
        lines = Lines()
        self.table(number)
        while True:
            key = lines.next(t("replay.keys"))
            if key is None or key in ("q", "quit"):
                return
            if re.fullmatch("[0-9]{1,5}", key):
                wanted = int(key)
            else:
                wanted = number - 1 if key in ("b", "back") else number + 1
            if not 0 <= wanted <= self.last:
                if wanted > self.last and not lines.from_person and not key:
                    return
                self._print(f" {t('replay.turns', n=self.last)}")
                continue
            number = wanted
            self.table(number)
            sys.stdout.flush()
