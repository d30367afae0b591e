"""A page of a list, as a client asks for it and as the answer names it."""

from dataclasses import dataclass
from typing import Final

from falcon import Request

from seqfacility_wire.requests import query_int

DEFAULT_LIMIT: Final = 50
MAX_LIMIT: Final = 500
_MAX_OFFSET: Final = 2**63 - 1 - MAX_LIMIT
"""The largest offset that a database takes."""


@dataclass(frozen=True, slots=True)
class Page:
    """At most `limit` rows after the first `offset`. Decision: G16."""

    limit: int
    offset: int

    def keys(self, total: int) -> dict[str, int]:
        """Return the keys that an answer adds: the total and the effective page. Decision: G16."""
        return {"total": total, "limit": self.limit, "offset": self.offset}


def read_page(req: Request) -> Page:
    """Read `limit` and `offset`: out of range is clamped, what is no number gives the default.

    Decision: G16.
    """
    limit = query_int(req, "limit", DEFAULT_LIMIT, 1, MAX_LIMIT)
    return Page(limit, query_int(req, "offset", 0, 0, _MAX_OFFSET))
