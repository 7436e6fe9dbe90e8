"""The board game, clauses B13 to B16: points tiles, clovers, wishing stones, end-stone steps."""
# ruff: noqa: N802 - tests are named for the clause that they hold

import random
from collections import Counter

import pytest

import keltis
from tests.clauses.stories import (
    CARDS,
    COLOURS,
    NAMES,
    board,
    figures,
    march,
    of,
    play,
    public,
)

QUIET_RED = "R2=1 R3=1 R5=2 R7=2 R9=2"


# Points tiles


@pytest.mark.parametrize("points", [1, 2, 3])
def test_B13_a_points_tile_scores_at_once(points: int) -> None:
    game = board("Ann: R0 R ?", "Ann: R1", tiles=f"R2={points}")
    assert of(game, "Ann", "points") == points
    assert of(game, "Ben", "points") == 0


def test_B13_a_points_tile_stays_for_those_who_come_after() -> None:
    turns = [f"{name}: R{n} R ?" for n, name in enumerate(NAMES)]
    turns += [f"{name}: R{n} ?" for n, name in enumerate(NAMES)]
    game = board(*turns, players=4, tiles="R2=3")
    assert public(game)["points"] == [3, 3, 3, 3]
    assert public(game)["tiles"]["R"][1] == "3"


def test_B13_the_large_figure_scores_a_points_tile_once() -> None:
    game = board("Ann: R0 R* ?", "Ann: R1", tiles="R2=3")
    assert of(game, "Ann", "points") == 3


def test_B13_points_add_up() -> None:
    game = board(*march("Ann", "R", 9, enter="R"), tiles="R2=3 R3=3 R5=2 R7=1 R9=2")
    assert of(game, "Ann", "points") == 11


def test_B13_a_points_tile_asks_nothing() -> None:
    game = board("Ann: R0 R ?", "Ann: R1", tiles="R2=3")
    assert public(game)["phase"] == "draw"


# Clovers


def test_B14_a_clover_may_move_the_figure_that_just_moved() -> None:
    game = board("Ann: R0 R ?", "Ann: R1", tiles="R2=C R3=1")
    assert public(game)["phase"] == "clover"
    game.play("R")
    assert figures(game, "Ann") == {"R": 3}
    assert public(game)["phase"] == "draw"


def test_B14_a_clover_may_move_any_other_figure_of_the_player() -> None:
    game = board("Ann: Y0 Y ?", "Ann: R0 R ?", "Ann: R1 Y ?", tiles="R2=C Y2=1")
    assert figures(game, "Ann") == {"R": 2, "Y": 2}
    assert of(game, "Ann", "points") == 1


def test_B14_a_clover_may_bring_a_small_or_the_large_figure_onto_any_empty_path() -> None:
    game = board("Ann: R0 R ?", "Ann: R1", tiles="R2=C")
    assert game.legal_moves() == ["R", "Y", "V", "G", "B", "Y*", "V*", "G*", "B*", "-"]
    small = play(game.copy(), "G")
    assert figures(small, "Ann") == {"R": 2, "G": 1}
    assert (of(small, "Ann", "small_at_start"), of(small, "Ann", "large")) == (2, None)
    large = play(game.copy(), "G*")
    assert figures(large, "Ann") == {"R": 2, "G": 1}
    assert (of(large, "Ann", "small_at_start"), of(large, "Ann", "large")) == (3, "G")


def test_B14_a_clover_lays_no_card() -> None:
    game = board("Ann: R0 R ?", "Ann: R1 G ?", tiles="R2=C")
    assert of(game, "Ann", "rows") == {"R": [0, 1], "Y": [], "V": [], "G": [], "B": []}


def test_B14_a_clover_brings_only_small_figures_once_the_large_one_has_left() -> None:
    game = board("Ann: R0 R* ?", "Ann: R1", tiles="R2=C")
    assert game.legal_moves() == ["R", "Y", "V", "G", "B", "-"]


def test_B14_a_clover_brings_only_the_large_figure_once_the_small_ones_have_left() -> None:
    entering = ["Ann: R0 R ?", "Ann: Y0 Y ?", "Ann: V0 V ?", "Ann: G0 G ?"]
    game = board(*entering, "Ann: R1", tiles="R2=C")
    assert game.legal_moves() == ["R", "Y", "V", "G", "B*", "-"]
    game.play("B*")
    assert of(game, "Ann", "large") == "B"
    assert figures(game, "Ann") == {"R": 2, "Y": 1, "V": 1, "G": 1, "B": 1}


