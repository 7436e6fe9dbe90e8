"""A server for each test process, and a PostgreSQL where one is asked for."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server import running
from tests.server.running import Client, Server


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="session")
def server(folder: Path) -> Iterator[Server]:
    """A server with SQLite that no test stops."""
    with Server(folder / "tables.db", folder / "log", grace=1) as started:
        yield started


@pytest.fixture
def client(server: Server) -> Iterator[Callable[[], Client]]:
    """Makes clients of the server."""
    made: list[Client] = []

    def new() -> Client:
        made.append(Client(server))
        return made[-1]

    yield new
    for each in made:
        each.close()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The address of a database of our own."""
    with running.postgresql() as database:
        yield database.address
