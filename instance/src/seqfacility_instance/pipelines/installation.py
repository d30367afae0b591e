"""Installing from a registry or from a file, and what the store shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, cast

from seqfacility_pipeline_package.documents import Fields, JsonObject, JsonValue, NotStrictJson, read_json
from seqfacility_pipeline_package.names import version_order
from seqfacility_pipeline_package.package import Package
from seqfacility_pipeline_package.payload import payload_of, read_payload
from seqfacility_pipeline_package.problems import PackageInvalid
from seqfacility_schemas import Profile
from seqfacility_wire.errors import ServiceError

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import PackageOrigin
from seqfacility_instance.core.vocabulary.registry import TrustPolicy
from seqfacility_instance.pipelines import store
from seqfacility_instance.pipelines.bodies import RepositoryRequest, installed_notices
from seqfacility_instance.pipelines.errors import (
    AlreadyInstalled,
    PackageNotFound,
    PackageRefused,
    PipelineNotFound,
)
from seqfacility_instance.pipelines.notice_keeping import learn
from seqfacility_instance.pipelines.notices import Publication
from seqfacility_instance.pipelines.repository import imported_package, read_package_files
from seqfacility_instance.pipelines.rules import (
    Offer,
    check_identity,
    check_names,
    check_release,
    chosen_offer,
    store_entry,
)
from seqfacility_instance.pipelines.service import Pipelines
from seqfacility_instance.pipelines.store_listing import offer
from seqfacility_instance.registry_client.errors import (
    InvalidRegistryAnswer,
    RegistryFault,
    RegistryRefused,
    RegistryTooNew,
)
from seqfacility_instance.registry_trust.reading import Reading, TrustedRegistry
from seqfacility_instance.tables.base import database

if TYPE_CHECKING:
    from seqfacility_schemas import answers

_AnswerT = TypeVar("_AnswerT")


@dataclass(frozen=True, slots=True)
class Installation:
    """Installs packages of a registry. Decision: G143, G144, G145."""

    pipelines: Pipelines
    registry: TrustedRegistry
    clock: Clock

    def list_store(self, _caller: FacilityAdmin) -> answers.PipelineStoreAnswer:
        """Show the registry's index; a registry that cannot be read is an answer, not an error.

        Decision: G143, G932.
        """
        state: answers.PipelineStoreRegistry = {
            "url": self.registry.base_url,
            "reachable": True,
            "error": None,
        }
        try:
            with self.registry.reading() as reading:
                index = reading.fetch_object(self.registry.url("registry"))
            entries = listed_entries(index)
        except (RegistryFault, RegistryTooNew) as failed:
            state = {**state, "reachable": False, "error": failed.text}
            return {"registry": state, "lastUpdated": None, "categories": [], "pipelines": [], "warnings": []}
        learn(entries, Publication.of(index, is_signed=reading.is_signed), self.clock.now())
        updated, categories = index.get("lastUpdated"), index.get("categories")
        return {
            "registry": state,
            "lastUpdated": updated if isinstance(updated, str) else None,
            "categories": categories if isinstance(categories, list) else [],
            "pipelines": cast(
                "list[answers.PipelineStorePipeline]", list(self._store_entries(entries, reading))
            ),
            "warnings": reading.warnings,
        }

    def _store_entries(
        self, entries: Iterable[Mapping[str, object]], reading: Reading
    ) -> Iterator[dict[str, object]]:
        """Yield the entries with a usable id, each with what it offers and what is installed of it."""
        current = {row.pipeline_id: row for row in store.list_current()}
        by_version = sorted(store.list_installed(), key=lambda row: version_order(row.version))
        newest = {row.pipeline_id: row.version for row in by_version if row.yank_reason is None}
        for entry in entries:
            pipeline_id = str(entry.get("id"))
            row = current.get(pipeline_id)
            listed = store_entry(entry, None if row is None else row.version, newest.get(pipeline_id))
            if listed is None:
                continue
            installed = [one.version for one in by_version if one.pipeline_id == pipeline_id]
            listed["offer"] = offer(
                listed, installed, lambda one, version: reading.signer(self._package_url(one, version))
            )
            if row is not None:
                listed.update(installed_notices(row))
            yield listed

    def install(
        self,
        caller: LiveFacilityAdmin | None,
        pipeline_id: str | None,
        version: str | None,
        *,
        allow_downgrade: bool = False,
    ) -> answers.AdminPipelineAnswer:
        """Install a version of a registry's pipeline, the newest when none is named; it stays disabled.

        Without a caller it is the command line that installs. The answer shows the version that was
        installed: another one of an enabled pipeline is not used before an admin makes it current. Raises
        the errors of G144: names first, then what the registry says, then what the package is. A version
        below the highest that is installed must be named and allowed.

        Decision: G140, G144, G290, G442, G916, G932.
        """
        wanted = check_names(pipeline_id, version)
        with self.registry.reading() as reading:
            entry = self._entry(reading, wanted)
            publication = Publication(reading.is_signed)
            learn([entry], publication, self.clock.now())
            chosen = chosen_offer(entry, wanted, version)
            if chosen is None:
                raise InvalidRegistryAnswer
            if store.find_version(chosen.pipeline_id, chosen.version) is not None:
                raise AlreadyInstalled(pipeline_id=chosen.pipeline_id, version=chosen.version)
            self.pipelines.check_order(
                chosen.pipeline_id, chosen.version, may_go_back=allow_downgrade and version is not None
            )
            payload = self._download(reading, chosen)
            package = checked_payload(payload, chosen.sha256)
            check_identity(package, chosen.pipeline_id, chosen.version)
        self._put(payload, package, PackageOrigin.REGISTRY, caller, reading=reading)
        learn([entry], publication, self.clock.now())
        return {"pipeline": self.pipelines.shown(package.id, package.version), "warnings": reading.warnings}

    def install_file(
        self,
        content: bytes,
        pipeline_id: str | None = None,
        version: str | None = None,
        *,
        allow_downgrade: bool = False,
    ) -> answers.AdminPipeline:
        """Install a package from a payload file, for the command line; it stays disabled.

        Raises `PackageRefused`, also when the file is not the package that is named, `AlreadyInstalled` or
        `OlderThanInstalled`.

        Decision: G144, G262, G442.
        """
        try:
            payload = read_json(content)
        except NotStrictJson as unreadable:
            raise PackageRefused(details=[f"payload: {unreadable}"]) from unreadable
        package = checked_payload(payload, None)
        check_identity(package, pipeline_id, version)
        if store.find_version(package.id, package.version) is not None:
            raise AlreadyInstalled(pipeline_id=package.id, version=package.version)
        assert isinstance(payload, dict)
        self.pipelines.check_order(package.id, package.version, may_go_back=allow_downgrade)
        self._put(payload, package, PackageOrigin.REGISTRY, None)
        return self.pipelines.shown(package.id, package.version)

    def file_warnings(self) -> list[str]:
        """Say what nobody has checked of a package from a file, where signatures are asked for.

        Decision: G1105.
        """
        if self.registry.policy() is TrustPolicy.OFF:
            return []
        return ["a file has no signature of the registry, and the registry was not asked about this version"]

    def import_package(
        self,
        caller: LiveFacilityAdmin | None,
        request: RepositoryRequest,
        pipeline_id: str | None = None,
        version: str | None = None,
    ) -> answers.AdminPipeline:
        """Install a package out of a git repository; it stays disabled, and its commit is noted.

        Raises `ValidationFailed` for a request that makes no sense, `RepositoryNotReadable`,
        `GitNotInstalled`, and the errors of `install_file`.

        Decision: G336, G337.
        """
        found = read_package_files(request)
        package = imported_package(found, pipeline_id, version)
        if store.find_version(package.id, package.version) is not None:
            raise AlreadyInstalled(pipeline_id=package.id, version=package.version)
        self.pipelines.check_order(package.id, package.version, may_go_back=request.allow_downgrade)
        source = {"repository": request.repository, "ref": request.ref, "commit": found.commit}
        self._put(payload_of(package), package, PackageOrigin.REPOSITORY, caller, source)
        return self.pipelines.shown(package.id, package.version)

    def _entry(self, reading: Reading, pipeline_id: str) -> Mapping[str, object]:
        url = self.registry.url("registry", pipeline_id)
        return _or_not_found(lambda: reading.fetch_object(url), PipelineNotFound)

    def _package_url(self, pipeline_id: str, version: str) -> str:
        return self.registry.url("registry", "pipelines", pipeline_id, version, "download")

    def _download(self, reading: Reading, chosen: Offer) -> JsonObject:
        """Fetch a payload from the documented path of this registry, whatever address an entry names."""
        url = self._package_url(chosen.pipeline_id, chosen.version)
        content = _or_not_found(lambda: reading.fetch(url), PackageNotFound)
        try:
            payload = read_json(content)
        except NotStrictJson as unreadable:
            raise InvalidRegistryAnswer from unreadable
        if not isinstance(payload, dict):
            raise InvalidRegistryAnswer
        return payload

    def _put(
        self,
        payload: JsonObject,
        package: Package,
        origin: PackageOrigin,
        caller: LiveFacilityAdmin | None,
        source: dict[str, str] | None = None,
        reading: Reading | None = None,
    ) -> None:
        place = self.pipelines.package_store.place(package.id, package.version)
        already = AlreadyInstalled(pipeline_id=package.id, version=package.version)
        try:
            self.pipelines.package_store.put(payload, place)
        except FileExistsError as other:
            raise already from other
        now, user_id = self.clock.now(), None if caller is None else caller.user_id
        digest = str(payload["sha256"])
        with database.atomic():
            if not store.add_package(
                package.id, package.version, origin, digest, place, user_id, now, source
            ):
                raise already
            self.pipelines.take_into_use(package, is_requested=True)
            store.add_config(package.id, enabled=False, now=now)
            if reading is not None:
                reading.record_warnings(caller)
            audit.write(
                user_id,
                None if caller is None else caller.address,
                AuditAction.PIPELINE_INSTALLED,
                "pipeline",
                package.id,
                now,
                {
                    "version": package.version,
                    "sha256": digest,
                    "verified": reading is not None and reading.is_kept,
                    **(source or {}),
                },
            )


def listed_entries(index: Mapping[str, object]) -> list[dict[str, object]]:
    """Return the entries of an index that are objects.

    Raises `RegistryTooNew` for another major version than 1, and `InvalidRegistryAnswer` when there is none
    to be read or the index lists nothing.
    """
    version, entries = str(index.get("version", "1")), index.get("pipelines")
    major = version.partition(".")[0]
    if major.isdecimal() and major != "1":
        raise RegistryTooNew(version=version[:40])
    if major != "1" or not isinstance(entries, list):
        raise InvalidRegistryAnswer
    return [entry for entry in entries if isinstance(entry, dict)]


def checked_payload(payload: JsonValue, announced: str | None) -> Package:
    """Check a payload and its digests; raises `PackageRefused` with every problem, or `NeedsNewerRelease`.

    The release is checked first: a later package format is recognised by its release, not by its content.

    Decision: G144, G290, G445.
    """
    if isinstance(payload, dict):
        release = Fields(payload).part("manifest").values.get("minServiceVersion")
        check_release(str(payload.get("id")), str(payload.get("version")), release)
    try:
        return read_payload(payload, announced, Profile.CONSUMER)
    except PackageInvalid as invalid:
        raise PackageRefused(details=invalid.details) from invalid


def _or_not_found(fetch: Callable[[], _AnswerT], missing: type[ServiceError]) -> _AnswerT:
    """Turn a registry's 404 into the error for what is unknown."""
    try:
        return fetch()
    except RegistryRefused as refused:
        if refused.answered == 404:
            raise missing from refused
        raise
