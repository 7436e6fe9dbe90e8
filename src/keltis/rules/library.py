"""The library of all kernels, compiled ahead of time by `keltis.build`; needs no compiler to run.

It lies in the package, and is one file for a platform. Its functions read numpy's arrays and write
Python's numbers themselves: so a call costs less than 0.1 microseconds, where `ctypes` would take
four times as long. They need no symbol of Python's: what they call of it is handed in here.
"""

import ctypes
import hashlib
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

PACKAGE = Path(__file__).resolve().parents[1]

# Where kernels are: each folder's call into those before it, and nothing else decides what they do.
LAYERS = ("rules", "game/kernels", "bots/kernels", "envs/kernels")

_BUILDER = "build"  # how they are compiled

# Where a library can be built and loaded; elsewhere numba compiles.
PLATFORMS = (("linux", "x86_64"), ("linux", "aarch64"))
PLATFORM = (sys.platform, platform.machine().lower())
PATH = PACKAGE / f"kernels-{'-'.join(PLATFORM)}.so"

# What the library's functions use of Python, in the order in which they are handed in.
API = (
    "PyErr_SetString",
    "PyErr_Occurred",
    "PyLong_AsLongLong",
    "PyLong_AsUnsignedLongLongMask",
    "PyLong_FromLongLong",
    "PyFloat_AsDouble",
    "PyBool_FromLong",
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
    "PyObject_IsInstance",
    "PyObject_RichCompareBool",
    "Py_IncRef",
)
OBJECTS: tuple[Any, ...] = (None, np.ndarray, TypeError, RuntimeError)

_FASTCALL = 0x80  # how Python calls them: with an array of arguments


class Unusable(ImportError):
    """There is no library that fits; the text says why, so that "for" can go before it."""

    def __init__(self, why: str, is_due: bool = False) -> None:
        super().__init__(why)
        self.is_due = is_due  # whether a build would make one that fits


def unlinked(path: Path = PATH) -> list[Path]:
    """The objects that a build leaves where there is no linker; llvmlite can load them."""
    return sorted(path.parent.glob(f"{path.stem}-*.o"))


def sources(layers: tuple[str, ...] = LAYERS) -> list[Path]:
    """All files that kernels are made of."""
    return [file for layer in layers for file in sorted((PACKAGE / layer).rglob("*.py"))]


def layer_of(module: str) -> str | None:
    """The folder of kernels that a module is in, by its name; None if it is none of ours."""
    place = module.replace(".", "/")
    return next((layer for layer in LAYERS if place.startswith(f"keltis/{layer}/")), None)


def cache() -> Path:
    """Where kernels are kept that numba compiled: a folder for each layer and state of its sources.

    In the user's folder for such things, or where the variable NUMBA_CACHE_DIR says.
    """
    import platformdirs

    return Path(os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("keltis"))


def cache_name(layer: str) -> str:
    """The folder of a layer in the cache.

    Numba's cache notices an edit of the file that holds a function, but not of a file that
    it calls into. So the folder is named for all sources that the layer may call.
    """
    digest = hashlib.sha256()
    for file in sources(LAYERS[: LAYERS.index(layer) + 1]):
        digest.update(file.read_bytes())
    return f"{layer.replace('/', '-')}-{digest.hexdigest()[:16]}"


def fingerprint() -> str:
    """What a library must have been made from and for, to be loaded here."""
    digest = hashlib.sha256()
    for file in sources((*LAYERS, _BUILDER)):
        digest.update(f"{file.relative_to(PACKAGE).as_posix()}\0".encode())
        digest.update(file.read_bytes())
    # The size of an object's head decides where numpy's arrays have their parts.
    return f"{' '.join(PLATFORM)} {object.__basicsize__} {digest.hexdigest()}"


class Array(NamedTuple):
    """What an entry takes: an array, contiguous, with records of one of these types."""

    types: Any  # one, or a tuple of them
    dimensions: int = 1


class Scalar(NamedTuple):
    """What an entry takes: a number."""

    type: Any


