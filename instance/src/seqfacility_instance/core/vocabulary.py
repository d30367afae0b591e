"""Every closed set of words of the API, one `StrEnum` each; the value is the word on the wire."""

from enum import StrEnum

# People


class Role(StrEnum):
    """Spec: instance, What the service does."""

    RESEARCHER = "RESEARCHER"
    FACILITY_ADMIN = "FACILITY_ADMIN"


class ResearcherRole(StrEnum):
    """Spec: instance, User."""

    PI = "PI"
    POSTDOC = "POSTDOC"
    PHD_STUDENT = "PHD_STUDENT"
    MASTER_STUDENT = "MASTER_STUDENT"
    TECHNICIAN = "TECHNICIAN"
    OTHER = "OTHER"


class DemoRole(StrEnum):
    """Gap: G245."""

    RESEARCHER = "researcher"
    ADMIN = "admin"


class AuditAction(StrEnum):
    """What is worth an audit row. Gap: G22."""

    SIGN_IN = "sign-in"
    SIGN_IN_FAILED = "sign-in-failed"
    SIGN_OUT = "sign-out"
    PASSWORD_CHANGED = "password-changed"  # noqa: S105  (a word, not a password)
    PASSWORD_RESET = "password-reset"  # noqa: S105  (the same)
    RESET_LINK_MADE = "reset-link-made"
    REGISTERED = "registered"
    USER_CHANGED = "user-changed"
    ROLE_CHANGED = "role-changed"
    INVITE_MADE = "invite-made"
    INVITE_USED = "invite-used"
    INVITE_DELETED = "invite-deleted"
    DEPARTMENT_SAVED = "department-saved"
    DEPARTMENT_DELETED = "department-deleted"
    SETTINGS_SAVED = "settings-saved"
    MODULES_SAVED = "modules-saved"
    FORM_SAVED = "form-saved"
    CHECKLISTS_UPDATED = "checklists-updated"
    CATALOG_SAVED = "catalog-saved"
    PUBLISHED = "published"
    UNPUBLISHED = "unpublished"
    DOWNLOADED = "downloaded"
    ORDER_STATUS_CHANGED = "order-status-changed"
    ORDER_DELETED = "order-deleted"
    SAMPLE_DELETED = "sample-deleted"
    STUDY_DELETED = "study-deleted"
    SEQUENCING_RUN_DELETED = "sequencing-run-deleted"
    FILE_DELETED = "file-deleted"
    READ_LINKED = "read-linked"
    READ_CHANGED = "read-changed"
    DATA_CLASS_CHANGED = "data-class-changed"
    ARTIFACT_CHANGED = "artifact-changed"
    UPLOAD_COMPLETED = "upload-completed"
    UPLOAD_CANCELLED = "upload-cancelled"
    RUN_CREATED = "run-created"
    RUN_STARTED = "run-started"
    RUN_CANCELLED = "run-cancelled"
    RUN_DELETED = "run-deleted"
    RUN_SELECTED = "run-selected"
    RUN_UNSELECTED = "run-unselected"
    READS_PROMOTED = "reads-promoted"
    PIPELINE_INSTALLED = "pipeline-installed"
    PIPELINE_REMOVED = "pipeline-removed"
    PIPELINE_CONFIGURED = "pipeline-configured"
    DATABASE_REQUESTED = "database-requested"
    DATABASE_REMOVED = "database-removed"
    STREAM_STARTED = "stream-started"
    STREAM_STOPPED = "stream-stopped"
    RUN_PLAN_IMPORTED = "run-plan-imported"
    PROFILE_APPLIED = "profile-applied"


# Site


class ModuleId(StrEnum):
    """Spec: instance, Instance metadata."""

    AI_VALIDATION = "ai-validation"
    MIXS_METADATA = "mixs-metadata"
    ACCOUNT_VALIDATION = "account-validation"
    FUNDING_INFO = "funding-info"
    BILLING_INFO = "billing-info"
    ENA_SAMPLE_FIELDS = "ena-sample-fields"
    DYNAMIC_STUDIES = "dynamic-studies"
    NOTIFICATIONS = "notifications"


class SettingsSection(StrEnum):
    """The sections that an admin can change. Gap: G41."""

    ACCESS = "access"
    STORAGE = "storage"
    UPLOADS = "uploads"
    EXECUTION = "execution"
    STREAM_INGEST = "streamIngest"


class SetupPhase(StrEnum):
    """Gap: G38."""

    READY = "ready"
    DATABASE_UNREACHABLE = "database-unreachable"
    SCHEMA_MISSING = "schema-missing"
    SCHEMA_OUTDATED = "schema-outdated"
    SEED_MISSING = "seed-missing"
    SEED_FAILED = "seed-failed"
    ADMIN_MISSING = "admin-missing"
    UNKNOWN_ERROR = "unknown-error"


class SetupStep(StrEnum):
    """Gap: G38."""

    DATABASE = "database"
    SCHEMA = "schema"
    SEED = "seed"
    LOGIN = "login"