def test_B14_with_all_figures_on_their_way_a_clover_moves_one_of_the_five() -> None:
    entering = ["Ann: R0 R ?", "Ann: Y0 Y ?", "Ann: V0 V ?", "Ann: G0 G ?", "Ann: B0 ?"]
    game = board(*entering, "Ann: R1", tiles="R2=C")
    assert game.legal_moves() == ["R", "Y", "V", "G", "B", "-"]


def test_B14_a_clover_may_be_declined() -> None:
    game = board("Ann: R0 R ?", "Ann: R1 -", tiles="R2=C")
    assert figures(game, "Ann") == {"R": 2}
    assert public(game)["phase"] == "draw"
    assert game.seat == 0


def test_B14_with_the_option_the_step_of_a_clover_must_be_made() -> None:
    turns = ["Ann: R0 R ?", "Ann: R1"]
    game = board(*turns, tiles="R2=C R3=C", options={"clover_step": "must"})
    steps = ["R", "Y", "V", "G", "B", "Y*", "V*", "G*", "B*"]
    assert game.legal_moves() == steps
    with pytest.raises(keltis.IllegalMove, match=r"first the clover: move one of your figures$"):
        game.play("-")
    game.play("R")
    assert public(game)["phase"] == "clover"
    assert game.legal_moves() == steps
    assert keltis.load(game.record()).options == {"clover_step": "must"}


@pytest.mark.parametrize("may", [False, True])
def test_B14_and_B16_are_options_apart(may: bool) -> None:
    """A clover that must be used says nothing of the step from an end stone, and so about."""
    turns = [*ON_THE_END_STONE, "Ann: R9"]
    game = board(*turns, tiles=QUIET_RED, may=may, options={"clover_step": "must"})
    assert public(game)["phase"] == "end stone"
    assert ("-" in game.legal_moves()) == may
    game = board("Ann: R0 R ?", "Ann: R1", tiles="R2=C", may=may)
    assert "-" in game.legal_moves()


def test_B14_a_clover_stays_for_those_who_come_after() -> None:
    turns = ["Ann: R0 R ?", "Ben: R5 R ?", "Ann: R1 - ?", "Ben: R6"]
    game = board(*turns, tiles="R2=C")
    assert public(game)["tiles"]["R"][1] == "C"
    assert game.seat == 1
    assert public(game)["phase"] == "clover"


def test_B14_a_clover_moves_no_figure_of_another_player() -> None:
    turns = ["Ann: R0 R ?", "Ben: Y5 Y ?", "Ann: R1 Y ?"]
    game = board(*turns, tiles="R2=C")
    assert figures(game, "Ann") == {"R": 2, "Y": 1}
    assert figures(game, "Ben") == {"Y": 1}


def test_B14_a_clover_does_not_move_a_figure_on_an_end_stone() -> None:
    turns = [*march("Ann", "R", 9, enter="R"), "Ann: Y0 Y ?", "Ann: Y1"]
    game = board(*turns, tiles=QUIET_RED + " Y2=C")
    assert game.legal_moves() == ["Y", "V", "G", "B", "V*", "G*", "B*", "-"]


def test_B14_a_clover_on_an_end_stone_moves_another_figure() -> None:
    turns = march("Ann", "R", 9, enter="R")
    turns[-1] = turns[-1].removesuffix(" ?")
    game = board(*turns, tiles="R2=1 R3=1 R5=2 R7=2 R9=C")
    assert public(game)["phase"] == "clover"
    assert game.legal_moves() == ["Y", "V", "G", "B", "Y*", "V*", "G*", "B*", "-"]


def test_B14_a_tile_that_a_clover_leads_to_is_carried_out_too() -> None:
    game = board("Ann: R0 R ?", "Ann: R1 R", tiles="R2=C R3=3")
    assert of(game, "Ann", "points") == 3
    game = board("Ann: R0 R ?", "Ann: R1 R", tiles="R2=C R3=W")
    assert of(game, "Ann", "wishing_stones") == 1
    assert public(game)["tiles"]["R"][2] is None


