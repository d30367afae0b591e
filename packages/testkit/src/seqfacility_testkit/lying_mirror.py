"""A signed registry whose keys a test holds, and a mirror of it that lies.

It makes metadata with the TUF library and publishes under the names and paths of our registry. `keys` are
those of the roles now; a test that has "stolen" one signs with it.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from securesystemslib.signer import CryptoSigner
from seqfacility_instance.pipelines.service import bundled_payloads
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_pipeline_package.payload import payload_digest
from seqfacility_pipeline_package.trust_files import publisher_paths
from tuf.api.metadata import (
    DelegatedRole,
    Delegations,
    Key,
    Metadata,
    MetaFile,
    Root,
    Snapshot,
    TargetFile,
    Targets,
    Timestamp,
)
from tuf.api.serialization.json import JSONSerializer

from seqfacility_testkit.registry import StandInRegistry

TRUST: Final = "/api/trust/"
_ROOT_DAYS, _RELEASE_DAYS, _TIMESTAMP_DAYS = 365, 90, 7


def new_key() -> CryptoSigner:
    """Make an Ed25519 key."""
    return CryptoSigner.generate_ed25519()


def signed_bytes(signed: Any, *keys: CryptoSigner) -> bytes:
    """Sign metadata and write it as a file."""
    metadata = Metadata(signed)
    for key in keys:
        metadata.sign(key, append=True)
    return metadata.to_bytes(JSONSerializer(compact=True))


def with_changed(content: bytes, change: Mapping[str, object]) -> bytes:
    """Change what is signed without signing it anew."""
    document = json.loads(content)
    document["signed"].update(change)
    return json.dumps(document).encode()


@dataclass
class SignedAnswers:
    """Publishes documents into the answers of a registry, each publication signed anew."""

    registry: StandInRegistry
    now: datetime = field(default_factory=lambda: datetime.now(UTC).replace(microsecond=0))
    root_keys: list[CryptoSigner] = field(default_factory=lambda: [new_key() for _ in range(3)])
    release_key: CryptoSigner = field(default_factory=new_key)
    online_key: CryptoSigner = field(default_factory=new_key)
    publisher_keys: dict[str, CryptoSigner] = field(default_factory=dict)
    documents: dict[str, bytes] = field(default_factory=dict)
    of_publishers: dict[str, dict[str, bytes]] = field(default_factory=dict)
    root: Root = field(init=False)
    version: int = 0

    def __post_init__(self) -> None:
        self.root = Root(expires=self.now + timedelta(days=_ROOT_DAYS), consistent_snapshot=True)
        self.name_keys()
        self.put_root()

    def name_keys(self, *, threshold: int = 2) -> None:
        """Let the root name the keys that are held now, and no others."""
        for role in self.root.roles.values():
            role.keyids.clear()
        self.root.keys.clear()
        for key in self.root_keys:
            self.root.add_key(key.public_key, "root")
        self.root.roles["root"].threshold = threshold
        for name in ("snapshot", "targets"):
            self.root.add_key(self.release_key.public_key, name)
        self.root.add_key(self.online_key.public_key, "timestamp")

    def put_root(self, *signers: CryptoSigner) -> bytes:
        """Serve the root, signed by two of its keys or by these."""
        content = signed_bytes(self.root, *(signers or self.root_keys[:2]))
        self.put(f"root.{self.root.version}.json", content)
        return content

    def rotate(self, **keys: Any) -> None:
        """Replace keys by those that are given, in a root of the next version that old and new keys sign."""
        before = self.root_keys[:2]
        for name, value in keys.items():
            setattr(self, name, value)
        self.root.version += 1
        self.name_keys()
        signers = {key.public_key.keyid: key for key in [*before, *self.root_keys[:2]]}
        self.put_root(*signers.values())

    def put(self, name: str, content: bytes) -> None:
        """Serve a file below `/api/trust/`."""
        self.registry.answers[TRUST + name] = content

    def file(self, name: str) -> bytes:
        """Return a file as it is served below `/api/trust/`."""
        return self.registry.answers[TRUST + name]

    def publish(self, documents: Mapping[str, bytes] | None = None, *, version: int | None = None) -> None:
        """Serve and sign these documents beside the ones before, every role at the next version.

        Each is served at its own path, too, as it is for who verifies nothing.
        """
        self.documents.update(documents or {})
        self.version = self.version + 1 if version is None else version
        files = {"targets": self.put_targets()}
        for name, listed in self.of_publishers.items():
            files[name] = self._put_documents(name, listed, self.publisher_keys[name])
        self.put_snapshot(files)
        self.put_timestamp()

    def add_publisher(self, name: str, documents: Mapping[str, bytes]) -> None:
        """Let a publisher with a key of its own sign these packages; their entries are the release's."""
        self.publisher_keys[name] = new_key()
        packages = {path: content for path, content in documents.items() if path.endswith("/download")}
        entries = {f"registry/{path.split('/')[2]}" for path in packages}
        self.of_publishers[name] = packages
        self.documents.update({path: documents[path] for path in entries})

    def put_targets(self) -> bytes:
        """Serve the release's documents and who else may publish."""
        return self._put_documents("targets", self.documents, self.release_key, self._delegations())

    def put_snapshot(self, files: Mapping[str, bytes], *, days: int = _RELEASE_DAYS) -> bytes:
        """Serve a snapshot that names these files of roles at the versions that they have."""
        meta = {
            f"{name}.json": MetaFile(Metadata.from_bytes(content).signed.version)
            for name, content in files.items()
        }
        snapshot = Snapshot(self.version, expires=self.now + timedelta(days=days), meta=meta)
        content = signed_bytes(snapshot, self.release_key)
        self.put(f"snapshot.{self.version}.json", content)
        return content

    def put_timestamp(
        self,
        *,
        key: CryptoSigner | None = None,
        version: int | None = None,
        snapshot: int | None = None,
        days: float = _TIMESTAMP_DAYS,
        issued: datetime | None = None,
    ) -> bytes:
        """Serve a timestamp that names a snapshot which is served."""
        number = self.version if snapshot is None else snapshot
        content = self.file(f"snapshot.{number}.json")
        timestamp = Timestamp(
            self.version if version is None else version,
            expires=self.now + timedelta(days=days),
            snapshot_meta=MetaFile(number, len(content), {"sha256": hashlib.sha256(content).hexdigest()}),
            unrecognized_fields={"issued": f"{issued or self.now:%Y-%m-%dT%H:%M:%SZ}"},
        )
        written = signed_bytes(timestamp, key or self.online_key)
        self.put("timestamp.json", written)
        return written

    def _put_documents(
        self,
        role: str,
        documents: Mapping[str, bytes],
        key: CryptoSigner,
        delegations: Delegations | None = None,
    ) -> bytes:
        listed = {}
        for name, content in documents.items():
            digest = hashlib.sha256(content).hexdigest()
            ending, place = ("", "/") if name.startswith("images/") else (".json", "/api/")
            listed[name] = TargetFile(len(content), {"sha256": digest}, name)
            self.put(f"documents/{digest}{ending}", content)
            self.registry.answers[place + name] = content
        expires = self.now + timedelta(days=_RELEASE_DAYS)
        targets = Targets(self.version, expires=expires, targets=listed, delegations=delegations)
        written = signed_bytes(targets, key)
        self.put(f"{role}.{self.version}.json", written)
        return written

    def _delegations(self) -> Delegations | None:
        if not self.publisher_keys:
            return None
        keys: dict[str, Key] = {key.public_key.keyid: key.public_key for key in self.publisher_keys.values()}
        roles = {
            name: DelegatedRole(
                name,
                [key.public_key.keyid],
                1,
                terminating=True,
                paths=publisher_paths(name),
            )
            for name, key in self.publisher_keys.items()
        }
        return Delegations(keys, roles)


def pipeline_documents(pipeline_id: str, version: str, name: str = "New QC") -> dict[str, bytes]:
    """Return what a registry publishes of a pipeline that a facility can install: index, entry, package."""
    (content,) = [body for file, body in bundled_payloads().items() if file.startswith("fastq-checksum")]
    body = json.loads(content)
    body["id"] = body["definition"]["pipeline"] = body["registry"]["id"] = pipeline_id
    body["version"] = body["manifest"]["package"]["version"] = version
    body["manifest"]["package"]["id"] = pipeline_id
    body["sha256"] = payload_digest(body)
    path = f"/registry/pipelines/{pipeline_id}/{version}/download"
    versions = [{"version": version, "downloadUrl": path, "sha256": body["sha256"]}]
    entry = {
        "id": pipeline_id,
        "name": name,
        "latestVersion": version,
        "status": "available",
        "versions": versions,
    }
    index = {"version": "1.0.0", "lastUpdated": "2031-05-04", "pipelines": [entry], "categories": []}
    return {
        "registry": json.dumps(index).encode(),
        f"registry/{pipeline_id}": json.dumps(entry).encode(),
        f"registry/pipelines/{pipeline_id}/{version}/download": canonical_json(body),
    }
