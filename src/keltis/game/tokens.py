"""The words of records and views, above all the tokens: one for every decision.

A token's place in `BOARD` or `STONES` is the number of its action in the rules.
"""

RECORD_FORMAT = "keltis-record/1"
GAMES = ("board", "stones")
ENDS = ("goal", "deck")  # why a game is over by the rules
CUT_OFF = "cut off"  # and if its players or their host ended it (B22)

COLOURS = "RYVGB"
COLOUR_WORDS = {"R": "red", "Y": "yellow", "V": "violet", "G": "green", "B": "blue"}
NUMBERS = 11

CARDS = tuple(f"{colour}{number}" for colour in COLOURS for number in range(NUMBERS))
CARD_PLACES = {card: place for place, card in enumerate(CARDS)}

BOARD = (
    *CARDS,  # lay
    *(f"x{card}" for card in CARDS),  # discard
    *COLOURS,  # move the figure on a path, or bring a small one onto it
    *(f"{colour}*" for colour in COLOURS),  # bring the large figure onto a path
    "-",  # decline
    "?",  # draw from the draw pile
    *(f"<{colour}" for colour in COLOURS),  # take the top card of a discard pile
)

STONES = (
    *CARDS,  # take a tile
    "-",  # leave the tile just turned over, or stop
    "?",  # turn a tile over
)


def in_words(card: str) -> str:
    """A card or tile as one says it: `R7` is red 7."""
    return f"{COLOUR_WORDS[card[0]]} {card[1:]}"
