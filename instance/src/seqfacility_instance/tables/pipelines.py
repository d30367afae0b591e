"""Installed pipelines, pipeline runs, and what is known about a run while it goes on."""

from typing import TYPE_CHECKING

from peewee import (
    BigIntegerField,
    BooleanField,
    CharField,
    Check,
    CompositeKey,
    DoubleField,
    ForeignKeyField,
    IntegerField,
    TextField,
)

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.pipelines import (
    Backend,
    EventSource,
    ExecutionMode,
    PackageOrigin,
    QueueSource,
    RunStatus,
    StepStatus,
    TargetType,
)
from seqfacility_instance.tables.base import Entity, Table
from seqfacility_instance.tables.fields import EnumField, JsonField, TimestampField
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.studies import Study

if TYPE_CHECKING:
    from seqfacility_instance.tables.base import Key, OptionalKey


class PipelinePackage(Entity):
    """One installed version of a pipeline; the current one is used for new runs. Decision: G144."""

    pipeline_id = CharField(max_length=128)
    version = CharField(max_length=64)
    origin = EnumField(PackageOrigin)
    sha256 = CharField(max_length=64, null=True)
    folder = TextField()
    # Where an imported package came from: `{repository, ref, commit}` (G336).
    source = JsonField(dict[str, str], null=True)
    # What its registry said against it when it was asked last (G932).
    yank_reason = TextField(null=True)
    # When this facility learned of it (G982).
    yank_seen_at = TimestampField(null=True)
    advisories = JsonField(list[dict[str, str]], null=True)
    # What a signed registry lists under the version instead (G923).
    other_sha256 = CharField(max_length=64, null=True)
    # The day of the publication that said all this (G925).
    noticed_on = CharField(max_length=10, null=True)
    is_current = BooleanField(default=True)
    installed_at = TimestampField(default=system_now)
    installed_by = ForeignKeyField(User, null=True, on_delete="SET NULL")

    if TYPE_CHECKING:
        installed_by_id: OptionalKey

    class Meta:
        """Versions live side by side."""

        indexes = ((("pipeline_id", "version"), True),)


PipelinePackage.add_index(
    PipelinePackage.pipeline_id,
    unique=True,
    where=PipelinePackage.is_current,
    name="pipeline_packages_one_current",
)


class PipelineConfig(Table):
    """What an admin decided about a pipeline. Decision: G140, G142."""

    pipeline_id = CharField(max_length=128, primary_key=True)
    enabled = BooleanField(default=False)
    config = JsonField(dict[str, object], default=dict)
    updated_at = TimestampField(default=system_now)
    updated_by = ForeignKeyField(User, null=True, on_delete="SET NULL")

    if TYPE_CHECKING:
        updated_by_id: OptionalKey


class RunNumberCounter(Table):
    """How many canonical run numbers a pipeline got on a UTC day (`YYYYMMDD`). Decision: G151."""

    pipeline_id = CharField(max_length=128)
    day = CharField(max_length=8)
    last_count = IntegerField()

    class Meta:
        """One counter per pipeline and day."""

        primary_key = CompositeKey("pipeline_id", "day")


