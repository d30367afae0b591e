"""The composition of the web application: conventions, guard, routes."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from falcon import App, Request, Response
from peewee import Database, DataError, PeeweeException
from playhouse.pool import MaxConnectionsExceeded
from seqfacility_wire.browser_safety import NOT_SHARED, BrowserSafety
from seqfacility_wire.conventions import answer_unexpected, new_app, send_error
from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.access.guard import Guard
from seqfacility_instance.access.long_answers import LongAnswers
from seqfacility_instance.access.refusals import RefusalTrail
from seqfacility_instance.access.tokens import Credentials
from seqfacility_instance.accounts.refusal_audit import RefusalAudit
from seqfacility_instance.accounts.user_limits import UserLimits
from seqfacility_instance.core.clock import Clock, SystemClock
from seqfacility_instance.middleware import BodyDeadlines, DatabaseConnection, LargeAnswers, NoStore
from seqfacility_instance.routing import Route, access_table, add_routes
from seqfacility_instance.settings import Settings
from seqfacility_instance.tables.errors import refusal_for
from seqfacility_instance.version import RELEASE
from seqfacility_instance.web.pages import Pages, installed


@dataclass(frozen=True, slots=True)
class Composition:
    """What `wiring` hands to the web application."""

    settings: Settings
    database: Database
    credentials: Credentials
    routes: Iterable[Route]
    clock: Clock = field(default_factory=SystemClock)
    pages: Pages = field(default_factory=installed)


def create_app(composition: Composition) -> App[Request, Response]:
    """Build the WSGI application of an instance. Decision: G11, G12, G17, G564."""
    routes = list(composition.routes)
    table = access_table(routes)
    guard = Guard(table, composition.credentials, composition.settings)
    safety = BrowserSafety(NOT_SHARED, is_secure=composition.settings.is_secure)
    connection, user_limits = DatabaseConnection(composition.database), UserLimits(table, composition.clock)
    refusals = RefusalAudit(RefusalTrail(composition.clock))
    long_answers, bodies = LongAnswers(composition.clock), BodyDeadlines(table)
    app = new_app(
        RELEASE,
        [safety, NoStore(), LargeAnswers(), connection, refusals, guard, long_answers, bodies, user_limits],
    )
    app.add_error_handler((PeeweeException, MaxConnectionsExceeded), _on_database_error)
    app.req_options.strip_url_path_trailing_slash = False
    add_routes(app, routes)
    app.add_sink(composition.pages.answer, prefix="/")
    return app


def _on_database_error(
    req: Request, resp: Response, error: PeeweeException | MaxConnectionsExceeded, params: object
) -> None:
    refusal = refusal_for(error)
    if refusal is not None:
        send_error(resp, refusal)
    elif isinstance(error, DataError):
        # A NUL or an out-of-range number that no rule stopped: PostgreSQL refuses to hold it.
        send_error(resp, ValidationFailed(["request: holds a value that cannot be stored"]))
    else:
        answer_unexpected(req, resp, error, params)
