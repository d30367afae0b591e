"""The use case behind `check-setup`: look at everything, change nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from peewee import Database

from seqfacility_instance import migrations
from seqfacility_instance.core.private_files import is_shared
from seqfacility_instance.core.vocabulary import Backend, SetupPhase
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.settings import Settings
from seqfacility_instance.site import checks
from seqfacility_instance.site.checks import Check
from seqfacility_instance.site.health import InstallationHealth
from seqfacility_instance.site.identity import Identity
from seqfacility_instance.site.service import Site
from seqfacility_instance.site.setup_status import phase_of

_WITH_SETTINGS = frozenset({SetupPhase.READY, SetupPhase.ADMIN_MISSING, SetupPhase.SEED_FAILED})


@dataclass(frozen=True, slots=True)
class SetupChecks:
    """Looks at an installation from the command line. Gap: G262."""

    settings: Settings
    database: Database
    facility: FacilitySettings
    site: Site
    identity: Identity
    health: InstallationHealth
    further: Callable[[], Sequence[Check]]
    """What the slices above have to say, once the settings can be read."""

    def run(self) -> list[Check]:
        """Look at the set-up, and at what is around it as far as the set-up has come. Gap: G38, G262."""
        seen = self.site.look()
        found = checks.setup_checks(seen)
        if phase_of(seen) not in _WITH_SETTINGS:
            return found
        with self.database.connection_context():
            return [*found, *self._surroundings()]

    def _surroundings(self) -> list[Check]:
        facility, health = self.facility, self.health
        key = self.settings.secret_key_file
        fault = self.identity.key_fault()
        found = [
            *checks.schema_check(migrations.unknown(self.database)),
            *checks.private_checks(self._shared_files()),
            checks.key_check(fault, is_open_to_others=is_shared(key)),
            checks.password_check(self.site.uses_default_credentials()),
        ]
        backend = facility.execution().default_backend
        return [
            *found,
            *checks.refused_folder_checks(facility.refused_folders()),
            *checks.identity_checks(self.identity.folder_faults()),
            *checks.folder_checks(
                health.folders(),
                facility.storage().min_free_bytes,
                streams_enabled=facility.stream_ingest().enabled,
            ),
            *checks.engine_checks(
                health.engines(),
                has_slurm=health.has_slurm(),
                wants_slurm=backend == Backend.SLURM.value,
            ),
            *checks.process_checks(health.heartbeats()),
            *self.further(),
        ]

    def _shared_files(self) -> list[Path]:
        """List the files of an SQLite database that others can read though it was opened just now."""
        address = self.settings.database_address
        if isinstance(address, str):
            return []
        files = (Path(f"{address}{suffix}") for suffix in ("", "-wal", "-shm"))
        return [path for path in files if is_shared(path)]
