"""The benchmark that judges the search's decisions one by one."""

from random import Random

import pytest

from benchmarks.regret import Setting, decisions, judged, setting
from keltis.bots.rollouts import Way


@pytest.mark.parametrize(("game", "players"), [("board", 4), ("stones", 2)])
def test_a_search_decides_better_with_more_worlds(game: str, players: int) -> None:
    random = Random(3)
    positions = decisions(game, players, random)
    settings = [setting(text) for text in ("1-1/1:1", "3-6/5:2000", "3-6/5:2000")]
    found: list[list[float]] = []
    while len(found) < 30:
        gains = judged(*next(positions), 200, settings, random)
        if gains is not None:
            found.append(gains)
    thorough, again, seeing = (sum(column) for column in zip(*found, strict=True))
    assert min(thorough, again, seeing) > 0


def test_settings_are_read() -> None:
    found = setting("3-8/5:1500")
    assert found == Setting(Way(3, 8, 5), 1500)
    assert str(found) == "3-8/5:1500"


@pytest.mark.parametrize("wrong", ["3-8:9", "8-3/5:9", "0-3/5:9", "3-8/0:9", "3-8/5:0", "a", ""])
def test_what_is_no_setting_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="is not a setting"):
        setting(wrong)
