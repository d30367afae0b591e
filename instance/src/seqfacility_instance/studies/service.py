"""Use cases of studies."""

from collections.abc import Sequence
from dataclasses import dataclass

from seqfacility_schemas import object_keys
from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.opened import StudyFor
from seqfacility_instance.checklists.errors import ChecklistNotFound
from seqfacility_instance.checklists.service import Checklists
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.errors import StaleRecord
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.forms.custom_fields import CustomFields
from seqfacility_instance.forms.service import Forms
from seqfacility_instance.orders.sample_bodies import ShownSample
from seqfacility_instance.orders.sample_rules import sample_keys
from seqfacility_instance.orders.samples import Samples
from seqfacility_instance.orders.service import later
from seqfacility_instance.studies import store
from seqfacility_instance.studies.bodies import NewStudy, ShownStudy, StudySampleRow, StudySave
from seqfacility_instance.studies.completeness import AnsweringSample, Impact, impact_of
from seqfacility_instance.studies.errors import (
    AliasTaken,
    InvalidSampleIds,
    SampleInOtherStudy,
    StudyHasRuns,
    StudySubmitted,
    SubmittedStudyKept,
)
from seqfacility_instance.studies.rules import check_free, version_number
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.tables.studies import Study

_NO_IMPACT = Impact((), (), (), (), ())


