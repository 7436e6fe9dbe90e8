"""The table as lines of text: never wider than asked, letters as well as colours.

Every function takes a view, so nothing can be drawn that its seat may not know.
"""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.text import Text

from keltis.cli import sheet, symbols
from keltis.cli.failure import plain
from keltis.cli.story import Turn
from keltis.cli.words import listed, t
from keltis.game.tokens import COLOURS
from keltis.rules import board

View = Mapping[str, Any]

STYLES = {
    "R": "bold red",
    "Y": "bold yellow",
    "V": "bold magenta",
    "G": "bold green",
    "B": "bold bright_blue",
}
_FAINT = "dim"
_INDENT = 11  # where lists begin, behind their label
_NAME = 14  # characters of a name that are shown


def name(view: View, seat: int) -> str:
    """A player's name as it fits a column, safe to write to a terminal."""
    shown = plain(view["players"][seat]).strip() or t("player", n=seat + 1)
    return shown if len(shown) <= _NAME else f"{shown[: _NAME - 1]}…"


def number(value: int) -> str:
    """A number with a true minus sign."""
    return str(value).replace("-", "−")


def card(token: str) -> Text:
    """A card, or a token that ends in one or begins with a colour, in its colour."""
    colour = next((letter for letter in token if letter in COLOURS), None)
    return Text(token, STYLES[colour] if colour else "bold")


def flow(label: str, items: Iterable[Text], width: int, gap: int = 3) -> list[Text]:
    """Items one after the other behind a label, on as many lines as it takes."""
    lines = [Text(f" {label}".ljust(_INDENT), _FAINT)]
    begun = False
    for item in items:
        if begun and lines[-1].cell_len + gap + item.cell_len > width:
            lines.append(Text(" " * _INDENT))
            begun = False
        if begun:
            lines[-1].append(" " * gap)
        # Appending to a styled line would style what follows.
        lines[-1] = Text.assemble(lines[-1], item)
        begun = True
    return [line for whole in lines for line in _cut(whole, width)]


def _cut(line: Text, width: int) -> list[Text]:
    """A line in pieces that fit, for the row of cards that is longer than a line."""
    if line.cell_len <= width:
        return [line]
    break_at = line.plain.rfind(" ", _INDENT, width)
    if break_at <= _INDENT:
        break_at = width
    rest = Text.assemble(" " * (_INDENT + 2), line[break_at + 1 :])
    return [line[:break_at], *_cut(rest, width)]


def rule(title: str, note: str, width: int) -> Text:
    """A heading across the page."""
    dashes = max(2, width - len(title) - len(note) - 8)
    return Text.assemble(
        ("── ", _FAINT), (title, "bold"), (" " + "─" * dashes + " ", _FAINT), note, (" ──", _FAINT)
    )


# --- Rows, which both games have ---------------------------------------------------------


def _rows(view: View, seat: int, width: int) -> list[Text]:
    numbers = tiles if view["game"] == "stones" else _numbers
    rows = [
        Text.assemble(numbers(colour, row), (_arrow(row), _FAINT))
        for colour, row in view["rows"][seat].items()
        if row
    ]
    return flow(f"  {t('label.rows')}", rows or [Text(t("none.yet"), _FAINT)], width)


def _numbers(colour: str, row: Sequence[int]) -> Text:
    return Text.assemble((colour, STYLES[colour]), "".join(f" {value}" for value in row))


def _arrow(row: Sequence[int]) -> str:
    """Whether a row rises or falls, once that is settled."""
    others = [value for value in row if value != row[0]]
    return "" if not others else " ↑" if others[0] > row[0] else " ↓"


def _columns(entries: Iterable[str], widths: Iterable[int]) -> str:
    """Entries to the right of their columns."""
    return "".join(entry.rjust(width) for entry, width in zip(entries, widths, strict=True))


def players(view: View, width: int) -> list[Text]:
    """Each player's score if the game ended now, what they have, and their rows."""
    on_board = view["game"] == "board"
    heads = [t("table.now"), t("table.wishes"), t("table.points")]
    widths = [max(5, len(heads[0]) + 2), *(len(head) + 2 for head in heads[1:])]
    head = f"{'':5}{t('table.player'):{_NAME}}" + _columns(heads, widths)
    lines = [Text(head + (f"  {t('table.start')}" if on_board else ""), _FAINT)]
    for seat in range(len(view["players"])):
        turn = "▸" if view["seat"] == seat else " "
        style = "bold" if view["you"] == seat else ""
        counts = (view["scores"][seat], view["wishing_stones"][seat], view["points"][seat])
        line = Text.assemble(
            f" {turn} ",
            (str(seat + 1), "reverse" if view["you"] == seat else "bold"),
            " ",
            (name(view, seat).ljust(_NAME), style),
            _columns(map(number, counts), widths),
        )
        if on_board:
            line.append("  " + _on_the_start(view, seat))
        lines.append(line)
        known = view["known"][seat] if on_board and view["you"] != seat else []
        if known:
            lines += flow(f"  {t('label.holds')}", [card(token) for token in known], width, gap=1)
        lines += _rows(view, seat, width)
    return lines


