"""Reads files of one commit out of a git repository of strangers: nothing is checked out, nothing is run.

The commit is fetched into an empty bare repository without history, and its files are read as objects. So
there is no working tree whose links could lead elsewhere, and no hook, filter or submodule that could act.
"""

import base64
import contextlib
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from seqfacility_workflow_runtime.environment import child_environment

_ADDRESS = re.compile(r"(?:https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?|file://)/[A-Za-z0-9._~/+-]+", re.ASCII)
_REF = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,127}", re.ASCII)
Choice = Callable[[str], bool]
"""Says of a path below the folder whether it is a file of interest."""

_LOOK_SECONDS = 0.05
_MESSAGE_CHARACTERS = 300
_FILE_MODES = frozenset({"100644", "100755", "100664"})
_KINDS = {"120000": "is a link", "160000": "is a submodule"}


class RepositoryRefused(Exception):
    """The address, the name of the commit or the content is nothing to import. The text is for people."""


class RepositoryUnreachable(Exception):
    """The repository did not give the commit. The text is for people and holds no key."""


class GitMissing(Exception):
    """No git is installed."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one import may cost. Decision: G337."""

    seconds: float = 120.0
    max_fetched_bytes: int = 512 * 1024 * 1024
    max_files: int = 2_000
    max_bytes: int = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Wanted:
    """Files below `folder` ("" for the root) at `ref`: a tag, a branch or the digits of a commit.

    `key` opens a private repository; it is told to git in its environment and stands on no command line.
    """

    repository: str
    ref: str
    folder: str = ""
    key: str | None = field(default=None, repr=False)
    addresses: tuple[str, ...] = ()
    """Where the host of the repository was found to be; git connects there, whatever its name says then."""


@dataclass(frozen=True, slots=True)
class Found:
    """The commit that was read, and its files by their paths below the folder."""

    commit: str
    files: Mapping[str, bytes]


def read_repository(wanted: Wanted, is_taken: Choice, bounds: Bounds | None = None) -> Found:
    """Read the files of a commit that `is_taken` says yes to.

    Raises `RepositoryRefused`, also for a link or submodule among the files that are taken,
    `RepositoryUnreachable` and `GitMissing`.

    Decision: G336, G337.
    """
    bounds = bounds or Bounds()
    check_words(wanted)
    with tempfile.TemporaryDirectory(prefix="seqfacility-import-") as scratch:
        git = _Git(Path(scratch), wanted, bounds, time.monotonic() + bounds.seconds)
        git.run("init", "--quiet", "--bare", "--template=", ".")
        git.run(
            *("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-auto-gc"),
            *("--no-write-fetch-head", "--refmap=", "--"),
            *(wanted.repository, f"{wanted.ref}:refs/seqfacility/wanted"),
        )
        commit = git.run("rev-parse", "--verify", "refs/seqfacility/wanted^{commit}").decode().strip()
        return Found(commit, _read_files(git, wanted, commit, is_taken))


def check_words(wanted: Wanted) -> None:
    """Raise `RepositoryRefused` for words that no import may have; pure. Decision: G337."""
    if _ADDRESS.fullmatch(wanted.repository) is None or "/../" in f"{wanted.repository}/":
        raise RepositoryRefused("repository: must be an https, http or file address without user name")
    if _REF.fullmatch(wanted.ref) is None or ".." in wanted.ref or wanted.ref.endswith((".lock", "/", ".")):
        raise RepositoryRefused("ref: must be the name of a tag or branch, or a commit")
    if wanted.key is not None and not wanted.repository.startswith("https:"):
        raise RepositoryRefused("key: is sent by https only")


def _read_files(git: "_Git", wanted: Wanted, commit: str, is_taken: Choice) -> dict[str, bytes]:
    try:
        listed = git.run("ls-tree", "-r", "-z", "-l", "--full-tree", "--", f"{commit}:{wanted.folder}")
    except RepositoryUnreachable as missing:
        message = f"{wanted.folder}: document: is no folder of the repository"
        raise RepositoryRefused(message) from missing
    chosen, total = {}, 0
    for line in listed.split(b"\0"):
        about, _, raw = line.partition(b"\t")
        path = raw.decode("utf-8", "replace")
        if not raw or not is_taken(path):
            continue
        mode, _kind, name, size = about.decode("ascii").split()
        if mode not in _FILE_MODES:
            message = f"{path}: document: {_KINDS.get(mode, 'is not a file')}"
            raise RepositoryRefused(message)
        total += int(size)
        chosen[path] = (name, int(size))
        if len(chosen) > git.bounds.max_files or total > git.bounds.max_bytes:
            raise RepositoryRefused(".: document: holds more than a package may")
    return _contents(git, chosen)


