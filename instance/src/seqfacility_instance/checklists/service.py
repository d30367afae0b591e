"""Use cases of checklists. Decision: G55, G225."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pydantic import ValidationError
from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin
from seqfacility_instance.checklists import store
from seqfacility_instance.checklists.definition import Checklist, ChecklistSet, Summary
from seqfacility_instance.checklists.differences import Difference, difference
from seqfacility_instance.checklists.errors import (
    ChecklistNotFound,
    TemplateNotFound,
    VersionNotAnInteger,
    VersionNotStored,
)
from seqfacility_instance.checklists.rules import (
    absolute_image,
    check_update,
    merged_set,
    resolved,
    with_absolute_images,
)
from seqfacility_instance.checklists.shipped import shipped_checklists
from seqfacility_instance.checklists.validation import RepeatedName, ValidatedSet, validated
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.registry_client.errors import InvalidRegistryAnswer
from seqfacility_instance.registry_trust.reading import Reading, TrustedRegistry
from seqfacility_instance.tables.base import database

_INTEGER = re.compile(r"[+-]?[0-9]+")


@dataclass(frozen=True, slots=True)
class Update:
    """What an update of the checklists would do or has done. Decision: G70."""

    current_version: int
    remote_version: int
    difference: Difference
    remote: ValidatedSet
    switched_off: Collection[str]
    applied: bool = False

    @property
    def has_updates(self) -> bool:
        return self.remote_version > self.current_version


@dataclass(frozen=True, slots=True)
class Overview:
    """What an admin sees of the checklists. Decision: G70."""

    version: int
    versions: list[int]
    last_checked_at: datetime | None
    summaries: list[Summary]
    switched_off: Collection[str]
    studies: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Checklists:
    """Definitions of checklists, and which of them are offered."""

    registry: TrustedRegistry
    clock: Clock

    def active_version(self) -> int:
        """Return the version that new studies are pinned to; 0 before `seqfacility init`. Decision: G69."""
        return store.active_version()

    def versions(self) -> list[int]:
        """List the versions that a study may be pinned to. Decision: G69."""
        return store.versions()

    def offered(self, version: int) -> list[Summary]:
        """List the checklists of a version that are not switched off, by accession. Decision: G65."""
        off = store.switched_off()
        return [summary for summary in store.summaries(version) if summary.accession not in off]

    def current_accessions(self) -> list[str]:
        """Return the accessions of the active version that a built-in form enables. Decision: G54."""
        return [one.accession for one in self.offered(self.active_version()) if not one.deprecated]

    def known_accessions(self) -> Collection[str]:
        return {summary.accession for summary in store.summaries(self.active_version())}

    def resolve(self, query: str) -> Summary | None:
        """Find the checklist of the active version that an accession or a name means. Decision: G66."""
        return resolved(query, self.offered(self.active_version()))

    def fields_of(self, accession: str, version: int) -> Checklist | None:
        """Return a checklist as a version had it, switched off or not: a study keeps what it is pinned to."""
        return store.find_definition(version, accession)

    def definition(self, query: str, version: str | None, *, by_accession: bool) -> tuple[Checklist, int]:
        """Return one checklist and the version it belongs to.

        Raises `ChecklistNotFound` or `VersionNotAnInteger`.

        Spec: instance, MIxS checklists. Decision: G64, G66, G67.
        """
        number = self._version(version)
        offered = self.offered(number)
        if by_accession:
            offered = [one for one in offered if one.accession.casefold() == query.strip().casefold()]
        found = resolved(query, offered)
        checklist = None if found is None else store.find_definition(number, found.accession)
        if checklist is None:
            raise ChecklistNotFound(query=query)
        return checklist, number

    def template(self, query: str, version: str | None) -> tuple[Checklist, int]:
        """Return one checklist for the form builder; raises `TemplateNotFound` or `VersionNotAnInteger`.

        Spec: instance, MIxS checklists. Decision: G66, G68.
        """
        try:
            return self.definition(query, version, by_accession=False)
        except ChecklistNotFound as missing:
            raise TemplateNotFound from missing

    def templates(self, version: str | None) -> tuple[list[Checklist], int]:
        """Return all offered checklists for the form builder; raises as `template`. Decision: G68."""
        number = self._version(version)
        if version is not None and number not in store.versions():
            raise TemplateNotFound
        off = store.switched_off()
        return [one for one in store.definitions(number) if one.accession not in off], number

    def _version(self, text: str | None) -> int:
        if text is None:
            return self.active_version()
        if not _INTEGER.fullmatch(text):
            raise VersionNotAnInteger
        # No version has that many digits, and a database takes no such number.
        return int(text) if len(text) < 10 else -1

    @property
    def source_url(self) -> str:
        return self.registry.url("registry", "mixs")

    def overview(self, _caller: FacilityAdmin) -> Overview:
        """Return all checklists of the active version, switched off or not. Decision: G70, G1043.

        The shipped set comes from nowhere: its drawings are looked for at the registry that is in force now.
        """
        version = store.active_version()
        summaries = [
            replace(one, image=absolute_image(self.source_url, one.image)) for one in store.summaries(version)
        ]
        return Overview(
            version,
            store.versions(),
            store.last_checked_at(),
            summaries,
            store.switched_off(),
            store.study_counts(),
        )

    def admin_definition(
        self, _caller: FacilityAdmin, accession: str, version: str | None
    ) -> tuple[Checklist, int]:
        """Return one checklist, switched off or not, and the version it belongs to.

        Raises `ChecklistNotFound` or `VersionNotAnInteger`.

        Decision: G1043.
        """
        number = self._version(version)
        checklist = store.find_definition(number, accession)
        if checklist is None:
            raise ChecklistNotFound(query=accession)
        return checklist, number

    def check_updates(self, _caller: FacilityAdmin) -> Update:
        """Compare the registry's set with the active one; raises as `registry_client` does. Decision: G70."""
        remote, _ = self._fetch()
        current = store.active_version()
        with database.atomic():
            store.note_check(self.clock.now())
        return _update(current, store.definitions(current), remote)

    def apply_updates(self, caller: LiveFacilityAdmin, *, force: bool = False) -> Update:
        """Make the registry's set active when it is newer; raises as `check_updates` does.

        Without `force` also `VersionJump` and `MostListsRemoved`.

        Decision: G70, G443, G444.
        """
        remote, reading = self._fetch()
        now = self.clock.now()
        with database.atomic():
            current = store.active_version()
            here = store.definitions(current)
            store.note_check(now)
            update = _update(current, here, remote)
            if not update.has_updates:
                return update
            if not force:
                offered = sum(not checklist.deprecated for checklist in here)
                check_update(current, remote.version, update.difference, offered)
            images = with_absolute_images(remote.checklists.checklists, self.source_url)
            after = merged_set(here, images, remote.skipped_accessions)
            store.add_version(remote.version, self.source_url, after, now)
            applied = store.claim_active_version(current, remote.version, now)
            audit.record(
                caller, AuditAction.CHECKLISTS_UPDATED, "checklists", None, now, version=remote.version
            )
            reading.record_warnings(caller)
        return replace(update, applied=applied)

    def _fetch(self) -> tuple[ValidatedSet, Reading]:
        with self.registry.reading() as reading:
            document = reading.fetch_object(self.source_url)
            try:
                remote = validated(document)
            except (ValidationError, RepeatedName) as unreadable:
                raise InvalidRegistryAnswer from unreadable
        return replace(remote, warnings=(*reading.findings(), *remote.warnings)), reading

    def activate_version(self, caller: LiveFacilityAdmin, version: object) -> None:
        """Make a stored version active, higher or lower; raises `ValidationFailed` or `VersionNotStored`.

        Decision: G444.
        """
        if not isinstance(version, int) or isinstance(version, bool):
            raise ValidationFailed(["version: must be an integer"])
        if version not in store.versions():
            raise VersionNotStored(version=version)
        self._activate(caller, version)

    def reset(self, caller: LiveFacilityAdmin) -> None:
        """Make the set active that this release ships; it is stored where it is not. Decision: G444."""
        shipped = shipped_checklists()
        self._activate(caller, shipped.version, shipped)

    def _activate(
        self, caller: LiveFacilityAdmin, version: int, checklists: ChecklistSet | None = None
    ) -> None:
        now = self.clock.now()
        with database.atomic():
            if checklists is not None:
                store.add_version(version, None, checklists.checklists, now)
            before = store.active_version()
            store.set_active_version(version, now)
            act = AuditAction.CHECKLISTS_UPDATED
            audit.record(caller, act, "checklists", None, now, version=version, previousVersion=before)

    def set_available(self, caller: LiveFacilityAdmin, accession: object, available: object) -> None:
        """Switch a checklist on or off; raises `ValidationFailed` or `ChecklistNotFound`. Decision: G70."""
        problems = [] if isinstance(accession, str) else ["accession: must be a string"]
        problems += [] if isinstance(available, bool) else ["available: must be true or false"]
        if problems:
            raise ValidationFailed(problems)
        found = next((one for one in self.known_accessions() if one == accession), None)
        if found is None:
            raise ChecklistNotFound(query=accession)
        now = self.clock.now()
        with database.atomic():
            store.set_available(found, now, available=available is True)
            audit.record(caller, AuditAction.CHECKLISTS_UPDATED, "checklist", found, now, available=available)

    def add_shipped(self) -> None:
        """Make the shipped set the active version where there is none. Decision: G71."""
        if store.active_version():
            return
        shipped = shipped_checklists()
        now = self.clock.now()
        with database.atomic():
            store.add_version(shipped.version, None, shipped.checklists, now)
            store.claim_first_version(shipped.version, now)


def _update(current: int, here: Sequence[Checklist], remote: ValidatedSet) -> Update:
    found = difference(here, remote.checklists.checklists, remote.skipped_accessions)
    return Update(current, remote.version, found, remote, store.switched_off())
