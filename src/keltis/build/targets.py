"""The processors that a library can be made for."""

from dataclasses import dataclass

from keltis.build import BuildError
from keltis.rules import library


@dataclass(frozen=True)
class Target:
    """A processor that a library is made for."""

    name: str
    triple: str
    cpu: str  # for the kernels
    plain_cpu: str  # for the functions that are called before it is known what there is
    machine: str  # as Python names it
    linkers: tuple[tuple[str, ...], ...]  # commands that make a shared library, the best first


_CC = ("-shared", "-nostartfiles", "-lm")
_ELF = ("-shared", "-z", "noexecstack", "--hash-style=gnu", "-O1")
TARGETS = {
    target.name: target
    for target in (
        Target(
            "x86-64-v3", "x86_64-unknown-linux-gnu", "x86-64-v3", "x86-64", "x86_64",
            (("cc", *_CC), ("ld", *_ELF), ("ld.lld", *_ELF)),
        ),
        Target(
            "x86-64", "x86_64-unknown-linux-gnu", "x86-64", "x86-64", "x86_64",
            (("cc", *_CC), ("ld", *_ELF), ("ld.lld", *_ELF)),
        ),
        Target(
            "aarch64", "aarch64-unknown-linux-gnu", "generic", "generic", "aarch64",
            (
                ("aarch64-linux-gnu-gcc", *_CC),
                ("aarch64-linux-gnu-ld", *_ELF),
                ("ld.lld", *_ELF),
            ),
        ),
    )
}  # fmt: skip


def native_target() -> Target:
    """What to build for on this machine."""
    system, machine = library.PLATFORM
    if (system, machine) not in library.PLATFORMS:
        raise BuildError(f"no library can be built on {system} {machine}: numba compiles there")
    if machine == "x86_64":
        import llvmlite.binding as llvm

        features = llvm.get_host_cpu_features()
        new = all(features.get(name) for name in ("avx2", "bmi", "bmi2", "fma", "lzcnt", "movbe"))
        return TARGETS["x86-64-v3" if new else "x86-64"]
    return TARGETS["aarch64"]
