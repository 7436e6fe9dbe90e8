"""All kernels compiled ahead of time into one library: ``python -m keltis.build``.

Numba is asked only for the types and for LLVM's code of each function (`parts`). All of that is
linked and optimised once, where the JIT optimises each part on its own and again in each of its
callers (`objects`). A game is a module, so that two processors can work at the same time. The
functions take pointers and numbers, as C's do, and need nothing of Python; those that Python calls
are written around them (`python`). `keltis.rules.library` loads the result.
"""


class BuildError(Exception):
    """The kernels cannot be built; the text says why."""
