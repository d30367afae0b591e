"""The signed side of one publication: metadata and documents that anybody may hold the answers against."""

import logging
from collections.abc import Mapping
from pathlib import Path

from falcon import MEDIA_JSON
from seqfacility_pipeline_package.trust_files import (
    DOCUMENTS,
    ROOT,
    TIMESTAMP_FILE,
    metadata_file,
)
from seqfacility_wire.caching import ReadyDocument

MEDIA_BYTES = "application/octet-stream"
"""A drawing by its digest is compared, and looked at from its own address."""

_log = logging.getLogger("seqfacility.content")


class TrustContent:
    """Files by their path below `/api/trust/`; none where the content is not signed, or `is_broken`."""

    def __init__(self, files: Mapping[str, ReadyDocument], is_broken: bool = False) -> None:
        self._files = files
        self.is_broken = is_broken

    def find(self, name: str) -> ReadyDocument | None:
        return self._files.get(name)

    def items(self) -> Mapping[str, ReadyDocument]:
        return self._files


def read_trust(folder: Path) -> TrustContent:
    """Read what the timestamp of a content publishes, and the publication before it.

    What still waits for signatures is not published. Without a timestamp, or when a file that it leads to
    is missing, nothing is.

    Decision: G903, G907.
    """
    if not folder.is_dir():
        return TrustContent({})
    from seqfacility_registry.trust.chain import published_version, read_set, trusted_roots
    from seqfacility_registry.trust.errors import TrustRefused
    from seqfacility_registry.trust.folder import TrustFolder
    from seqfacility_registry.trust.pruning import file_names, kept_sets

    there = TrustFolder(folder)
    try:
        version = published_version(there)
        if not version:
            return TrustContent({})
        names = file_names(kept_sets(there, read_set(there, version)))
        names |= {metadata_file(ROOT, root.signed.version) for root in trusted_roots(there)}
        found = {name: (folder / name).read_bytes() for name in sorted({*names, TIMESTAMP_FILE})}
    except (TrustRefused, OSError) as broken:
        reason = broken.strerror if isinstance(broken, OSError) else broken
        _log.error("broken content: trust: %s", reason)
        return TrustContent({}, is_broken=True)
    return TrustContent({name: ReadyDocument.of(content, _media(name)) for name, content in found.items()})


def _media(name: str) -> str:
    return MEDIA_BYTES if name.startswith(f"{DOCUMENTS}/") and not name.endswith(".json") else MEDIA_JSON
