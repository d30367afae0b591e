"""Use cases of the first hour: check its steps, dismiss them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from seqfacility_workflow_runtime.executors.registry import EXECUTORS, SCHEDULERS

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.accounts import store as accounts
from seqfacility_instance.catalog import store as catalog
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.first_hour import FirstStep
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import Engine
from seqfacility_instance.first_hour import rules
from seqfacility_instance.first_hour.rules import FirstHourStatus, Step
from seqfacility_instance.forms import store as forms
from seqfacility_instance.pipelines.readiness import Readiness
from seqfacility_instance.site import checks
from seqfacility_instance.site.checks import Check, Verdict
from seqfacility_instance.site.engine_versions import EngineSighting, SchedulerSighting
from seqfacility_instance.site.file_checks import last_backup_check
from seqfacility_instance.site.health import InstallationHealth
from seqfacility_instance.site.mail_checks import mail_checks
from seqfacility_instance.tables.base import database
from seqfacility_instance.version import RELEASE

DOCUMENT: Final = "firstHour"
"""The document beside the sections of the settings in which the dismissal is stored."""


@dataclass(frozen=True, slots=True)
class FirstHour:
    """The steps of the first hour. Decision: G1050."""

    health: InstallationHealth
    readiness: Readiness
    clock: Clock

    def show(self, _caller: LiveFacilityAdmin) -> FirstHourStatus:
        """Return the steps from stored facts and this disk, without asking any other program."""
        default = self._default_backend()
        sighting = self.health.scheduler_seen(default) if default in SCHEDULERS else None
        return self._status(self.health.engines_seen(), sighting)

    def check_now(self, _caller: LiveFacilityAdmin) -> FirstHourStatus:
        """Ask the scheduler or the workflow engines, which takes seconds, and return the steps.

        Decision: G1052.
        """
        default = self._default_backend()
        if default in SCHEDULERS:
            return self._status(self.health.engines_seen(), self.health.ask_scheduler(default))
        return self._status(self.health.engines(), None)

    def dismiss(self, caller: LiveFacilityAdmin, *, is_dismissed: bool) -> FirstHourStatus:
        """Hide the first hour from the start page of all admins, or restore it. Decision: G1051."""
        now = self.clock.now()
        with database.atomic():
            self.health.facility.save_document(DOCUMENT, {"putAway": is_dismissed}, now)
            audit.record(caller, AuditAction.SETTINGS_SAVED, "settings", DOCUMENT, now, putAway=is_dismissed)
        return self.show(caller)

    def setup_checks(self) -> Iterator[Check]:
        """Return the checks that `check-setup` has from nowhere else."""
        yield from rules.catalog_checks(
            is_stored=catalog.is_stored(), synced_at=catalog.last_synced_at(), registry_error=None
        )
        if not self.readiness.seen_checks():
            yield from rules.pipeline_checks([])
        yield self._people_check()

    def _status(
        self, engines: Mapping[Engine, EngineSighting], scheduler: SchedulerSighting | None
    ) -> FirstHourStatus:
        settings, facility = self.health.settings, self.health.facility
        mail = list(mail_checks(facility.mail(), settings.public_url))
        form = rules.form_check(is_own=forms.find_order_form() is not None)
        steps = [
            Step(FirstStep.STORAGE, self._storage_checks()),
            Step(FirstStep.CATALOG, self._catalog_checks()),
            Step(FirstStep.PIPELINE, rules.pipeline_checks(self.readiness.seen_checks())),
            Step(FirstStep.RUNS, self._runs_checks(engines, scheduler)),
            *([Step(FirstStep.MAIL, mail)] if mail else []),
            Step(FirstStep.BACKUP, [last_backup_check(settings.home, self.clock.now())]),
            Step(FirstStep.PEOPLE, [self._people_check()]),
            Step(FirstStep.FORM, [form], is_needed=False),
        ]
        return FirstHourStatus(steps, facility.document(DOCUMENT).get("putAway") is True)

    def _storage_checks(self) -> list[Check]:
        storage = self.health.facility.storage()
        refused = [text for text in self.health.facility.refused_folders() if text.startswith("storage.")]
        return [
            *checks.refused_folder_checks(refused),
            *checks.storage_checks(self.health.folders().storage, storage.min_free_bytes),
        ]

    def _catalog_checks(self) -> list[Check]:
        registry, synced_at = self.health.registry(), catalog.last_synced_at()
        # WHY: a fetch that succeeded after a failed poll shows that the registry answers again (G1092).
        has_answered = (
            synced_at is not None
            and registry.polled_at is not None
            and synced_at > registry.polled_at
            and (catalog.sync_url() or registry.address).startswith(registry.address)
        )
        return rules.catalog_checks(
            is_stored=catalog.is_stored(),
            synced_at=synced_at,
            registry_error=None if has_answered else registry.error,
        )

    def _runs_checks(
        self, engines: Mapping[Engine, EngineSighting], scheduler: SchedulerSighting | None
    ) -> list[Check]:
        label = EXECUTORS[self._default_backend()].label
        found = (
            rules.local_checks(engines) if scheduler is None else [rules.scheduler_check(label, scheduler)]
        )
        processes = checks.process_checks(self.health.heartbeats(), self.health.living_releases(), RELEASE)
        return [*found, *(check for check in processes if check.verdict is not Verdict.OK)]

    def _people_check(self) -> Check:
        access = self.health.facility.access()
        researchers, waiting = accounts.count_researchers()
        return rules.people_check(researchers, waiting, is_open=access.allow_registration)

    def _default_backend(self) -> str:
        return self.health.facility.execution().default_backend
