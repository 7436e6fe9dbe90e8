"""The checked façade over the rules: games, tokens, records, views."""
