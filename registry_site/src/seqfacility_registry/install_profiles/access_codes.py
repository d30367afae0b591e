"""Access codes: kept as Argon2id hashes, compared without telling how close a guess was."""

from collections.abc import Iterable

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

SHORTEST_CODE = 20
"""Decision: G241."""

LONGEST_CODE = 256
"""Nobody's code is longer; hashing a megabyte for a stranger would be a gift."""

_HASHER = PasswordHasher()
_NOBODYS_HASH = _HASHER.hash("a code that nobody was ever given")


def hash_access_code(code: str) -> str:
    """Hash a code for the operator's secrets folder; raises `ValueError` when it is too short or too long.

    Decision: G241, G266.
    """
    if not SHORTEST_CODE <= len(code) <= LONGEST_CODE:
        raise ValueError(f"an access code has {SHORTEST_CODE} to {LONGEST_CODE} characters")
    return _HASHER.hash(code)


def is_access_code(code: str, hashes: Iterable[str]) -> bool:
    """Return whether a code is one of those whose hashes are kept.

    Every hash is tried, also after a hit, and one is tried when there are none: the time tells nothing.

    Decision: G241.
    """
    if not SHORTEST_CODE <= len(code) <= LONGEST_CODE:
        return False
    hits = [_matches(code, kept) for kept in (tuple(hashes) or (_NOBODYS_HASH,))]
    return any(hits)


def _matches(code: str, kept: str) -> bool:
    try:
        return _HASHER.verify(kept, code)
    except (Argon2Error, InvalidHashError):
        return False
