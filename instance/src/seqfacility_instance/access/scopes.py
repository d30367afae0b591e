"""What the scopes of an API token include."""

from collections.abc import Collection

from seqfacility_instance.core.vocabulary.people import Scope


def allows(granted: Collection[Scope], needed: Scope | None) -> bool:
    """Return whether a token with the scopes `granted` may do what needs `needed`; None is for no token.

    Decision: G801.
    """
    if needed is None:
        return False
    writing = needed.removesuffix(":read") + ":write"
    return Scope.ADMIN in granted or needed in granted or (needed.endswith(":read") and writing in granted)
