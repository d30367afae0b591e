"""Local bare git repositories that hold packages, as a forge would serve them."""

import os
import subprocess
from pathlib import Path
from typing import Any

from seqfacility_pipeline_package.documents import readable_json

_WHO = ("-c", "user.name=Ada", "-c", "user.email=ada@lab.test", "-c", "init.defaultBranch=main")


class Repository:
    """A working folder, and the bare repository beside it that `publish` pushes to."""

    def __init__(self, folder: Path) -> None:
        self.work = folder / "work"
        self.bare = folder / "bare.git"
        self.work.mkdir(parents=True)
        _git(folder, "init", "--quiet", "--bare", str(self.bare))
        _git(self.work, "init", "--quiet")

    @property
    def url(self) -> str:
        return self.bare.as_uri()

    def write(self, payload: dict[str, Any], folder: str = "") -> None:
        root = self.work / folder
        texts: dict[str, str] = {
            f"{name}.json": readable_json(payload[name])
            for name in ("manifest", "definition", "registry", "samplesheet")
        }
        for group in ("scripts", "workflow"):
            texts |= payload[group]
        for path, document in payload["parsers"].items():
            texts[path] = readable_json(document)
        for path, text in texts.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")

    def publish(self, tag: str | None = None) -> str:
        """Commit everything, push it, tag it; return the commit."""
        _git(self.work, "add", "--all", "--force")
        _git(self.work, *_WHO, "commit", "--quiet", "--allow-empty", "-m", "a commit")
        if tag is not None:
            _git(self.work, *_WHO, "tag", "-a", tag, "-m", tag)
        _git(self.work, "push", "--quiet", "--tags", str(self.bare), "HEAD:refs/heads/main")
        _git(self.bare, "symbolic-ref", "HEAD", "refs/heads/main")
        return _git(self.work, "rev-parse", "HEAD").strip()


def _git(folder: Path, *words: str) -> str:
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", *words],
        cwd=folder,
        env=own | {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout
