"""What a seat may see, built here and nowhere else. docs/views.md describes every key.

Only three things of a game are hidden from anybody: hands, the order of the draw pile, and
the cards out of the game. A view holds the seat's own hand and none of the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from keltis.game.setups import States, tiles_on_paths
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


def board_setup(start: States, you: int | None) -> dict[str, Any]:
    return {"tiles": tiles_on_paths(start), "hand": _hand(start, you)}


def board_table(states: States, phase: str, you: int | None) -> dict[str, Any]:
    return board_changes(states, phase, BOARD_KEYS) | board_own(states, you)


def board_changes(states: States, phase: str, keys: Collection[str]) -> dict[str, Any]:
    """What everybody sees on the table in a phase: what any decision changes, and some keys."""
    players = states["players"].item()
    seen: dict[str, Any] = {
        "path": COLOURS[states["path"].item()] if phase == "figure" else None,
        "closed_pile": _colour(states["closed"].item()) if phase == "draw" else None,
    }
    for key in keys:
        seen[key] = _BOARD_PARTS[key](states, players)
    return seen


def _hand_sizes(states: States, players: int) -> list[int]:
    held = states["held"][0, :players].tolist()
    twice = states["twice"][0, :players].tolist()
    return [one.bit_count() + two.bit_count() for one, two in zip(held, twice, strict=True)]


def _known(states: States, players: int) -> list[list[str]]:
    known = states["known"][0, :players].tolist()
    twice = states["known_twice"][0, :players].tolist()
    return [_cards(one, two) for one, two in zip(known, twice, strict=True)]


def _figures(states: States, players: int) -> list[dict[str, int]]:
    stones = states["stone"][0, :players].tolist()
    return [dict(zip(COLOURS, of_player, strict=True)) for of_player in stones]


def _piles(states: States, players: int) -> dict[str, list[str]]:
    piles = states["pile"][0].tolist()
    sizes = states["pile_size"][0].tolist()
    return {
        colour: [CARDS[card] for card in pile[:size]]
        for colour, pile, size in zip(COLOURS, piles, sizes, strict=True)
    }


_BOARD_PARTS: dict[str, Callable[[States, int], Any]] = {
    "hand_sizes": _hand_sizes,
    "known": _known,
    "rows": lambda states, players: _rows(states, "laid", "laid_twice"),
    "figures": _figures,
    "large": lambda states, players: [
        _colour(path) for path in states["large"][0, :players].tolist()
    ],
    "small_at_start": lambda states, players: states["small"][0, :players].tolist(),
    "tiles": lambda states, players: tiles_on_paths(states),
    "wishing_stones": lambda states, players: states["wishing"][0, :players].tolist(),
    "points": lambda states, players: states["points"][0, :players].tolist(),
    "piles": _piles,
    "draw_pile": lambda states, players: board.DECK - states["next"].item(),
    "removed": lambda states, players: board.removed(players),
    "in_goal": lambda states, players: states["goal"].item(),
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
    return {"hand": _hand(states, you)}


def _hand(states: States, seat: int | None) -> list[str] | None:
    if seat is None:
        return None
    return _cards(states["held"][0, seat].item(), states["twice"][0, seat].item())


def _colour(path: int) -> str | None:
    return None if path < 0 else COLOURS[path]


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
    "rows": lambda states: _rows(states, "rows"),
    "wishing_stones": lambda states: [
        stones.wishing_stones(states[0], seat) for seat in range(states["players"].item())
    ],
    "points": lambda states: [
        stones.points(states[0], seat) for seat in range(states["players"].item())
    ],
}


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


def _rows(states: States, field: str, twice_field: str | None = None) -> list[dict[str, list[int]]]:
    """Each player's rows in the order laid, which a row's direction tells."""
    players = states["players"].item()
    masks = states[field][0, :players].tolist()
    twices = states[twice_field][0, :players].tolist() if twice_field else [0] * players
    directions = states["direction"][0, :players].tolist()
    return [
        {
            colour: _row(mask >> shift & _ROW, twice >> shift & _ROW, falling=way < 0)
            for colour, shift, way in zip(COLOURS, range(0, len(CARDS), NUMBERS), ways, strict=True)
        }
        for mask, twice, ways in zip(masks, twices, directions, strict=True)
    ]


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
