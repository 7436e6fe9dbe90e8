"""The kernels as a library: it fits or is not used, and plays the same games as the compiler's."""

import ctypes
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from keltis.bots.kernels.heuristic import values_of
from keltis.bots.kernels.scratch import heuristic_scratch
from keltis.build import BuildError, whole
from keltis.build.entries import entries
from keltis.build.objects import KNOWN_SYMBOLS
from keltis.build.targets import TARGETS
from keltis.rules import board, both, kernel, library, stones

ROOT = Path(__file__).resolve().parents[1]
NOTICE = "keltis: kernels are compiled as they are needed, for "


def python(program: str, source: Path | None = None, **settings: str) -> Any:
    environment = {name: v for name, v in os.environ.items() if name != "KELTIS_KERNELS"}
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**environment, "PYTHONPATH": str(source or ROOT / "src"), **settings},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_tests_run_on_the_library() -> None:
    assert (
        os.environ.get("KELTIS_KERNELS")
        or os.environ.get("NUMBA_DISABLE_JIT")
        or (kernel.LIBRARY is not None)
    ), "build it first: python -m keltis.build"


# --- What it needs and offers ------------------------------------------------------------------


def symbols(path: Path) -> tuple[set[str], set[str]]:
    """The names that a library (ELF, 64 bits) needs of others, and those that it offers."""
    raw = path.read_bytes()
    (start,) = struct.unpack_from("<Q", raw, 40)
    size, count = struct.unpack_from("<HH", raw, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", raw, start + size * k) for k in range(count)]
    (table,) = (section for section in sections if section[1] == 11)  # dynamic symbols
    names = sections[table[6]][4]
    needed: set[str] = set()
    offered: set[str] = set()
    for at in range(table[4] + 24, table[4] + table[5], 24):
        name, _, _, section = struct.unpack_from("<IBBH", raw, at)
        text = raw[names + name : raw.index(b"\0", names + name)].decode()
        (offered if section else needed).add(text)
    return needed, offered


def test_it_needs_only_known_symbols() -> None:
    """Of mathematics and memory; none of Python, of numba, or of C++."""
    needed, _ = symbols(library.PATH)
    assert needed <= KNOWN_SYMBOLS
    assert "exp" in needed  # so the table was read


def test_it_offers_entries_and_no_inner_part() -> None:
    _, offered = symbols(library.PATH)
    known = {entry.symbol for entry in entries()}
    assert known <= offered
    stems = {re.sub(r"\.(types|\d)$", "", name) for name in offered}
    assert stems - known == {"keltis.python", "keltis.fingerprint", "keltis.runs_here"}


# --- Calls -------------------------------------------------------------------------------------


def test_an_inner_part_is_no_function_for_python() -> None:
    states = np.zeros(1, board.STATE)
    with pytest.raises(TypeError, match=r"^keltis\.rules\.board\.apply is a part of other kernels"):
        board.apply(states[0], 3)
    with pytest.raises(TypeError, match="is a part of other kernels"):
        both.apply(states[0], 3)


@pytest.mark.parametrize(
    ("arguments", "fault", "text"),
    [
        ((), TypeError, r"play\(\) takes 3 arguments \(states, i, action\)"),
        ((1, 2, 3, 4), TypeError, "takes 3 arguments"),
        ((None, 0, 0), TypeError, "states must be an array of records of the game"),
        ((np.zeros(1), 0, 0), TypeError, "states must be an array of records of the game"),
        ((np.zeros(1, stones.STATE), 0, 0), TypeError, "states must be an array of records"),
        ((np.zeros((1, 1), board.STATE), 0, 0), TypeError, "states must be an array of records"),
        ((np.zeros(4, board.STATE)[::2], 0, 0), TypeError, "contiguous"),
        ((np.zeros(1, board.STATE), 0.5, 0), TypeError, "integer"),
        ((np.zeros(1, board.STATE), "x", 0), TypeError, "integer"),
        ((np.zeros(1, board.STATE), 0, 2**63), OverflowError, "int too"),
    ],
)
@pytest.mark.skipif(kernel.LIBRARY is None, reason="numba has texts of its own")
def test_wrong_arguments_are_refused(
    arguments: tuple[Any, ...], fault: type[Exception], text: str
) -> None:
    with pytest.raises(fault, match=text):
        board.play(*arguments)


@pytest.mark.skipif(kernel.LIBRARY is None, reason="numba takes what is read-only as another type")
def test_what_is_read_only_is_not_written_to() -> None:
    states = np.zeros(1, board.STATE)
    states.flags.writeable = False
    with pytest.raises(TypeError, match="not read-only"):
        board.play(states, 0, 0)


def test_records_of_both_games_do_not_mix() -> None:
    scratch = heuristic_scratch(np.zeros(1))
    for rules in (board, stones):
        states = np.zeros(1, rules.STATE)
        states["players"] = 2
        assert values_of(states, scratch) >= 0


def test_numbers_of_numpy_and_truths_are_numbers() -> None:
    states = np.zeros(2, board.STATE)
    board.deal(states, np.int8(1), np.int64(2), np.uint64(2**64 - 1), True)
    assert states["players"].tolist() == [0, 2]
    board.deal(states, 0, 2, 2**64 - 1, False)
    assert states["deck"][0].tolist() == states["deck"][1].tolist()


def test_calls_leave_the_counts_of_references_as_they_were() -> None:
    states = np.zeros(1, board.STATE)
    out = np.zeros(board.ACTIONS, np.int64)
    board.deal(states, 0, 2, 1, 0)
    before = [sys.getrefcount(x) for x in (states, out, None, board.STATE)]
    for _ in range(1000):
        board.legal_actions(states, 0, out)
        board.scores(states, 0, out)
        board.play(states, 0, 9999)
        with pytest.raises(TypeError):
            board.play(out, 0, 0)
    after = [sys.getrefcount(x) for x in (states, out, None, board.STATE)]
    assert all(abs(x - y) < 100 for x, y in zip(before, after, strict=True)), (before, after)


# --- Where it does not fit ---------------------------------------------------------------------

WHICH = "from keltis.rules import kernel; print(kernel.LIBRARY is not None)"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package somewhere else."""
    folder = tmp_path_factory.mktemp("copy")
    ignored = shutil.ignore_patterns("__pycache__", "weights", "web")
    shutil.copytree(ROOT / "src" / "keltis", folder / "keltis", ignore=ignored)
    return folder


def test_it_is_used_and_nothing_is_said(copy: Path) -> None:
    done = python(WHICH, copy)
    assert (done.stdout, done.stderr) == ("True\n", "")


@pytest.mark.parametrize("file", ["rules/board.py", "bots/kernels/belief.py", "build/objects.py"])
def test_after_an_edit_the_compiler_serves_and_a_line_says_so(copy: Path, file: str) -> None:
    edited = copy / "keltis" / file
    before = edited.read_bytes()
    edited.write_bytes(before + b"\n# An edit.\n")
    try:
        done = python(WHICH, copy)
    finally:
        edited.write_bytes(before)
    assert done.stdout == "False\n"
    assert done.stderr == (
        f"{NOTICE}they were built from other sources; "
        "to build them once, in half a minute: python -m keltis.build\n"
    )


def test_what_no_kernel_is_made_of_may_be_edited(copy: Path) -> None:
    edited = copy / "keltis" / "bots" / "search.py"
    edited.write_bytes(edited.read_bytes() + b"\n# An edit.\n")
    assert python(WHICH, copy).stdout == "True\n"


def test_without_it_the_compiler_serves_or_is_asked_for(copy: Path, tmp_path: Path) -> None:
    shutil.copytree(copy / "keltis", tmp_path / "keltis", ignore=shutil.ignore_patterns("*.so"))
    done = python(WHICH, tmp_path)
    assert done.stdout == "False\n"
    assert done.stderr == (
        f"{NOTICE}they have not been built here; "
        "to build them once, in half a minute: python -m keltis.build\n"
    )
    without_numba = (
        "import importlib.util as u; find = u.find_spec; "
        "u.find_spec = lambda name, *rest: None if name == 'numba' else find(name, *rest); "
        "from keltis.cli import main; main(['simulate'])"
    )
    done = python(without_numba, tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "keltis: no kernels that can run: they have not been built here, and there is no numba to "
        "compile them; to install it: pip install 'keltis[kernels]'\n"
    )


EVERYWHERE = """
import json, sys
import keltis, keltis.server.app
from keltis import bots, reviews
from keltis.arena import arena
from keltis.cli import main
from keltis.envs.datasets import batches
from keltis.envs.table import Table
from keltis.envs.vector import Vector
from keltis.rules.shrunken import BoardShape

for game in ("board", "stones"):
    arena(["search", "bard"], game=game, games=2, rollouts=20, workers=1, luck=True)
    arena(["random", "heuristic"], game=game, games=2)
    played = keltis.new_game(game, players=3, seed=1)
    bots.make("druid", seed=1, seconds=0.02, threads=2).advise(played.view(0))
    bots.evaluate(played.view(0))
    keltis.resample(keltis.position(played.position(0), seed=1).view(0), seed=1)
    while len(played.moves) < 90 and not played.is_over:
        played.play(played.legal_moves()[-1])
    keltis.review(keltis.load(json.dumps(played.record())), budget=200, seat=0)
    list(batches([played], value=True))
    Table.from_game(played, history=3).information_text(0)
    vector = Vector(game, games=4, opponents="fox", threads=2, history=2)
    vector.step(None, vector.buffers(informations=True))
    vector.restore(vector.save(0))
    vector.resample(seed=1)
    Vector(game, games=2).place(keltis.new_game(game, seed=1), 0)
Vector(shape=BoardShape(2, 4, 2, 2, 0, 2), games=2).step(None)
reviews.par(keltis.new_game("stones", seed=1), 0, runs=1)
try:
    main(["simulate", "--games", "20"])
finally:
    print({"numba", "llvmlite"} & set(sys.modules))
"""


@pytest.mark.slow
def test_nothing_that_users_do_imports_the_compiler() -> None:
    done = python(EVERYWHERE)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\nset()\n")


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"KELTIS_KERNELS": "jit"}, ("False\n", "")),
        ({"KELTIS_KERNELS": "library"}, ("True\n", "")),
        ({"NUMBA_DISABLE_JIT": "1"}, ("False\n", "")),
    ],
)
def test_it_can_be_chosen(settings: dict[str, str], expected: tuple[str, str]) -> None:
    done = python(WHICH, None, **settings)
    assert (done.stdout, done.stderr) == expected


def test_no_other_choice_is_taken() -> None:
    done = python(WHICH, KELTIS_KERNELS="fast")
    assert "KELTIS_KERNELS can be jit or library, not 'fast'" in done.stderr


def test_a_processor_that_lacks_something_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    no = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 0)
    linked = library._linked

    def older(path: Path) -> Any:
        address = linked(path)
        return lambda symbol: (
            ctypes.cast(no, ctypes.c_void_p).value
            if symbol == "keltis.runs_here"
            else address(symbol)
        )

    monkeypatch.setattr(library, "_linked", older)
    with pytest.raises(library.Unusable, match="for a newer processor"):
        library.load()


@pytest.mark.skipif(
    shutil.which("qemu-x86_64") is None or library.PLATFORM[1] != "x86_64",
    reason="needs qemu-x86_64",
)
@pytest.mark.parametrize(
    ("processor", "expected"),
    [
        ("SandyBridge", "they were built for a newer processor"),
        ("Haswell,-bmi2", "they were built for a newer processor"),
        ("Haswell", "loaded"),
    ],
)
def test_an_emulated_processor_is_asked_what_it_can_do(processor: str, expected: str) -> None:
    program = (
        "from keltis.rules import library\n"
        "try: library.load(); print('loaded')\n"
        "except library.Unusable as why: print(why)\n"
    )
    done = subprocess.run(
        ["qemu-x86_64", "-cpu", processor, sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == expected, done.stderr


def test_what_is_not_a_library_is_not_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "kernels.so").write_bytes(b"nothing" + library.seal(b"nothing"))
    monkeypatch.setattr(library, "PATH", tmp_path / "kernels.so")
    with pytest.raises(library.Unusable, match=r"kernels\.so cannot be loaded"):
        library.load()


@pytest.mark.parametrize("damage", ["cut short", "empty", "a bit", "the end"])
def test_a_damaged_library_is_not_loaded(copy: Path, tmp_path: Path, damage: str) -> None:
    """In a process of its own, which loading it may end."""
    shutil.copytree(copy / "keltis", tmp_path / "keltis")
    file = tmp_path / "keltis" / library.PATH.name
    code = bytearray(file.read_bytes())
    if damage == "a bit":
        code[len(code) // 2] ^= 1
    file.write_bytes(
        code[: {"cut short": len(code) // 2, "empty": 0, "the end": -1}.get(damage, len(code))]
    )
    done = python(WHICH, tmp_path)
    assert (done.returncode, done.stdout) == (0, "False\n")
    assert done.stderr == (
        f"{NOTICE}{file.name} is damaged; "
        "to build them once, in half a minute: python -m keltis.build\n"
    )


def test_what_cannot_be_read_is_not_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(library, "PATH", tmp_path)  # a folder, which root cannot read either
    with pytest.raises(library.Unusable, match=r"cannot be read \(Is a directory\)"):
        library.load()


def test_there_is_none_for_other_platforms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "PLATFORM", ("darwin", "arm64"))
    with pytest.raises(library.Unusable, match="there is no library of them for darwin arm64"):
        library.load()


# --- Building it -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_build_leaves_nothing(
    copy: Path, tmp_path: Path, how: signal.Signals
) -> None:
    out = tmp_path / "made" / "kernels.so"
    (tmp_path / "temporary").mkdir()
    build = subprocess.Popen(
        [sys.executable, "-m", "keltis.build", "--out", str(out)],
        env={**os.environ, "PYTHONPATH": str(copy), "TMPDIR": str(tmp_path / "temporary")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    children = Path(f"/proc/{build.pid}/task/{build.pid}/children")
    while len(parts := children.read_text().split()) < 2:
        time.sleep(0.02)
    os.killpg(build.pid, how)  # as a terminal does it
    assert build.communicate() == (b"", b"")
    assert build.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}[how]
    assert not [part for part in parts if Path(f"/proc/{part}").exists()]
    assert not [*out.parent.iterdir(), *(tmp_path / "temporary").iterdir()]


def test_a_library_is_of_one_state_of_the_sources(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What is edited while it is compiled is not what a part of it was made of."""
    states = iter(["linux x86_64 16 first", "linux x86_64 16 second"])
    monkeypatch.setattr(library, "fingerprint", lambda: next(states))
    monkeypatch.setattr(whole, "_part_process", lambda *part: None)
    monkeypatch.setattr(whole, "_end", lambda process: None)
    monkeypatch.setattr(whole, "_messages", lambda processes: [])
    monkeypatch.setattr(whole, "python_module", lambda *module: "")
    monkeypatch.setattr(whole, "object_of", lambda *module: b"")
    with pytest.raises(BuildError, match="sources were changed meanwhile: build once more"):
        whole.build(TARGETS["x86-64"], tmp_path / "kernels.so", show=False)
    assert not list(tmp_path.iterdir())


def test_where_nothing_can_be_written_is_said_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    order = [sys.executable, "-m", "keltis.build", "--out", str(tmp_path / "file" / "kernels.so")]
    done = subprocess.run(order, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"keltis.build: {tmp_path / 'file'}: File exists\n"
