"""What the tools ask of git, with the system's own program."""

import io
import os
import subprocess
from pathlib import Path

from seqfacility_wire.command_line.refusal import Refused


def git(*arguments: str, folder: Path = Path(), given: bytes = b"") -> bytes:
    """Run git in a folder and return what it writes; `given` is what it reads.

    Raises `Refused` with the last thing that it complains about.
    """
    try:
        words = ["git", "-C", str(folder), *arguments]
        done = subprocess.run(words, check=False, capture_output=True, input=given)  # noqa: S603
    except FileNotFoundError:
        raise Refused("git is not installed") from None
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise Refused(f"git {arguments[0]}: {reason[-1] if reason else 'failed'}")
    return done.stdout


def tree_files(revision: str, inside: str, *, folder: Path) -> dict[str, bytes]:
    """Read the files of a folder of a commit by their paths in it, exactly as they are stored.

    Neither `git archive` nor a checkout would do: both obey attributes, which whoever wrote the commit may
    have written, too. Raises `Refused` for what is no plain file.
    """
    listed = git("ls-tree", "-r", "-z", f"{revision}:{inside}", folder=folder)
    objects = {}
    for row in listed.split(b"\0")[:-1]:
        facts, _, name = row.partition(b"\t")
        mode, _, number = facts.split(b" ")
        path = os.fsdecode(name)
        if mode not in {b"100644", b"100755"} or ".." in path.split("/"):
            raise Refused(f"{path}: is a link or no file")
        objects[path] = number
    given = b"".join(number + b"\n" for number in objects.values())
    said = io.BytesIO(git("cat-file", "--batch", folder=folder, given=given))
    found = {}
    for path in objects:
        size = int(said.readline().split(b" ")[2])
        found[path] = said.read(size + 1)[:size]
    return found