class PipelineRun(Entity):
    """One execution of a pipeline on an order or a study.

    Spec: instance, PipelineRun. Decision: G158, G160.
    """

    run_number = CharField(max_length=192, unique=True)
    pipeline_id = CharField(max_length=128)
    pipeline_version = CharField(max_length=64)
    package_sha256 = CharField(max_length=64, null=True)
    status = EnumField(RunStatus, default=RunStatus.PENDING)
    progress = IntegerField(default=0)
    current_step = TextField(null=True)
    target_type = EnumField(TargetType)
    study = ForeignKeyField(Study, null=True, on_delete="RESTRICT", index=False)
    order = ForeignKeyField(Order, null=True, on_delete="RESTRICT", index=False)
    user = ForeignKeyField(User, on_delete="RESTRICT")
    requested_mode = EnumField(ExecutionMode, default=ExecutionMode.DEFAULT)
    execution_mode = EnumField(Backend)
    input_sample_ids = JsonField(list[str], null=True)
    config = JsonField(dict[str, object], default=dict)
    run_folder = TextField(null=True)
    failure = JsonField(dict[str, object], null=True)

    # Who may see it: the owner of the target while the run is selected as final, else nobody.
    visible_to = ForeignKeyField(User, null=True, on_delete="SET NULL", index=False)

    # The launch: who won the claim, and what was launched (G152, G155).
    launch_token = CharField(max_length=64, null=True)
    launch_claimed_at = TimestampField(null=True)
    cancel_requested_at = TimestampField(null=True)
    command = TextField(null=True)
    job_id = CharField(max_length=64, null=True)
    pid = IntegerField(null=True)
    process_started_ticks = BigIntegerField(null=True)
    boot_id = CharField(max_length=64, null=True)

    # What the scheduler last said (G185, G186).
    queue_status = CharField(max_length=64, null=True)
    queue_source = EnumField(QueueSource, null=True)
    queue_checked_at = TimestampField(null=True)
    job_missing_since = TimestampField(null=True)
    job_ended_at = TimestampField(null=True)
    exit_code = IntegerField(null=True)

    # How far the trace was read, and the last lines of the logs (G184, G188).
    trace_offset = BigIntegerField(default=0)
    output_tail = TextField(null=True)
    error_tail = TextField(null=True)

    # The engine's own files as they were at the end: `[{path, size}]` (G342).
    technical_files = JsonField(list[dict[str, object]], null=True)

    # Waiting for outputs after the job's end (G181).
    outputs_resolved_at = TimestampField(null=True)
    outputs_attempts = IntegerField(default=0)
    outputs_retry_at = TimestampField(null=True)
    outputs_problem = TextField(null=True)

    # The monitor that looks after it at the moment (G264).
    lease_holder = CharField(max_length=128, null=True)
    leased_until = TimestampField(null=True)

    created_at = TimestampField(default=system_now)
    updated_at = TimestampField(default=system_now)
    queued_at = TimestampField(null=True)
    started_at = TimestampField(null=True)
    completed_at = TimestampField(null=True)
    last_event_at = TimestampField(null=True)

    # Since when the job is known to be over, or never to have been (G380).
    job_over_at = TimestampField(null=True)

    # The machine of `pid`, with `boot_id`; and since when its monitor is asked to end the job (G383).
    job_host = CharField(max_length=255, null=True)
    pid_namespace = BigIntegerField(null=True)
    cancel_delegated_at = TimestampField(null=True)

    # The run whose choices it took (G714), and how often it went on after its end, the last time when (G711).
    started_from = ForeignKeyField("self", null=True, on_delete="SET NULL")
    resumed_count = IntegerField(default=0)
    resumed_at = TimestampField(null=True)

    # A run of a machine: on which one, what it takes there, and since when and where it waits (G716, G717).
    queue_host = CharField(max_length=255, null=True)
    needed_cores = IntegerField(null=True)
    needed_memory_gb = IntegerField(null=True)
    waiting_since = TimestampField(null=True)
    waiting_by = ForeignKeyField(User, null=True, on_delete="SET NULL", index=False)
    weblog_address = TextField(null=True)
    queue_position = IntegerField(null=True)
    queue_reason = TextField(null=True)

    # The sequencing run that it works on, no foreign key: the tables of sequencing refer to this one (G986).
    sequencing_run_id = CharField(max_length=64, null=True)

    if TYPE_CHECKING:
        study_id: OptionalKey
        order_id: OptionalKey
        user_id: Key
        visible_to_id: OptionalKey
        started_from_id: OptionalKey
        waiting_by_id: OptionalKey

    class Meta:
        """One index per filter of the run list, each in the order of its page."""

        constraints = (Check("study_id IS NULL OR order_id IS NULL"),)
        indexes = (
            (("created_at", "id"), False),
            (("status", "created_at", "id"), False),
            (("pipeline_id", "status", "created_at", "id"), False),
            (("pipeline_id", "created_at", "id"), False),
            (("order", "created_at", "id"), False),
            (("study", "created_at", "id"), False),
        )


PipelineRun.add_index(
    PipelineRun.visible_to,
    PipelineRun.created_at,
    PipelineRun.id,
    where=PipelineRun.visible_to.is_null(False),
    name="pipeline_runs_visible_to",
)
PipelineRun.add_index(
    PipelineRun.created_at,
    PipelineRun.id,
    where=PipelineRun.visible_to.is_null(False),
    name="pipeline_runs_selected",
)
# The jobs that are watched: it holds the active runs and the few whose job outlives them.
PipelineRun.add_index(
    PipelineRun.id,
    where=PipelineRun.job_over_at.is_null(),
    name="pipeline_runs_job_not_over",
)
PipelineRun.add_index(
    PipelineRun.queue_host,
    PipelineRun.waiting_since,
    PipelineRun.id,
    where=PipelineRun.waiting_since.is_null(False) & PipelineRun.launch_claimed_at.is_null(),
    name="pipeline_runs_waiting",
)


