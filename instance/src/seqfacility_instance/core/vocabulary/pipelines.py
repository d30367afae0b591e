"""Closed sets of pipelines, their runs and their results.

Decision: G128, G142, G146, G159, G160, G168, G336. Spec: instance, Pipeline runs; instance, Event
sources; instance, PipelineArtifact; instance, Read candidates.
"""

from enum import StrEnum


class Engine(StrEnum):
    SNAKEMAKE = "snakemake"
    NEXTFLOW = "nextflow"


class Backend(StrEnum):
    """Where a run is executed: the names of the executors. Decision: G147, G514."""

    LOCAL = "local"
    SLURM = "slurm"
    GRIDENGINE = "gridengine"


class ExecutionMode(StrEnum):
    """What a request may ask for. Spec: instance, PipelineRun."""

    DEFAULT = "default"
    LOCAL = "local"
    SLURM = "slurm"
    GRIDENGINE = "gridengine"


class PackageOrigin(StrEnum):
    BUNDLED = "bundled"
    REGISTRY = "registry"
    REPOSITORY = "repository"


class DatabaseState(StrEnum):
    """The state of a reference database. Decision: G335."""

    MISSING = "missing"
    QUEUED = "queued"
    FETCHING = "fetching"
    READY = "ready"
    FAILED = "failed"


class VerifiedBy(StrEnum):
    """What a fetched file was held against: the strongest that its package declares. Decision: G334."""

    SHA256 = "sha256"
    MD5 = "md5"
    SIZE = "size"
    NOTHING = "nothing"


class TargetType(StrEnum):
    ORDER = "order"
    STUDY = "study"


class RunStatus(StrEnum):
    PENDING = "pending"
    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class StepStatus(StrEnum):
    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    SKIPPED = "skipped"


class FailureKind(StrEnum):
    VALIDATION = "validation"
    LAUNCH = "launch"
    EXIT = "exit"
    OUTPUTS = "outputs"
    SCHEDULER = "scheduler"
    ENGINE = "engine"
    INTERRUPTED = "interrupted"


class QueueSource(StrEnum):
    """The source of the queue status. Decision: G186."""

    LOCAL = "local"
    SQUEUE = "squeue"
    SACCT = "sacct"
    QSTAT = "qstat"
    QACCT = "qacct"


class LogType(StrEnum):
    OUTPUT = "output"
    ERROR = "error"


class EventSource(StrEnum):
    WEBLOG = "weblog"
    TRACE = "trace"
    QUEUE = "queue"
    PROCESS = "process"
    LAUNCHER = "launcher"


class EventClass(StrEnum):
    """What a weblog event name means to a run; never on the wire. Decision: G173."""

    PROCESS_FAILURE = "process failure"
    PROCESS_END = "process end"
    PROCESS_START = "process start"
    WORKFLOW_FAILURE = "workflow failure"
    WORKFLOW_END = "workflow end"
    WORKFLOW_START = "workflow start"
    UNCLASSIFIED = "unclassified"


class PipelineArtifactType(StrEnum):
    READS = "reads"
    ASSEMBLY = "assembly"
    BINS = "bins"
    QC_REPORT = "qc_report"
    ALIGNMENT = "alignment"


class CandidateStatus(StrEnum):
    CANDIDATE = "candidate"
    PROMOTED = "promoted"


class FilingState(StrEnum):
    """How far a sample is whose reads a run made of a sequencing run. Decision: G997."""

    OPEN = "open"
    QUEUED = "queued"
    FAILED = "failed"
    FILED = "filed"


class ResultFileSource(StrEnum):
    ARTIFACT = "artifact"
    TECHNICAL = "technical"
