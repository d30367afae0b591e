"""gunicorn as `serve` and `up` run it: threads, because one slow client must never hold a process."""

import resource
from collections.abc import Callable
from typing import Any

from falcon import App
from gunicorn.app.base import BaseApplication
from seqfacility_wire import metrics
from seqfacility_wire.serving import LOGGING, announce, forget_worker

from seqfacility_instance.connections import Worker
from seqfacility_instance.version import RELEASE

THREADS_PER_WORKER = 96
"""Each slow client holds a thread; threads are cheap, starving is not.

Nobody shares clients out evenly: 64 slow ones must fit one worker, with room for the others. Decision: G322.
"""

CONNECTIONS_PER_WORKER = 1000
DESCRIPTORS_PER_WORKER = 4096
"""Beside the connections: of each thread a connection to the database, a file and two pipes."""

SEND_SECONDS = 60.0
"""A client that takes no byte of a file, or not a whole block of another answer, for so long is cut off.

Decision: G329.
"""

KEEP_ALIVE_SECONDS = 30
GRACEFUL_SECONDS = 60
"""A deploy lets running chunks end, so that it costs a client at most one unacknowledged chunk."""


class WebServer(BaseApplication):
    """A gunicorn whose application is made in each worker, after the fork."""

    send_seconds = SEND_SECONDS

    def __init__(
        self,
        make_app: Callable[[], App[Any, Any]],
        bind: str,
        workers: int,
        metrics_bind: str | None = None,
        trusted_proxies: frozenset[str] = frozenset(),
    ) -> None:
        """`trusted_proxies` may have any number of connections; each stands for many clients."""
        self.trusted_proxies = trusted_proxies
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
            "worker_class": Worker,
            "threads": THREADS_PER_WORKER,
            "worker_connections": _connections_that_fit(),
            "keepalive": KEEP_ALIVE_SECONDS,
            "timeout": 60,
            "graceful_timeout": GRACEFUL_SECONDS,
            # Chunks are moved by the kernel past gunicorn's reader, which only the Python parser allows.
            "http_parser": "python",
            # HAZARD: the default control socket lies in the home folder, where two services would collide.
            "control_socket_disable": True,
            # Requests are logged by our own middleware, without query strings: they may hold a token.
            "accesslog": None,
            **LOGGING,
            "when_ready": announce,
            "child_exit": forget_worker,
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """Make the application of one worker."""
        if self._metrics_bind is not None:
            metrics.listen(self._metrics_bind, RELEASE)
        return self._make_app()


def _connections_that_fit() -> int:
    """Allow this process and its workers the descriptors that they need, as far as the system lets us.

    HAZARD: who has none left can accept nobody, and gunicorn's worker then ends with all its requests.
    """
    soft, hard = (
        DESCRIPTORS_PER_WORKER if limit == resource.RLIM_INFINITY else limit
        for limit in resource.getrlimit(resource.RLIMIT_NOFILE)
    )
    wanted = min(DESCRIPTORS_PER_WORKER, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    return max(THREADS_PER_WORKER + 1, min(CONNECTIONS_PER_WORKER, max(soft, wanted) // 2))
