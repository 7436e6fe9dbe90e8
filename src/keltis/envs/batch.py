"""The vector environment as Gymnasium's: one seat of many games, against bots in compiled code.

    import gymnasium, keltis.envs.batch
    envs = gymnasium.make_vec("keltis/Board-v1", num_envs=1024, opponents="heuristic")

A game that ends is restarted in the same step; its last observation is in `infos["final_obs"]`.
"""

# mypy: disable-error-code="misc"

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from keltis.envs.registration import register_gymnasium
from keltis.envs.vector import CUT_OFF, ENDED, ILLEGAL, RUNNING, Vector

Observations = dict[str, NDArray[np.int8]]


class BatchEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Many games, one seat each; all keywords but these are those of `Vector`.

    In game i it is the seat i modulo players, or the one given as `seat`. An illegal action ends
    its game, unless `illegal="raise"`. With `copy=False` the arrays returned are overwritten by
    the next step.
    """

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "board",
        opponents: str = "random",
        illegal: str = "end",
        copy: bool = True,
        **settings: Any,
    ) -> None:
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.num_envs = num_envs
        self._vector = Vector(
            game, games=num_envs, opponents=opponents, illegal=illegal, **settings
        )
        self._buffers = self._vector.buffers(finals=True)
        self._copy = copy
        self._seats = self._vector.seats
        parts, actions = self._vector.layout, self._vector.actions
        self.single_observation_space = spaces.Dict(
            {
                "observation": spaces.Box(parts.low, parts.high, dtype=np.int8),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(2**63))
        self._vector.reset(self._buffers, seed=seed)
        return self._observations(), {"action_mask": self._observations()["action_mask"]}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[
        Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        b = self._buffers
        self._vector.step(np.asarray(actions), b)
        observations = self._observations()
        rewards = b.rewards[np.arange(self.num_envs), self._seats].astype(np.float64)
        terminations = (b.ends == ENDED) | (b.ends == ILLEGAL)
        truncations = b.ends == CUT_OFF
        infos: dict[str, Any] = {"action_mask": observations["action_mask"]}
        over = b.ends != RUNNING
        if over.any():
            infos |= self._finals(over)
        return observations, rewards, terminations, truncations, infos

    def _observations(self) -> Observations:
        b = self._buffers
        assert b.observations is not None
        assert b.masks is not None
        if not self._copy:
            return {"observation": b.observations, "action_mask": b.masks}
        return {"observation": b.observations.copy(), "action_mask": b.masks.copy()}

    def _finals(self, over: NDArray[np.bool_]) -> dict[str, Any]:
        """What Gymnasium wants to be told of games that ended in this step."""
        b = self._buffers
        assert b.finals is not None
        last = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(over):
            last[i] = {
                "observation": b.finals[i].copy(),
                "action_mask": np.zeros(self._vector.actions, np.int8),
            }
        final = {
            "scores": np.where(over[:, None], b.scores, 0),
            "_scores": over.copy(),
            "illegal": b.ends == ILLEGAL,
            "_illegal": over.copy(),
        }
        return {
            "final_obs": last,
            "_final_obs": over.copy(),
            "final_info": final,
            "_final_info": over.copy(),
        }

    def close_extras(self, **kwargs: Any) -> None:
        self._vector.close()


register_gymnasium()
