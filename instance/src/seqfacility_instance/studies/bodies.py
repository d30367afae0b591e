"""Request bodies and answers of studies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from seqfacility_wire.timestamps import format_time

from seqfacility_instance.access.person import person
from seqfacility_instance.core import limits
from seqfacility_instance.core.request_model import (
    FilledLine,
    KeyReportingModel,
    Line,
    RequestModel,
    Text,
    Timestamp,
)
from seqfacility_instance.forms.custom_fields import CustomFields
from seqfacility_instance.orders.sample_bodies import SampleRow, ShownSample, sample_shape
from seqfacility_instance.studies.completeness import Impact
from seqfacility_instance.tables.studies import Study

if TYPE_CHECKING:
    from seqfacility_schemas import answers


class _StudyKeys(KeyReportingModel):
    alias: Line | None = None
    description: Text | None = None
    checklist_type: Line | None = None
    metadata: dict[str, object] | None = None
    user_id: FilledLine | None = None


class NewStudy(_StudyKeys):
    """Body of a new study. Decision: G82, G269."""

    title: FilledLine


class StudySave(_StudyKeys):
    """What a caller says of a study; a key that is left out stays as it is. Decision: G9, G83."""

    title: FilledLine | None = None
    ready_for_submission: bool | None = None
    mixs_version: int | None = None
    study_accession_id: Line | None = None
    base_updated_at: Timestamp | None = None


class SampleIds(RequestModel):
    """Body that names samples. Decision: G4, G256."""

    sample_ids: Annotated[list[Line], Field(max_length=limits.SAMPLE_IDS_PER_CALL)]


class StudySampleRow(KeyReportingModel):
    """What a caller says of a sample of a study. Decision: G269."""

    id: FilledLine
    checklist_data: dict[str, object] | None = None
    checklist_units: dict[str, object] | None = None
    custom_fields: dict[str, object] | None = None

    def row(self) -> SampleRow:
        """Return the same as a row of the sample table."""
        return SampleRow(
            id=self.id,
            checklist_data=self.checklist_data,
            checklist_units=self.checklist_units,
            custom_fields=self.custom_fields,
        )


class StudySamplesSave(RequestModel):
    """Body of a save of a study's samples. Decision: G269."""

    samples: Annotated[list[StudySampleRow], Field(max_length=limits.BULK_SAMPLES_PER_CALL)]


@dataclass(frozen=True, slots=True)
class ShownStudy:
    """A study as one caller sees it."""

    study: Study
    fields: CustomFields
    sample_count: int
    samples: list[ShownSample]


def listed_study(shown: ShownStudy) -> answers.ListedStudy:
    """Write a study without its samples. Decision: G82."""
    study = shown.study
    return {
        "id": study.id,
        "title": study.title,
        "alias": study.study_alias,
        "description": study.description,
        "checklistType": study.checklist_type,
        "studyAccessionId": study.study_accession_id,
        "submitted": study.submitted,
        "readyForSubmission": study.ready_for_submission,
        "mixsVersion": study.mixs_version,
        "metadata": shown.fields.shown(study.metadata),
        "userId": study.user_id,
        "user": person(study.user),
        "counts": {"samples": shown.sample_count},
        "createdAt": format_time(study.created_at),
        "updatedAt": format_time(study.updated_at),
    }


def study_shape(shown: ShownStudy) -> answers.Study:
    """Write a study with its samples. Decision: G82."""
    return {**listed_study(shown), "samples": [sample_shape(sample) for sample in shown.samples]}


def impact_shape(study: Study, target_version: int, impact: Impact) -> answers.StudyImpact:
    """Write what a version of the checklist means for a study. Decision: G306."""
    return {
        "accession": study.checklist_type,
        "currentVersion": study.mixs_version,
        "targetVersion": target_version,
        "addedFields": list(impact.added_fields),
        "removedFields": list(impact.removed_fields),
        "newlyRequired": list(impact.newly_required),
        "changedFields": list(impact.changed_fields),
        "samples": [
            {
                "id": found.sample.id,
                "sampleId": found.sample.code,
                "missing": list(found.missing),
                "wrong": [{"field": field, "reason": reason} for field, reason in found.wrong],
                "obsolete": list(found.obsolete),
            }
            for found in impact.samples
        ],
    }
