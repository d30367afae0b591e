"""The use case behind `check-setup`: look at everything, change nothing."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from peewee import Database

from seqfacility_instance import migrations
from seqfacility_instance.access.audit_verification import verify
from seqfacility_instance.background import queue
from seqfacility_instance.core.private_files import is_shared
from seqfacility_instance.core.vocabulary.site import JobStatus, SetupPhase
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.settings import Settings
from seqfacility_instance.site import checks, file_checks, store
from seqfacility_instance.site.checks import Check
from seqfacility_instance.site.file_checks import last_backup_check
from seqfacility_instance.site.health import InstallationHealth
from seqfacility_instance.site.identity import Identity
from seqfacility_instance.site.service import Site
from seqfacility_instance.site.setup_status import Seen, phase_of
from seqfacility_instance.tables.base import is_missing
from seqfacility_instance.version import RELEASE

_WITH_SETTINGS = frozenset({SetupPhase.READY, SetupPhase.ADMIN_MISSING, SetupPhase.SEED_FAILED})


@dataclass(frozen=True, slots=True)
class SetupChecks:
    """Looks at an installation from the command line. Decision: G262."""

    settings: Settings
    database: Database
    facility: FacilitySettings
    site: Site
    identity: Identity
    health: InstallationHealth
    further: Callable[[], Sequence[Check]]
    """What the slices above have to say, once the settings can be read."""

    def run(self) -> list[Check]:
        """Look at the set-up, and at what is around it as far as the set-up has come. Decision: G38, G262."""
        seen = self.site.look()
        found = [
            *checks.setup_checks(seen, self._database_text(seen)),
            *file_checks.installation_checks(self.settings),
        ]
        if phase_of(seen) not in _WITH_SETTINGS:
            return found
        with self.database.connection_context():
            return [*found, *self._host_environment()]

    def has_settings(self) -> bool:
        """Return whether the set-up has come so far that settings can be read."""
        return phase_of(self.site.look()) in _WITH_SETTINGS

    def _database_text(self, seen: Seen) -> str | None:
        """Return which database answers, and in what time; None when it does not, or is not there yet."""
        if not (seen.is_reachable and seen.is_readable) or is_missing(self.database):
            return None
        with self.database.connection_context():
            version = store.database_version(self.site.engine)
            began = time.perf_counter()
            store.database_version(self.site.engine)
            milliseconds = (time.perf_counter() - began) * 1000
        return f"{version} answers in {milliseconds:.2f} ms."

    def _host_environment(self) -> list[Check]:
        facility, health = self.facility, self.health
        key = self.settings.secret_key_file
        fault = self.identity.key_fault()
        found = [
            *checks.schema_check(migrations.unknown(self.database)),
            *checks.private_checks(self._shared_files()),
            checks.key_check(fault, is_open_to_others=is_shared(key)),
            checks.password_check(self.site.uses_default_credentials()),
            *self._clock_checks(),
            last_backup_check(self.settings.home, self.site.clock.now()),
            checks.audit_check(verify()),
        ]
        folders, heartbeats = health.folders(), health.heartbeats()
        data = folders.storage
        return [
            *found,
            *checks.refused_folder_checks(facility.refused_folders()),
            *checks.identity_checks(self.identity.folder_faults()),
            *checks.folder_checks(
                folders,
                facility.storage().min_free_bytes,
                streams_enabled=facility.stream_ingest().enabled,
            ),
            *(file_checks.data_folder_checks(data.path) if data.path and data.is_writable() else []),
            *checks.engine_checks(health.engines()),
            *checks.scheduler_checks(health.missing_schedulers(), facility.execution().default_backend),
            *checks.process_checks(heartbeats, health.living_releases(), RELEASE),
            checks.job_check(queue.count(JobStatus.FAILED), queue.last_failure()),
            *self.further(),
        ]

    def _shared_files(self) -> list[Path]:
        """List the files of an SQLite database that others can read though it was opened just now."""
        address = self.settings.database_address
        if isinstance(address, str):
            return []
        files = (Path(f"{address}{suffix}") for suffix in ("", "-wal", "-shm"))
        return [path for path in files if is_shared(path)]

    def _clock_checks(self) -> Iterator[Check]:
        """Hold this machine's clock against that of a database server, which may be another machine."""
        theirs = store.database_clock(self.site.engine)
        if theirs is not None:
            yield checks.clock_check("the database", theirs, self.site.clock.now())
