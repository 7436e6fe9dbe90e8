"""What happened in a game, in words: a line for each turn.

The words come from the steps of the game's history and their effects, which everybody may know.
Only a card drawn unseen is kept apart, for those who may know it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from keltis.cli.words import card_name, t, tile_name
from keltis.game.tokens import CARD_PLACES

if TYPE_CHECKING:
    from keltis import Game

Step = dict[str, Any]  # of a view's history


@dataclass(frozen=True)
class Deed:
    """One decision."""

    seat: int
    token: str
    words: str  # as everybody saw it
    secret: str | None  # as its player saw it, if that was more

    def told_to(self, viewer: int | str | None) -> str:
        """The words for a seat, for "all" (nothing is secret) or for a spectator, None."""
        return self.secret if self.secret and viewer in (self.seat, "all") else self.words


@dataclass(frozen=True)
class Turn:
    """The decisions that one seat took in a row."""

    seat: int
    deeds: list[Deed]

    def told_to(self, viewer: int | str | None) -> str:
        return ", ".join(deed.told_to(viewer) for deed in self.deeds)

    @property
    def tokens(self) -> str:
        return " ".join(deed.token for deed in self.deeds)


class Story:
    """A game being played, with the words for all that happened in it."""

    def __init__(self, game: Game) -> None:
        """Tell a game from its beginning, and then go on with it: `play` and `undo` it here."""
        self.game = game.restarted()
        self.deeds: list[Deed] = []
        for token in game.moves:
            self.play(token)
        if game.reason == "cut off":
            self.game.cut_off()

    def play(self, token: str) -> Deed:
        """Take a decision; raises `IllegalMove` as the game does."""
        seat = self.game.seat
        self.game.play(token)
        assert seat is not None  # the game would not have let it be played
        (change,) = self.game.changes([seat])
        words, secret = (_board if self.game.game == "board" else _stones)(change["step"])
        deed = Deed(seat, token, words, secret)
        self.deeds.append(deed)
        return deed

    def undo(self) -> Deed:
        """Take the last decision back; there is one."""
        self.game.undo()
        return self.deeds.pop()

    def turns(self) -> list[Turn]:
        """All turns so far, the one under way included."""
        turns: list[Turn] = []
        for deed in self.deeds:
            if not turns or turns[-1].seat != deed.seat:
                turns.append(Turn(deed.seat, []))
            turns[-1].deeds.append(deed)
        return turns


def _board(step: Step) -> tuple[str, str | None]:
    token: str = step["move"]
    if token == "?":
        return t("story.draw"), t("story.draw.shown", card=card_name(step["shown"]))
    if token == "-":
        return t("story.decline"), None
    if token[0] == "<":
        return t("story.take", card=card_name(step["shown"])), None
    if token[0] == "x":
        return t("story.discard", card=card_name(token[1:])), None
    if token in CARD_PLACES:
        return f"{t('story.lay', card=card_name(token))}{_landing(step)}", None
    effect = step["effect"]
    if effect["stone"] == 1:
        size = "story.large" if effect["large"] else "story.small"
        return t(size, onto=t(f"onto.{effect['path']}")), None  # stone 1 never bears a tile
    return f"{t(f'colour.{token}')}{_landing(step)}", None


def _landing(step: Step) -> str:
    """Where a figure came to stand, if one moved, and what its tile did."""
    if "effect" not in step:
        return ""
    effect = step["effect"]
    if "ends" in effect:
        tile = f" ({t('story.fifth')})"
    else:
        tile = f" ({tile_name(effect['found'])})" if effect["found"] else ""
    return f"{t('story.reaches', stone=effect['stone'])}{tile}"


def _stones(step: Step) -> tuple[str, str | None]:
    from keltis.cli.symbols import words

    token: str = step["move"]
    effect = step.get("effect")
    if token == "-":
        return t("story.leave" if effect else "story.stop"), None
    if effect and effect["from"] == "turned over":
        return t("story.take.it"), None
    tile: str = step.get("shown", token)
    symbol = words(tile)
    done = t("story.take.tile" if effect else "story.turn.over", card=card_name(tile))
    return f"{done}{f' ({symbol})' if symbol else ''}", None
