"""What every answer of both services keeps: request id, fixed headers, `{error}` bodies, HEAD, OPTIONS."""

import logging
import re
import secrets
import time
from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol
from urllib.parse import quote

import falcon
from falcon import App, HTTPError, Request, Response
from falcon.constants import COMBINED_METHODS

from seqfacility_wire.errors import (
    BodyTooLarge,
    InvalidJson,
    MethodNotAllowed,
    NotFound,
    Refused,
    ServiceError,
    Unexpected,
)
from seqfacility_wire.logs import current_request, scrub
from seqfacility_wire.metrics import is_recording

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_log = logging.getLogger("seqfacility.http")


class Conventions:
    """Falcon middleware that gives every answer its request id and headers, and every GET route its HEAD.

    What a service puts into `req.context.logged`, address and user, stands in each line of the request.

    Decision: G17, G18, G869.
    """

    def __init__(self, release: str) -> None:
        self._release = release

    def process_request(self, req: Request, _resp: Response) -> None:
        """Choose the request id; let a HEAD find the responder of its GET."""
        offered = req.get_header("X-Request-Id") or ""
        req.context.request_id = offered if _REQUEST_ID.fullmatch(offered) else secrets.token_hex(8)
        req.context.logged = {"requestId": req.context.request_id}
        current_request.set(req.context.logged)
        req.context.started = time.monotonic()
        req.context.asked_method = req.method
        req.context.is_head = req.method == "HEAD"
        if req.context.is_head:
            req.method = "GET"
        elif req.method not in COMBINED_METHODS:
            req.method = "TRACE"  # Falcon refuses a made-up method with 400; no route has TRACE, so it is 405

    def process_response(self, req: Request, resp: Response, resource: object, _succeeded: bool) -> None:
        """Write the fixed headers, turn OPTIONS into a bare 204, and note the request in the log."""
        req.method = req.context.asked_method  # for HEAD Falcon then leaves the body out, not its length
        close = getattr(resp.stream, "close", None)
        if req.context.is_head and close is not None:
            # HAZARD: Falcon does not, so whatever a body holds would never be given back.
            close()
        resp.set_header("X-Request-Id", req.context.request_id)
        resp.set_header("X-Content-Type-Options", "nosniff")
        resp.set_header("X-Service-Version", self._release)
        if req.method == "OPTIONS" and resource is not None and resp.status_code == 200:
            resp.status = 204
            resp.set_header("Allow", whole_allow(resp.get_header("Allow") or ""))
            resp.delete_header("Content-Length")  # HTTP wants none in a 204
        duration_ms = round((time.monotonic() - req.context.started) * 1000, 1)
        path = logged_path(req)
        fields = {"method": req.method, "path": path, "status": resp.status_code, "durationMs": duration_ms}
        _log.info("%s %s %d %.1fms", *fields.values(), extra=fields)
        current_request.set(None)


def logged_path(req: Request) -> str:
    """Write the path without query, in one line: an encoded line break must not forge an entry.

    A secret in it is hidden here already: not every handler of records is one of ours.

    Decision: G267, G527.
    """
    return _in_one_line(req.path)


# WHY: the same paths are logged again and again; clients choose them, hence the bound.
@lru_cache(maxsize=256)
def _in_one_line(path: str) -> str:
    return scrub(quote(path, safe="/:@!$&'()*+,;="))


def whole_allow(allowed: str) -> str:
    """Add what every route answers beside its own methods: OPTIONS, and HEAD where there is GET.

    Decision: G18.
    """
    methods = {method.strip() for method in allowed.split(",") if method.strip()}
    return ", ".join(sorted(methods | {"OPTIONS"} | ({"HEAD"} if "GET" in methods else set())))


def send_error(resp: Response, error: ServiceError) -> None:
    """Answer a `ServiceError`: status, headers and JSON body. Spec: instance, Errors."""
    resp.status = error.status
    resp.set_header("Cache-Control", "no-store")
    resp.set_headers(list(error.headers.items()))
    resp.content_type = falcon.MEDIA_JSON
    resp.media = error.body()


class RequestMiddleware(Protocol):
    """What a service may put behind the conventions; Falcon calls it once the route is known."""

    def process_resource(
        self, req: Request, resp: Response, resource: object, params: dict[str, object]
    ) -> None:
        """Process a request whose route was found, before its responder runs."""


class AnswerMiddleware(Protocol):
    """Middleware behind the conventions that processes every answer, also where no route was found."""

    def process_response(self, req: Request, resp: Response, resource: object, succeeded: bool) -> None:
        """Process an answer before it is sent."""


def new_app(
    release: str, middleware: Iterable[RequestMiddleware | AnswerMiddleware]
) -> App[Request, Response]:
    """Make a Falcon application that keeps the conventions; `middleware` runs after them, in order.

    Decision: G11, G17, G18.
    """
    conventions = Conventions(release)
    app: App[Request, Response] = App(middleware=[conventions, *middleware])
    if is_recording():
        from seqfacility_wire.meters import MeterRequests

        app = App(middleware=[MeterRequests(), conventions, *middleware])
    app.add_error_handler(Exception, answer_unexpected)
    app.add_error_handler(HTTPError, _on_http_error)
    app.add_error_handler(ServiceError, _on_service_error)
    app.set_error_serializer(_serialize_error)
    return app


def _on_service_error(req: Request, resp: Response, error: ServiceError, _params: object) -> None:
    req.context.refused = error  # for who notes refusals
    send_error(resp, error)


def _on_http_error(_req: Request, resp: Response, error: HTTPError, _params: object) -> None:
    send_error(resp, _as_service_error(error))


def answer_unexpected(req: Request, resp: Response, error: Exception, _params: object) -> None:
    """Log a bug with its request id, and answer 500 without details. Decision: G11."""
    _log.error("%s %s failed", req.method, logged_path(req), exc_info=error)
    send_error(resp, Unexpected())


def _serialize_error(_req: Request, resp: Response, error: HTTPError) -> None:
    send_error(resp, _as_service_error(error))


def _as_service_error(error: HTTPError) -> ServiceError:
    """Translate Falcon's own refusals into our texts; one without a text of ours keeps its status."""
    if isinstance(error, falcon.HTTPMethodNotAllowed):
        allowed = whole_allow(str(dict(error.headers or {}).get("Allow", "")))
        return MethodNotAllowed(headers={"Allow": allowed})
    if isinstance(error, falcon.HTTPRouteNotFound):
        return NotFound()
    if error.status_code == 413:
        return BodyTooLarge()
    if isinstance(error, falcon.MediaMalformedError | falcon.MediaNotFoundError):
        return InvalidJson()
    if error.status_code >= 500:
        return Unexpected()
    return Refused(error.status_code, str(error.title or "Bad request").removeprefix(f"{error.status_code} "))
