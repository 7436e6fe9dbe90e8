"""What the end of a game is worth to each seat."""

import numpy as np

from keltis.rules.kernel import entry
from keltis.rules.library import Scalar


@entry(
    scores=np.int16,
    win=Scalar(np.float64),
    margin=Scalar(np.float64),
    out=np.float64,
)
def write_rewards(scores, win, margin, out):
    """Write the reward of each seat for its final score; the rewards sum to zero.

    `win` weighs winning: 1 for a winner, shared in a tie, and -1 / (players - 1) for the others.
    `margin` weighs the points more than the mean of the others.
    """
    n = len(scores)
    best = scores[0]
    total = winners = 0
    for score in scores:
        total += score
        if score > best:
            best = score
            winners = 1
        elif score == best:
            winners += 1
    for p in range(n):
        share = n / winners if scores[p] == best else 0.0
        out[p] = win * (share - 1) / (n - 1) + margin * (scores[p] * n - total) / (n - 1)
