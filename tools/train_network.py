"""Train the value network, see `keltis.bots.kernels.value_network`.

    python tools/train_network.py board 2 --games 5000000

One seat plays by the network, the others by the heuristic; at first that seat plays by the
heuristic too, or it would always lose. After each game the network learns, for every position that
the seat left behind, what came of it: partly how the game ended, and partly what the network
thought of the position after the seat's next decision (that is TD(lambda), with Adagrad's rates for
each feature). Some decisions are slips, so that it sees what it would not do; what comes of a slip
is not learned for what was before it. All of it is compiled, and one core plays some thousands of
games a second. What comes of it rests on the options alone, and not on how busy the machine is.
With --resume it goes on from the network there is, at half the rate that it began with.

Progress goes to the terminal and to a log beside the network, both in build/train: wins and lead
against the heuristic on fresh deals. If it is the better one, the network belongs into
src/keltis/bots/weights and the log into tools/logs.

    python tools/train_network.py board 2 --seed 2 --folder build/second
    python tools/train_network.py board 2 --ensemble build/second

Networks that were trained apart from each other are better together: --ensemble puts those in some
folders beside the one in use, as further members, and tells how strong they are with it.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

from keltis.bots import weights as stored_weights
from keltis.bots.kernels import features
from keltis.bots.kernels.heuristic import best_action, best_of
from keltis.bots.kernels.layout import CHANGED, GLOBAL, MOST_ACTIVE, ROWS
from keltis.bots.kernels.scratch import (
    COLOUR_UNITS,
    HIDDEN_UNITS,
    MOST_MEMBERS,
    heuristic_scratch,
    network_scratch,
)
from keltis.bots.kernels.value_network import (
    OUTPUTS,
    POINTS,
    add_colour,
    add_global,
    follow,
    global_weights,
    head_weights,
    joint_weights,
    judge,
    outputs,
    sigmoid,
    size,
    won,
)
from keltis.bots.weights import heuristic_weights
from keltis.rules import board, both, stones
from keltis.rules.board import COLOURS
from keltis.rules.kernel import below, inlined, kernel

WEIGHTS = Path(stored_weights.__file__).parent
LOGS = Path(__file__).parent / "logs"
FOLDER = Path(__file__).parents[1] / "build" / "train"
RULES = {"board": board, "stones": stones}
MOST_DECISIONS = 400  # of a seat in a game; of a longer one these are learned from
GAMES_A_CALL = 200  # at the same rate
RATE = 0.1  # at the beginning; it falls to nothing
LAMBDA = 0.9  # how much how the game goes on counts, against what the network thinks of it
SLIPS, TEMPERATURE = 10, 0.07  # one decision of so many is a slip, by about so much of a win
GUIDED = 0.05  # of the games, at the beginning, the heuristic decides
SMOOTH = 4.0, 0.5  # points over which a game lost becomes one that is won, at first and in the end
LEADS = 0.2  # how much the lead is learned, against the chance to win
COLOUR_DEVIATION, GLOBAL_DEVIATION, HEAD_DEVIATION = 0.15, 0.1, 0.1  # of untrained weights
FEATURE_SUM, JOINT_SUM, HEAD_SUM = 3e-4, 0.1, 1.0  # what Adagrad's sums begin with
BIAS_SHARE = 0.01  # what a head's bias adds to the square of its gradient
TRIALS = 20_000  # games that tell what Adagrad's sums were when the network was last trained
REPORTS = 10
REPORT_DEALS, FINAL_DEALS = 1_000, 10_000  # on which the heuristic is met
NO_HEAD = -1
HEURISTIC = -1  # among those whom a network meets
_FINE = 1 << 30  # steps in which chance decides between 0 and 1

_HIDDEN, _COLOUR = np.uint64(HIDDEN_UNITS), np.uint64(COLOUR_UNITS)
_GRADIENT, _TOTAL = np.uint64(CHANGED), np.uint64(GLOBAL)  # rows that training uses

SAMPLE = np.dtype(  # a position that the seat left behind
    (
        np.record,
        [
            ("active", np.int32, (ROWS, MOST_ACTIVE)),  # its features, by row
            ("active_count", np.int64, ROWS),  # how many there are in each row
            ("head", np.int64),  # that judges it; NO_HEAD if the game ended with it
            ("chance", np.float64),  # what the network thought of the best action: the chance,
            ("lead", np.float64),  # and the lead
            ("slipped", np.bool_),  # whether another action than the best was taken
        ],
    )
)

TRAINING = np.dtype(  # how some games are played and learned from
    (
        np.record,
        [
            ("players", np.int64),
            ("games", np.int64),
            ("rate", np.float64),  # how fast it learns
            ("smooth", np.float64),  # points over which a game lost becomes one that is won
            ("guided", np.bool_),  # whether the heuristic decides for the seat
        ],
    )
)


@kernel
def write_sample(states, h, net, action, sample):
    """Write down the features of what an action leads to, and the head that judges it.

    states[0] has been judged, states[1] is overwritten.
    """
    s = states[0]
    after = states[1]
    p = np.int64(s.seat)
    states[1] = states[0]
    following = features.to_afterstate(after, action)
    if both.is_over(after):
        sample.head = NO_HEAD
        return
    c = features.changed_colour(s, action)
    if c >= 0:
        features.write_colour(after, net, p, c, CHANGED)
    features.write_global(after, h, net, p)
    for row in range(ROWS):
        if row == CHANGED:
            continue
        source = CHANGED if row == c else row
        sample.active_count[row] = net.active_count[source]
        for k in range(sample.active_count[row]):
            sample.active[row, k] = net.active[source, k]
    sample.head = features.head(after, net, following)


@kernel
def learn(s, net, weights, sums, sample, chance, lead, rate):
    """Take a step towards what a position turned out to be worth, down the gradient.

    `sums` has Adagrad's sums of squared gradients: one for each feature of a colour, for each unit
    of the colours' layer, for each global feature, and for each head.
    """
    for row in range(ROWS):
        if row != CHANGED:
            net.active_count[row] = sample.active_count[row]
            for k in range(sample.active_count[row]):
                net.active[row, k] = sample.active[row, k]
    for j in range(_HIDDEN):
        net.hidden[0, _TOTAL, j] = 0
    for c in range(COLOURS):
        add_colour(s, net, 0, c, weights)
        for j in range(_HIDDEN):
            net.hidden[0, _TOTAL, j] += net.hidden[0, np.uint64(c), j]
    add_global(s, net, 0, _TOTAL, weights)
    logit, expected = outputs(s, net, 0, _TOTAL, weights, sample.head)
    off = np.float32(sigmoid(logit) - chance)
    off_lead = np.float32(LEADS * (expected - lead) / POINTS)
    at, bias = head_weights(s, 0, sample.head)
    none = np.float32(0)
    active = square = none
    for j in range(_HIDDEN):
        unit = max(net.hidden[0, _TOTAL, j], none)
        gradient = off * weights[at + j] + off_lead * weights[at + _HIDDEN + j]
        gradient = gradient if unit > 0 else none
        net.hidden[0, _GRADIENT, j] = gradient
        active += unit * unit
        square += gradient * gradient
    square /= HIDDEN_UNITS
    place = len(sums) - features.heads(s) + sample.head
    sums[place] += (off * off + off_lead * off_lead) * (active / HIDDEN_UNITS + BIAS_SHARE)
    step = np.float32(rate / np.sqrt(sums[place]))
    for j in range(_HIDDEN):
        unit = max(net.hidden[0, _TOTAL, j], none)
        weights[at + j] -= step * off * unit
        weights[at + _HIDDEN + j] -= step * off_lead * unit
    weights[bias] -= step * off
    weights[bias + np.uint64(1)] -= step * off_lead
    start = np.uint64(global_weights(s, 0))
    first = features.colour_size(s) + COLOUR_UNITS
    for k in range(sample.active_count[GLOBAL]):
        feature = sample.active[GLOBAL, k]
        sums[first + feature] += square
        step = np.float32(rate / np.sqrt(sums[first + feature]))
        a = start + np.uint64(feature) * _HIDDEN
        for j in range(_HIDDEN):
            weights[a + j] -= step * net.hidden[0, _GRADIENT, j]
    learn_colours(s, net, weights, sums, square, rate)


@inlined
def learn_colours(s, net, weights, sums, square, rate):
    """Learn of the colours; the gradient of the hidden layer is in net.hidden[0, _GRADIENT]."""
    none = np.float32(0)
    at = np.uint64(joint_weights(s, 0))
    colour_size = features.colour_size(s)
    for i in range(_COLOUR):
        total = none  # of the unit, over all colours
        for c in range(COLOURS):
            total += max(net.colours[0, np.uint64(c), i], none)
        first = at + i * _HIDDEN
        one = other = none
        if total > 0:
            for j in range(np.uint64(0), _HIDDEN, np.uint64(2)):
                following = j + np.uint64(1)
                one += weights[first + j] * net.hidden[0, _GRADIENT, j]
                other += weights[first + following] * net.hidden[0, _GRADIENT, following]
            place = colour_size + i
            sums[place] += total * total * square
            step = np.float32(rate / np.sqrt(sums[place])) * total
            for j in range(_HIDDEN):
                weights[first + j] -= step * net.hidden[0, _GRADIENT, j]
        net.colours[0, _GRADIENT, i] = one + other
    for c in range(COLOURS):
        row = np.uint64(c)
        square = none
        for i in range(_COLOUR):
            gradient = net.colours[0, _GRADIENT, i] if net.colours[0, row, i] > 0 else none
            net.colours[0, row, i] = gradient
            square += gradient * gradient
        square /= COLOUR_UNITS
        for k in range(net.active_count[c]):
            feature = np.int64(net.active[c, k])
            sums[feature] += square
            step = np.float32(rate / np.sqrt(sums[feature]))
            a = np.uint64(feature) * _COLOUR
            for i in range(_COLOUR):
                weights[a + i] -= step * net.colours[0, row, i]


@inlined
def slip(s, scratch, n, temperature):
    """The place of an action by chance: the less is lost by it, the likelier."""
    best = scratch.values[best_of(scratch, n)]
    total = 0.0
    for k in range(n):
        total += np.exp((scratch.values[k] - best) / temperature)
    left = below(s, _FINE) / _FINE * total
    for k in range(n - 1):
        left -= np.exp((scratch.values[k] - best) / temperature)
        if left < 0:
            return k
    return n - 1


@kernel
def train(states, scratch, network, weights, sums, samples, training):
    """Play games and learn from each; states[0] is the game and has the random numbers."""
    s = states[0]
    h = scratch[0]
    net = network[0]
    how = training[0]
    for _ in range(how.games):
        both.shuffled(s, how.players)
        own = below(s, how.players)
        made = 0
        while not both.is_over(s):
            if s.seat != own:
                both.apply(s, best_action(s, h))
                continue
            advice = best_action(s, h) if how.guided else 0
            n = judge(states, 0, h, net, weights)
            best = best_of(net, n)
            if n == 1 or made == MOST_DECISIONS:
                both.apply(s, net.actions[best])
                continue
            for k in range(n if how.guided else 0):
                if net.actions[k] == advice:
                    best = k
            chosen = slip(s, net, n, TEMPERATURE) if below(s, SLIPS) == 0 else best
            sample = samples[made]
            sample.chance = net.values[best]
            sample.lead = net.leads[best]
            sample.slipped = chosen != best
            action = net.actions[chosen]
            write_sample(states, h, net, action, sample)
            made += 1
            both.apply(s, action)
        lead = np.float64(both.lead(s, own))
        chance = won(lead, how.smooth)
        learn_game(s, net, weights, sums, samples, 0, made, chance, lead, how.rate)


@kernel
def learn_game(s, net, weights, sums, samples, first, made, chance, lead, rate):
    """Learn from what a seat left behind in a game, by how it ended; the last comes first."""
    for k in range(first + made - 1, first - 1, -1):
        sample = samples[k]
        if sample.head != NO_HEAD:
            learn(s, net, weights, sums, sample, chance, lead, rate)
        kept = 0.0 if sample.slipped else LAMBDA
        chance = kept * chance + (1 - kept) * sample.chance
        lead = kept * lead + (1 - kept) * sample.lead


@kernel
def contest(states, players, scratch, network, weights, pool, others, seeds, out):
    """A game for each seed and seat of the one who follows the network: wins and leads.

    `others` says who has the other seats: a row of the pool of networks, or HEURISTIC.
    """
    h = scratch[0]
    s = states[0]
    for k in range(len(seeds)):
        for own in range(players):
            s.rng = seeds[k]
            both.shuffled(s, players)
            decisions = 0
            while not both.is_over(s) and decisions < MOST_DECISIONS * players:
                decisions += 1
                who = others[k, s.seat]
                if s.seat == own:
                    both.apply(s, follow(states, 0, h, network[0], weights))
                elif who == HEURISTIC:
                    both.apply(s, best_action(s, h))
                else:
                    both.apply(s, follow(states, 0, h, network[0], pool[who]))
            lead = both.lead(s, own)
            first = 0
            for q in range(players):
                first += both.score(s, q) == both.score(s, own)
            out[k, 0] += (lead > 0) + (lead == 0) / first
            out[k, 1] += lead


def match(
    game: str,
    weights: np.ndarray,
    pool: np.ndarray,
    others: np.ndarray,
    seeds: np.ndarray,
) -> np.ndarray:
    """Wins and leads of a network, by deal: the mean over all seats that it can have."""
    deals, players = others.shape
    out = np.zeros((deals, 2))
    states = np.zeros(2, RULES[game].STATE)
    scratch = heuristic_scratch(heuristic_weights(game, players))
    contest(states, players, scratch, network_scratch(), weights, pool, others, seeds, out)
    return out / players


def against_heuristic(
    game: str, players: int, weights: np.ndarray, deals: int, seed: int
) -> dict[str, float]:
    """Wins and leads of a network in all seats of some deals."""
    others = np.full((deals, players), HEURISTIC)
    return summed_up(match(game, weights, weights[None], others, deal_seeds(deals, seed)), players)


def deal_seeds(deals: int, seed: int) -> np.ndarray:
    """Random numbers that deal so many games."""
    return np.random.default_rng(seed).integers(1, 2**63, deals, dtype=np.uint64)


def summed_up(found: np.ndarray, players: int) -> dict[str, float]:
    """What came of the deals of a match."""
    return {
        "games": len(found) * players,
        "wins": round(float(found[:, 0].mean()), 4),
        "error": round(float(found[:, 0].std() / len(found) ** 0.5), 4),
        "lead": round(float(found[:, 1].mean()), 2),
    }


def untrained(
    colour_size: int, global_size: int, heads: int, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The weights of a network that knows nothing yet, its heads alike, and Adagrad's sums."""
    head = random.normal(0, HEAD_DEVIATION, OUTPUTS * HIDDEN_UNITS)
    parts = (
        random.normal(0, COLOUR_DEVIATION, colour_size * COLOUR_UNITS),
        random.normal(0, COLOUR_UNITS**-0.5, COLOUR_UNITS * HIDDEN_UNITS),
        random.normal(0, GLOBAL_DEVIATION, global_size * HIDDEN_UNITS),
        np.tile(head, heads),
        np.zeros(OUTPUTS * heads),
    )
    sums = (
        np.full(colour_size, FEATURE_SUM),
        np.full(COLOUR_UNITS, JOINT_SUM),
        np.full(global_size, FEATURE_SUM),
        np.full(heads, HEAD_SUM),
    )
    return np.concatenate(parts).astype(np.float32), np.concatenate(sums).astype(np.float32)


