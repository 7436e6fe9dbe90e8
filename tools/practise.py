"""Learn what positions of `stones` are worth, for the network of `keltis.bots.foresight`.

    python tools/practise.py 2 --minutes 8

One seat plays by the network, the others by the heuristic. After each game the network learns, for
every position that the seat left behind, what came of it: partly how the game ended, and partly
what the network thought of the position after the seat's next decision (that is TD(lambda), with
Adagrad's rates for each thing that is seen). Some decisions are slips, so that it sees what it
would not do; what comes of a slip is not learned for what was before it. All of it is compiled, and
one core plays some thousands of games a second.

Progress goes to the terminal and to a log beside the networks: wins and lead against the heuristic
on fresh deals.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from keltis.bots import foresight
from keltis.bots import stones_sight as sight
from keltis.bots.experience import A_WIN
from keltis.bots.foresight import POINTS, judge, last_layer, outputs, won
from keltis.bots.judgement import follow
from keltis.bots.marks import CHANGED, LINES, MOST_MARKS
from keltis.bots.policy import HIDDEN, best_action, best_of, thoughts
from keltis.bots.thinking import weights
from keltis.rules import both, stones
from keltis.rules.kernel import below, inlined, kernel

FOLDER = Path(foresight.__file__).parent / "weights"
MOST_DECISIONS = 200  # of a seat in a game: no tile is turned over or taken twice
RATE = 0.1  # at the beginning; it falls to nothing
LAMBDA = 0.9  # how much how the game goes on counts, against what the network thinks of it
SLIPS, WARMTH = 10, 3.0  # one decision of so many is a slip, by about so many points
LEADS = 0.2  # how much the lead is learned, against the chance to win
FIRST_STRAIN, LAST_STRAIN = 3e-4, 1.0  # what Adagrad's sums begin with, in either layer
REPORTS = 10

_UNITS = np.uint64(HIDDEN)
_HIDDEN, _BLAME = np.uint64(0), np.uint64(1)  # rows of t.hidden that learning uses


@kernel
def write_down(states, t, action, marks):
    """Write what is seen of what an action leads to; tell how much that is, and the head.

    That is nothing if it ends the game. states[0] has been judged, states[1] is overwritten.
    """
    s = states[0]
    after = states[1]
    p = np.int64(s.seat)
    states[1] = states[0]
    then = sight.foresee(after, action)
    c = sight.changed(s, action)
    t.marked[CHANGED] = 0
    if c >= 0:
        sight.see_colour(after, t, p, c, CHANGED)
    sight.see_rest(after, t, p)
    n = 0
    if both.is_over(after):
        return n, 0
    for line in range(LINES):
        if line != c:
            for k in range(t.marked[line]):
                marks[n] = t.marks[line, k]
                n += 1
    return n, sight.head(t, then)


@kernel
def learn(t, known, strain, marks, n, players, head, chance, lead, rate):
    """Learn what a position is worth of which n things are so."""
    for j in range(_UNITS):
        t.hidden[_HIDDEN, j] = 0
    for k in range(n):
        a = np.uint64(marks[k]) * _UNITS
        for j in range(_UNITS):
            t.hidden[_HIDDEN, j] += known[a + j]
    thought, expected = outputs(t, _HIDDEN, known, players, head)
    off = np.float32(thought - chance)
    off_lead = np.float32(LEADS * (expected - lead) / POINTS)
    at, bias = last_layer(players, head)
    none = np.float32(0)
    active = blame = none
    for j in range(_UNITS):
        unit = max(t.hidden[_HIDDEN, j], none)
        to_blame = off * known[at + j] + off_lead * known[at + _UNITS + j]
        to_blame = to_blame if unit > 0 else none
        t.hidden[_BLAME, j] = to_blame
        active += unit * unit
        blame += to_blame * to_blame
    place = len(strain) - sight.HEADS + head
    strain[place] += (off * off + off_lead * off_lead) * (active / HIDDEN + 0.01)
    step = np.float32(rate / np.sqrt(strain[place]))
    for j in range(_UNITS):
        unit = max(t.hidden[_HIDDEN, j], none)
        known[at + j] -= step * off * unit
        known[at + _UNITS + j] -= step * off_lead * unit
    known[bias] -= step * off
    known[bias + np.uint64(1)] -= step * off_lead
    for k in range(n):
        strain[marks[k]] += blame / HIDDEN
        step = np.float32(rate / np.sqrt(strain[marks[k]]))
        a = np.uint64(marks[k]) * _UNITS
        for j in range(_UNITS):
            known[a + j] -= step * t.hidden[_BLAME, j]


@inlined
def slip(s, t, n):
    """The place of an action by chance: the less is lost by it, the likelier."""
    best = t.values[best_of(t, n)]
    total = 0.0
    for k in range(n):
        total += np.exp((t.values[k] - best) / WARMTH)
    left = below(s, 1 << 30) / (1 << 30) * total
    for k in range(n - 1):
        left -= np.exp((t.values[k] - best) / WARMTH)
        if left < 0:
            return k
    return n - 1


@kernel
def practise(states, room, known, strain, players, games, rate):
    """Play games and learn from each; states[0] is the game and has the random numbers."""
    s = states[0]
    t = room[0]
    marks = np.empty((MOST_DECISIONS, LINES * MOST_MARKS), np.int32)
    counts, heads = np.empty(MOST_DECISIONS, np.int64), np.empty(MOST_DECISIONS, np.int64)
    chances, leads = np.empty(MOST_DECISIONS), np.empty(MOST_DECISIONS)  # after the best action
    slipped = np.empty(MOST_DECISIONS, np.bool_)
    for _ in range(games):
        both.shuffled(s, players)
        own = below(s, players)
        made = 0
        while not both.is_over(s):
            if s.seat != own:
                both.apply(s, best_action(s, t))
                continue
            n = judge(states, 0, t, known)
            best = best_of(t, n)
            chosen = slip(s, t, n) if below(s, SLIPS) == 0 else best
            chances[made] = t.values[best] / A_WIN
            leads[made] = t.leads[best]
            slipped[made] = chosen != best
            action = t.actions[chosen]
            counts[made], heads[made] = write_down(states, t, action, marks[made])
            made += 1
            both.apply(s, action)
        lead = np.float64(both.lead(s, own))
        chance = won(lead)
        for k in range(made - 1, -1, -1):
            if counts[k] > 0:
                so = (marks[k], counts[k], players, heads[k], chance, lead, rate)
                learn(t, known, strain, *so)
            kept = 0.0 if slipped[k] else LAMBDA
            chance = kept * chance + (1 - kept) * chances[k]
            lead = kept * lead + (1 - kept) * leads[k]


@kernel
def contest(states, players, room, seeds, known, out):
    """A game for each seed and seat of the one who follows the network: wins and leads."""
    t = room[0]
    s = states[0]
    for k in range(len(seeds)):
        for own in range(players):
            s.rng = seeds[k]
            both.shuffled(s, players)
            while not both.is_over(s):
                if s.seat == own:
                    both.apply(s, follow(states, 0, t, known))
                else:
                    both.apply(s, best_action(s, t))
            lead = both.lead(s, own)
            first = 0
            for q in range(players):
                first += both.score(s, q) == both.score(s, own)
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


def beginner(players: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A network that knows nothing yet, its heads alike, and Adagrad's sums."""
    features, heads = sight.features(players), sight.HEADS
    known = random.normal(0, 0.1, foresight.size(players)).astype(np.float32)
    last = features * HIDDEN
    of_heads = known[last : last + heads * 2 * HIDDEN].reshape(heads, -1)
    of_heads[:] = of_heads[0]
    known[last + heads * 2 * HIDDEN :] = 0
    strain = np.full(features + heads, FIRST_STRAIN, np.float32)
    strain[-heads:] = LAST_STRAIN
    return known, strain


