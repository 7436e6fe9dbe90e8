"""Processes that do tasks, such as deals of a contest; they end with it at once, without a word."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import connection, resource_tracker
from typing import Any

_AHEAD = 4  # tasks for each worker that may be done before those that come first


class WorkerLost(RuntimeError):
    """A worker ended by itself, or was ended by the system."""


class Workers:
    """`do(task)` in processes of their own; a context that none of them outlives.

    An interruption (Ctrl-C) reaches the contest alone, also while workers still start: they are
    killed then, whatever they are computing.
    """

    def __init__(self, count: int, do: Callable[[Any], Any]) -> None:
        context = multiprocessing.get_context("spawn")  # a fork of a process with threads can hang
        self._processes: dict[Any, Any] = {}
        self._busy: set[Any] = set()
        try:
            with _uninterrupted():
                for _ in range(count):
                    here, there = context.Pipe()
                    process = context.Process(target=_work, args=(there, do), daemon=True)
                    process.start()
                    self._processes[here] = process
                    there.close()
        except BaseException:
            self._end()
            raise

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        with _uninterrupted():
            for process in self._processes.values():
                process.kill()
            for here, process in self._processes.items():
                process.join()
                here.close()

    def played(self, tasks: Iterable[Any]) -> Iterator[Any]:
        """What came of the tasks, in their order. What `do` raised is raised here."""
        waiting = enumerate(tasks)
        order: list[int] = []  # numbers of tasks that are given and not told yet, as they come
        found: dict[int, Any] = {}
        while True:
            for here in self._processes:
                # One at a time: a worker that has an answer would not take a large task before.
                if here in self._busy or len(order) >= _AHEAD * len(self._processes):
                    continue
                if (task := next(waiting, None)) is None:
                    break
                order.append(task[0])
                self._busy.add(here)
                with contextlib.suppress(OSError):  # `_hear` finds out why
                    here.send(task)
            if not order:
                return
            for ready in connection.wait(list(self._busy)):
                number, outcome = self._hear(ready)
                self._busy.remove(ready)
                found[number] = outcome
            while order and order[0] in found:
                outcome = found.pop(order.pop(0))
                if isinstance(outcome, BaseException):
                    raise outcome
                yield outcome

    def _hear(self, here: Any) -> tuple[int, Any]:
        try:
            answer: tuple[int, Any] = here.recv()
        except (EOFError, OSError):
            process = self._processes[here]
            process.join()
            raise WorkerLost(
                f"a process that played for the contest has ended (exit code {process.exitcode}); "
                'a program that starts one needs `if __name__ == "__main__":`'
            ) from None
        return answer


def _work(there: Any, do: Callable[[Any], Any]) -> None:
    """What a worker does: task for task, up to the end of the contest."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):  # the contest is over
        while True:
            number, task = there.recv()
            outcome: Any
            try:
                outcome = do(task)
            except BaseException as fault:
                fault.add_note(traceback.format_exc())  # which does not travel by itself
                outcome = fault
            there.send((number, outcome))


def _end_with_the_parent() -> None:
    """A worker does not go on when the contest has been killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold interruptions back; processes that are started here never get any.

    Not even while they import what they need, when they could not do anything about it: they have
    the mask of the thread that starts them. What reaches this process by another thread is kept.
    """
    kept: list[Any] = []
    handler: Any = None
    if is_main := threading.current_thread() is threading.main_thread():
        handler = signal.signal(signal.SIGINT, lambda *pressed: kept.append(pressed))
    try:
        with _masked():
            yield
    finally:
        if is_main:
            signal.signal(signal.SIGINT, signal.SIG_DFL if handler is None else handler)
            if kept and callable(handler):
                handler(*kept[0])


@contextlib.contextmanager
def _masked() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would let them through again when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
