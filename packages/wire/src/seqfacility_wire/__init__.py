"""HTTP conventions of the instance and the registry (extra `http`), and what all commands share."""