def _contents(git: "_Git", chosen: Mapping[str, tuple[str, int]]) -> dict[str, bytes]:
    asked = "".join(f"{name}\n" for name, _size in chosen.values()).encode()
    answer = git.run("cat-file", "--batch", feed=asked)
    contents, at = {}, 0
    for path, (_name, size) in chosen.items():
        at = answer.index(b"\n", at) + 1
        contents[path] = answer[at : at + size]
        at += size + 1
    return contents


@dataclass(frozen=True, slots=True)
class _Git:
    """Runs git in a folder of its own, with nothing of the service's or the machine's configuration."""

    scratch: Path
    wanted: Wanted
    bounds: Bounds
    deadline: float

    def run(self, *words: str, feed: bytes = b"") -> bytes:
        """Run one command to its end; its whole session is killed when time or space is used up."""
        with (
            (self.scratch / ".in").open("w+b") as given,
            (self.scratch / ".out").open("w+b") as answer,
            (self.scratch / ".err").open("w+b") as complaint,
        ):
            given.write(feed)
            given.seek(0)
            try:
                process = subprocess.Popen(  # noqa: S603 - the words are a list
                    ["git", *_SETTINGS, *words],  # noqa: S607 - found on the path of pipelines
                    cwd=self.scratch,
                    stdin=given,
                    stdout=answer,
                    stderr=complaint,
                    env=self._environment(),
                    start_new_session=True,
                )
            except FileNotFoundError as missing:
                raise GitMissing from missing
            code = self._wait(process)
            if code != 0:
                complaint.seek(0)
                raise RepositoryUnreachable(self._last_line(complaint.read(64 * 1024)))
            answer.seek(0)
            return answer.read()

    def _wait(self, process: subprocess.Popen[bytes]) -> int:
        try:
            while (code := process.poll()) is None:
                if time.monotonic() > self.deadline:
                    raise RepositoryUnreachable("The repository took too long")
                if _size_of(self.scratch) > self.bounds.max_fetched_bytes:
                    raise RepositoryRefused("repository: is too large")
                time.sleep(_LOOK_SECONDS)
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        return code

    def _environment(self) -> dict[str, str]:
        settings: list[tuple[str, str]] = []
        if self.wanted.key is not None:
            word = base64.b64encode(f"x-access-token:{self.wanted.key}".encode()).decode()
            settings.append(("http.extraHeader", f"Authorization: Basic {word}"))
        if self.wanted.addresses:
            settings.append(("http.curloptResolve", _pin(self.wanted)))
        additions = {
            "HOME": str(self.scratch),
            "LC_ALL": "C",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": "false",
            "SSH_ASKPASS": "false",
            "GIT_ALLOW_PROTOCOL": self.wanted.repository.partition(":")[0],
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_CONFIG_COUNT": str(len(settings)),
        }
        for number, (name, value) in enumerate(settings):
            additions |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
        return child_environment(os.environ, additions)

    def _last_line(self, complaint: bytes) -> str:
        lines = [line.strip() for line in complaint.decode("utf-8", "replace").splitlines() if line.strip()]
        faults = [line for line in lines if line.startswith(("fatal: ", "error: "))]
        text = (faults or lines or ["it failed"])[0].removeprefix("fatal: ").replace(str(self.scratch), "")
        return f"git: {text[:_MESSAGE_CHARACTERS]}"


def _pin(wanted: Wanted) -> str:
    """Write curl's entry for the host.

    HAZARD: git before 2.37 does not know the setting, and looks the name up again.
    """
    parts = urlsplit(wanted.repository)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    addresses = (f"[{address}]" if ":" in address else address for address in wanted.addresses)
    return f"{parts.hostname}:{port}:{','.join(addresses)}"


_SETTINGS: Sequence[str] = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "protocol.version=2"),
    *("-c", "http.followRedirects=false"),
    *("-c", "http.lowSpeedLimit=1000"),
    *("-c", "http.lowSpeedTime=20"),
    *("-c", "credential.helper="),
    *("-c", "fetch.fsckObjects=true"),
    *("-c", "submodule.recurse=false"),
)


def _size_of(folder: Path) -> int:
    total = 0
    for place, _folders, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118 - once per file and look
    return total