def test_B14_a_clover_that_leads_to_a_clover_gives_another_step() -> None:
    game = board("Ann: R0 R ?", "Ann: R1 R", tiles="R2=C R3=C")
    assert public(game)["phase"] == "clover"
    play(game, "R")
    assert figures(game, "Ann") == {"R": 4}
    assert public(game)["phase"] == "draw"


def test_B14_a_clover_that_leads_to_a_clover_may_be_declined_the_second_time() -> None:
    game = board("Ann: R0 R ?", "Ann: R1 R -", tiles="R2=C R3=C")
    assert figures(game, "Ann") == {"R": 3}
    assert public(game)["phase"] == "draw"


ALL_NINE_CLOVERS = "V3=C V4=C G5=C G6=C G7=C R2=C R3=C B4=C B5=C G3=W B2=W"


def test_B14_all_nine_clovers_can_be_one_chain() -> None:
    ready = [
        "Ann: V0 V ?",
        "Ann: V1 ?",
        *march("Ann", "G", 4, enter="G"),
        "Ann: R0 R ?",
        *march("Ann", "B", 3, enter="B"),
    ]
    game = board(*ready, "Ann: V2", tiles=ALL_NINE_CLOVERS)
    assert figures(game, "Ann") == {"V": 3, "G": 4, "R": 1, "B": 3}
    for step in "V G G G R R B B B".split():
        assert public(game)["phase"] == "clover"
        game.play(step)
    assert figures(game, "Ann") == {"V": 4, "G": 7, "R": 3, "B": 6}
    assert public(game)["phase"] == "draw"
    assert public(game)["in_goal"] == 1


def test_B14_in_a_chain_a_figure_may_enter_and_be_left_for_another() -> None:
    turns = ["Ann: G0 G ?", "Ann: G1 ?", "Ann: R0 R ?", "Ann: R1 R G Y* ?"]
    game = board(*turns, tiles="R2=C R3=C G3=C")
    assert figures(game, "Ann") == {"R": 3, "G": 3, "Y": 1}
    assert of(game, "Ann", "large") == "Y"


def test_B14_the_step_is_asked_even_if_only_one_figure_can_move() -> None:
    game = four_on_end_stones("Ann: B0 ?", "Ann: B1", tiles="B2=C")
    assert figures(game, "Ann") == {"R": 9, "Y": 9, "V": 9, "G": 9, "B": 2}
    assert public(game)["phase"] == "clover"
    assert game.legal_moves() == ["B", "-"]


# Wishing stones


def test_B15_a_wishing_stone_is_taken_off_the_board_and_kept_openly() -> None:
    game = board("Ann: R0 R ?", "Ann: R1", tiles="R2=W")
    assert public(game)["tiles"]["R"][1] is None
    assert public(game)["wishing_stones"] == [1, 0]
    assert public(game)["phase"] == "draw"


def test_B15_who_comes_after_finds_nothing() -> None:
    turns = ["Ann: R0 R ?", "Ben: R5 R ?", "Ann: R1 ?", "Ben: R6 ?"]
    game = board(*turns, tiles="R2=W")
    assert public(game)["wishing_stones"] == [1, 0]
    assert public(game)["tiles"]["R"][1] is None


def test_B15_the_large_figure_takes_one_wishing_stone() -> None:
    game = board("Ann: R0 R* ?", "Ann: R1", tiles="R2=W")
    assert of(game, "Ann", "wishing_stones") == 1


def test_B15_the_board_at_the_start_is_still_known() -> None:
    game = board("Ann: R0 R ?", "Ann: R1", tiles="R2=W")
    assert public(game)["setup"]["tiles"]["R"][1] == "W"


# A card on a row whose figure stands on the end stone

ON_THE_END_STONE = march("Ann", "R", 9, enter="R")


def four_on_end_stones(*turns: str, tiles: str, may: bool = False) -> keltis.Game:
    """Ann's small figures stand on the end stones of red, yellow, violet and green.

    Their rows rise and stand at 4; blue is left to her large figure, and to Ben to wait.
    """
    marches = [
        *march("Ann", "R", 9, enter="R", declined=(9,)),
        *march("Ann", "Y", 9, enter="Y", declined=(7, 9)),
        *march("Ann", "V", 9, enter="V", declined=(7, 9)),
        *march("Ann", "G", 9, enter="G", declined=(7, 9)),
    ]
    clovers = "R9=C Y7=C Y9=C V7=C V9=C G7=C G9=C"
    others = "R2=1 R3=1 R5=2 R7=2 Y2=2 Y4=3 Y6=W V3=W V4=W V6=W G3=W G5=W G6=W"
    return board(*marches, *turns, tiles=f"{clovers} {others} {tiles}", may=may)


