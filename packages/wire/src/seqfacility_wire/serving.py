"""Hooks of gunicorn in both services, and refusals before a request reaches the application.

Decision: G263.

Decision: G364.
"""

import json
import sys
from http import HTTPStatus
from typing import Any, Final

from seqfacility_wire import metrics
from seqfacility_wire.errors import ServiceError


def use_our_log(server: Any) -> None:  # gunicorn's arbiter has no types
    """Send gunicorn's log through our handler, in the configured form. Decision: G471."""
    server.log.error_log.propagate = True


LOGGING: Final[dict[str, object]] = {"errorlog": None, "on_starting": use_our_log, "loglevel": "warning"}
"""gunicorn's own settings of its log: no handler and no form of its own."""


def announce(server: Any) -> None:  # gunicorn's arbiter has no types
    host, port = server.LISTENERS[0].sock.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    sys.stdout.write(f"listening on http://{shown}:{port}\n")
    sys.stdout.flush()


def forget_worker(_server: Any, worker: Any) -> None:  # gunicorn has no types
    metrics.forget_process(worker.pid)


def response_bytes(error: ServiceError) -> bytes:
    """Write a refusal as the last response of a connection. Decision: G11."""
    body = json.dumps(error.body()).encode()
    headers = {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Connection": "close",
        **error.headers,
    }
    lines = [f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body
