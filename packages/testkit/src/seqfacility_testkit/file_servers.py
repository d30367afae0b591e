"""Real servers over an exported registry, configured as its files say."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from seqfacility_testkit.nginx import DEBIAN_PACKAGE, answers, find_nginx, serving_export
from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_until

_MODULES = Path("/usr/lib/apache2/modules")
_APACHE_MODULES = (
    "mpm_event",
    "authz_core",
    "deflate",
    "dir",
    "filter",
    "headers",
    "mime",
    "rewrite",
)


def find_caddy() -> str | None:
    return shutil.which("caddy")


def find_apache() -> str | None:
    """Find the program; Debian keeps it where an ordinary user does not look."""
    return shutil.which("apache2") or shutil.which("apache2", path="/usr/sbin")


@contextmanager
def serving_with_caddy(binary: str, root: Path, folder: Path, port: int) -> Iterator[str]:
    """Serve the export at `root`, with `folder` for Caddy's own files; return the address of the host."""
    # WHY bind: the address of a site alone says which hosts it answers, and Caddy listens everywhere.
    site = f"bind 127.0.0.1\nroot * {root}\nimport {root}/server/Caddyfile\n"
    configuration = folder / "Caddyfile"
    configuration.write_text(f"{{\nadmin off\nauto_https off\n}}\nhttp://127.0.0.1:{port} {{\n{site}}}\n")
    command = [binary, "run", "--config", str(configuration), "--adapter", "caddyfile"]
    with _running(command, folder, port) as address:
        yield address


@contextmanager
def serving_with_apache(binary: str, root: Path, _folder: Path, port: int) -> Iterator[str]:
    """Serve a copy of the export at `root` with Apache; return the address of the host.

    Started by root, Apache works as somebody who may not read a test's folder.
    """
    with tempfile.TemporaryDirectory(prefix="seqfacility-apache-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        shutil.copytree(root, folder / "root")
        modules = [f"LoadModule {one}_module {_MODULES}/mod_{one}.so" for one in _APACHE_MODULES]
        user = ["User www-data", "Group www-data"] if os.geteuid() == 0 else []
        lines = [
            f"ServerRoot {folder}",
            f"DefaultRuntimeDir {folder}",
            f"PidFile {folder}/apache.pid",
            f"Listen 127.0.0.1:{port}",
            "ServerName 127.0.0.1",
            f"ErrorLog {folder}/error.log",
            *modules,
            *user,
            "TypesConfig /dev/null",
            f"<VirtualHost 127.0.0.1:{port}>",
            f"DocumentRoot {folder}/root",
            f"Include {folder}/root/server/apache.conf",
            "</VirtualHost>",
        ]
        (folder / "apache.conf").write_text("\n".join([*lines, ""]))
        with _running([binary, "-DFOREGROUND", "-f", str(folder / "apache.conf")], folder, port) as address:
            yield address


@contextmanager
def _running(command: Sequence[str], folder: Path, port: int) -> Iterator[str]:
    log = folder / "server.log"
    environment = {**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env=environment)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: process.poll() is not None or answers(address), f"{command[0]} answers")
        assert process.poll() is None, log.read_text("utf-8")
        yield address
    finally:
        process.terminate()
        process.wait(DEADLINE_SECONDS)


@dataclass(frozen=True, slots=True)
class FileServer:
    """A server that an export has a configuration for.

    `serve` takes the program, the export, a folder for the server's own files and a port.
    """

    debian_package: str
    find: Callable[[], str | None]
    serve: Callable[[str, Path, Path, int], AbstractContextManager[str]]


SERVERS: Mapping[str, FileServer] = {
    "nginx": FileServer(DEBIAN_PACKAGE, find_nginx, serving_export),
    "caddy": FileServer("caddy", find_caddy, serving_with_caddy),
    "apache": FileServer("apache2-bin", find_apache, serving_with_apache),
}
