"""The board game, clauses B1 to B12 and B17: what there is, laying, discarding, drawing."""
# ruff: noqa: N802 - tests are named for the clause that they hold

import random
from collections import Counter

import pytest

import keltis
from tests.clauses.stories import (
    CARDS,
    COLOURS,
    DARK_STONES,
    NAMES,
    TILES,
    board,
    board_record,
    figures,
    hand,
    march,
    of,
    play,
    public,
    score,
)

SEEDS = range(20)
TABLES = [2, 3, 4]


# What there is


@pytest.mark.parametrize("players", TABLES)
def test_B1_two_to_four_players_walk_five_paths_of_nine_stones(players: int) -> None:
    seen = public(keltis.new_game("board", players=players, seed=1))
    assert len(seen["players"]) == players
    assert list(seen["tiles"]) == ["R", "Y", "V", "G", "B"]
    assert all(len(path) == 9 for path in seen["tiles"].values())


@pytest.mark.parametrize("players", [0, 1, 5])
def test_B1_no_other_number_of_players_is_allowed(players: int) -> None:
    with pytest.raises(ValueError, match="players"):
        keltis.new_game("board", players=players)


@pytest.mark.parametrize("players", TABLES)
def test_B1_all_figures_start_from_one_start_stone(players: int) -> None:
    seen = public(keltis.new_game("board", players=players, seed=1))
    assert seen["figures"] == [dict.fromkeys(COLOURS, 0)] * players


QUIET_RED = "R2=1 R3=1 R5=2 R7=2 R9=2"
POINTS_ON_QUIET_RED = {1: 0, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 6, 8: 6, 9: 8}
VALUES = [(1, -4), (2, -3), (3, -2), (4, 1), (5, 2), (6, 3), (7, 6), (8, 7), (9, 10)]
NO_WISHING_STONE = -4


@pytest.mark.parametrize(("stone", "value"), VALUES)
def test_B2_each_stone_has_its_value(stone: int, value: int) -> None:
    game = board(*march("Ann", "R", stone, enter="R"), tiles=QUIET_RED)
    assert figures(game, "Ann") == {"R": stone}
    assert score(game, "Ann") == value + POINTS_ON_QUIET_RED[stone] + NO_WISHING_STONE


def test_B2_the_start_is_worth_nothing() -> None:
    assert keltis.new_game("board", seed=1).scores() == [NO_WISHING_STONE] * 2


@pytest.mark.parametrize("stone", range(1, 10))
def test_B2_the_last_three_stones_are_the_goal_area(stone: int) -> None:
    game = board(*march("Ann", "R", stone, enter="R"), tiles=QUIET_RED)
    assert public(game)["in_goal"] == (1 if stone >= 7 else 0)


def test_B2_no_figure_goes_beyond_the_end_stone() -> None:
    game = board(*march("Ann", "R", 9, enter="R"), "Ann: R8 Y ?", tiles=QUIET_RED)
    assert figures(game, "Ann") == {"R": 9, "Y": 1}


@pytest.mark.parametrize("players", TABLES)
@pytest.mark.parametrize("seed", SEEDS)
def test_B3_every_number_of_every_colour_is_there_twice(players: int, seed: int) -> None:
    setup = keltis.new_game("board", players=players, seed=seed).record()["setup"]
    groups = [*setup["hands"], setup["draw"], setup["removed"]]
    cards = Counter(card for group in groups for card in group)
    assert cards == dict.fromkeys(CARDS, 2)
    assert cards.total() == 110


@pytest.mark.parametrize("players", TABLES)
def test_B4_each_player_has_four_small_figures_and_a_large_one_on_the_start(players: int) -> None:
    seen = public(keltis.new_game("board", players=players, seed=1))
    assert seen["small_at_start"] == [4] * players
    assert seen["large"] == [None] * players


@pytest.mark.parametrize("players", TABLES)
def test_B4_each_player_begins_with_no_points(players: int) -> None:
    assert public(keltis.new_game("board", players=players, seed=1))["points"] == [0] * players


@pytest.mark.parametrize("seed", SEEDS)
def test_B5_nine_wishing_stones_nine_clovers_and_seven_points_tiles(seed: int) -> None:
    tiles = public(keltis.new_game("board", seed=seed))["tiles"]
    laid = Counter(tile for path in tiles.values() for tile in path if tile)
    assert laid == TILES == {"W": 9, "C": 9, "1": 2, "2": 3, "3": 2}


