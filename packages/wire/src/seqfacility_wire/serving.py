"""What gunicorn calls in both services: once it listens, and when a worker has ended."""

import sys
from typing import Any, Final

from seqfacility_wire import metrics


def use_our_log(server: Any) -> None:  # gunicorn's arbiter has no types
    """Let gunicorn's lines go where ours go, in the form that the environment asks for. Gap: G471."""
    server.log.error_log.propagate = True


LOGGING: Final[dict[str, object]] = {"errorlog": None, "on_starting": use_our_log, "loglevel": "warning"}
"""gunicorn's own settings of its log: no handler and no form of its own."""


def announce(server: Any) -> None:  # gunicorn's arbiter has no types
    """Print the address once it is bound. Gap: G263."""
    host, port = server.LISTENERS[0].sock.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    sys.stdout.write(f"listening on http://{shown}:{port}\n")
    sys.stdout.flush()


def forget_worker(_server: Any, worker: Any) -> None:  # gunicorn has no types
    """Take a worker that ended out of the metrics. Gap: G364."""
    metrics.forget_process(worker.pid)
