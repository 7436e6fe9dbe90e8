"""What happened, in words."""

import keltis
from keltis.cli.story import Story
from tests.cli.running import played


def test_a_turn_is_told_in_words() -> None:
    story = Story(keltis.new_game("board", seed=3))
    for token in ("R0", "R*", "?", "xR8", "?", "R6", "?"):
        story.play(token)
    turns = story.turns()
    assert [turn.tokens for turn in turns] == ["R0 R* ?", "xR8 ?", "R6 ?"]
    assert turns[0].told_to(0) == "laid red 0, large figure onto the red path, drew yellow 9"
    assert turns[0].told_to(1) == "laid red 0, large figure onto the red path, drew a card"
    assert turns[0].told_to(None) == turns[0].told_to(1)
    assert turns[1].told_to("all").startswith("discarded red 8, drew ")
    assert turns[2].told_to(None) == "laid red 6 → stone 2 (+3), drew a card"


def test_a_story_is_the_game_it_tells() -> None:
    for name in ("board", "stones"):
        game = played(name, 120)
        story = Story(game)
        assert story.game.record() == game.record()
        assert [deed.token for deed in story.deeds] == game.moves
        while story.deeds:
            story.undo()
        assert story.game.moves == []


def test_a_game_that_was_cut_off_stays_so() -> None:
    game = played("board", 10)
    game.cut_off()
    assert Story(game).game.reason == "cut off"
