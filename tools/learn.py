"""Learn where the heuristic is wrong, for the network of `keltis.bots.experience`.

    python tools/learn.py board 2 --minutes 10

One seat plays by the network, the others by the heuristic; in the first round all play by the
heuristic, unless it is to go on with the network that ships. At some of the seat's decisions, more
of them late in the game, each of the actions that the heuristic likes best is played on to the end
in the same few worlds. The others have the hands that they really hold: the network can't see
them, but so it learns what hands to reckon with. From tens of thousands of such decisions the next
network learns which action wins most often. Then comes another round, with the new network
playing; it is learned from together with those before.

Progress goes to the terminal and to a log beside the networks: how much is gained at decisions
that were not learned from, and wins and lead against the heuristic on fresh deals.
"""

import argparse
import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from keltis.bots import experience
from keltis.bots.experience import (
    A_WIN,
    GENERAL,
    HIDDEN,
    NOTHING,
    OF_COLOUR,
    SEEN,
    SIZE,
    WIDTH,
    follow,
    see_action,
    see_colour,
    see_position,
)
from keltis.bots.policy import best_action, best_first, evaluate, thoughts
from keltis.bots.rollouts import LONGEST, MOST_PLANS, NO_TREES, PLACES, WIN, try_plans, utilities
from keltis.bots.thinking import weights
from keltis.rules import board, both, stones
from keltis.rules.kernel import below, kernel

FOLDER = Path(experience.__file__).parent / "weights"
RULES = {"board": board, "stones": stones}
LONGEST_ROLLOUT = 1_000
LATE = 5.0  # turns before the end of the game, where much is at stake and rollouts are short
EARLY_ONE, LATE_ONE = 7, 3  # of so many decisions of the seat, about one is learned from,
EARLY_WORLDS, LATE_WORLDS = 12, 32  # and each action is tried in so many worlds
SMOOTH = 0.7  # points, for each turn before the end, over which a loss turns into a win,
LEAST_SMOOTH, MOST_SMOOTH = 1.0, 6.0  # within these
SLIPS = 16  # one decision of so many is a slip
HELD_OUT = 6  # one decision of so many is not learned from
PASSES, BATCH = 12, 256  # how often all decisions are learned from, and how many at a time
RATE, LATER_RATE = 4e-3, 1.5e-3  # at its highest, in the first round and in later ones
CLIP = 4.0  # points beyond which a surprise counts no more than in proportion
WARMTH = 0.7  # points: how sharply the best action is told from the others


# --- Decisions to learn from -------------------------------------------------------------


@kernel
def next_decision(states, room, known, players, own):
    """Play on to a decision that is to be learned from; tell how many actions to try.

    states[0] is the game, own[0] the seat that plays by the network; room[0] has the actions.
    """
    s = states[0]
    t = room[0]
    while True:
        if both.is_over(s):
            both.shuffled(s, players)
            own[0] = below(s, players)
        if s.seat != own[0]:
            both.apply(s, best_action(s, t))
            continue
        n = evaluate(s, t, False)
        if n > 1 and below(s, EARLY_ONE if t.turns > LATE else LATE_ONE) == 0:
            count = min(n, WIDTH)
            best_first(t, n, count)
            return count
        action = follow(s, t, known)
        if n > 1 and below(s, SLIPS) == 0:
            n = evaluate(s, t, False)
            best_first(t, n, min(n, 3))
            action = t.actions[below(s, min(n, 3))]
        both.apply(s, action)


@kernel
def look(states, room, count, seen):
    """Write what the network sees of the actions in room[0]; `seen` is empty before."""
    s = states[0]
    t = room[0]
    for k in range(count):
        see_position(s, t)
        write(t, seen[k], 0)
        c = see_action(s, t, k)
        write(t, seen[k], GENERAL + OF_COLOUR)
        if c >= 0:
            see_colour(s, t, c)
            write(t, seen[k], GENERAL)


@kernel
def write(t, seen, first):
    """Write what has been noted to its places, which begin at `first`."""
    for k in range(t.noted):
        seen[first + t.places[k]] = t.seen[k]


@kernel
def decide(states, room, known):
    """Play the decision that has been looked at."""
    s = states[0]
    both.apply(s, follow(s, room[0], known))


