"""Observations in torch and JAX without a copy: they look at the arrays that the games write to.

python examples/without_copy.py            # numpy, and torch and JAX if they are installed

The simulator runs on the processor, and its arrays are in its memory. A network on a GPU needs them
there: that is one copy a step, `seen.to("cuda")` or `jax.device_put(seen, gpu)`. That was not
tried: there was no GPU.
"""

from __future__ import annotations

import importlib.util

import numpy as np

from keltis.envs.vector import SeenBuffers, Vector


def with_numpy(vector: Vector, buffers: SeenBuffers) -> str:
    seen = np.from_dlpack(buffers.observations)
    vector.step(vector.sample(), buffers)
    assert np.shares_memory(seen, buffers.observations)
    return "numpy shares the arrays"


def with_torch(vector: Vector, buffers: SeenBuffers) -> str:
    import torch

    seen = torch.from_dlpack(buffers.observations)
    masks = torch.from_dlpack(buffers.masks)
    before = seen.clone()
    vector.step(vector.sample(), buffers)  # `seen` and `masks` follow by themselves
    assert seen.data_ptr() == buffers.observations.ctypes.data
    assert not torch.equal(before, seen)
    # Arithmetic makes tensors of its own. The answer goes back without a copy, too.
    logits = torch.rand(masks.shape).masked_fill(masks == 0, -torch.inf)
    vector.step(logits.argmax(dim=1).numpy(), buffers)
    return "torch shares the arrays"


def with_jax(vector: Vector, buffers: SeenBuffers) -> str:
    import jax
    import jax.numpy as jnp

    # JAX takes arrays for unchanging, so what is shared may be read only until the next step, and
    # all that was computed of it has to be finished by then.
    seen = jax.dlpack.from_dlpack(buffers.observations, copy=False)
    masks = jax.dlpack.from_dlpack(buffers.masks, copy=False)
    assert seen.unsafe_buffer_pointer() == buffers.observations.ctypes.data
    assert masks.unsafe_buffer_pointer() == buffers.masks.ctypes.data
    logits = jnp.where(masks, seen.sum(axis=1)[:, None], -jnp.inf)
    actions = np.asarray(logits.argmax(axis=1))  # waits until it is computed
    vector.step(actions, buffers)
    return "JAX shares the arrays"


def main() -> None:
    vector = Vector("board", players=2, games=1024, seed=1)
    buffers = vector.buffers()
    vector.reset(buffers, seed=1)
    print(with_numpy(vector, buffers))
    for name, tried in (("torch", with_torch), ("jax", with_jax)):
        if importlib.util.find_spec(name):
            print(tried(vector, buffers))
        else:
            print(f"{name} is not installed")


if __name__ == "__main__":
    main()
