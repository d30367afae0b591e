"""Falcon middleware that is about the service, not about the caller: database connection, default caching."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from threading import Lock
from typing import Final

from falcon import Request, Response
from peewee import Database, PeeweeException
from seqfacility_wire.errors import NotSetUp, TooManyRequests
from seqfacility_wire.requests import RECEIVING

from seqfacility_instance.access.classes import Access, Needs
from seqfacility_instance.access.client_address import address_group
from seqfacility_instance.migrations import pending
from seqfacility_instance.tables.base import is_missing, keeps_connections
from seqfacility_instance.tables.errors import refusal_for

OPEN_WITHOUT_DATABASE = frozenset(
    {
        "/api/version",
        "/api/setup/status",
        "/api/health",
        "/api/openapi.json",
        "/api/docs",
        "/api/docs/{name}",
        "/",
        "/sign-in",
        "/sign-in/page.js",
        "/sign-in/page.css",
    }
)
"""Routes that answer before the service is set up. Gap: G11, G49."""


_SAFETY: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_ONLY_TLS: Final = {"Strict-Transport-Security": "max-age=63072000"}
"""Two years, for a service whose public address is https. Sub-domains are not ours to speak for."""


class NoStore:
    """Answers are not to be kept unless their responder says otherwise. Gap: G17."""

    def process_resource(
        self, _req: Request, resp: Response, _resource: object, _params: dict[str, object]
    ) -> None:
        """Set the default before the responder runs."""
        resp.set_header("Cache-Control", "no-store")


class BrowserSafety:
    """Tells browsers what an answer of the API is not: a page, a script's data, a thing to frame or refer to.

    An answer that is a page (documentation, a preview) has stated its own policy; it stays.

    Gap: G17.
    """

    def __init__(self, *, is_secure: bool) -> None:
        self._headers = {**_SAFETY, **(_ONLY_TLS if is_secure else {})}

    def process_response(self, _req: Request, resp: Response, _resource: object, _succeeded: bool) -> None:
        """Add what the responder has not stated."""
        for name, value in self._headers.items():
            if resp.get_header(name) is None:
                resp.set_header(name, value)


BODIES_PER_ADDRESS: Final = 16
"""Threads of a process that may wait for bodies of one address; chunks of uploads are not counted."""

_Within = Callable[[float], AbstractContextManager[None]]


class BodyDeadlines:
    """Bounds how long a body may take as a whole, and how many of one address are waited for.

    Workflow engines do not repeat a refused event (G255), so they have the deadline alone.

    Gap: G396.
    """

    def __init__(self, table: Mapping[str, Mapping[str, Access]]) -> None:
        self._table = table
        self._lock = Lock()
        self._receiving: Counter[str] = Counter()

    def process_resource(
        self, req: Request, _resp: Response, _resource: object, _params: dict[str, object]
    ) -> None:
        """Tell the reader of the body, where our own server gave it."""
        within: _Within | None = getattr(req.env["wsgi.input"], "arriving_within", None)
        access = self._table[req.uri_template or ""].get(req.method)
        if within is None or access is None:
            return
        if access.needs is not Needs.WEBLOG_SECRET:
            within = partial(self._receive, within, address_group(req.context.address))
        req.env[RECEIVING] = within

    @contextmanager
    def _receive(self, within: _Within, address: str, seconds: float) -> Iterator[None]:
        with self._lock:
            if self._receiving[address] >= BODIES_PER_ADDRESS:
                raise TooManyRequests(1)
            self._receiving[address] += 1
        try:
            with within(seconds):
                yield
        finally:
            with self._lock:
                self._receiving[address] -= 1
                if not self._receiving[address]:
                    del self._receiving[address]


class DatabaseConnection:
    """Gives each request a connection, and answers 503 while there is no database with our schema.

    Gap: G11, G263.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._is_current = False

    def process_resource(
        self, req: Request, _resp: Response, _resource: object, _params: dict[str, object]
    ) -> None:
        """Connect before anybody asks the database; raises `NotSetUp`, or what its failure means."""
        if req.uri_template in OPEN_WITHOUT_DATABASE:
            return
        if not self._is_current and is_missing(self._database):
            raise NotSetUp
        try:
            req.context.has_connected = self._database.connect(reuse_if_open=True)
            self._is_current = self._is_current or not pending(self._database)
        except PeeweeException as failed:
            raise refusal_for(failed) or NotSetUp from failed
        if not self._is_current:
            raise NotSetUp

    def process_response(self, req: Request, _resp: Response, _resource: object, _succeeded: bool) -> None:
        """Give a pooled connection back; SQLite's stay open with their thread."""
        if getattr(req.context, "has_connected", False) and not keeps_connections(self._database):
            self._database.close()
