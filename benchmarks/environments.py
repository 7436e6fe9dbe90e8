"""How fast the environments are, in proportion to others in the same run.

    pip install 'keltis[dev,bench]'
    python -m benchmarks.environments

Each figure is the best of many short repetitions, by the time that the process itself had of the
processor, so that others on the machine do not count; only two threads against one are by the clock
on the wall. Decisions are random and legal; choosing them is counted in. Writes ENVIRONMENTS.md.
"""

from __future__ import annotations

import importlib
import os
import time
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from keltis.envs.vector import Vector

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

RESULTS = Path(__file__).resolve().parent / "ENVIRONMENTS.md"
GAMES = 1024
SECONDS = 4.0  # spent on each figure
CARD_GAMES = ("gin_rummy", "hearts", "cribbage", "leduc_poker")
CLASSICS = ("connect_four_v3", "tictactoe_v3", "go_v5")
PGX_GAMES = ("leduc_holdem", "connect_four", "backgammon")


def best(run: Callable[[], int]) -> float:
    """Decisions a second in the best repetition; a run tells how many decisions it made."""
    run()
    fastest = 0.0
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        start = time.process_time()
        decisions = run()
        fastest = max(fastest, decisions / (time.process_time() - start))
    return fastest


def stepping(
    game: str,
    *,
    seen: bool,
    outside: bool = False,
    threads: int = 1,
    games: int = GAMES,
    **more: Any,
) -> Callable[[], int]:
    """Steps of random play: chosen in the same call, or by another and handed in from outside."""
    vector = Vector(game, 2, games, seed=1, threads=threads, **more)
    buffers = vector.buffers(observations=seen, masks=seen)
    vector.reset(buffers, seed=1)
    actions = vector.sample()

    def run() -> int:
        for _ in range(4):
            vector.step(vector.sample(actions) if outside else None, buffers)
        return 4 * games

    return run


def ours(game: str, **more: Any) -> float:
    return best(stepping(game, **more))


def two_threads(**more: Any) -> tuple[float, float]:
    """Decisions a second of two threads, and against one, in turns and by the clock on the wall."""
    runs = [stepping("board", threads=threads, **more) for threads in (1, 2)]
    fastest = [0.0, 0.0]
    end = time.perf_counter() + 2 * SECONDS
    while time.perf_counter() < end:
        for k, run in enumerate(runs):
            for _ in range(20):
                start = time.perf_counter()
                decisions = run()
                fastest[k] = max(fastest[k], decisions / (time.perf_counter() - start))
    return fastest[1], fastest[1] / fastest[0]


def openspiel(name: str) -> float:
    import pyspiel

    game = pyspiel.load_game(name)
    chance = np.random.RandomState(1)

    def run() -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                pick = np.searchsorted(np.cumsum(odds), chance.rand())
                state.apply_action(outcomes[min(int(pick), len(outcomes) - 1)])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[chance.randint(len(legal))])
                decisions += 1
        return decisions

    return best(run)


def pettingzoo(name: str) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env: Any = importlib.import_module(f"pettingzoo.classic.{name}").env()
    return _aec(env)


def our_aec() -> float:
    from keltis.envs import pettingzoo

    return _aec(pettingzoo.env("board"))


def _aec(env: Any) -> float:
    chance = np.random.default_rng(1)

    def run() -> int:
        env.reset()
        decisions = 0
        for _ in env.agent_iter(200):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            env.step(int(chance.choice(np.flatnonzero(observation["action_mask"]))))
            decisions += 1
        return decisions

    return best(run)


