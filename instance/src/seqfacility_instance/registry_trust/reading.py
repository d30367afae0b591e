"""How services read documents of a registry: by its signatures, as the facility has decided."""

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from seqfacility_pipeline_package.trust_files import DOCUMENTS, document_file
from seqfacility_schemas.findings import Finding
from tuf.api.metadata import TargetFile

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.registry import TrustPolicy
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.registry_client.client import (
    Fetched,
    RegistryClient,
    json_object_of,
    json_of,
    logged_fault,
)
from seqfacility_instance.registry_client.errors import (
    RegistryAnswerTooLarge,
    RegistryFault,
    RegistryNotReachable,
    RegistryRefused,
)
from seqfacility_instance.registry_trust import store
from seqfacility_instance.registry_trust.errors import RegistryNotTrusted, RootNotUsable, SignatureNotValid
from seqfacility_instance.registry_trust.root_files import read_root
from seqfacility_instance.registry_trust.rules import (
    base_address,
    document_name,
    expiry_warnings,
    signed_roles,
)
from seqfacility_instance.registry_trust.walk import TrustedWalk, version_of
from seqfacility_instance.tables.base import database


@dataclass(slots=True)
class Reading:
    """What one act reads of one registry, all of it from one publication when it is signed.

    `warnings` says what could not be verified and was read all the same; it stays empty unless the policy
    is `warn`.
    """

    client: RegistryClient
    policy: TrustPolicy
    base: str | None
    root: bytes | None
    known: dict[str, str]
    folder: Path
    now: datetime
    warnings: list[str] = field(default_factory=list)
    walk: TrustedWalk | None = None
    refusal: RegistryNotTrusted | None = None
    """Why something was not believed, whether or not the act went on."""
    fault: RegistryFault | None = None
    """Why nothing can be verified."""

    def fetch(self, url: str, client: RegistryClient | None = None, bearer: str | None = None) -> bytes:
        """Fetch the bytes of the document at a URL; `client` has other limits than that of the registry.

        Under `required` they are those that were signed: their length and digest are checked before anybody
        parses them. Under `warn` so they are as long as that can be done. Raises as `RegistryClient.fetch`,
        and the refusals of `registry_trust.errors`.

        Decision: G915, G916.
        """
        client = client or self.client
        if self.policy is TrustPolicy.OFF:
            return client.fetch(url, bearer)
        try:
            with logged_fault():
                return self._signed(url, client)
        except RegistryFault as fault:
            self._tolerate(fault)
            return client.fetch(url, bearer)

    def fetch_changed(self, url: str, known: str | None) -> Fetched | None:
        """Fetch a document unless it still is the one that `known` names; None when it is.

        The `etag` of what is fetched names it the next time: the digest of a signed document, so that one
        that did not change is not asked for at all, else the tag of the answer. Raises as `fetch`.

        Decision: G971.
        """
        digest = self._digest(url)
        if digest is None:
            return self.client.fetch_changed(url, known)
        if digest == known:
            return None
        content = self.fetch(url)
        return Fetched(content, None, None if self.warnings else digest)

    def _digest(self, url: str) -> str | None:
        """Return the SHA-256 that is signed of a document; None where nothing is verified."""
        if self.policy is TrustPolicy.OFF:
            return None
        try:
            with logged_fault():
                return self._target(url)[1]
        except RegistryFault as fault:
            self._tolerate(fault)
            return None

    def _tolerate(self, fault: RegistryFault) -> None:
        """Raise under `required`; note under `warn` what could not be verified."""
        if isinstance(fault, RegistryNotTrusted):
            self.refusal = fault
        if self.policy is TrustPolicy.REQUIRED:
            raise fault
        said = "; ".join([fault.text, *fault.__notes__])
        if said not in self.warnings:
            self.warnings.append(said)

    def fetch_json(self, url: str, client: RegistryClient | None = None) -> object:
        """Fetch a document and parse it; raises as `fetch`, and `InvalidRegistryAnswer`."""
        return json_of(self.fetch(url, client), url)

    def fetch_object(self, url: str, bearer: str | None = None) -> dict[str, object]:
        """Fetch a JSON object; raises as `fetch_json`."""
        return json_object_of(self.fetch(url, bearer=bearer), url)

    def findings(self) -> list[Finding]:
        """Return the warnings as the answers of a sync list them."""
        return [Finding("registry", "signature", warning) for warning in self.warnings]

    def record_warnings(self, caller: LiveFacilityAdmin | None) -> None:
        """Write into the audit trail that an act used what was not verified; in the act's transaction.

        Decision: G915.
        """
        if self.warnings:
            act, address = AuditAction.REGISTRY_NOT_VERIFIED, self.base or self.client.base_url
            kept, more = self.warnings[:20], len(self.warnings) - 20
            kept += [f"and {more} more"] if more > 0 else []
            audit.record(caller, act, "registry", address[:255], self.now, warnings=kept)

    def _signed(self, url: str, client: RegistryClient) -> bytes:
        target, digest = self._target(url)
        return _verified(
            target, f"{self.base}/trust/{DOCUMENTS}/{document_file(target.path, digest)}", client
        )

    def _target(self, url: str) -> tuple[TargetFile, str]:
        """Return what is signed of a document, and its SHA-256."""
        if self.fault is not None:
            raise self.fault
        if self.base is None or (name := document_name(url, self.base)) is None:
            raise SignatureNotValid().at(url, "nothing can be signed at this address")
        target = self._walked().target(name)
        digest = target.hashes.get("sha256")
        if digest is None:
            raise SignatureNotValid().at(url, "the document is signed without its SHA-256")
        return target, digest

    def _walked(self) -> TrustedWalk:
        """Verify the metadata at the first document that is read, and once."""
        if self.walk is None:
            assert self.base is not None
            try:
                if self.root is None:
                    raise SignatureNotValid().at(
                        self.base, "no root is pinned; SEQFACILITY_REGISTRY_ROOT names the file of one"
                    )
                self.walk = TrustedWalk.begun(
                    self.client, self.base, self.root, self.known, self.folder, self.now
                )
            except RegistryFault as fault:
                self.fault = fault
                raise
        return self.walk


