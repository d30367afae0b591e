"""Making an installation: folders, key, schema, settings, shipped content, first admin."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from peewee import Database
from seqfacility_wire.errors import ServiceError

from seqfacility_instance import migrations
from seqfacility_instance.accounts import store as accounts_store
from seqfacility_instance.accounts.rules import normalized_email
from seqfacility_instance.accounts.service import Accounts, NewAccount
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.private_files import close_to_others
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.core.vocabulary.site import BootstrapOutcome
from seqfacility_instance.facility_settings import store as settings_store
from seqfacility_instance.facility_settings.identity_record import IDENTITY, find_identity
from seqfacility_instance.facility_settings.secret_box import make_key_file
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.settings import Settings
from seqfacility_instance.site.identity import Identity
from seqfacility_instance.tables.base import database as tables_database


@dataclass(frozen=True, slots=True)
class FirstAdmin:
    """The account that `init` was asked to make; without a password one is generated."""

    email: str
    first_name: str
    last_name: str
    password: str | None


@dataclass(frozen=True, slots=True)
class Report:
    """What `init` found and did, for the person who ran it. Decision: G260."""

    engine: str
    admin_outcome: BootstrapOutcome
    generated_password: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Installation:
    """Makes an installation; doing it again changes nothing that exists. Decision: G257, G260."""

    settings: Settings
    database: Database
    facility: FacilitySettings
    accounts: Accounts
    identity: Identity
    clock: Clock
    content: Sequence[Callable[[], object]]
    """What other slices ship with a release; each call adds what is missing and nothing else."""

    def make(
        self, admin: FirstAdmin | None, *, has_new_key: bool = False, is_claimed: bool = False
    ) -> Report:
        """Make folders, schema, key, settings, shipped content and the first admin, whatever is missing.

        No key is made for a database that has secrets of another one, unless `has_new_key` gives them up.
        `is_claimed` is that of `Identity.settle`. Raises `NotThisFacility`, and `PasswordRefused` when the
        admin's password breaks the rules; the set-up status then says so.

        Decision: G38, G260, G71, G140, G408.
        """
        self.make_folders()
        migrations.apply(self.database)
        with self.database.connection_context():
            self._make_key(has_new_key=has_new_key)
            self._make_settings()
            self.identity.settle(is_claimed=is_claimed)
            for add in self.content:
                add()
            try:
                outcome, generated = self._make_admin(admin)
            except ServiceError:
                self._note_bootstrap(BootstrapOutcome.FAILED)
                raise
            self._note_bootstrap(outcome)
        return Report(self.engine, outcome, generated)

    @property
    def engine(self) -> str:
        """Name the kind of database."""
        return "postgresql" if isinstance(self.settings.database_address, str) else "sqlite"

    def make_folders(self) -> None:
        """Make the state directory, readable by its owner and group only. Decision: G257, G403."""
        home = self.settings.home
        for folder in ("", "data", "data/pipeline_runs", "sequencer", "packages", "databases"):
            (home / folder).mkdir(mode=0o750, parents=True, exist_ok=True)
        close_to_others(home)

    def _make_key(self, *, has_new_key: bool) -> None:
        key = self.settings.secret_key_file
        is_wanted = find_identity() is None and settings_store.any_secret() is None
        if is_wanted or (has_new_key and self.identity.key_fault() is not None):
            if not is_wanted and key.exists():
                key.rename(key.with_name(f"{key.name}.{self.clock.now():%Y%m%d%H%M%S}"))
            make_key_file(key)
            if not is_wanted:
                self._give_up_secrets()
        self.identity.check_key()

    def _give_up_secrets(self) -> None:
        """Forget what the lost key has sealed; engines that run go unheard, as their tokens hang on it."""
        now = self.clock.now()
        with tables_database.atomic():
            settings_store.forget_secrets()
            self._save_weblog_secret(now)
            record = find_identity()
            if record is not None:
                known = replace(record, key=self.facility.secrets.fingerprint())
                self.facility.save_document(IDENTITY, known.document(), now)

    def _save_weblog_secret(self, now: datetime) -> None:
        sealed = self.facility.secrets.seal(secrets.token_urlsafe(32))
        settings_store.save_secret("execution.weblogSecret", sealed, now)

    def _make_settings(self) -> None:
        now = self.clock.now()
        home = self.settings.home
        sections: dict[str, object] = {
            "storage": {"dataBasePath": str(home / "data")},
            "streamIngest": {"outputRoot": str(home / "sequencer")},
        }
        with tables_database.atomic():
            if settings_store.create_row({}, sections, now):
                self._save_weblog_secret(now)

    def _make_admin(self, admin: FirstAdmin | None) -> tuple[BootstrapOutcome, str | None]:
        if admin is None:
            return BootstrapOutcome.SKIPPED, None
        if accounts_store.find_user_by_email(normalized_email(admin.email)) is not None:
            return BootstrapOutcome.EXISTING, None
        generated = None if admin.password else secrets.token_urlsafe(limits.GENERATED_PASSWORD_BYTES)
        self.accounts.create(
            NewAccount(
                email=admin.email,
                first_name=admin.first_name,
                last_name=admin.last_name,
                role=Role.FACILITY_ADMIN,
                password=admin.password or generated or "",
                must_change_password=generated is not None,
            )
        )
        return BootstrapOutcome.CREATED, generated

    def _note_bootstrap(self, outcome: BootstrapOutcome) -> None:
        row = settings_store.find_row()
        if row is None or (row.bootstrap_accounts is not None and outcome is BootstrapOutcome.SKIPPED):
            return
        settings_store.claim_bootstrap(
            row,
            {
                "admin": {"kind": Role.FACILITY_ADMIN.value, "outcome": outcome.value},
                "researcher": {"kind": Role.RESEARCHER.value, "outcome": BootstrapOutcome.SKIPPED.value},
            },
            self.clock.now(),
        )
