"""Words on pipelines, their runs and their results."""

from enum import StrEnum


class Engine(StrEnum):
    """Decision: G128."""

    SNAKEMAKE = "snakemake"
    NEXTFLOW = "nextflow"


class Backend(StrEnum):
    """Where a run is executed. Decision: G147."""

    LOCAL = "local"
    SLURM = "slurm"


class ExecutionMode(StrEnum):
    """What a request may ask for. Spec: instance, PipelineRun."""

    DEFAULT = "default"
    LOCAL = "local"
    SLURM = "slurm"


class BackendOverride(StrEnum):
    """Mode of a pipeline in `execution.pipelineOverrides`. Decision: G46."""

    INHERIT = "inherit"
    LOCAL = "local"
    SLURM = "slurm"


class PackageOrigin(StrEnum):
    """Decision: G142, G336."""

    BUNDLED = "bundled"
    REGISTRY = "registry"
    REPOSITORY = "repository"


class DatabaseState(StrEnum):
    """Where a reference database stands. Decision: G335."""

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
    """Decision: G146."""

    ORDER = "order"
    STUDY = "study"


class RunStatus(StrEnum):
    """Spec: instance, PipelineRun."""

    PENDING = "pending"
    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class StepStatus(StrEnum):
    """Decision: G160."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    SKIPPED = "skipped"


class FailureKind(StrEnum):
    """Decision: G168."""

    VALIDATION = "validation"
    LAUNCH = "launch"
    EXIT = "exit"
    OUTPUTS = "outputs"
    SCHEDULER = "scheduler"
    ENGINE = "engine"
    INTERRUPTED = "interrupted"


class QueueSource(StrEnum):
    """Who told the queue status. Decision: G186."""

    LOCAL = "local"
    SQUEUE = "squeue"
    SACCT = "sacct"


class LogType(StrEnum):
    """Spec: instance, Pipeline runs."""

    OUTPUT = "output"
    ERROR = "error"


class EventSource(StrEnum):
    """Spec: instance, Event sources."""

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
    """Spec: instance, PipelineArtifact."""

    READS = "reads"
    ASSEMBLY = "assembly"
    BINS = "bins"
    QC_REPORT = "qc_report"
    ALIGNMENT = "alignment"


class CandidateStatus(StrEnum):
    """Spec: instance, Read candidates."""

    CANDIDATE = "candidate"
    PROMOTED = "promoted"


class ResultFileSource(StrEnum):
    """Decision: G159."""

    ARTIFACT = "artifact"
    TECHNICAL = "technical"
