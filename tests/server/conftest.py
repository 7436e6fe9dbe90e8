"""A server for each test process, and a PostgreSQL where one is asked for."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server import databases
from tests.server.databases import Database
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
def new_database() -> Iterator[Callable[[], str]]:
    """Makes empty databases, and tells their addresses, in a PostgreSQL that no test stops."""
    if databases.programs() is None:
        pytest.skip(databases.MISSING)
    with databases.postgresql() as database:
        yield database.another


@pytest.fixture
def postgresql(new_database: Callable[[], str]) -> str:
    """The address of an empty database: what one test leaves behind, no other finds."""
    return new_database()


@pytest.fixture
def database() -> Iterator[Database]:
    """A PostgreSQL of the test's own, which it may kill."""
    if databases.programs() is None:
        pytest.skip(databases.MISSING)
    with databases.postgresql() as made:
        yield made


@pytest.fixture
def pair() -> Iterator[tuple[Database, Database]]:
    """A database, and a replica that is never behind."""
    if databases.programs() is None:
        pytest.skip(databases.MISSING)
    with databases.pair() as made:
        yield made
