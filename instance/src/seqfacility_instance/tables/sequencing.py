"""Sequencing runs, reads, artifacts and the sessions that upload them."""

from typing import TYPE_CHECKING

from peewee import BigIntegerField, BooleanField, CharField, DoubleField, ForeignKeyField, TextField

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.sequencing import (
    ArtifactRole,
    ArtifactSource,
    ArtifactStage,
    ArtifactVisibility,
    DataClass,
    ReadSource,
    UploadKind,
    UploadStatus,
)
from seqfacility_instance.tables.base import Entity, Table
from seqfacility_instance.tables.fields import EnumField, JsonField, TimestampField
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.pipelines import PipelineRun

if TYPE_CHECKING:
    from seqfacility_instance.tables.base import Key, OptionalKey


class SequencingRun(Entity):
    """One run of an instrument, as an order sees it; `run_id` is the facility's name for it.

    Decision: G87.
    """

    order = ForeignKeyField(Order, on_delete="CASCADE", index=False)
    run_id = CharField()
    run_name = CharField(null=True)
    platform = CharField(null=True)
    instrument = CharField(null=True)
    run_date = CharField(max_length=10, null=True)
    folder_path = TextField(null=True)
    q30_score = DoubleField(null=True)
    cluster_density = DoubleField(null=True)
    pass_filter_pct = DoubleField(null=True)
    total_reads = BigIntegerField(null=True)
    total_bases = BigIntegerField(null=True)
    run_parameters = JsonField(dict[str, object], default=dict)
    notes = TextField(null=True)
    saved_by = ForeignKeyField(User, null=True, on_delete="SET NULL")
    created_at = TimestampField(default=system_now)
    updated_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        order_id: Key
        saved_by_id: OptionalKey

    class Meta:
        """A run id is used once in an order; the newest run first."""

        indexes = ((("order", "run_id"), True), (("order", "created_at", "id"), False))


class SequencingRunSample(Entity):
    """The place of a sample in a sequencing run. Decision: G89."""

    sequencing_run = ForeignKeyField(SequencingRun, on_delete="CASCADE", index=False)
    sample = ForeignKeyField(Sample, on_delete="CASCADE")
    barcode = CharField(null=True)
    custom_fields = JsonField(dict[str, object], default=dict)
    notes = TextField(null=True)
    created_at = TimestampField(default=system_now)
    updated_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        sequencing_run_id: Key
        sample_id: Key

    class Meta:
        """A sample and a barcode occur once in a run; a missing barcode equals no other."""

        indexes = ((("sequencing_run", "sample"), True), (("sequencing_run", "barcode"), True))


class Read(Entity):
    """The read files of a sample. Spec: instance, Read. Decision: G109, G112.

    Its layout is not stored: it follows from the files and the platform of the order (G111).
    """

    sample = ForeignKeyField(Sample, on_delete="RESTRICT", index=False)
    sequencing_run = ForeignKeyField(SequencingRun, null=True, on_delete="RESTRICT")
    file1 = TextField(null=True, index=True)
    file2 = TextField(null=True, index=True)
    size1 = BigIntegerField(null=True)
    size2 = BigIntegerField(null=True)
    checksum1 = CharField(null=True)
    checksum2 = CharField(null=True)
    checksum_verified1 = BooleanField(null=True)
    checksum_verified2 = BooleanField(null=True)
    read_count1 = BigIntegerField(null=True)
    read_count2 = BigIntegerField(null=True)
    avg_quality1 = DoubleField(null=True)
    avg_quality2 = DoubleField(null=True)

    # Which run wrote which value into the columns above: `{column: {run, value}}` (G343).
    written_values = JsonField(dict[str, dict[str, object]], default=dict)
    intake1 = JsonField(dict[str, object], null=True)
    intake2 = JsonField(dict[str, object], null=True)
    experiment_accession_number = CharField(null=True)
    run_accession_number = CharField(null=True)
    data_class = EnumField(DataClass)
    is_active = BooleanField(default=True)
    superseded_by = ForeignKeyField("self", null=True, on_delete="SET NULL")
    source = EnumField(ReadSource)
    pipeline_run = ForeignKeyField(PipelineRun, null=True, on_delete="SET NULL")
    created_at = TimestampField(default=system_now)
    updated_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        sample_id: Key
        sequencing_run_id: OptionalKey
        superseded_by_id: OptionalKey
        pipeline_run_id: OptionalKey

    class Meta:
        """The reads of a sample, newest first."""

        indexes = ((("sample", "created_at", "id"), False),)


