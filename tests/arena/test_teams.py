"""Tasks give the same whoever does them, large ones too, and what goes wrong is raised here."""

import numpy as np
import pytest
from numpy.typing import NDArray

from keltis.arena import arena
from keltis.arena.teams import call, team


def doubled(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    return 2 * numbers


def refused(number: int) -> None:
    raise ValueError(f"not {number}")


def test_large_tasks_and_results_come_and_go() -> None:
    """More than a pipe holds, in both directions at once: nobody waits for the other for ever."""
    tasks = [(doubled, np.full(200_000, number, np.float64)) for number in range(12)]
    with team(call, 2) as processes, team(call, 1) as here:
        found = [[numbers[0] for numbers in those.played(tasks)] for those in (processes, here)]
    assert found[0] == found[1] == [2 * number for number in range(12)]


def test_what_goes_wrong_in_a_task_is_raised() -> None:
    with team(call, 2) as processes, pytest.raises(ValueError, match="not 3"):
        list(processes.played([(abs, 1), (refused, 3), (refused, 4)]))


def test_nobody_does_nothing() -> None:
    with pytest.raises(ValueError, match="at least one worker, not 0"), team(call, 0):
        pass


def test_workers_are_here_or_there() -> None:
    with pytest.raises(ValueError, match="not of both"):
        arena(["fox", "random"], cluster="auto", workers=2)


@pytest.mark.parametrize("address", ["", "nowhere", "ray://host:10001", "host:port"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="a cluster is auto, local or host:port"):
        arena(["fox", "random"], cluster=address)
