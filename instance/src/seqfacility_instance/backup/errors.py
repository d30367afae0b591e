"""The refusal of moving, backing up and restoring; only commands raise it, so it is no HTTP error."""


class BackupRefused(Exception):
    """A refusal in one line: what is in the way, and what to do about it."""