def gather(
    game: str, players: int, known: np.ndarray, seed: int, seconds: float
) -> tuple[np.ndarray, np.ndarray]:
    """For each decision what is seen of its actions, and what each is worth.

    That is the chance to win, in points of which a win has A_WIN. There are always WIDTH actions;
    those that are not legal have no value.
    """
    states = np.zeros(1 + PLACES, RULES[game].STATE)
    states["rng"] = np.uint64(seed)
    states["phase"] = RULES[game].OVER
    room = thoughts(*[weights(game, players)] * 2)
    plans = np.zeros((MOST_PLANS, LONGEST), np.int64)
    lengths = np.ones(MOST_PLANS, np.int64)
    own = np.zeros(1, np.int64)
    seen, values = [], []
    end = None
    while end is None or time.monotonic() < end:
        count = next_decision(states, room, known, players, own)
        plans[:count, 0] = room["actions"][0, :count]
        sums = np.zeros((3, MOST_PLANS), np.int64)
        turns = float(room["turns"][0])
        worlds = EARLY_WORLDS if turns > LATE else LATE_WORLDS
        worth = utilities(min(max(SMOOTH * turns, LEAST_SMOOTH), MOST_SMOOTH))
        tried = (plans, lengths, np.arange(count), 0, worlds, states["rng"][0])
        to_the_end = (LONGEST_ROLLOUT, LONGEST_ROLLOUT)
        so = (*tried, *to_the_end, worth, sums, NO_TREES)
        try_plans(states[:1], states, 1, room, 1, known, *so)
        found = np.zeros((WIDTH, SEEN), np.float32)
        look(states, room, count, found)
        value = np.full(WIDTH, np.nan, np.float32)
        value[:count] = A_WIN * sums[0, :count] / WIN / worlds
        seen.append(found.astype(np.float16))  # there will be many
        values.append(value)
        decide(states, room, known)
        end = end or time.monotonic() + seconds  # the first decision waits for the compiler
    return np.array(seen), np.array(values)


# --- Learning ----------------------------------------------------------------------------


