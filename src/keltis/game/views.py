"""What a seat may see, built here and nowhere else. docs/views.md describes every key.

Only three things of a game are hidden from anybody: hands, the order of the draw pile, and
the cards out of the game. A view holds the seat's own hand and none of the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from struct import Struct
from typing import TYPE_CHECKING, Any

from keltis.game.setups import TILE_ENTRIES, States, tiles_on_paths
from keltis.game.tokens import CARD_PLACES, CARDS, COLOURS, NUMBERS
from keltis.rules import board, stones

if TYPE_CHECKING:
    from keltis.game.game import Game
    from keltis.game.kinds import Kind

History = list[tuple[int, str, str | None]]  # seat, token, card or tile that came into sight

_ROW = (1 << NUMBERS) - 1

BOARD_KEYS = (
    "hand_sizes", "known", "rows", "figures", "large", "small_at_start", "tiles",
    "wishing_stones", "points", "piles", "draw_pile", "removed", "in_goal",
)  # fmt: skip
STONES_KEYS = ("open", "face_down", "rows", "wishing_stones", "points")


def view(
    game: Game, kind: Kind, start: States, states: States, history: History, you: int | None
) -> dict[str, Any]:
    """The view of a seat; None is a spectator."""
    phase = _phase(game, kind, states)
    return {
        "game": kind.name,
        "options": game.options,
        "players": game.players,
        "you": you,
        "setup": kind.setup_seen(start, you),
        "history": _steps(kind, history, you),
        "seat": game.seat,
        "phase": phase,
        **kind.table(states, phase, you),
        "scores": game.scores(),
        "legal_moves": game.legal_moves() if you is not None and game.seat == you else [],
        "result": game.result(),
    }


def changes(
    game: Game, kind: Kind, states: States, history: History, seats: Sequence[int | None]
) -> list[dict[str, Any]]:
    """The views of some seats after a decision, each less what it cannot have changed.

    `step` is what the decision added to the history. What all may see is built once.
    """
    decided, token, _ = last = history[-1]
    phase = _phase(game, kind, states)
    keys = kind.changed(token)
    seat = game.seat
    shared = {
        "seat": seat,
        "phase": phase,
        **kind.changes(states, phase, keys),
        "legal_moves": [],
        "result": game.result(),
    }
    if "rows" in keys or "points" in keys:
        shared["scores"] = game.scores()
    changed = []
    for you in seats:
        (step,) = _steps(kind, [last], you)
        change = {"you": you, "step": step, **shared}
        if you == decided:
            change |= kind.own(states, you)
        if you is not None and you == seat:
            change["legal_moves"] = game.legal_moves()
        changed.append(change)
    return changed


def _phase(game: Game, kind: Kind, states: States) -> str:
    return "over" if game.is_over else kind.phases[states["phase"].item()]


def _steps(kind: Kind, history: History, you: int | None) -> list[dict[str, Any]]:
    """Decisions as a seat saw them."""
    secret = "?" if kind.draws_are_secret else None
    return [
        {"seat": seat, "move": token}
        if drawn is None or (token == secret and seat != you)
        else {"seat": seat, "move": token, "shown": drawn}
        for seat, token, drawn in history
    ]


# --- board -------------------------------------------------------------------------------

# Read from the record's bytes: a field of a numpy record costs more than what is built of it, and
# servers do this for every decision. A byte above 127 is a negative number: none.
_AT: dict[str, int] = {name: field[1] for name, field in (board.STATE.fields or {}).items()}
_masks = Struct("=4q").unpack_from  # one for each seat
_points = Struct("=4h").unpack_from
_PLACES = board.STONES + 1  # of a path: stone 1 is at 1
_PILE = board.STATE["pile"].shape[1]


def board_setup(start: States, you: int | None) -> dict[str, Any]:
    return {"tiles": tiles_on_paths(start), "hand": _hand(start.tobytes(), you)}


def board_table(states: States, phase: str, you: int | None) -> dict[str, Any]:
    return board_changes(states, phase, BOARD_KEYS) | board_own(states, you)


def board_changes(states: States, phase: str, keys: Collection[str]) -> dict[str, Any]:
    """What everybody sees on the table in a phase: what any decision changes, and some keys."""
    raw = states.tobytes()
    players = raw[_AT["players"]]
    seen: dict[str, Any] = {
        "path": COLOURS[raw[_AT["path"]]] if phase == "figure" else None,
        "closed_pile": _colour(raw[_AT["closed"]]) if phase == "draw" else None,
    }
    for key in keys:
        seen[key] = _BOARD_PARTS[key](raw, players)
    return seen


def _hand_sizes(raw: bytes, players: int) -> list[int]:
    held, twice = _masks(raw, _AT["held"]), _masks(raw, _AT["twice"])
    return [held[seat].bit_count() + twice[seat].bit_count() for seat in range(players)]


def _known(raw: bytes, players: int) -> list[list[str]]:
    known, twice = _masks(raw, _AT["known"]), _masks(raw, _AT["known_twice"])
    return [_cards(known[seat], twice[seat]) for seat in range(players)]


def _board_rows(raw: bytes, players: int) -> list[dict[str, list[int]]]:
    laid, twice = _masks(raw, _AT["laid"]), _masks(raw, _AT["laid_twice"])
    return _rows(laid[:players], twice, raw[_AT["direction"] :])


def _figures(raw: bytes, players: int) -> list[dict[str, int]]:
    paths = len(COLOURS)
    starts = range(_AT["stone"], _AT["stone"] + players * paths, paths)
    return [dict(zip(COLOURS, raw[start : start + paths], strict=True)) for start in starts]


def _tiles(raw: bytes, players: int) -> dict[str, list[str | None]]:
    starts = range(_AT["tile"], _AT["tile"] + len(COLOURS) * _PLACES, _PLACES)
    return {
        colour: [TILE_ENTRIES[code] for code in raw[start + 1 : start + _PLACES]]
        for colour, start in zip(COLOURS, starts, strict=True)
    }


def _piles(raw: bytes, players: int) -> dict[str, list[str]]:
    sizes = raw[_AT["pile_size"] : _AT["pile_size"] + len(COLOURS)]
    starts = range(_AT["pile"], _AT["pile"] + len(COLOURS) * _PILE, _PILE)
    return {
        colour: [CARDS[card] for card in raw[start : start + size]]
        for colour, start, size in zip(COLOURS, starts, sizes, strict=True)
    }


def _by_seat(field: str) -> Callable[[bytes, int], list[int]]:
    at = _AT[field]
    return lambda raw, players: list(raw[at : at + players])


_BOARD_PARTS: dict[str, Callable[[bytes, int], Any]] = {
    "hand_sizes": _hand_sizes,
    "known": _known,
    "rows": _board_rows,
    "figures": _figures,
    "large": lambda raw, players: [
        _colour(path) for path in raw[_AT["large"] : _AT["large"] + players]
    ],
    "small_at_start": _by_seat("small"),
    "tiles": _tiles,
    "wishing_stones": _by_seat("wishing"),
    "points": lambda raw, players: list(_points(raw, _AT["points"])[:players]),
    "piles": _piles,
    "draw_pile": lambda raw, players: board.DECK - raw[_AT["next"]],
    "removed": lambda raw, players: board.removed(players),
    "in_goal": lambda raw, players: raw[_AT["goal"]],
}
_ON_PATHS = ("figures", "large", "small_at_start", "tiles", "wishing_stones", "points", "in_goal")


def board_changed(token: str) -> tuple[str, ...]:
    """The keys that a decision may change, beside those that change with every decision."""
    if token == "?":
        return ("hand_sizes", "draw_pile")
    if token[0] in "x<":
        return ("hand_sizes", "known", "piles")
    if token in CARD_PLACES:
        return ("hand_sizes", "known", "rows", *_ON_PATHS)
    return _ON_PATHS


def board_drawn(states: States, action: int) -> str:
    """The card just drawn, which still lies in its old place: before what is left of the draw
    pile, or above what is left of a discard pile."""
    if action == board.DRAW_PILE:
        card: int = states["deck"][0, states["next"].item() - 1].item()
    else:
        colour = action - board.TAKE
        card = states["pile"][0, colour, states["pile_size"][0, colour]].item()
    return CARDS[card]


def board_own(states: States, you: int | None) -> dict[str, Any]:
    """What only this seat sees."""
    return {"hand": _hand(states.tobytes(), you)}


def _hand(raw: bytes, seat: int | None) -> list[str] | None:
    if seat is None:
        return None
    return _cards(_masks(raw, _AT["held"])[seat], _masks(raw, _AT["twice"])[seat])


def _colour(path: int) -> str | None:
    return COLOURS[path] if path < len(COLOURS) else None


# --- stones ------------------------------------------------------------------------------


def stones_setup(start: States, you: int | None) -> dict[str, Any]:
    """Nothing: all tiles begin face down."""
    return {}


def stones_table(states: States, phase: str, you: int | None) -> dict[str, Any]:
    return stones_changes(states, phase, STONES_KEYS)


def stones_changes(states: States, phase: str, keys: Collection[str]) -> dict[str, Any]:
    """What everybody sees on the table in a phase: what any decision changes, and some keys."""
    seen: dict[str, Any] = {"tile": CARDS[states["tile"].item()] if phase == "tile" else None}
    for key in keys:
        seen[key] = _STONES_PARTS[key](states)
    return seen


_STONES_PARTS: dict[str, Callable[[States], Any]] = {
    "open": lambda states: _cards(states["open"].item()),
    "face_down": lambda states: stones.TILES - states["next"].item(),
    "rows": lambda states: _stones_rows(states),
    "wishing_stones": lambda states: [stones.wishing_stones(rows) for rows in _all_rows(states)],
    "points": lambda states: [stones.points(rows) for rows in _all_rows(states)],
}


def _all_rows(states: States) -> list[int]:
    """The tiles in each player's rows, as a mask."""
    masks: list[int] = states["rows"][0, : states["players"].item()].tolist()
    return masks


