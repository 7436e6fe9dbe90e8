"""Learn what positions of the tile game lead to, for `keltis.bots.stones_experience`.

    python tools/learn.py 2 --minutes 8

All seats follow the tables that have been learned so far; the first games are the heuristic's. At a
random moment somebody does something at random; from there on, every position is compared with
how the game ends, and the tables move a little towards it. They move fast, and what is followed
and kept is their mean over some time, which is calm.

Progress goes to the terminal and to a log beside the tables: wins and lead against the heuristic on
deals that are not learned from, and at the end on many more.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np

from keltis.bots import stones_experience
from keltis.bots.policy import best_action, thoughts
from keltis.bots.stones_experience import SIZE, TURNED, entries, follow, what_next
from keltis.bots.thinking import weights
from keltis.rules import both, stones
from keltis.rules.kernel import below, kernel
from keltis.rules.stones import OVER, TURN_OVER

FOLDER = Path(stones_experience.__file__).parent / "weights"
MOST_DECISIONS = 165
CHUNK = 20_000  # games between two looks at the clock
RATE = 0.03  # how far the tables move
CALM = 0.3  # the mean is over about this part of the time up to now
ALONE = 0.1  # the part of the time in which the heuristic plays alone


@kernel
def learn(states, players, room, seed, games, alone, known, learned):
    """Play games by the tables `known` and learn from them; tell the mean squared surprise."""
    t = room[0]
    places = np.empty((MOST_DECISIONS, len(t.places)), np.int64)
    counts = np.empty(MOST_DECISIONS, np.int64)
    leads = np.empty(MOST_DECISIONS, np.int64)
    seats = np.empty(MOST_DECISIONS, np.int64)
    s = states[0]
    squares = 0.0
    positions = 0
    for game in range(games):
        s.rng = np.uint64(seed) + np.uint64(game) * np.uint64(0x9E3779B97F4A7C15)
        both.shuffled(s, players)
        slip = below(s, 120)
        decisions = 0
        n = 0
        while s.phase != OVER:
            p = np.int64(s.seat)
            if decisions == slip:
                action = np.int64(both.random_action(s))
            elif not alone:
                action = follow(states, 0, t, known)
            else:
                action = best_action(s, t)
            looked = decisions >= slip
            if looked and action == TURN_OVER:
                leads[n] = both.lead(s, p)
                counts[n] = entries(s, p, TURNED, t)
            both.apply(s, action)
            decisions += 1
            if looked and action != TURN_OVER:
                leads[n] = both.lead(s, p)
                counts[n] = entries(s, p, what_next(s, p), t)
            if looked and s.phase != OVER:
                places[n] = t.places
                seats[n] = p
                n += 1
        for k in range(n):
            surprise = np.float64(both.lead(s, seats[k]) - leads[k])
            for j in range(counts[k]):
                surprise -= learned[places[k, j]]
            step = RATE * surprise / counts[k]
            for j in range(counts[k]):
                learned[places[k, j]] += step
            squares += surprise * surprise
        positions += n
    return squares / max(1, positions)


@kernel
def contest(states, players, room, seeds, known, out):
    """A game for each seed and seat of the one who follows the tables: wins and leads."""
    t = room[0]
    s = states[0]
    for k in range(len(seeds)):
        for own in range(players):
            s.rng = seeds[k]
            both.shuffled(s, players)
            while s.phase != OVER:
                if s.seat == own:
                    both.apply(s, follow(states, 0, t, known))
                else:
                    both.apply(s, best_action(s, t))
            lead = both.lead(s, own)
            first = 0
            for q in range(players):
                first += stones.score(s, q) == stones.score(s, own)
            out[k, 0] += (lead > 0) + (lead == 0) / first
            out[k, 1] += lead


def against_heuristic(players: int, known: np.ndarray, deals: int, seed: int) -> dict[str, float]:
    seeds = np.random.default_rng(seed).integers(1, 2**63, deals, dtype=np.uint64)
    out = np.zeros((deals, 2))
    room = thoughts(weights("stones", players))
    contest(np.zeros(2, stones.STATE), players, room, seeds, known, out)
    out /= players
    return {
        "games": deals * players,
        "wins": round(float(out[:, 0].mean()), 4),
        "error": round(float(out[:, 0].std() / deals**0.5), 4),
        "lead": round(float(out[:, 1].mean()), 2),
    }


def run(players: int, minutes: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    room = thoughts(weights("stones", players))
    states = np.zeros(2, stones.STATE)
    learned, calm = np.zeros(SIZE), np.zeros(SIZE)
    log = (FOLDER / f"experience-{players}.log").open("w")

    def say(**line: object) -> None:
        print(json.dumps(line), file=log, flush=True)
        print(json.dumps(line), file=sys.stderr, flush=True)

    say(event="start", players=players, seed=seed, minutes=minutes)
    start = time.monotonic()
    games, told = 0, 0.0
    while (part := (time.monotonic() - start) / (60 * minutes)) < 1:
        first = random.integers(1, 2**63, dtype=np.uint64)
        table = calm.astype(np.float32)
        error = learn(states, players, room, first, CHUNK, part < ALONE, table, learned)
        games += CHUNK
        calm += (learned - calm) * min(1.0, CHUNK / (CALM * games))
        if part - told > 0.05:
            told = part
            found = against_heuristic(players, calm.astype(np.float32), 1_000, seed + 1)
            say(event="check", learned_from=games, surprise=round(error**0.5, 3), **found)
    stored = calm.astype(np.float16)
    found = against_heuristic(players, stored.astype(np.float32), 10_000, seed + 2)
    say(event="final, against the heuristic, on fresh deals", learned_from=games, **found)
    np.savez_compressed(FOLDER / f"experience-{players}.npz", table=stored)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("players", type=int, choices=(2, 3, 4))
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    run(given.players, given.minutes, given.seed)


if __name__ == "__main__":
    main()
