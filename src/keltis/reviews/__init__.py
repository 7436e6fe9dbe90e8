"""Reviews: a record in, and out comes what each decision was worth and what luck brought.

Every value is what the seat could expect by what it knew. docs/review.md has the method.
"""

from keltis.game.checks import check_seat, check_whole
from keltis.reviews.document import Review
from keltis.reviews.first import FORMAT, VERSION, network_review
from keltis.reviews.luck import Luck, luck_of
from keltis.reviews.runs import par
from keltis.reviews.second import DEFAULT_BUDGET, refine

__all__ = [
    "DEFAULT_BUDGET", "FORMAT", "VERSION", "Luck", "Review", "luck_of", "network_review", "par",
    "refine", "review",
]  # fmt: skip


def review(
    record: object, *, seed: int = 0, budget: int = DEFAULT_BUDGET, seat: int | None = None
) -> Review:
    """A whole review of a record or a game; see `keltis.review`."""
    if check_whole(budget, "budget") < 0:
        raise ValueError(f"budget: expected at least 0, not {budget}")
    found = network_review(record, seed=seed)
    if seat is not None:
        check_seat(seat, len(found["players"]), "seat")
    for _ in refine(found, record, budget=budget, seat=seat):
        pass
    return found
