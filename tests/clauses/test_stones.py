"""The tile game, clauses S1 to S10."""
# ruff: noqa: N802 - tests are named for the clause that they hold

import pytest

import keltis
from tests.clauses.stories import (
    CARDS,
    COLOURS,
    of,
    play,
    public,
    score,
    stones,
    stones_record,
)

TABLES = [2, 3, 4]

# The tiles that carry a symbol.
WISHING_STONES = ["V1", "V4", "B2", "B3", "R4", "R7", "G6", "G9", "Y6", "Y8"]
CLOVERS = ["V2", "V9", "B5", "B6", "R5", "R8", "G3", "G4", "Y1", "Y7"]
BONUS = {"V5": 1, "B9": 1, "R6": 1, "G1": 1, "Y4": 1, "V7": 3, "B8": 3, "R2": 3, "G5": 3, "Y3": 3}


def row(game: keltis.Game, name: str, colour: str) -> list[int]:
    numbers: list[int] = of(game, name, "rows")[colour]
    return numbers


def turn_up_and_leave(game: keltis.Game, down_to: int) -> keltis.Game:
    """Everybody turns a tile over and leaves it until so many are left face down."""
    while public(game)["face_down"] > down_to:
        play(game, "? -")
    return game


@pytest.mark.parametrize("players", TABLES)
def test_S1_two_to_four_players_and_55_tiles_each_once_all_face_down(players: int) -> None:
    game = keltis.new_game("stones", players=players, seed=1)
    assert sorted(game.record()["setup"]["draw"]) == sorted(CARDS)
    assert len(CARDS) == 55
    assert public(game)["face_down"] == 55
    assert public(game)["open"] == []
    assert public(game)["rows"] == [{colour: [] for colour in COLOURS}] * players


@pytest.mark.parametrize("players", [0, 1, 5])
def test_S1_no_other_number_of_players_is_allowed(players: int) -> None:
    with pytest.raises(ValueError, match="players"):
        keltis.new_game("stones", players=players)


def test_S1_the_tiles_are_shuffled() -> None:
    orders = [keltis.new_game("stones", seed=seed).record()["setup"]["draw"] for seed in range(20)]
    assert len({tuple(order) for order in orders}) == 20


@pytest.mark.parametrize("tile", CARDS)
def test_S2_each_tile_carries_its_symbol_or_none(tile: str) -> None:
    game = stones(f"Ann: ? {tile}", draw=tile)
    assert of(game, "Ann", "wishing_stones") == (1 if tile in WISHING_STONES else 0)
    assert of(game, "Ann", "points") == BONUS.get(tile, 0)
    assert game.seat == (0 if tile in CLOVERS else 1)


def test_S2_ten_wishing_stones_ten_clovers_and_ten_bonus_tiles() -> None:
    assert len({*WISHING_STONES, *CLOVERS, *BONUS}) == 30


@pytest.mark.parametrize("players", TABLES)
def test_S3_seat_0_starts_and_turns_go_round(players: int) -> None:
    game = keltis.new_game("stones", players=players, seed=1)
    seats = []
    for _ in range(3 * players):
        seats.append(game.seat)
        play(game, "? -")
    assert seats == list(range(players)) * 3


def test_S4_a_turn_may_turn_a_tile_over_and_take_it() -> None:
    game = stones("Ann: ?", draw="R0")
    assert public(game)["phase"] == "tile"
    assert public(game)["tile"] == "R0"
    assert game.legal_moves() == ["R0", "-"]
    game.play("R0")
    assert row(game, "Ann", "R") == [0]
    assert public(game)["open"] == []
    assert game.seat == 1


def test_S4_a_turn_may_turn_a_tile_over_and_leave_it_face_up() -> None:
    game = stones("Ann: ? -", draw="R0")
    assert public(game)["open"] == ["R0"]
    assert row(game, "Ann", "R") == []
    assert game.seat == 1


def test_S4_a_turn_may_take_a_face_up_tile_instead() -> None:
    game = stones("Ann: ? -", "Ben: R0", draw="R0")
    assert row(game, "Ben", "R") == [0]
    assert public(game)["open"] == []
    assert public(game)["face_down"] == 54
    assert game.seat == 0


def test_S4_who_has_turned_a_tile_over_cannot_take_another_one() -> None:
    game = stones("Ann: ? -", "Ben: ?", draw="R0 Y0")
    assert game.legal_moves() == ["Y0", "-"]


