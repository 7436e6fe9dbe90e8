"""The names of the environments in their frameworks."""

from importlib.util import find_spec

NAMES = {"board": "keltis/Board-v1", "stones": "keltis/Stones-v1"}


def register_gymnasium() -> None:
    """Register with Gymnasium; both modules of ours for it call this."""
    from gymnasium.envs.registration import register, registry

    for game, name in NAMES.items():
        if name not in registry:
            register(
                name,
                entry_point="keltis.envs.gymnasium:SeatEnv",
                vector_entry_point="keltis.envs.gymnasium_vector:SeatVectorEnv",
                kwargs={"game": game},
            )


def register_pettingzoo() -> None:
    """Register with PettingZoo, if it has a registry; its module of ours calls this."""
    if find_spec("pettingzoo.env_registry") is None:
        return
    from pettingzoo.env_registry.registration import aec_registry, register

    for game, name in NAMES.items():
        if name not in aec_registry:
            register("aec", name, "keltis.envs.pettingzoo:env", kwargs={"game": game})
