"""The one authority over live games: stores, checks, sends each seat its view.

A table is the fold of its events (`table`); the hall (`hall`) writes an event, and only then
acknowledges and publishes it. docs/protocol.md says what clients see, docs/server.md how to run it.
"""
