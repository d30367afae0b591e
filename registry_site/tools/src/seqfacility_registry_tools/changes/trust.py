"""The signed side of a content in words: which keys count, how many of them, and until when."""

from collections.abc import Iterator
from pathlib import Path

from seqfacility_pipeline_package.trust_files import ROOT
from seqfacility_registry.trust.chain import trusted_roots
from seqfacility_registry.trust.folder import trust_folder
from seqfacility_registry.trust.root_checks import publishers_of
from tuf.api.metadata import Root, Signed

from seqfacility_registry_tools.changes.things import Thing

DIGITS = 12
"""Of the id of a key, as the commands that sign show it."""


def read_trust(content: Path) -> Thing:
    """Read who may sign, by the newest root that lies there, and the newest metadata of each role.

    Raises `TrustRefused` for a file that is no metadata. Decision: G952.
    """
    folder = trust_folder(content)
    versions = folder.versions(ROOT)
    root = folder.root(versions[-1]) if versions else None
    if root is None:
        return Thing({})
    signed = root.signed
    facts = {
        "root": signed.version,
        "root in force": len(trusted_roots(folder)),
        "root ends": _day(signed),
    }
    parts = dict(_keys(signed))
    for role in sorted({"snapshot", "targets", "timestamp", *publishers_of(signed)}):
        newest = folder.find(role, None if role == "timestamp" else max(folder.versions(role), default=0))
        if newest is not None:
            said = {"version": newest.signed.version, "ends": _day(newest.signed)}
            parts["metadata", role] = Thing(said)
    return Thing(facts, parts)


def _keys(root: Root) -> Iterator[tuple[tuple[str, str], Thing]]:
    for name, role in root.roles.items():
        keys = sorted(keyid[:DIGITS] for keyid in role.keyids)
        yield ("role", name), Thing({"keys": keys, "threshold": role.threshold})
    for name, keyid in publishers_of(root).items():
        yield ("publisher", name), Thing({"key": keyid[:DIGITS]})


def _day(signed: Signed) -> str:
    return f"{signed.expires:%Y-%m-%d}"
