"""Text from files and programs, made storable in every database and in UTF-8."""

import re

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def storable_text(text: str) -> str:
    """Replace NUL and lone surrogates, which PostgreSQL or UTF-8 refuse. Decision: G376."""
    return _UNSTORABLE.sub("\ufffd", text)
