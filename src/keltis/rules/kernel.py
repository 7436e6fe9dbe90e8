"""What the kernels of both games stand on: how they are compiled, bits, and random numbers.

A kernel is plain Python that is compiled. There are three ways to run it, and all of them play the
same games; `docs/kernels.md` tells more.

- From the library that `python -m keltis.build` makes of all kernels at once. It is loaded if it
  was made from these very sources and runs on this processor; then numba is not even imported.
- By numba, when it is first called: for those who edit kernels, and for kernels of other packages.
- As it stands, slower by a factor of thousands, if ``NUMBA_DISABLE_JIT=1`` is set.
"""

import functools
import importlib.util
import multiprocessing
import os
import sys
import threading

import numpy as np

from keltis.rules import library
from keltis.rules.library import Array, Entry, Scalar

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


# How kernels are compiled.


ENTRIES: list[Entry] = []  # all that have been declared
_waiting: list[object] = []  # what is to be done before anything is compiled
_lock = threading.RLock()


def _chosen_library():
    """The library of kernels; or None, if they are compiled when they are called or not at all."""
    chosen = os.environ.get("KELTIS_KERNELS", "")
    if chosen not in ("", "jit", "library"):
        raise ValueError(f"KELTIS_KERNELS can be jit or library, not {chosen!r}")
    if PLAIN or chosen == "jit":
        return None
    try:
        return library.load()
    except library.Unusable as reason:
        if chosen == "library":
            raise
        if importlib.util.find_spec("numba") is None:
            raise library.Unusable(
                f"no kernels that can run: {reason}, and there is no numba to compile them; "
                "to install it: pip install 'keltis[kernels]'"
            ) from None
        if multiprocessing.parent_process() is None:  # else the parent has said so
            cure = "; to build them once, in half a minute: python -m keltis.build"
            print(
                f"keltis: kernels are compiled as they are needed, for {reason}"
                f"{cure if reason.is_due else ''}",
                file=sys.stderr,
            )
        return None


PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
LIBRARY = _chosen_library()


class _Part:
    """What kernels are made of: numba compiles it as a part of those that Python calls.

    Python itself calls only entries, and kernels of other packages.
    """

    def __init__(self, make, function):
        self._make = make
        functools.update_wrapper(self, function)

    @functools.cached_property
    def compiled(self):
        return self._make(_jit(), self.__wrapped__)

    @property
    def _numba_type_(self):
        """What numba looks for when a kernel that it compiles uses this."""
        return _jit().type_of(self.compiled)

    def __call__(self, *arguments):
        if library.layer_of(self.__module__):
            raise TypeError(
                f"{self.__module__}.{self.__qualname__} is a part of other kernels, which Python "
                "cannot call: call it in a kernel of your own"
            )
        return self.compiled(*arguments)


def _jit():
    """The compiler; all that has been waiting for it is done."""
    try:
        from keltis.rules import jit
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            "this needs numba: the library has the kernels that Keltis itself calls, and no "
            "others; to install it: pip install 'keltis[kernels]'",
            name=missing.name,
        ) from missing
    with _lock:
        while _waiting:
            _waiting.pop()(jit)
    return jit


def _when_compiling(action):
    """Do something with the compiler: now, or if there is the library, only when it is needed."""
    if LIBRARY is None or "keltis.rules.jit" in sys.modules:
        action(_jit())
    else:
        _waiting.append(action)


def kernel(function, inline=False):
    """Compile a function that is a part of others, or somebody else's kernel."""
    return function if PLAIN else _part(function, inline)


def inlined(function):
    """The same for a part of a kernel that is called often: it is copied into its callers.

    Left to itself, the compiler calls the larger parts, which costs random play a fifth.
    """
    return kernel(function, inline=True)


def entry(**parameters):
    """Compile a function that Python calls, without the interpreter's lock.

    It is declared what is an array, and of what: a type, or if it may be a record of either game
    a tuple of them. All other parameters are whole numbers; what else is a number is declared as
    `Scalar`. The function must not allocate, and what it returns is a whole number, a truth, or
    nothing.
    """

    def declare(function):
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        declared = {name: _parameter(parameters.get(name)) for name in names}
        assert parameters.keys() <= declared.keys(), parameters
        new = Entry(function, function, declared)
        if not PLAIN:
            part = _part(function)
            if LIBRARY is not None and new.symbol in LIBRARY:
                native = LIBRARY.function(new)
                _when_compiling(lambda jit: jit.stands_for(native, part.compiled))
                new = new._replace(kernel=native)
            else:
                new = new._replace(kernel=part.compiled)
        ENTRIES.append(new)
        return new.kernel

    return declare


def _part(function, inline=False):
    return _Part(lambda jit, function: jit.compiled(function, inline), function)


def _parameter(declared):
    if declared is None:
        return Scalar(np.dtype(np.int64))
    if isinstance(declared, Scalar):
        return Scalar(np.dtype(declared.type))
    array = declared if isinstance(declared, Array) else Array(declared)
    types = array.types if isinstance(array.types, tuple) else (array.types,)
    return Array(tuple(map(np.dtype, types)), array.dimensions)


def overload(function):
    """Compile calls of a function as what the decorated one returns for the arguments' types."""

    def declare(chosen):
        if not PLAIN:
            _when_compiling(lambda jit: jit.overload(function, chosen))
        return chosen

    return declare


def intrinsic(function):
    """An instruction: the decorated function returns its types and how to write it."""
    if PLAIN:
        return function
    part = _Part(lambda jit, function: jit.intrinsic(function), function)
    return part if LIBRARY is not None else part.compiled


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
    from numba import types

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _cttz(typing_context, mask):
    from numba import types

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), generate


@intrinsic
def _pdep(typing_context, source, mask):
    from llvmlite import ir
    from numba import types

    def generate(context, builder, signature, arguments):
        word = ir.IntType(64)
        instruction = builder.module.declare_intrinsic(
            "llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, (word, word))
        )
        return builder.call(instruction, arguments)

    return types.int64(types.int64, types.int64), generate


@overload(popcount)
def _popcount(mask):
    return lambda mask: _ctpop(np.int64(mask))


@overload(lowest)
def _lowest(mask):
    return lambda mask: _cttz(np.int64(mask))


@overload(select)
def _select(mask, k):
    # A loop's exit is mispredicted about once a call, which halves the speed of random play.
    if _jit().has("bmi2"):
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


@overload(advance)
def _advance(rng):
    golden = np.uint64(_GOLDEN)
    return lambda rng: rng + golden


@overload(scramble)
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
