"""Observations, information states and masks: what they hold, and what they must not hold."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from keltis.envs import layout, symmetry
from keltis.envs.table import Table
from keltis.game.game import spread
from keltis.game.tokens import CARDS, COLOURS
from keltis.rules import board, shrunken
from tests.envs.games import GAMES, random_tables


def counted(cards: list[str]) -> list[int]:
    return [cards.count(card) for card in CARDS]


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_parts_are_written_in_full_and_within_their_bounds(game: str, players: int) -> None:
    for table in random_tables(game, players, 1, steps=60, history=7):
        for seat in range(players):
            for tensor, parts in (
                (table.observation(seat), table.layout),
                (table.information(seat), table.information_layout),
            ):
                assert (tensor >= parts.low).all()
                assert (tensor <= parts.high).all()
            assert (table.information(seat)[: table.layout.size] == table.observation(seat)).all()


def test_a_board_observation_is_what_the_view_shows() -> None:
    for players in (2, 3, 4):
        for table in random_tables("board", players, players, steps=250):
            seat = len(table.moves) % players
            view: dict[str, Any] = dict(table.game().view(seat))
            seen = table.layout.named(table.observation(seat))
            around = [(seat + k) % players for k in range(players)]
            assert seen["hand"].tolist() == counted(view["hand"])
            for k, player in enumerate(around):
                rows = [f"{c}{n}" for c in COLOURS for n in view["rows"][player][c]]
                assert seen["rows"][k].tolist() == counted(rows)
                figures = [view["figures"][player][c] for c in COLOURS]
                assert seen["figure"][k].argmax(axis=1).tolist() == figures
                large = [int(view["large"][player] == c) for c in COLOURS]
                assert seen["large"][k].tolist() == large
            for name, key in (
                ("small_at_start", "small_at_start"),
                ("hand_size", "hand_sizes"),
                ("wishing_stones", "wishing_stones"),
                ("points", "points"),
                ("score", "scores"),
            ):
                assert seen[name].tolist() == [view[key][player] for player in around]
            for part, signs in (("clover", "C"), ("wishing_stone", "W")):
                assert seen[part].tolist() == [
                    [int(tile == signs) for tile in view["tiles"][c]] for c in COLOURS
                ]
            tops = [view["piles"][c][-1] for c in COLOURS if view["piles"][c]]
            assert seen["pile_top"].tolist() == counted(tops)
            assert seen["pile_size"].tolist() == [len(view["piles"][c]) for c in COLOURS]
            assert seen["draw_pile"].tolist() == [view["draw_pile"]]
            assert seen["in_goal"].tolist() == [view["in_goal"]]


def test_a_board_information_state_adds_what_the_view_remembers() -> None:
    for table in random_tables("board", 3, 8, steps=300, history=5):
        seat = len(table.moves) % 3
        view = table.game().view(seat)
        known = table.information_layout.named(table.information(seat))
        for k in range(3):
            assert known["known"][k].tolist() == counted(view["known"][(seat + k) % 3])
        for colour, pile in zip(COLOURS, known["piles"].tolist(), strict=True):
            assert [f"{colour}{n - 1}" for n in pile if n] == view["piles"][colour]
        last = view["history"][:-6:-1]
        tokens = [table.kind.tokens[a - 1] for a in known["history_action"].tolist() if a]
        assert tokens == [entry["move"] for entry in last]
        shown = [CARDS[c - 1] if c else None for c in known["history_card"].tolist()]
        assert shown[: len(last)] == [entry.get("shown") for entry in last]


def test_a_stones_observation_is_what_the_view_shows() -> None:
    for table in random_tables("stones", 3, 5):
        seat = len(table.moves) % 3
        view = table.game().view(seat)
        seen = table.layout.named(table.observation(seat))
        for k in range(3):
            rows = view["rows"][(seat + k) % 3]
            assert seen["rows"][k].tolist() == counted(
                [f"{c}{n}" for c in COLOURS for n in rows[c]]
            )
            assert seen["length"][k].tolist() == [len(rows[c]) for c in COLOURS]
            assert seen["score"][k] == view["scores"][(seat + k) % 3]
        assert seen["open"].tolist() == counted(view["open"])
        assert seen["tile"].tolist() == counted([view["tile"] or ""])
        assert seen["face_down"].tolist() == [view["face_down"]] == [seen["hidden"].sum()]


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_masks_are_the_legal_moves_of_the_public_api(game: str, players: int) -> None:
    for table in random_tables(game, players, 3):
        moves = table.game().legal_moves()
        for seat in range(players):
            legal = [table.kind.tokens[a] for a in np.flatnonzero(table.mask(seat))]
            assert legal == (moves if seat == table.seat else [])
        assert table.scores() == table.game().scores()


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_nothing_hidden_shows_in_tensors_or_texts(game: str, players: int) -> None:
    for table in random_tables(game, players, 11, history=400):
        if len(table.moves) % 7:
            continue
        for seat in range(players):
            before = [
                table.observation(seat).tobytes(),
                table.information(seat).tobytes(),
                table.observation_text(seat),
                table.information_text(seat),
                table.mask(seat).tobytes(),
            ]
            other = table.__deepcopy__({})
            other.states["rng"] = 1000 + len(table.moves)
            other.kind.rules.resample(other.states, 0, seat)
            assert [
                other.observation(seat).tobytes(),
                other.information(seat).tobytes(),
                other.observation_text(seat),
                other.information_text(seat),
                other.mask(seat).tobytes(),
            ] == before


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))]
)
def test_a_copy_of_a_table_is_a_table_of_its_own(again: Any) -> None:
    table = Table("board", 3, history=2)
    table.play(table.legal_actions()[0])
    before = [table.information(seat).tobytes() for seat in range(3)]
    twin = again(table)
    table.play(table.legal_actions()[0])
    assert (len(table.moves), len(twin.moves)) == (2, 1)
    assert [twin.information(seat).tobytes() for seat in range(3)] == before


def test_an_information_state_tells_apart_what_an_observation_does_not() -> None:
    """What lies beneath the top of a discard pile is seen by nobody, and remembered by all."""
    table = Table("board", history=0)
    table.deal(spread(4))
    twin = table.__deepcopy__({})
    for one, pile in ((table, [3, 5]), (twin, [4, 5])):
        one.states["pile"][0, 0, :2] = pile
        one.states["pile_size"][0, 0] = 2
    assert (table.observation(0) == twin.observation(0)).all()
    assert (table.information(0) != twin.information(0)).any()


def test_play_commutes_with_an_exchange_of_colours() -> None:
    chance = np.random.default_rng(0)
    for seed in range(12):
        change = tuple(int(c) for c in chance.permutation(5))
        table = Table("board", 2, history=20)
        table.deal(spread(seed))
        twin = Table("board", 2, history=20)
        start = table.start
        deck = symmetry.cards(change)[start["deck"][0]].astype(np.uint8)
        tiles = np.empty_like(start["tile"][0])
        tiles[list(change)] = start["tile"][0]
        exchanged = np.zeros(1, board.STATE)
        board.setup(exchanged, 0, 2, deck, tiles, 0)
        twin.begin(exchanged)
        while not table.is_over:
            for seat in (0, 1):
                mask = symmetry.exchange_mask(table.mask(seat), change)
                assert (mask == twin.mask(seat)).all()
                seen = symmetry.exchange_tensor(table.observation(seat), table.layout, change)
                assert (seen == twin.observation(seat)).all()
                parts = table.information_layout
                known = symmetry.exchange_tensor(table.information(seat), parts, change)
                assert (known == twin.information(seat)).all()
            action = int(chance.choice(table.legal_actions()))
            table.play(action)
            twin.play(int(symmetry.exchange_action(action, change)))
        assert twin.is_over
        assert twin.scores() == table.scores()


def test_an_exchange_takes_only_permutations() -> None:
    with pytest.raises(ValueError, match="permutation"):
        symmetry.exchange_action(3, [0, 0, 1, 2, 3])
    for action in (127, -1, [0, 127]):
        with pytest.raises(ValueError, match="0 to 126"):
            symmetry.exchange_action(action, [1, 0, 2, 3, 4])
    stones = Table("stones")
    with pytest.raises(ValueError, match="127"):
        symmetry.exchange_mask(stones.mask(0), [1, 0, 2, 3, 4])
    with pytest.raises(ValueError, match="symbols"):
        symmetry.exchange_tensor(stones.observation(0), stones.layout, [1, 0, 2, 3, 4])
    assert len(symmetry.ALL) == 120


def test_a_shrunken_game_of_full_size_is_the_full_game() -> None:
    for players in (2, 3, 4):
        full, same = np.zeros(1, board.STATE), np.zeros(1, board.STATE)
        board.deal(full, 0, players, np.uint64(9), 0)
        shape = shrunken.BoardShape().array(players)
        shrunken.deal_board(same, 0, players, np.uint64(9), 0, shape)
        assert full.tobytes() == same.tobytes()


@pytest.mark.parametrize("colours", [1, 2, 4])
@pytest.mark.parametrize("players", [2, 3])
def test_shrunken_games_come_to_their_end(colours: int, players: int) -> None:
    chance = np.random.default_rng(colours)
    shape = shrunken.BoardShape(colours, 5, 2, 2, 1, 2)
    for seed in range(20):
        table = Table("board", players, shape=shape, cap=2000)
        table.deal(spread(seed))
        while not table.is_over:
            legal = table.legal_actions()
            assert legal
            assert all(c < colours for a in legal if (c := _colour(a)) is not None)
            table.play(int(chance.choice(legal)))
        reason = table.states["reason"].item()
        goal = table.states["goal"].item()
        assert table.cut_off or (reason == board.BY_GOAL) == (goal == 2)


def _colour(action: int) -> int | None:
    if action < board.STEP:
        return action % board.DISCARD // board.NUMBERS
    if action < board.DECLINE:
        return (action - board.STEP) % board.COLOURS
    return action - board.TAKE if action >= board.TAKE else None


def test_shapes_are_checked() -> None:
    for wrong in ({"colours": 6}, {"numbers": 0}, {"copies": 3}, {"hand": 9}):
        with pytest.raises(ValueError, match="shape"):
            shrunken.BoardShape(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="only 4 in all"):
        shrunken.BoardShape(1, 2, 2, 2, 0).array(2)


def test_layouts_are_stable() -> None:
    """A change here breaks trained networks: raise `layout.VERSION`, and say so."""
    assert layout.VERSION == 1
    sizes = {
        (game, n): (
            layout.observation(game, n).size,
            layout.information(game, n, 0).size,
        )
        for game in ("board", "stones")
        for n in (2, 3, 4)
    }
    assert sizes == {
        ("board", 2): (623, 898),
        ("board", 3): (799, 1129),
        ("board", 4): (975, 1360),
        ("stones", 2): (418, 418),
        ("stones", 3): (542, 542),
        ("stones", 4): (666, 666),
    }
    assert [layout.actions(game) for game in ("board", "stones")] == [127, 57]


def test_a_table_has_no_other_seats() -> None:
    table = Table("board", 2, history=2)
    for seat in (2, -1):
        for see in (
            table.mask,
            table.observation,
            table.information,
            table.observation_text,
            table.information_text,
        ):
            with pytest.raises(ValueError, match="seat"):
                see(seat)