def test_B5_the_tiles_are_shuffled() -> None:
    deals = [public(keltis.new_game("board", seed=seed))["tiles"] for seed in SEEDS]
    assert len({str(tiles) for tiles in deals}) == len(SEEDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_B6_tiles_lie_on_the_dark_stones_and_the_end_stones_only(seed: int) -> None:
    tiles = public(keltis.new_game("board", seed=seed))["tiles"]
    places = {path: [n for n, tile in enumerate(row, 1) if tile] for path, row in tiles.items()}
    assert places == {
        "R": [2, 3, 5, 7, 9],
        "Y": [2, 4, 6, 7, 9],
        "V": [3, 4, 6, 7, 9],
        "G": [3, 5, 6, 7, 9],
        "B": [2, 4, 5, 7, 9],
    }


def test_B6_a_tile_on_a_light_stone_is_no_legal_setup() -> None:
    record = board_record()
    red = record["setup"]["tiles"]["R"]
    red[1], red[3] = red[3], red[1]
    with pytest.raises(keltis.RecordError, match=r"setup\.tiles"):
        keltis.load(record)
    assert 4 not in DARK_STONES["R"]


@pytest.mark.parametrize(("players", "draw_pile", "removed"), [(2, 64, 30), (3, 86, 0), (4, 78, 0)])
def test_B7_eight_cards_each_and_two_players_play_without_thirty(
    players: int, draw_pile: int, removed: int
) -> None:
    game = keltis.new_game("board", players=players, seed=1)
    seen = public(game)
    assert seen["hand_sizes"] == [8] * players
    assert [len(hand(game, name)) for name in NAMES[:players]] == [8] * players
    assert seen["draw_pile"] == draw_pile
    assert seen["removed"] == removed
    setup = game.record()["setup"]
    assert (len(setup["draw"]), len(setup["removed"])) == (draw_pile, removed)


@pytest.mark.parametrize("seed", range(3))
def test_B7_the_thirty_cards_are_taken_off_after_dealing(seed: int) -> None:
    """The same shuffled cards, dealt to two and to three: the hands are the same."""
    two, three = (keltis.new_game("board", n, seed=seed).record()["setup"] for n in (2, 3))
    assert two["hands"] == three["hands"][:2]
    assert two["removed"] + two["draw"] == three["hands"][2] + three["draw"]


def test_B7_nobody_sees_the_removed_cards() -> None:
    game = keltis.new_game("board", seed=1)
    for seat in (0, 1, None):
        assert game.view(seat)["removed"] == 30
        assert "removed" not in game.view(seat)["setup"]


@pytest.mark.parametrize("players", TABLES)
def test_B8_seat_0_starts_and_turns_go_round_by_seat(players: int) -> None:
    game = keltis.new_game("board", players=players, seed=1)
    seats = []
    for _ in range(3 * players):
        seats.append(game.seat)
        game.play(next(token for token in game.legal_moves() if token.startswith("x")))
        assert game.seat == seats[-1]
        game.play("?")
    assert seats == list(range(players)) * 3


# Laying a card


def fitting(game: keltis.Game, cards: str) -> str:
    """Those of these cards that may be laid now."""
    legal = game.legal_moves()
    return " ".join(card for card in cards.split() if card in legal)


def test_B9_a_card_goes_from_the_hand_to_the_own_row_of_its_colour() -> None:
    game = board("Ann: R7 R", hands={"Ann": "R7 G2 G3 G4 G5 G6 G7 G8"})
    assert of(game, "Ann", "rows") == {"R": [7], "Y": [], "V": [], "G": [], "B": []}
    assert of(game, "Ben", "rows") == {"R": [], "Y": [], "V": [], "G": [], "B": []}
    assert hand(game, "Ann") == ["G2", "G3", "G4", "G5", "G6", "G7", "G8"]


def test_B9_any_card_may_begin_a_row() -> None:
    for number in range(11):
        game = board(f"Ann: R{number} R ?")
        assert of(game, "Ann", "rows")["R"] == [number]


def test_B9_only_cards_in_the_hand_can_be_laid() -> None:
    cards = "R0 R10 Y5 Y5 V1 G3 B0 B9"
    game = board(hands={"Ann": cards})
    lays = [token for token in game.legal_moves() if token in CARDS]
    assert lays == ["R0", "R10", "Y5", "V1", "G3", "B0", "B9"]


def test_B9_one_card_fixes_no_direction() -> None:
    game = board("Ann: R5 R ?", "Ann:", hands={"Ann": "R5 R0 R4 R5 R6 R10"})
    assert fitting(game, "R0 R4 R5 R6 R10") == "R0 R4 R5 R6 R10"


def test_B9_equal_numbers_fix_no_direction() -> None:
    game = board("Ann: R5 R ?", "Ann: R5 ?", "Ann:", hands={"Ann": "R5 R5 R0 R4 R6 R10"})
    assert fitting(game, "R0 R4 R6 R10") == "R0 R4 R6 R10"


def test_B9_the_second_different_number_makes_the_row_rise() -> None:
    game = board("Ann: R5 R ?", "Ann: R7 ?", "Ann:", hands={"Ann": "R5 R7 R5 R6 R7 R8 R10"})
    assert fitting(game, "R5 R6 R7 R8 R10") == "R7 R8 R10"


def test_B9_the_second_different_number_makes_the_row_fall() -> None:
    game = board("Ann: R7 R ?", "Ann: R5 ?", "Ann:", hands={"Ann": "R7 R5 R0 R4 R5 R6 R7"})
    assert fitting(game, "R0 R4 R5 R6 R7") == "R0 R4 R5"


def test_B9_the_third_card_fixes_the_direction_after_two_equal_ones() -> None:
    turns = ["Ann: R5 R ?", "Ann: R5 ?", "Ann: R3 ?", "Ann:"]
    game = board(*turns, hands={"Ann": "R5 R5 R3 R2 R3 R4 R6"})
    assert fitting(game, "R2 R3 R4 R6") == "R2 R3"


def test_B9_equal_numbers_keep_a_fixed_direction() -> None:
    turns = ["Ann: R5 R ?", "Ann: R7 ?", "Ann: R7 ?", "Ann:"]
    game = board(*turns, hands={"Ann": "R5 R7 R7 R6 R8"})
    assert fitting(game, "R6 R8") == "R8"


def test_B9_gaps_are_allowed() -> None:
    game = board("Ann: R0 R ?", "Ann: R1 ?", "Ann: R10 ?")
    assert of(game, "Ann", "rows")["R"] == [0, 1, 10]


def test_B9_a_row_at_its_last_number_takes_only_the_other_card_of_it() -> None:
    game = board("Ann: R0 R ?", "Ann: R10 ?", "Ann:", hands={"Ann": "R0 R10 R0 R9 R10"})
    assert fitting(game, "R0 R9 R10") == "R10"


def test_B9_rows_of_other_colours_and_players_have_directions_of_their_own() -> None:
    game = board(
        "Ann: R5 R ?",
        "Ben: R5 R ?",
        "Ann: R7 ?",
        "Ben: R3 ?",
        "Ann:",
        hands={"Ann": "R5 R7 R2 R8 Y2 Y8", "Ben": "R5 R3 R2 R8"},
    )
    assert fitting(game, "R2 R8 Y2 Y8") == "R8 Y2 Y8"
    play(game, "xY2 ?")
    assert fitting(game, "R2 R8") == "R2"


def test_B9_a_rising_row_may_hold_all_cards_of_its_colour() -> None:
    turns = [f"Ann: R{n // 2} ?" for n in range(9)]
    turns[0] = "Ann: R0 R ?"
    steps = [
        f"Ann: R{n // 2} {path} ?" for n, path in zip(range(9, 22), "YYYYYGGGGGBBB", strict=True)
    ]
    game = board(*turns, *steps, tiles=QUIET_RED + " Y2=W Y4=W G3=W G5=W B2=W")
    assert of(game, "Ann", "rows")["R"] == [n // 2 for n in range(22)]


@pytest.mark.parametrize("number", [0, 1, 5, 10])
def test_B10_a_card_moves_the_figure_one_stone_whatever_its_number(number: int) -> None:
    game = board("Ann: R5 R ?", f"Ann: R{number} ?")
    assert figures(game, "Ann") == {"R": 2}


def test_B10_a_card_moves_no_other_figure() -> None:
    game = board("Ann: R5 R ?", "Ben: R5 R ?", "Ann: Y5 Y ?", "Ben: xY9 ?", "Ann: R6 ?")
    assert figures(game, "Ann") == {"R": 2, "Y": 1}
    assert figures(game, "Ben") == {"R": 1}


def test_B10_the_first_card_brings_a_small_or_the_large_figure_as_the_player_chooses() -> None:
    game = board("Ann: R5")
    assert public(game)["phase"] == "figure"
    assert public(game)["path"] == "R"
    assert game.legal_moves() == ["R", "R*"]
    assert figures(game, "Ann") == {}

    small = play(game.copy(), "R")
    assert figures(small, "Ann") == {"R": 1}
    assert of(small, "Ann", "small_at_start") == 3
    assert of(small, "Ann", "large") is None

    large = play(game.copy(), "R*")
    assert figures(large, "Ann") == {"R": 1}
    assert of(large, "Ann", "small_at_start") == 4
    assert of(large, "Ann", "large") == "R"


def test_B10_with_the_large_figure_gone_a_small_one_goes_without_asking() -> None:
    game = board("Ann: R5 R* ?", "Ann: Y5")
    assert public(game)["phase"] == "draw"
    assert figures(game, "Ann") == {"R": 1, "Y": 1}
    assert of(game, "Ann", "small_at_start") == 3


def test_B10_with_the_small_figures_gone_the_large_one_goes_without_asking() -> None:
    entering = ["Ann: R5 R ?", "Ann: Y5 Y ?", "Ann: V5 V ?", "Ann: G5 G ?"]
    game = board(*entering, "Ann: B5")
    assert public(game)["phase"] == "draw"
    assert figures(game, "Ann") == {"R": 1, "Y": 1, "V": 1, "G": 1, "B": 1}
    assert of(game, "Ann", "small_at_start") == 0
    assert of(game, "Ann", "large") == "B"


def test_B10_the_last_small_figure_is_still_a_choice_against_the_large_one() -> None:
    game = board("Ann: R5 R ?", "Ann: Y5 Y ?", "Ann: V5 V ?", "Ann: G5")
    assert of(game, "Ann", "small_at_start") == 1
    assert game.legal_moves() == ["G", "G*"]


def test_B10_the_large_figure_may_be_the_last_but_one_to_leave_the_start() -> None:
    game = board("Ann: R5 R ?", "Ann: Y5 Y ?", "Ann: V5 V ?", "Ann: G5 G* ?", "Ann: B5 ?")
    assert figures(game, "Ann") == {"R": 1, "Y": 1, "V": 1, "G": 1, "B": 1}
    assert of(game, "Ann", "small_at_start") == 0
    assert of(game, "Ann", "large") == "G"


def test_B10_a_player_never_has_two_figures_on_one_path() -> None:
    game = board("Ann: R5 R ?", "Ann: R6")
    assert public(game)["phase"] == "draw"
    assert figures(game, "Ann") == {"R": 2}
    assert of(game, "Ann", "small_at_start") == 3


def test_B10_with_all_five_figures_on_their_way_cards_go_on_moving_them() -> None:
    entering = ["Ann: R5 R ?", "Ann: Y5 Y ?", "Ann: V5 V ?", "Ann: G5 G ?", "Ann: B5 ?"]
    game = board(*entering, "Ann: V6 ?", "Ann: B4 ?", tiles="B2=1")
    assert figures(game, "Ann") == {"R": 1, "Y": 1, "V": 2, "G": 1, "B": 2}


def test_B10_figures_of_several_players_share_a_stone() -> None:
    turns = [f"{name}: R{n} R{'*' if name == 'Cat' else ''} ?" for n, name in enumerate(NAMES)]
    game = board(*turns, players=4)
    assert [figures(game, name) for name in NAMES] == [{"R": 1}] * 4
    assert public(game)["large"] == [None, None, "R", None]


def test_B11_the_first_card_moves_a_figure_that_a_clover_brought() -> None:
    game = board("Ann: R5 R ?", "Ann: R6 Y ?", "Ann: Y3 ?", tiles="R2=C Y2=1")
    assert figures(game, "Ann") == {"R": 2, "Y": 2}
    assert of(game, "Ann", "small_at_start") == 2
    assert of(game, "Ann", "rows")["Y"] == [3]


def test_B11_the_first_card_moves_the_large_figure_that_a_clover_brought() -> None:
    game = board("Ann: R5 R ?", "Ann: R6 Y* ?", "Ann: Y3 ?", tiles="R2=C Y2=1")
    assert figures(game, "Ann") == {"R": 2, "Y": 2}
    assert of(game, "Ann", "large") == "Y"
    assert of(game, "Ann", "small_at_start") == 3


def test_B11_the_first_card_moves_a_figure_that_an_end_stone_step_brought() -> None:
    turns = [*march("Ann", "R", 9, enter="R"), "Ann: R9 V ?", "Ann: V3 ?"]
    game = board(*turns, tiles=QUIET_RED)
    assert figures(game, "Ann") == {"R": 9, "V": 2}
    assert of(game, "Ann", "rows")["V"] == [3]


def test_B11_a_figure_may_reach_the_end_stone_before_its_first_card() -> None:
    # Nine red cards, then nine more of which each moves the yellow figure.
    steps = [f"Ann: R{n // 2} Y ?" for n in range(9, 18)]
    game = board(
        *march("Ann", "R", 9, enter="R"),
        *steps,
        "Ann: Y4",
        tiles=QUIET_RED + " Y2=W Y4=W Y6=W Y7=W Y9=W",
    )
    assert figures(game, "Ann") == {"R": 9, "Y": 9}
    assert of(game, "Ann", "rows")["Y"] == [4]
    assert public(game)["phase"] == "end stone"


# Discarding and drawing


def test_B12_any_card_of_the_hand_may_be_discarded() -> None:
    game = board(hands={"Ann": "R0 R10 Y5 Y5 V1 G3 B0 B9"})
    discards = [token for token in game.legal_moves() if token.startswith("x")]
    assert discards == ["xR0", "xR10", "xY5", "xV1", "xG3", "xB0", "xB9"]


def test_B12_a_card_may_be_discarded_whether_it_fits_or_not() -> None:
    game = board("Ann: R5 R ?", "Ann: R7 ?", "Ann:", hands={"Ann": "R5 R7 R6 R8"})
    assert fitting(game, "R6 R8") == "R8"
    for card in hand(game, "Ann"):
        assert f"x{card}" in game.legal_moves()


def test_B12_a_player_with_nothing_that_fits_can_still_discard() -> None:
    # Both rows rise to 10, and Ann keeps getting what no longer fits.
    game = board(
        "Ann: R9 R ?",
        "Ann: R10 ?",
        "Ann:",
        hands={"Ann": "R9 R10 R0 R1 R2 R3 R4 R5"},
        draw="R6 B9 R7",
    )
    assert hand(game, "Ann") == ["R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7"]
    assert game.legal_moves() == ["xR0", "xR1", "xR2", "xR3", "xR4", "xR5", "xR6", "xR7"]


def test_B12_a_discarded_card_lies_face_up_on_the_pile_of_its_colour() -> None:
    game = board("Ann: xR7 ?", "Ben: xR3 ?", "Ann: xG2 ?")
    assert public(game)["piles"] == {"R": ["R7", "R3"], "Y": [], "V": [], "G": ["G2"], "B": []}


def test_B12_a_discard_moves_no_figure_and_asks_only_for_the_draw() -> None:
    game = board("Ann: R5 R ?", "Ann: xR6")
    assert figures(game, "Ann") == {"R": 1}
    assert of(game, "Ann", "rows")["R"] == [5]
    assert public(game)["phase"] == "draw"


def test_B12_both_cards_of_a_number_can_be_discarded_one_after_the_other() -> None:
    game = board("Ann: xR7 ?", "Ann: xR7", hands={"Ann": "R7 R7"})
    assert public(game)["piles"]["R"] == ["R7", "R7"]


TOP_ONLY = {"piles": "top"}


def test_B12_with_the_option_only_the_top_card_of_a_pile_is_shown() -> None:
    turns = ["Ann: xR7 ?", "Ben: xR3 ?", "Ann: xG2 <R"]
    game = board(*turns, options=TOP_ONLY)
    for seat in (0, 1, None):
        seen = game.view(seat)
        assert seen["piles"] == {"R": ["R7"], "Y": [], "V": [], "G": ["G2"], "B": []}
        assert seen["known"] == [[], []]
    assert public(board(*turns))["known"] == [["R3"], []]
    game = board(*turns[:2], options=TOP_ONLY)
    assert public(game)["piles"]["R"] == ["R3"]


def test_B12_the_option_changes_what_is_shown_but_not_what_is_legal() -> None:
    for seed in range(4):
        games = [keltis.new_game("board", 3, seed=seed, options=each) for each in ({}, TOP_ONLY)]
        choose = random.Random(seed)
        while not games[0].is_over:
            legal = games[0].legal_moves()
            assert games[1].legal_moves() == legal
            move = choose.choice(legal)
            for game in games:
                game.play(move)
        assert games[1].result() == games[0].result()
        assert games[1].record()["options"] == TOP_ONLY


@pytest.mark.parametrize("players", TABLES)
def test_B17_the_top_card_of_the_draw_pile_comes_into_the_hand_unseen_by_others(
    players: int,
) -> None:
    game = board("Ann: xR7", players=players, draw="B4", hands={"Ann": "R7 R1"})
    before = public(game)["draw_pile"]
    game.play("?")
    assert "B4" in hand(game, "Ann")
    assert public(game)["draw_pile"] == before - 1
    assert public(game)["hand_sizes"] == [8] * players
    assert public(game)["history"][-1] == {"seat": 0, "move": "?"}


def test_B17_the_top_card_of_a_discard_pile_can_be_taken_instead() -> None:
    game = board("Ann: xR7 ?", "Ben: xR3 ?", "Ann: xG2")
    before = public(game)["draw_pile"]
    assert game.legal_moves() == ["?", "<R"]
    game.play("<R")
    assert "R3" in hand(game, "Ann")
    assert public(game)["piles"]["R"] == ["R7"]
    assert public(game)["draw_pile"] == before
    assert of(game, "Ann", "known") == ["R3"]


def test_B17_the_card_just_discarded_cannot_be_taken_back() -> None:
    game = board("Ann: xR7")
    assert public(game)["closed_pile"] == "R"
    assert game.legal_moves() == ["?"]


def test_B17_nor_can_a_card_be_taken_from_beneath_it() -> None:
    game = board("Ann: xR7 ?", "Ben: xG3 ?", "Ann: xR8")
    assert public(game)["piles"]["R"] == ["R7", "R8"]
    assert game.legal_moves() == ["?", "<G"]


def test_B17_nor_the_other_card_of_the_same_number_beneath_it() -> None:
    game = board("Ann: xR7 ?", "Ben: xR7")
    assert game.legal_moves() == ["?"]


def test_B17_with_the_option_the_card_just_discarded_can_be_taken_back() -> None:
    game = board("Ann: xG3 ?", "Ben: xR7", options={"own_discard": "allowed"})
    assert public(game)["closed_pile"] is None
    assert game.legal_moves() == ["?", "<R", "<G"]
    before = hand(game, "Ben")
    game.play("<R")
    assert Counter(hand(game, "Ben")) == Counter([*before, "R7"])
    assert of(game, "Ben", "known") == ["R7"]
    assert public(game)["piles"]["R"] == []
    assert game.seat == 0
    assert keltis.load(game.record()).options == {"own_discard": "allowed"}


def test_B17_the_next_player_may_take_the_card_just_discarded() -> None:
    game = board("Ann: xR7 ?", "Ben: xG3")
    assert public(game)["closed_pile"] == "G"
    assert game.legal_moves() == ["?", "<R"]


def test_B17_the_own_discard_of_an_earlier_turn_can_be_taken() -> None:
    game = board("Ann: xR7 ?", "Ben: xG3 ?", "Ann: xY1 <R")
    assert "R7" in hand(game, "Ann")


def test_B17_after_laying_every_pile_is_open() -> None:
    discards = ["Ann: xR1 ?", "Ben: xY1 ?", "Ann: xV1 ?", "Ben: xG1 ?", "Ann: xB1 ?"]
    game = board(*discards, "Ben: R5 R")
    assert public(game)["closed_pile"] is None
    assert game.legal_moves() == ["?", "<R", "<Y", "<V", "<G", "<B"]


def test_B17_the_draw_is_asked_even_if_the_draw_pile_is_the_only_choice() -> None:
    game = board("Ann: R5 R")
    assert game.seat == 0
    assert public(game)["phase"] == "draw"
    assert game.legal_moves() == ["?"]


def test_B17_a_card_taken_from_a_pile_can_be_laid_on_a_later_turn() -> None:
    game = board("Ann: xR7 ?", "Ben: xG3 <R", "Ann: xY1 ?", "Ben: R7 R ?")
    assert of(game, "Ben", "rows")["R"] == [7]
    assert of(game, "Ben", "known") == []
