"""How long anybody waits before the first move: `make starts` writes docs/starts.md.

The clock on the wall is what people feel. The processor's tells the same on a quiet machine, and on
a busy one how much of it is ours.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "starts.md"
LEVELS = ("fawn", "hare", "fox", "raven", "bard", "druid")
GAMES = ("board", "stones")
ROUNDS = 5
PATIENCE = 600.0

PROCESSES = {
    "Python alone": ["-c", "pass"],
    "`import keltis`": ["-c", "import keltis"],
    "`keltis` alone": ["-m", "keltis"],
    "`keltis --help`": ["-m", "keltis", "--help"],
    "a game begun and a move": [
        "-c",
        "import keltis; game = keltis.new_game('board'); game.play(game.legal_moves()[0])",
    ],
    "`keltis arena raven fox --games 2`": ["-m", "keltis", "arena", "raven", "fox", "--games", "2"],
    "first step of 64 games at once": [
        "-c",
        "from keltis.envs.vector import Vector; v = Vector(games=64); v.step(v.sample())",
    ],
}


@dataclass(frozen=True)
class Seconds:
    wall: float
    processor: float

    def __str__(self) -> str:
        return f"{self.wall:.2f} s ({self.processor:.2f} s)"


@dataclass
class Place:
    """Where Keltis is installed."""

    python: Path
    environment: dict[str, str] = field(default_factory=dict)

    def command(self, *arguments: str) -> list[str]:
        return [str(self.python), *arguments]

    @property
    def variables(self) -> dict[str, str]:
        outer = {name: v for name, v in os.environ.items() if not name.startswith("KELTIS_")}
        outer.pop("PYTHONPATH", None)
        return {**outer, **self.environment}


def timed(command: list[str], cwd: Path, environment: dict[str, str]) -> Seconds:
    before, start = os.times(), time.perf_counter()
    subprocess.run(command, cwd=cwd, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    return Seconds(time.perf_counter() - start, used)


def typical(place: Place, arguments: list[str], cwd: Path) -> Seconds:
    found = [timed(place.command(*arguments), cwd, place.variables) for _ in range(ROUNDS)]
    return Seconds(median(s.wall for s in found), median(s.processor for s in found))


class Server:
    """`keltis serve`, from its start on."""

    def __init__(self, place: Place, folder: Path) -> None:
        self._start = time.perf_counter()
        self._process = subprocess.Popen(
            place.command("-m", "keltis", "serve", "--port", "0", "--bot-pace", "0",
                          "--rate", "1e6", "--rate-address", "1e6", "--work", "1e6",
                          "--work-address", "1e6", "--log-level", "error",
                          "--database", str(folder / "tables.db")),
            cwd=folder, env=place.variables, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().split()[-1].rstrip("/")
        urllib.request.urlopen(f"{self.url}/", timeout=PATIENCE).read()
        self.page = self.so_far()
        self._key = self._ask("/api/keys", {})["key"]

    def so_far(self) -> Seconds:
        with contextlib.suppress(psutil.NoSuchProcess):
            used = psutil.Process(self._process.pid).cpu_times()
            return Seconds(time.perf_counter() - self._start, used.user + used.system)
        raise RuntimeError("the server has ended")

    def _ask(self, path: str, body: Any = None) -> Any:
        headers = {"content-type": "application/json"}
        if hasattr(self, "_key"):
            headers["authorization"] = f"Bearer {self._key}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.loads(answer.read())

    def first_move(self, game: str, level: str) -> Seconds:
        """From a table's making to the move of a bot that starts."""
        start, used = time.perf_counter(), self.so_far().processor
        seats = [{"who": "me", "name": "Ann"}, {"who": "bot", "level": level}]
        wishes = {"game": game, "seats": seats, "first": 1, "ready": True}
        table = self._ask("/api/tables", wishes)["table"]
        while not (views := self._ask(f"/api/tables/{table}")["views"]) or not views[0]["history"]:
            time.sleep(0.005)
        return Seconds(time.perf_counter() - start, self.so_far().processor - used)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE)
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextlib.contextmanager
def serving(place: Place) -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(place, Path(folder))
        try:
            yield server
        finally:
            server.stop()


def moves(place: Place) -> list[list[str]]:
    """Rows of a table: the page, then the first move of each level in each game, in one server."""
    with serving(place) as server:
        rows = [["page", str(server.page), ""]]
        for level in LEVELS:
            rows.append([level, *(str(server.first_move(game, level)) for game in GAMES)])
    return rows


def druid_at_once(place: Place) -> Seconds:
    """From the start of the server to the first move of the strongest level."""
    with serving(place) as server:
        server.first_move("board", "druid")
        return server.so_far()


# --- Installations -----------------------------------------------------------------------------


def fresh_clone(folder: Path) -> tuple[Place, Seconds]:
    """As `make play` sets it up; what pip has downloaded before is kept."""
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    set_up = timed(["make", "kernels"], folder, {**os.environ})
    return Place(folder / ".venv" / "bin" / "python"), set_up


