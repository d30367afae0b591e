"""Prometheus metrics of several processes, merged through a folder and shown on an address of their own.

The address is not the service's: what is measured is the operator's business, and a port that only the
monitoring host reaches needs no access rule. Nothing is recorded, and the client library never imported,
unless a process was told to listen.
"""

import atexit
import os
import platform
import shutil
import tempfile
import threading
from socketserver import ThreadingMixIn
from typing import Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

FOLDER_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
"""Read by the client library when it is imported; children inherit it and record into the same folder."""


def record_metrics() -> None:
    """Start recording in this process and its children; call it before anything imports `meters`."""
    if is_recording():
        return
    folder = tempfile.mkdtemp(prefix="seqfacility-metrics-")
    os.environ[FOLDER_VARIABLE] = folder
    atexit.register(_remove, folder, os.getpid())


def is_recording() -> bool:
    return FOLDER_VARIABLE in os.environ


def listen(bind: str, release: str) -> None:
    """Show the metrics of all processes of the folder at `http://HOST:PORT/metrics`, from a thread.

    Several processes may listen on one address; any of them answers for all.

    Decision: G364, G476.
    """
    from prometheus_client import CollectorRegistry, make_wsgi_app
    from prometheus_client.multiprocess import MultiProcessCollector

    from seqfacility_wire.meters import BUILD_INFO

    BUILD_INFO.labels(release, platform.python_version()).set(1)

    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the client types only a part of itself
    host, _, port = bind.rpartition(":")
    server = make_server(host.strip("[]"), int(port), make_wsgi_app(registry), _Listener, _Quiet)
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()


def forget_process(pid: int) -> None:
    """Remove the gauges of a process that ended; its counters stay. For a supervisor of workers."""
    if is_recording():
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(pid)  # type: ignore[no-untyped-call]  # the client types only a part of itself


class _Listener(ThreadingMixIn, WSGIServer):
    """A server that shares its port: each worker of a service has one."""

    allow_reuse_port = True
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    """Does not log: a scrape every few seconds is no event."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name that it has there
        pass


def _remove(folder: str, owner: int) -> None:
    """Remove the folder when its maker ends; a forked worker runs this too and must leave it."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