Read.add_index(Read.sample, unique=True, where=Read.is_active, name="reads_one_active")
Read.add_index(Read.created_at, name="reads_created")


class SequencingArtifact(Entity):
    """A file of an order that is not a read: a report, a sample sheet. Decision: G116."""

    order = ForeignKeyField(Order, on_delete="RESTRICT", index=False)
    sample = ForeignKeyField(Sample, null=True, on_delete="RESTRICT")
    sequencing_run = ForeignKeyField(SequencingRun, null=True, on_delete="SET NULL")
    artifact_type = EnumField(ArtifactRole)
    stage = EnumField(ArtifactStage, default=ArtifactStage.DELIVERY)
    visibility = EnumField(ArtifactVisibility, default=ArtifactVisibility.FACILITY)
    source = EnumField(ArtifactSource)
    path = TextField(unique=True)
    original_name = CharField()
    size = BigIntegerField(null=True)
    checksum = CharField(null=True)
    mime_type = CharField(null=True)
    metadata = JsonField(dict[str, object], default=dict)
    created_by = ForeignKeyField(User, null=True, on_delete="SET NULL")
    created_at = TimestampField(default=system_now)
    updated_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        order_id: Key
        sample_id: OptionalKey
        sequencing_run_id: OptionalKey
        created_by_id: OptionalKey

    class Meta:
        """The artifacts of an order, newest first."""

        indexes = ((("order", "created_at", "id"), False),)


class DeliveryLink(Entity):
    """An address that opens the delivery of one order without a session; only its token's SHA-256 is here.

    Decision: G527.
    """

    token_hash = CharField(unique=True)
    order = ForeignKeyField(Order, on_delete="CASCADE", index=False)
    created_by = ForeignKeyField(User, on_delete="CASCADE")
    created_at = TimestampField(default=system_now)
    expires_at = TimestampField(index=True)
    revoked_at = TimestampField(null=True)
    last_used_at = TimestampField(null=True)

    if TYPE_CHECKING:
        order_id: Key
        created_by_id: Key

    class Meta:
        """The list of an order, newest first."""

        indexes = ((("order", "created_at", "id"), False),)


class FileDigest(Table):
    """What the service computed of a file, and the state of the file that it belongs to. Decision: G430.

    A file of another size or modification time is another content, of which nothing is known.
    """

    path = TextField(primary_key=True)
    size = BigIntegerField()
    modified_ns = BigIntegerField()
    md5 = CharField(max_length=32)
    crc32 = BigIntegerField()


class SequencingUpload(Entity):
    """A chunked upload session. Spec: instance, SequencingUpload. Decision: G101.

    `updated_at` is the last touch, from which a session expires (G106).
    """

    order = ForeignKeyField(Order, on_delete="CASCADE", index=False)
    sample = ForeignKeyField(Sample, null=True, on_delete="SET NULL")
    target_kind = EnumField(UploadKind)
    target_role = CharField(max_length=64)
    original_name = CharField()
    mime_type = CharField(null=True)
    temp_path = TextField()
    final_path = TextField(null=True, unique=True)
    expected_size = BigIntegerField()
    received_size = BigIntegerField(default=0)
    status = EnumField(UploadStatus, default=UploadStatus.PENDING)
    checksum_provided = CharField(null=True)
    checksum_computed = CharField(null=True)
    checksum_matches = BooleanField(null=True)
    intake = JsonField(dict[str, object], null=True)
    metadata = JsonField(dict[str, object], default=dict)
    read = ForeignKeyField(Read, null=True, on_delete="SET NULL")
    artifact = ForeignKeyField(SequencingArtifact, null=True, on_delete="SET NULL")
    created_by = ForeignKeyField(User, on_delete="RESTRICT")
    created_at = TimestampField(default=system_now)
    updated_at = TimestampField(default=system_now)
    completed_at = TimestampField(null=True)

    if TYPE_CHECKING:
        order_id: Key
        sample_id: OptionalKey
        read_id: OptionalKey
        artifact_id: OptionalKey
        created_by_id: Key

    class Meta:
        """The sessions of an order, newest first; the sessions that expire."""

        indexes = ((("order", "created_at", "id"), False), (("status", "updated_at"), False))


SequencingUpload.add_index(
    SequencingUpload.order,
    SequencingUpload.sample,
    where=SequencingUpload.status.in_([UploadStatus.PENDING, UploadStatus.UPLOADING, UploadStatus.READY]),
    name="sequencing_uploads_open",
)
