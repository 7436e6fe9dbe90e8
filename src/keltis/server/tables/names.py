"""Names that people give themselves: short, visible, and text only."""

import unicodedata

from keltis.server.problems import Problem

LONGEST = 24

# Control characters, marks that turn the direction of text, surrogates, private use, unassigned.
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# Letters, marks and signs of other kinds that show nothing either.
_BLANK = {
    *map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0xFFFC)),
    *map(chr, (0x13441, 0x13442, 0x16FE4, 0x1D159)),
    *map(chr, range(0x180B, 0x1810)),
    *map(chr, range(0xFE00, 0xFE10)),
    *map(chr, range(0xE0100, 0xE01F0)),
}
_JOINER = "\u200d"  # makes one picture of two, or one sign of two letters
_STYLES = ("\ufe0e", "\ufe0f")  # of a picture: black and white, or coloured
_KEY = "\u20e3"  # makes a picture of a digit
_VIRAMA = 9  # Unicode's class of the mark after which letters join


def clean(name: str) -> str:
    """A name in the form in which it is kept; raises a problem if it cannot be one."""
    if len(name) > 10 * LONGEST:
        raise Problem("bad_request", f"name: longer than {LONGEST} characters")
    name = unicodedata.normalize("NFC", name)
    if not all(_is_shown(name, k) for k in range(len(name))):
        raise Problem("bad_request", "name: it has characters that cannot be shown")
    name = " ".join(name.split())
    if not name:
        raise Problem("bad_request", "name: it is empty")
    if len(name) > LONGEST:
        raise Problem("bad_request", f"name: longer than {LONGEST} characters")
    return name


def _is_shown(name: str, place: int) -> bool:
    """Whether a sign can be seen, or changes how those beside it look."""
    before, sign, after = name[place - 1 : place], name[place], name[place + 1 : place + 2]
    if sign == _JOINER:
        joins_letters = bool(before) and unicodedata.combining(before) == _VIRAMA
        if joins_letters:
            return after.isalpha()
        return (_is_picture(before) or before in _STYLES) and _is_picture(after)
    if sign in _STYLES:
        return _is_picture(before) or after == _KEY
    return sign not in _BLANK and unicodedata.category(sign) not in _UNSEEN


def _is_picture(sign: str) -> bool:
    return sign > "\x7f" and unicodedata.category(sign)[0] in "SP"


def of_bot(level: str) -> str:
    """What a bot is called at the table."""
    return level.replace("_", " ").replace("-", " ").capitalize()[:LONGEST]