def _verified(target: TargetFile, url: str, client: RegistryClient) -> bytes:
    """Fetch the bytes of a document and hold them against what was signed."""
    if target.length > client.max_bytes:
        raise RegistryNotReachable().at(url, f"the answer is larger than {client.max_bytes} bytes")
    try:
        limited = replace(client, max_bytes=target.length, stays_at_origin=True, may_be_cached=True)
        content = limited.fetch_quietly(url).content
    except RegistryAnswerTooLarge as large:
        raise SignatureNotValid().at(url, f"{target.path} is longer than what was signed") from large
    except RegistryRefused as refused:
        if refused.answered == 404:
            raise SignatureNotValid().at(url, f"{target.path} is signed and not there") from refused
        raise
    if len(content) != target.length or hashlib.sha256(content).hexdigest() != target.hashes["sha256"]:
        raise SignatureNotValid().at(url, f"{target.path} is not what was signed")
    return content


@dataclass(frozen=True, slots=True)
class _Start:
    """The metadata that one act begins with, and from which root that was come to."""

    known: dict[str, str]
    began_at: str = ""
    generation: int = 0
    fault: SignatureNotValid | None = None


@dataclass(frozen=True, slots=True)
class TrustedRegistry:
    """The registry as services read it. Decision: G915, G916, G917."""

    client: RegistryClient
    facility: FacilitySettings
    pinned_root: Path | None
    clock: Clock

    @property
    def base_url(self) -> str:
        return self.client.base_url

    def url(self, *parts: str) -> str:
        """Name a document of the registry, as `RegistryClient.url` does."""
        return self.client.url(*parts)

    @property
    def default_policy(self) -> TrustPolicy:
        """What holds as long as no admin has decided: signatures are required once a root is pinned."""
        return TrustPolicy.OFF if self.pinned_root is None else TrustPolicy.REQUIRED

    def policy(self) -> TrustPolicy:
        """Return what is asked of signatures now. Decision: G915."""
        return self.facility.registry().trust or self.default_policy

    @contextmanager
    def reading(self, url: str | None = None, *, has_database: bool = True) -> Iterator[Reading]:
        """Open the reading of one act, of the registry that `url` lies at, of the configured one without.

        What was verified is kept when the block ends without an error and everything that it asked for was
        valid; what was refused is kept in any case, for the admins. Without a database, before `init`, the
        pinned root alone decides.

        Decision: G916, G917, G980.
        """
        base = self.base_url if url is None else base_address(url, self.base_url)
        policy = self.policy() if has_database else self.default_policy
        if policy is TrustPolicy.OFF:
            yield Reading(self.client, policy, base, None, {}, Path(), self.clock.now())
            return
        start = self._start(base, has_database=has_database)
        known = start.known
        root = known["root"].encode() if known else None
        with tempfile.TemporaryDirectory(prefix="seqfacility-trust-") as folder:
            reading = Reading(self.client, policy, base, root, known, Path(folder), self.clock.now())
            reading.fault = start.fault
            try:
                yield reading
            finally:
                if has_database and base is not None and reading.refusal is not None:
                    with database.atomic():
                        store.refuse(base, reading.refusal, reading.now)
            if has_database and base is not None and reading.walk is not None and not reading.warnings:
                metadata = reading.walk.metadata()
                versions = version_of(metadata["root"]), version_of(metadata["timestamp"])
                with database.atomic():
                    store.advance(base, start.began_at, start.generation, versions, metadata, reading.now)

    def _start(self, base: str | None, *, has_database: bool) -> "_Start":
        row = store.find(base) if has_database and base is not None else None
        if row is not None:
            return _Start(row.metadata, row.began_at, row.generation)
        try:
            pinned = self.pinned()
        except SignatureNotValid as unusable:
            return _Start({}, fault=unusable)
        if pinned is None:
            return _Start({})
        known = _seen_elsewhere(pinned) if has_database else {"root": pinned.decode()}
        return _Start(known, store.digest_of(pinned))

    def expiring(self, now: datetime) -> list[str]:
        """Say which signatures of the registry end soon or have ended, as far as it was read.

        Nothing where signatures are not asked for.

        Decision: G972.
        """
        row = None if self.policy() is TrustPolicy.OFF else store.find(self.base_url)
        return [] if row is None else expiry_warnings(signed_roles(row.metadata), now)

    def pinned(self) -> bytes | None:
        """Return the pinned root, None without one; raises `SignatureNotValid`, which names the file."""
        try:
            return None if self.pinned_root is None else read_root(self.pinned_root)
        except RootNotUsable as unusable:
            refusal = SignatureNotValid()
            refusal.add_note(f"SEQFACILITY_REGISTRY_ROOT: {unusable.text}")
            raise refusal from unusable


def _seen_elsewhere(pinned: bytes) -> dict[str, str]:
    """Return what an address that is new begins with: the newest root and snapshot seen from a pinned root.

    So a registry cannot go back in time by another address. The timestamp is left out, as an honest mirror
    may have an older one.

    Decision: G911.
    """
    newest = store.newest_from(pinned)
    seen = {} if newest is None else newest.metadata
    return {"root": pinned.decode()} | {role: seen[role] for role in ("root", "snapshot") if role in seen}
