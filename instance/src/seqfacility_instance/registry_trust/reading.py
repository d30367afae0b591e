"""How services read documents of a registry: by its signatures, as the facility has decided."""

import hashlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
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


@dataclass(frozen=True, slots=True)
class Beginning:
    """At what a reading begins: metadata by its role, none where no root is trusted, or why there is none."""

    known: dict[str, str] = field(default_factory=dict)
    began_at: str = ""
    generation: int = 0
    fault: RegistryFault | None = None


@dataclass(slots=True)
class Reading:
    """What one act reads of one registry, all of it from one publication when it is signed.

    `warnings` says what could not be verified and was read all the same; it stays empty unless the policy
    is `warn`.
    """

    client: RegistryClient
    policy: TrustPolicy
    base: str | None
    beginning: Beginning
    folders: ExitStack
    now: datetime
    warnings: list[str] = field(default_factory=list)
    walk: TrustedWalk | None = None
    refusal: RegistryNotTrusted | None = None
    """Why something was not believed, whether or not the act went on."""
    fault: RegistryFault | None = None
    """Why nothing can be verified."""
    is_kept: bool = False

    @property
    def is_signed(self) -> bool:
        """Return whether everything that was read so far was signed."""
        return self.policy is not TrustPolicy.OFF and not self.warnings

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

    def signer(self, url: str) -> str | None:
        """Return the role that signs a document, by the verified metadata; None if none. Decision: G1040."""
        name = None if self.base is None else document_name(url, self.base)
        return None if self.walk is None or name is None else self.walk.updater.signer(name)

    def findings(self) -> list[Finding]:
        """Return the warnings as the answers of a sync list them."""
        return [Finding("registry", "signature", warning) for warning in self.warnings]

    @property
    def is_to_be_kept(self) -> bool:
        """Whether something was verified, all that was asked for, and nobody has kept it."""
        return self.walk is not None and not self.warnings and not self.is_kept

    def keep(self) -> None:
        """Keep what was verified, once; in the transaction of an act that reads on after it.

        Decision: G917, G1102.
        """
        if self.walk is None or self.base is None or not self.is_to_be_kept:
            return
        metadata = self.walk.metadata()
        versions = version_of(metadata["root"]), version_of(metadata["timestamp"])
        begun = self.beginning
        store.advance(self.base, begun.began_at, begun.generation, versions, metadata, self.now)
        self.is_kept = True

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
                known = self.beginning.known
                if not known:
                    raise SignatureNotValid().at(
                        self.base, "no root is pinned; SEQFACILITY_REGISTRY_ROOT names the file of one"
                    )
                self.walk = TrustedWalk.begun(self.client, self.base, known, self.folders, self.now)
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

    def policy(self, *, has_database: bool = True) -> TrustPolicy:
        """Return what is asked of signatures now.

        As long as no admin has decided, they are required once a root is pinned or kept: a variable that is
        lost switches nothing off.

        Decision: G915, G1100.
        """
        decided = self.facility.registry().trust if has_database else None
        if decided is not None:
            return decided
        is_trusted = self.pinned_root is not None or (has_database and store.has_any())
        return TrustPolicy.REQUIRED if is_trusted else TrustPolicy.OFF

    @contextmanager
    def reading(self, url: str | None = None, *, has_database: bool = True) -> Iterator[Reading]:
        """Open the reading of one act, of the registry that `url` lies at, of the configured one without.

        What was verified is kept when the block ends without an error and everything that it asked for was
        valid, or before by `Reading.keep`; what was refused is kept in any case, for the admins. Without a
        database, before `init`, the pinned root alone decides.

        Decision: G916, G917, G980.
        """
        base = self.base_url if url is None else base_address(url, self.base_url)
        policy, now = self.policy(has_database=has_database), self.clock.now()
        if policy is TrustPolicy.OFF:
            yield Reading(self.client, policy, base, Beginning(), ExitStack(), now)
            return
        with ExitStack() as folders:
            beginning = self._beginning(base, has_database=has_database)
            reading = Reading(self.client, policy, base, beginning, folders, now, fault=beginning.fault)
            try:
                yield reading
            finally:
                if has_database and base is not None and reading.refusal is not None:
                    with database.atomic():
                        store.refuse(base, reading.refusal, now)
            if has_database and reading.is_to_be_kept:
                with database.atomic():
                    reading.keep()

    def _beginning(self, base: str | None, *, has_database: bool) -> Beginning:
        row = store.find(base) if has_database and base is not None else None
        if row is not None:
            return Beginning(row.metadata, row.began_at, row.generation)
        try:
            pinned = self.pinned(has_database=has_database)
        except SignatureNotValid as unusable:
            return Beginning(fault=unusable)
        if pinned is None:
            return Beginning()
        known = _seen_elsewhere(pinned) if has_database else {"root": pinned.decode()}
        return Beginning(known, store.digest_of(pinned))

    def expiring(self, now: datetime) -> list[str]:
        """Say which signatures of the registry end soon or have ended, as far as it was read.

        Nothing where signatures are not asked for.

        Decision: G972.
        """
        if self.policy() is TrustPolicy.OFF:
            return []
        row = store.find(self.base_url)
        ending = [] if row is None else expiry_warnings(signed_roles(row.metadata), now)
        return [*self.root_warnings(), *ending]

    def root_warnings(self) -> list[str]:
        """Say why the pinned root does not count, or that there is none. Decision: G1100, G1103."""
        try:
            if self.pinned() is not None:
                return []
        except SignatureNotValid as unusable:
            return ["; ".join(unusable.__notes__)]
        return ["SEQFACILITY_REGISTRY_ROOT names no root; signatures are checked by what was verified before"]

    def pinned(self, *, has_database: bool = True) -> bytes | None:
        """Return the pinned root, None without one.

        Raises `SignatureNotValid`, which names the file, also for one that a reset has replaced.

        Decision: G1103.
        """
        if self.pinned_root is None:
            return None
        refusal = SignatureNotValid()
        try:
            root = read_root(self.pinned_root)
        except RootNotUsable as unusable:
            refusal.add_note(f"SEQFACILITY_REGISTRY_ROOT: {unusable.text}")
            raise refusal from unusable
        if has_database and store.is_replaced(store.digest_of(root)):
            refusal.add_note(
                f"SEQFACILITY_REGISTRY_ROOT: {self.pinned_root} holds the root that a reset has replaced; "
                "put the new one there"
            )
            raise refusal
        return root


def _seen_elsewhere(pinned: bytes) -> dict[str, str]:
    """Return what an address that is new begins with: the newest root and snapshot seen from a pinned root.

    So a registry cannot go back in time by another address. The timestamp is left out, as an honest mirror
    may have an older one.

    Decision: G911.
    """
    newest = store.newest_from(pinned)
    seen = {} if newest is None else newest.metadata
    return {"root": pinned.decode()} | {role: seen[role] for role in ("root", "snapshot") if role in seen}
