"""One game at a table, as the single environments need it: numbers in, tensors and texts out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from keltis.envs import checks, layout, texts
from keltis.envs.kernels.rewards import write_rewards
from keltis.game import tensors
from keltis.game.board import option_bits
from keltis.game.checks import check_whole
from keltis.game.errors import IllegalMove, quoted
from keltis.game.game import DECISION_CAP, Game
from keltis.game.kernels import either
from keltis.game.kernels.tensors import SECRET
from keltis.game.kinds import kind
from keltis.game.resample import resample
from keltis.game.setups import check_options
from keltis.game.tokens import CUT_OFF
from keltis.rules import shrunken

if TYPE_CHECKING:
    from keltis.game.setups import States
    from keltis.rules.shrunken import BoardShape, StonesShape


class Table:
    """A game of either kind, of any shape. `play` is checked."""

    def __init__(
        self,
        game: str = "board",
        players: int = 2,
        *,
        options: Mapping[str, str] | None = None,
        shape: BoardShape | StonesShape | None = None,
        cap: int = DECISION_CAP,
        history: int = 0,
    ) -> None:
        self.kind = kind(game)
        self.players = checks.player_count(players)
        self.options = check_options(self.kind.options, {} if options is None else options)
        self.shape = checks.shape_of(game, shape)
        self.cap = checks.at_least(cap, 1, "cap")
        history = checks.at_least(history, 0, "history")
        self.layout = layout.observation(game, players)
        self.information_layout = layout.information(game, players, history)
        self.actions = layout.actions(game)
        self._shape = None if shape is None else shape.array(players)
        self._room = history
        self._legal = np.zeros(self.actions, np.int64)
        self._names = [f"player_{seat}" for seat in range(self.players)]
        self.deal(0)

    @classmethod
    def from_game(cls, game: Game, *, cap: int = DECISION_CAP, history: int = 0) -> Table:
        """A table at which a game stands as it does; what is played here does not change it."""
        if not isinstance(game, Game):
            raise TypeError(f"game: expected a Game, not {quoted(game)}")
        players = len(game.players)
        table = cls(game.game, players, options=game.options, cap=cap, history=history)
        table._names = game.players
        table.begin(game._start)
        for token in game.moves:
            table.play(game.action(token))
        if game.reason == CUT_OFF:
            table.cap = len(table.moves)
        return table

    @classmethod
    def from_view(
        cls, view: Mapping[str, Any], *, seed: int = 0, cap: int = DECISION_CAP, history: int = 0
    ) -> Table:
        """A table that agrees with a view: what its seat sees and remembers is what it was shown.

        What the view leaves open is made up, as `keltis.resample` does it by the seed.
        """
        return cls.from_game(resample(view, seed), cap=cap, history=history)

    # --- A game's course -----------------------------------------------------------------

    def deal(self, seed: int) -> None:
        """Begin a game dealt by 64 random bits."""
        if self._shape is None:
            self.begin(self.kind.deal(self.players, seed, self.options))
            return
        start = np.zeros(1, self.kind.rules.STATE)
        if self.kind.name == "board":
            options = option_bits(self.options)
            shrunken.deal_board(start, 0, self.players, np.uint64(seed), options, self._shape)
        else:
            shrunken.deal_stones(start, 0, self.players, np.uint64(seed), self._shape)
        self.begin(start)

    def begin(self, start: States) -> None:
        """Begin a game that is already dealt."""
        self.start = start
        self.states = np.frombuffer(bytearray(start), start.dtype)
        self.moves: list[tuple[int, int, int]] = []  # seat, action, card drawn (-1: none)
        self._history = np.zeros((1, 3, self._room), np.int8)
        self._facade: Game | None = None

    def another(self, start: States) -> Table:
        """A table with the same settings, at which another game begins."""
        table = self.__deepcopy__({})
        table.begin(start)
        return table

    def __copy__(self) -> Table:
        return self.__deepcopy__({})  # two that share their moves would both go wrong

    def __deepcopy__(self, memory: dict[int, Any]) -> Table:
        table = object.__new__(Table)
        table.__dict__.update(self.__dict__)  # what is not copied here is never changed
        table.states = np.frombuffer(bytearray(self.states), self.states.dtype)
        table.moves = self.moves.copy()
        table._history = self._history.copy()
        table._facade = None
        return table

    def __reduce__(self) -> tuple[Any, ...]:
        settings = (self.kind.name, self.players, self.options, self.shape, self.cap, self._room)
        game = (self.start.tobytes(), self.states.tobytes(), self.moves, self._history, self._names)
        return _restored, (settings, game)

    def __repr__(self) -> str:
        state = "over" if self.is_over else f"seat {self.seat} to decide"
        about = f"{self.kind.name}, {self.players} players, {len(self.moves)} decisions"
        return f"<Table {about}, {state}>"

    def play(self, action: int) -> None:
        """Carry out an action; raises IllegalMove, and then nothing has changed."""
        action = check_whole(action, "action")
        if self.is_over or not 0 <= action < self.actions or not self._mask_at(action):
            raise IllegalMove(f"action {action} is illegal")
        seat = self.states["seat"].item()
        card = int(either.card_drawn(self.states, 0, action))
        if self._room:
            self._history[0, :, len(self.moves) % self._room] = seat, action, card
        self.kind.rules.play(self.states, 0, action)
        self.moves.append((seat, action, card))

    def _mask_at(self, action: int) -> bool:
        return action in self.legal_actions()

    @property
    def seat(self) -> int:
        """Whose decision it is, or was last."""
        seat: int = self.states["seat"].item()
        return seat

    @property
    def ended(self) -> bool:
        """Whether the game came to its own end."""
        return self.kind.is_over(self.states)

    @property
    def cut_off(self) -> bool:
        """Whether the game was stopped at the cap (B22)."""
        return len(self.moves) >= self.cap and not self.ended

    @property
    def is_over(self) -> bool:
        return len(self.moves) >= self.cap or self.ended

    def legal_actions(self) -> list[int]:
        """The legal actions, rising; none when the game is over."""
        if self.is_over:
            return []
        count = self.kind.rules.legal_actions(self.states, 0, self._legal)
        actions: list[int] = self._legal[:count].tolist()
        return actions

    def scores(self) -> list[int]:
        """What each seat would score if the game ended now."""
        return self.kind.scores(self.states)

    def rewards(self, win: float = 1.0, margin: float = 0.0) -> list[float]:
        """What the end is worth to each seat; all 0 while the game runs or if it was cut off."""
        rewards = np.zeros(self.players)
        if self.ended:
            write_rewards(np.array(self.scores(), np.int16), win, margin, rewards)
        paid: list[float] = rewards.tolist()
        return paid

    # --- What a seat sees and knows ------------------------------------------------------

    def mask(self, seat: int) -> NDArray[np.int8]:
        """Which actions are legal for a seat; none, if it is not its turn."""
        seat = checks.one_seat(seat, self.players)
        return tensors.mask(self.kind, self.states, seat, over=self.is_over)

    def observation(self, seat: int) -> NDArray[np.int8]:
        """What a seat sees now."""
        seat = checks.one_seat(seat, self.players)
        return tensors.observation(self.kind, self.states, seat)

    def information(self, seat: int) -> NDArray[np.int8]:
        """All that a seat could remember."""
        seat = checks.one_seat(seat, self.players)
        out = np.zeros(self.information_layout.size, np.int8)
        either.inform(self.states, 0, seat, out, self._history, len(self.moves))
        return out

    def observation_text(self, seat: int) -> str:
        """What a seat sees now, in words."""
        return texts.observation(self.kind, self.states, checks.one_seat(seat, self.players))

    def information_text(self, seat: int) -> str:
        """All that a seat could remember, in words: how the game began for it, and every move."""
        seat = checks.one_seat(seat, self.players)
        shrunken = self.shape is not None
        return texts.information(self.kind, self.start, self.seen(seat), seat, shrunken=shrunken)

    def seen(self, seat: int) -> list[tuple[int, int, int]]:
        """Every decision with its seat, and the card that came with it if this seat saw it."""
        return [
            (who, action, card if card < SECRET else card - SECRET if who == seat else -1)
            for who, action, card in self.moves
        ]

    def game(self) -> Game:
        """The same game through the public API; only for the full game, not a shrunken one."""
        if self.shape is not None:
            raise ValueError("a shrunken game has no record and no view")
        if self._facade is None:
            self._facade = Game(self.kind, self._names, self.options, self.start)
        for _, action, _ in self.moves[len(self._facade.moves) :]:
            self._facade.play(self.kind.tokens[action])
        return self._facade


def _restored(settings: tuple[Any, ...], game: tuple[Any, ...]) -> Table:
    """A table from what `Table.__reduce__` keeps of it."""
    name, players, options, shape, cap, room = settings
    table = Table(name, players, options=options, shape=shape, cap=cap, history=room)
    start, states, moves, history, table._names = game
    table.begin(np.frombuffer(bytearray(start), table.kind.rules.STATE))
    table.states = np.frombuffer(bytearray(states), table.kind.rules.STATE)
    table.moves = moves
    table._history = history
    return table
