"""The board game, clauses B18 to B22: the end, the score, the winners."""
# ruff: noqa: N802 - tests are named for the clause that they hold

import pytest

import keltis
from tests.clauses.stories import (
    NAMES,
    alternate,
    board,
    figures,
    hand,
    march,
    of,
    play,
    public,
    score,
)

TABLES = [2, 3, 4]

# Four figures in the goal area: Ann's and Ben's on red and yellow, all on stone 7.
FOUR_IN_GOAL = [
    *alternate(march("Ann", "R", 7, enter="R"), march("Ben", "R", 7, enter="R", falling=True)),
    *alternate(march("Ann", "Y", 7, enter="Y"), march("Ben", "Y", 7, enter="Y", falling=True)),
]
# No clover on their way.
QUIET = "R2=1 R3=1 R5=2 R7=2 R9=2 Y2=W Y4=W Y6=W Y7=W V3=W V4=W V6=W"


def four_in_goal(*turns: str, tiles: str = "", players: int = 2, may: bool = False) -> keltis.Game:
    return board(*FOUR_IN_GOAL, *turns, tiles=f"{QUIET} {tiles}", players=players, may=may)


def test_B18_four_figures_in_the_goal_area_do_not_end_the_game() -> None:
    game = four_in_goal()
    assert public(game)["in_goal"] == 4
    assert not game.is_over
    assert game.reason is None


def test_B18_the_game_ends_at_once_when_the_fifth_figure_enters_the_goal_area() -> None:
    game = four_in_goal(*march("Ann", "V", 6, enter="V"), "Ann: V3")
    assert figures(game, "Ann") == {"R": 7, "Y": 7, "V": 7}
    assert public(game)["in_goal"] == 5
    assert game.is_over
    assert game.reason == "goal"
    assert game.seat is None
    assert game.legal_moves() == []
    assert public(game)["phase"] == "over"


def test_B18_the_mover_does_not_draw() -> None:
    game = four_in_goal(*march("Ann", "V", 6, enter="V"), "Ann: V3")
    assert public(game)["hand_sizes"] == [7, 8]
    assert len(hand(game, "Ann")) == 7


@pytest.mark.parametrize("tile", ["C", "W", "3"])
def test_B18_the_tile_that_the_fifth_figure_lands_on_does_nothing(tile: str) -> None:
    game = four_in_goal(*march("Ann", "V", 6, enter="V"), "Ann: V3", tiles=f"V7={tile}")
    assert game.is_over
    before = game.copy()
    before.undo()
    for what in ("points", "wishing_stones", "tiles"):
        assert public(game)[what] == public(before)[what]
    assert public(game)["tiles"]["V"][6] == tile


def test_B18_the_fifth_figure_may_enter_by_a_clover() -> None:
    turns = [*march("Ann", "V", 6, enter="V"), *march("Ann", "G", 2, enter="G")]
    game = four_in_goal(*turns, "Ann: G1", tiles="G3=C V7=W")
    assert public(game)["phase"] == "clover"
    assert not game.is_over
    stones = of(game, "Ann", "wishing_stones")
    game.play("V")
    assert game.reason == "goal"
    assert figures(game, "Ann") == {"R": 7, "Y": 7, "V": 7, "G": 3}
    assert public(game)["hand_sizes"] == [7, 8]
    assert of(game, "Ann", "wishing_stones") == stones


def test_B18_the_fifth_figure_may_enter_by_the_clover_it_has_just_landed_on() -> None:
    turns = march("Ann", "V", 5, enter="V")
    game = board(
        *FOUR_IN_GOAL, *turns, "Ann: V2 V", tiles=QUIET.removesuffix("V6=W") + " V6=C V7=C"
    )
    assert figures(game, "Ann")["V"] == 7
    assert game.reason == "goal"


