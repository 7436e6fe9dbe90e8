"""Alembic's entry: `keltis.server.storage.migrate` hands over an open connection."""

from alembic import context

from keltis.server.storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
