"""The short form of `make chaos`: nothing acknowledged is lost, nothing happens twice."""

from pathlib import Path

from tests.server import chaos


def test_sqlite_survives_kills(tmp_path: Path) -> None:
    databases = [str(tmp_path / "tables.db")]
    figures = chaos.run(databases, tmp_path, tables=4, kills=2, between=(0.5, 1.5), seed=1)
    assert figures["kills"] == 2
    assert figures["acknowledged to clients"] > 50


def test_two_servers_with_postgresql_survive_kills(tmp_path: Path, postgresql: str) -> None:
    databases = [postgresql, postgresql]
    figures = chaos.run(databases, tmp_path, tables=4, kills=3, between=(0.5, 1.5), seed=2)
    assert figures["kills"] == 3
    assert figures["acknowledged to clients"] > 50