def test_S4_any_face_up_tile_that_fits_can_be_taken() -> None:
    game = stones("Ann: ? -", "Ben: ? -", "Ann: ? -", draw="B10 R0 V3")
    assert game.legal_moves() == ["R0", "V3", "B10", "?"]


def test_S4_nobody_passes_while_a_face_down_tile_is_left() -> None:
    game = turn_up_and_leave(keltis.new_game("stones", seed=3), down_to=1)
    assert "-" not in game.legal_moves()
    assert "?" in game.legal_moves()
    game = stones(draw="R0")
    assert game.legal_moves() == ["?"]


def test_S4_the_choice_is_asked_even_if_the_tile_does_not_fit() -> None:
    game = stones("Ann: ? R4", "Ben: ? -", "Ann: ? R6", "Ben: ? -", "Ann: ?", draw="R4 Y0 R6 Y2 R3")
    assert public(game)["phase"] == "tile"
    assert game.legal_moves() == ["-"]


def test_S4_everybody_sees_the_tile_that_was_turned_over() -> None:
    game = stones("Ann: ?", draw="R0")
    for seat in (0, 1, None):
        assert game.view(seat)["tile"] == "R0"
        assert game.view(seat)["history"] == [{"seat": 0, "move": "?", "shown": "R0"}]


def test_S5_the_first_tile_of_a_colour_may_be_any_and_the_second_too() -> None:
    game = stones("Ann: ? R4", "Ben: ? -", "Ann: ? -", "Ben: ? -", draw="R4 R3 R10 Y0")
    assert game.legal_moves() == ["R3", "R10", "Y0", "?"]


def test_S5_the_second_tile_makes_the_row_rise() -> None:
    game = stones("Ann: ? R4", "Ben: ? -", "Ann: ? R6", "Ben: ? -", draw="R4 R3 R6 R7")
    assert row(game, "Ann", "R") == [4, 6]
    assert game.legal_moves() == ["R7", "?"]


def test_S5_the_second_tile_makes_the_row_fall() -> None:
    game = stones("Ann: ? R6", "Ben: ? -", "Ann: ? R4", "Ben: ? -", draw="R6 R3 R4 R7")
    assert row(game, "Ann", "R") == [6, 4]
    assert game.legal_moves() == ["R3", "?"]


def test_S5_a_row_of_8_and_5_takes_neither_7_nor_9() -> None:
    game = stones("Ann: ? G8", "Ben: ? -", "Ann: ? G5", "Ben: ? -", draw="G8 G7 G5 G9")
    assert game.legal_moves() == ["?"]


def test_S5_a_number_between_two_of_the_row_does_not_fit() -> None:
    game = stones("Ann: ? R0", "Ben: ? -", "Ann: ? R10", "Ben: ? -", draw="R0 R4 R10 R9")
    assert row(game, "Ann", "R") == [0, 10]
    assert game.legal_moves() == ["?"]


def test_S5_a_tile_goes_to_the_own_row_of_its_colour_whatever_others_hold() -> None:
    turns = ["Ann: ? R4", "Ben: ? R6", "Ann: ? R7", "Ben: ? R3", "Ann: ? -", "Ben: ? -"]
    game = stones(*turns, draw="R4 R6 R7 R3 R9 R1")
    assert (row(game, "Ann", "R"), row(game, "Ben", "R")) == ([4, 7], [6, 3])
    assert game.legal_moves() == ["R9", "?"]
    game.play("R9")
    assert game.legal_moves() == ["R1", "?"]


def test_S6_a_clover_gives_another_turn_at_once() -> None:
    game = stones("Ann: ? R5", draw="R5 R6")
    assert game.seat == 0
    assert public(game)["phase"] == "turn"
    assert game.legal_moves() == ["?"]
    play(game, "? R6")
    assert row(game, "Ann", "R") == [5, 6]
    assert game.seat == 1


def test_S6_the_further_turn_may_take_a_face_up_tile() -> None:
    game = stones("Ann: ? -", "Ben: ? R5", draw="Y0 R5")
    assert game.seat == 1
    assert game.legal_moves() == ["Y0", "?"]
    game.play("Y0")
    assert game.seat == 0


def test_S6_clovers_chain() -> None:
    turns = ["Ann: ? R5", "Ann: ? R8", "Ann: ? Y1", "Ann: ? Y7", "Ann: ? B5", "Ann: ? B6"]
    game = stones(*turns, draw="R5 R8 Y1 Y7 B5 B6 G0")
    assert game.seat == 0
    play(game, "? -")
    assert game.seat == 1


