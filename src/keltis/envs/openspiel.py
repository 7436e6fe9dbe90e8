"""Both games for OpenSpiel, with chance nodes for the deal and for every draw.

    import pyspiel, keltis.envs.openspiel
    game = pyspiel.load_game("python_keltis_board", {"colours": 1, "numbers": 3, "hand": 1})

Importing this registers `python_keltis_board` and `python_keltis_stones`. Their parameters shrink
the games until they can be solved; the defaults are the full games. Actions have the numbers that
they have everywhere; chance outcomes are cards or tiles by number, and from 55 on path tiles.
"""

# mypy: disable-error-code="misc"

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from keltis.envs import checks, layout
from keltis.envs.resampling import resampled_deal
from keltis.envs.table import Table
from keltis.game.board import option_bits
from keltis.game.tokens import CARDS
from keltis.rules import board, shrunken, stones
from keltis.rules.shrunken import BoardShape, StonesShape

_TILE = board.CARDS  # chance outcomes from here on are path tiles, by their code
_TILE_SIGNS = "?123CW"
_RANGE = {"board": 112.0, "stones": 104.0}  # the widest margin that the scores allow

_OPTIONS = {"end_stone_step": "must", "clover_step": "may", "own_discard": "barred"}
_COMMON: dict[str, Any] = {"players": 2, "reward": "win", "margin_weight": 0.01}
PARAMETERS: dict[str, dict[str, Any]] = {
    "board": {
        **_COMMON,
        "max_decisions": 1000,  # after which a game is cut off (B22): nobody wins
        **_OPTIONS,
        "colours": board.COLOURS,
        "numbers": board.NUMBERS,
        "copies": 2,
        "hand": board.HAND,
        "removed": -1,
        "last_figure": board.LAST_FIGURE,
        "tiles": "dealt",  # by chance; "fixed": laid out by `tile_seed`, known to all; "none"
        "tile_seed": 0,
    },
    "stones": {
        **_COMMON,
        "max_decisions": 3 * stones.TILES,
        "colours": stones.COLOURS,
        "numbers": stones.NUMBERS,
    },
}


def _game_type(game: str) -> pyspiel.GameType:
    hidden = game == "board"
    kinds = pyspiel.GameType
    return kinds(
        short_name=f"python_keltis_{game}",
        long_name="Keltis" if hidden else "Keltis: Der Weg der Steine",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=(
            kinds.Information.IMPERFECT_INFORMATION
            if hidden
            else kinds.Information.PERFECT_INFORMATION
        ),
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=board.MOST_PLAYERS,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS[game],
    )


class _Plan:
    """A game's parameters and what follows from them; shared by all its states."""

    def __init__(self, name: str, settings: dict[str, Any]) -> None:
        self.name = name
        self.settings = settings
        self.players = int(settings["players"])
        self.cap = checks.at_least(settings["max_decisions"], 1, "max_decisions")
        self.reward = checks.reward_weights(settings["reward"], settings["margin_weight"])
        self.shape: Any
        if name == "board":
            if settings["tiles"] not in ("dealt", "fixed", "none"):
                raise ValueError(f"tiles: expected dealt, fixed or none, not {settings['tiles']}")
            self.draws = board.DRAW_PILE
            self.copies = settings["copies"]
            self.shape = BoardShape(
                colours=settings["colours"],
                numbers=settings["numbers"],
                copies=self.copies,
                hand=settings["hand"],
                removed=settings["removed"],
                last_figure=settings["last_figure"],
                tiles=settings["tiles"] != "none",
            )
            self.hand = self.shape.hand
            self.shape.check(self.players)
            options = {name: settings[name] for name in _OPTIONS}
        else:
            self.draws = stones.TURN_OVER
            self.copies, self.hand = 1, 0
            self.shape = StonesShape(settings["colours"], settings["numbers"])
            options = {}
        self.cards = self.hand * self.players  # that chance deals before the first decision
        dealt = name == "board" and settings["tiles"] == "dealt"
        self.tiles = board.TILED.shape[1] * self.shape.colours if dealt else 0  # the same
        self.blank = Table(
            name,
            self.players,
            options=options,
            shape=self.shape,
            cap=self.cap,
            history=self.cap,
        )

    def __deepcopy__(self, memory: dict[int, Any]) -> _Plan:
        return self  # never changed

    def __reduce__(self) -> tuple[Any, ...]:
        return _Plan, (self.name, self.settings)

    def deck(self) -> Counter[int]:
        """All cards or tiles of the game."""
        return Counter(
            {
                board.NUMBERS * colour + number: self.copies
                for colour in range(self.shape.colours)
                for number in range(self.shape.numbers)
            }
        )

    def path_tiles(self, dealt: list[int]) -> NDArray[np.int8]:
        """The path tiles: dealt by chance, or laid out by a seed."""
        tiles = np.zeros((board.COLOURS, board.STONES + 1), np.int8)
        if self.settings["tiles"] == "fixed":
            fixed = np.zeros(1, board.STATE)
            seed = np.uint64(self.settings["tile_seed"] % 2**64)
            shape = self.shape.array(self.players)
            shrunken.deal_board(fixed, 0, self.players, seed, 0, shape)
            tiles[:] = fixed["tile"][0]
        for k, outcome in enumerate(dealt):
            colour, place = divmod(k, board.TILED.shape[1])
            tiles[colour, board.TILED[colour, place]] = outcome - _TILE
        return tiles


