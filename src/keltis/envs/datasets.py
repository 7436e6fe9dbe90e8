"""Records as data: a row for each decision, in columns of numbers. docs/datasets.md describes them.

Rows are made a batch at a time, so that a file of any length needs the memory of one batch.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from keltis.envs import checks
from keltis.game import layout
from keltis.game.errors import quoted
from keltis.game.game import Game
from keltis.game.kernels import either
from keltis.game.kinds import Kind

FORMAT = "keltis-data/1"
BATCH = 8192  # rows

Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Shape:
    """What all records of a data set have in common."""

    game: str
    players: int

    def __str__(self) -> str:
        return f"{self.game} for {self.players} players"

    def columns(self, *, value: bool) -> dict[str, tuple[np.dtype[Any], tuple[int, ...]]]:
        """The type and the shape of a row's entries, by column."""
        seen = layout.observation(self.game, self.players).size
        found: dict[str, tuple[Any, tuple[int, ...]]] = {
            "record": (np.int64, ()),
            "decision": (np.int32, ()),
            "seat": (np.int8, ()),
            "observation": (np.int8, (seen,)),
            "mask": (np.int8, (layout.actions(self.game),)),
            "action": (np.int16, ()),
            "result": (np.float32, ()),
            "lead": (np.float32, ()),
        }
        if value:
            found |= {"value_wins": (np.float32, ()), "value_lead": (np.float32, ())}
        return {name: (np.dtype(kind), shape) for name, (kind, shape) in found.items()}

    def facts(self) -> dict[str, Any]:
        """What a reader has to know of the columns."""
        parts = layout.observation(self.game, self.players).slices
        return {
            "format": FORMAT,
            "game": self.game,
            "players": self.players,
            "tensors": layout.VERSION,
            "parts": {name: [part.start, part.stop] for name, part in parts.items()},
        }


def shape_of(game: Game) -> Shape:
    return Shape(game.game, len(game.players))


def batches(games: Iterable[Game], *, value: bool = False, size: int = BATCH) -> Iterator[Columns]:
    """The decisions of some games as columns, so many rows at a time at most.

    `value` adds what the value network expects. Raises ValueError for a game of another kind or
    another number of players than the first.
    """
    size = checks.at_least(size, 1, "size")
    shape: Shape | None = None
    room: Columns = {}
    at = 0
    for number, game in enumerate(games):
        if not isinstance(game, Game):
            raise TypeError(f"games[{number}]: expected a Game, not {quoted(game)}")
        if shape is None:
            shape = shape_of(game)
            columns = shape.columns(value=value)
            room = {name: np.zeros((size, *tail), kind) for name, (kind, tail) in columns.items()}
        elif shape_of(game) != shape:
            raise ValueError(f"{shape_of(game)}, but the first record is {shape}")
        result, lead = _outcome(game)
        for decision, (kind, states, seat, action) in enumerate(_decisions(game)):
            row: dict[str, float] = {
                "record": number,
                "decision": decision,
                "seat": seat,
                "action": action,
            }
            row |= {"result": result[seat], "lead": lead[seat]}
            if value:
                row["value_wins"], row["value_lead"] = _value(kind, shape.players, states)
            for name, entry in row.items():
                room[name][at] = entry
            either.observe(states, 0, seat, room["observation"][at])
            either.mask(states, 0, seat, room["mask"][at])
            at += 1
            if at == size:
                yield {name: column.copy() for name, column in room.items()}
                at = 0
    if at:
        yield {name: column[:at].copy() for name, column in room.items()}


def _decisions(game: Game) -> Iterator[tuple[Kind, NDArray[Any], int, int]]:
    """Where each decision was taken, by whom, and what it was; the state goes on changing."""
    kind = game._kind
    states = kind.copied(game._start)
    for token in game.moves:
        action = kind.actions[token]
        yield kind, states, kind.seat(states), action
        kind.rules.play(states, 0, action)


def _outcome(game: Game) -> tuple[list[float], list[float]]:
    """Each seat's share of the win and lead over the best other; not numbers if nobody won."""
    winners, scores = game.winners(), game.scores()
    seats = range(len(scores))
    if not winners:
        return [np.nan] * len(scores), [np.nan] * len(scores)
    result = [1 / len(winners) if seat in winners else 0.0 for seat in seats]
    best = [max(score for other, score in enumerate(scores) if other != seat) for seat in seats]
    return result, [float(scores[seat] - best[seat]) for seat in seats]


def _value(kind: Kind, players: int, states: NDArray[Any]) -> tuple[float, float]:
    from keltis.bots.evaluation import weighed_state

    best = max(weighed_state(kind, players, states), key=lambda one: one.worth)
    return best.evaluation


# --- Writing -----------------------------------------------------------------------------


def write_npz(
    file: IO[bytes], shape: Shape, rows: Iterable[Columns], *, value: bool = False
) -> int:
    """Write columns as numpy's compressed archive; return how many rows.

    An array's length stands before it, so the columns wait in temporary files until it is known.
    Entries bear no date: the same games make the same file.
    """
    columns = shape.columns(value=value)
    with ExitStack() as opened:
        waiting = {name: opened.enter_context(TemporaryFile()) for name in columns}
        count = 0
        for batch in rows:
            count += len(batch["seat"])
            for name, column in batch.items():
                waiting[name].write(column.tobytes())
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name, (kind, tail) in columns.items():
                waiting[name].seek(0)
                with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                    header = {
                        "descr": np.lib.format.dtype_to_descr(kind),
                        "fortran_order": False,
                        "shape": (count, *tail),
                    }
                    np.lib.format.write_array_header_1_0(entry, header)
                    while part := waiting[name].read(1 << 20):
                        entry.write(part)
            with archive.open("about.npy", "w") as entry:
                np.lib.format.write_array(entry, np.array(json.dumps(shape.facts())))
    return count


def write_parquet(
    file: IO[bytes], shape: Shape, rows: Iterable[Columns], *, value: bool = False
) -> int:
    """Write columns as Parquet, a row group for each batch; return how many rows."""
    import pyarrow as pa
    from pyarrow import parquet

    def typed(kind: np.dtype[Any], tail: tuple[int, ...]) -> Any:
        one = pa.from_numpy_dtype(kind)
        return pa.list_(one, tail[0]) if tail else one

    columns = shape.columns(value=value)
    schema = pa.schema(
        [pa.field(name, typed(*column)) for name, column in columns.items()],
        {"keltis": json.dumps(shape.facts())},
    )
    count = 0
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for batch in rows:
            count += len(batch["seat"])
            arrays = []
            for name, column in batch.items():
                flat = pa.array(column.reshape(-1), from_pandas=True)  # not a number is null
                tail = columns[name][1]
                arrays.append(pa.FixedSizeListArray.from_arrays(flat, tail[0]) if tail else flat)
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
    return count
