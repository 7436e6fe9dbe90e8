"""One name for two functions: the record says which game's is meant, compiled and not."""

from typing import Any

import numpy as np
import pytest

from keltis.rules import board, stones
from keltis.rules.dispatch import by_game, rules_of
from keltis.rules.kernel import kernel


@kernel
def _of_board(s, number):
    return np.int64(s.players) * 100 + number


@kernel
def _of_stones(s, number):
    return np.int64(s.players) * 1000 + number


@by_game(_of_board, _of_stones)
def counted(s, number):
    """Something else in each game."""


@kernel
def called(states, number):
    return counted(states[0], number)


@pytest.mark.parametrize(("rules", "expected"), [(board, 307), (stones, 3007)])
def test_the_record_chooses_the_game(rules: Any, expected: int) -> None:
    states = np.zeros(1, rules.STATE)
    states["players"] = 3
    assert rules_of(states[0]) is rules
    assert counted(states[0], 7) == expected
    assert called(states, 7) == expected


def test_the_declaration_documents_it() -> None:
    assert counted.__name__ == "counted"
    assert counted.__doc__ == "Something else in each game."


def test_no_other_record_will_do() -> None:
    with pytest.raises(TypeError, match="not a state of either game"):
        counted(np.zeros(1)[0], 7)
