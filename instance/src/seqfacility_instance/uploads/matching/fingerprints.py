"""What tells one state of a file from any other, as clients make it."""

import hashlib
from collections.abc import Sequence

HEX_DIGITS = 32


def joined_fingerprint(parts: Sequence[str | None]) -> str | None:
    """Return the fingerprint of files that are sent as one; None when that of one part is not known.

    Decision: G425, G636.
    """
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    if len(known) == 1:
        return known[0]
    return hashlib.sha256(" ".join(known).encode()).hexdigest()[:HEX_DIGITS]
