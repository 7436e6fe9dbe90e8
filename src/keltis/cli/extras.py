"""The parts of Keltis that `pip install keltis` alone leaves out."""

from importlib.util import find_spec

from keltis.cli.failure import Failure

# What each extra of pyproject.toml installs, by the names that are imported.
EXTRAS = {
    "arena": ["matplotlib"],
    "cluster": ["ray"],
    "data": ["pyarrow"],
    "server": [
        "alembic",
        "fastapi",
        "h11",
        "orjson",
        "prometheus_client",
        "psycopg",
        "pydantic",
        "sqlalchemy",
        "starlette",
        "uvicorn",
        "websockets",
    ],
}


def require(extra: str, what: str) -> None:
    """Fail at once, with the cure, if what an extra installs is not there."""
    missing = [module for module in EXTRAS[extra] if find_spec(module) is None]
    if missing:
        cure = f"pip install 'keltis[{extra}]'"
        raise Failure(f"{what} needs more than is installed: {cure} ({missing[0]} is missing)")
