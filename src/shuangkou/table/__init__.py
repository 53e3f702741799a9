"""People and bots at a table."""
