"""Puts the kernels into wheels, compiled; see src/keltis/build.

Where no library can be built, and in an editable installation, whose kernels may be edited, numba
is what the package needs instead.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Another processor than this one's, as `python -m keltis.build --help` lists them.
TARGET = os.environ.get("KELTIS_TARGET", "")

MACHINES = {"": os.uname().machine if hasattr(os, "uname") else "", "aarch64": "aarch64"}


class KernelsHook(BuildHookInterface[Any]):
    """The kernels of this wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or sys.platform != "linux":
            self._compile_later(build_data)
            return
        self._folder = tempfile.TemporaryDirectory()
        machine = MACHINES.get(TARGET, "x86_64")
        library = Path(self._folder.name) / f"kernels-linux-{machine}.so"
        source = Path(self.root) / "src"
        order = [sys.executable, "-m", "keltis.build", "--out", str(library)]
        done = subprocess.run(
            [*order, "--target", TARGET] if TARGET else order,
            env={**os.environ, "PYTHONPATH": str(source)},
            check=False,
        )
        if done.returncode or not library.exists():
            if TARGET:
                raise RuntimeError(f"the kernels cannot be built for {TARGET}")
            self.app.display_warning("The wheel has no compiled kernels: it will need numba.")
            self._compile_later(build_data)
            return
        build_data["force_include"][str(library)] = f"keltis/{library.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-linux_{machine}"

    def _compile_later(self, build_data: dict[str, Any]) -> None:
        extras = self.metadata.core.optional_dependencies
        build_data["dependencies"] += extras["kernels"]