def run(players: int, minutes: float, seed: int, folder: Path) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    states = np.zeros(2, stones.STATE)
    states["rng"] = random.integers(1, 2**63, dtype=np.uint64)
    room = thoughts(weights("stones", players))
    known, strain = beginner(players, random)
    name = f"foresight-stones-{players}"
    log = (folder / f"{name}.log").open("w")

    def say(**line: object) -> None:
        print(json.dumps(line), file=log, flush=True)
        print(json.dumps(line), file=sys.stderr, flush=True)

    say(event="start", players=players, seed=seed, minutes=minutes)
    practise(states, room, known, strain, players, 0, 0.0)  # waits for the compiler
    start = time.monotonic()
    games, reports = 0, 1
    while (part := (time.monotonic() - start) / 60 / minutes) < 1:
        practise(states, room, known, strain, players, 200, RATE * (1 - part))
        games += 200
        if part > reports / REPORTS:
            reports += 1
            found = against_heuristic(players, known, 1_000, seed + reports)
            say(event="so far", practised=games, **found)
            np.savez_compressed(folder / f"{name}.npz", network=known.astype(np.float16))
    fresh = against_heuristic(players, known, 10_000, seed)
    say(event="final, against the heuristic, on fresh deals", practised=games, **fresh)
    np.savez_compressed(folder / f"{name}.npz", network=known.astype(np.float16))
    return fresh


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("players", type=int, choices=(2, 3, 4))
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where network and log go")
    given = parser.parse_args()
    run(**vars(given))


if __name__ == "__main__":
    main()
