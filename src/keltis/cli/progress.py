"""Bars with the time left, on a terminal; nothing where the output is piped."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from keltis.cli.terminal import console

if TYPE_CHECKING:
    from rich.progress import Progress


@contextlib.contextmanager
def bars() -> Iterator[Progress | None]:
    """Room for bars on standard error, which vanish at the end; None if nobody sees it."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeLeft())
    with Progress(*columns, console=screen, transient=True) as progress:
        yield progress


@contextlib.contextmanager
def bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """One bar: call it with what is done and what there is in all."""
    with bars() as progress:
        if progress is None:
            yield lambda done, total: None
            return
        task = progress.add_task(label, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
