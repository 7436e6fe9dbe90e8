"""The public API in use: both games, every number of players, and the pages that describe it."""

from __future__ import annotations

import copy
import doctest
import json
import pickle
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import keltis
from keltis.game import kinds, tokens
from keltis.game.game import begin
from keltis.game.resample import state_from_view

DOCS = Path(__file__).resolve().parents[2] / "docs"
GAMES = [(game, players) for game in ("board", "stones") for players in (2, 3, 4)]


def played(game: keltis.Game, decisions: int = keltis.DECISION_CAP, seed: int = 1) -> keltis.Game:
    chance = Random(seed)
    while not game.is_over and len(game.moves) < decisions:
        game.play(chance.choice(game.legal_moves()))
    return game


@pytest.mark.parametrize("page", ["api.md"])
def test_the_examples_in_the_docs_run(page: str) -> None:
    done = doctest.testfile(str(DOCS / page), module_relative=False)
    assert done.attempted > 0
    assert done.failed == 0


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_view_has_the_keys_that_its_page_describes(game: str, players: int) -> None:
    common, board, stones = (DOCS / "views.md").read_text("utf-8").split("## Keys of ")[1:]
    page = common + (board if game == "board" else stones)
    described = {line.split("`")[1] for line in page.splitlines() if line.startswith("| `")}
    assert set(keltis.new_game(game, players, seed=1).view(0)) == described


def test_the_api_page_names_every_part_of_a_game() -> None:
    page = (DOCS / "api.md").read_text("utf-8")
    for name in (name for name in vars(keltis.Game) if not name.startswith("_")):
        assert f"`game.{name}" in page, name
    for name in keltis.__all__:
        assert name in {"Game", "__version__"} or name in page


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_game_from_deal_to_record(game: str, players: int) -> None:
    running = keltis.new_game(game, players, seed=7)
    assert running.game == game
    assert running.players == [f"Player {seat + 1}" for seat in range(players)]
    assert running.options == {}
    assert running.moves == []
    assert running.seat == 0
    assert not running.is_over
    assert running.reason is None
    assert running.winners() == []
    assert running.result() is None
    over = played(running)
    assert over.is_over
    assert over.seat is None
    assert over.legal_moves() == []
    assert over.reason in ("goal", "deck")
    assert [over.scores()[seat] for seat in over.winners()] == [max(over.scores())] * len(
        over.winners()
    )
    with pytest.raises(keltis.IllegalMove, match="the game is over"):
        over.play("?")
    record = over.record()
    assert list(record) == ["format", "game", "options", "players", "setup", "moves", "result"]
    assert keltis.load(json.dumps(record)).record() == record


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_undo_takes_a_game_back_to_its_start_and_replaying_brings_it_forth(
    game: str, players: int
) -> None:
    whole = played(keltis.new_game(game, players, seed=3))
    twin = whole.copy()
    taken_back = [twin.undo() for _ in whole.moves]
    assert twin.record() == keltis.new_game(game, players, seed=3).record()
    with pytest.raises(keltis.IllegalMove):
        twin.undo()
    for token in reversed(taken_back):
        twin.play(token)
    assert twin.record() == whole.record()
    assert [twin.view(seat) for seat in (None, 0, 1)] == [whole.view(s) for s in (None, 0, 1)]


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_copies_are_games_of_their_own(game: str, players: int) -> None:
    first = played(keltis.new_game(game, players, seed=4), 20)
    before = first.record()
    for twin in (first.copy(), copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        assert twin.record() == before
        played(twin, 25)
        assert first.record() == before
        assert len(twin.moves) == 25


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_game_that_is_cut_off_has_no_winner_and_stays_cut_off_in_its_record(
    game: str, players: int
) -> None:
    cut = played(keltis.new_game(game, players, seed=5), 10)
    cut.cut_off()
    assert cut.is_over
    assert cut.seat is None
    assert cut.reason == "cut off"
    assert cut.winners() == []
    assert cut.legal_moves() == []
    assert cut.view(0)["phase"] == "over"
    assert cut.result() == {"scores": cut.scores(), "winners": [], "reason": "cut off"}
    with pytest.raises(keltis.IllegalMove, match="cut off"):
        cut.play("?")
    with pytest.raises(keltis.IllegalMove, match="over"):
        cut.cut_off()
    assert keltis.load(cut.record()).record() == cut.record()
    assert keltis.resample(cut.view(1), seed=1).view(1) == cut.view(1)
    last = cut.moves[-1]
    assert cut.undo() == last
    assert not cut.is_over
    cut.play(last)


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_tokens_are_numbered_as_the_rules_number_actions(game: str, players: int) -> None:
    kind = kinds.kind(game)
    assert len(kind.tokens) == len(set(kind.tokens)) == kind.rules.ACTIONS
    running = keltis.new_game(game, players, seed=6)
    chance = Random(6)
    while not running.is_over:
        legal = running.legal_moves()
        assert legal == sorted(legal, key=kind.tokens.index)
        assert all(running.why(token) is None for token in legal)
        illegal = [token for token in kind.tokens if token not in legal]
        for token in chance.sample(illegal, 5):
            before = running.record()
            reason = running.why(token)
            assert reason
            with pytest.raises(keltis.IllegalMove) as raised:
                running.play(token)
            assert str(raised.value) == reason
            assert running.record() == before
        running.play(chance.choice(legal))


@pytest.mark.parametrize("token", ["", "r7", "R11", "xR", "R7 ", "R" * 10_000, 7, None, [], b"R7"])
@pytest.mark.parametrize("game", ["board", "stones"])
def test_nonsense_is_told_what_a_move_looks_like(game: str, token: Any) -> None:
    with pytest.raises(keltis.IllegalMove, match="is not a move; a move looks like R7") as raised:
        keltis.new_game(game, seed=1).play(token)
    assert len(str(raised.value)) < 300


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"game": "chess"}, ValueError, 'game: expected "board" or "stones", not "chess"'),
        ({"game": 1}, TypeError, "game: "),
        ({"players": 1}, ValueError, "players: 2 to 4 can play, not 1"),
        ({"players": 10**5000}, ValueError, "players: "),
        ({"players": "2"}, TypeError, "players: "),
        ({"players": True}, TypeError, "players: "),
        ({"names": ["Ann"]}, ValueError, "names: expected 2 names, not 1"),
        ({"names": ["Ann", 2]}, TypeError, r"names\[1\]: "),
        ({"names": "AB"}, TypeError, "names: "),
        ({"seed": 1.5}, TypeError, "seed: "),
        ({"options": {"speed": "fast"}}, ValueError, 'options: "speed" is not an option'),
        ({"options": {"end_stone_step": 1}}, ValueError, "options.end_stone_step: "),
        ({"game": "stones", "options": {"end_stone_step": "may"}}, ValueError, "options: "),
        ({"options": []}, TypeError, "options: "),
    ],
)
def test_new_game_says_what_it_cannot_take(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=f"^{message}"):
        keltis.new_game(**arguments)


