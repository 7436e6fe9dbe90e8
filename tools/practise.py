"""Learn what positions are worth, for the network of `keltis.bots.foresight`.

    python tools/practise.py board 2 --minutes 60

One seat plays by the network, the others by the heuristic; at first that seat plays by the
heuristic too, or it would always lose. After each game the network learns, for every position that
the seat left behind, what came of it: partly how the game ended, and partly
what the network thought of the position after the seat's next decision (that is TD(lambda), with
Adagrad's rates for each thing that is seen). Some decisions are slips, so that it sees what it
would not do; what comes of a slip is not learned for what was before it. All of it is compiled, and
one core plays some thousands of games a second. With --again it goes on from the network there is,
at half the rate that it began with.

Progress goes to the terminal and to a log beside the network, both in build/practise: wins and lead
against the heuristic on fresh deals. If it is the better one, both belong into keltis/bots/weights.

    python tools/practise.py board 2 --seed 2 --folder build/second
    python tools/practise.py board 2 --join build/second

Networks that have learned apart from each other are better together: --join puts those in some
folders beside the one in use, as further voices, and tells how strong they are with it.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

from keltis.bots import foresight, sight
from keltis.bots.foresight import (
    POINTS,
    add_colour,
    add_rest,
    follow,
    joints,
    judge,
    last_layer,
    likely,
    outputs,
    rest,
    size,
    won,
)
from keltis.bots.marks import CHANGED, LINES, MOST_MARKS, REST
from keltis.bots.policy import HIDDEN, MOST_VOICES, OF_COLOUR, best_action, best_of, thoughts
from keltis.bots.thinking import weights
from keltis.rules import board, both, stones
from keltis.rules.board import COLOURS
from keltis.rules.kernel import below, inlined, kernel

WEIGHTS = Path(foresight.__file__).parent / "weights"
FOLDER = Path(__file__).parents[1] / "build" / "practise"
RULES = {"board": board, "stones": stones}
MOST_DECISIONS = 400  # of a seat in a game; of a longer one these are learned from
RATE = 0.1  # at the beginning; it falls to nothing
LAMBDA = 0.9  # how much how the game goes on counts, against what the network thinks of it
SLIPS, WARMTH = 10, 0.07  # one decision of so many is a slip, by about so much of a win
TAUGHT = 0.05  # of the time, at the beginning, the heuristic decides
SMOOTH = 4.0, 0.5  # points over which a game lost becomes one that is won, at first and in the end
LEADS = 0.2  # how much the lead is learned, against the chance to win
STRAIN, JOINTS_STRAIN, HEADS_STRAIN = 3e-4, 0.1, 1.0  # what Adagrad's sums begin with
TRIALS = 20_000  # games that tell what Adagrad's sums were when the network last learned
REPORTS = 10
NO_HEAD = -1

_UNITS, _COLOUR_UNITS = np.uint64(HIDDEN), np.uint64(OF_COLOUR)
_BLAME, _TOTAL = np.uint64(CHANGED), np.uint64(REST)  # rows that learning uses


@kernel
def write_down(states, t, action, marks, counts):
    """Write what is seen of what an action leads to, line by line; tell the head, or NO_HEAD.

    There is none if the game ends. states[0] has been judged, states[1] is overwritten.
    """
    s = states[0]
    after = states[1]
    p = np.int64(s.seat)
    states[1] = states[0]
    then = sight.foresee(after, action)
    if both.is_over(after):
        return NO_HEAD
    c = sight.changed(s, action)
    if c >= 0:
        sight.see_colour(after, t, p, c, CHANGED)
    sight.see_rest(after, t, p)
    for line in range(LINES):
        if line == CHANGED:
            continue
        source = CHANGED if line == c else line
        counts[line] = t.marked[source]
        for k in range(counts[line]):
            marks[line, k] = t.marks[source, k]
    return sight.head(after, t, then)


@kernel
def learn(s, t, known, strain, marks, counts, head, chance, lead, rate):
    """Learn what a position is worth of which such things are so.

    `strain` has Adagrad's sums: one for each thing that is seen of a colour, for each unit of a
    colour, for each thing that is seen of the rest, and for each head.
    """
    for line in range(LINES):
        if line != CHANGED:
            t.marked[line] = counts[line]
            for k in range(counts[line]):
                t.marks[line, k] = marks[line, k]
    for j in range(_UNITS):
        t.hidden[0, _TOTAL, j] = 0
    for c in range(COLOURS):
        add_colour(s, t, 0, c, known)
        for j in range(_UNITS):
            t.hidden[0, _TOTAL, j] += t.hidden[0, np.uint64(c), j]
    add_rest(s, t, 0, _TOTAL, known)
    thought, expected = outputs(s, t, 0, _TOTAL, known, head)
    off = np.float32(likely(thought) - chance)
    off_lead = np.float32(LEADS * (expected - lead) / POINTS)
    at, bias = last_layer(s, 0, head)
    none = np.float32(0)
    active = blame = none
    for j in range(_UNITS):
        unit = max(t.hidden[0, _TOTAL, j], none)
        to_blame = off * known[at + j] + off_lead * known[at + _UNITS + j]
        to_blame = to_blame if unit > 0 else none
        t.hidden[0, _BLAME, j] = to_blame
        active += unit * unit
        blame += to_blame * to_blame
    blame /= HIDDEN
    place = len(strain) - sight.heads(s) + head
    strain[place] += (off * off + off_lead * off_lead) * (active / HIDDEN + 0.01)
    step = np.float32(rate / np.sqrt(strain[place]))
    for j in range(_UNITS):
        unit = max(t.hidden[0, _TOTAL, j], none)
        known[at + j] -= step * off * unit
        known[at + _UNITS + j] -= step * off_lead * unit
    known[bias] -= step * off
    known[bias + np.uint64(1)] -= step * off_lead
    of_colour = sight.of_colour(s)
    start = np.uint64(rest(s, 0))
    for k in range(counts[REST]):
        place = of_colour + OF_COLOUR + marks[REST, k]
        strain[place] += blame
        step = np.float32(rate / np.sqrt(strain[place]))
        a = start + np.uint64(marks[REST, k]) * _UNITS
        for j in range(_UNITS):
            known[a + j] -= step * t.hidden[0, _BLAME, j]
    learn_colours(s, t, known, strain, blame, rate)


@inlined
def learn_colours(s, t, known, strain, blame, rate):
    """Learn of the colours, what is to blame in the layer for all being t.hidden[0, _BLAME]."""
    none = np.float32(0)
    at = np.uint64(joints(s, 0))
    of_colour = sight.of_colour(s)
    for i in range(_COLOUR_UNITS):
        total = none  # what the unit tells of all colours
        for c in range(COLOURS):
            total += max(t.colours[0, np.uint64(c), i], none)
        first = at + i * _UNITS
        one = other = none
        if total > 0:
            for j in range(np.uint64(0), _UNITS, np.uint64(2)):
                one += known[first + j] * t.hidden[0, _BLAME, j]
                other += known[first + j + np.uint64(1)] * t.hidden[0, _BLAME, j + np.uint64(1)]
            place = of_colour + i
            strain[place] += total * total * blame
            step = np.float32(rate / np.sqrt(strain[place])) * total
            for j in range(_UNITS):
                known[first + j] -= step * t.hidden[0, _BLAME, j]
        t.colours[0, _BLAME, i] = one + other
    for c in range(COLOURS):
        row = np.uint64(c)
        blame = none
        for i in range(_COLOUR_UNITS):
            to_blame = t.colours[0, _BLAME, i] if t.colours[0, row, i] > 0 else none
            t.colours[0, row, i] = to_blame
            blame += to_blame * to_blame
        blame /= OF_COLOUR
        for k in range(t.marked[c]):
            place = np.int64(t.marks[c, k])
            strain[place] += blame
            step = np.float32(rate / np.sqrt(strain[place]))
            a = np.uint64(place) * _COLOUR_UNITS
            for i in range(_COLOUR_UNITS):
                known[a + i] -= step * t.colours[0, row, i]


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
def practise(states, room, known, strain, players, games, rate, smooth, taught):
    """Play games and learn from each; states[0] is the game and has the random numbers.

    If it is `taught`, the seat does what the heuristic would do.
    """
    s = states[0]
    t = room[0]
    marks = np.empty((MOST_DECISIONS, LINES, MOST_MARKS), np.int32)
    counts = np.empty((MOST_DECISIONS, LINES), np.int64)
    heads = np.empty(MOST_DECISIONS, np.int64)
    chances = np.empty(MOST_DECISIONS)  # what was thought of the best action
    leads = np.empty(MOST_DECISIONS)
    slipped = np.empty(MOST_DECISIONS, np.bool_)
    for _ in range(games):
        both.shuffled(s, players)
        own = below(s, players)
        made = 0
        while not both.is_over(s):
            if s.seat != own:
                both.apply(s, best_action(s, t))
                continue
            advice = best_action(s, t) if taught else 0
            n = judge(states, 0, t, known)
            if n == 1 or made == MOST_DECISIONS:
                both.apply(s, t.actions[best_of(t, n)])
                continue
            best = best_of(t, n)
            for k in range(n if taught else 0):
                if t.actions[k] == advice:
                    best = k
            chosen = slip(s, t, n) if below(s, SLIPS) == 0 else best
            chances[made] = t.values[best]
            leads[made] = t.leads[best]
            slipped[made] = chosen != best
            action = t.actions[chosen]
            heads[made] = write_down(states, t, action, marks[made], counts[made])
            made += 1
            both.apply(s, action)
        lead = np.float64(both.lead(s, own))
        chance = won(lead, smooth)
        for k in range(made - 1, -1, -1):
            if heads[k] != NO_HEAD:
                learn(s, t, known, strain, marks[k], counts[k], heads[k], chance, lead, rate)
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
            decisions = 0
            while not both.is_over(s) and decisions < MOST_DECISIONS * players:
                decisions += 1
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


def against_heuristic(
    game: str, players: int, known: np.ndarray, deals: int, seed: int
) -> dict[str, float]:
    seeds = np.random.default_rng(seed).integers(1, 2**63, deals, dtype=np.uint64)
    out = np.zeros((deals, 2))
    room = thoughts(weights(game, players))
    contest(np.zeros(2, RULES[game].STATE), players, room, seeds, known, out)
    out /= players
    return {
        "games": deals * players,
        "wins": round(float(out[:, 0].mean()), 4),
        "error": round(float(out[:, 0].std() / deals**0.5), 4),
        "lead": round(float(out[:, 1].mean()), 2),
    }


def beginner(
    of_colour: int, of_rest: int, heads: int, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """A network that knows nothing yet, its heads alike, and Adagrad's sums."""
    head = random.normal(0, 0.1, 2 * HIDDEN)
    parts = (
        random.normal(0, 0.15, of_colour * OF_COLOUR),
        random.normal(0, OF_COLOUR**-0.5, OF_COLOUR * HIDDEN),
        random.normal(0, 0.1, of_rest * HIDDEN),
        np.tile(head, heads),
        np.zeros(2 * heads),
    )
    strain = (
        np.full(of_colour, STRAIN),
        np.full(OF_COLOUR, JOINTS_STRAIN),
        np.full(of_rest, STRAIN),
        np.full(heads, HEADS_STRAIN),
    )
    return np.concatenate(parts).astype(np.float32), np.concatenate(strain).astype(np.float32)


