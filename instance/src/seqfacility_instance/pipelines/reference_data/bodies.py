"""Bodies of the database endpoints."""

from typing import TypedDict

from seqfacility_instance.core.vocabulary.pipelines import DatabaseState, VerifiedBy


class ReferenceDatabase(TypedDict):
    """A reference database as an admin sees it. Decision: G335."""

    key: str
    id: str
    label: str
    version: str
    fileName: str
    downloadUrl: str
    checkedAgainst: VerifiedBy
    pipelines: list[str]
    status: DatabaseState
    receivedBytes: int
    totalBytes: int | None
    path: str | None
    verifiedBy: VerifiedBy | None
    sha256: str | None
    error: str | None
