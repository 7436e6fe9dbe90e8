"""Who does the work of contests and of training: this process, others here, or a Ray cluster.

Work comes as tasks. A task holds all that its result rests on, its random numbers too: so the
result is the same wherever it is done, and if it is done once more because a worker was lost.
"""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from keltis.arena.workers import Workers


class Team(Protocol):
    """Those who do tasks."""

    def played(self, tasks: Iterable[Any]) -> Iterator[Any]:
        """What came of the tasks, in their order. What went wrong with one is raised here."""


class Here:
    """This process."""

    def __init__(self, do: Callable[[Any], Any]) -> None:
        self._do = do

    def played(self, tasks: Iterable[Any]) -> Iterator[Any]:
        yield from map(self._do, tasks)


@contextlib.contextmanager
def team(do: Callable[[Any], Any], count: int | None, cluster: str | None = None) -> Iterator[Team]:
    """Those who do(task) for as long as they are needed: so many processes, or a Ray cluster."""
    if cluster is not None:
        from keltis.arena.cluster import Cluster

        with Cluster(cluster, do) as machines:
            yield machines
        return
    count = os.cpu_count() or 1 if count is None else count
    if count < 1:
        raise ValueError(f"at least one worker, not {count}")
    if count == 1:
        yield Here(do)
        return
    with Workers(count, do) as processes:
        yield processes


def call(task: tuple[Any, ...]) -> Any:
    """Do a task that is a function and its arguments."""
    function, *arguments = task
    return function(*arguments)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of a program that say who does its work."""
    parser.add_argument("--workers", type=int, metavar="N", help="processes here, one a core")
    parser.add_argument("--cluster", metavar="ADDRESS", help="Ray's: auto, local or host:port")