def numbers(game: str, players: int) -> tuple[int, int, int]:
    """How much there is to see of a colour and of the rest, and how many heads there are."""
    s = np.zeros(1, RULES[game].STATE)[0]
    s.players = players
    return sight.of_colour(s), sight.of_rest(s), sight.heads(s)


def run(
    game: str, players: int, minutes: float, seed: int, folder: Path, again: bool
) -> dict[str, Any]:
    """Let a network learn, from nothing or again."""
    random = np.random.default_rng(seed)
    states = np.zeros(2, RULES[game].STATE)
    states["rng"] = random.integers(1, 2**63, dtype=np.uint64)
    room = thoughts(weights(game, players))
    known, strain = beginner(*numbers(game, players), random)
    learned = foresight.foresight(game, players)
    if again and len(learned) > len(known):
        raise ValueError("there are several voices; only one by itself can go on learning")
    name = f"foresight-{game}-{players}"
    before = (WEIGHTS / f"{name}.log").read_text() if again else ""
    folder.mkdir(parents=True, exist_ok=True)
    log_file = folder / f"{name}.log"
    log_file.write_text(before)

    def say(**line: object) -> None:
        with log_file.open("a") as log:
            print(json.dumps(line), file=log)
        print(json.dumps(line), file=sys.stderr, flush=True)

    say(event="again" if again else "start", game=game, players=players, seed=seed, minutes=minutes)
    practise(states, room, known, strain, players, 0, 0.0, 1.0, True)  # waits for the compiler
    start = time.monotonic()
    games, reports = 0, 1
    if again:
        known = learned.copy()
        games = max(json.loads(line).get("practised", 0) for line in before.splitlines())
        practise(states, room, known, strain, players, TRIALS, 0.0, SMOOTH[1], False)
        strain *= games / TRIALS
    with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(name, total=1)
        while (part := (time.monotonic() - start) / 60 / minutes) < 1:
            rate, smooth = RATE * (1 - part), SMOOTH[0] + (SMOOTH[1] - SMOOTH[0]) * part
            if again:
                rate, smooth = rate / 2, SMOOTH[1]
            taught = part < TAUGHT and not again
            practise(states, room, known, strain, players, 200, rate, smooth, taught)
            games += 200
            bar.update(task, completed=part)
            if part > reports / REPORTS:
                reports += 1
                found = against_heuristic(game, players, known, 1_000, seed + reports)
                say(event="so far", practised=games, **found)
                np.savez_compressed(folder / f"{name}.npz", network=known.astype(np.float16))
    fresh = against_heuristic(game, players, known, 10_000, seed + REPORTS + 1)
    say(event="final, against the heuristic, on fresh deals", practised=games, **fresh)
    np.savez_compressed(folder / f"{name}.npz", network=known.astype(np.float16))
    return fresh


