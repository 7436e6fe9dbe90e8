"""A real server and a real Chromium for the tests of the page."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.ports import free_port
from tests.web.person import DESKTOP as DESKTOP
from tests.web.person import PHONE as PHONE
from tests.web.person import Person

ROOT = Path(__file__).resolve().parents[2]
# The first is the same browser without what nobody sees here, at less than half the cost.
CHROMIUMS = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
]
# As root there is no sandbox to be had, and a test must reach for nothing outside this machine.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TABLET = (820, 1180)
PATIENCE = 60  # seconds; only a test that fails waits so long


class Server:
    """`keltis serve` as a process of its own; it can be killed and started again.

    With a day it is noon there, as long as the test may take.
    """

    def __init__(self, folder: Path, *flags: str, today: str | None = None) -> None:
        self._folder = folder
        self._flags = flags
        self._today = today
        self._port = free_port()
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def start(self) -> None:
        program = "tests.web.noon" if self._today else "keltis"
        command = [
            sys.executable, "-m", program, "serve",
            "--port", str(self._port),
            "--database", str(self._folder / "tables.db"),
            "--bot-pace", "0",
            "--rate", "1000",
            "--rate-address", "10000",
            "--tables-per-client", "1000",
            *self._flags,
        ]  # fmt: skip
        log = (self._folder / "server.log").open("a")
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True,
            cwd=ROOT, env={**os.environ, "TODAY": self._today or ""},
        )  # fmt: skip
        log.close()
        assert self._process.stdout
        for line in self._process.stdout:
            if found := re.search(r"ready at (http://\S+)", line):
                self.address = found[1]
                return
        raise AssertionError((self._folder / "server.log").read_text())

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        assert self._process
        assert self._process.stdout
        self._process.send_signal(how)
        self._process.wait(PATIENCE)
        self._process.stdout.close()


def chromium() -> str:
    named = os.environ.get("CHROMIUM")
    for name in [named] if named else CHROMIUMS:
        if path := shutil.which(name):
            return path
    raise AssertionError(
        "The tests of the page need Chromium: `make test` installs it, or set CHROMIUM to its path."
    )


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        loop = asyncio._get_running_loop()
        yield launched
        asyncio._set_running_loop(loop)  # the last test of all may be of anything else
        launched.close()


Visit = Callable[..., Person]


@pytest.fixture
def visit(browser: Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A person with a browser of their own. At the end nothing may have been complained of."""
    people: list[Person] = []

    def come(
        size: tuple[int, int] = DESKTOP,
        language: str = "en",
        theme: str = "light",
        address: str | None = None,
        quiet: bool = True,
        **settings: object,
    ) -> Person:
        person = Person(browser, address or server.address, size, language, theme, settings)
        person.strict = quiet
        people.append(person)
        return person

    yield come
    failed = request.node.stash.get(FAILED, False)
    for number, person in enumerate(people):
        if failed:
            name = re.sub(r"\W+", "-", request.node.name)
            person.picture(f"failed-{name}-{number}", always=True)
        person.close()
    if not failed:
        complaints = [one for person in people if person.strict for one in person.complaints]
        assert not complaints, "\n".join(complaints)


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report = yield
    if call.when == "call":
        item.stash[FAILED] = report.failed  # type: ignore[attr-defined]
    return report


def wait_until(true: Callable[[], bool], page: Page, seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        page.wait_for_timeout(50)
