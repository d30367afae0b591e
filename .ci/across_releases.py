"""Let the last release and this one meet: each one's instance reads the registry of the other.

The last release is the newest tag `v*` before this commit, on its own way: what was released beside it, from
another branch, is not its past. Before there is one, this commit stands in for it, in a clone where it has a
tag: so the way is tried, and only what a release will add is not.

A package or a profile that names a later release as the first for it is refused in these words, and that is
all that an older release has to do with it (G974).

Both are installed as a release is, with the constraints of their own. The registries are signed, by the
commands of their own release. Decision: G975.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.cookiejar import CookieJar
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (
    "schemas",
    "packages/wire",
    "packages/transfer_client",
    "packages/pipeline_package",
    "packages/workflow_runtime",
    "registry_site",
    "instance",
)
RELEASE = re.compile(r"v(\d+)\.(\d+)\.(\d+)")
NEEDS_LATER = re.compile(r"needs release \S+ or newer; this is \S+")
STAND_IN = "v0.0.0"
FROZEN = "schemas/releases"
KEYS = ("root", "release", "online")
NOT_SHIPPED_WITH_AN_INSTANCE = "ampliseq"
PROFILE = "single-machine"
ADMIN = "admin@facility.test"


@dataclass(frozen=True)
class Installed:
    """One release as a facility or a registry has it."""

    name: str
    sources: Path
    programs: Path

    def run(self, program: str, *arguments: object, **environment: object) -> str:
        """Run a command that must succeed; return what it printed."""
        printed = self.run_if_for_it(program, *arguments, **environment)
        if printed is None:
            sys.exit(f"{self.name}: {program} {arguments[0]} needs a later release")
        return printed

    def run_if_for_it(self, program: str, *arguments: object, **environment: object) -> str | None:
        """Run a command as `run`; None when it says that what it was given is for a later release."""
        done = subprocess.run(
            [str(self.programs / program), *map(str, arguments)],
            env=_environment(**environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode == 0:
            return done.stdout
        refused = NEEDS_LATER.search(done.stdout)
        if refused is None:
            sys.exit(f"{self.name}: {program} {arguments[0]} failed\n{done.stdout}")
        print(f"{self.name}: {program} {arguments[0]} {refused[0]}")
        return None

    @contextmanager
    def serving(self, program: str, **environment: object) -> Iterator[str]:
        """Serve on a port of this machine; return the address that the service prints."""
        command = [str(self.programs / program), "serve", "--bind", "127.0.0.1:0"]
        with subprocess.Popen(
            command,
            env=_environment(**environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as running:
            assert running.stdout is not None
            try:
                yield re.findall(r"http://\S+", running.stdout.readline())[-1].rstrip("/")
            finally:
                running.terminate()


def main() -> int:
    """Let them meet in both ways; the first failure ends it."""
    with tempfile.TemporaryDirectory(prefix="seqfacility-releases-") as temporary:
        work = Path(temporary)
        (work / "gitconfig").write_text(
            "[safe]\n\tdirectory = *\n[user]\n\tname = x\n\temail = x@x.invalid\n"
        )
        os.environ["GIT_CONFIG_GLOBAL"] = str(work / "gitconfig")
        repository, tag = ROOT, last_release(ROOT)
        if tag is None:
            repository = tagged_clone(work / "clone")
            tag = last_release(repository)
            assert tag == STAND_IN
            print("no release has a tag yet: this commit stands in for the last one")
        check_frozen(ROOT)
        sources = work / "sources"
        _git(repository, "archive", "--output", str(work / "sources.tar"), tag)
        shutil.unpack_archive(work / "sources.tar", sources)
        last = installed(f"the last release, {tag}", sources, work / "last")
        this = installed("this release", ROOT, work / "this")
        meet(last, this, work / "old-registry")
        meet(this, last, work / "new-registry")
    return 0


def last_release(repository: Path) -> str | None:
    """Return the newest release before the commit that is checked out; None without one."""
    earlier = earlier_releases(repository)
    return earlier[-1] if earlier else None


def earlier_releases(repository: Path) -> list[str]:
    """Return the tags of the releases that the commit goes back to, without its own, the oldest first."""
    tags = _git(repository, "tag", "--list", "v*", "--merged", "HEAD", "--no-contains", "HEAD").split()
    found = [(tuple(map(int, match.groups())), tag) for tag in tags if (match := RELEASE.fullmatch(tag))]
    return [tag for _numbers, tag in sorted(found)]


def tagged_clone(folder: Path) -> Path:
    """Clone this repository, tag its commit as a release, and let one more commit follow."""
    _git(ROOT, "clone", "--quiet", "--shared", "--no-tags", str(ROOT), str(folder))
    _git(folder, "tag", STAND_IN)
    _git(folder, "commit", "--quiet", "--allow-empty", "--message", "what came after the release")
    return folder


def check_frozen(repository: Path) -> None:
    """Fail for an earlier release that froze nothing, or whose frozen answers have changed since its tag."""
    for tag in earlier_releases(repository):
        frozen = f"{FROZEN}/{tag.removeprefix('v')}"
        if not _git(repository, "ls-tree", tag, "--", frozen):
            sys.exit(f"{tag} has no {frozen}")
        if _git(repository, "diff", "--stat", tag, "--", frozen):
            sys.exit(f"{frozen} has changed since {tag}")


def installed(name: str, sources: Path, folder: Path) -> Installed:
    """Install registry and instance with the versions that their constraints name, without the pages."""
    _uv("venv", "--python", sys.executable, str(folder))
    into = ("pip", "install", "--python", str(folder / "bin/python"), "--no-deps")
    _uv(*into, "--require-hashes", "--requirement", str(sources / "constraints.txt"))
    for part in FOLDERS:
        _uv("build", "--wheel", "--out-dir", str(folder / "wheels"), str(sources / part))
    _uv(*into, *map(str, (folder / "wheels").glob("*.whl")))
    return Installed(name, sources, folder / "bin")


def meet(publisher: Installed, reader: Installed, work: Path) -> None:
    """Let an instance of `reader` read everything that it reads of a signed registry of `publisher`."""
    content, root = signed_content(publisher, work)
    with publisher.serving("seqfacility-registry", SEQFACILITY_REGISTRY_CONTENT=content) as address:
        registry = f"{address.removesuffix('/api')}/api"
        reader.run("seqfacility-registry", "verify-mirror", registry, "--root", root)
        here = {
            "SEQFACILITY_HOME": work / "home",
            "SERVICE_API_URL": registry,
            "SEQFACILITY_REGISTRY_ROOT": root,
        }
        profile = f"{registry}/install-profiles/{PROFILE}/resolve"
        init = ("seqfacility", "init", "--admin-email", ADMIN)
        made = reader.run_if_for_it(*init, "--profile", profile, "--yes", **here)
        if made is None:
            made = reader.run(*init, **here)
        reader.run("seqfacility", "sync-catalog", **here)
        reader.run_if_for_it("seqfacility", "install-pipeline", NOT_SHIPPED_WITH_AN_INSTANCE, **here)
        with reader.serving("seqfacility", **here) as instance:
            look_around(instance, password_of(made))
    print(f"{reader.name}: reads the registry of {publisher.name}")


def signed_content(publisher: Installed, work: Path) -> tuple[Path, Path]:
    """Copy the content of a release and sign it by its own commands."""
    content = work / "content"
    shutil.copytree(publisher.sources / "registry_site/content", content)
    keys = {name: work / name for name in KEYS}
    for key in keys.values():
        publisher.run("seqfacility-registry", "keygen", key)
    public = {name: f"{key}.pub" for name, key in keys.items()}
    named = ("--snapshot-key", public["release"], "--timestamp-key", public["online"])
    root = ("--root-key", public["root"], "--threshold", 1)
    publisher.run("seqfacility-registry", "new-root", content, *root, *named)
    publisher.run("seqfacility-registry", "sign", content, "--role", "root", "--key", keys["root"])
    publisher.run("seqfacility-registry", "sign", content, "--role", "snapshot", "--key", keys["release"])
    publisher.run("seqfacility-registry", "timestamp", content, "--key", keys["online"])
    return content, content / "trust/root.1.json"


def look_around(instance: str, password: str) -> None:
    """Let an admin read the store and compare the checklists, which no command does."""
    admin = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def ask(path: str, body: object = None) -> dict[str, object]:
        request = urllib.request.Request(  # noqa: S310  # the address is that of our own server
            f"{instance}/api{path}",
            None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json", "Origin": instance},
        )
        with admin.open(request, timeout=60) as answer:
            document: dict[str, object] = json.load(answer)
            return document

    ask("/auth/sign-in", {"email": ADMIN, "password": password})
    store = ask("/admin/pipelines/store")
    assert store["registry"]["error"] is None, store  # type: ignore[index]  # an object, by the API
    assert store["pipelines"]
    ask("/admin/mixs-checklists", {"action": "check-updates"})


def password_of(printed: str) -> str:
    """Return the password that `init` prints once."""
    found = re.search(r"^password: (\S+)", printed, re.MULTILINE)
    assert found, printed
    return found[1]


def _environment(**changes: object) -> dict[str, str]:
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("SEQFACILITY_", "PYTHON"))
    }
    return {**kept, **{name: str(value) for name, value in changes.items()}}


def _git(repository: Path, *arguments: str) -> str:
    return _run("git", "-C", str(repository), *arguments)


def _uv(*arguments: str) -> None:
    _run("uv", "--quiet", *arguments, SEQFACILITY_WITHOUT_PAGES="1")


def _run(*command: str, **environment: str) -> str:
    done = subprocess.run(
        command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