class _KeltisGame(pyspiel.Game):
    """What both games share."""

    name = ""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        settings = {**PARAMETERS[self.name], **(params or {})}
        self.plan = _Plan(self.name, settings)
        most = self.plan.reward[0] + self.plan.reward[1] * _RANGE[self.name]
        info = pyspiel.GameInfo(
            num_distinct_actions=self.plan.blank.actions,
            max_chance_outcomes=_TILE + len(_TILE_SIGNS),
            num_players=self.plan.players,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.plan.cap,
        )
        super().__init__(_TYPES[self.name], info, settings)

    def new_initial_state(self) -> _KeltisState:
        return _KeltisState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The deal, and a draw for each decision at the most."""
        return int(self.plan.cards + self.plan.tiles + self.plan.cap)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> _Observer:
        return _Observer(self.plan, iig_obs_type, params)


class BoardGame(_KeltisGame):
    name = "board"


class StonesGame(_KeltisGame):
    name = "stones"


class _KeltisState(pyspiel.State):
    """A game that chance deals card by card, as far as it has come."""

    def __init__(self, game: _KeltisGame) -> None:
        super().__init__(game)
        self._plan = game.plan
        self._dealt: list[int] = []  # cards, then path tiles
        self._drawing = False  # whether chance is to tell what a draw brings
        self._table: Table | None = None  # from the first decision on
        if self._plan.cards + self._plan.tiles == 0:
            self._begin()

    # --- Whose turn ----------------------------------------------------------------------

    def current_player(self) -> int:
        if self._table is None or self._drawing:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self._table.is_over else self._table.seat

    def is_terminal(self) -> bool:
        return self._table is not None and not self._drawing and self._table.is_over

    def returns(self) -> list[float]:
        if self._table is None:
            return [0.0] * self._plan.players
        return self._table.rewards(*self._plan.reward)

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self._table is None else self._table.legal_actions()

    # --- Chance --------------------------------------------------------------------------

    def chance_outcomes(self) -> list[tuple[int, float]]:
        left = self._left()
        total = sum(left.values())
        return [(outcome, count / total) for outcome, count in sorted(left.items())]

    def _left(self) -> Counter[int]:
        """What chance may bring next, and how many there are of each."""
        if self._table is not None:
            return Counter(self._pool(self._table).tolist())
        cards = self._plan.cards
        if len(self._dealt) < cards:
            return self._plan.deck() - Counter(self._dealt)
        tiles = Counter(_TILE + tile for tile in board.TILES.tolist())
        return tiles - Counter(self._dealt[cards:])

    def _pool(self, table: Table) -> NDArray[np.uint8]:
        """The cards that may be drawn: nobody can tell those out of the game from the pile."""
        s = table.states[0]
        pile: NDArray[np.uint8] = s["deck"][s["next"] :]
        if self._plan.name == "board":
            return np.concatenate([s["deck"][s["removed_from"] : s["drawn_from"]], pile])
        return pile

    def _apply_action(self, action: int) -> None:
        draws = self._plan.draws
        if self._table is None:
            if not self._left()[action]:
                raise ValueError(f"chance can't deal {action}: there is none left")
            self._dealt.append(action)
            if len(self._dealt) == self._plan.cards + self._plan.tiles:
                self._begin()
        elif self._drawing:
            self._bring(self._table, action)
            self._drawing = False
            self._table.play(draws)
        elif action == draws:
            self._drawing = True
        else:
            self._table.play(action)

    def _bring(self, table: Table, card: int) -> None:
        """Put a card on top of the draw pile, in exchange for the one that is there."""
        s = table.states[0]
        places = list(range(s["next"], len(s["deck"])))
        if self._plan.name == "board":
            places += range(s["removed_from"], s["drawn_from"])
        place = next((place for place in places if s["deck"][place] == card), None)
        if place is None:
            raise ValueError(f"chance can't bring {card}: there is none left")
        s["deck"][[s["next"], place]] = s["deck"][[place, s["next"]]]

    def _begin(self) -> None:
        """Set the table with what chance has dealt; the order of the rest is chance's to tell."""
        plan = self._plan
        cards = self._dealt[: plan.cards]
        rest = sorted((plan.deck() - Counter(cards)).elements())
        start = np.zeros(1, plan.blank.kind.rules.STATE)
        deck = np.array([*cards, *rest], np.uint8)
        if plan.name == "stones":
            shrunken.setup_stones(start, 0, plan.players, deck)
        else:
            options = option_bits(plan.blank.options)
            tiles = plan.path_tiles(self._dealt[plan.cards :])
            shape = plan.shape.array(plan.players)
            shrunken.setup_board(start, 0, plan.players, deck, tiles, options, shape)
        self._table = plan.blank.another(start)

    # --- In words ------------------------------------------------------------------------

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return self._plan.blank.kind.tokens[action]
        return CARDS[action] if action < _TILE else f"tile {_TILE_SIGNS[action - _TILE]}"

    def __str__(self) -> str:
        moves = " ".join(self._plan.blank.kind.tokens[move[1]] for move in self.moves())
        dealt = " ".join(self._action_to_string(pyspiel.PlayerId.CHANCE, a) for a in self._dealt)
        drawn = " ".join(str(move[2]) for move in self.moves())
        return f"{dealt} | {moves}{' ?' if self._drawing else ''} | {drawn}"

    def moves(self) -> list[tuple[int, int, int]]:
        """The decisions so far: seat, action, and what it drew."""
        return [] if self._table is None else self._table.moves

    def table(self) -> Table | None:
        """The game itself, once it is dealt."""
        return self._table

    def seen_deal(self, player: int) -> str:
        """What a player knows while chance deals."""
        hand = self._plan.hand
        own = sorted(self._dealt[: self._plan.cards][player * hand : (player + 1) * hand])
        tiles = self._dealt[self._plan.cards :]
        signs = "".join(_TILE_SIGNS[tile - _TILE] for tile in tiles)
        return f"dealing, seat {player}: {' '.join(CARDS[card] for card in own)} {signs}"

    def suffix(self) -> str:
        """What is known beyond the table: a draw that chance has still to make."""
        return " ?" if self._drawing else ""

    # --- What a player cannot know -------------------------------------------------------

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> _KeltisState:
        """Another game that this player could not tell from this one; uniformly random."""
        if self._table is None or self._plan.name == "stones":
            return self._dealt_again(player_id, probability_sampler)
        chance = np.random.default_rng(int(probability_sampler() * 2**53))
        hands, drawn = resampled_deal(self._table, player_id, chance)
        state: _KeltisState = self.get_game().new_initial_state()
        for outcome in [*hands, *self._dealt[self._plan.cards :]]:
            state.apply_action(outcome)
        draw = self._plan.draws
        for (_, action, _), card in zip(self._table.moves, drawn, strict=True):
            state.apply_action(action)
            if action == draw:
                state.apply_action(card)
        if self._drawing:
            state.apply_action(draw)
        return state

    def _dealt_again(self, player: int, sampler: Callable[[], float]) -> _KeltisState:
        """The same for a game that is still being dealt, or that hides nothing."""
        state: _KeltisState = self.get_game().new_initial_state()
        if self._table is not None:
            for action in self.history():
                state.apply_action(action)
            return state
        hand = self._plan.hand
        own = range(player * hand, (player + 1) * hand)
        kept = Counter(self._dealt[k] for k in own if k < len(self._dealt))
        for k, outcome in enumerate(self._dealt):
            if k in own or outcome >= _TILE:
                state.apply_action(outcome)
                continue
            left = state._left() - kept if k < own.start else state._left()
            pool = sorted(left.elements())
            state.apply_action(pool[int(sampler() * len(pool))])
        return state


class _Observer:
    """What a player sees or, with perfect recall, all that it could remember."""

    def __init__(self, plan: _Plan, kind: Any, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"observers take no parameters, not {params}")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER or not kind.public_info:
            raise ValueError("an observer shows all that one player sees, and nothing else")
        self._recall = kind.perfect_recall
        self._parts = (
            layout.information(plan.name, plan.players, plan.cap)
            if self._recall
            else layout.observation(plan.name, plan.players)
        )
        self.tensor = np.zeros(self._parts.size, np.float32)
        self.dict = dict(self._parts.named(self.tensor))

    def set_from(self, state: _KeltisState, player: int) -> None:
        table = state.table()
        if table is None:
            self.tensor.fill(0)
        else:
            self.tensor[:] = (
                table.information(player) if self._recall else table.observation(player)
            )

    def string_from(self, state: _KeltisState, player: int) -> str:
        table = state.table()
        if table is None:
            return state.seen_deal(player)
        text = table.information_text(player) if self._recall else table.observation_text(player)
        return text + state.suffix()


_TYPES = {game: _game_type(game) for game in PARAMETERS}

pyspiel.register_game(_TYPES["board"], BoardGame)
pyspiel.register_game(_TYPES["stones"], StonesGame)
