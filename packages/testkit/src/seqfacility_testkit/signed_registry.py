"""Signs a content folder with fresh keys, by the commands that maintainers use."""

import contextlib
import io
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from unittest import mock


@dataclass(frozen=True, slots=True)
class SignedRegistry:
    """A content folder and the keys of its roles: two of three root keys sign a root.

    `now` of each method is the time at which something is signed, None for the present.
    """

    content: Path
    keys: Path

    @property
    def root_file(self) -> Path:
        """The first root, which an instance pins."""
        return self.content / "trust" / "root.1.json"

    def key(self, name: str) -> Path:
        """Return the private key of `root-a`, `root-b`, `root-c`, `snapshot`, `timestamp` or a publisher."""
        return self.keys / name

    def public_key(self, name: str) -> Path:
        return self.keys / f"{name}.pub"

    def make_key(self, name: str) -> Path:
        run("keygen", self.key(name))
        return self.key(name)

    def new_root(
        self, *options: object, by: Sequence[str] = ("root-a", "root-b"), now: datetime | None = None
    ) -> None:
        """Write the next root with some options of `new-root` and sign it."""
        run("new-root", self.content, *options, now=now)
        run("sign", self.content, "--role", "root", "--key", *map(self.key, by), now=now)

    def sign(self, role: str = "snapshot", now: datetime | None = None) -> None:
        """Sign what the content is now, as `snapshot` or as a publisher."""
        run("sign", self.content, "--role", role, "--key", self.key(role), now=now)

    def timestamp(self, *options: object, now: datetime | None = None) -> None:
        run("timestamp", self.content, "--key", self.key("timestamp"), *options, now=now)

    def publish(self, now: datetime | None = None) -> None:
        """Sign the content as it is and publish it."""
        self.sign(now=now)
        self.timestamp(now=now)


def sign_registry(
    content: Path, keys: Path, publishers: Sequence[str] = (), now: datetime | None = None
) -> SignedRegistry:
    """Sign a content folder that is not signed yet, with new keys in the folder `keys`."""
    keys.mkdir(parents=True, exist_ok=True)
    made = SignedRegistry(content, keys)
    for name in ("root-a", "root-b", "root-c", "snapshot", "timestamp", *publishers):
        made.make_key(name)
    options: list[object] = ["--root-key", *(made.public_key(f"root-{letter}") for letter in "abc")]
    options += ["--threshold", 2, "--snapshot-key", made.public_key("snapshot")]
    options += ["--timestamp-key", made.public_key("timestamp")]
    for name in publishers:
        options += ["--publisher", f"{name}={made.public_key(name)}"]
    made.new_root(*options, now=now)
    for name in publishers:
        made.sign(name, now=now)
    made.publish(now=now)
    return made


def run(*arguments: object, now: datetime | None = None) -> str:
    """Run a command of the registry in this process; return what it says.

    Raises `AssertionError` with its words when it refuses.
    """
    from seqfacility_registry.cli import main

    said = io.StringIO()
    fixed = "" if now is None else str(int(now.timestamp()))
    with (
        mock.patch.dict(os.environ, {"SOURCE_DATE_EPOCH": fixed}),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
    ):
        status = main([str(argument) for argument in arguments])
    assert status == 0, f"{arguments[0]}: {said.getvalue()}"
    return said.getvalue()
