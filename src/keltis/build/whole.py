"""The whole library: its parts are compiled side by side and linked."""

import contextlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from keltis.build import BuildError
from keltis.build.entries import entries, variants
from keltis.build.objects import object_of
from keltis.build.python import python_module
from keltis.build.targets import Target
from keltis.rules import library


def build(target: Target, out: Path, show: bool = True) -> Path:
    """Build the library; returns where it is, which is `out` if there is a linker."""
    from keltis.rules.dispatch import STATES

    started = time.monotonic()
    _check_writable(out)
    fingerprint = library.fingerprint()
    all_entries = entries()
    total = sum(len(variants(entry)) for entry in all_entries)
    returned: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as running:
        objects = [Path(folder) / f"{part}.o" for part in range(len(STATES))]
        processes = []
        with _uninterrupted():
            for part in range(len(STATES)):
                processes.append(_part_process(part, target, objects[part]))
                running.callback(_end, processes[-1])
        done = 0
        for message in _messages(processes):
            if "entry" in message:
                done += 1
                if show:
                    _progress(f"typed {done} of {total} kernels", started)
            returned |= message.get("returned", {})
            if show and done == total:
                _progress("optimising", started)
        objects.append(Path(folder) / "python.o")
        import llvmlite.binding as llvm

        module = llvm.parse_assembly(python_module(all_entries, returned, target, fingerprint))
        exported = {"keltis.python", "keltis.fingerprint", "keltis.runs_here"} | {
            name for entry in all_entries for name in (entry.symbol, f"{entry.symbol}.types")
        }
        objects[-1].write_bytes(object_of(module, target, target.plain_cpu, exported))
        if library.fingerprint() != fingerprint:
            raise BuildError("the kernels' sources were changed meanwhile: build once more")
        made = _link(objects, target, out)
    if show:
        size = made.stat().st_size // 1000
        _progress(f"{total} kernels in {made.name}, {size} kB", started, last=True)
    return made


def _part_process(part: int, target: Target, out: Path) -> subprocess.Popen[str]:
    environment = {
        **os.environ,
        "KELTIS_KERNELS": "jit",
        "NUMBA_DISABLE_JIT": "0",
        "NUMBA_CPU_NAME": target.cpu,
        "NUMBA_CPU_FEATURES": "",
    }
    command = [sys.executable, "-m", "keltis.build", "--part", str(part)]
    return subprocess.Popen(
        [*command, "--target", target.name, "--out", str(out)],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is for this process, which ends them
    )


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold signals back until it is known what has to be ended because of them."""
    held: list[int] = []
    before = {
        each: signal.signal(each, lambda number, frame: held.append(number))
        for each in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
    if held:
        signal.raise_signal(held[0])


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def _messages(processes: list[subprocess.Popen[str]]) -> Iterator[dict[str, Any]]:
    """What the processes print, as it comes; raises BuildError if one of them fails."""
    with selectors.DefaultSelector() as selector:
        for process in processes:
            selector.register(process.stdout, selectors.EVENT_READ, process)  # type: ignore[arg-type]
        while selector.get_map():
            for key, _ in selector.select():
                line = key.fileobj.readline()  # type: ignore[union-attr]
                if line:
                    yield json.loads(line)
                    continue
                selector.unregister(key.fileobj)
                if key.data.wait():
                    raise BuildError("a part of the kernels was not compiled, see above")


def _progress(text: str, started: float, last: bool = False) -> None:
    line = f"kernels: {text}, {time.monotonic() - started:.0f} s"
    if sys.stderr.isatty():
        print(f"\r{line:<60}", end="\n" if last else "", file=sys.stderr, flush=True)
    elif last:
        print(line, file=sys.stderr, flush=True)


def _link(objects: list[Path], target: Target, out: Path) -> Path:
    """One file of several objects; without a linker, these as they are.

    Each is put in its place at once, since others may be using the old one.
    """
    new = objects[0].with_name("linked")
    for old in library.unlinked(out):
        old.unlink(missing_ok=True)  # another build may have done it
    failures = []
    for command in target.linkers:
        program = shutil.which(command[0])
        if program is None:
            continue
        order = [program, "-o", str(new), *map(str, objects), *command[1:]]
        done = subprocess.run(order, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return _put(new, out)
        failures.append(f"{command[0]}: {done.stderr.strip()}")
    if failures:
        raise BuildError("the linker fails. " + " ".join(failures))
    out.unlink(missing_ok=True)
    return [_put(file, out.with_name(f"{out.stem}-{file.stem}.o")) for file in objects][-1]


def _check_writable(out: Path) -> None:
    """Before the work, and not after it."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise BuildError(f"{out.parent}: {fault.strerror}") from None
    if not os.access(out.parent, os.W_OK):
        raise BuildError(f"{out.parent}: cannot be written to; --out names another file")


def _put(file: Path, out: Path) -> Path:
    beside = out.with_name(f"{out.name}.{os.getpid()}")
    code = file.read_bytes()
    try:
        with beside.open("wb") as new:
            new.write(code + library.seal(code))
            new.flush()
            os.fsync(new.fileno())
        beside.replace(out)
    except OSError as fault:
        raise BuildError(f"{out}: {fault.strerror}") from None
    finally:
        beside.unlink(missing_ok=True)
    return out