@dataclass(frozen=True, slots=True)
class Studies:
    """Studies of researchers, as their owners and the facility's admins handle them."""

    forms: Forms
    checklists: Checklists
    samples: Samples
    clock: Clock

    def list_page(
        self, caller: SignedIn, text: str | None, limit: int, offset: int
    ) -> tuple[list[ShownStudy], int]:
        """List own studies, for an admin all, newest first, with the total. Decision: G16, G83."""
        studies, total = store.list_studies(caller, text, limit, offset)
        ids = [study.id for study in studies]
        counts = store.sample_counts(ids)
        in_force = self.forms.in_force(ids)
        shown = [
            ShownStudy(
                study,
                in_force.study_fields(study.id, is_admin=caller.is_admin),
                counts.get(study.id, 0),
                [],
            )
            for study in studies
        ]
        return shown, total

    def show(self, study: StudyFor[SignedIn]) -> ShownStudy:
        """Return a study as its caller sees it, with its samples. Decision: G82."""
        return self._shown(study.caller, study.row)

    def _shown(self, caller: SignedIn, study: Study) -> ShownStudy:
        samples = self.samples.of_study(caller, study.id)
        return ShownStudy(study, self._fields(caller, study.id), len(samples), samples)

    def create(self, caller: SignedIn, new: NewStudy) -> tuple[ShownStudy, list[str]]:
        """Make a study, pinned to the active checklist version; return it, and what was ignored.

        Raises `AliasTaken` or `ValidationFailed`.

        Decision: G69, G82, G83, G492.
        """
        now = self.clock.now()
        fields = self._fields(caller, None)
        columns: dict[str, object] = {
            "title": new.title,
            "study_alias": new.alias or None,
            "description": new.description or None,
            "checklist_type": self._accession(new.checklist_type),
            "metadata": _merged(fields, {}, new.metadata),
            "mixs_version": self.checklists.active_version(),
            "user": self._owner(caller, new.user_id) or caller.user_id,
            "created_at": now,
            "updated_at": now,
        }
        with database.atomic():
            study = store.create_study(columns)
            if study is None:
                raise AliasTaken
        return self._shown(caller, study), _warnings(new, fields, {})

    def save(self, opened: StudyFor[SignedIn], save: StudySave) -> tuple[ShownStudy, list[str]]:
        """Change a study; return it, and what was ignored.

        Raises `StaleRecord`, `AliasTaken`, `StudySubmitted` or `ValidationFailed`.

        Decision: G20, G83, G492.
        """
        caller = opened.caller
        with database.atomic():
            study = opened.locked(store.lock_study(opened.id))
            if save.base_updated_at not in {None, study.updated_at}:
                raise StaleRecord
            if save.ready_for_submission is not None and study.submitted:
                raise StudySubmitted
            fields = self._fields(caller, study.id)
            columns = self._changed_columns(caller, study, save, fields)
            if save.alias and store.is_alias_taken(save.alias, by_other_than=study.id):
                raise AliasTaken
            saved = store.claim_edit(study, columns)
            if saved is None:
                raise StaleRecord
        if saved.user_id == opened.row.user_id:
            saved.user = opened.row.user
        return self._shown(caller, saved), _warnings(save, fields, study.metadata)

    def _changed_columns(
        self, caller: SignedIn, study: Study, save: StudySave, fields: CustomFields
    ) -> dict[str, object]:
        if save.mixs_version is not None and save.mixs_version not in self.checklists.versions():
            raise ValidationFailed(["mixsVersion: is not a stored version"])
        changes: dict[str, object] = {
            "title": save.title,
            "ready_for_submission": save.ready_for_submission,
            "mixs_version": save.mixs_version,
            "user": self._owner(caller, save.user_id),
        }
        columns = {column: value for column, value in changes.items() if value is not None}
        clearable = {
            "study_alias": save.alias,
            "description": save.description,
            "study_accession_id": save.study_accession_id if caller.is_admin else None,
        }
        columns |= {column: text or None for column, text in clearable.items() if text is not None}
        if save.checklist_type is not None:
            columns["checklist_type"] = self._accession(save.checklist_type)
        if save.metadata is not None:
            columns["metadata"] = _merged(fields, study.metadata, save.metadata)
        return {**columns, "updated_at": later(self.clock.now(), study.updated_at)}

    def delete(self, opened: StudyFor[SignedIn]) -> None:
        """Delete a study; raises `SubmittedStudyKept` or `StudyHasRuns`. Decision: G83."""
        now = self.clock.now()
        with database.atomic():
            study = opened.locked(store.lock_study(opened.id))
            if study.submitted:
                raise SubmittedStudyKept
            if store.has_runs(study.id):
                raise StudyHasRuns
            store.delete_study(study.id)
            audit.record(opened.caller, AuditAction.STUDY_DELETED, "study", study.id, now, title=study.title)

    def add_samples(
        self, study: StudyFor[SignedIn], references: Sequence[str]
    ) -> tuple[int, list[ShownSample]]:
        """Put samples into a study, all or none; return how many were new, and all its samples.

        A researcher names samples of own orders. Raises `InvalidSampleIds` or `SampleInOtherStudy`.

        Decision: G4, G83.
        """
        now = self.clock.now()
        with database.atomic():
            study.locked(store.lock_study(study.id))
            found = self.samples.find_visible(study.caller, references)
            if unknown := [name for name in dict.fromkeys(references) if name not in found]:
                raise InvalidSampleIds(unknown)
            samples = {sample.id: sample for sample in found.values()}
            check_free({sample.sample_code: sample.study_id for sample in samples.values()}, study.id)
            free = [sample.id for sample in samples.values() if sample.study_id is None]
            if self.samples.assign_to_study(free, study.id, now) != len(free):
                raise SampleInOtherStudy(details=[])
            # WHY: an order may have changed hands since its samples were looked up; now they are locked.
            if len(self.samples.find_visible(study.caller, references)) < len(found):
                raise InvalidSampleIds(references)
        return len(free), self.samples.of_study(study.caller, study.id)

    def save_samples(
        self, study: StudyFor[SignedIn], rows: Sequence[StudySampleRow]
    ) -> tuple[list[ShownSample], list[str]]:
        """Change metadata of samples of a study; others keep theirs. Return all, and what was ignored.

        Raises `InvalidSampleIds`.

        Decision: G83, G492.
        """
        with database.atomic():
            study.locked(store.lock_study(study.id))
            unknown, warnings = self.samples.save_of_study(
                study.caller, study.id, [row.row() for row in rows]
            )
            if unknown:
                raise InvalidSampleIds(unknown)
        keys = [
            f"samples[{position}].{key}: is not a known key"
            for position, row in enumerate(rows)
            for key in row.unknown_keys(sample_keys())
        ]
        return self.samples.of_study(study.caller, study.id), keys + warnings

    def remove_samples(self, study: StudyFor[SignedIn], references: Sequence[str]) -> int:
        """Take samples out of a study; names of others are passed over. Return how many left.

        Decision: G83.
        """
        now = self.clock.now()
        with database.atomic():
            study.locked(store.lock_study(study.id))
            return self.samples.release_from_study(study.id, references, now)

    def impact(self, opened: StudyFor[SignedIn], version: str | None) -> tuple[Study, int, Impact]:
        """Return what a version of the checklist would mean for the samples of a study.

        Without `version` the pinned one: then the answer is how complete the samples are. Raises
        `VersionNotAnInteger`, or `ChecklistNotFound` when the version does not have the study's checklist.

        Decision: G69, G296, G306.
        """
        study = opened.row
        target_version = study.mixs_version if version is None else version_number(version)
        if study.checklist_type is None:
            return study, target_version, _NO_IMPACT
        target = self.checklists.fields_of(study.checklist_type, target_version)
        if target is None:
            raise ChecklistNotFound(query=study.checklist_type)
        pinned = self.checklists.fields_of(study.checklist_type, study.mixs_version)
        samples = [_answering(shown.sample) for shown in self.samples.of_study(opened.caller, study.id)]
        return study, target_version, impact_of(pinned, target, samples)

    def _fields(self, caller: SignedIn, study_id: str | None) -> CustomFields:
        in_force = self.forms.in_force(() if study_id is None else (study_id,))
        return in_force.study_fields(study_id, is_admin=caller.is_admin)

    def _accession(self, query: str | None) -> str | None:
        if not query:
            return None
        found = self.checklists.resolve(query)
        if found is None:
            raise ValidationFailed(["checklistType: is not a known checklist"])
        return found.accession

    def _owner(self, caller: SignedIn, user_id: str | None) -> str | None:
        if not caller.is_admin or user_id is None:
            return None
        if not store.is_user_in_reach(caller, user_id):
            raise ValidationFailed(["userId: is not a known user"])
        return user_id


def _merged(
    fields: CustomFields, stored: dict[str, object], changes: dict[str, object] | None
) -> dict[str, object]:
    merged, problems = fields.merged(stored, changes or {}, "metadata")
    if problems:
        raise ValidationFailed(problems)
    return merged


def _warnings(save: NewStudy | StudySave, fields: CustomFields, stored: dict[str, object]) -> list[str]:
    return fields.warnings(
        save.unknown_keys(object_keys("instance/study-parts", "Study")),
        stored,
        save.metadata or {},
        "metadata",
    )


def _answering(sample: Sample) -> AnsweringSample:
    return AnsweringSample(
        sample.id, sample.sample_code, sample.tax_id, sample.scientific_name, sample.checklist_data
    )
