"""Falcon middleware that is about the service, not about the caller: database connection, default caching."""

import gzip
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from threading import Lock
from typing import Final

from falcon import Request, Response
from peewee import Database, PeeweeException
from seqfacility_wire.caching import accepts_gzip, offered_etags, strong_etag
from seqfacility_wire.client_address import network_of
from seqfacility_wire.errors import NotSetUp, TooManyRequests
from seqfacility_wire.requests import RECEIVING

from seqfacility_instance.access.classes import Access, Needs
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
    }
)
"""Routes that answer before the service is set up. Decision: G11, G49."""


class NoStore:
    """Answers are not to be kept unless their responder says otherwise. Decision: G17."""

    def process_resource(
        self, _req: Request, resp: Response, _resource: object, _params: dict[str, object]
    ) -> None:
        """Set the default before the responder runs."""
        resp.set_header("Cache-Control", "no-store")


SECRET_PATHS: Final = (
    "/api/auth",
    "/api/demo",
    "/api/register",
    "/api/invites",
    "/api/admin/invites",
    "/api/admin/machines",
    "/api/admin/users",
    "/api/admin/settings",
    "/api/admin/webhooks",
    "/api/orders/{order_id:id}/delivery/links",
    "/api/user/tokens",
)
"""Where answers hold what must stay secret: sessions, invite codes, links. Decision: G464.

The length of a compressed answer tells how much of it repeats what somebody else has put into it.
"""

_LARGE_BYTES: Final = 1024
"""Below this neither a 304 nor gzip saves what it costs."""

_GZIP_LEVEL: Final = 3
"""2 MB of samples: 4 ms and 80 kB; level 6 takes four times as long and saves a tenth of that."""


class LargeAnswers:
    """Gives large JSON answers a gzip form for who asks, and those of GET an entity tag and 304.

    The tag is weak, as it names the content in either form. Answers stay `no-store`: who polls keeps tag
    and content itself, no cache does.

    Decision: G464.
    """

    def process_response(self, req: Request, resp: Response, _resource: object, _succeeded: bool) -> None:
        """Look at what the responder has answered; Falcon sends the text that it serialises here."""
        if resp.media is None or resp.stream is not None or (req.uri_template or "").startswith(SECRET_PATHS):
            return
        content = resp.render_body() or b""
        if len(content) < _LARGE_BYTES:
            return
        if req.method == "GET" and resp.status_code == 200 and resp.get_header("ETag") is None:
            name = strong_etag(content)
            resp.set_header("ETag", f"W/{name}")
            if offered_etags(req) & {name, "*"}:
                resp.status = 304
                resp.media = None
                resp.delete_header("Content-Type")
                return
        resp.append_header("Vary", "Accept-Encoding")
        if accepts_gzip(req.get_header("Accept-Encoding")):
            resp.set_header("Content-Encoding", "gzip")
            resp.data = gzip.compress(content, _GZIP_LEVEL, mtime=0)


BODIES_PER_ADDRESS: Final = 16
"""Threads of a process that may wait for bodies of one address; chunks of uploads are not counted."""

_Within = Callable[[float], AbstractContextManager[None]]


class BodyDeadlines:
    """Bounds how long a body may take as a whole, and how many of one address are waited for.

    Workflow engines do not repeat a refused event (G255), so they have the deadline alone.

    Decision: G396.
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
            within = partial(self._receive, within, network_of(req.context.address))
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

    Decision: G11, G263.
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
        """Release a pooled connection; SQLite's stay open with their thread."""
        if getattr(req.context, "has_connected", False) and not keeps_connections(self._database):
            self._database.close()