@pytest.mark.parametrize("may", [False, True])
def test_B16_a_card_on_a_finished_path_moves_another_figure(may: bool) -> None:
    turns = ["Ann: Y5 Y ?", *ON_THE_END_STONE, "Ann: R9"]
    game = board(*turns, tiles=QUIET_RED + " Y2=3", may=may)
    assert of(game, "Ann", "rows")["R"][-1] == 9
    assert public(game)["phase"] == "end stone"
    game.play("Y")
    assert figures(game, "Ann") == {"R": 9, "Y": 2}
    assert public(game)["phase"] == "draw"


def test_B16_by_default_the_step_must_be_made() -> None:
    game = board(*ON_THE_END_STONE, "Ann: R9", tiles=QUIET_RED)
    assert game.legal_moves() == ["Y", "V", "G", "B", "Y*", "V*", "G*", "B*"]


def test_B16_with_the_option_may_the_step_can_be_declined() -> None:
    game = board(*ON_THE_END_STONE, "Ann: R9", tiles=QUIET_RED, may=True)
    assert game.legal_moves() == ["Y", "V", "G", "B", "Y*", "V*", "G*", "B*", "-"]
    game.play("-")
    assert figures(game, "Ann") == {"R": 9}
    assert public(game)["phase"] == "draw"


def test_B16_the_option_is_kept_in_the_record() -> None:
    game = board(*ON_THE_END_STONE, "Ann: R9 -", tiles=QUIET_RED, may=True)
    assert game.options == {"end_stone_step": "may"}
    assert keltis.load(game.record()).record() == game.record()


def test_B16_the_step_may_bring_a_small_figure_from_the_start() -> None:
    game = board(*ON_THE_END_STONE, "Ann: R9 G", tiles=QUIET_RED)
    assert figures(game, "Ann") == {"R": 9, "G": 1}
    assert of(game, "Ann", "small_at_start") == 2


def test_B16_the_step_may_bring_the_large_figure_from_the_start() -> None:
    game = board(*ON_THE_END_STONE, "Ann: R9 G*", tiles=QUIET_RED)
    assert figures(game, "Ann") == {"R": 9, "G": 1}
    assert of(game, "Ann", "large") == "G"


def test_B16_the_card_must_still_fit_its_row() -> None:
    turns = ["Ann: R0 R ?", *(f"Ann: R{number} ?" for number in range(1, 9)), "Ann:"]
    game = board(*turns, tiles=QUIET_RED, hands={"Ann": "R7 R7 R8 R8 R10"})
    assert figures(game, "Ann") == {"R": 9}
    assert set(game.legal_moves()) & {"R7", "R8", "R10"} == {"R8", "R10"}


def test_B16_the_card_may_be_discarded_instead() -> None:
    game = board(*ON_THE_END_STONE, "Ann: xR9", tiles=QUIET_RED)
    assert public(game)["phase"] == "draw"


def test_B16_the_step_onto_a_clover_gives_a_clover_that_may_be_declined() -> None:
    turns = ["Ann: Y5 Y ?", *ON_THE_END_STONE, "Ann: R9 Y"]
    game = board(*turns, tiles=QUIET_RED + " Y2=C")
    assert public(game)["phase"] == "clover"
    assert game.legal_moves() == ["Y", "V", "G", "B", "V*", "G*", "B*", "-"]
    game.play("-")
    assert public(game)["phase"] == "draw"


def test_B16_the_step_carries_out_the_tile_it_leads_to() -> None:
    turns = ["Ann: Y5 Y ?", *ON_THE_END_STONE, "Ann: R9 Y"]
    game = board(*turns, tiles=QUIET_RED + " Y2=W")
    assert of(game, "Ann", "wishing_stones") == 1
    assert public(game)["tiles"]["Y"][1] is None


