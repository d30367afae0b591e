"""What a stored password hash says without a password."""


def is_usable(password_hash: str) -> bool:
    """Return whether any password fits; none does for an account without one. Decision: G811."""
    return password_hash.startswith("$argon2")
