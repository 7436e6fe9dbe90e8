"""What the two games have in common: rows of cards or tiles, kept as bit masks."""

from collections.abc import Sequence
from functools import lru_cache

from keltis.game.reasons import Reason
from keltis.game.setups import States
from keltis.game.tokens import CARDS, COLOURS, NUMBERS

_ROW = (1 << NUMBERS) - 1
_SHIFTS = [(k * NUMBERS, colour) for k, colour in enumerate(COLOURS)]


def cards(mask: int, twice: int = 0) -> list[str]:
    """The cards of a mask, sorted, those of the second mask two times."""
    found = []
    while mask:
        lowest = mask & -mask
        card = CARDS[lowest.bit_length() - 1]
        found.append(card)
        if twice & lowest:
            found.append(card)
        mask ^= lowest
    return found


def rows(
    masks: Sequence[int], twices: Sequence[int], directions: bytes
) -> list[dict[str, list[int]]]:
    """Each player's rows in the order laid, which a row's direction tells."""
    return [
        {
            colour: list(
                _row(mask >> shift & _ROW, twices[seat] >> shift & _ROW, directions[at] > 127)
            )
            for at, (shift, colour) in enumerate(_SHIFTS, start=seat * len(COLOURS))
        }
        for seat, mask in enumerate(masks)
    ]


@lru_cache(1 << 12)  # the same rows come again in every view
def _row(mask: int, twice: int, falling: bool) -> tuple[int, ...]:
    row = [n for n in range(NUMBERS) for _ in range((mask >> n & 1) + (twice >> n & 1))]
    return tuple(reversed(row) if falling else row)


def misfit(states: States, card: int) -> Reason:
    """Why a card or tile does not fit the row of the seat whose decision it is."""
    colour = card // NUMBERS
    seat = states["seat"].item()
    rising = states["direction"][0, seat, colour] > 0
    top = states["top"][0, seat, colour].item()
    return Reason("rising" if rising else "falling", COLOURS[colour], CARDS[card], top)
