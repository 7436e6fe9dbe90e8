"""What the kernels of both games stand on: the compiler, bits, and random numbers.

A kernel is plain Python that numba compiles. Set ``NUMBA_DISABLE_JIT=1`` and the same code
runs uncompiled, slower by a factor of thousands, and plays the same games.
"""

import functools
import hashlib
import os
from pathlib import Path

import llvmlite.binding
import numba
import numpy as np
import platformdirs
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

RESULT = np.dtype(  # of a game played in compiled code
    (
        np.record,
        [
            ("decisions", np.int32),
            ("turns", np.int32),
            ("reason", np.int8),
            ("scores", np.int16, 4),
        ],
    )
)

_PACKAGE = Path(__file__).resolve().parents[1]


# Where kernels are; each package calls only into those before it.
_PACKAGES = ("keltis.rules", "keltis.bots.kernels", "keltis.envs.kernels")


@functools.cache
def _cache_folder(package):
    """Where a package's compiled kernels are kept, or None if nothing can be written there.

    Numba's cache notices an edit of the file that holds a function, but not of a file that
    it calls into. So the folder is named for all sources that the package may call.
    """
    sources = hashlib.sha256()
    for name in _PACKAGES[: _PACKAGES.index(package) + 1]:
        for file in sorted(_PACKAGE.joinpath(*name.split(".")[1:]).glob("**/*.py")):
            sources.update(file.read_bytes())
    base = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("keltis")
    folder = Path(base) / f"{package.split('.')[1]}-{sources.hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return str(folder) if os.access(folder, os.W_OK) else None


def kernel(function, inline=False):
    """Compile a function: without the interpreter's lock, and cached on disk if it is ours."""
    package = function.__module__.rpartition(".")[0]
    folder = _cache_folder(package) if package in _PACKAGES else None
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = folder or before
    try:
        return numba.njit(
            cache=folder is not None, nogil=True, error_model="numpy", forceinline=inline
        )(function)
    finally:
        numba.config.CACHE_DIR = before


def inlined(function):
    """The same for a part of a kernel that is called often: it is copied into its callers.

    Left to itself, the compiler calls the larger parts, which costs random play a fifth.
    """
    return kernel(function, inline=True)


# Bits. Each of these is an instruction or two of the processor, and something else in Python.


def popcount(mask):
    """How many bits are set; the mask is not negative."""
    return int(mask).bit_count()


def lowest(mask):
    """The place of the lowest bit that is set; there is one."""
    mask = int(mask)
    return (mask & -mask).bit_length() - 1


def select(mask, k):
    """The place of the k-th lowest bit that is set, counted from 0; there are more than k."""
    mask = int(mask)
    for _ in range(k):
        mask &= mask - 1
    return lowest(mask)


@intrinsic
def _ctpop(typing_context, mask):
    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _cttz(typing_context, mask):
    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), generate


@intrinsic
def _pdep(typing_context, source, mask):
    def generate(context, builder, signature, arguments):
        word = ir.IntType(64)
        instruction = builder.module.declare_intrinsic(
            "llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, (word, word))
        )
        return builder.call(instruction, arguments)

    return types.int64(types.int64, types.int64), generate


@overload(popcount, inline="always")
def _popcount(mask):
    return lambda mask: _ctpop(np.int64(mask))


@overload(lowest, inline="always")
def _lowest(mask):
    return lambda mask: _cttz(np.int64(mask))


@overload(select, inline="always")
def _select(mask, k):
    # A loop's exit is mispredicted about once a call, which halves the speed of random play.
    if llvmlite.binding.get_host_cpu_features().get("bmi2"):
        return lambda mask, k: _cttz(_pdep(np.int64(1) << k, np.int64(mask)))

    def select(mask, k):
        mask = np.int64(mask)
        for _ in range(k):
            mask &= mask - 1
        return _cttz(mask)

    return select


@kernel
def bit(place):
    """The mask with one bit set."""
    return np.int64(1) << np.int64(place)


# Random numbers: SplitMix64, whose whole state is one 64-bit word in the record.

_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB
_WORD = (1 << 64) - 1


def advance(rng):
    """The generator's next state."""
    return np.uint64((int(rng) + _GOLDEN) & _WORD)


def scramble(rng):
    """32 random bits from a state."""
    z = int(rng)
    z = ((z ^ (z >> 30)) * _MIX_1) & _WORD
    z = ((z ^ (z >> 27)) * _MIX_2) & _WORD
    return (z ^ (z >> 31)) >> 32


@overload(advance, inline="always")
def _advance(rng):
    golden = np.uint64(_GOLDEN)
    return lambda rng: rng + golden


@overload(scramble, inline="always")
def _scramble(rng):
    mix_1, mix_2 = np.uint64(_MIX_1), np.uint64(_MIX_2)

    def scramble(rng):
        z = (rng ^ (rng >> np.uint64(30))) * mix_1
        z = (z ^ (z >> np.uint64(27))) * mix_2
        return np.int64((z ^ (z >> np.uint64(31))) >> np.uint64(32))

    return scramble


@kernel
def below(s, n):
    """A random number from 0 to n - 1, taken from the record's generator.

    Uniform up to n / 2**32, which no experiment with cards can notice.
    """
    s.rng = advance(s.rng)
    return (scramble(s.rng) * np.int64(n)) >> 32


@kernel
def shuffle(s, cards, first, end):
    """Shuffle cards[first:end] in place."""
    for last in range(end - 1, first, -1):
        other = first + below(s, last - first + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card
