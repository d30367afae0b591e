"""The health of an installation in sentences: the state of each part, since when, and what to do about it.

Pure decisions from what was observed. What was not observed is unknown, never well.

Decision: G1032.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from seqfacility_wire.plurals import counted

from seqfacility_instance.core.vocabulary.site import ProcessName
from seqfacility_instance.site.engine_versions import SchedulerSighting

if TYPE_CHECKING:
    from seqfacility_instance.site.health import FolderState, HealthReport, Heartbeat

BACKUP_EVERY: Final = timedelta(hours=26)
"""A day, and the time that a backup takes."""

_SETTINGS: Final = "/facility/settings?section="
_PROCESS_TEXT: Final = {
    ProcessName.MONITOR_RUNS: ("It watches runs.", "runs are neither started nor watched"),
    ProcessName.MONITOR_STREAMS: ("It watches sequencers.", "no sequencer is watched"),
    ProcessName.WORKER: ("It works.", "nothing is verified, sent or removed"),
}
"""By process: its state while it runs, and what does not happen while it does not."""


class Severity(StrEnum):
    """How bad a finding is, in the order in which findings are shown."""

    BAD = "bad"
    WARN = "warn"
    UNKNOWN = "unknown"
    OK = "ok"


@dataclass(frozen=True, slots=True)
class Finding:
    """The state of one part; `at` is when it was observed, `page` is where it can be fixed."""

    about: str
    label: str
    severity: Severity
    state: str
    advice: str | None = None
    at: datetime | None = None
    page: str | None = None


@dataclass(frozen=True, slots=True)
class HealthFacts:
    """The inputs of the findings beside the report itself."""

    now: datetime
    min_free_bytes: int
    streams_enabled: bool
    default_backend: str
    scheduler: SchedulerSighting | None
    """What the worker saw of the default scheduler; None when runs execute on this machine."""
    polls_registry: bool
    backup_at: datetime | None
    mail_is_wanted: bool
    mail_is_complete: bool
    failed_mails: int
    retrying_mails: int
    """Mails that wait for another attempt after a failed one."""
    failing_webhooks: Sequence[datetime]
    """Since when each failing webhook has failed."""
    audit_is_broken: bool
    audit_verified_at: datetime | None
    audit_head_is_noted: bool


def findings(report: "HealthReport", facts: HealthFacts) -> list[Finding]:
    """Return the findings about every part, the worst first. Decision: G1032, G1092."""
    everything = [
        *_storage(report, facts),
        _database(report),
        *(_process(beat) for beat in report.heartbeats),
        _scheduler(report, facts),
        *_engines(report),
        _jobs(report),
        _backup(facts),
        *_registry(report, facts),
        *_mail(facts),
        _webhooks(facts),
        *_audit(facts),
    ]
    order = list(Severity)
    return sorted(everything, key=lambda finding: order.index(finding.severity))


def _storage(report: "HealthReport", facts: HealthFacts) -> Iterator[Finding]:
    for refused in report.refused_folders:
        advice = "It counts as not set. Name another folder."
        yield Finding("storage", "Folders", Severity.BAD, f"{refused}.", advice, page=f"{_SETTINGS}storage")
    folders = report.folders
    yield _folder("storage", "Data folder", folders.storage, Severity.BAD, f"{_SETTINGS}storage")
    yield _folder("runs", "Folder of runs", folders.runs, Severity.WARN, f"{_SETTINGS}execution")
    if facts.streams_enabled:
        page = f"{_SETTINGS}streamIngest"
        yield _folder("streams", "Folder of the sequencer", folders.streams, Severity.WARN, page, reads=True)
    free = folders.storage.free_bytes()
    if free is None:
        yield Finding(
            "space", "Free space", Severity.UNKNOWN, "Nobody knows while the data folder is missing."
        )
    elif free < max(facts.min_free_bytes, 1):
        yield Finding(
            "space",
            "Free space",
            Severity.BAD,
            f"{_size(free)} are free, and {_size(facts.min_free_bytes)} are to be kept free:"
            " uploads and runs are refused.",
            "Delete runs and reads that nobody needs, or make the disk larger.",
            page=f"{_SETTINGS}storage",
        )
    else:
        yield Finding("space", "Free space", Severity.OK, f"{_size(free)} are free.")


def _folder(
    about: str, label: str, folder: "FolderState", bad: Severity, page: str, *, reads: bool = False
) -> Finding:
    if folder.path is None:
        return Finding(about, label, bad, "It is not set.", "Name a folder of the server.", page=page)
    if not folder.is_there():
        advice = "Mount the disk or make the folder, or name another one."
        return Finding(about, label, bad, "It is set, and does not exist.", advice, page=page)
    if not reads and not folder.is_writable():
        advice = "Make it belong to the user of the service, or name another one."
        return Finding(about, label, bad, "The service may not write there.", advice, page=page)
    return Finding(about, label, Severity.OK, "It is there.")


def _database(report: "HealthReport") -> Finding:
    label = "PostgreSQL" if report.engine.value == "postgresql" else "SQLite"
    size = "" if report.database_bytes is None else f" and takes {_size(report.database_bytes)}"
    return Finding("database", "Database", Severity.OK, f"{label} answers{size}.")


def _process(beat: "Heartbeat") -> Finding:
    about, label = beat.name.value, f"Process {beat.name.value}"
    well, missing = _PROCESS_TEXT[beat.name]
    if beat.is_alive:
        return Finding(about, label, Severity.OK, well, at=beat.last_at)
    advice = f"Start it on the server: seqfacility {beat.name.value}, or seqfacility up for all."
    state = f"It {'was never seen' if beat.last_at is None else 'is silent'}: {missing}."
    return Finding(about, label, Severity.BAD, state, advice, beat.last_at)


def _scheduler(report: "HealthReport", facts: HealthFacts) -> Finding:
    about, label, page = "scheduler", "Scheduler", f"{_SETTINGS}execution"
    name, seen = facts.default_backend, facts.scheduler
    if seen is None:
        return Finding(about, label, Severity.OK, "Runs work on this machine; none is needed.")
    if not report.schedulers.get(name):
        state = f"Runs go to {name}, and its client is not found."
        advice = "Install the client on this machine, or send runs elsewhere."
        return Finding(about, label, Severity.BAD, state, advice, page=page)
    if seen.checked_at is None:
        return Finding(about, label, Severity.UNKNOWN, f"Runs go to {name}. The worker has not asked it yet.")
    if seen.fault is not None:
        state = f"Runs go to {name}, and it takes none."
        advice = "Look at it on the server: seqfacility check-setup says what is wrong."
        return Finding(about, label, Severity.BAD, state, advice, seen.checked_at, page)
    return Finding(about, label, Severity.OK, f"Runs go to {name}, and it answers.", at=seen.checked_at)


def _engines(report: "HealthReport") -> Iterator[Finding]:
    for engine, seen in report.engines.items():
        label = f"Workflow engine {engine.value}"
        if seen.version is not None:
            state = f"Version {seen.version} {'is installed' if seen.checked_at is None else 'answers'}."
            yield Finding(engine.value, label, Severity.OK, state, at=seen.checked_at)
        elif seen.checked_at is None:
            yield Finding(engine.value, label, Severity.UNKNOWN, "The worker has not asked it yet.")
        else:
            state, advice = "It gives no version.", "Install it, if pipelines of yours need it."
            page = f"{_SETTINGS}execution"
            yield Finding(engine.value, label, Severity.WARN, state, advice, seen.checked_at, page)


def _jobs(report: "HealthReport") -> Finding:
    if report.failed_jobs:
        state = f"{counted(report.failed_jobs, 'job of the worker was', 'jobs of the worker were')} given up."
        return Finding("jobs", "Background jobs", Severity.WARN, state, "The log of the worker says why.")
    waiting = counted(report.waiting_jobs, "waits", "wait")
    return Finding("jobs", "Background jobs", Severity.OK, f"{waiting}, none was given up.")


def _backup(facts: HealthFacts) -> Finding:
    at = facts.backup_at
    if at is None:
        advice = "Run seqfacility backup on the server every day."
        return Finding("backup", "Backup", Severity.WARN, "None is known.", advice)
    if timedelta(0) <= facts.now - at <= BACKUP_EVERY:
        return Finding("backup", "Backup", Severity.OK, "It is not older than a day.", at=at)
    advice = "Look at what should make it every day on the server."
    return Finding("backup", "Backup", Severity.WARN, "The last one is older than a day.", advice, at)


def _registry(report: "HealthReport", facts: HealthFacts) -> Iterator[Finding]:
    seen, label, page = report.registry, "Registry", "/facility/registry"
    for notice in seen.notices:
        about = f"{notice.pipeline_id} {notice.version}"
        state = " ".join(notice.warnings)
        where = f"/facility/pipelines/{notice.pipeline_id}"
        yield Finding("notice", f"Pipeline {about}", Severity.WARN, state, notice.action, page=where)
    for warning in seen.warnings:
        advice = "Ask whoever runs the registry."
        yield Finding("registry", label, Severity.WARN, f"{warning}.", advice, seen.polled_at, page)
    if seen.error is not None:
        advice = "Look at the page of the registry."
        yield Finding("registry", label, Severity.WARN, seen.error, advice, seen.polled_at, page)
    elif seen.polled_at is not None:
        yield Finding("registry", label, Severity.OK, "It was read.", at=seen.polled_at, page=page)
    elif facts.polls_registry:
        state = "The worker has not asked it yet."
        yield Finding("registry", label, Severity.UNKNOWN, state, page=page)
    else:
        state = "Nobody asks it by itself: what was withdrawn is not noticed."
        yield Finding("registry", label, Severity.UNKNOWN, state, page=f"{_SETTINGS}registry")


def _mail(facts: HealthFacts) -> Iterator[Finding]:
    page = f"{_SETTINGS}mail"
    if facts.failed_mails:
        state = f"{counted(facts.failed_mails, 'mail')} could not be sent."
        yield Finding(
            "mail", "Mail", Severity.WARN, state, "Read why, and send them again.", page="/facility/mail"
        )
    elif facts.mail_is_wanted and not facts.mail_is_complete:
        advice = "Set server, From and the public address of the service."
        yield Finding(
            "mail", "Mail", Severity.BAD, "It is set up in part, and none is sent.", advice, page=page
        )
    elif facts.mail_is_wanted and facts.retrying_mails:
        refused = counted(facts.retrying_mails, "mail was", "mails were")
        state = f"{refused} not taken by the server and will be sent again."
        yield Finding("mail", "Mail", Severity.WARN, state, "Send a test mail to see why.", page=page)
    elif facts.mail_is_wanted:
        yield Finding("mail", "Mail", Severity.OK, "None waits for another try.", page="/facility/mail")
    else:
        yield Finding(
            "mail", "Mail", Severity.OK, "It is not set up: people see news when they sign in.", page=page
        )


def _webhooks(facts: HealthFacts) -> Finding:
    page = "/facility/webhooks"
    if not facts.failing_webhooks:
        return Finding("webhooks", "Webhooks", Severity.OK, "None fails.", page=page)
    state = f"{counted(len(facts.failing_webhooks), 'does', 'do')} not arrive."
    advice = "Read what the receiver answers."
    return Finding("webhooks", "Webhooks", Severity.WARN, state, advice, min(facts.failing_webhooks), page)


def _audit(facts: HealthFacts) -> Iterator[Finding]:
    page, at = "/facility/audit", facts.audit_verified_at
    if facts.audit_is_broken:
        state, advice = (
            "Rows were changed or removed.",
            "Compare with a backup on the server: seqfacility audit verify.",
        )
        yield Finding("audit", "Audit trail", Severity.BAD, state, advice, at, page)
    elif at is None:
        yield Finding(
            "audit", "Audit trail", Severity.UNKNOWN, "The worker has not verified it yet.", page=page
        )
    else:
        yield Finding(
            "audit", "Audit trail", Severity.OK, "Each row is unchanged and in its place.", at=at, page=page
        )
    heads = f"{_SETTINGS}audit"
    if facts.audit_head_is_noted:
        yield Finding(
            "heads", "Heads of the audit trail", Severity.OK, "They are noted elsewhere.", page=heads
        )
    else:
        state = "Only backups hold them: an end that was cut off since the last one goes unnoticed."
        advice = "Name a file on another machine, or a syslog server."
        yield Finding("heads", "Heads of the audit trail", Severity.OK, state, advice, page=heads)


def _size(size: int) -> str:
    return f"{size / 10**9:.1f} GB" if size >= 10**8 else f"{size / 10**6:.1f} MB"
