"""Whole games as text that a person can follow: how a file is written, drawn and read.

Everything in a drawing comes from what the seats and a spectator see; nothing is taken from
the program's own way of drawing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import keltis

COLOURS = "RYVGB"
TILE_SIGNS = {None: ".", "C": "+", "W": "o", "1": "1", "2": "2", "3": "3"}
TILE_ENTRIES = {sign: entry for entry, sign in TILE_SIGNS.items()}
CARDS_A_LINE = 20
SMALL_FIGURES = 4

LEGEND = {
    "board": """\
# First the deal: the tiles stone by stone, the hands, the cards removed (two players), and the
# draw pile, top card first. Then each turn, and the table after it. A turn is one player's
# tokens: R7 lays red 7, xR7 discards it, R moves the red figure or brings a small one, R* brings
# the large one, - declines, ? draws, <R takes the top card of the red discard pile.
# The table has a line for each path, stones 1 to 9. A stone shows its tile (+ clover, o wishing
# stone, 1 2 3 points, . none) and then the figures on it: the first letter of a player's name,
# as a capital for the large one. Behind them the numbers on the discard pile, bottom first.
# Then a line for each player: the score if the game ended now, points collected, wishing stones,
# figures on the start, the hand, and the rows in the order laid.
""",
    "stones": """\
# First all tiles in the order in which they will turn up. Then each turn, and the table after it.
# A turn is one player's tokens: ? turns a tile over, R7 takes red 7 (just turned over, or lying
# open), - leaves the tile just turned over, or stops. A clover gives the same player a new line.
# The table has a line for each player: the score if the game ended now, wishing stones, bonus
# points, and the rows in the order laid; then the tiles that lie open, and how many are face down.
""",
}


def written(game: keltis.Game, title: str) -> str:
    """The whole file of a game."""
    record = game.record()
    lines = [f"# {title}", "#", LEGEND[game.game], *_deal(record)]
    for line, table in turns(record):
        lines += ["", line, *table]
    lines += ["", ending(game), ""]
    return "\n".join(lines)


def turns(record: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Each turn of a record as a line, with the table drawn after it."""
    game = keltis.load({**record, "moves": [], "result": None})
    turn: list[str] = []
    for token in record["moves"]:
        name = _name(game)
        game.play(token)
        turn.append(token)
        if ends_turn(game, token):
            yield f"{name}: {' '.join(turn)}", drawn(game)
            turn = []
    assert not turn, "the record stops within a turn"


def ends_turn(game: keltis.Game, token: str) -> bool:
    """Whether a turn is over after this token: a draw, or in the tile game a tile or `-`."""
    if game.game == "stones":
        return token != "?"
    return game.is_over or token == "?" or token.startswith("<")


def drawn(game: keltis.Game) -> list[str]:
    """The table as everybody together sees it."""
    seen = game.view(None)
    if seen["game"] == "stones":
        return _stones(seen)
    return _board(seen, [game.view(seat)["hand"] for seat in range(len(seen["players"]))])


def ending(game: keltis.Game) -> str:
    names = game.players
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, game.scores(), strict=True))
    winners = " and ".join(names[seat] for seat in game.winners())
    return f"end: {game.reason}; {scores}; won by {winners}"


def _name(game: keltis.Game) -> str:
    assert game.seat is not None
    return game.players[game.seat]


def _board(seen: Mapping[str, Any], hands: list[list[str]]) -> list[str]:
    players = seen["players"]
    lines = []
    for path in COLOURS:
        cells = []
        for stone, tile in enumerate(seen["tiles"][path], 1):
            figures = [
                name[0].upper() if seen["large"][seat] == path else name[0].lower()
                for seat, name in enumerate(players)
                if seen["figures"][seat][path] == stone
            ]
            cells.append(f"{TILE_SIGNS[tile]}{''.join(figures)}".ljust(len(players) + 2))
        pile = " ".join(card[1:] for card in seen["piles"][path])
        lines.append(f"  {path}  {' '.join(cells)} pile {pile}".rstrip())
    for seat, name in enumerate(players):
        small = name[0].lower() * seen["small_at_start"][seat]
        large = name[0].upper() if seen["large"][seat] is None else ""
        lines.append(
            f"  {name}  score {seen['scores'][seat]}, points {seen['points'][seat]},"
            f" wishing stones {seen['wishing_stones'][seat]}, start {small + large or 'empty'},"
            f" hand {' '.join(hands[seat])}, rows {_rows(seen['rows'][seat])}"
        )
    lines.append(f"  draw pile {seen['draw_pile']}, in goal {seen['in_goal']}")
    return lines


def _stones(seen: Mapping[str, Any]) -> list[str]:
    lines = [
        f"  {name}  score {seen['scores'][seat]}, wishing stones {seen['wishing_stones'][seat]},"
        f" points {seen['points'][seat]}, rows {_rows(seen['rows'][seat])}"
        for seat, name in enumerate(seen["players"])
    ]
    lines.append(f"  open {' '.join(seen['open']) or 'none'}, face down {seen['face_down']}")
    return lines


def _rows(rows: dict[str, list[int]]) -> str:
    laid = [f"{path} {' '.join(map(str, numbers))}" for path, numbers in rows.items() if numbers]
    return " | ".join(laid) or "none"


def _deal(record: Mapping[str, Any]) -> list[str]:
    setup = record["setup"]
    lines = [f"game: {record['game']}", f"players: {' '.join(record['players'])}"]
    lines += [f"option: {name}={value}" for name, value in record["options"].items()]
    if record["game"] == "board":
        for path in COLOURS:
            lines.append(f"tiles {path}: {' '.join(TILE_SIGNS[t] for t in setup['tiles'][path])}")
        for name, hand in zip(record["players"], setup["hands"], strict=True):
            lines.append(f"hand {name}: {' '.join(hand)}")
        lines += _cards("removed", setup["removed"])
    return lines + _cards("draw", setup["draw"])


def _cards(what: str, cards: list[str]) -> list[str]:
    chunks = [cards[k : k + CARDS_A_LINE] for k in range(0, len(cards), CARDS_A_LINE)]
    return [f"{what}: {' '.join(chunk)}" for chunk in chunks]


def read_deal(text: str) -> dict[str, Any]:
    """The record, before the first move, of the game that a file tells."""
    record: dict[str, Any] = {
        "format": "keltis-record/1",
        "options": {},
        "setup": {"draw": []},
        "moves": [],
        "result": None,
    }
    setup = record["setup"]
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        head, _, rest = line.partition(": ")
        what, _, whose = head.partition(" ")
        if what == "game":
            record["game"] = rest
            if rest == "board":
                setup.update(tiles={}, hands=[], removed=[])
        elif what == "players":
            record["players"] = rest.split()
        elif what == "option":
            name, _, value = rest.partition("=")
            record["options"][name] = value
        elif what == "tiles":
            setup["tiles"][whose] = [TILE_ENTRIES[sign] for sign in rest.split()]
        elif what == "hand":
            setup["hands"].append(rest.split())
        else:
            setup[what] += rest.split()
    return record


def read_turns(text: str) -> list[tuple[str, list[str]]]:
    """The turns that a file tells, each with the table after it."""
    blocks = [block.splitlines() for block in text.split("\n\n")]
    return [(block[0], block[1:]) for block in blocks if len(block) > 1 and block[1][:2] == "  "]
