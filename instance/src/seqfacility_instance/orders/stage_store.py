"""Queries on what decides about the stage of orders."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from peewee import SQL, Expression, fn

from seqfacility_instance.core.vocabulary.orders import NoteType, ReadFiles
from seqfacility_instance.core.vocabulary.pipelines import RunStatus
from seqfacility_instance.core.vocabulary.sequencing import IntakeVerdict, UploadKind
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.orders import Order, Sample, StatusNote
from seqfacility_instance.tables.pipelines import PipelineConfig, PipelineRun
from seqfacility_instance.tables.results import PipelineResultSelection
from seqfacility_instance.tables.sequencing import Read, SequencingRun, SequencingUpload
from seqfacility_instance.tables.streams import StreamRun

_ORDERS_PER_STATEMENT: Final = 2_000
"""SQLite takes 32,766 variables in a statement; this one names its orders seven times."""

_RUN, _SELECTED, _SEQUENCED, _MOVING = "run", "selected", "sequenced", "moving"


@dataclass(slots=True)
class Signs:
    """What was found of one order beside its row."""

    noted_at: dict[NoteType, int] = field(default_factory=dict)
    """When each step in the way of its samples was last noted, in epoch milliseconds."""
    run_statuses: set[RunStatus] = field(default_factory=set)
    has_result: bool = False
    is_sequenced: bool = False
    moving: set[str] = field(default_factory=set)
    """The samples with an open upload of reads."""


def signs_of(order_ids: Sequence[str], today: str) -> dict[str, Signs]:
    """Find what decides about orders, in one statement for two thousand of them. Decision: G537."""
    found: dict[str, Signs] = defaultdict(Signs)
    for start in range(0, len(order_ids), _ORDERS_PER_STATEMENT):
        query = _signs(list(order_ids[start : start + _ORDERS_PER_STATEMENT]), today)
        for order_id, kind, detail in database.execute(query):
            _add(found[order_id], kind, detail)
    return found


def _add(signs: Signs, kind: str, detail: str) -> None:
    if kind == _RUN:
        signs.run_statuses.add(RunStatus(detail))
    elif kind == _SELECTED:
        signs.has_result = True
    elif kind == _SEQUENCED:
        signs.is_sequenced = True
    elif kind == _MOVING:
        signs.moving.add(detail)
    else:
        signs.noted_at[NoteType(kind)] = int(detail)


def _signs(order_ids: list[str], today: str) -> object:
    """Write one statement of six parts; each gives an order, a kind and a text."""
    steps = (NoteType.SAMPLES_SENT, NoteType.ORDER_ACCEPTED, NoteType.SAMPLES_RECEIVED)
    noted = (
        StatusNote.select(StatusNote.order, StatusNote.note_type, fn.MAX(StatusNote.created_at).cast("TEXT"))
        .where(StatusNote.order.in_(order_ids) & StatusNote.note_type.in_(steps))
        .group_by(StatusNote.order, StatusNote.note_type)
    )
    has_yield = SequencingRun.total_reads.is_null(False) | SequencingRun.total_bases.is_null(False)
    sequenced = SequencingRun.select(SequencingRun.order, SQL(f"'{_SEQUENCED}'"), SQL("''")).where(
        SequencingRun.order.in_(order_ids) & ((SequencingRun.run_date <= today) | has_yield)
    )
    streamed = StreamRun.select(StreamRun.order, SQL(f"'{_SEQUENCED}'"), SQL("''")).where(
        StreamRun.order.in_(order_ids) & (StreamRun.total_reads > 0)
    )
    ran = (
        PipelineRun.select(PipelineRun.order, SQL(f"'{_RUN}'"), PipelineRun.status)
        .where(PipelineRun.order.in_(order_ids))
        .group_by(PipelineRun.order, PipelineRun.status)
    )
    selection = PipelineResultSelection
    selected = selection.select(selection.order, SQL(f"'{_SELECTED}'"), SQL("''")).where(
        selection.order.in_(order_ids)
    )
    moving = SequencingUpload.select(
        SequencingUpload.order, SQL(f"'{_MOVING}'"), SequencingUpload.sample
    ).where(_is_open_upload(), SequencingUpload.order.in_(order_ids))
    return noted + sequenced + streamed + ran + selected + moving


def _is_open_upload() -> Expression:
    """Return the condition of an open upload of reads, in the constants of `sequencing_uploads_open`."""
    of_reads = (SequencingUpload.target_kind == UploadKind.READ) & SequencingUpload.sample.is_null(False)
    return SequencingUpload.status.in_(SQL("('PENDING', 'UPLOADING', 'READY')")) & of_reads


def moving_samples(order_id: str) -> set[str]:
    """Name the samples of an order with an open upload of reads."""
    query = SequencingUpload.select(SequencingUpload.sample).where(
        _is_open_upload(), SequencingUpload.order == order_id
    )
    return {str(row.sample_id) for row in query}


def active_reads_of_samples(sample_ids: Sequence[str]) -> dict[str, Read]:
    """Read what decides of the active reads of samples, by sample."""
    return _active_reads(Read.sample.in_(list(sample_ids)))


def active_reads_of_order(order_id: str) -> dict[str, Read]:
    """Read what decides of the active reads of an order, by sample."""
    return _active_reads(Read.sample.in_(Sample.select(Sample.id).where(Sample.order == order_id)))


def _active_reads(of_samples: Expression) -> dict[str, Read]:
    columns = (
        Read.sample,
        Read.data_class,
        Read.is_active,
        Read.file1,
        Read.file2,
        Read.checksum_verified1,
        Read.checksum_verified2,
        Read.intake1,
        Read.intake2,
    )
    return {read.sample_id: read for read in Read.select(*columns).where(of_samples, Read.is_active)}


def files_of(read: Read) -> ReadFiles | None:
    """Return what a read holds; None without a file. The triggers of migration 0012 count by the same words.

    Decision: G539.
    """
    if read.file1 is None and read.file2 is None:
        return None
    intakes = [intake for intake in (read.intake1, read.intake2) if intake is not None]
    has_problem = any(intake.get("verdict") == IntakeVerdict.PROBLEM for intake in intakes)
    if has_problem or False in {read.checksum_verified1, read.checksum_verified2}:
        return ReadFiles.PROBLEM
    return ReadFiles.SINGLE if read.file1 is None or read.file2 is None else ReadFiles.PAIRED


def offers_analysis() -> bool:
    """Return whether a pipeline is in use at this facility."""
    return PipelineConfig.select(PipelineConfig.pipeline_id).where(PipelineConfig.enabled).exists()


def order_of_sample(sample_id: str) -> Order:
    """Read the order of a sample, with what the triggers have counted of it by now."""
    return Order.select().join(Sample).where(Sample.id == sample_id).get()
