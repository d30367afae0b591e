"""Workflow engines: how a staged run becomes a command, and how its progress is read."""
