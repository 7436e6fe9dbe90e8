"""What happened in a game, in words: a line for each turn.

The words come from looking at the table before and after a decision, as a spectator does, so
nothing in them is secret. Only a card drawn unseen is kept apart, for those who may know it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from keltis.cli.words import card_name, t, tile_name
from keltis.game.tokens import COLOURS

if TYPE_CHECKING:
    from keltis import Game

View = dict[str, Any]


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
        import keltis

        self.game = keltis.load(game.record() | {"moves": [], "result": None})
        self.deeds: list[Deed] = []
        for token in game.moves:
            self.play(token)
        if game.reason == "cut off":
            self.game.cut_off()

    def play(self, token: str) -> Deed:
        """Take a decision; raises `IllegalMove` as the game does."""
        seat = self.game.seat
        before = self.game.view(None)
        self.game.play(token)
        assert seat is not None  # the game would not have let it be played
        after = self.game.view(None)
        shown = self.game.view(seat)["history"][-1].get("shown")
        words, secret = (_board if self.game.game == "board" else _stones)(
            token, seat, before, after, shown
        )
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


def _board(
    token: str, seat: int, before: View, after: View, shown: str | None
) -> tuple[str, str | None]:
    if token == "?":
        return t("story.draw"), t("story.draw.shown", card=card_name(shown or ""))
    if token == "-":
        return t("story.decline"), None
    if token[0] == "<":
        return t("story.take", card=card_name(shown or "")), None
    if token[0] == "x":
        return t("story.discard", card=card_name(token[1:])), None
    moved = _moved(seat, before, after)
    if token[0] in COLOURS and token[1:].isdigit():
        words = t("story.lay", card=card_name(token))
        return f"{words}{_landing(seat, moved, before, after)}", None
    if before["figures"][seat][token[0]] == 0:
        size = "story.large" if token.endswith("*") else "story.small"
        return t(size, onto=t(f"onto.{token[0]}")), None  # stone 1 never bears a tile
    return f"{t(f'colour.{token[0]}')}{_landing(seat, moved, before, after)}", None


def _moved(seat: int, before: View, after: View) -> str | None:
    """The path on which a seat's figure moved."""
    then, now = before["figures"][seat], after["figures"][seat]
    return next((colour for colour in COLOURS if then[colour] != now[colour]), None)


def _landing(seat: int, path: str | None, before: View, after: View) -> str:
    """Where a figure came to stand, and what its tile did."""
    if path is None:
        return ""
    stone = after["figures"][seat][path]
    tile = before["tiles"][path][stone - 1]
    result = after["result"]
    if result and result["reason"] == "goal":
        effect = f" ({t('story.fifth')})"
    elif tile is None:
        effect = ""
    else:
        effect = f" ({tile_name(tile)})"
    return f"{t('story.reaches', stone=stone)}{effect}"


def _stones(
    token: str, seat: int, before: View, after: View, shown: str | None
) -> tuple[str, str | None]:
    from keltis.cli.symbols import words

    if token == "-":
        return t("story.leave" if before["phase"] == "tile" else "story.stop"), None
    if token == before["tile"]:
        return t("story.take.it"), None
    tile = shown or token
    symbol = words(tile)
    done = t("story.turn.over" if shown else "story.take.tile", card=card_name(tile))
    return f"{done}{f' ({symbol})' if symbol else ''}", None
