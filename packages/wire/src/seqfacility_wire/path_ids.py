"""The form of ids in URL paths."""

import re

from falcon.routing import BaseConverter

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class IdConverter(BaseConverter):
    """Falcon path converter: an opaque id; anything else makes the path unknown. Decision: G3."""

    def convert(self, value: str) -> str | None:
        """Return the id, or None when the text can be none."""
        return value if _ID.fullmatch(value) else None
