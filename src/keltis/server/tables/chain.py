"""The seeds of days: a hash chain whose end is published before the first day.

    root ── hash ──▶ … ──▶ link of day 1 ── hash ──▶ link of day 0 ── hash ──▶ anchor, published

Each day's link is shown when the day is closed; it hashes to the link of the day before, and so to
the anchor. The anchor is published with the date of day 0, else a server could call any link that
of a day. So it is bound to all days at once, and a link tells nothing of the days to come.
docs/days.md says what that proves. The scheme is fixed for ever.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

SCHEME = "keltis-day/1"
LENGTH = 36_525  # days, a hundred years
DAY = 86_400_000  # milliseconds
GAMES = ("board", "stones")
OPPONENTS = ("raven", "druid")
_HEX = set("0123456789abcdef")


class Chain(NamedTuple):
    """What a database holds of its days."""

    root: str  # secret
    end: str  # that the root hashes to
    first_day: str
    latest_day: str  # that has begun, as far as was noticed

    @property
    def anchor(self) -> str:
        """What is published."""
        return f"{self.first_day}:{self.end}"

    @property
    def last_day(self) -> str:
        """That has a link, the root: a hundred years after the first."""
        return after(self.first_day, LENGTH - 1)


class DayDeal(NamedTuple):
    """One of the deals of a day."""

    day: str
    game: str
    bot: str

    @property
    def id(self) -> str:
        return f"{self.day}-{self.game[0]}{self.bot[0]}"


def _hex(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def following(link: str) -> str:
    """What a link hashes to: the link of the day before, at last the anchor."""
    return _hex(f"{SCHEME} link {link}")


def new_chain(root: str, today: str) -> Chain:
    return Chain(root, _hashed(root, LENGTH), today, today)


@lru_cache(32)
def _hashed(link: str, times: int) -> str:
    for _ in range(times):
        link = following(link)
    return link


def _number(first_day: str, day: str) -> int:
    """The number of a day in its chain, 0 for the first."""
    return (date.fromisoformat(day) - date.fromisoformat(first_day)).days


def link_of(chain: Chain, day: str) -> str:
    """A day's link: secret until the day is closed. Takes some milliseconds."""
    number = _number(chain.first_day, day)
    if not 0 <= number < LENGTH:
        raise ValueError("the chain has no such day")
    return _hashed(chain.root, LENGTH - 1 - number)


def is_anchor(text: str) -> bool:
    first_day, colon, end = text.partition(":")
    return is_day(first_day) and bool(colon) and len(end) == 64 and set(end) <= _HEX


def leads_to(link: str, anchor: str, day: str) -> bool:
    """Whether a link is that of a day in the chain that ends at an anchor."""
    first_day, _, end = anchor.partition(":")
    number = _number(first_day, day)
    return 0 <= number < LENGTH and _hashed(link, number + 1) == end


def mix_of(link: str, deal: DayDeal) -> str:
    """What a deal of the day is shuffled from; it tells nothing of the link."""
    lines = (f"{SCHEME} deal", link, deal.day, deal.game, deal.bot)
    return _hex("".join(f"{line}\n" for line in lines))


# --- Dates ---------------------------------------------------------------------------------------


def day_at(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).date().isoformat()


def after(day: str, days: int = 1) -> str:
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def is_closed(day: str, today: str) -> bool:
    """Whether a day is over and so is the next one, which is left to finish what was begun."""
    return after(day) < today


def day_deal(text: str) -> DayDeal | None:
    """A day's deal by its id; None if it is no day's."""
    if len(text) != 13 or text[10] != "-" or not is_day(text[:10]):
        return None
    for game in GAMES:
        for bot in OPPONENTS:
            if text == DayDeal(text[:10], game, bot).id:
                return DayDeal(text[:10], game, bot)
    return None