def test_B18_the_fifth_figure_may_enter_at_the_end_of_a_clover_chain() -> None:
    turns = [*march("Ann", "G", 4, enter="G")]
    game = four_in_goal(*turns, "Ann: G2 G", tiles="G3=3 G5=C G6=C G7=C")
    assert public(game)["phase"] == "clover"
    assert not game.is_over
    game.play("G")
    assert game.reason == "goal"
    assert figures(game, "Ann")["G"] == 7


def test_B18_a_clover_declined_leaves_the_game_running() -> None:
    turns = march("Ann", "V", 5, enter="V")
    game = board(*FOUR_IN_GOAL, *turns, "Ann: V2 - ?", tiles=QUIET.removesuffix("V6=W") + " V6=C")
    assert not game.is_over
    assert game.seat == 1


@pytest.mark.parametrize("may", [False, True])
def test_B18_the_fifth_figure_may_enter_by_an_end_stone_step(may: bool) -> None:
    turns = ["Ann: R4 ?", "Ann: R4 ?", *march("Ann", "V", 6, enter="V"), "Ann: R5"]
    game = four_in_goal(*turns, tiles="V7=3", may=may)
    assert public(game)["phase"] == "end stone"
    points = of(game, "Ann", "points")
    game.play("V")
    assert game.reason == "goal"
    assert of(game, "Ann", "points") == points
    assert public(game)["hand_sizes"] == [7, 8]


@pytest.mark.parametrize("players", [3, 4])
def test_B18_the_fifth_figure_may_be_anybodys(players: int) -> None:
    last = NAMES[players - 1]
    turns = march(last, "V", 6, enter="V")
    game = four_in_goal(*turns, f"{last}: V3", players=players, tiles="V7=C")
    assert game.reason == "goal"
    assert figures(game, last) == {"V": 7}


def test_B18_all_five_figures_may_be_of_one_player() -> None:
    turns = [
        *march("Ann", "R", 7, enter="R"),
        *march("Ann", "Y", 7, enter="Y", declined=(7,)),
        *march("Ann", "V", 7, enter="V", declined=(7,)),
        *march("Ann", "G", 7, enter="G", declined=(7,)),
        *march("Ann", "B", 6),
        "Ann: B3",
    ]
    tiles = (
        "R2=1 R3=1 R5=2 R7=2 Y2=2 Y4=3 Y6=3 Y7=C V3=W V4=W V6=W V7=C"
        " G3=W G5=W G6=W G7=C B2=W B4=W B5=W B7=C"
    )
    game = board(*turns, tiles=tiles)
    assert figures(game, "Ann") == dict.fromkeys("RYVGB", 7)
    assert of(game, "Ann", "large") == "B"
    assert game.reason == "goal"


def test_B18_a_figure_that_walks_on_within_the_goal_area_does_not_enter_it_again() -> None:
    game = four_in_goal("Ann: R3 ?", "Ann: R4 ?", "Ben: R6 ?", "Ben: R6 ?")
    assert figures(game, "Ann") == {"R": 9, "Y": 7}
    assert figures(game, "Ben") == {"R": 9, "Y": 7}
    assert public(game)["in_goal"] == 4
    assert not game.is_over


def draw_down(game: keltis.Game, left: int) -> None:
    """Everybody discards and draws until so many cards are left in the draw pile."""
    while public(game)["draw_pile"] > left:
        game.play(next(token for token in game.legal_moves() if token.startswith("x")))
        game.play("?")


@pytest.mark.parametrize(("players", "draws"), [(2, 64), (3, 86), (4, 78)])
def test_B19_the_game_ends_at_once_when_the_last_card_is_drawn(players: int, draws: int) -> None:
    game = keltis.new_game("board", players=players, seed=5)
    draw_down(game, left=1)
    assert len(game.moves) == 2 * (draws - 1)
    assert not game.is_over
    last = game.record()["setup"]["draw"][-1]
    seat = game.seat
    assert seat == (draws - 1) % players
    game.play(next(token for token in game.legal_moves() if token.startswith("x")))
    assert not game.is_over
    game.play("?")
    assert game.is_over
    assert game.reason == "deck"
    assert game.seat is None
    assert game.legal_moves() == []
    assert public(game)["draw_pile"] == 0
    assert public(game)["hand_sizes"] == [8] * players
    assert last in game.view(seat)["hand"]


