"""What threads need that share work without the interpreter: counters, and arrays by address."""

import ctypes

import numpy as np

from keltis.rules.kernel import intrinsic, overload

# Counters. Uncompiled there is only one thread, so plain reads and writes will do.


def fetch_add(counters, k, amount):
    """Add to a shared counter; tell what it was before."""
    before = counters[k]
    counters[k] += amount
    return before


def load(counters, k):
    """A shared counter's value."""
    return counters[k]


def put(counters, k, value):
    """Set a shared counter."""
    counters[k] = value


def _place(context, builder, signature, arguments):
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    return builder.gep(data, [arguments[1]])


@intrinsic
def _fetch_add(typing_context, counters, k, amount):
    from numba import types

    def generate(context, builder, signature, arguments):
        place = _place(context, builder, signature, arguments)
        return builder.atomic_rmw("add", place, arguments[2], "seq_cst")

    return types.int64(counters, types.int64, types.int64), generate


@intrinsic
def _load(typing_context, counters, k):
    from numba import types

    def generate(context, builder, signature, arguments):
        place = _place(context, builder, signature, arguments)
        return builder.load_atomic(place, "seq_cst", 8)

    return types.int64(counters, types.int64), generate


@intrinsic
def _put(typing_context, counters, k, value):
    from numba import types

    def generate(context, builder, signature, arguments):
        place = _place(context, builder, signature, arguments)
        builder.store_atomic(arguments[2], place, "seq_cst", 8)
        return context.get_dummy_value()

    return types.void(counters, types.int64, types.int64), generate


@overload(fetch_add)
def _fetch_add_overload(counters, k, amount):
    return lambda counters, k, amount: _fetch_add(counters, np.int64(k), np.int64(amount))


@overload(load)
def _load_overload(counters, k):
    return lambda counters, k: _load(counters, np.int64(k))


@overload(put)
def _put_overload(counters, k, value):
    return lambda counters, k, value: _put(counters, np.int64(k), np.int64(value))


# Arrays by address, which their owner keeps alive: so a thread that runs compiled code can be
# given other arrays without having to go back to Python for them.


def array_at(address, shape, kind):
    """The array of this shape and type that begins at an address."""
    size = np.prod(shape) * np.dtype(kind).itemsize
    memory = (ctypes.c_byte * size).from_address(int(address))
    return np.frombuffer(memory, kind).reshape(shape)


@intrinsic
def _pointer(typing_context, address):
    from numba import types

    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.int64), generate


@overload(array_at)
def _array_at(address, shape, kind):
    import numba

    return lambda address, shape, kind: numba.carray(_pointer(np.int64(address)), shape, kind)
