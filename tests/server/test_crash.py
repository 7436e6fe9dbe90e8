"""The short form of `make chaos`: nothing acknowledged is lost, nothing happens twice."""

import contextlib
from pathlib import Path

import pytest

from tests.server import chaos, databases
from tests.server.chaos import Cluster, kill_a_server


def test_sqlite_survives_kills(tmp_path: Path) -> None:
    addresses = [str(tmp_path / "tables.db")]
    figures = chaos.run(
        addresses, tmp_path, [kill_a_server] * 2, tables=4, pause=(0.5, 1.5), seed=1
    )
    assert figures["troubles"] == {"kill a server": 2}
    assert figures["acknowledged to clients"] > 50


def test_two_servers_with_postgresql_survive_kills(tmp_path: Path, postgresql: str) -> None:
    addresses = [postgresql, postgresql]
    figures = chaos.run(
        addresses, tmp_path, [kill_a_server] * 3, tables=4, pause=(0.5, 1.5), seed=2
    )
    assert figures["troubles"] == {"kill a server": 3}
    assert figures["acknowledged to clients"] > 50


def test_two_servers_survive_all_that_may_happen_to_postgresql(tmp_path: Path) -> None:
    if databases.programs() is None:
        pytest.skip(databases.MISSING)
    with contextlib.ExitStack() as stack:
        cluster = Cluster(stack)
        troubles = [
            cluster.freeze_the_database,
            cluster.cut_a_server_off,
            cluster.let_the_replica_take_over,
            kill_a_server,
            cluster.kill_the_database,
            cluster.break_the_notices,
        ]
        figures = chaos.run(
            cluster.addresses(2), tmp_path, troubles, tables=3, pause=(0.5, 1.5), seed=3
        )
    assert len(figures["troubles"]) == len(troubles)
    assert figures["acknowledged to clients"] > 50
