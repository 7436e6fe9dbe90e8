"""A table as its events make it, and what may be done at it. Nothing here waits or writes."""
