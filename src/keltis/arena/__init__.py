"""Bots against bots: duplicate deals, honest statistics, ratings."""

from keltis.arena.contest import Contest, arena
from keltis.arena.faults import BotFault, Fault
from keltis.arena.playing import Outcome, Settings
from keltis.arena.ratings import Rating, round_robin
from keltis.arena.statistics import Line, Mean

__all__ = [
    "BotFault",
    "Contest",
    "Fault",
    "Line",
    "Mean",
    "Outcome",
    "Rating",
    "Settings",
    "arena",
    "round_robin",
]