class Network:
    """The layers, as one array that they share."""

    def __init__(self, known: np.ndarray) -> None:
        self.known = known
        self.first = known[: SEEN * HIDDEN].reshape(SEEN, HIDDEN)
        self.biases = known[SEEN * HIDDEN : -HIDDEN]
        self.second = known[-HIDDEN:]

    def judge(self, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What actions are worth, and the hidden layer."""
        hidden = np.maximum(seen @ self.first + self.biases, 0)
        # The first thing seen of an action is what the heuristic thinks of it, in fours.
        return hidden @ self.second + 4 * seen[:, GENERAL + OF_COLOUR], hidden


def learned(
    known: np.ndarray, seen: np.ndarray, values: np.ndarray, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """A network that has learned from decisions, and what it gains at each of those held out.

    It begins with what is known, or at random if that is nothing. At first it learns the
    differences between actions, then more and more to choose well.
    """
    legal = ~np.isnan(values)
    held_out = np.arange(len(seen)) % HELD_OUT == 0
    mine = np.flatnonzero(~held_out)
    values = np.where(legal, values, 0)
    means = values.sum(1, keepdims=True) / legal.sum(1, keepdims=True)
    better = np.where(legal, values - means, 0).astype(np.float32)
    if len(known):
        network, highest = Network(known.copy()), LATER_RATE
    else:
        network, highest = Network(np.zeros(SIZE, np.float32)), RATE
        network.first[:] = random.normal(0, SEEN**-0.5, network.first.shape)
        network.second[:] = random.normal(0, HIDDEN**-0.5, HIDDEN)
    slope, square = np.zeros(SIZE, np.float32), np.zeros(SIZE, np.float32)
    step, steps = 0, PASSES * (len(mine) // BATCH)
    while step < steps:
        order = random.permutation(mine)
        for k in range(len(mine) // BATCH):
            chosen = order[k * BATCH : (k + 1) * BATCH]
            there, aim = legal[chosen], better[chosen]
            flat = seen[chosen].reshape(-1, SEEN).astype(np.float32)
            worth, hidden = network.judge(flat)
            worth = worth.reshape(BATCH, WIDTH)
            counts = there.sum(1, keepdims=True)
            off = worth - (worth * there).sum(1, keepdims=True) / counts - aim
            off = np.clip(np.where(there, off, 0), -CLIP, CLIP)
            off -= np.where(there, off.sum(1, keepdims=True) / counts, 0)
            odds = np.where(there, worth, -np.inf) / WARMTH
            odds = np.exp(odds - odds.max(1, keepdims=True))
            odds /= odds.sum(1, keepdims=True)
            best = odds * ((odds * aim).sum(1, keepdims=True) - aim) / WARMTH
            part = step / steps
            blame = (1 - 0.8 * part) * 0.2 * off / counts.mean() + part * best
            blame = (blame / BATCH).ravel()
            back = Network(np.empty(SIZE, np.float32))
            back.second[:] = hidden.T @ blame
            inside = np.where(hidden > 0, blame[:, None] * network.second, 0)
            back.first[:] = flat.T @ inside
            back.biases[:] = inside.sum(0)
            # Adam, with a rate that rises for a while and then falls to nothing.
            step += 1
            slope += 0.1 * (back.known - slope)
            square += 0.001 * (back.known**2 - square)
            rate = highest * min(part / 0.1, (1 - part) / 0.9)
            scale = np.sqrt(square / (1 - 0.999**step)) + 1e-8
            network.known[:] -= rate * slope / (1 - 0.9**step) / scale
    flat = seen[held_out].reshape(-1, SEEN).astype(np.float32)
    worth = np.where(legal[held_out], network.judge(flat)[0].reshape(-1, WIDTH), -np.inf)
    rows = np.arange(len(worth))
    return network.known, values[held_out][rows, worth.argmax(1)] - values[held_out][:, 0]


# --- Against the heuristic ---------------------------------------------------------------


@kernel
def contest(states, players, room, seeds, known, out):
    """A game for each seed and seat of the one who follows the network: wins and leads."""
    t = room[0]
    s = states[0]
    for k in range(len(seeds)):
        for own in range(players):
            s.rng = seeds[k]
            both.shuffled(s, players)
            decisions = 0
            while not both.is_over(s) and decisions < LONGEST_ROLLOUT:
                if s.seat == own:
                    both.apply(s, follow(s, t, known))
                else:
                    both.apply(s, best_action(s, t))
                decisions += 1
            lead = both.lead(s, own)
            first = 0
            for q in range(players):
                first += both.score(s, q) == both.score(s, own)
            out[k, 0] += (lead > 0) + (lead == 0) / first
            out[k, 1] += lead


def against_heuristic(
    game: str, players: int, known: np.ndarray, deals: int, seed: int
) -> dict[str, float]:
    seeds = np.random.default_rng(seed).integers(1, 2**63, deals, dtype=np.uint64)
    out = np.zeros((deals, 2))
    room = thoughts(weights(game, players))
    contest(np.zeros(1, RULES[game].STATE), players, room, seeds, known, out)
    out /= players
    return {
        "games": deals * players,
        "wins": round(float(out[:, 0].mean()), 4),
        "error": round(float(out[:, 0].std() / deals**0.5), 4),
        "lead": round(float(out[:, 1].mean()), 2),
    }


def run(
    game: str,
    players: int,
    minutes: float,
    rounds: int,
    workers: int,
    seed: int,
    folder: Path,
    go_on: bool,
) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    known = experience.experience(game, players) if go_on else NOTHING
    log = (folder / f"experience-{game}-{players}.log").open("a" if go_on else "w")

    def say(**line: object) -> None:
        print(json.dumps(line), file=log, flush=True)
        print(json.dumps(line), file=sys.stderr, flush=True)

    say(event="start", game=game, players=players, seed=seed, minutes=minutes, rounds=rounds)
    seconds = 60 * minutes / rounds
    found: list[tuple[np.ndarray, np.ndarray]] = []
    with ProcessPoolExecutor(workers) as pool:
        for number in range(1, rounds + 1):
            parts = [
                pool.submit(gather, game, players, known, int(random.integers(2**62)), seconds)
                for _ in range(workers)
            ]
            found += [part.result() for part in parts]
            seen = np.concatenate([one for one, _ in found])
            values = np.concatenate([one for _, one in found])
            say(event="learning", round=number, decisions=len(seen))
            known, gains = learned(known, seen, values, random)
            error = gains.std() / len(gains) ** 0.5
            say(
                event="learned",
                round=number,
                gain=round(float(gains.mean()), 4),
                gain_error=round(float(error), 4),
                **against_heuristic(game, players, known, 1_000, seed + number),
            )
    fresh = against_heuristic(game, players, known, 10_000, seed + rounds + 1)
    say(event="final, against the heuristic, on fresh deals", **fresh)
    np.savez_compressed(folder / f"experience-{game}-{players}.npz", network=known)
    return fresh


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("game", choices=tuple(RULES))
    parser.add_argument("players", type=int, choices=(2, 3, 4))
    parser.add_argument("--minutes", type=float, default=10, help="of play, all rounds together")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where network and log go")
    parser.add_argument("--go-on", action="store_true", help="with the network that ships")
    given = parser.parse_args()
    run(**vars(given))


if __name__ == "__main__":
    main()