def test_S6_a_clover_left_in_the_middle_gives_nobody_a_turn() -> None:
    game = stones("Ann: ? -", draw="R5")
    assert game.seat == 1
    play(game, "? -")
    assert game.seat == 0


def test_S6_taking_it_later_gives_the_turn() -> None:
    game = stones("Ann: ? -", "Ben: R5", draw="R5")
    assert game.seat == 1
    assert row(game, "Ben", "R") == [5]


@pytest.mark.parametrize("players", TABLES)
def test_S6_after_the_further_turn_the_next_seat_follows(players: int) -> None:
    game = stones(
        "Ann: ? R5", "Ann: ? -", "Ben: ? R8", "Ben: ? -", players=players, draw="R5 G0 R8"
    )
    assert game.seat == 2 % players


def last_tile(tile: str, players: int = 2) -> keltis.Game:
    """All tiles but this one lie face up, none was taken, and the next turn shall turn it over."""
    record = stones_record(players=players, last=tile)
    return turn_up_and_leave(keltis.load(record), down_to=1)


@pytest.mark.parametrize("choice", ["R0", "-"])
@pytest.mark.parametrize("players", TABLES)
def test_S7_who_turned_the_last_tile_over_finishes_the_turn_and_the_game_ends(
    players: int, choice: str
) -> None:
    game = last_tile("R0", players)
    assert game.seat == 54 % players
    game.play("?")
    assert not game.is_over
    assert game.legal_moves() == ["R0", "-"]
    game.play(choice)
    assert game.is_over
    assert game.reason == "deck"
    assert game.seat is None
    assert game.legal_moves() == []
    assert public(game)["phase"] == "over"
    assert len(public(game)["open"]) == (54 if choice == "R0" else 55)


def test_S7_with_one_tile_face_down_a_face_up_one_may_be_taken_and_the_game_goes_on() -> None:
    game = play(last_tile("R0"), "R1")
    assert not game.is_over
    assert public(game)["face_down"] == 1
    assert game.seat == 1


def test_S7_a_clover_turned_over_last_and_left_gives_no_further_turn() -> None:
    game = play(last_tile("R5"), "? -")
    assert game.is_over


def test_S7_a_clover_taken_last_gives_a_further_turn_among_the_face_up_tiles() -> None:
    game = play(last_tile("R5"), "? R5")
    assert not game.is_over
    assert game.seat == 0
    assert public(game)["phase"] == "further"
    assert "?" not in game.legal_moves()
    assert len(game.legal_moves()) == 55
    assert game.legal_moves()[-1] == "-"
    game.play("Y0")
    assert game.is_over
    assert row(game, "Ann", "Y") == [0]
    assert len(public(game)["open"]) == 53


def test_S7_the_further_turn_may_be_declined() -> None:
    game = play(last_tile("R5"), "? R5 -")
    assert game.is_over
    assert game.reason == "deck"


def test_S7_a_clover_in_the_further_turn_gives_yet_another_one() -> None:
    game = play(last_tile("R5"), "? R5 R8")
    assert not game.is_over
    assert (game.seat, public(game)["phase"]) == (0, "further")
    reds = [token for token in game.legal_moves() if token[0] == "R"]
    assert reds == ["R9", "R10"]
    play(game, "V2 V9 V10")
    assert game.is_over
    assert row(game, "Ann", "V") == [2, 9, 10]


def test_S7_a_further_turn_that_turns_the_last_tile_over_is_the_last_turn() -> None:
    game = play(last_tile("R0"), "R5")
    assert game.seat == 0
    play(game, "? -")
    assert game.is_over


# Ann's rows are full to the top but for violet, where she has the 0; Ben has violet 10, or not.
ANN_TAKES = "R0 R10 Y0 Y10 G0 G10 B0 B10 V0".split()
BEN_TURNS = "V10 R1 R2 R3 R4 R6 R7 R9 Y2".split()


def nothing_fits_but_violet(violet_10: str) -> keltis.Game:
    draw = " ".join(f"{ann} {ben}" for ann, ben in zip(ANN_TAKES, BEN_TURNS, strict=True))
    game = keltis.load(stones_record(draw=draw, last="V9"))
    for ann, ben in zip(ANN_TAKES, BEN_TURNS, strict=True):
        play(game, f"? {ann} ? {violet_10 if ben == 'V10' else '-'}")
    return turn_up_and_leave(game, down_to=1)