def test_any_whole_number_is_a_seed_and_each_deals_its_own_game() -> None:
    seeds = [0, 1, -1, 2**63, 2**64, 2**64 + 1, -(2**64), 10**5000, 10**5000 + 1]
    deals = [keltis.new_game(seed=seed).record() for seed in seeds]
    assert deals == [keltis.new_game(seed=seed).record() for seed in seeds]
    assert all(deals.count(deal) == 1 for deal in deals)
    assert keltis.new_game().record() != keltis.new_game().record()


def test_options_hold_only_what_differs_from_the_default() -> None:
    assert keltis.new_game(options={"end_stone_step": "must"}, seed=1).options == {}
    may = keltis.new_game(options={"end_stone_step": "may"}, seed=1)
    assert may.options == {"end_stone_step": "may"}
    assert keltis.load(may.record()).options == may.options


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_state_from_a_view_is_one_that_the_seat_may_be_in(game: str, players: int) -> None:
    running = played(keltis.new_game(game, players, seed=8), 40)
    for seat in range(players):
        states = state_from_view(running.view(seat))
        assert len(states) == 1
        kind = kinds.kind(game)
        assert kind.seat(states) == running.seat
        assert kind.scores(states) == running.scores()
        if seat == running.seat:
            assert kind.legal_moves(states) == running.legal_moves()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda view: view.pop("history"),
        lambda view: view.pop("you"),
        lambda view: view.update(game="chess"),
        lambda view: view.update(you=9),
        lambda view: view.update(players="Ann"),
        lambda view: view.update(hand=["R1"]),
        lambda view: view["setup"].update(hand=[[]] * 8),
        lambda view: view["setup"].update(tiles={}),
        lambda view: view["history"].append({"seat": 0, "move": "R11"}),
        lambda view: view["history"].append({"seat": 0}),
        lambda view: view["history"].append("?"),
        lambda view: view["history"].insert(0, {"seat": 0, "move": "<R", "shown": "R1"}),
        lambda view: view["history"].extend([{"seat": 1, "move": "?"}] * 200),
        lambda view: view["history"][-1].update(seat=None),
    ],
)
def test_a_view_that_no_game_can_have_is_refused(spoil: Any) -> None:
    view = played(keltis.new_game("board", 3, seed=9), 30).view(1)
    spoil(view)
    with pytest.raises(ValueError, match=r".+: .+"):
        keltis.resample(view, seed=1)
    with pytest.raises(ValueError, match="view: "):
        keltis.resample([], seed=1)  # type: ignore[arg-type]


def test_colours_have_words() -> None:
    assert [tokens.in_words(f"{colour}10") for colour in tokens.COLOURS] == [
        "red 10",
        "yellow 10",
        "violet 10",
        "green 10",
        "blue 10",
    ]


def test_a_number_too_long_to_print_breaks_no_message() -> None:
    record = played(keltis.new_game(seed=1)).record()
    assert record["result"]
    record["result"]["winners"] = [10 ** (sys.get_int_max_str_digits() + 1)]
    with pytest.raises(keltis.RecordError, match=r"^result.winners\[0\]: "):
        keltis.load(record)


@pytest.mark.parametrize("name", tokens.GAMES)
def test_a_game_begins_from_a_setup(name: str) -> None:
    game = keltis.new_game(name, 3, seed=4, names=["A", "B", "C"])
    setup = game.record()["setup"]
    assert begin(name, ["A", "B", "C"], setup).record() == game.record()
    for names in (["A"], ["A", 2, "C"], "ABC"):
        with pytest.raises((ValueError, TypeError), match="players"):
            begin(name, names, setup)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"setup\.draw: expected"):
        begin(name, ["A", "B", "C"], {**setup, "draw": setup["draw"][1:]})
    with pytest.raises(ValueError, match="options"):
        begin(name, ["A", "B", "C"], setup, {"end_stone_step": "perhaps"})


@pytest.mark.parametrize("name", tokens.GAMES)
def test_a_game_restarts_with_the_same_deal(name: str) -> None:
    game = keltis.new_game(name, 2, seed=4)
    start = game.record()
    for _ in range(20):
        game.play(game.legal_moves()[0])
    moves = game.moves
    again = game.restarted()
    assert again.record() == start
    again.play(moves[0])
    assert game.moves == moves