def _stones_rows(states: States) -> list[dict[str, list[int]]]:
    masks = _all_rows(states)
    return _rows(masks, [0] * len(masks), states["direction"].tobytes())


def stones_changed(token: str) -> tuple[str, ...]:
    """The keys that a decision may change, beside those that change with every decision."""
    return ("open", "face_down") if token in ("?", "-") else STONES_KEYS


def stones_own(states: States, you: int | None) -> dict[str, Any]:
    """Nothing: all see the same."""
    return {}


def stones_drawn(states: States, action: int) -> str:
    """The tile just turned over."""
    tile: int = states["tile"].item()
    return CARDS[tile]


# --- Masks -------------------------------------------------------------------------------


def _cards(mask: int, twice: int = 0) -> list[str]:
    """The cards of a mask, sorted, those of the second mask two times."""
    cards = []
    while mask:
        lowest = mask & -mask
        card = CARDS[lowest.bit_length() - 1]
        cards.append(card)
        if twice & lowest:
            cards.append(card)
        mask ^= lowest
    return cards


def _rows(
    masks: Sequence[int], twices: Sequence[int], directions: bytes
) -> list[dict[str, list[int]]]:
    """Each player's rows in the order laid, which a row's direction tells."""
    rows = []
    for seat, mask in enumerate(masks):
        rows.append(
            {
                colour: _row(
                    mask >> k * NUMBERS & _ROW,
                    twices[seat] >> k * NUMBERS & _ROW,
                    falling=directions[seat * len(COLOURS) + k] > 127,
                )
                for k, colour in enumerate(COLOURS)
            }
        )
    return rows


def _row(mask: int, twice: int, *, falling: bool) -> list[int]:
    row = []
    while mask:
        lowest = mask & -mask
        number = lowest.bit_length() - 1
        row.append(number)
        if twice & lowest:
            row.append(number)
        mask ^= lowest
    if falling:
        row.reverse()
    return row
