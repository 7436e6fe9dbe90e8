"""The processors that a library can be made for."""

import platform
from dataclasses import dataclass

from keltis.build import BuildError


@dataclass(frozen=True)
class Target:
    """A processor that a library is made for."""

    name: str
    triple: str
    cpu: str  # for the kernels
    plain_cpu: str  # for the functions that are called before it is known what there is
    machine: str  # as Python names it
    linkers: tuple[tuple[str, ...], ...]  # commands that make a shared library, the best first


_ELF = ("-shared", "-z", "noexecstack", "--hash-style=gnu", "-O1")
TARGETS = {
    target.name: target
    for target in (
        Target(
            "x86-64-v3", "x86_64-unknown-linux-gnu", "x86-64-v3", "x86-64", "x86_64",
            (("cc", "-shared", "-lm"), ("ld", *_ELF), ("ld.lld", *_ELF)),
        ),
        Target(
            "x86-64", "x86_64-unknown-linux-gnu", "x86-64", "x86-64", "x86_64",
            (("cc", "-shared", "-lm"), ("ld", *_ELF), ("ld.lld", *_ELF)),
        ),
        Target(
            "aarch64", "aarch64-unknown-linux-gnu", "generic", "generic", "aarch64",
            (
                ("aarch64-linux-gnu-gcc", "-shared", "-lm"),
                ("aarch64-linux-gnu-ld", *_ELF),
                ("ld.lld", *_ELF),
            ),
        ),
    )
}  # fmt: skip


def native_target() -> Target:
    """What to build for on this machine."""
    machine = platform.machine().lower()
    if machine in ("x86_64", "amd64"):
        import llvmlite.binding as llvm

        features = llvm.get_host_cpu_features()
        new = all(features.get(name) for name in ("avx2", "bmi", "bmi2", "fma", "lzcnt", "movbe"))
        return TARGETS["x86-64-v3" if new else "x86-64"]
    if machine in ("aarch64", "arm64"):
        return TARGETS["aarch64"]
    raise BuildError(f"no library can be made for {machine}: numba will compile as it is needed")
