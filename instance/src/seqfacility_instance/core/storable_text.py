"""Text from files and programs, made such that every database holds it and every answer shows it."""

import re

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def storable_text(text: str) -> str:
    """Replace NUL and lone surrogates, which PostgreSQL or UTF-8 refuse. Decision: G376."""
    return _UNSTORABLE.sub("\ufffd", text)
