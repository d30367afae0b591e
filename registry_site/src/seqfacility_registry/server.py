"""gunicorn as `serve` runs it: threads in one process, so that there is one throttle and one publication."""

import os
import threading
from pathlib import Path
from typing import Any

from gunicorn.app.base import BaseApplication
from seqfacility_wire import metrics
from seqfacility_wire.serving import announce, forget_worker

from seqfacility_registry.app import make_app
from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.settings import Settings

THREADS = 16
"""Enough for stalled clients beside quick ones; more of them only queue for the interpreter."""

KEEP_ALIVE_SECONDS = 30
GRACEFUL_SECONDS = 30
SILENCE_SECONDS = 60
"""How long one read or one answer may take: a client that stalls gives its thread back."""

_MEMORY = Path("/dev/shm")  # noqa: S108  # where the worker shows that it lives; a full disk must not stop it


class RegistryServer(BaseApplication):
    """A gunicorn that reads the content in its worker, and watches it there."""

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
            "worker_class": "gthread",
            "threads": THREADS,
            "keepalive": KEEP_ALIVE_SECONDS,
            "graceful_timeout": GRACEFUL_SECONDS,
            "http_parser": "python",
            # HAZARD: the default control socket lies in the home folder, where two services would collide.
            "control_socket_disable": True,
            # Requests are logged by our own middleware, without query strings and without codes.
            "accesslog": None,
            "loglevel": "warning",
            "when_ready": announce,
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

        def limited(environ: dict[str, Any], start_response: Any) -> Any:  # WSGI has no types
            environ["gunicorn.socket"].settimeout(SILENCE_SECONDS)
            return app(environ, start_response)

        return limited
