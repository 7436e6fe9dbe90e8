"""Kernels compiled by numba; imported only where there is no library of them, or to build one."""

import contextlib
import functools
import multiprocessing
import os
import sys

import llvmlite.binding
import numba
import numba.extending
from numba.core import config
from numba.core.registry import cpu_target

from keltis.rules import library

BUILDING = False  # whether all that is compiled becomes one library, see `keltis.build`


@functools.cache
def _cache_folder(layer):
    """Where a layer's compiled kernels are kept, or None if nothing can be written there."""
    folder = library.cache() / library.cache_name(layer)
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return str(folder)
    _say_that_nothing_is_kept(folder.parent)
    return None


@functools.cache
def _say_that_nothing_is_kept(where):
    """Once in a program, and not in its workers."""
    if multiprocessing.parent_process() is None:
        print(
            f"keltis: compiled kernels cannot be kept in {where}, so each start waits for the "
            "compiler; NUMBA_CACHE_DIR can name a folder that can be written to",
            file=sys.stderr,
        )


def compiled(function, inline):
    """Without the interpreter's lock; ours are cached on disk, and compiled for one type of number.

    Kernels of other packages are numba's as they stand.
    """
    options = {"nogil": True, "error_model": "numpy", "forceinline": inline}
    if BUILDING:
        made = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)(function)
        _take_wide_numbers(made)
        return made
    layer = library.layer_of(function.__module__)
    folder = None if layer is None else _cache_folder(layer)
    before = config.CACHE_DIR
    config.CACHE_DIR = folder or before
    try:
        if layer is None:
            return numba.njit(**options)(function)
        made = numba.njit(cache=folder is not None, no_cfunc_wrapper=True, **options)(function)
    finally:
        config.CACHE_DIR = before
    _take_wide_numbers(made)
    return made


def _take_wide_numbers(made):
    """Have a part compiled only once, whatever whole numbers its callers hand over."""
    types = numba.types
    fold = made._compiler.fold_argument_types

    def wide(kind):
        kind = types.unliteral(kind)
        is_narrow = isinstance(kind, types.Integer) and kind is not types.uint64
        return types.int64 if is_narrow else kind

    def folded(arguments, keywords):
        signature, kinds = fold(arguments, keywords)
        return signature, tuple(map(wide, kinds))

    made._compiler.fold_argument_types = folded


def overload(function, chosen):
    """See `kernel.overload`. The body is copied: by numba, or in a library by LLVM, once."""
    if BUILDING:
        numba.extending.overload(function, jit_options={"forceinline": True})(chosen)
    else:
        numba.extending.overload(function, inline="always")(chosen)


intrinsic = numba.extending.intrinsic


def type_of(compiled):
    """Numba's type of a compiled function."""
    return cpu_target.typing_context.resolve_value_type(compiled)


_standing: dict[object, object] = {}  # numba itself keeps only weak references


def stands_for(native, made):
    """Let kernels that are compiled here call this when they name a function of the library."""
    _standing[native] = made
    cpu_target.typing_context.insert_global(native, type_of(made))


def has(feature):
    """Whether the processor that is compiled for can do something."""
    if config.CPU_NAME is None:
        return bool(llvmlite.binding.get_host_cpu_features().get(feature))
    return config.CPU_NAME == "x86-64-v3" or f"+{feature}" in (config.CPU_FEATURES or "")
