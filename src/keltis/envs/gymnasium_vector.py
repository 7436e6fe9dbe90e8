"""The vector environment as Gymnasium's: one seat of many games, against bots in compiled code.

    import gymnasium, keltis.envs.gymnasium
    envs = gymnasium.make_vec("keltis/Board-v1", num_envs=1024, opponents="heuristic")

By default a game that ends is restarted in the same step, and its last observation is in
`infos["final_obs"]`; with `autoreset_mode="NextStep"` it is restarted by the next step, which
ignores its action.
"""

# mypy: disable-error-code="misc"

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from keltis.envs.registration import register_gymnasium
from keltis.envs.vector import CUT_OFF, ENDED, ILLEGAL, RUNNING, STAY, Vector

Observations = dict[str, NDArray[np.int8]]


class SeatVectorEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Many games, one seat each; all keywords but these are those of `Vector`.

    In game i it is the seat i modulo players, or the one given as `seat`. An illegal action ends
    its game, unless `illegal="raise"`. The opponents play in compiled code and are all of one name;
    a list of them, as `make` takes it, has that name for each. With `copy=False` the arrays
    returned are overwritten by the next step.
    """

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "board",
        opponents: str | Sequence[str] = "random",
        illegal: str = "end",
        copy: bool = True,
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        **settings: Any,
    ) -> None:
        mode = AutoresetMode(autoreset_mode)
        if mode == AutoresetMode.DISABLED:
            raise ValueError("autoreset_mode: games restart in the same step or in the next")
        if opponents is None:
            raise ValueError("opponents: one seat is played from outside, bots play the others")
        self.metadata = {"autoreset_mode": mode}
        self._next_step = mode == AutoresetMode.NEXT_STEP
        self._over = np.zeros(num_envs, np.bool_)  # games that ended in the last step
        self.num_envs = num_envs
        name = _only(opponents, settings.get("players", 2) - 1)
        self._vector = Vector(game, games=num_envs, opponents=name, illegal=illegal, **settings)
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
        self._over[:] = False
        observations = self._observations()
        return observations, {"action_mask": observations["action_mask"]}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[
        Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        b = self._buffers
        if self._next_step:
            actions = np.where(self._over, STAY, actions)
        self._vector.step(actions, b)
        self._over = b.ends != RUNNING
        infos = self._ends() if self._over.any() else {}
        observations = self._observations()
        infos["action_mask"] = observations["action_mask"]
        rewards = b.rewards[np.arange(self.num_envs), self._seats].astype(np.float64)
        terminations = (b.ends == ENDED) | (b.ends == ILLEGAL)
        return observations, rewards, terminations, b.ends == CUT_OFF, infos

    def _observations(self) -> Observations:
        b = self._buffers
        assert b.observations is not None
        assert b.masks is not None
        if not self._copy:
            return {"observation": b.observations, "action_mask": b.masks}
        return {"observation": b.observations.copy(), "action_mask": b.masks.copy()}

    def _ends(self) -> dict[str, Any]:
        """What Gymnasium wants to be told of games that ended in this step."""
        b, over = self._buffers, self._over
        assert b.observations is not None
        assert b.masks is not None
        assert b.finals is not None
        final = {
            "scores": np.where(over[:, None], b.scores, 0),
            "_scores": over.copy(),
            "illegal": b.ends == ILLEGAL,
            "_illegal": over.copy(),
        }
        if self._next_step:  # the old game is shown once more
            b.observations[over] = b.finals[over]
            b.masks[over] = 0
            return final
        last = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(over):
            last[i] = {
                "observation": b.finals[i].copy(),
                "action_mask": np.zeros(self._vector.actions, np.int8),
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


def _only(opponents: Any, seats: int) -> Any:
    """The one name of all opponents."""
    if not isinstance(opponents, list | tuple):
        return opponents
    if len(opponents) != seats:
        raise ValueError(f"opponents: {len(opponents)} for {seats} seats")
    if any(other != opponents[0] for other in opponents):
        raise ValueError(
            "opponents: they play in compiled code here, all under one name; "
            'vectorization_mode="sync" takes different ones'
        )
    return opponents[0]
