"""`keltis export`: records as a data set, a row for each decision."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import keltis
from keltis.cli.check import records_of
from keltis.cli.extras import require
from keltis.cli.failure import Failure, plain, unwritable
from keltis.cli.progress import bar
from keltis.envs import datasets


def export(
    sources: list[str], form: str, out: Path | None, *, value: bool, overwrite: bool
) -> None:
    if form == "parquet":
        require("data", "keltis export --to parquet")
    named = [_records_file(source) for source in sources]
    target = _target(named, form) if out is None else out
    if target.exists() and not overwrite:
        raise Failure(f"{target}: is there already; --overwrite replaces it")
    write = datasets.write_parquet if form == "parquet" else datasets.write_npz
    part = target.with_name(f".{target.name}-{os.getpid()}.part")
    try:
        with bar("records") as show:
            games = _Games(named, show)
            first = next(games, None)
            if first is None:
                raise Failure(f"{', '.join(named)}: there is no record")
            shape = datasets.shape_of(first)
            rows = datasets.batches(itertools.chain([first], games), value=value)
            try:
                with part.open("wb") as file:
                    count = write(file, shape, rows, value=value)
                    file.flush()
                    os.fsync(file.fileno())
            except ValueError as fault:
                raise Failure(f"{plain(games.place)}: {fault}") from None
        os.replace(part, target)
    except OSError as fault:
        raise Failure(unwritable(target, fault)) from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
    print(f"{target}: {games.count} records, {count} decisions")


def _records_file(source: str) -> str:
    """The file that a name stands for: a folder is that of a contest."""
    if source != "-" and Path(source).is_dir():
        return str(Path(source) / "records.jsonl")
    return source


def _target(sources: list[str], form: str) -> Path:
    if sources[0] == "-":
        raise Failure("--out: missing; the input has no name")
    return Path(sources[0]).with_suffix(f".{form}")


class _Games:
    """The games of all records, one after the other; each is checked."""

    def __init__(self, sources: list[str], show: Callable[[int, int], None]) -> None:
        self.place = ""
        self.count = 0
        self._show = show
        self._all = self._read(sources)

    def __iter__(self) -> Iterator[keltis.Game]:
        return self

    def __next__(self) -> keltis.Game:
        return next(self._all)

    def _read(self, sources: list[str]) -> Iterator[keltis.Game]:
        known = all(os.path.isfile(source) for source in sources)  # not the input, nor a pipe
        total = sum(os.path.getsize(source) for source in sources) if known else 0
        done = 0
        for source in sources:
            for place, record in records_of(source):
                self.place = place
                try:
                    game = keltis.load(record)
                except keltis.RecordError as fault:
                    raise Failure(f"{plain(place)}: {plain(str(fault))}") from None
                done += len(record) + 1
                self.count += 1
                if total:
                    self._show(min(done, total), total)
                yield game
