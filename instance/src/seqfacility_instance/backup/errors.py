"""How moving, backing up and restoring say no; commands alone do these, so no answer is made of it."""


class BackupRefused(Exception):
    """A refusal in one line: what is in the way, and what to do about it."""
