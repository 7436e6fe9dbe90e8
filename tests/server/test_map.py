"""The rooms of the server: each uses only those before it."""

import pytest

from tests.test_layers import MODULES, imports, module_name

ROOMS = ["tables", "storage", "live", "transport"]
ANYWHERE = {"clock", "keys", "logs", "metrics", "models", "problems", "settings"}


def room(module: str) -> str | None:
    """The part of the server that a module belongs to; None for what is not the server's."""
    parts = module.split(".")
    return parts[2] if parts[:2] == ["keltis", "server"] and len(parts) > 2 else None


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_uses_only_those_before_it(name: str) -> None:
    allowed = {None, *ANYWHERE, *ROOMS[: ROOMS.index(name) + 1]}
    wrong = [
        f"{module_name(path)} imports {imported}"
        for path in MODULES
        if room(module_name(path)) == name
        for imported in imports(path)
        if room(imported) not in allowed
    ]
    assert not wrong
