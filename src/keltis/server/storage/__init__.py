"""The log of events in the database: written, read, migrated, looked after."""