class RunQueue(Table):
    """The queue of one machine; whoever adds to it or takes from it holds its row. Decision: G717."""

    host = CharField(max_length=255, primary_key=True)
    moved_at = TimestampField(default=system_now)


class PipelineRunStep(Entity):
    """One step of the definition, as far as this run has come. Decision: G160, G174."""

    pipeline_run = ForeignKeyField(PipelineRun, on_delete="CASCADE", index=False)
    step_id = CharField(max_length=255)
    name = CharField()
    position = IntegerField()
    status = EnumField(StepStatus, default=StepStatus.PENDING)
    attempt = IntegerField(default=1)  # nothing has read or moved it since G392
    started_at = TimestampField(null=True)
    # When the last of its tasks ended; null while a task is open (G392).
    completed_at = TimestampField(null=True)

    if TYPE_CHECKING:
        pipeline_run_id: Key

    class Meta:
        """One row per step, listed in the order of the definition."""

        indexes = ((("pipeline_run", "step_id"), True), (("pipeline_run", "position"), False))


class PipelineRunEvent(Entity):
    """One event in the feed of a run. Spec: instance, PipelineRunEvent. Decision: G177, G178.

    `identity` is a digest of what makes two events the same; the feed is short and pruned.
    """

    pipeline_run = ForeignKeyField(PipelineRun, on_delete="CASCADE", index=False)
    event_type = CharField(max_length=100)
    process_name = TextField(null=True)
    step_id = CharField(max_length=255, null=True)
    status = TextField(null=True)
    message = CharField(max_length=500, null=True)
    payload = JsonField(dict[str, object], null=True)
    source = EnumField(EventSource)
    identity = CharField(max_length=64)
    occurred_at = TimestampField()
    received_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        pipeline_run_id: Key

    class Meta:
        """Finding a duplicate, and reading or pruning the newest."""

        indexes = (
            (("pipeline_run", "identity", "occurred_at"), False),
            (("pipeline_run", "occurred_at", "id"), False),
        )


class PipelineRunTask(Entity):
    """One attempt of one task, kept as long as the run. Decision: G161.

    `identity` is a digest of the process, the engine's id of the task and the attempt, `task_identity` one of
    process and tag, which the attempts of a task share. The texts come from workflow engines and have no
    length that an index could rely on; a digest has. `log_files` names the logs of the tool, as JSON and seen
    from the work folder; `revision` is that of the run's tasks when this one changed last.

    Decision: G727, G728.
    """

    pipeline_run = ForeignKeyField(PipelineRun, on_delete="CASCADE", index=False)
    identity = CharField(max_length=64)
    task_identity = CharField(max_length=64)
    process = TextField()
    attempt = IntegerField(default=1)
    task_id = TextField(null=True)
    hash = TextField(null=True)
    tag = TextField(null=True)
    name = TextField(null=True)
    status = TextField()
    exit = IntegerField(null=True)
    submitted_at = TimestampField(null=True)
    started_at = TimestampField(null=True)
    completed_at = TimestampField(null=True)
    duration_ms = BigIntegerField(null=True)
    cpu_percent = DoubleField(null=True)
    peak_rss_bytes = BigIntegerField(null=True)
    log_files = TextField(null=True)
    revision = IntegerField(default=0)
    # How often the run had been resumed when it began (G711).
    launch = IntegerField(default=0)

    if TYPE_CHECKING:
        pipeline_run_id: Key

    class Meta:
        """One row per attempt; listed by submission, or by what has changed."""

        indexes = (
            (("pipeline_run", "identity"), True),
            (("pipeline_run", "task_identity"), False),
            (("pipeline_run", "submitted_at", "id"), False),
            (("pipeline_run", "status", "submitted_at", "id"), False),
            (("pipeline_run", "revision", "id"), False),
        )


class PipelineRunTaskCount(Entity):
    """The tasks of one process, counted as they are reported: counting 200,000 again takes too long.

    `identity` is a digest of the name. `tasks` counts each task once, `good_tasks` those that ended well,
    `attempts` all attempts by number and status. `revision` grows with every change of one of them, and is
    larger than any that the run had before. Decision: G161, G347, G391, G727.
    """

    pipeline_run = ForeignKeyField(PipelineRun, on_delete="CASCADE", index=False)
    identity = CharField(max_length=64)
    process = TextField()
    tasks = IntegerField(default=0)
    good_tasks = IntegerField(default=0)
    attempts = JsonField(dict[str, int], default=dict)
    revision = IntegerField(default=0)

    if TYPE_CHECKING:
        pipeline_run_id: Key

    class Meta:
        """One row per process."""

        indexes = ((("pipeline_run", "identity"), True),)
