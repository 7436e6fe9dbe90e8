"""Reads a data set of `keltis export` batch by batch, and learns from it what its players do.

keltis arena heuristic raven --games 200 --out contest
keltis export contest --to parquet --out games.parquet
python examples/read_dataset.py games.parquet

The policy is a single layer, trained by cross-entropy on the games of even number, and tried on the
others: how often is what it likes most what was played?
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Columns = dict[str, NDArray[Any]]


def batches(file: Path, size: int = 1024) -> Iterator[Columns]:
    """Some columns, so many rows at a time; Parquet is never whole in memory."""
    names = ["record", "observation", "mask", "action"]
    if file.suffix == ".npz":
        with np.load(file) as saved:
            columns = {name: saved[name] for name in names}
        for at in range(0, len(columns["action"]), size):
            yield {name: column[at : at + size] for name, column in columns.items()}
        return
    from pyarrow import parquet

    for batch in parquet.ParquetFile(file).iter_batches(size, columns=names):
        found = {}
        for name in names:
            column = batch.column(name)
            flat = column.flatten() if name in ("observation", "mask") else column
            found[name] = flat.to_numpy(zero_copy_only=False).reshape(len(column), -1)
        yield {name: column.squeeze() for name, column in found.items()}


def odds(weights: NDArray[np.float64], batch: Columns) -> NDArray[np.float64]:
    """How likely each legal action is."""
    logits = np.tanh(batch["observation"] / 4.0) @ weights
    logits = np.where(batch["mask"], logits, -np.inf)
    likely = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=1, keepdims=True))


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn from a data set what its players do")
    parser.add_argument("file", type=Path)
    parser.add_argument("--epochs", type=int, default=5)
    asked = parser.parse_args()
    weights: NDArray[np.float64] | None = None
    for epoch in range(asked.epochs):
        hits = rows = 0
        for batch in batches(asked.file):
            if weights is None:
                weights = np.zeros((batch["observation"].shape[1], batch["mask"].shape[1]))
            likely = odds(weights, batch)
            test = batch["record"] % 2 == 1
            hits += int((likely.argmax(axis=1) == batch["action"])[test].sum())
            rows += int(test.sum())
            wrong = likely.copy()
            wrong[np.arange(len(wrong)), batch["action"]] -= 1
            wrong[test] = 0
            weights -= 0.5 / len(wrong) * np.tanh(batch["observation"] / 4.0).T @ wrong
        print(f"epoch {epoch + 1}: {hits / max(1, rows):.1%} of {rows} decisions foreseen")


if __name__ == "__main__":
    main()
