"""How moving, backing up and restoring say no; commands alone do these, so no answer is made of it."""


class BackupRefused(Exception):
    """One line for the person at the command: what is in the way, and what to do about it."""
