"""The answers of a registry as the pages read them."""

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
TIMESTAMP = "api/trust/timestamp.json"

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._:-]*")


class Documents:
    """Answers by their path below the root of the host, each read when a page first needs it.

    `contents` gives the bytes of an answer, or None where it is broken: for pages it is then not there.
    """

    def __init__(self, contents: Mapping[str, Callable[[], bytes | None]]) -> None:
        self._contents = contents
        self._read: dict[str, Any] = {}

    @classmethod
    def of(cls, answers: Mapping[str, bytes]) -> "Documents":
        return cls({path: partial(_as_it_is, content) for path, content in answers.items()})

    def __contains__(self, path: object) -> bool:
        return path in self._contents

    def find(self, path: str) -> Any:  # a document of the API, which its schema describes
        """Return a document; None where there is none."""
        if path not in self._read:
            content = self._contents[path]() if path in self._contents else None
            self._read[path] = None if content is None else read_json(content)
        return self._read[path]

    def pipelines(self) -> Iterator[dict[str, Any]]:
        """Yield the full entry of each pipeline that is listed."""
        for row in (self.find(REGISTRY) or {}).get("pipelines", []):
            entry = self.find(f"{REGISTRY}/{row['id']}")
            if entry is not None and _NAME.fullmatch(entry["id"]):
                yield entry

    def checklists(self) -> list[dict[str, Any]]:
        """Return the checklists; a name that would be no part of an address has no page."""
        found = (self.find(CHECKLISTS) or {}).get("checklists", [])
        return [row for row in found if _NAME.fullmatch(row["accession"])]

    def profiles(self) -> Iterator[dict[str, Any]]:
        for row in (self.find(PROFILES) or {}).get("profiles", []):
            profile = self.find(f"{PROFILES}/{row['id']}")
            if profile is not None:
                yield profile


def _as_it_is(content: bytes) -> bytes:
    return content
