"""What an e-mail and a password must be."""

import re

from seqfacility_instance.core import limits

_EMAIL = re.compile(r"[^@\s\x00-\x1f]{1,64}@[^@\s\x00-\x1f]{1,190}")


def normalized_email(text: str) -> str:
    """Give an e-mail as it is compared and stored. Gap: G21."""
    return text.strip().lower()


def is_email(text: str) -> bool:
    """Tell whether a text has the form of an e-mail address."""
    return _EMAIL.fullmatch(text) is not None and len(text) <= limits.SINGLE_LINE_MAX_CHARACTERS


def password_problems(password: str, email: str) -> list[str]:
    """List what keeps a new password from being one; `[]` when nothing does. Gap: G28."""
    problems = []
    if len(password) < limits.PASSWORD_MIN_CHARACTERS:
        problems.append(f"password: must have at least {limits.PASSWORD_MIN_CHARACTERS} characters")
    if len(password) > limits.PASSWORD_MAX_CHARACTERS:
        problems.append(f"password: must have at most {limits.PASSWORD_MAX_CHARACTERS} characters")
    if normalized_email(password) == normalized_email(email):
        problems.append("password: must not be the e-mail address")
    return problems
