"""Writing masks of cards into tensors, eight cards at a time.

A tensor is a flat array of bytes, and `at` a place in it. `spread` writes whole words, so it may
write zeros up to a byte past the 55 cards: parts are written from first to last, and the last
part of a tensor is never one of cards.
"""

import numpy as np

from keltis.rules.kernel import intrinsic, kernel, overload

# The eight bits of a byte, one in each byte of a word.
_SPREAD = np.array(
    [sum(1 << (8 * k) for k in range(8) if byte >> k & 1) for byte in range(256)], np.int64
)
_CARD_WORDS = 7  # of eight cards: 56 places for 55 cards

SECRET = 64  # added, in a history, to a card that only the seat that drew it saw


def store(out, at, word):
    """Write eight bytes, the lowest first."""
    out[at : at + 8] = np.frombuffer(int(word).to_bytes(8, "little"), np.int8)


@intrinsic
def _store(typing_context, out, at, word):
    from llvmlite import ir
    from numba import types

    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.gep(data, [arguments[1]])
        builder.store(arguments[2], builder.bitcast(place, ir.IntType(64).as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(out, types.int64, types.int64), generate


@overload(store)
def _store_overload(out, at, word):
    return lambda out, at, word: _store(out, np.int64(at), np.int64(word))


@kernel
def spread(out, at, mask):
    """Write a mask of cards as 55 bytes of 0 or 1; tell where they end."""
    for k in range(_CARD_WORDS):
        store(out, at + 8 * k, _SPREAD[(mask >> (8 * k)) & 0xFF])
    return at + 55


@kernel
def spread_twice(out, at, mask, twice):
    """Write how many there are of each card, 0 to 2, as 55 bytes; tell where they end."""
    for k in range(_CARD_WORDS):
        shift = 8 * k
        store(out, at + shift, _SPREAD[(mask >> shift) & 0xFF] + _SPREAD[(twice >> shift) & 0xFF])
    return at + 55


@kernel
def spread_few(out, at, mask, count):
    """Write a small mask as bytes of 0 or 1; tell where they end."""
    for k in range(count):
        out[at + k] = (mask >> k) & 1
    return at + count


@kernel
def one_hot(out, at, count, which):
    """Write a 1 at one place of some, or nowhere if it is out of their range."""
    for k in range(count):
        out[at + k] = k == which
    return at + count


@kernel
def remembered(out, at, viewer, players, history, i, count):
    """Write the last decisions, the latest first: who, what, and the card that the viewer saw.

    `history` holds seat, action and card of each, in a ring; a card of -1 was not there, and one
    of SECRET or more was seen only by the seat that drew it. What is written is one more than
    each number, and 0 for none.
    """
    room = history.shape[2]
    for k in range(room):
        who = what = card = np.int64(0)
        if k < count:
            place = (count - 1 - k) % room
            seat = np.int64(history[i, 0, place])
            who = (seat - viewer) % players + 1
            what = np.int64(history[i, 1, place]) + 1
            card = np.int64(history[i, 2, place])
            if card >= SECRET:
                card = card - SECRET if seat == viewer else -1
            card += 1
        out[at + k] = who
        out[at + room + k] = what
        out[at + 2 * room + k] = card
    return at + 3 * room