@kernel
def _sizes(states):
    s = states[0]
    return features.colour_size(s), features.global_size(s), features.heads(s)


def sizes(game: str, players: int) -> tuple[int, int, int]:
    """How many features there are of a colour and of no colour, and how many heads."""
    states = np.zeros(1, RULES[game].STATE)
    states["players"] = players
    found: tuple[int, int, int] = _sizes(states)
    return found


class Trainer:
    """A network that is trained, with all that this needs."""

    def __init__(self, game: str, players: int, random: np.random.Generator) -> None:
        self.states = np.zeros(2, RULES[game].STATE)
        self.states["rng"] = random.integers(1, 2**63, dtype=np.uint64)
        self.players = players
        self.weights, self.sums = untrained(*sizes(game, players), random)
        self._scratch = heuristic_scratch(heuristic_weights(game, players))
        self._network = network_scratch()
        self._samples = np.zeros(MOST_DECISIONS, SAMPLE)

    def play(self, games: int, rate: float, smooth: float, guided: bool) -> None:
        """Play some games and learn from them; see TRAINING."""
        training = np.array([(self.players, games, rate, smooth, guided)], TRAINING)
        memory = self.states, self._scratch, self._network
        train(*memory, self.weights, self.sums, self._samples, training)


def run(
    game: str, players: int, games: int, seed: int, folder: Path, resume: bool
) -> dict[str, Any]:
    """Train a network, from nothing or from the one in use."""
    trainer = Trainer(game, players, np.random.default_rng(seed))
    in_use = stored_weights.network_weights(game, players)
    if resume and len(in_use) > len(trainer.weights):
        raise ValueError("the ensemble has several members; only a single network can be resumed")
    name = f"value-{game}-{players}"
    before = (LOGS / f"{name}.log").read_text() if resume else ""
    folder.mkdir(parents=True, exist_ok=True)
    log_file = folder / f"{name}.log"
    log_file.write_text(before)

    def report(**line: object) -> None:
        with log_file.open("a") as log:
            print(json.dumps(line), file=log)
        print(json.dumps(line), file=sys.stderr, flush=True)

    event = "resume" if resume else "start"
    report(event=event, game=game, players=players, seed=seed, games=games)
    before_it, done, reports = 0, 0, 1
    if resume:
        trainer.weights = in_use.copy()
        before_it = trained(before)
        trainer.play(TRIALS, 0.0, SMOOTH[1], False)
        trainer.sums *= before_it / TRIALS
    with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(name, total=1)
        while (part := done / games) < 1:
            rate, smooth = RATE * (1 - part), SMOOTH[0] + (SMOOTH[1] - SMOOTH[0]) * part
            if resume:
                rate, smooth = rate / 2, SMOOTH[1]
            trainer.play(GAMES_A_CALL, rate, smooth, part < GUIDED and not resume)
            done += GAMES_A_CALL
            bar.update(task, completed=part)
            if part > reports / REPORTS:
                reports += 1
                found = against_heuristic(
                    game, players, trainer.weights, REPORT_DEALS, seed + reports
                )
                report(event="so far", trained=before_it + done, **found)
                _save(folder / f"{name}.npz", trainer.weights)
    fresh = against_heuristic(game, players, trainer.weights, FINAL_DEALS, seed + REPORTS + 1)
    report(event="final, against the heuristic, on fresh deals", trained=before_it + done, **fresh)
    _save(folder / f"{name}.npz", trainer.weights)
    return fresh