def pgx(name: str) -> float:
    """Batches of 1,024 stepped by one compiled call, with automatic restart, on the processor."""
    jax: Any = importlib.import_module("jax")
    jnp: Any = importlib.import_module("jax.numpy")
    wrappers: Any = importlib.import_module("pgx.experimental.wrappers")
    library: Any = importlib.import_module("pgx")

    env = library.make(name)
    step = wrappers.auto_reset(env.step, env.init)

    def eight_steps(state: Any, key: Any) -> tuple[Any, Any]:
        def one(carry: Any, _: None) -> tuple[Any, None]:
            state, key = carry
            key, draw, restart = jax.random.split(key, 3)
            logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
            actions = jax.random.categorical(draw, logits, axis=1)
            state = jax.vmap(step)(state, actions, jax.random.split(restart, GAMES))
            return (state, key), None

        (state, key), _ = jax.lax.scan(one, (state, key), None, length=8)
        return state, key

    go = jax.jit(eight_steps)
    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, GAMES))
    carry = [state, key]

    def run() -> int:
        carry[0], carry[1] = go(carry[0], carry[1])
        jax.block_until_ready(carry[0])
        return 8 * GAMES

    return best(run)


def main() -> None:
    load = os.getloadavg()[0]
    lines = []

    def note(what: str, speed: float, ratio: str = "") -> None:
        line = f"| {what} | {_short(speed)} | {ratio} |"
        lines.append(line)
        print(line, flush=True)

    seen = ours("board", seen=True)
    note("`board`, no observations, one thread", ours("board", seen=False))
    note("`board`, observation and mask written every step, one thread", seen)
    for label, which in (("no observations", False), ("observation and mask", True)):
        speed = ours("board", seen=which, outside=True)
        note(f"`board`, {label}, actions handed in, one thread", speed)
    for label, which in (("no observations", False), ("observation and mask", True)):
        for how, more in (
            ("", {}),
            (", actions handed in", {"outside": True}),
            (f", {8 * GAMES:,} games", {"games": 8 * GAMES}),
        ):
            two, ratio = two_threads(seen=which, **more)
            note(f"`board`, {label}{how}, two threads", two, f"{ratio:.2f} × one thread")
    note("`board`, observation and mask, against the heuristic",
         ours("board", seen=True, opponents="heuristic"))  # fmt: skip
    note("`stones`, no observations, one thread", ours("stones", seen=False))
    note("`stones`, observation and mask, one thread", ours("stones", seen=True))
    note("`board` through PettingZoo", our_aec())
    for name in CARD_GAMES:
        speed = openspiel(name)
        note(f"OpenSpiel `{name}`, driven from Python", speed, _ratio(seen, speed))
    for name in CLASSICS:
        speed = pettingzoo(name)
        note(f"PettingZoo `{name}`", speed, _ratio(seen, speed))
    for name in PGX_GAMES:
        speed = pgx(name)
        note(f"Pgx `{name}`, batch of 1,024", speed, _ratio(seen, speed))
    RESULTS.write_text(PAGE.format(date=datetime.now(UTC).date(), machine=_machine(load),
                                   rows="\n".join(lines)), "utf-8")  # fmt: skip


def _short(speed: float) -> str:
    return f"{speed / 1e6:.2f} million" if speed >= 1e6 else f"{speed:,.0f}"


def _ratio(mine: float, other: float) -> str:
    return f"ours is {mine / other:,.1f} × as fast"


def _machine(load: float) -> str:
    packages = []
    for name in ("keltis", "numba", "numpy", "open-spiel", "pettingzoo", "pgx", "jax"):
        try:
            packages.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    from benchmarks.starts import processor

    return f"{processor()}, {os.cpu_count()} cores, load before the run {load:.1f}; " + ", ".join(
        packages
    )


PAGE = """\
# Results of the environments

Written by `python -m benchmarks.environments` on {date}.

{machine}

Decisions a second of one core's own time (two threads: by the clock on the wall), the best of many
short repetitions, two players. Unless it says otherwise ours are batches of 1,024 games stepped by
the vector environment. All decisions are random and legal, and choosing them is counted in: it is
done by the call that steps, or, "actions handed in", by a call of its own as if by a policy. The
ratio is of `board` with observation and mask on one thread to the other. Others play random legal
actions too. Their games are not ours: the ratios say what to expect, not who wrote better code.

| | decisions/s | |
|---|---|---|
{rows}
"""


if __name__ == "__main__":
    main()
