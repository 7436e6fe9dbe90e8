"""The compiled part of the bots: heuristic, value network, belief and rollouts, for both games.

Kernels take records, arrays and numbers, and allocate nothing: what they work in is handed in,
see `scratch`. In all of them `s` is the record of a game, `p` and `q` are players, `c` is a
colour, `h` the heuristic's scratch memory and `net` the network's.
"""
