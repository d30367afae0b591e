"""Falcon middleware that is about the service, not about the caller: database connection, default caching."""

from falcon import Request, Response
from peewee import Database, PeeweeException
from seqfacility_wire.errors import NotSetUp

from seqfacility_instance.migrations import pending
from seqfacility_instance.tables.base import keeps_connections

OPEN_WITHOUT_DATABASE = frozenset(
    {
        "/api/version",
        "/api/setup/status",
        "/api/health",
        "/api/openapi.json",
        "/api/docs",
        "/api/docs/{name}",
    }
)
"""Routes that answer before the service is set up. Gap: G11, G49."""


class NoStore:
    """Answers are not to be kept unless their responder says otherwise. Gap: G17."""

    def process_resource(
        self, _req: Request, resp: Response, _resource: object, _params: dict[str, object]
    ) -> None:
        """Set the default before the responder runs."""
        resp.set_header("Cache-Control", "no-store")


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
        """Connect before anybody asks the database; raises `NotSetUp`."""
        if req.uri_template in OPEN_WITHOUT_DATABASE:
            return
        try:
            req.context.has_connected = self._database.connect(reuse_if_open=True)
            self._is_current = self._is_current or not pending(self._database)
        except PeeweeException as unreachable:
            raise NotSetUp(headers={"Retry-After": "5"}) from unreachable
        if not self._is_current:
            raise NotSetUp

    def process_response(self, req: Request, _resp: Response, _resource: object, _succeeded: bool) -> None:
        """Give a pooled connection back; SQLite's stay open with their thread."""
        if getattr(req.context, "has_connected", False) and not keeps_connections(self._database):
            self._database.close()
