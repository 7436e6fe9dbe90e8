"""Prints a hash of all that a few steps of both vector environments write."""

from hashlib import sha256

from keltis.envs.vector import Vector
from keltis.rules.shrunken import BoardShape


def fingerprint() -> str:
    seen = sha256()
    for game, players, more in (
        ("board", 2, {"opponents": "random"}),
        ("board", 3, {"duplicate": True}),
        ("board", 2, {"shape": BoardShape(2, 4, 2, 2, 0, 2)}),
        ("stones", 2, {"illegal": "end"}),
    ):
        vector = Vector(game, players, 3, seed=5, history=4, cap=40, **more)
        buffers = vector.buffers(informations=True, finals=True)
        vector.reset(buffers, seed=5)
        for _ in range(45):
            vector.step(vector.sample(), buffers)
            for array in vars(buffers).values():
                seen.update(array.tobytes())
            seen.update(vector.states.tobytes())
    return seen.hexdigest()


if __name__ == "__main__":
    print(fingerprint())
