"""What an earlier copy has seen of a registry: no host leads back behind it. Decision: G910, G1108."""

from collections.abc import Sequence
from pathlib import Path

from seqfacility_pipeline_package.trust_files import ROOT, SNAPSHOT, TIMESTAMP, metadata_file
from tuf.api.metadata import Metadata, Root

from seqfacility_registry.conformance.mirror import Failed, expect
from seqfacility_registry.trust.chain import published_version
from seqfacility_registry.trust.errors import TrustRefused
from seqfacility_registry.trust.folder import TrustFolder


def copy_known(known: Path, root: bytes, folder: Path) -> None:
    """Put the roots after `root`, the timestamp and the snapshot of a copy where the TUF client looks first.

    It verifies them as if a host had sent them. Raises `Failed` when the timestamp is damaged.
    """
    there = TrustFolder(known)
    first = Metadata.from_bytes(root).signed.version
    history = folder / "root_history"
    history.mkdir()
    for version in there.versions(ROOT):
        if version > first:
            (history / f"{version}.{ROOT}.json").write_bytes(there.content(ROOT, version))
    try:
        snapshot = published_version(there)
    except TrustRefused as damaged:
        raise Failed(f"what {known} has seen cannot be read: {damaged}") from damaged
    for role, number in ((TIMESTAMP, None), (SNAPSHOT, snapshot)):
        path = known / metadata_file(role, number)
        if path.is_file():
            (folder / metadata_file(role, None)).write_bytes(path.read_bytes())


def check_known(known: Path, roots: Sequence[Root]) -> None:
    """Refuse a chain of roots that does not lead beyond that of a copy; raises `Failed`.

    WHY: the TUF client drops a timestamp in silence that no root vouches for. So it has to be when a key was
    replaced; but when the roots in between are withheld or damaged, a host with the old keys could go back.
    """
    there = TrustFolder(known)
    last, seen = roots[-1].version, max(there.versions(ROOT), default=0)
    expect(last >= seen, f"{known} has root {seen}, and this host leads to root {last}")
    timestamp = there.timestamp()
    if timestamp is not None:
        is_signed = any(
            root.get_verification_result(TIMESTAMP, timestamp.signed_bytes, timestamp.signatures)
            for root in roots
        )
        expect(is_signed, f"{known} was made under other roots than those which --root leads to")
