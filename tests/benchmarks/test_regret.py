"""The benchmark that judges the search's decisions one by one."""

from random import Random

import pytest

from benchmarks.regret import Setting, decisions, judged, setting
from keltis.bots.search import PlanSearch, RolloutSettings


@pytest.mark.parametrize(("game", "players"), [("board", 4), ("stones", 2)])
def test_what_is_lost_by_the_worst_plans_is_told(
    game: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a single rollout, the plan that the network likes least is chosen here."""
    best = PlanSearch.best

    def worst_if_hasty(found: PlanSearch, rollouts: float, deadline: float) -> int:
        return int(found.alive[-1]) if rollouts == 1 else best(found, rollouts, deadline)

    monkeypatch.setattr(PlanSearch, "best", worst_if_hasty)
    random = Random(3)
    positions = decisions(game, players, random)
    settings = [setting(text) for text in ("1-1/1:1", "1-1/1:1", "3-6/5:300")]
    found: list[list[float]] = []
    while len(found) < 15:
        gains = judged(*next(positions), 100, settings, random)
        if gains is not None:
            found.append(gains)
    same, thorough, seeing = (sum(column) for column in zip(*found, strict=True))
    assert same == 0
    assert thorough > 0.5
    assert seeing > 0.5


def test_settings_are_read() -> None:
    found = setting("3-8/5:1500")
    assert found == Setting(RolloutSettings(3, 8, 5), 1500)
    assert str(found) == "3-8/5:1500"


@pytest.mark.parametrize("wrong", ["3-8:9", "8-3/5:9", "0-3/5:9", "3-8/0:9", "3-8/5:0", "a", ""])
def test_what_is_no_setting_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="is not a setting"):
        setting(wrong)