class SetupStepStatus(StrEnum):
    """Gap: G38."""

    COMPLETE = "complete"
    ACTIVE = "active"
    PENDING = "pending"
    ERROR = "error"


class BootstrapOutcome(StrEnum):
    """Gap: G38."""

    CREATED = "created"
    EXISTING = "existing"
    SKIPPED = "skipped"
    FAILED = "failed"


class DatabaseEngine(StrEnum):
    """Gap: G38."""

    SQLITE = "sqlite"
    POSTGRESQL = "postgresql"


class DatabaseHosting(StrEnum):
    """Gap: G38."""

    LOCAL = "local"
    REMOTE = "remote"


class ProcessName(StrEnum):
    """The long-running processes that leave a heartbeat. Gap: G49."""

    MONITOR_RUNS = "monitor-runs"
    MONITOR_STREAMS = "monitor-streams"
    WORKER = "worker"


class JobStatus(StrEnum):
    """Where a background job stands. Gap: G49, G262."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


# Forms and checklists


class FieldType(StrEnum):
    """Gap: G50."""

    TEXT = "text"
    TEXTAREA = "textarea"
    SELECT = "select"
    MULTISELECT = "multiselect"
    CHECKBOX = "checkbox"
    NUMBER = "number"
    DATE = "date"
    BARCODE = "barcode"
    ORGANISM = "organism"
    MIXS = "mixs"
    FUNDING = "funding"
    BILLING = "billing"
    SEQUENCING_TECH = "sequencing-tech"


class FormSource(StrEnum):
    """Which study form applies. Gap: G61."""

    DEFAULT = "default"
    GLOBAL = "global"
    STUDY = "study"


class ChecklistFieldType(StrEnum):
    """Gap: G64."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    SELECT = "select"
    TAXON = "taxon"


class ChecklistLevel(StrEnum):
    """Gap: G64."""

    MANDATORY = "mandatory"
    RECOMMENDED = "recommended"
    OPTIONAL = "optional"


class ChecklistAction(StrEnum):
    """Gap: G70."""

    CHECK_UPDATES = "check-updates"
    APPLY_UPDATES = "apply-updates"
    SET_AVAILABLE = "set-available"


# Catalog


class CatalogAction(StrEnum):
    """Gap: G224."""

    CHECK_UPDATES = "check-updates"
    APPLY_UPDATES = "apply-updates"
    RESET = "reset"


class CatalogCollection(StrEnum):
    """Spec: registry, Catalog configuration."""

    TECHNOLOGIES = "technologies"
    DEVICES = "devices"
    FLOW_CELLS = "flowCells"
    KITS = "kits"
    SOFTWARE = "software"
    BARCODE_SCHEMES = "barcodeSchemes"
    BARCODE_SETS = "barcodeSets"


# Orders and studies


class OrderStatus(StrEnum):
    """Spec: instance, Order."""

    DRAFT = "DRAFT"
    SUBMITTED = "SUBMITTED"
    COMPLETED = "COMPLETED"


class NoteType(StrEnum):
    """Gap: G77."""

    STATUS_CHANGE = "STATUS_CHANGE"
    SAMPLES_SENT = "SAMPLES_SENT"
    INTERNAL = "INTERNAL"


class SubmissionType(StrEnum):
    """Spec: instance, Other stored entities."""

    STUDY = "STUDY"
    SAMPLE = "SAMPLE"
    READ = "READ"
    ASSEMBLY = "ASSEMBLY"
    BIN = "BIN"


class SubmissionStatus(StrEnum):
    """Spec: instance, Other stored entities."""

    PENDING = "PENDING"
    SUBMITTED = "SUBMITTED"
    PARTIAL = "PARTIAL"
    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"
    ERROR = "ERROR"
    CANCELLED = "CANCELLED"


class SubmissionEntity(StrEnum):
    """Spec: instance, Other stored entities."""

    STUDY = "study"
    SAMPLE = "sample"


# Sequencing data


class UploadStatus(StrEnum):
    """Spec: instance, SequencingUpload."""

    PENDING = "PENDING"
    UPLOADING = "UPLOADING"
    READY = "READY"
    COMPLETED = "COMPLETED"
    CANCELLED = "CANCELLED"


class UploadKind(StrEnum):
    """The `targetKind` of an upload. Gap: G92."""

    READ = "read"
    ARTIFACT = "artifact"


class Mate(StrEnum):
    """Spec: instance, Sequencing uploads."""

    R1 = "R1"
    R2 = "R2"


class ArtifactRole(StrEnum):
    """The `artifactType` of a SequencingArtifact. Gap: G92."""

    QC_REPORT = "qc_report"
    MULTIQC_REPORT = "multiqc_report"
    DEMUX_STATS = "demux_stats"
    SAMPLE_SHEET = "sample_sheet"
    DELIVERY_REPORT = "delivery_report"
    ATTACHMENT = "attachment"