def test_S7_with_nothing_that_fits_the_game_is_over_without_asking() -> None:
    game = play(nothing_fits_but_violet("V10"), "? V9")
    assert game.is_over
    assert row(game, "Ann", "V") == [0, 9]


def test_S7_only_tiles_that_fit_are_offered_in_the_further_turn() -> None:
    game = play(nothing_fits_but_violet("-"), "? V9")
    assert game.legal_moves() == ["V10", "-"]
    game.play("V10")
    assert game.is_over


def taking(*tiles: str, players: int = 2) -> keltis.Game:
    """Ann turns these tiles over and takes them, one each turn; the others leave what they turn."""
    left = [tile for tile in reversed(CARDS) if tile not in tiles]
    others = [left[k * (players - 1) : (k + 1) * (players - 1)] for k in range(len(tiles))]
    draw = [tile for ann, rest in zip(tiles, others, strict=True) for tile in (ann, *rest)]
    game = keltis.load(stones_record(players=players, draw=" ".join(draw)))
    for tile in tiles:
        play(game, f"? {tile}" + " ? -" * (players - 1))
    return game


@pytest.mark.parametrize(
    ("tiles", "points"),
    [
        ("", 0),
        ("R0", -4),
        ("R0 R1", -3),
        ("R0 R1 R3", 2),
        ("R0 R1 R3 R9", 3),
        ("R0 R1 R3 R9 R10", 6),
        ("R0 R1 R3 R6 R9 R10", 10 + 1),
        ("R0 R1 R2 R3 R6 R9 R10", 10 + 3 + 1),
    ],
)
def test_S8_a_row_scores_by_its_length_and_bonus_points_are_added(tiles: str, points: int) -> None:
    game = taking(*tiles.split())
    assert of(game, "Ann", "wishing_stones") == 0
    assert score(game, "Ann") == points - 4
    assert score(game, "Ben") == -4


@pytest.mark.parametrize(
    ("tiles", "rows", "wishing_stones"),
    [
        ("", 0, -4),
        ("V1", -4, -3),
        ("V1 V4", -3, 2),
        ("V1 V4 B2", -3 - 4, 3),
        ("V1 V4 B2 B3", -3 - 3, 6),
        ("V1 V4 B2 B3 R4", -3 - 3 - 4, 10),
        ("V1 V4 B2 B3 R4 R7", -3 - 3 - 3, 10),
    ],
)
def test_S8_wishing_stones_score_by_their_number(
    tiles: str, rows: int, wishing_stones: int
) -> None:
    game = taking(*tiles.split())
    assert of(game, "Ann", "wishing_stones") == len(tiles.split())
    assert score(game, "Ann") == rows + wishing_stones


@pytest.mark.parametrize(("tile", "bonus"), BONUS.items())
def test_S8_the_printed_bonus_points_count(tile: str, bonus: int) -> None:
    game = taking(tile)
    assert of(game, "Ann", "points") == bonus
    assert score(game, "Ann") == -4 + bonus - 4


@pytest.mark.parametrize("players", TABLES)
def test_S9_a_tie_has_several_winners(players: int) -> None:
    game = play(last_tile("R0", players), "? -")
    assert game.scores() == [-4] * players
    assert game.winners() == list(range(players))


@pytest.mark.parametrize("players", TABLES)
def test_S9_the_most_points_win(players: int) -> None:
    game = taking("R0", "R1", "R3", players=players)
    assert game.winners() == []
    turn_up_and_leave(game, down_to=0)
    assert game.scores() == [-2] + [-4] * (players - 1)
    assert game.winners() == [0]
    result = {"scores": game.scores(), "winners": [0], "reason": "deck"}
    assert game.record()["result"] == result


def test_S10_the_example_of_the_book() -> None:
    blue = ["B2", "B8"]  # a wishing stone, +3
    yellow = ["Y3", "Y5", "Y6", "Y10"]  # +3, a wishing stone
    violet = ["V0", "V5", "V7"]  # +1, +3
    red = ["R0", "R1", "R3", "R4", "R9"]  # a wishing stone
    game = taking(*blue, *yellow, *violet, *red)
    assert of(game, "Ann", "wishing_stones") == 3
    assert of(game, "Ann", "points") == 3 + 1 + 3 + 3
    assert score(game, "Ann") == -3 + 3 + 2 + 6 + 0 + 3 + 10 == 21
