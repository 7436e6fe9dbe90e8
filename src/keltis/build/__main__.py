"""See `keltis.build`."""

import argparse
import os
import signal
import sys
from pathlib import Path

from keltis import build
from keltis.build import BuildError
from keltis.build.targets import TARGETS, native_target
from keltis.rules import library


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m keltis.build", description=build.__doc__)
    parser.add_argument("--target", choices=sorted(TARGETS), help="a processor; this one's")
    parser.add_argument("--out", type=Path, help=f"the file; {library.PATH.name} in the package")
    parser.add_argument("--force", action="store_true", help="also if it is up to date")
    parser.add_argument("--part", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part is None:
        if not (given.force or given.target or given.out) and _is_current():
            return
        os.environ["NUMBA_DISABLE_JIT"] = "1"  # what is declared is all that this process needs
    try:
        from keltis.build import parts, whole

        target = TARGETS[given.target] if given.target else native_target()
        if given.part is not None:
            parts.compile_part(given.part, target, given.out)
        else:
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # its processes end with it
            whole.build(target, given.out or library.PATH)
    except KeyboardInterrupt:
        sys.exit(130)
    except BuildError as fault:
        sys.exit(f"keltis.build: {fault}")
    except ModuleNotFoundError as missing:
        sys.exit(f"keltis.build: {missing.name} is missing; pip install 'keltis[kernels]'")


def _is_current() -> bool:
    """Whether the library in its place is the one that would be built."""
    try:
        library.load()
    except library.Unusable:
        return False
    return True


if __name__ == "__main__":
    main()
