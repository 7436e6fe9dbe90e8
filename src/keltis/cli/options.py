"""The rules' options, as the commands take them."""

from collections.abc import Mapping

from keltis.cli.failure import Failure
from keltis.cli.words import t
from keltis.game.kinds import kind

Given = Mapping[str, str | None]  # what was said, by the name of an option; None: nothing


def flag(name: str) -> str:
    """An option of the rules as it is typed."""
    return f"--{name.replace('_', '-')}"


def rule_options(game: str, edition: str | None, given: Given) -> dict[str, str]:
    """The options of an edition, but for those that were given one by one."""
    chosen = {name: value for name, value in given.items() if value is not None}
    known = kind(game)
    for name in ("edition", *chosen) if edition else chosen:
        if name not in known.options and not (name == "edition" and known.editions):
            raise Failure(t("fault.board.option", option=flag(name)))
    return {**known.editions[edition], **chosen} if edition else chosen
