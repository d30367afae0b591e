"""A real nginx in front of an exported registry or a service, configured as a person would configure it."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests

from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_until

DEBIAN_PACKAGE = "nginx-light"
_TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def find_nginx() -> str | None:
    """Find the program; Debian keeps it where an ordinary user does not look."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def free_port() -> int:
    """Name a port of 127.0.0.1 that nobody listens on: nginx takes no port 0."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def serving_export(binary: str, root: Path, folder: Path, port: int) -> Iterator[str]:
    """Serve the export at `root`, with `folder` for nginx's own files; return the address of the host."""
    with running_nginx(binary, f"root {root}; include {root}/server/nginx.conf;", folder, port) as address:
        yield address


@contextmanager
def running_nginx(binary: str, server: str, folder: Path, port: int) -> Iterator[str]:
    """Run nginx with the content of one `server` block, its own files in `folder`; return its address."""
    zones = "\n".join(
        f"limit_conn_zone $binary_remote_addr zone=seqfacility_{name}:10m;" for name in ("address", "live")
    )
    http = f"{zones}\nserver {{ listen 127.0.0.1:{port}; {server} }}"
    with running_nginx_http(binary, http, folder, port) as address:
        yield address


@contextmanager
def running_nginx_http(binary: str, http: str, folder: Path, port: int) -> Iterator[str]:
    """Run nginx with the content of the `http` block, which listens on `port`; return its address."""
    configuration = folder / "nginx.conf"
    configuration.write_text(_configuration(folder, http), "utf-8")
    log = folder / "nginx.log"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [binary, "-e", "stderr", "-p", str(folder), "-c", str(configuration)], stderr=errors
        )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: process.poll() is not None or answers(address), "nginx answers")
        assert process.poll() is None, log.read_text("utf-8")
        yield address
    finally:
        process.terminate()
        process.wait(DEADLINE_SECONDS)


def answers(address: str) -> bool:
    """Return whether anything answers at an address."""
    try:
        return requests.get(address, timeout=5).status_code > 0
    except requests.RequestException:
        return False


def _configuration(folder: Path, http: str) -> str:
    temporary = " ".join(f"{place}_temp_path {folder}/{place};" for place in _TEMPORARY)
    # Started by root, nginx would hand its workers to somebody who may not read a test's folder.
    user = "user root; " if os.geteuid() == 0 else ""
    return (
        f"{user}worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log stderr;\n"
        "worker_rlimit_nofile 16384; events { worker_connections 8192; }\n"
        f"http {{ access_log off; {temporary}\n{http}\n}}\n"
    )
