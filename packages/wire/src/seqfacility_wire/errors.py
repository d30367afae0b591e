"""Errors that reach a client: one class per row of a document's Errors chapter.

A subclass states its `status` and `message`; nobody ever decides by reading a message.

Spec: instance, Errors.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar


class ServiceError(Exception):
    """An answer `{error: <message>}` with a 4xx or 5xx status.

    `message` may hold named gaps (`"Pipeline {pipeline_id} is disabled"`), filled once by the keyword
    arguments of the constructor. `details` and `extra` become further keys of the body, `headers` further
    headers of the answer.
    """

    status: int = 400
    message: ClassVar[str] = "Bad request"

    def __init__(
        self,
        *,
        details: Sequence[str] | None = None,
        extra: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        **values: object,
    ) -> None:
        self.text = self.message.format(**values) if values else self.message
        self.details = None if details is None else list(details)
        self.extra = dict(extra or {})
        self.headers = dict(headers or {})
        super().__init__(self.text)

    def body(self) -> dict[str, object]:
        body: dict[str, object] = {"error": self.text}
        if self.details is not None:
            body["details"] = self.details
        return {**body, **self.extra}


class NotFound(ServiceError):
    """No such route. Decision: G11."""

    status = 404
    message = "Not found"


class MethodNotAllowed(ServiceError):
    """The route exists, the method does not. Decision: G11."""

    status = 405
    message = "Method not allowed"


class InvalidJson(ServiceError):
    """The body is no JSON. Decision: G8."""

    message = "Invalid JSON body"


class JsonNotAnObject(ServiceError):
    """The body is JSON, but not an object. Decision: G8."""

    message = "Request body must be a JSON object"


class NotJson(ServiceError):
    """A browser sends a form. Decision: G8."""

    status = 415
    message = "Content-Type must be application/json"


class BodyTooLarge(ServiceError):
    """The body exceeds the limit of its endpoint. Decision: G11."""

    status = 413
    message = "Request body is too large"


class BodyTimedOut(ServiceError):
    """The client announced a body and then fell silent for as long as the server waits."""

    status = 408
    message = "Request body did not arrive in time"


class TooManyRequests(ServiceError):
    """A rate limit is reached; `Retry-After` has the seconds to wait. Decision: G11.

    `limit_name` says which one where it bounds attempts at something; it is not in the answer.
    """

    status = 429
    message = "Too many requests"

    def __init__(self, retry_after_seconds: int, limit_name: str | None = None) -> None:
        super().__init__(headers={"Retry-After": str(max(1, retry_after_seconds))})
        self.limit_name = limit_name


class ValidationFailed(ServiceError):
    """Several causes, one line each: `<key path>: <reason>`. Decision: G10."""

    message = "Validation failed"

    def __init__(self, details: Sequence[str], extra: Mapping[str, object] | None = None) -> None:
        super().__init__(details=details, extra=extra)


class NotSetUp(ServiceError):
    """The database is not set up, or not for this release. Decision: G11."""

    status = 503
    message = "Service is not set up"


class Unexpected(ServiceError):
    """A defect of ours; the answer reveals nothing about it. Decision: G11."""

    status = 500
    message = "Internal server error"


class Refused(ServiceError):
    """A request that the web framework itself refuses, with its own text and status. Decision: G11."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__()
        self.status = status
        self.text = text
