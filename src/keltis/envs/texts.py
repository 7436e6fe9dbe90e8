"""Observations and information states as text, for logs, language models and game trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from keltis.game import views
from keltis.game.tokens import CARDS, COLOURS

if TYPE_CHECKING:
    from keltis.game.kinds import Kind
    from keltis.game.setups import States


def observation(kind: Kind, states: States, seat: int) -> str:
    """What a seat sees now, one thing a line."""
    phase = kind.phases[states["phase"].item()]
    table = views.table(kind, states, phase, seat)
    mover = states["seat"].item()
    who = "nobody" if phase == "over" else "you" if mover == seat else f"seat {mover}"
    lines = [f"{kind.name}, you are seat {seat}; {phase}: {who} to decide"]
    lines += (_board if kind.name == "board" else _stones)(table)
    scores = kind.scores(states)
    for player in range(len(scores)):
        name = f"seat {player}" + (" (you)" if player == seat else "")
        lines.append(f"{name}: score {scores[player]}, {_player(kind.name, table, player)}")
    return "\n".join(lines)


def _board(table: dict[str, Any]) -> list[str]:
    lines = [f"hand: {' '.join(table['hand'])}"]
    if table["path"]:
        lines.append(f"a figure enters path {table['path']}")
    if table["closed_pile"]:
        lines.append(f"closed pile: {table['closed_pile']}")
    for colour in COLOURS:
        tiles = " ".join(tile or "." for tile in table["tiles"][colour])
        pile = table["piles"][colour]
        top = f"{pile[-1]} of {len(pile)}" if pile else "none"
        lines.append(f"path {colour}: {tiles}; discards: {top}")
    lines.append(f"draw pile: {table['draw_pile']}; in the goal area: {table['in_goal']}")
    return lines


def _stones(table: dict[str, Any]) -> list[str]:
    return [
        f"open: {' '.join(table['open']) or 'none'}",
        f"turned over: {table['tile'] or 'none'}; face down: {table['face_down']}",
    ]


def _player(game: str, table: dict[str, Any], player: int) -> str:
    wishes = f"wishing stones {table['wishing_stones'][player]}, points {table['points'][player]}"
    rows = "; ".join(
        f"{colour} {' '.join(map(str, row))}"
        for colour, row in table["rows"][player].items()
        if row
    )
    text = f"{wishes}, rows {rows or 'none'}"
    if game == "stones":
        return text
    large = table["large"][player]
    figures = " ".join(
        f"{colour}{'*' if colour == large else ''}@{stone}"
        for colour, stone in table["figures"][player].items()
        if 0 < stone <= 9
    )
    return (
        f"{text}, figures {figures or 'none'}, {table['small_at_start'][player]} small "
        f"and {'no' if large else 'the'} large at the start, "
        f"{table['hand_sizes'][player]} cards in hand"
    )


def information(
    kind: Kind, start: States, moves: list[tuple[int, int, int]], seat: int, *, shrunken: bool
) -> str:
    """How the game began for a seat, then every decision as token, with the card it saw."""
    seen = (views.setup if shrunken else views.begun)(kind, start, seat)
    parts = [f"{kind.name} {start['players'].item()} seat {seat}"]
    if kind.name == "board":
        tiles = "/".join("".join(tile or "." for tile in path) for path in seen["tiles"].values())
        parts += [tiles, " ".join(seen["hand"])]
    if "position" in seen:  # it began in the middle
        parts.append(seen["position"])
    history = " ".join(
        f"{who}:{kind.tokens[action]}" + (f"={CARDS[card]}" if card >= 0 else "")
        for who, action, card in moves
    )
    return " | ".join([*parts, history])
