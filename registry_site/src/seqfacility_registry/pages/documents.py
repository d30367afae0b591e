"""The API answers of a registry, as the pages read them."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from seqfacility_pipeline_package.documents import read_json

REGISTRY = "api/registry"
CHECKLISTS = "api/registry/mixs"
CHANGES = "api/registry/mixs/changes"
CATALOG = "api/registry/sequencing-tech"
PROFILES = "api/install-profiles"
RESEARCH = "api/research-data"
RELEASE = "api/version"
RELEASES = "api/releases"
TRUST = "api/trust/"

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._:-]*")


class Documents:
    """API answers by their path below the web root, each parsed when a page first needs it.

    `contents` maps a path to a function that returns the bytes of the answer, or None when it is broken;
    pages treat a broken answer as missing.
    """

    def __init__(self, contents: Mapping[str, Callable[[], bytes | None]]) -> None:
        self._contents = contents
        self._read: dict[str, Any] = {}

    @classmethod
    def of(cls, answers: Mapping[str, bytes]) -> "Documents":
        """Wrap answers that are already in memory."""
        return cls({path: partial(bytes, content) for path, content in answers.items()})

    def __contains__(self, path: object) -> bool:
        return path in self._contents

    def below(self, folder: str) -> Iterator[str]:
        """Yield the path of each answer below a folder."""
        return (path for path in self._contents if path.startswith(folder))

    def content(self, path: str) -> bytes | None:
        """Return the bytes of an answer; None when it is missing."""
        return self._contents[path]() if path in self._contents else None

    def find(self, path: str) -> Any:  # a document of the API, which its schema describes
        """Return the parsed answer; None when it is missing."""
        if path not in self._read:
            content = self.content(path)
            self._read[path] = None if content is None else read_json(content)
        return self._read[path]

    def pipelines(self) -> Iterator[dict[str, Any]]:
        """Yield the full entry of each listed pipeline whose id can be part of an address."""
        for row in (self.find(REGISTRY) or {}).get("pipelines", []):
            entry = self.find(f"{REGISTRY}/{row['id']}")
            if entry is not None and _NAME.fullmatch(entry["id"]):
                yield entry

    def checklists(self) -> list[dict[str, Any]]:
        """Return the checklists whose accession can be part of an address."""
        found = (self.find(CHECKLISTS) or {}).get("checklists", [])
        return [row for row in found if _NAME.fullmatch(row["accession"])]

    def releases(self) -> list[dict[str, Any]]:
        """Return every release, newest first; before 0.2.0 a registry names only its latest."""
        if RELEASES in self:
            return list((self.find(RELEASES) or {}).get("releases", []))
        latest = (self.find(RELEASE) or {}).get("latest")
        return [] if latest is None else [latest]

    def profiles(self) -> Iterator[dict[str, Any]]:
        """Yield each listed install profile."""
        for row in (self.find(PROFILES) or {}).get("profiles", []):
            profile = self.find(f"{PROFILES}/{row['id']}")
            if profile is not None:
                yield profile