@pytest.mark.parametrize("players", TABLES)
def test_B19_with_one_card_left_players_may_go_on_from_the_discard_piles(players: int) -> None:
    game = keltis.new_game("board", players=players, seed=5)
    draw_down(game, left=1)
    for _ in range(5 * players):
        piles = public(game)["piles"]
        other = {path: any(piles[c] for c in piles if c != path) for path in piles}
        game.play(
            next(token for token in game.legal_moves() if token[0] == "x" and other[token[1]])
        )
        game.play(next(token for token in game.legal_moves() if token.startswith("<")))
    assert not game.is_over
    assert public(game)["draw_pile"] == 1
    game.play(next(token for token in game.legal_moves() if token.startswith("x")))
    game.play("?")
    assert game.reason == "deck"


def test_B19_a_card_laid_before_the_last_draw_still_counts() -> None:
    game = board(hands={"Ann": "R0 R1 R2 R3 R4 R5 R6 R7"})
    draw_down(game, left=2)
    lay = next(token for token in game.legal_moves() if token[0] in "RYVGB")
    play(game, f"{lay} {lay[0]} ?")
    assert not game.is_over
    game.play(next(token for token in game.legal_moves() if token.startswith("x")))
    game.play("?")
    assert game.reason == "deck"
    assert sorted(game.scores()) == [-8, -4]


# The score

WISHING_RED = "R2=W R3=W R5=W R7=W R9=W Y2=W Y4=W"
VALUES = {1: -4, 2: -3, 3: -2, 4: 1, 5: 2, 6: 3, 7: 6, 8: 7, 9: 10}


@pytest.mark.parametrize(
    ("stone", "wishing_stones", "points"),
    [(1, 0, -4), (2, 1, -3), (3, 2, 2), (4, 2, 2), (5, 3, 3), (7, 4, 6), (9, 5, 10)],
)
def test_B20_wishing_stones_score_by_their_number(
    stone: int, wishing_stones: int, points: int
) -> None:
    game = board(*march("Ann", "R", stone, enter="R"), tiles=WISHING_RED)
    assert of(game, "Ann", "wishing_stones") == wishing_stones
    assert score(game, "Ann") == VALUES[stone] + points


def test_B20_more_than_five_wishing_stones_score_as_five() -> None:
    turns = march("Ann", "R", 9, enter="R") + march("Ann", "Y", 4, enter="Y")
    game = board(*turns[:-2], tiles=WISHING_RED)
    assert of(game, "Ann", "wishing_stones") == 6
    assert score(game, "Ann") == 10 - 3 + 10
    game = board(*turns, tiles=WISHING_RED)
    assert of(game, "Ann", "wishing_stones") == 7
    assert score(game, "Ann") == 10 + 1 + 10


@pytest.mark.parametrize("stone", range(1, 10))
def test_B20_the_large_figure_counts_double_below_zero_too(stone: int) -> None:
    small = board(*march("Ann", "R", stone, enter="R"), tiles=WISHING_RED)
    large = board(*march("Ann", "R", stone, enter="R*"), tiles=WISHING_RED)
    assert score(large, "Ann") - score(small, "Ann") == VALUES[stone]


def test_B20_points_figures_and_wishing_stones_add_up() -> None:
    # Red 7 with the large figure: 6 doubled. Yellow 4: 1. Blue 1: -4. Points: 3 + 2 + 1. Three
    # wishing stones: 3.
    turns = [
        *march("Ann", "R", 7, enter="R*"),
        *march("Ann", "Y", 4),
        *march("Ann", "B", 1),
    ]
    game = board(*turns, tiles="R2=3 R3=W R5=2 R7=1 Y2=W Y4=W")
    assert public(game)["points"] == [6, 0]
    assert of(game, "Ann", "wishing_stones") == 3
    assert game.scores() == [12 + 1 - 4 + 6 + 3, -4]


