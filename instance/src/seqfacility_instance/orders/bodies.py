"""Request bodies and answers of orders and their notes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Final, TypedDict

from seqfacility_wire.errors import ValidationFailed
from seqfacility_wire.timestamps import format_optional_time, format_time

from seqfacility_instance.access.person import person
from seqfacility_instance.core.request_model import (
    FilledLine,
    FilledText,
    KeyReportingModel,
    Line,
    RequestModel,
    Text,
    Timestamp,
)
from seqfacility_instance.core.vocabulary.orders import NoteType, OrderSort, OrderStatus, PlateState
from seqfacility_instance.forms.custom_fields import CustomFields
from seqfacility_instance.orders.errors import StatusUnknown
from seqfacility_instance.orders.stages import Standing
from seqfacility_instance.orders.store import Counts, Span
from seqfacility_instance.orders.submission import Problem
from seqfacility_instance.tables.orders import Order, StatusNote

if TYPE_CHECKING:
    from seqfacility_schemas import answers

_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class OrderSave(KeyReportingModel):
    """What a caller says of an order; a key that is left out stays as it is. Decision: G9."""

    name: Line | None = None
    platform: Line | None = None
    library_strategy: Line | None = None
    library_source: Line | None = None
    custom_fields: dict[str, object] | None = None
    user_id: FilledLine | None = None
    base_updated_at: Timestamp | None = None

    def columns(self) -> dict[str, str | None]:
        """Return the changed columns by name; empty text clears one."""
        columns = {
            "name": self.name,
            "platform": self.platform,
            "library_strategy": self.library_strategy,
            "library_source": self.library_source,
        }
        return {column: value or None for column, value in columns.items() if value is not None}


class StatusMove(RequestModel):
    """Body of a status change. Decision: G75."""

    note: Text | None = None


class OwnerChange(RequestModel):
    """Body that names the new owner of an order. Decision: G877."""

    user_id: FilledLine


class NoteSave(RequestModel):
    """Body of a new note. Decision: G77."""

    note_type: str
    content: FilledText


class SampleProblem(TypedDict):
    """Why a sample keeps its order from being submitted; `row` counts the samples of the order from 1.

    Decision: G462.
    """

    sampleId: str
    sampleCode: str
    sampleAlias: str | None
    row: int
    field: str
    message: str


class SampleProblems(TypedDict, total=False):
    """The key is there when there are any. Decision: G462."""

    sampleProblems: list[SampleProblem]


@dataclass(frozen=True, slots=True)
class ShownOrder:
    """An order as one caller sees it."""

    order: Order
    counts: Counts
    fields: CustomFields
    notes: list[StatusNote]
    standing: Standing


def read_status(body: dict[str, object]) -> OrderStatus:
    """Read the wanted status; raises `StatusUnknown`. Decision: G75."""
    word = body.get("status")
    if not isinstance(word, str) or word not in OrderStatus.__members__:
        raise StatusUnknown
    return OrderStatus(word)


def read_sort(word: str | None) -> OrderSort:
    """Read by what a list is sorted; newest first for an unknown word, as for a page. Decision: G16, G541."""
    return OrderSort(word) if word in set(OrderSort) else OrderSort.NEWEST


def read_days(first: str | None, last: str | None) -> Span:
    """Read the days, of UTC, between which orders were made; raises `ValidationFailed`. Decision: G583."""
    wrong: list[str] = []
    start, end = _midnight("from", first, wrong), _midnight("to", last, wrong)
    if wrong:
        raise ValidationFailed(wrong)
    return Span(start, None if end is None else datetime.combine(end, time.max, UTC))


def _midnight(name: str, word: str | None, wrong: list[str]) -> datetime | None:
    """WHY: `fromisoformat` reads weeks and times as well."""
    if word is None:
        return None
    try:
        return datetime.fromisoformat(word if _DAY.fullmatch(word) else "").replace(tzinfo=UTC)
    except ValueError:
        wrong.append(f"{name}: must be a date like 2031-05-04")
        return None


def read_note_type(save: NoteSave, allowed: Iterable[NoteType]) -> NoteType:
    """Read the type of a new note, one of `allowed`; raises `ValidationFailed`. Decision: G77."""
    words = [word.value for word in allowed]
    if save.note_type not in words:
        raise ValidationFailed(["noteType: must be one of: " + ", ".join(words)])
    return NoteType(save.note_type)


def listed_order(shown: ShownOrder) -> answers.ListedOrder:
    """Write an order without its notes. Decision: G72."""
    order, hidden = shown.order, shown.fields.hidden_columns
    return {
        "id": order.id,
        "orderNumber": order.order_number,
        "name": None if "name" in hidden else order.name,
        "status": order.status.value,
        "platform": None if "platform" in hidden else order.platform,
        "libraryStrategy": None if "libraryStrategy" in hidden else order.library_strategy,
        "librarySource": None if "librarySource" in hidden else order.library_source,
        "customFields": shown.fields.shown(order.custom_fields),
        "userId": order.user_id,
        "user": person(order.user),
        "sequencingFilesPublishedAt": format_optional_time(order.sequencing_files_published_at),
        "formVersion": order.form_version,
        "counts": {"samples": shown.counts.samples, "reads": shown.counts.reads},
        **standing_keys(shown.standing),
        "statusUpdatedAt": format_time(order.status_updated_at),
        "createdAt": format_time(order.created_at),
        "updatedAt": format_time(order.updated_at),
    }


def standing_keys(standing: Standing) -> answers.Standing:
    """Write where an order stands. Decision: G537, G538, G539."""
    step, plate = standing.next, standing.plate
    return {
        "stage": standing.stage.value,
        "next": None if step is None else {"who": step.who.value, "what": step.what.value},
        "plate": {
            "waiting": plate[PlateState.WAITING],
            "moving": plate[PlateState.MOVING],
            "half": plate[PlateState.HALF],
            "problem": plate[PlateState.PROBLEM],
            "done": plate[PlateState.DONE],
        },
    }


def order_shape(shown: ShownOrder) -> answers.Order:
    """Write an order with its notes. Decision: G72, G274."""
    return {**listed_order(shown), "notes": [note_shape(note) for note in shown.notes]}


def sample_problems(problems: Iterable[Problem], hidden_columns: Collection[str]) -> SampleProblems:
    """Write those problems of a refused submission that are of samples. Decision: G462."""
    found = [
        SampleProblem(
            sampleId=problem.sample.id,
            sampleCode=problem.sample.code,
            sampleAlias=None if "sampleAlias" in hidden_columns else problem.sample.alias,
            row=problem.sample.row,
            field=problem.field,
            message=problem.reason,
        )
        for problem in problems
        if problem.sample is not None
    ]
    return SampleProblems(sampleProblems=found) if found else SampleProblems()


def note_shape(note: StatusNote) -> answers.Note:
    """Write a note. Decision: G77."""
    return {
        "id": note.id,
        "noteType": note.note_type.value,
        "content": note.content,
        "user": None if note.user is None else person(note.user),
        "createdAt": format_time(note.created_at),
    }