def join(game: str, players: int, folders: list[Path], seed: int, folder: Path) -> dict[str, Any]:
    """Put the networks in some folders beside the one in use, which may have several voices."""
    name = f"foresight-{game}-{players}"
    networks, log = [], ""
    for source in (WEIGHTS, *folders):
        with np.load(source / f"{name}.npz") as stored:
            networks.append(stored["network"].reshape(-1, size(*numbers(game, players))))
        log += (source / f"{name}.log").read_text()
    voices = np.concatenate(networks)
    if len(voices) > MOST_VOICES:
        raise ValueError(f"{len(voices)} voices are too many: there is room for {MOST_VOICES}")
    fresh = against_heuristic(game, players, voices.astype(np.float32).ravel(), 10_000, seed)
    line = json.dumps({"event": "together, on fresh deals", "voices": len(voices), **fresh})
    print(line, file=sys.stderr)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.log").write_text(f"{log}{line}\n")
    np.savez_compressed(folder / f"{name}.npz", network=voices)
    return fresh


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("game", choices=tuple(RULES))
    parser.add_argument("players", type=int, choices=(2, 3, 4))
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="go on from the network there is")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where network and log go")
    parser.add_argument("--join", type=Path, nargs="+", help="folders with more voices")
    given = parser.parse_args()
    try:
        if given.join:
            join(given.game, given.players, given.join, given.seed, given.folder)
        else:
            del given.join
            run(**vars(given))
    except (OSError, ValueError) as fault:
        sys.exit(str(fault))


if __name__ == "__main__":
    main()