def trained(log: str) -> int:
    """How many games a network has learned from, by its log."""
    return max(json.loads(line).get("trained", 0) for line in log.splitlines())


def _save(file: Path, weights: np.ndarray) -> None:
    np.savez_compressed(file, network=weights.astype(np.float16))


def join(game: str, players: int, folders: list[Path], seed: int, folder: Path) -> dict[str, Any]:
    """Put the networks in some folders beside the one in use, which may be an ensemble already."""
    name = f"value-{game}-{players}"
    networks, log = [], ""
    for network, logs in ((WEIGHTS, LOGS), *zip(folders, folders, strict=True)):
        with np.load(network / f"{name}.npz") as stored:
            networks.append(stored["network"].reshape(-1, size(*sizes(game, players))))
        log += (logs / f"{name}.log").read_text()
    ensemble = np.concatenate(networks)
    if len(ensemble) > MOST_MEMBERS:
        raise ValueError(f"{len(ensemble)} members are too many: there can be {MOST_MEMBERS}")
    weights = ensemble.astype(np.float32).ravel()
    fresh = against_heuristic(game, players, weights, FINAL_DEALS, seed)
    line = json.dumps({"event": "ensemble, on fresh deals", "members": len(ensemble), **fresh})
    print(line, file=sys.stderr)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.log").write_text(f"{log}{line}\n")
    np.savez_compressed(folder / f"{name}.npz", network=ensemble)
    return fresh


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("game", choices=tuple(RULES))
    parser.add_argument("players", type=int, choices=(2, 3, 4))
    parser.add_argument("--games", type=int, default=5_000_000, help="to learn from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help="go on from the network there is")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where network and log go")
    parser.add_argument("--ensemble", type=Path, nargs="+", help="folders with more members")
    given = parser.parse_args()
    if given.games < 1:
        parser.error("--games must be at least 1")
    try:
        if given.ensemble:
            join(given.game, given.players, given.ensemble, given.seed, given.folder)
        else:
            del given.ensemble
            run(**vars(given))
    except (OSError, ValueError) as fault:
        sys.exit(str(fault))


if __name__ == "__main__":
    main()
