"""gunicorn as `serve` runs it: one event loop in one process, for one throttle and one publication."""

import os
import socket
import sys
import threading
from pathlib import Path
from typing import Any

from gunicorn.app.base import BaseApplication
from seqfacility_wire import metrics
from seqfacility_wire.serving import LOGGING, announce, forget_worker

from seqfacility_registry.app import make_app, make_busy_app
from seqfacility_registry.connections import (
    ANSWER_SECONDS,
    HEAD_SECONDS,
    ConnectionLimits,
    LimitedWorker,
    max_connections,
    raise_descriptor_limit,
)
from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.event_loop import BODY_SECONDS, OnEventLoop
from seqfacility_registry.pages.resources import may_be_a_page
from seqfacility_registry.release import RELEASE
from seqfacility_registry.settings import Settings

GRACEFUL_SECONDS = 5
"""An answer takes less; gunicorn waits as long for connections on which nothing is asked."""

STUCK_SECONDS = 60
"""A worker that does not show so long that it lives is replaced."""

_MEMORY = Path("/dev/shm")  # noqa: S108  # where the worker shows that it lives; a full disk must not stop it


class RegistryServer(BaseApplication):
    """A gunicorn that reads the content in its worker, and watches it there."""

    head_seconds = HEAD_SECONDS
    body_seconds = BODY_SECONDS
    answer_seconds = ANSWER_SECONDS

    def __init__(self, settings: Settings, bind: str, metrics_bind: str | None = None) -> None:
        """Raises `TooFewDescriptors` when too few files may be open."""
        self._settings = settings
        self.limits = ConnectionLimits(
            max_connections(raise_descriptor_limit()), settings.trusted_proxies, self.answer_seconds
        )
        self._metrics_bind = metrics_bind
        self._bind = bind
        super().__init__()

    def load_config(self) -> None:
        """State every setting that differs from gunicorn's own."""
        settings: dict[str, object] = {
            "bind": self._bind,
            "workers": 1,
            "worker_class": LimitedWorker,
            "asgi_loop": "asyncio",
            "asgi_lifespan": "off",
            "keepalive": self.head_seconds,
            "graceful_timeout": GRACEFUL_SECONDS,
            "http_parser": "python",
            # HAZARD: the default control socket lies in the home folder, where two services would collide.
            "control_socket_disable": True,
            # Requests are logged by our own middleware, without query strings and without codes.
            "accesslog": None,
            **LOGGING,
            "timeout": STUCK_SECONDS,
            "when_ready": self._ready,
            "child_exit": forget_worker,
        }
        if os.access(_MEMORY, os.W_OK):
            settings["worker_tmp_dir"] = str(_MEMORY)
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:  # gunicorn takes WSGI and ASGI applications alike
        """Read the content, begin to watch it, and make the application of the worker."""
        if self._metrics_bind is not None:
            metrics.listen(self._metrics_bind, RELEASE)
        content = ContentFolder(self._settings.content)
        threading.Thread(target=content.watch, args=(threading.Event(),), name="content", daemon=True).start()
        app = make_app(self._settings, content)
        # WHY in threads: access codes are hashed slowly on purpose, and pages are rendered at their first
        # use, as all answers are at the start.
        return OnEventLoop(
            app,
            make_busy_app(),
            lambda path: "/resolve" in path or may_be_a_page(path) or not content.is_prepared,
            self.body_seconds,
        )

    def _ready(self, server: Any) -> None:  # gunicorn's arbiter has no types
        """Make the kernel end connections whose client reads no answer, and print the address."""
        if sys.platform == "linux":
            milliseconds = int(self.answer_seconds * 1000)
            for listener in server.LISTENERS:
                listener.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
        announce(server)
