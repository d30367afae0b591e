"""Closed sets of the service itself: modules, settings, set-up, processes and jobs.

Decision: G38. Spec: instance, Instance metadata.
"""

from enum import StrEnum


class ModuleId(StrEnum):
    AI_VALIDATION = "ai-validation"
    MIXS_METADATA = "mixs-metadata"
    ACCOUNT_VALIDATION = "account-validation"
    FUNDING_INFO = "funding-info"
    BILLING_INFO = "billing-info"
    ENA_SAMPLE_FIELDS = "ena-sample-fields"
    DYNAMIC_STUDIES = "dynamic-studies"
    NOTIFICATIONS = "notifications"


class SettingsSection(StrEnum):
    """The sections that an admin can change. Decision: G41."""

    ACCESS = "access"
    STORAGE = "storage"
    UPLOADS = "uploads"
    EXECUTION = "execution"
    STREAM_INGEST = "streamIngest"
    MAIL = "mail"


class SetupPhase(StrEnum):
    READY = "ready"
    DATABASE_UNREACHABLE = "database-unreachable"
    SCHEMA_MISSING = "schema-missing"
    SCHEMA_OUTDATED = "schema-outdated"
    SEED_MISSING = "seed-missing"
    SEED_FAILED = "seed-failed"
    ADMIN_MISSING = "admin-missing"
    UNKNOWN_ERROR = "unknown-error"


class SetupStep(StrEnum):
    DATABASE = "database"
    SCHEMA = "schema"
    SEED = "seed"
    LOGIN = "login"


class SetupStepStatus(StrEnum):
    COMPLETE = "complete"
    ACTIVE = "active"
    PENDING = "pending"
    ERROR = "error"


class BootstrapOutcome(StrEnum):
    CREATED = "created"
    EXISTING = "existing"
    SKIPPED = "skipped"
    FAILED = "failed"


class DatabaseEngine(StrEnum):
    SQLITE = "sqlite"
    POSTGRESQL = "postgresql"


class DatabaseHosting(StrEnum):
    LOCAL = "local"
    REMOTE = "remote"


class ProcessName(StrEnum):
    """The long-running processes that leave a heartbeat. Decision: G49."""

    MONITOR_RUNS = "monitor-runs"
    MONITOR_STREAMS = "monitor-streams"
    WORKER = "worker"


class JobStatus(StrEnum):
    """The state of a background job. Decision: G49, G262."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
