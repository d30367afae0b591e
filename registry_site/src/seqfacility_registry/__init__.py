"""The public registry that facilities sync from."""
