"""What the two games have in common: rows of cards or tiles, kept as bit masks."""

from collections.abc import Sequence

from keltis.game.reasons import Reason
from keltis.game.setups import States
from keltis.game.tokens import CARDS, COLOURS, NUMBERS

_ROW = (1 << NUMBERS) - 1


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
    found = []
    for seat, mask in enumerate(masks):
        found.append(
            {
                colour: _row(
                    mask >> k * NUMBERS & _ROW,
                    twices[seat] >> k * NUMBERS & _ROW,
                    falling=directions[seat * len(COLOURS) + k] > 127,
                )
                for k, colour in enumerate(COLOURS)
            }
        )
    return found


def _row(mask: int, twice: int, *, falling: bool) -> list[int]:
    row = []
    while mask:
        lowest = mask & -mask
        number = lowest.bit_length() - 1
        row.append(number)
        if twice & lowest:
            row.append(number)
        mask ^= lowest
    if falling:
        row.reverse()
    return row


def misfit(states: States, card: int) -> Reason:
    """Why a card or tile does not fit the row of the seat whose decision it is."""
    colour = card // NUMBERS
    seat = states["seat"].item()
    rising = states["direction"][0, seat, colour] > 0
    top = states["top"][0, seat, colour].item()
    return Reason("rising" if rising else "falling", COLOURS[colour], CARDS[card], top)
