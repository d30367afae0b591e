"""gunicorn as `serve` runs it: one event loop in one process, for one throttle and one publication."""

import os
import socket
import sys
import threading
from pathlib import Path
from typing import Any

from gunicorn.app.base import BaseApplication
from seqfacility_wire import metrics
from seqfacility_wire.serving import announce, forget_worker

from seqfacility_registry.app import make_app
from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.event_loop import OnEventLoop
from seqfacility_registry.settings import Settings

KEEP_ALIVE_SECONDS = 30
GRACEFUL_SECONDS = 5
"""An answer takes less; gunicorn waits as long for connections on which nothing is asked."""

SILENCE_SECONDS = 60.0
"""How long a client may take to send a body, and how long it may refuse to take its answer."""

_MEMORY = Path("/dev/shm")  # noqa: S108  # where the worker shows that it lives; a full disk must not stop it


class RegistryServer(BaseApplication):
    """A gunicorn that reads the content in its worker, and watches it there."""

    silence_seconds = SILENCE_SECONDS

    def __init__(self, settings: Settings, bind: str, metrics_bind: str | None = None) -> None:
        self._settings = settings
        self._metrics_bind = metrics_bind
        self._bind = bind
        super().__init__()

    def load_config(self) -> None:
        """State every setting that differs from gunicorn's own."""
        settings: dict[str, object] = {
            "bind": self._bind,
            "workers": 1,
            "worker_class": "asgi",
            "asgi_loop": "asyncio",
            "asgi_lifespan": "off",
            "keepalive": KEEP_ALIVE_SECONDS,
            "graceful_timeout": GRACEFUL_SECONDS,
            "http_parser": "python",
            # HAZARD: the default control socket lies in the home folder, where two services would collide.
            "control_socket_disable": True,
            # Requests are logged by our own middleware, without query strings and without codes.
            "accesslog": None,
            "loglevel": "warning",
            "timeout": int(self.silence_seconds),
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
            metrics.listen(self._metrics_bind)
        content = ContentFolder(self._settings.content)
        threading.Thread(target=content.watch, args=(threading.Event(),), name="content", daemon=True).start()
        app = make_app(self._settings, content)
        # Codes are hashed slowly on purpose, and at the start answers are still being made.
        return OnEventLoop(
            app, lambda path: path.endswith("/resolve") or not content.is_prepared, self.silence_seconds
        )

    def _ready(self, server: Any) -> None:  # gunicorn's arbiter has no types
        """Let the kernel end connections whose client takes no answer, and say where we listen."""
        if sys.platform == "linux":
            milliseconds = int(self.silence_seconds * 1000)
            for listener in server.LISTENERS:
                listener.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
        announce(server)
