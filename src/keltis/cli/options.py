"""The rules' options, as the commands take them."""

from keltis.cli.failure import Failure
from keltis.cli.words import t
from keltis.game.board import END_STONE_STEP
from keltis.game.kinds import kind


def rule_options(game: str, end_stone_step: str | None) -> dict[str, str]:
    """What was asked for by `--end-stone-step`, for a game that has this option."""
    if not end_stone_step:
        return {}
    if END_STONE_STEP not in kind(game).options:
        raise Failure(t("fault.board.option", option="--end-stone-step"))
    return {END_STONE_STEP: end_stone_step}
