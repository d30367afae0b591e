"""The documents of a publication as they are signed: link-free answers and drawings."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from seqfacility_pipeline_package.trust_files import IMAGES, document_file
from tuf.api.metadata import TargetFile

from seqfacility_registry.answers import ContentBroken
from seqfacility_registry.content_folder import Publication
from seqfacility_registry.static_answers import open_profiles, static_answers
from seqfacility_registry.trust.errors import TrustRefused


@dataclass(frozen=True, slots=True)
class Document:
    """One target: its path, its bytes, and the number of its version where it has one."""

    path: str
    content: bytes
    version: int | None = None

    @property
    def target(self) -> TargetFile:
        """Return what is signed of it."""
        custom = {} if self.version is None else {"custom": {"version": self.version}}
        hashes = {"sha256": hashlib.sha256(self.content).hexdigest()}
        return TargetFile(len(self.content), hashes, self.path, custom)


def documents_of(publication: Publication) -> Mapping[str, Document]:
    """Return every document by its path; raises `TrustRefused` when one is broken.

    Links begin at the registry's address and do not name it, so the bytes are those of every mirror.

    Decision: G902.
    """
    found = {}
    for path, answer in static_answers(publication):
        try:
            content = answer.ready("").content
        except ContentBroken as broken:
            raise TrustRefused(f"the content is broken: {answer.fault('')}") from broken
        document = json.loads(content)
        version = document.get("version") if isinstance(document, dict) else None
        found[path] = Document(path, content, version if isinstance(version, int) else None)
    for path, content in open_profiles(publication):
        found[path] = Document(path, content)
    for place, image in publication.images.items():
        path = f"{IMAGES}{place}"
        found[path] = Document(path, image.content)
    return dict(sorted(found.items()))


def file_of(target: TargetFile) -> str:
    """Return the name of a target's bytes below `documents/`."""
    return document_file(target.path, target.hashes["sha256"])
