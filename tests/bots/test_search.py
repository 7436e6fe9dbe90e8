"""The search: the same worlds for all, no hidden knowledge, within its budget."""

import math
from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

import keltis
from keltis.bots.kernels.rollouts import MOST_PLANS, POINT, ROLLOUTS, carry_out, share_out
from keltis.bots.position import likely_deals, position
from keltis.bots.search import PlanSearch, RolloutSettings, SearchBot
from keltis.game import resample
from tests.parts import from_python


def middle(game: str, players: int, seed: int, decisions: int) -> keltis.Game:
    """A game some decisions on, where there is a choice."""
    chance = Random(seed)
    table = keltis.new_game(game, players=players, seed=seed)
    while table.seat is not None and (len(table.moves) < decisions or len(table.legal_moves()) < 3):
        table.play(chance.choice(table.legal_moves()))
    assert table.seat is not None
    return table


def view_of(table: keltis.Game) -> dict[str, Any]:
    assert table.seat is not None
    return dict(table.view(table.seat))


@pytest.mark.parametrize("game", ["board", "stones"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_same_seed_decides_the_same_on_any_number_of_threads(game: str, players: int) -> None:
    for seed in range(3):
        view = view_of(middle(game, players, seed, 40))
        alone = SearchBot(seed=5, rollouts=600).advise(view)
        assert SearchBot(seed=5, rollouts=600).advise(view) == alone
        assert SearchBot(seed=5, rollouts=600, threads=3).advise(view) == alone
        assert alone["move"] in view["legal_moves"]


@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_decision_resamples_the_past_once(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is plain Python and goes through the whole history."""
    original = resample._resample
    seeds: list[Random] = []

    def counted(view: dict[str, Any], chance: Random) -> keltis.Game:
        seeds.append(chance)
        return original(view, chance)

    monkeypatch.setattr(resample, "_resample", counted)
    SearchBot(seed=5, rollouts=50).choose(view_of(middle(game, 3, 7, 50)))
    assert len(seeds) == 1


@pytest.mark.parametrize("game", ["board", "stones"])
def test_plans_do_not_depend_on_what_is_hidden(game: str) -> None:
    """Which plans there are and what is thought of them is the same in every world."""
    view = view_of(middle(game, 3, 7, 50))
    place = position(view)

    def planned(states: np.ndarray) -> tuple[list[list[int]], list[float]]:
        found = PlanSearch(game, states, seed=9)
        plans = [found.plans[k, : found.lengths[k]].tolist() for k in range(MOST_PLANS)]
        return plans, found.priors.tolist()

    expected = planned(place.states)
    for seed in range(1, 6):
        world = keltis.resample(view, seed=seed)._states
        assert world["deck"].tobytes() != place.states["deck"].tobytes()
        assert planned(world) == expected


@pytest.mark.parametrize("game", ["board", "stones"])
def test_plans_are_legal_and_end_with_the_turn_or_with_something_new(game: str) -> None:
    for seed in range(10):
        table = middle(game, 2, seed, 10 * seed)
        seat = table.seat
        search = PlanSearch(game, position(view_of(table)).states, seed=1)
        found = [tuple(search.plans[k, : search.lengths[k]].tolist()) for k in search.alive]
        assert len(found) == len(set(found)) == np.count_nonzero(search.lengths)
        for plan in found:
            copy = table.copy()
            moves = [copy._kind.tokens[action] for action in plan]
            for move in moves:
                assert copy.seat == seat
                copy.play(move)
            assert copy.seat != seat or moves[-1] == "?"
            assert "?" not in moves[:-1]


class Trial:
    """The plans of a position played in some worlds."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.deals = likely_deals(view_of(middle(game, 2, 3, 30)), seed=5)
        self.search = PlanSearch(game, self.deals, seed=4)
        self.sums = np.zeros((3, MOST_PLANS), np.int64)

    def play(
        self, alive: list[int], first: int, end: int, settings: RolloutSettings | None = None
    ) -> None:
        search = self.search
        if settings:
            search = PlanSearch(self.game, self.deals, seed=4, settings=settings)
        search.alive = np.array(alive)
        self.sums += search.play(first, end)


@pytest.mark.parametrize("game", ["board", "stones"])
def test_every_plan_meets_the_same_worlds(game: str) -> None:
    """A plan written twice gets the same sum twice, whatever is tried beside it."""
    trial = Trial(game)
    search = trial.search
    first = int(search.alive[0])
    search.plans[63], search.lengths[63] = search.plans[first], search.lengths[first]
    trial.play([first, int(search.alive[1]), 63], 0, 60)
    assert (trial.sums[:, first] == trial.sums[:, 63]).all()


@pytest.mark.parametrize("game", ["board", "stones"])
def test_sums_do_not_depend_on_how_worlds_are_shared_out(game: str) -> None:
    at_once, by_and_by = Trial(game), Trial(game)
    plans = at_once.search.alive[:3].tolist()
    at_once.play(plans, 0, 200)
    for first, end in ((150, 200), (0, 7), (7, 150)):
        for plan in plans:
            by_and_by.play([plan], first, end)
    assert (at_once.sums == by_and_by.sums).all()


@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_rollout_that_never_ends_early_ends_with_whole_points(game: str) -> None:
    """With more turns than there can be, the network is not asked for the last word."""
    to_the_end, judged = Trial(game), Trial(game)
    plan = int(judged.search.alive[0])
    to_the_end.play([plan], 0, 1, RolloutSettings(1000, 1000, 5))
    judged.play([plan], 0, 1, RolloutSettings(1, 1, 5))
    assert to_the_end.sums[1, plan] % POINT == 0
    assert judged.sums[1, plan] % POINT != 0


@pytest.mark.parametrize("game", ["board", "stones"])
def test_a_rollout_is_worth_the_mean_of_its_turns(game: str) -> None:
    """If it ends before some of them, what it ends with counts for these."""
    plan = int(Trial(game).search.alive[0])
    for world in range(20):
        for first, last in ((1, 3), (2, 4), (3, 100)):
            at_once = Trial(game)
            at_once.play([plan], world, world + 1, RolloutSettings(first, last, 5))
            one_by_one = Trial(game)
            for turn in range(first, last + 1):
                one_by_one.play([plan], world, world + 1, RolloutSettings(turn, turn, 5))
            means = one_by_one.sums[:2, plan] / (last - first + 1)
            assert at_once.sums[:2, plan] == pytest.approx(means, abs=1)


@pytest.mark.parametrize(
    ("game", "players"), [(g, p) for g in ("board", "stones") for p in (2, 3, 4)]
)
def test_what_is_set_aside_for_the_seats_comes_out_once(game: str, players: int) -> None:
    """Rollouts bring to light the cards of the world, each once, whoever draws how often."""
    chance = Random(players)
    for seed in range(3):
        table = middle(game, players, seed, 20)
        rules = table._kind.rules
        states = np.zeros(2, table._states.dtype)
        states[:] = table._states[0]
        rollouts = np.zeros(1, ROLLOUTS)
        from_python(share_out)(states[0], rollouts[0])
        out = np.empty(rules.ACTIONS, np.int64)
        drawn: Counter[int] = Counter()
        while count := rules.legal_actions(states, 1, out):
            # Who draws is left to chance, but for the first seat, who always would.
            eager = states["seat"][1] == 0 and table._kind.tokens[out[count - 1]] == "?"
            action = out[count - 1] if eager else out[chance.randrange(count)]
            before = int(states["next"][1])
            from_python(carry_out)(states[1], states[0], rollouts[0], action)
            if int(states["next"][1]) > before:
                drawn[int(states["deck"][1, before])] += 1
        there = Counter(states["deck"][0, int(states["next"][0]) :].tolist())
        assert drawn <= there
        if states["reason"][1] == rules.BY_DECK:
            assert drawn == there


def test_a_budget_of_time_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that moves on by a millisecond for every rollout: no busy machine matters."""
    now = 0.0
    search = PlanSearch("board", position(view_of(middle("board", 2, 3, 20))).states, seed=1)
    monkeypatch.setattr("keltis.bots.search.time.monotonic", lambda: now)

    def play(worlds: int, pool: object) -> None:
        nonlocal now
        now += worlds * len(search.alive) / 1000
        search.worlds += worlds

    monkeypatch.setattr(search, "_play_more", play)
    search.best(float("inf"), deadline=5.0)
    assert 4.5 <= now <= 5.5


def test_it_sees_a_win_at_once() -> None:
    """With the last card of the draw pile to come and the lead, it draws that card."""
    for seed in range(100):
        table = keltis.new_game("board", seed=seed)
        chance = Random(seed)
        while not table.is_over:
            view = view_of(table)
            seat = view["you"]
            if view["phase"] == "draw" and view["draw_pile"] == 1 and len(view["legal_moves"]) > 1:
                lead = view["scores"][seat] - view["scores"][1 - seat]
                if lead > 0:
                    assert SearchBot(seed=1, rollouts=400).choose(view) == "?"
                    return
            table.play(chance.choice(table.legal_moves()))
    raise AssertionError("no such position was found")


@pytest.mark.parametrize("game", ["board", "stones"])
def test_advice_has_its_reason_in_figures(game: str) -> None:
    view = view_of(middle(game, 3, 2, 30))
    advice = SearchBot(seed=1, rollouts=400).advise(view)
    assert advice["move"] == SearchBot(seed=1, rollouts=400).choose(view)
    assert advice["moves"][0]["move"] == advice["move"]
    assert len(advice["moves"]) > 1
    for told in advice["moves"]:
        assert told["move"] in view["legal_moves"]
        assert told["worlds"] >= 2
        assert 0 <= told["wins"] <= 1
        assert -200 < told["value"] < 200
        assert told["error"] >= 0


@pytest.mark.parametrize("game", ["board", "stones"])
def test_advice_has_the_best_first_and_each_move_by_its_best_plan(game: str) -> None:
    """Of two plans, the one dropped later is the better; of those dropped at once, by the sums."""
    for seed in range(4):
        view = view_of(middle(game, 2, seed, 30))
        _, search = SearchBot(seed=1, rollouts=700)._think(view)
        advice = SearchBot(seed=1, rollouts=700).advise(view)
        mean = search.sums[0] / np.maximum(search.played, 1) + 5 / np.maximum(search.played, 1) * (
            100_000 * search.priors
        )
        best: dict[str, tuple[int, float]] = {}
        for plan in np.flatnonzero(search.played >= 2):
            move = search.kind.tokens[int(search.plans[plan, 0])]
            rank = int(search.played[plan]), float(mean[plan])
            best[move] = max(best.get(move, rank), rank)
        ranks = [best[told["move"]] for told in advice["moves"]]
        assert ranks == sorted(ranks, reverse=True)
        assert [told["worlds"] for told in advice["moves"]] == [worlds for worlds, _ in ranks]


def test_every_plan_is_tried_even_if_there_is_hardly_time(monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_of(middle("board", 2, 3, 30))
    for budget in ({"rollouts": 1}, {"seconds": 1e-9}):
        _, search = SearchBot(seed=1, **budget)._think(view)
        plans = int((search.lengths > 0).sum())
        assert (search.played[:plans] >= 1).all()
        assert search.worlds == math.ceil(math.log2(plans))


def test_what_others_hold_is_guessed_within_a_part_of_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a clock that moves on by a second whenever it is looked at."""
    view = view_of(middle("board", 3, 3, 60))
    ticks = iter(range(1_000))
    monkeypatch.setattr("keltis.bots.position.time.monotonic", lambda: float(next(ticks)))
    everything = likely_deals(view, seed=1)
    assert len(likely_deals(view, seed=1, deadline=1e9)) == len(everything) == 128
    assert len(likely_deals(view, seed=1, deadline=next(ticks) + 1 + 4 * 5)) < 128
    assert len(likely_deals(view, seed=1, deadline=next(ticks) + 2)) == 1
    assert likely_deals(view, seed=1, deadline=1e9).tobytes() == everything.tobytes()


def test_a_single_legal_move_needs_no_search() -> None:
    table = keltis.new_game("stones", seed=1)
    assert table.legal_moves() == ["?"]
    assert SearchBot(seed=1).choose(view_of(table)) == "?"
