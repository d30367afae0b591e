"""What pipeline runs leave behind, and which run counts as the final one."""

from typing import TYPE_CHECKING

from peewee import (
    BigIntegerField,
    BooleanField,
    CharField,
    DoubleField,
    ForeignKeyField,
    IntegerField,
    TextField,
)

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.pipelines import CandidateStatus, PipelineArtifactType
from seqfacility_instance.core.vocabulary.sequencing import DataClass, Mate, ReadLayout
from seqfacility_instance.tables.base import Entity
from seqfacility_instance.tables.fields import EnumField, JsonField, TimestampField
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.sequencing import Read
from seqfacility_instance.tables.studies import Study

if TYPE_CHECKING:
    from seqfacility_instance.tables.base import Key, OptionalKey


class PipelineResultSelection(Entity):
    """The run that counts for a pipeline and a target.

    Spec: instance, PipelineResultSelection. Decision: G166.
    """

    pipeline_id = CharField(max_length=128)
    target_key = CharField(max_length=128)
    study = ForeignKeyField(Study, null=True, on_delete="CASCADE")
    order = ForeignKeyField(Order, null=True, on_delete="CASCADE")
    selected_run = ForeignKeyField(PipelineRun, unique=True, on_delete="CASCADE")
    selected_by = ForeignKeyField(User, on_delete="RESTRICT")
    selected_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        study_id: OptionalKey
        order_id: OptionalKey
        selected_run_id: Key
        selected_by_id: Key

    class Meta:
        """One selection per pipeline and target."""

        indexes = ((("pipeline_id", "target_key"), True),)


class Assembly(Entity):
    """An assembled genome or metagenome of a sample. Spec: instance, Assembly and Bin. Decision: G192."""

    assembly_name = CharField()
    assembly_file = TextField(index=True)
    assembly_accession = CharField(null=True)
    size = BigIntegerField(null=True)
    sample = ForeignKeyField(Sample, on_delete="CASCADE", index=False)
    created_by_pipeline_run = ForeignKeyField(PipelineRun, on_delete="CASCADE")
    created_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        sample_id: Key
        created_by_pipeline_run_id: Key

    class Meta:
        """Resolving outputs again makes no second row."""

        indexes = (
            (("sample", "created_by_pipeline_run", "assembly_file"), True),
            (("created_at", "id"), False),
        )


class Bin(Entity):
    """A genome bin of a sample; completeness and contamination are 0 to 100.

    Spec: instance, Assembly and Bin. Decision: G192.
    """

    bin_name = CharField()
    bin_file = TextField()
    completeness = DoubleField(default=0.0)
    contamination = DoubleField(default=0.0)
    size = BigIntegerField(null=True)
    sample = ForeignKeyField(Sample, on_delete="CASCADE", index=False)
    created_by_pipeline_run = ForeignKeyField(PipelineRun, on_delete="CASCADE")
    created_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        sample_id: Key
        created_by_pipeline_run_id: Key

    class Meta:
        """Resolving outputs again makes no second row."""

        indexes = ((("sample", "created_by_pipeline_run", "bin_file"), True),)


class PipelineArtifact(Entity):
    """A file that a run produced, read candidates included.

    The columns from `candidate_status` on are filled for read candidates alone; then `path` is `file1`. Reads
    of a sequencing run have a `mate`, and `promoted_at` and `promoted_read` once they are filed (G989): they
    are filed as long as that read is there (G996).

    Spec: instance, PipelineArtifact. Decision: G159, G196.
    """

    type = EnumField(PipelineArtifactType)
    name = CharField(null=True)
    path = TextField(index=True)
    checksum = CharField(null=True)
    size = BigIntegerField(null=True)
    study = ForeignKeyField(Study, null=True, on_delete="SET NULL")
    sample = ForeignKeyField(Sample, null=True, on_delete="SET NULL")
    pipeline_run = ForeignKeyField(PipelineRun, null=True, on_delete="CASCADE", index=False)
    produced_by_step_id = CharField(max_length=128, null=True)
    metadata = JsonField(dict[str, object], default=dict)
    output_id = CharField(max_length=128, null=True)
    output_label = CharField(null=True)
    output_position = IntegerField(default=0)
    is_primary = BooleanField(default=False)
    mate = EnumField(Mate, null=True)
    candidate_status = EnumField(CandidateStatus, null=True)
    file1 = TextField(null=True)
    file2 = TextField(null=True)
    read_layout = EnumField(ReadLayout, null=True)
    target_data_class = EnumField(DataClass, null=True)
    promoted_at = TimestampField(null=True)
    promoted_read = ForeignKeyField(Read, null=True, on_delete="SET NULL")
    created_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        study_id: OptionalKey
        sample_id: OptionalKey
        pipeline_run_id: OptionalKey
        promoted_read_id: OptionalKey

    class Meta:
        """Resolving outputs again makes no second row; candidates and reports of a run."""

        indexes = (
            (("pipeline_run", "path"), True),
            (("pipeline_run", "output_position", "id"), False),
        )


PipelineArtifact.add_index(
    PipelineArtifact.pipeline_run,
    PipelineArtifact.candidate_status,
    where=PipelineArtifact.candidate_status.is_null(False),
    name="pipeline_artifacts_candidates",
)