class ArtifactStage(StrEnum):
    """Gap: G93."""

    SAMPLE_RECEIPT = "sample_receipt"
    SEQUENCING = "sequencing"
    RAW_READS = "raw_reads"
    QC = "qc"
    DELIVERY = "delivery"


class ArtifactVisibility(StrEnum):
    """Gap: G116."""

    FACILITY = "facility"
    CUSTOMER = "customer"


class ArtifactSource(StrEnum):
    """Gap: G116."""

    UPLOAD = "upload"
    PIPELINE = "pipeline"


class DataClass(StrEnum):
    """Gap: G110."""

    RAW = "raw"
    CLEANED = "cleaned"
    UNKNOWN = "unknown"


class ReadLayout(StrEnum):
    """Gap: G111."""

    SINGLE = "single"
    PAIRED = "paired"
    LONG = "long"


class ReadSource(StrEnum):
    """Gap: G112."""

    UPLOAD = "upload"
    LINK = "link"
    PIPELINE = "pipeline"
    STREAM = "stream"


class IntakeVerdict(StrEnum):
    """Gap: G107."""

    OK = "ok"
    PROBLEM = "problem"


# Pipelines, runs and results


class Engine(StrEnum):
    """Gap: G128."""

    SNAKEMAKE = "snakemake"
    NEXTFLOW = "nextflow"


class Backend(StrEnum):
    """Where a run is executed. Gap: G147."""

    LOCAL = "local"
    SLURM = "slurm"


class ExecutionMode(StrEnum):
    """What a request may ask for. Spec: instance, PipelineRun."""

    DEFAULT = "default"
    LOCAL = "local"
    SLURM = "slurm"


class BackendOverride(StrEnum):
    """Mode of a pipeline in `execution.pipelineOverrides`. Gap: G46."""

    INHERIT = "inherit"
    LOCAL = "local"
    SLURM = "slurm"


class PackageOrigin(StrEnum):
    """Gap: G142, G336."""

    BUNDLED = "bundled"
    REGISTRY = "registry"
    REPOSITORY = "repository"


class DatabaseState(StrEnum):
    """Where a reference database stands. Gap: G335."""

    MISSING = "missing"
    QUEUED = "queued"
    FETCHING = "fetching"
    READY = "ready"
    FAILED = "failed"


class VerifiedBy(StrEnum):
    """What a fetched file was held against: the strongest that its package declares. Gap: G334."""

    SHA256 = "sha256"
    MD5 = "md5"
    SIZE = "size"
    NOTHING = "nothing"


class TargetType(StrEnum):
    """Gap: G146."""

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
    """Gap: G160."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    SKIPPED = "skipped"


class FailureKind(StrEnum):
    """Gap: G168."""

    VALIDATION = "validation"
    LAUNCH = "launch"
    EXIT = "exit"
    OUTPUTS = "outputs"
    SCHEDULER = "scheduler"
    ENGINE = "engine"
    INTERRUPTED = "interrupted"


class QueueSource(StrEnum):
    """Who told the queue status. Gap: G186."""

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
    """What a weblog event name means to a run; never on the wire. Gap: G173."""

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
    """Gap: G159."""

    ARTIFACT = "artifact"
    TECHNICAL = "technical"


# Live streams


class StreamStatus(StrEnum):
    """Spec: instance, Stream run."""

    ACTIVE = "ACTIVE"
    STOPPING = "STOPPING"
    STOPPED = "STOPPED"


class StreamEventKind(StrEnum):
    """Gap: G213."""

    RUN_STARTED = "RUN_STARTED"
    RUN_STOP_REQUESTED = "RUN_STOP_REQUESTED"
    RUN_STOPPED = "RUN_STOPPED"
    FILE_INGESTED = "FILE_INGESTED"
    BARCODE_MAP_WARNING = "BARCODE_MAP_WARNING"
    BARCODE_MAP_CHANGED = "BARCODE_MAP_CHANGED"
    BARCODE_UNMAPPED = "BARCODE_UNMAPPED"
    RUN_STALLED = "RUN_STALLED"
    RUN_FINISHED_HINT = "RUN_FINISHED_HINT"
    READ_CREATED = "READ_CREATED"
    ERROR = "ERROR"


# Messages


class TicketStatus(StrEnum):
    """Gap: G250."""

    OPEN = "OPEN"
    IN_PROGRESS = "IN_PROGRESS"
    RESOLVED = "RESOLVED"
    CLOSED = "CLOSED"


class NotificationType(StrEnum):
    """Gap: G319."""

    ORDER_STATUS = "order-status"
    DELIVERY_PUBLISHED = "delivery-published"
    TICKET_REPLY = "ticket-reply"
    RUN_SELECTED = "run-selected"


class TicketPriority(StrEnum):
    """Gap: G250."""

    LOW = "LOW"
    NORMAL = "NORMAL"
    HIGH = "HIGH"
    URGENT = "URGENT"