def from_wheel(folder: Path) -> tuple[Place, Seconds]:
    """The wheel in an empty environment."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    order = [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), "."]
    subprocess.run(order, cwd=ROOT, check=True)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True)
    python = folder / "env" / "bin" / "python"
    order = [str(python), "-m", "pip", "--disable-pip-version-check", "-q", "install"]
    order += ["-c", str(ROOT / "constraints.txt"), f"keltis[server] @ {wheel.as_uri()}"]
    return Place(python), timed(order, folder, {**os.environ})


def empty_cache(place: Place, folder: Path) -> Place:
    """The same place for a user who has run nothing before."""
    folders = {"XDG_CACHE_HOME": str(folder / "cache"), "PYTHONPYCACHEPREFIX": str(folder / "pyc")}
    return Place(place.python, {**place.environment, **folders})


SIZES = (
    "import json, os, importlib.metadata as m\n"
    "def size(path):\n"
    "    return os.path.getsize(path) if os.path.isfile(path) else 0\n"
    "print(json.dumps({d.metadata['Name']: sum(size(d.locate_file(f)) for f in d.files or [])\n"
    "                  for d in m.distributions()}))\n"
)


def sizes(place: Place) -> dict[str, int]:
    """Bytes of each installed package."""
    order = place.command("-c", SIZES)
    done = subprocess.run(order, env=place.variables, capture_output=True, text=True, check=True)
    found: dict[str, int] = json.loads(done.stdout)
    return found


# --- The page ----------------------------------------------------------------------------------


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def of_sizes(found: dict[str, int], most: int = 9) -> str:
    ranked = sorted(found.items(), key=lambda item: -item[1])
    rows = [[name, f"{size / 1e6:.1f}"] for name, size in ranked[:most]]
    rest = sum(size for _, size in ranked[most:])
    rows += [[f"{len(ranked) - most} others", f"{rest / 1e6:.1f}"]] if ranked[most:] else []
    rows.append(["**together**", f"**{sum(found.values()) / 1e6:.0f}**"])
    return table(["package", "MB"], rows)


TEMPLATE = """\
# Starts

What anybody waits for before the first move. Written by `make starts` (`benchmarks/starts.py`) on
{date}: {processor}, {cores} cores, Python {python}; load average {load}. Seconds on the clock, and
in brackets those of the processor: on a busy machine the first are longer than they need be.

## Processes, from start to end

Medians of {rounds}, with the library of kernels.

{processes}

## Serving

The page: from the start of `keltis serve` to the page's whole text. A level's first move: from the
making of a table to the move of the bot, which starts; all in one server, from the top down, so
that whatever is loaded only once is in the rows above. An empty cache is that of a user who has run
nothing before; not even what Python compiles of sources when they are first imported is there.

{serving}

## From nothing

{from_nothing}

Both with an empty cache; packages come from pip's. Without the library (`KELTIS_KERNELS=jit`) numba
compiles while the player waits{jit}.

## What is installed

From a wheel with the server, without numba:

{wheel_sizes}

In the environment of a fresh clone, which can compile:

{clone_sizes}
"""


def measure(with_jit: bool) -> str:
    serving_rows: dict[str, list[list[str]]] = {}
    from_nothing: list[list[str]] = []
    with tempfile.TemporaryDirectory() as folder:
        inner = Path(folder)
        here = Place(Path(sys.executable))
        processes = [[what, str(typical(here, a, inner))] for what, a in PROCESSES.items()]
        serving_rows["empty cache"] = moves(empty_cache(here, inner / "first"))
        serving_rows["later"] = moves(here)
        jit = ""
        if with_jit:
            place = empty_cache(Place(here.python, {"KELTIS_KERNELS": "jit"}), inner / "jit")
            jit = f": the first move of druid came after {druid_at_once(place)}"
        (inner / "wheel").mkdir()
        wheel, installed = from_wheel(inner / "wheel")
        druid = druid_at_once(empty_cache(wheel, inner / "wheel"))
        from_nothing.append(["wheel", str(installed), str(druid)])
        clone, set_up = fresh_clone(inner / "clone")
        druid = druid_at_once(empty_cache(clone, inner / "clone"))
        from_nothing.append(["fresh clone, `make play`", str(set_up), str(druid)])
        wheel_sizes, clone_sizes = sizes(wheel), sizes(clone)
        shutil.rmtree(inner / "clone")
    rows = [
        [first[0], *first[1:], *later[1:]]
        for first, later in zip(serving_rows["empty cache"], serving_rows["later"], strict=True)
    ]
    head = ["", *(f"{game}, {when}" for when in serving_rows for game in GAMES)]
    return TEMPLATE.format(
        date=datetime.now(UTC).date(),
        processor=processor(),
        cores=os.cpu_count(),
        python=platform.python_version(),
        load=f"{os.getloadavg()[1]:.1f}" if hasattr(os, "getloadavg") else "unknown",
        rounds=ROUNDS,
        processes=table(["process", "wall (processor)"], processes),
        serving=table(head, rows),
        from_nothing=table(
            ["", "set up", "then from `keltis serve` to the first move of druid"], from_nothing
        ),
        jit=jit,
        wheel_sizes=of_sizes(wheel_sizes),
        clone_sizes=of_sizes(clone_sizes),
    )


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    named = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.machine()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jit", action="store_true", help="without the library, too: minutes")
    text = measure(parser.parse_args().jit)
    PAGE.write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
