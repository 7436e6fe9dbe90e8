"""Puts the kernels into wheels, compiled; see src/keltis/build.

Where no library can be built, and in an editable installation, whose kernels may be edited, the
package needs numba instead.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Another processor than this one's: one of those that `python -m keltis.build --help` lists.
TARGET = os.environ.get("KELTIS_TARGET", "")


class KernelsHook(BuildHookInterface[Any]):
    """The kernels of a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable" and sys.platform == "linux":
            machine = "aarch64" if TARGET == "aarch64" else os.uname().machine
            name = f"kernels-linux-{machine}.so"
            if library := self._built(name):
                build_data["force_include"][str(library)] = f"keltis/{name}"
                build_data["pure_python"] = False
                build_data["tag"] = f"py3-none-linux_{machine}"
                return
            self.app.display_warning("The wheel has no compiled kernels: it will need numba.")
        build_data["dependencies"] += self.metadata.core.optional_dependencies["kernels"]

    def _built(self, name: str) -> Path | None:
        """The library in the source tree, built anew if need be; or one for another processor."""
        source = Path(self.root) / "src"
        library = source / "keltis" / name
        order = [sys.executable, "-m", "keltis.build"]
        if TARGET:
            self._folder = tempfile.TemporaryDirectory()
            library = Path(self._folder.name) / name
            order += ["--target", TARGET, "--out", str(library)]
        # pip's isolated environments are on the path that is there already.
        path = [str(source), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
        done = subprocess.run(order, env=environment, check=False)
        if TARGET and (done.returncode or not library.exists()):
            raise RuntimeError(f"the kernels cannot be built for {TARGET}")
        return library if done.returncode == 0 and library.exists() else None
