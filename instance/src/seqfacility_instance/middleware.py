"""Falcon middleware that is about the service, not about the caller: database connection, default caching."""

from typing import Final

from falcon import Request, Response
from peewee import Database, PeeweeException
from seqfacility_wire.errors import NotSetUp

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
