"""A stranger follows the pages from a clone to a delivery; each command is taken as it stands there."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent / "strangers_path"
PAGES = ("docs/how_to/set_up_a_facility.md", "docs/how_to/use_the_api.md")
MINUTES = 30
ISOLATED = ("unshare", "--mount", "--net", "--pid", "--uts", "--fork", "--kill-child", "--mount-proc")
PAGES_FOLDER = "instance/src/seqfacility_instance/web/pages"
INSTALLED = (
    "./schemas",
    "./packages/transfer_client",
    "./packages/wire",
    "./packages/pipeline_package",
    "./packages/workflow_runtime",
)


def commands_of(page: str) -> str:
    """Join the commands of a page, each block announced by its line."""
    text = (ROOT / page).read_text("utf-8")
    blocks = re.finditer(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return "".join(
        f"echo '### {page}:{text.count(chr(10), 0, block.start()) + 1}'\n{block[1]}" for block in blocks
    )


def missing() -> str | None:
    """Return what this machine lacks for one of its own inside it: rights, a kernel, or Debian packages."""
    if os.geteuid() != 0 or subprocess.run([*ISOLATED, "true"], check=False).returncode != 0:
        return "needs root, and a kernel that gives namespaces"
    installs = re.search(r"^apt-get install(.*)$", commands_of(PAGES[0]), re.MULTILINE)
    assert installs is not None
    packages = [word for word in installs[1].split() if not word.startswith("-")]
    absent = [name for name in (*packages, "iproute2") if not is_installed(name)]
    return f"needs the Debian packages {' '.join(absent)}" if absent else None


def is_installed(package: str) -> bool:
    """Return whether Debian's package manager is here and has the package installed."""
    query = ["dpkg-query", "--show", "--showformat=${db:Status-Status}", package]
    if shutil.which(query[0]) is None:
        return False
    return subprocess.run(query, capture_output=True, text=True, check=False).stdout == "installed"


def wheels() -> Path:
    """Return a folder with every package that the installation wants, kept until the wishes change.

    Skips the test where there is no package index to be reached.
    """
    wishes = [(ROOT / path / "pyproject.toml").read_bytes() for path in (*INSTALLED, "instance")]
    folder = Path(sys.prefix) / f"wheels-{hashlib.sha256(b''.join(wishes)).hexdigest()[:16]}"
    if not (folder / "complete").exists():
        download = ["/usr/bin/python3", "-m", "pip", "download", "--quiet", "--dest", str(folder)]
        done = subprocess.run(
            [*download, *INSTALLED, "./instance[pipelines,postgres]", "hatchling"],
            cwd=ROOT,
            env={**os.environ, "PIP_RETRIES": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            pytest.skip(f"needs a package index to download from once: {done.stdout[-300:]}")
        (folder / "complete").touch()
    return folder


def pages() -> Path:
    """Build the pages, which need packages of npm, and return their folder; fresh ones cost nothing."""
    with tempfile.TemporaryDirectory() as thrown_away:
        build = ["/usr/bin/python3", "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", thrown_away]
        done = subprocess.run(
            [*build, "./instance"],
            cwd=ROOT,
            env={**os.environ, "PIP_RETRIES": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    if done.returncode != 0:
        pytest.skip(f"needs the indexes of Python and npm to build the pages: {done.stdout[-300:]}")
    return ROOT / PAGES_FOLDER


def copy_of_the_repository(target: Path) -> Path:
    """Copy what a clone would bring, with what is not committed yet."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target


def test_from_a_clone_to_a_delivery_behind_nginx_with_postgresql_and_slurm(tmp_path: Path) -> None:
    if (reason := missing()) is not None:
        pytest.skip(reason)
    packages = wheels()
    script = tmp_path / "script.sh"
    logs = "tail -n 60 /var/log/seqfacility-*.log /var/log/nginx/error.log /var/log/slurm/*.log || true"
    prelude = f"set -euo pipefail\ntrap 'if [ $? -ne 0 ]; then {logs}; fi' EXIT\n"
    script.write_text(prelude + "".join(commands_of(page) for page in PAGES), "utf-8")
    (tmp_path / "scratch").mkdir()
    clone = copy_of_the_repository(tmp_path / "clone")
    # There is no network in there: the stranger has pages that were built before.
    shutil.copytree(pages(), clone / PAGES_FOLDER)

    told = subprocess.run(
        [
            *ISOLATED,
            str(HERE / "machine.sh"),
            str(tmp_path / "scratch"),
            str(packages),
            str(clone),
            str(script),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=MINUTES * 60,
        check=False,
    )

    output = told.stdout.decode("utf-8", "replace")
    assert told.returncode == 0, output
    assert "fail " not in output
    assert output.splitlines()[-1].endswith(": OK")