class Entry(NamedTuple):
    """A kernel that Python calls."""

    kernel: Any  # the function as it is called: compiled, or a part of the library
    function: Any  # the function as it was written
    parameters: dict[str, Array | Scalar]

    @property
    def symbol(self) -> str:
        """Its name in the library."""
        return f"{self.function.__module__}.{self.function.__qualname__}"


_Address = Callable[[str], int | None]  # of a symbol; None if there is none


class _Method(ctypes.Structure):
    """Python's description of a function."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class Library:
    """A library that is loaded: its functions by their symbols."""

    def __init__(self, address: _Address) -> None:
        self._address = address
        self._kept: list[Any] = []  # what Python's functions point to
        table = [
            ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value for name in API
        ]
        self._write("keltis.python", [*table, *map(id, OBJECTS)])

    def __contains__(self, symbol: str) -> bool:
        return self._address(symbol) is not None

    def _write(self, symbol: str, pointers: list[Any]) -> None:
        where = self._address(symbol)
        assert where is not None, symbol
        place = (ctypes.c_void_p * len(pointers)).from_address(where)
        place[:] = pointers

    def function(self, entry: Entry) -> Any:
        """An entry as a function for Python."""
        arrays = [p for p in entry.parameters.values() if isinstance(p, Array)]
        types = [kind for array in arrays for kind in array.types]
        if types:
            self._write(f"{entry.symbol}.types", [id(kind) for kind in types])
        name = entry.function.__name__
        doc = f"{name}({', '.join(entry.parameters)})\n--\n\n{entry.function.__doc__ or ''}"
        method = _Method(name.encode(), self._address(entry.symbol), _FASTCALL, doc.encode())
        self._kept += [method, types]
        make = ctypes.pythonapi.PyCFunction_NewEx
        make.restype = ctypes.py_object
        make.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.py_object)
        return make(ctypes.addressof(method), None, entry.function.__module__)


def seal(code: bytes) -> bytes:
    """What stands at the end of a library's files, by which one is known that was cut short.

    To load a part of a library, or a changed one, ends the whole process or makes other games.
    """
    return b"keltis:" + hashlib.sha256(code).digest()


def load() -> Library:
    """The library, if there is one that fits; raises Unusable."""
    if PLATFORM not in PLATFORMS:
        raise Unusable(f"there is no library of them for {' '.join(PLATFORM)}")
    files = [PATH] if os.path.exists(PATH) else unlinked()
    if not files:
        raise Unusable("they have not been built here", is_due=True)
    for file in files:
        _check_whole(file)
    address = _linked(PATH) if files == [PATH] else _loaded(files)
    found = address("keltis.fingerprint")
    if found is None or ctypes.string_at(found).decode() != fingerprint():
        raise Unusable("they were built from other sources", is_due=True)
    asked = address("keltis.runs_here")
    if asked is None or not ctypes.CFUNCTYPE(ctypes.c_int)(asked)():
        raise Unusable("they were built for a newer processor")
    return Library(address)


def _check_whole(path: Path) -> None:
    try:
        written = path.read_bytes()
    except OSError as fault:
        raise Unusable(f"{path.name} cannot be read ({fault.strerror})", is_due=True) from None
    length = len(seal(b""))
    if written[-length:] != seal(written[:-length]):
        raise Unusable(f"{path.name} is damaged", is_due=True)


def _linked(path: Path) -> _Address:
    try:
        library = ctypes.CDLL(str(path))
    except OSError as fault:
        raise Unusable(f"{path.name} cannot be loaded ({fault})") from None

    def address(symbol: str) -> int | None:
        try:
            return ctypes.addressof(ctypes.c_char.in_dll(library, symbol))
        except ValueError:
            return None

    return address


def _loaded(objects: list[Path]) -> _Address:
    try:
        import llvmlite.binding as llvm
    except ModuleNotFoundError:
        raise Unusable("they are not linked, and llvmlite is not installed") from None
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    for file in objects:
        engine.add_object_file(llvm.ObjectFileRef.from_path(str(file)))
    engine.finalize_object()

    def address(symbol: str) -> int | None:
        return (
            engine.get_global_value_address(symbol) or engine.get_function_address(symbol) or None
        )

    return address
