"""The one authority over live games: stores, checks, sends each seat its view.

`tables` says what a table is and what may be done at it, `storage` keeps its events, `live` holds
tables in memory and tells people what happens, `transport` is how clients reach them. Each uses
only those before it. docs/protocol.md says what clients see, docs/server.md how to run a server.
"""
