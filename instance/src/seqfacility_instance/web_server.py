"""gunicorn as `serve` and `up` run it: threads, because one slow client must never hold a process."""

import contextlib
import socket
import sys
from collections.abc import Callable
from typing import Any

from falcon import App
from gunicorn.app.base import BaseApplication
from seqfacility_wire import metrics
from seqfacility_wire.serving import announce, forget_worker

from seqfacility_instance.lingering import SEND_SECONDS, LingeringClose

THREADS_PER_WORKER = 96
"""Each slow client holds a thread; threads are cheap, starving is not.

Nobody shares clients out evenly: 64 slow ones must fit one worker, with room for the others. Gap: G322.
"""

KEEP_ALIVE_SECONDS = 30
GRACEFUL_SECONDS = 60
"""A deploy lets running chunks end, so that it costs a client at most one unacknowledged chunk."""


class WebServer(BaseApplication):
    """A gunicorn whose application is made in each worker, after the fork."""

    send_seconds = SEND_SECONDS

    def __init__(
        self, make_app: Callable[[], App[Any, Any]], bind: str, workers: int, metrics_bind: str | None = None
    ) -> None:
        self._make_app = make_app
        self._metrics_bind = metrics_bind
        self._bind = bind
        self._workers = workers
        super().__init__()

    def load_config(self) -> None:
        """State every setting that differs from gunicorn's own."""
        settings: dict[str, object] = {
            "bind": self._bind,
            "workers": self._workers,
            # HAZARD: `sync` workers are killed by their time-out in the middle of a long upload.
            "worker_class": "gthread",
            "threads": THREADS_PER_WORKER,
            "worker_connections": 1000,
            "keepalive": KEEP_ALIVE_SECONDS,
            "timeout": 60,
            "graceful_timeout": GRACEFUL_SECONDS,
            # Chunks are moved by the kernel past gunicorn's reader, which only the Python parser allows.
            "http_parser": "python",
            # HAZARD: the default control socket lies in the home folder, where two services would collide.
            "control_socket_disable": True,
            # Requests are logged by our own middleware, without query strings: they may hold a token.
            "accesslog": None,
            "loglevel": "warning",
            "when_ready": announce,
            "child_exit": forget_worker,
            "post_request": _end_stalled,
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> LingeringClose:
        """Make the application of one worker."""
        if self._metrics_bind is not None:
            metrics.listen(self._metrics_bind)
        return LingeringClose(self._make_app(), self.send_seconds)


def _end_stalled(_worker: Any, _req: Any, environ: dict[str, Any], _resp: Any) -> None:  # the same
    """End the connection of a client that took its answer no further. Gap: G329.

    HAZARD: gunicorn would wait two seconds for each of them in the one thread that serves all others.
    """
    if isinstance(sys.exc_info()[1], TimeoutError):
        with contextlib.suppress(OSError):
            environ["gunicorn.socket"].shutdown(socket.SHUT_RDWR)
