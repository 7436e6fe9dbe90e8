"""Bots against bots: duplicate deals, honest statistics, ratings."""

from keltis.arena.contest import Contest, arena
from keltis.arena.ratings import round_robin

__all__ = ["Contest", "arena", "round_robin"]
