"""Workers on many machines, which Ray brings together (`pip install 'keltis[cluster]'`)."""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import keltis
from keltis.arena.journal import bots_as_they_are
from keltis.arena.workers import WorkerLost

_AHEAD = 4  # tasks for each worker that are under way or done before the one that comes first
_LOOK_AGAIN = 100  # tasks after which workers are counted anew: machines come and go
# A Ray that is started here reports nothing, and nobody from outside reaches it: whoever does can
# run anything. The second name is Ray's own, and does that on Linux too.
ALONE = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
_PATIENCE = 10.0  # seconds until a machine answers
_RETRIES = 5  # of a task whose worker was lost: a bot that ends its worker must not go on for ever


class Cluster:
    """`do(task)` on a Ray cluster; a context that leaves nothing behind there.

    The address is one that Ray knows: `auto` for the cluster of this machine, or host:port; `local`
    starts a Ray here that ends with the context; nobody from outside reaches it, unless the process
    had imported Ray before. A process that is connected already stays so, to whatever it is.
    """

    def __init__(self, address: str, do: Callable[[Any], Any]) -> None:
        place = _place(address)
        if address == "local":
            os.environ |= ALONE
        try:
            import ray
        except ModuleNotFoundError as missing:
            raise ValueError(
                f"a cluster needs Ray ({missing.name} is missing): pip install 'keltis[cluster]'"
            ) from None
        self._ray = ray
        self._connects = not ray.is_initialized()
        if self._connects:
            try:
                if place:  # Ray would try for minutes to reach what is not there
                    socket.create_connection(place, _PATIENCE).close()
                quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
                ray.init(address, include_dashboard=False, **quiet)
            except (OSError, OverflowError, RuntimeError, ValueError) as fault:
                why = str(fault).strip().splitlines()[0]
                raise ValueError(f"there is no Ray cluster at {address}: {why}") from None
        self._waiting: deque[Any] = deque()  # what was asked for, in order
        self._do = ray.put(do)
        self._ask = ray.remote(_done).options(num_cpus=1, max_retries=_RETRIES).remote

    @property
    def count(self) -> int:
        """How many tasks can be done at the same time."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def played(self, tasks: Iterable[Any]) -> Iterator[Any]:
        """What came of the tasks, in their order. What `do` raised is raised here."""
        most = 0
        for number, task in enumerate(tasks):
            if number % _LOOK_AGAIN == 0:
                most = _AHEAD * self.count
            self._waiting.append(self._ask(self._do, task, bots_as_they_are()))
            if len(self._waiting) >= most:
                yield self._next()
        while self._waiting:
            yield self._next()

    def _next(self) -> Any:
        exceptions = self._ray.exceptions
        self._ray.wait([self._waiting[0]])  # an interruption here finds it among those to cancel
        try:
            found = self._ray.get(self._waiting.popleft())
        except exceptions.RayTaskError as fault:
            raise fault.cause from None
        except exceptions.RayError as fault:
            why = str(fault).strip().splitlines()[0]
            raise WorkerLost(f"a task was lost {_RETRIES + 1} times, the last: {why}") from None
        return found

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        if self._connects:
            self._ray.shutdown()  # Ray ends what is under way for those who leave
        elif self._waiting:
            # What is done already must not be cancelled: that can end this process (Ray 2.60).
            tasks = list(self._waiting)
            for task in self._ray.wait(tasks, num_returns=len(tasks), timeout=0)[1]:
                self._ray.cancel(task)


def _place(address: str) -> tuple[str, int] | None:
    """The host and the port of an address, if it names them."""
    if address in ("auto", "local"):
        return None
    host, _, port = address.rpartition(":")
    if "/" in host or not host or not port.isdecimal():
        raise ValueError(f"a cluster is auto, local or host:port, not {address!r}")
    return host.strip("[]"), int(port)


def _done(do: Callable[[Any], Any], task: Any, expected: str) -> Any:
    """What comes of a task, in the process of a worker."""
    if bots_as_they_are() != expected:
        raise ValueError(
            f"{socket.gethostname()} has another Keltis ({keltis.__version__}) than this machine, "
            "whose bots may play otherwise: install the same on all"
        )
    return do(task)
