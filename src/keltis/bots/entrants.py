"""Bots as callers hand them in: a name of the registry, a bot, or what makes one.

A bot is any object with `choose(view)`. What makes one is a class or a function; it is called with
those of the keywords `seed`, `seconds`, `rollouts` and `threads` that it takes.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from keltis.bots.registry import Bot, make, names
from keltis.game.errors import quoted

Given = str | Bot | Callable[..., Bot] | tuple[str, Any]
"""What stands for a bot; a pair gives it a name of its own."""


class NotABot(ValueError):
    """What was handed in cannot play; the message says why."""


class Entrant(NamedTuple):
    """A bot by the name that results have, and where it comes from."""

    name: str
    source: Any = None  # a bot or what makes one; a name of the registry; None: the name itself

    @property
    def is_own(self) -> bool:
        """Whether the name alone does not tell what plays."""
        return self.source is not None

    def seated(
        self, seed: int, *, seconds: float | None = None, rollouts: int | None = None
    ) -> Bot:
        """The bot for one seat of one game: made anew, or a copy of the one handed in."""
        if self.source is None or isinstance(self.source, str):
            return make(self.source or self.name, seed, seconds=seconds, rollouts=rollouts)
        if _makes(self.source):
            return self._made(seed=seed, seconds=seconds, rollouts=rollouts, threads=1)
        try:
            bot: Bot = copy.deepcopy(self.source)
        except Exception as fault:
            raise NotABot(
                f"{self.name}: each game plays with a copy, and this bot cannot be copied "
                f"({type(fault).__name__}: {fault}); hand in what makes one"
            ) from fault
        return bot

    def _made(self, **keywords: Any) -> Bot:
        bot: Bot = self.source(**_taken(self.source, keywords))
        if not callable(getattr(bot, "choose", None)):
            raise NotABot(f"{self.name}: made {quoted(bot)}, which has no choose(view)")
        return bot


def entrants(given: Iterable[Given]) -> list[Entrant]:
    """All of some bots; those handed in get the names of their classes, a second one a number."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"bots: expected a list of bots, not {quoted(given)}")
    found: list[Entrant] = []
    for bot in given:
        entrant = _entrant(bot)
        known = next((other for other in found if other.name == entrant.name), None)
        if known is not None and known.source is not entrant.source:
            if isinstance(bot, tuple):
                raise ValueError(f"bots: {quoted(entrant.name)} is there twice")
            same = sum(other.name.split(" #")[0] == entrant.name for other in found)
            entrant = entrant._replace(name=f"{entrant.name} #{same + 1}")
        found.append(entrant)
    return found


def _entrant(given: Given) -> Entrant:
    name, source = None, given
    if isinstance(given, tuple):
        if len(given) != 2 or not isinstance(given[0], str) or not given[0].strip():
            raise TypeError("bots: expected a pair of a name and a bot")
        name, source = given
        if name in names():
            raise ValueError(f"bots: {quoted(name)} is already the name of a bot")
    if isinstance(source, str):
        if source not in names():
            raise ValueError(f'there is no bot "{source}"; there are: {", ".join(names())}')
        return Entrant(source) if name is None else Entrant(name, source)
    if not _makes(source) and not callable(getattr(source, "choose", None)):
        raise TypeError(
            f"bots: expected a name, an object with choose(view), or what makes one, "
            f"not {quoted(source)}"
        )
    return Entrant(name or _called(source), source)


def _makes(source: object) -> bool:
    """Whether it makes bots, and is none itself."""
    return isinstance(source, type) or (callable(source) and not hasattr(source, "choose"))


def _called(source: object) -> str:
    name = getattr(source, "__name__", None) or type(source).__name__
    called = "bot" if name == "<lambda>" else str(name)
    return f"my {called}" if called in names() else called


def _taken(maker: Callable[..., Any], keywords: dict[str, Any]) -> dict[str, Any]:
    """Those of the keywords that a function takes."""
    try:
        parameters = inspect.signature(maker).parameters.values()
    except (TypeError, ValueError):
        return {}
    if any(parameter.kind == parameter.VAR_KEYWORD for parameter in parameters):
        return keywords
    by_keyword = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    known = {parameter.name for parameter in parameters if parameter.kind in by_keyword}
    return {name: value for name, value in keywords.items() if name in known}