def test_B20_cards_in_hands_and_rows_score_nothing() -> None:
    few = board("Ann: R0 R ?", tiles="R2=W")
    assert few.scores() == [-8, -4]


# Winners


@pytest.mark.parametrize("players", TABLES)
def test_B21_a_tie_has_several_winners(players: int) -> None:
    game = keltis.new_game("board", players=players, seed=5)
    draw_down(game, left=0)
    assert game.scores() == [-4] * players
    assert game.winners() == list(range(players))
    assert game.record()["result"] == {
        "scores": [-4] * players,
        "winners": list(range(players)),
        "reason": "deck",
    }


@pytest.mark.parametrize("players", [3, 4])
def test_B21_those_who_tie_for_the_most_points_win_and_the_others_do_not(players: int) -> None:
    game = board("Ben: R0 R ?", players=players)
    draw_down(game, left=0)
    assert game.scores() == [-8 if seat == 1 else -4 for seat in range(players)]
    assert game.winners() == [seat for seat in range(players) if seat != 1]


def test_B21_the_most_points_win() -> None:
    game = board(*march("Ben", "R", 7, enter="R*", falling=True), tiles=WISHING_RED)
    draw_down(game, left=0)
    assert game.scores() == [-4, 18]
    assert game.winners() == [1]


def test_B21_nobody_has_won_while_the_game_runs() -> None:
    game = board("Ann: R0 R ?")
    assert game.winners() == []
    assert game.record()["result"] is None


def test_B21_more_than_fifty_points_are_written_as_they_are() -> None:
    # Three small figures and the large one on end stones: 10 + 10 + 10 + 20. Seven wishing
    # stones: 10. Points: red 1 + 1 + 2 + 2, yellow 2 + 3.
    turns = [
        *march("Ann", "R", 9, enter="R*", declined=(9,)),
        *march("Ann", "Y", 9, declined=(7, 9)),
        *march("Ann", "V", 9, declined=(7, 9)),
        *march("Ann", "G", 9, declined=(7, 9)),
    ]
    tiles = (
        "R9=C Y7=C Y9=C V7=C V9=C G7=C G9=C"
        " R2=1 R3=1 R5=2 R7=2 Y2=2 Y4=3 Y6=W V3=W V4=W V6=W G3=W G5=W G6=W"
    )
    game = board(*turns, tiles=tiles)
    assert game.scores()[0] == 50 + 10 + 11


# Games without an end


def test_B22_players_may_draw_from_discard_piles_for_ever() -> None:
    game = board("Ann: xR0 ?", "Ben: xY0 ?", hands={"Ann": "R0 V0", "Ben": "Y0 G0"})
    for _ in range(500):
        play(game, "xV0 <R xG0 <Y xR0 <V xY0 <G")
    assert not game.is_over
    assert game.reason is None
    assert len(game.moves) == 4004
    assert public(game)["draw_pile"] == 62


def test_B22_a_game_that_hit_its_callers_cap_is_cut_off_and_not_won() -> None:
    game = board("Ann: R0 R ?", "Ben: xY0 ?")
    game.cut_off()
    assert game.is_over
    assert game.reason == "cut off"
    assert game.winners() == []
    assert game.scores() == [-8, -4]
    assert game.seat is None
    assert game.legal_moves() == []
    assert game.record()["result"] == {"scores": [-8, -4], "winners": [], "reason": "cut off"}


def test_B22_the_cap_has_one_name() -> None:
    assert isinstance(keltis.DECISION_CAP, int)
    assert keltis.DECISION_CAP > 0
