"""Names that people give themselves: short, visible, and text only."""

import unicodedata

from keltis.server.problems import Problem

LONGEST = 24

# Control characters, marks that turn the direction of text, surrogates, private use, unassigned.
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# Joins letters into one in several scripts and pictures; it cannot hide anything by itself.
_JOINER = "\u200d"


def clean(name: str) -> str:
    """A name in the form in which it is kept; raises a problem if it cannot be one."""
    if len(name) > 10 * LONGEST:
        raise Problem("bad_request", f"name: longer than {LONGEST} characters")
    name = unicodedata.normalize("NFC", name)
    if any(unicodedata.category(c) in _UNSEEN and c != _JOINER for c in name):
        raise Problem("bad_request", "name: it has characters that cannot be shown")
    name = " ".join(name.split())
    if not name.strip(_JOINER):
        raise Problem("bad_request", "name: it is empty")
    if len(name) > LONGEST:
        raise Problem("bad_request", f"name: longer than {LONGEST} characters")
    return name


def of_bot(level: str) -> str:
    """What a bot is called at the table."""
    return level.replace("_", " ").replace("-", " ").capitalize()[:LONGEST]
