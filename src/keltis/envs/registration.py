"""Gymnasium's names of the environments; it calls this by itself when it is imported."""

from importlib.util import find_spec

NAMES = {"board": "keltis/Board-v1", "stones": "keltis/Stones-v1"}


def register_gymnasium() -> None:
    """Register the environments, without loading them."""
    if find_spec("gymnasium") is None:
        return
    from gymnasium.envs.registration import register, registry

    for game, name in NAMES.items():
        if name not in registry:
            register(
                name,
                entry_point="keltis.envs.single:SeatEnv",
                vector_entry_point="keltis.envs.batch:BatchEnv",
                kwargs={"game": game},
            )