def test_B16_reaching_the_end_stone_is_itself_no_such_step() -> None:
    turns = [*ON_THE_END_STONE[:-1], "Ann: R4"]
    game = board(*turns, tiles=QUIET_RED)
    assert figures(game, "Ann") == {"R": 9}
    assert public(game)["phase"] == "draw"


def test_B16_another_player_whose_figure_is_not_there_moves_as_usual() -> None:
    turns = [*ON_THE_END_STONE, "Ben: R9 R"]
    game = board(*turns, tiles=QUIET_RED)
    assert figures(game, "Ben") == {"R": 1}
    assert public(game)["phase"] == "draw"


def test_B16_the_first_card_of_a_row_whose_figure_is_already_on_the_end_stone() -> None:
    steps = [f"Ann: R{n // 2} Y ?" for n in range(9, 18)]
    tiles = QUIET_RED + " Y2=W Y4=W Y6=W Y7=W Y9=W"
    game = board(*ON_THE_END_STONE, *steps, "Ann: Y4", tiles=tiles)
    assert public(game)["phase"] == "end stone"
    assert game.legal_moves() == ["V", "G", "B", "V*", "G*", "B*"]


@pytest.mark.parametrize("path", ["R", "Y", "V", "G"])
def test_B16_the_step_is_asked_even_if_only_one_figure_can_move(path: str) -> None:
    # Nothing else can move: three figures are on end stones too, the last one is on the start.
    game = four_on_end_stones(f"Ann: {path}5", tiles="B2=3")
    assert public(game)["phase"] == "end stone"
    assert game.legal_moves() == ["B*"]
    game.play("B*")
    assert figures(game, "Ann") == {"R": 9, "Y": 9, "V": 9, "G": 9, "B": 1}
    assert public(game)["phase"] == "draw"


def test_B16_a_figure_on_its_way_is_the_only_one_that_can_move() -> None:
    game = four_on_end_stones("Ann: B0 ?", "Ann: R5", tiles="B2=3")
    assert game.legal_moves() == ["B"]
    game.play("B")
    assert figures(game, "Ann")["B"] == 2


def test_B16_some_figure_can_always_move_while_the_game_runs() -> None:
    # A fifth figure in the goal area would have ended the game: so nobody is ever left with
    # nothing to move, and here the step is still asked, and ends the game.
    steps = [f"Ann: R{number} B ?" for number in (5, 5, 6, 6, 7)]
    game = four_on_end_stones("Ann: B0 ?", *steps, "Ann: R7", tiles="B2=W B4=W B5=3 B7=C")
    assert game.legal_moves() == ["B"]
    game.play("B")
    assert game.is_over


@pytest.mark.parametrize("players", [2, 3, 4])
def test_B14_and_B16_always_ask_while_the_game_runs(players: int) -> None:
    asked = Counter[str]()
    for seed in range(8):
        game = keltis.new_game("board", players=players, seed=seed)
        choose = random.Random(seed)
        while not game.is_over:
            seat = game.seat
            before = public(game)
            token = hurrying(game, choose)
            game.play(token)
            after = public(game)
            was, now = before["figures"][seat], after["figures"][seat]
            moved = next((path for path in COLOURS if was[path] != now[path]), None)
            expected = "neither"
            if moved:
                expected = "clover" if after["tiles"][moved][now[moved] - 1] == "C" else expected
            elif token in CARDS and was[token[0]] == 9:
                expected = "end stone"
            if not game.is_over:
                phase = after["phase"]
                assert (phase if phase in ("clover", "end stone") else "neither") == expected
                asked[expected] += 1
    assert min(asked["clover"], asked["end stone"]) > 0


def hurrying(game: keltis.Game, choose: random.Random) -> str:
    """A move of somebody who lays small steps of one colour and walks their first figure on."""
    legal = game.legal_moves()
    seat = game.seat
    seen = public(game)

    def eager(token: str) -> tuple[int, float]:
        reached = seen["figures"][seat].get(token[0], -1)
        if token in CARDS:
            row = seen["rows"][seat][token[0]]
            gap = abs(int(token[1:]) - row[-1]) if row else 0
            return (reached * 2 - 3 * gap if reached else -5, choose.random())
        if token[0] in COLOURS:
            return (reached, choose.random())
        return (-20, choose.random())

    return max(legal, key=eager)
