"""Use cases on the installation: set-up status, modules, settings, health."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from peewee import Database, PeeweeException
from seqfacility_wire.errors import NotSetUp, ValidationFailed
from seqfacility_wire.paging import Page

from seqfacility_instance import migrations
from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin
from seqfacility_instance.accounts import store as accounts_store
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.site import (
    BootstrapOutcome,
    DatabaseEngine,
    DatabaseHosting,
    ModuleId,
)
from seqfacility_instance.facility_settings import store as settings_store
from seqfacility_instance.facility_settings.identity_record import find_identity
from seqfacility_instance.facility_settings.modules import Modules, modules_answer
from seqfacility_instance.facility_settings.sections import SECTIONS, Section
from seqfacility_instance.facility_settings.service import FacilitySettings, section_answer
from seqfacility_instance.settings import Settings
from seqfacility_instance.site import store
from seqfacility_instance.site.changed_values import changed_values
from seqfacility_instance.site.errors import SectionNotFound
from seqfacility_instance.site.health import FolderState
from seqfacility_instance.site.identity import data_owner
from seqfacility_instance.site.setup_status import Seen
from seqfacility_instance.tables.base import database as tables_database
from seqfacility_instance.tables.base import is_missing
from seqfacility_instance.tables.errors import driver_message, is_unavailable, refusal_for
from seqfacility_instance.tables.people import AuditEvent


@dataclass(frozen=True, slots=True)
class Site:
    """The installation as its admin and its visitors see it."""

    settings: Settings
    database: Database
    facility: FacilitySettings
    clock: Clock

    @property
    def engine(self) -> DatabaseEngine:
        """The kind of database."""
        is_postgresql = isinstance(self.settings.database_address, str)
        return DatabaseEngine.POSTGRESQL if is_postgresql else DatabaseEngine.SQLITE

    @property
    def hosting(self) -> DatabaseHosting:
        """Whether the database lies on this machine."""
        address = self.settings.database_address
        host = urlsplit(address).hostname if isinstance(address, str) else None
        is_local = host in {None, "", "localhost", "127.0.0.1", "::1"}
        return DatabaseHosting.LOCAL if is_local else DatabaseHosting.REMOTE

    def look(self) -> Seen:
        """Look how far the set-up has come; changes nothing and never fails. Decision: G38."""
        if is_missing(self.database):
            return Seen(is_reachable=self.engine is DatabaseEngine.SQLITE)
        try:
            with self._connected():
                if not migrations.exists(self.database):
                    return Seen(is_reachable=True)
                pending = len(migrations.pending(self.database))
                if pending:
                    return Seen(
                        is_reachable=True,
                        schema_exists=True,
                        pending_migrations=pending,
                        settings_exist=settings_store.row_exists(),
                    )
                row = settings_store.find_row()
                return Seen(
                    is_reachable=True,
                    schema_exists=True,
                    settings_exist=row is not None,
                    has_failed_account=_has_failed(None if row is None else row.bootstrap_accounts),
                    has_admin=accounts_store.has_active_admin(),
                )
        except PeeweeException as error:
            fault = f"{self.settings.shown_database}: {driver_message(error)}"
            return Seen(is_reachable=not is_unavailable(error), is_readable=False, fault=fault)

    def _connected(self) -> "_Connected":
        return _Connected(self.database)

    def applied_profile(self) -> Mapping[str, object] | None:
        """Return what is noted of the install profile that was applied; None without one.

        Decision: G38, G242.
        """
        with self._connected():
            return self.facility.document("installProfile") or None

    def bootstrap_accounts(self) -> Mapping[str, object] | None:
        """Return what `init` did about accounts; None before it ran. Decision: G38."""
        with self._connected():
            row = settings_store.find_row()
            return None if row is None else row.bootstrap_accounts

    def uses_default_credentials(self) -> bool:
        """Return whether an account still has its generated password. Decision: G35, G38."""
        with self._connected():
            return accounts_store.has_unchanged_password()

    def check_health(self) -> None:
        """Ask the database for a sign of life; raises `NotSetUp`, or what the failure means.

        Decision: G49, G275.
        """
        if is_missing(self.database):
            raise NotSetUp
        try:
            with self._connected():
                if migrations.pending(self.database):
                    raise NotSetUp
        except PeeweeException as failed:
            raise refusal_for(failed) or NotSetUp from failed

    def modules(self) -> Modules:
        """Return the modules. Spec: instance, Instance metadata."""
        return self.facility.modules()

    def change_modules(
        self, caller: LiveFacilityAdmin, changes: Mapping[ModuleId, bool], global_disabled: bool | None
    ) -> Modules:
        """Switch the named modules, and the switch for all; the others stay as they are.

        Decision: G39, G275.
        """
        now = self.clock.now()
        with tables_database.atomic():
            before = self.facility.modules()
            after = self.facility.change_modules(changes, global_disabled, now)
            changed = changed_values(*(_switches(modules) for modules in (before, after)))
            act = AuditAction.MODULES_SAVED
            audit.record(caller, act, "modules", None, now, **modules_answer(after), changed=changed)
        return after

    def sections(self, caller: FacilityAdmin) -> dict[str, Section]:
        """Return every section of settings. Decision: G41, G167."""
        facility = self.facility
        sections: dict[str, Section] = {
            "access": facility.access(),
            "storage": facility.storage(),
            "uploads": facility.uploads(),
            "execution": facility.execution(),
            "streamIngest": facility.stream_ingest(),
            "signIn": facility.sign_in(),
            "mail": facility.mail(),
            "audit": facility.audit(),
            "webhooks": facility.webhooks(),
            "registry": facility.registry(),
        }
        if caller.sees_server_paths:
            return sections
        return {name: section.without_paths() for name, section in sections.items()}

    def change_section(
        self, caller: LiveFacilityAdmin, name: str, changes: Mapping[str, object], seen: int | None
    ) -> Section:
        """Change a section, unless it was saved since the state that was `seen`.

        Raises `SectionNotFound`, `StaleRecord` or `ValidationFailed`.

        Decision: G41, G44, G366.
        """
        if name not in SECTIONS:
            raise SectionNotFound
        check_folders(name, changes)
        now = self.clock.now()
        with tables_database.atomic():
            before = section_answer(self.facility.section(name))
            section = self.facility.change(name, changes, now, seen)
            changed = changed_values(before, section_answer(section))
            secrets = sorted(SECTIONS[name].secret_keys & changes.keys())
            audit.record(
                caller,
                AuditAction.SETTINGS_SAVED,
                "settings",
                name,
                now,
                keys=sorted(changes),
                changed={**changed, **dict.fromkeys(secrets, "changed")},
            )
        return section

    def audit_page(
        self, caller: FacilityAdmin, wanted: store.AuditFilter, page: Page
    ) -> tuple[list[AuditEvent], int]:
        """Return one page of the audit trail, newest first, and count all that match. Decision: G22, G246."""
        return store.list_audit(caller, wanted, page)


class _Connected:
    """Uses the connection that is open, or one of its own."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._has_opened = False

    def __enter__(self) -> None:
        self._has_opened = self._database.connect(reuse_if_open=True)

    def __exit__(self, *_error: object) -> None:
        if self._has_opened:
            self._database.close()


def _switches(modules: Modules) -> dict[str, object]:
    stored = {module.value: is_on for module, is_on in modules.stored.items()}
    return {**stored, "globalDisabled": modules.global_disabled}


def _has_failed(accounts: Mapping[str, object] | None) -> bool:
    outcomes = [entry.get("outcome") for entry in (accounts or {}).values() if isinstance(entry, dict)]
    return BootstrapOutcome.FAILED.value in outcomes


def check_folders(name: str, changes: Mapping[str, object]) -> None:
    """Refuse a data base path that is not there, usable and ours, before anything relies on it.

    Decision: G44, G408.
    """
    path = changes.get("dataBasePath") if name == "storage" else None
    if isinstance(path, str) and path.startswith("/") and "\0" not in path:
        folder = FolderState(Path(path))
        if not (folder.is_there() and folder.is_writable()):
            raise ValidationFailed(["dataBasePath: must be an existing, writable directory"])
        record = find_identity()
        if record is not None and data_owner(Path(path)) not in {None, record.facility_id}:
            raise ValidationFailed(["dataBasePath: must not hold the data of another facility"])
