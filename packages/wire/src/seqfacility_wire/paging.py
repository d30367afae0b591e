"""A page of a list, as a client asks for it and as the answer names it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypedDict, TypeVar

from falcon import Request

from seqfacility_wire.requests import query_int

DEFAULT_LIMIT: Final = 50
MAX_LIMIT: Final = 500
DEFAULT_PAGE_SIZE: Final = 100
_MAX_NUMBER: Final = 2**31
_MAX_OFFSET: Final = 2**63 - 1 - MAX_LIMIT
"""The largest offset that a database takes."""

_Row = TypeVar("_Row")


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


class NumberedPageKeys(TypedDict):
    """What an answer that is a numbered page adds."""

    total: int
    page: int
    pageSize: int


@dataclass(frozen=True, slots=True)
class NumberedPage:
    """A page, from 1, of a list that is whole when none is asked for. Decision: G549."""

    number: int
    size: int

    def of(self, rows: Sequence[_Row]) -> Sequence[_Row]:
        """Return the rows of this page."""
        return rows[(self.number - 1) * self.size : self.number * self.size]

    def keys(self, total: int) -> NumberedPageKeys:
        """Return the keys that an answer adds: the total and the effective page."""
        return {"total": total, "page": self.number, "pageSize": self.size}


def read_numbered_page(req: Request, *narrowing: str) -> NumberedPage | None:
    """Read `page` and `pageSize`; None when neither they nor a parameter that narrows the list is there.

    Decision: G16, G549.
    """
    if not any(req.get_param(name) for name in ("page", "pageSize", *narrowing)):
        return None
    size = query_int(req, "pageSize", DEFAULT_PAGE_SIZE, 1, MAX_LIMIT)
    return NumberedPage(query_int(req, "page", 1, 1, _MAX_NUMBER), size)
