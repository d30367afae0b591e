"""Request bodies and answers of samples and samplesets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypedDict, cast

from pydantic import Field
from seqfacility_wire.timestamps import format_time

from seqfacility_instance.core import limits
from seqfacility_instance.core.request_model import (
    FilledLine,
    KeyReportingModel,
    Line,
    RequestModel,
    Text,
    Timestamp,
)
from seqfacility_instance.core.vocabulary.orders import PlateState
from seqfacility_instance.forms.custom_fields import CustomFields
from seqfacility_instance.orders.rules import MAX_DETAILS
from seqfacility_instance.tables.orders import Order, Sample, Sampleset

if TYPE_CHECKING:
    from seqfacility_schemas import answers

_LARGEST_INT32 = 2**31 - 1

ShownReads: TypeAlias = "list[answers.Read]"
"""Reads as the slice that owns them writes them."""


class SampleRow(KeyReportingModel):
    """What a caller says of one sample; a key that is left out stays as it is.

    `base_updated_at` is when it was changed last, as the caller knows it.

    Decision: G20, G79, G80, G589.
    """

    id: Line | None = None
    sample_id: Line | None = None
    sample_alias: Line | None = None
    scientific_name: Line | None = None
    tax_id: Line | None = None
    checklist_data: dict[str, object] | None = None
    checklist_units: dict[str, object] | None = None
    custom_fields: dict[str, object] | None = None
    base_updated_at: Timestamp | None = None


class SampleSave(SampleRow):
    """Body of a change of one sample. Decision: G20, G80."""


class FieldOverride(RequestModel):
    """How a sampleset presents one field. Spec: instance, Other stored entities."""

    label: Line | None = None
    required: bool | None = None
    help_text: Text | None = None


class SamplesetSave(RequestModel):
    """What a caller says of a sampleset. Decision: G79, G81."""

    checklists: list[FilledLine] | None = None
    selected_fields: list[FilledLine] | None = None
    field_overrides: dict[str, FieldOverride] | None = None
    sample_type: Annotated[int, Field(ge=0, le=_LARGEST_INT32)] | None = None

    def columns(self) -> dict[str, object]:
        """Return what was said, by column."""
        said: dict[str, object] = {
            "checklists": self.checklists,
            "selected_fields": self.selected_fields,
            "sample_type": self.sample_type,
        }
        if self.field_overrides is not None:
            said["field_overrides"] = {
                name: override.model_dump(by_alias=True, exclude_none=True)
                for name, override in self.field_overrides.items()
            }
        return {column: value for column, value in said.items() if value is not None}


class BulkSave(RequestModel):
    """Body of the sample table of an order. Decision: G79, G256."""

    samples: Annotated[list[SampleRow], Field(max_length=limits.BULK_SAMPLES_PER_CALL)]
    sampleset: SamplesetSave | None = None


class SaveWarnings(TypedDict, total=False):
    """The key is there when there are any. Decision: G461."""

    warnings: list[str]


@dataclass(frozen=True, slots=True)
class ShownSample:
    """A sample as one caller sees it."""

    sample: Sample
    fields: CustomFields


@dataclass(frozen=True, slots=True)
class Saved:
    """What a save of the sample table did, and what of it was ignored or will be refused later.

    `samples` are those of the order afterwards, `ids` those of the rows, None for one that is not stored.
    """

    samples: list[ShownSample]
    ids: Sequence[str | None]
    created: int
    updated: int
    warnings: list[str]


def saved_table(saved: Saved) -> answers.SavedSampleTable:
    """Write a save with all samples of the order. Decision: G79, G461."""
    shape: answers.SavedSampleTable = {
        "samples": [sample_shape(sample) for sample in saved.samples],
        "created": saved.created,
        "updated": saved.updated,
    }
    if saved.warnings:
        shape["warnings"] = saved.warnings[:MAX_DETAILS]
    return shape


def saved_rows(saved: Saved) -> answers.SavedSampleRows:
    """Write a save with the ids of its rows alone. Decision: G461, G547."""
    shape: answers.SavedSampleRows = {
        "ids": list(saved.ids),
        "created": saved.created,
        "updated": saved.updated,
    }
    if saved.warnings:
        shape["warnings"] = saved.warnings[:MAX_DETAILS]
    return shape


def stored_rows(saved: Saved) -> answers.SavedSampleRows:
    """Write a save with the ids of its rows, and when each was changed: what the next save names as its base.

    Decision: G589.
    """
    updated_at = {shown.sample.id: shown.sample.updated_at for shown in saved.samples}
    times = [format_time(updated_at[sample_id]) for sample_id in saved.ids if sample_id is not None]
    return {**saved_rows(saved), "updatedAt": times}


def sample_shape(shown: ShownSample) -> answers.Sample:
    """Write a sample. Decision: G78."""
    sample, hidden = shown.sample, shown.fields.hidden_columns
    return {
        "id": sample.id,
        "sampleId": sample.sample_code,
        "sampleAlias": None if "sampleAlias" in hidden else sample.sample_alias,
        "scientificName": None if "scientificName" in hidden else sample.scientific_name,
        "taxId": None if "taxId" in hidden else sample.tax_id,
        "checklistData": sample.checklist_data,
        "checklistUnits": sample.checklist_units,
        "customFields": shown.fields.shown(sample.custom_fields),
        "orderId": sample.order_id,
        "studyId": sample.study_id,
        "createdAt": format_time(sample.created_at),
        "updatedAt": format_time(sample.updated_at),
    }


def plate_sample(shown: ShownSample, state: PlateState) -> answers.PlateSample:
    """Write a sample with its state on the plate of its order. Decision: G539."""
    return {**sample_shape(shown), "plateState": state.value}


def save_warnings(warnings: Sequence[str]) -> SaveWarnings:
    """Write what of a save was ignored, or will keep the order from being submitted. Decision: G461, G492."""
    return SaveWarnings(warnings=list(warnings[:MAX_DETAILS])) if warnings else SaveWarnings()


def listed_sample(shown: ShownSample, order_fields: CustomFields) -> answers.ListedSample:
    """Write a sample with its order. Decision: G80."""
    order = shown.sample.order
    return {**sample_shape(shown), "order": _sample_order(order, order_fields)}


def whole_sample(shown: ShownSample, order_fields: CustomFields, reads: ShownReads) -> answers.WholeSample:
    """Write a sample with its order, its study and the reads that the caller may see. Decision: G80."""
    study = shown.sample.study
    return {
        **listed_sample(shown, order_fields),
        "study": None if study is None else {"id": study.id, "title": study.title},
        "reads": reads,
    }


def sampleset_shape(sampleset: Sampleset) -> answers.Sampleset:
    """Write a sampleset. Decision: G81."""
    overrides = cast("dict[str, answers.SamplesetFieldOverrides] | None", sampleset.field_overrides)
    return {
        "orderId": sampleset.order_id,
        "checklists": sampleset.checklists,
        "selectedFields": sampleset.selected_fields,
        "fieldOverrides": overrides,
        "sampleType": sampleset.sample_type,
    }


def _sample_order(order: Order, fields: CustomFields) -> answers.ListedSampleOrder:
    return {
        "id": order.id,
        "orderNumber": order.order_number,
        "name": None if "name" in fields.hidden_columns else order.name,
        "status": order.status.value,
    }