# --- board -------------------------------------------------------------------------------


def _on_the_start(view: View, seat: int) -> str:
    small = view["small_at_start"][seat]
    large = view["large"][seat] is None
    parts = [t("start.small", n=small)] * (small > 0) + [t("start.large")] * large
    return ", ".join(parts) or "–"


def board_lines(view: View, width: int) -> list[Text]:
    """The five paths: tiles on the stones, and under them the figures by player's number."""
    cell = 7 if width >= 77 else 5
    label = _INDENT if width >= 77 else 4
    middle = [label + cell * stone + (stone > 5) + cell // 2 for stone in range(board.STONES)]
    goal = label + cell * (board.GOAL - 1)

    def scale(title: str, entries: Iterable[str], style: str) -> Text:
        line = _canvas(
            [(at - len(entry) // 2, entry) for at, entry in zip(middle, entries, strict=True)]
        )
        line = f" {title}".ljust(label)[:label] + line[label:].ljust(goal - label)
        return Text(line[:goal] + "│" + line[goal + 1 :], style)

    stones = range(1, board.STONES + 1)
    lines = [
        scale(t("label.stone"), map(str, stones), _FAINT),
        scale(t("label.value"), (number(int(board.VALUES[stone])) for stone in stones), ""),
    ]
    for colour in COLOURS:
        lines.append(_path(view, colour, cell, label))
        lines.append(_figures(view, colour, middle, goal))
    return lines


def _canvas(entries: Iterable[tuple[int, str]]) -> str:
    """Entries at their columns, on one line."""
    line = ""
    for at, entry in entries:
        line = line.ljust(at) + entry
    return line


def _path(view: View, colour: str, cell: int, label: int) -> Text:
    style = STYLES[colour]
    thin = style.replace("bold ", "")
    title = f" {colour} {t(f'colour.{colour}')}" if label > 4 else f" {colour}"
    line = Text.assemble((title.ljust(label), style))
    for stone, tile in enumerate(view["tiles"][colour], start=1):
        if stone == board.GOAL:
            line.append("┼", _FAINT)
        mark = "○" if tile is None else tile if tile in "CW" else f"+{tile}"
        left = cell // 2 - len(mark) // 2
        line.append("─" * left, thin)
        line.append(mark, thin if tile is None else "bold")
        line.append("─" * (cell - left - len(mark)), thin)
    return line


def _figures(view: View, colour: str, middle: Sequence[int], goal: int) -> Text:
    """The figures on a path, `1` a small one and `1*` the large one of player 1."""
    there: dict[int, list[Text]] = {}
    for seat, stones in enumerate(view["figures"]):
        if stone := stones[colour]:
            large = "*" if view["large"][seat] == colour else ""
            style = "bold reverse" if view["you"] == seat else "bold"
            there.setdefault(stone, []).append(Text(f"{seat + 1}{large}", style))
    cell = middle[1] - middle[0]
    edge = middle[-1] + cell // 2 + 1
    line = Text()
    for stone in sorted(there):
        figures = Text(" ").join(there[stone])
        if figures.cell_len > cell:
            figures = Text("").join(there[stone])
        at = min(middle[stone - 1] - figures.cell_len // 2, edge - figures.cell_len)
        if line.cell_len <= goal < at:
            line.append(" " * (goal - line.cell_len))
            line.append("│", _FAINT)
        line.append(" " * (at - line.cell_len))
        line.append_text(figures)
    if line.cell_len <= goal:
        line.append(" " * (goal - line.cell_len))
        line.append("│", _FAINT)
    return line


def _pile(colour: str, cards: Sequence[str]) -> Text:
    """The top card in brackets, then what was discarded before it."""
    beneath = "".join(f" {token[1:]}" for token in reversed(cards[:-1]))
    return Text.assemble((colour, STYLES[colour]), f" [{cards[-1][1:]}]", (beneath, _FAINT))


def board_middle(view: View, width: int) -> list[Text]:
    piles = [_pile(colour, view["piles"][colour]) for colour in COLOURS if view["piles"][colour]]
    return flow(t("label.discards"), piles or [Text(t("none.yet"), _FAINT)], width)


def hand(label: str, cards: Sequence[str], width: int) -> list[Text]:
    groups = [
        Text(" ").join([card(token) for token in cards if token[0] == colour])
        for colour in COLOURS
        if any(token[0] == colour for token in cards)
    ]
    return flow(label, groups, width)


# --- stones ------------------------------------------------------------------------------


def tiles(colour: str, row: Sequence[int]) -> Text:
    """Tiles of one colour with their symbols."""
    shown = "".join(f" {value}{symbols.mark(f'{colour}{value}')}" for value in row)
    return Text.assemble((colour, STYLES[colour]), shown)


def stones_middle(view: View, width: int) -> list[Text]:
    groups = [
        tiles(colour, [int(token[1:]) for token in view["open"] if token[0] == colour])
        for colour in COLOURS
        if any(token[0] == colour for token in view["open"])
    ]
    return flow(t("label.open"), groups or [Text(t("none"), _FAINT)], width)


# --- The whole table, and the score ------------------------------------------------------


def title(view: View, turn: int, width: int) -> Text:
    notes = [t("table.turn", n=turn)]
    if view["game"] == "board":
        notes.append(t("table.deck", n=view["draw_pile"]))
        notes.append(t("table.goal", n=view["in_goal"], of=board.LAST_FIGURE))
    else:
        notes.append(t("table.down", n=view["face_down"]))
    return rule(t(f"title.{view['game']}"), " · ".join(notes), width)


def table(view: View, turn: int, width: int) -> list[Text]:
    """All that lies on the table, as the view's seat sees it, without the hand."""
    lines = [title(view, turn, width)]
    if view["game"] == "board":
        lines += board_lines(view, width)
        lines += players(view, width)
        lines += board_middle(view, width)
    else:
        lines += players(view, width)
        lines += stones_middle(view, width)
    return lines


def moves(view: View, turns: Sequence[Turn], viewer: int | str | None, width: int) -> list[Text]:
    """What was done, a turn after the other, as far as the viewer may know it."""
    lines: list[Text] = []
    for turn in turns:
        words = t("story.turn", name=name(view, turn.seat), words=turn.told_to(viewer))
        for k, part in enumerate(textwrap.wrap(words, width - _INDENT - 2)):
            label = f" {t('label.moves')}" if not lines else ""
            number = str(turn.seat + 1) if k == 0 else " "
            lines.append(
                Text.assemble((label.ljust(_INDENT), _FAINT), (number, "bold"), f" {part}")
            )
    return lines


def numbered(number: int, turn: Turn, viewer: int | str | None, width: int) -> list[Text]:
    """A turn with its number, its player's, its tokens, and what they mean."""
    head = Text.assemble(
        (f"{number:>5}", _FAINT), (f"  {turn.seat + 1}  ", "bold"), f"{turn.tokens:<10}  "
    )
    indent = 22
    words = textwrap.wrap(turn.told_to(viewer), width - indent)
    if head.cell_len > indent:  # many decisions: the words go beneath
        return [head, *(Text(" " * indent + line) for line in words)]
    return [
        Text.assemble(head, words[0]),
        *(Text(" " * indent + line) for line in words[1:]),
    ]


def scores(view: View, width: int) -> list[Text]:
    """The score sheet."""
    seats = range(len(view["players"]))
    label = 21
    column = min(16, (width - label) // len(seats))
    head = Text(" " * label)
    for seat in seats:
        head.append(name(view, seat)[: column - 1].rjust(column), "bold")
    lines = [head]
    for entry in sheet.lines(view):
        line = Text(f" {entry.label}".ljust(label), STYLES[entry.colour] if entry.colour else "")
        for cell in entry.entries:
            # A figure on the start or a row not begun is not worth a number.
            idle = entry.colour is not None and not cell.where
            points = "–" if idle else number(cell.points)
            line = Text.assemble(
                line, (f"{cell.where:>{column - 5}}", _FAINT), (f"{points:>5}", "")
            )
        lines.append(line)
    total = Text(f" {t('score.total')}".ljust(label), "bold")
    for score in view["scores"]:
        total.append(number(score).rjust(column), "bold")
    return [*lines, total]


def outcome(view: View) -> str:
    """Who won, in a sentence or two; for a game that is over."""
    result = view["result"]
    if result["reason"] == "cut off":
        return t("outcome.cut")
    last = "reason.deck" if view["game"] == "board" else "reason.tiles"
    end = t({"goal": "reason.goal", "deck": last}[result["reason"]])
    winners = [name(view, seat) for seat in result["winners"]]
    best = max(result["scores"])
    if len(winners) > 1:
        who = t("outcome.tie", names=listed(winners), n=best)
    elif winners == [t("you")]:
        who = t("outcome.you", n=best)
    else:
        who = t("outcome.one", name=winners[0], n=best)
    return f"{end} {who}"
