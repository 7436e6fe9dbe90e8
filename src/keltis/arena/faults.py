"""Faults of bots: what is said of them, and what they cost."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fault:
    """A bot that raised something, or that answered with no legal move."""

    bot: str
    deal: int
    seat: int
    decision: int  # its number in the game, from 1; 0: the bot could not be made
    error: str  # in a line
    traceback: str  # from the bot's own code on

    def __str__(self) -> str:
        where = f"at decision {self.decision}" if self.decision else "when it was made"
        return f"{self.bot}: a fault in deal {self.deal}, seat {self.seat}, {where}: {self.error}"


class BotFault(RuntimeError):
    """A contest that ends because of a bot's fault. `fault` has all of it."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault

    def __reduce__(self) -> tuple[Any, ...]:
        return BotFault, (self.fault,)


def fault_of(raised: BaseException, bot: str, deal: int, seat: int, decision: int) -> Fault:
    """What a bot raised; the frame of whoever called the bot is left out."""
    own = raised.__traceback__.tb_next if raised.__traceback__ else None
    lines = traceback.format_exception(type(raised), raised, own)
    error = traceback.format_exception_only(raised)[-1].strip()
    return Fault(bot, deal, seat, decision, " ".join(error.split()), "".join(lines))
