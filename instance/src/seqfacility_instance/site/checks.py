"""What `check-setup` says: a verdict and a sentence for each thing that an installation needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

from seqfacility_wire.plurals import counted
from seqfacility_workflow_runtime.executors.registry import SCHEDULERS

from seqfacility_instance.access.audit_verification import Verdict as AuditVerdict
from seqfacility_instance.core.vocabulary.pipelines import Engine
from seqfacility_instance.core.vocabulary.site import ProcessName, SetupStep, SetupStepStatus
from seqfacility_instance.site.engine_versions import EngineSighting
from seqfacility_instance.site.findings import BACKUP_EVERY
from seqfacility_instance.site.health import Folders, FolderState, Heartbeat
from seqfacility_instance.site.setup_status import Seen, error_of, next_action, phase_of, steps_of

CLOCK_WARNING: Final = timedelta(seconds=30)
CLOCK_FAILURE: Final = timedelta(minutes=5)
CERTIFICATE_WARNING_DAYS: Final = 14


class Verdict(StrEnum):
    OK = "ok"
    WARN = "warn"
    FAIL = "fail"
    UNKNOWN = "unknown"
    """Not checked yet. Only the service uses it: a command checks at once."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line."""

    verdict: Verdict
    text: str


def audit_check(verdict: AuditVerdict) -> Check:
    """Say whether the chain of the audit trail is whole. Decision: G864."""
    if verdict.is_intact:
        return Check(
            Verdict.OK,
            f"Audit trail: {counted(verdict.rows, 'row')}, each unchanged and in its place.",
        )
    return Check(
        Verdict.FAIL,
        f"Audit trail: broken: {verdict.finding}. Compare with a backup, and see docs/how_to/audit.md.",
    )


def setup_checks(seen: Seen, database: str | None = None) -> list[Check]:
    """Say of each step of the set-up how it stands, as the set-up status does.

    `database` is what to say of a database that answers, instead of the words of the status.

    Decision: G38, G262, G485.
    """
    phase = phase_of(seen)
    advice = next_action(phase) or {}
    checks = []
    for step in steps_of(phase):
        label = step["label"]
        if step["status"] == SetupStepStatus.COMPLETE:
            is_measured = step["id"] == SetupStep.DATABASE and database is not None
            checks.append(Check(Verdict.OK, f"{label}: {database if is_measured else step['description']}"))
        elif step["status"] == SetupStepStatus.PENDING:
            checks.append(Check(Verdict.WARN, f"{label}: cannot be looked at before the step above is done."))
        else:
            reason = seen.fault or error_of(phase) or "is missing or of another release."
            command = f" Run `{advice['command']}`." if "command" in advice else ""
            checks.append(Check(Verdict.FAIL, f"{label}: {reason}{command}"))
    return checks


def schema_check(unknown: Sequence[str]) -> list[Check]:
    """Warn of a database that a newer release has changed already; nothing when it has not."""
    if not unknown:
        return []
    text = f"Release: the database was changed by a newer release ({', '.join(unknown)}). Install that one."
    return [Check(Verdict.WARN, text)]


def key_check(fault: str | None, *, is_open_to_others: bool) -> Check:
    """Check that the key is that of this database, and only its owner's. Decision: G257, G408."""
    if fault is not None:
        return Check(Verdict.FAIL, f"Key: {fault}.")
    if is_open_to_others:
        return Check(Verdict.WARN, "Key: secret.key can be read by others. Run `chmod 600` on it.")
    return Check(Verdict.OK, "Key: secret.key is that of this database, and readable by its owner only.")


def identity_checks(faults: Sequence[str]) -> list[Check]:
    """Fail for a folder that belongs to another facility. Decision: G408."""
    return [Check(Verdict.FAIL, f"Facility: {fault}.") for fault in faults]


def private_checks(shared: Sequence[Path]) -> list[Check]:
    """Fail for each file of the database that group or others can read. Decision: G403."""
    return [
        Check(Verdict.FAIL, f"Database: {path} can be read by others. Run `chmod 600 {path}` as its owner.")
        for path in shared
    ]


def refused_folder_checks(refused: Sequence[str]) -> list[Check]:
    """Fail for each setting that names a folder which it may not name. Decision: G404."""
    text = "and counts as not set. Set another one on the settings page."
    return [Check(Verdict.FAIL, f"Folders: {reason}, {text}") for reason in refused]


def folder_checks(folders: Folders, min_free_bytes: int, *, streams_enabled: bool) -> list[Check]:
    """Check whether each folder is configured, there, writable, and has room. Decision: G44, G46, G47."""
    data, *space = storage_checks(folders.storage, min_free_bytes)
    checks = [data, _folder_check("Run folder", folders.runs, Verdict.WARN)]
    if streams_enabled:
        checks.append(_folder_check("Sequencer folder", folders.streams, Verdict.WARN, must_write=False))
    return [*checks, *space]


def storage_checks(folder: FolderState, min_free_bytes: int) -> list[Check]:
    """Check the data folder, and whether it has space for uploads. Decision: G44."""
    checks = [_folder_check("Data folder", folder, Verdict.FAIL)]
    space = folder.space()
    if space is not None:
        free, total = space
        if free < max(min_free_bytes, 1):
            text = f"{free} bytes are left, uploads stop below {min_free_bytes}. Make room."
            checks.append(Check(Verdict.WARN, f"Free space: {text}"))
        else:
            text = f"{free / 10**9:.1f} of {total / 10**9:.1f} GB are left."
            checks.append(Check(Verdict.OK, f"Free space: {text}"))
    return checks


def _folder_check(label: str, folder: FolderState, bad: Verdict, *, must_write: bool = True) -> Check:
    if folder.path is None:
        return Check(bad, f"{label}: is not configured. Set it on the settings page.")
    if not folder.is_there():
        return Check(bad, f"{label}: {folder.path} does not exist. Make it, or set another one.")
    if must_write and not folder.is_writable():
        return Check(bad, f"{label}: {folder.path} cannot be written by this user. Change its owner or mode.")
    return Check(Verdict.OK, f"{label}: {folder.path} is there.")


def password_check(has_generated: bool) -> Check:
    """Warn while an account still has the password that `init` made. Decision: G35."""
    if has_generated:
        return Check(Verdict.WARN, "Passwords: an account still has its generated password. Change it.")
    return Check(Verdict.OK, "Passwords: nobody has a generated one.")


def engine_checks(engines: Mapping[Engine, EngineSighting]) -> list[Check]:
    """Return which workflow engines answer. Decision: G46."""
    found = [f"{engine.value} {seen.version}" for engine, seen in engines.items() if seen.version]
    checks = [
        Check(Verdict.WARN, f"Workflow engines: {engine.value} is installed and gives no version. Run it.")
        for engine, seen in engines.items()
        if seen.is_found and seen.version is None
    ]
    checks += [
        Check(Verdict.OK, f"Workflow engines: {', '.join(found)}.")
        if found
        else Check(
            Verdict.WARN,
            "Workflow engines: none answers. `pip install seqfacility-instance[pipelines]` brings Snakemake.",
        )
    ]
    return checks


def scheduler_checks(missing: Mapping[str, str | None], default_backend: str) -> list[Check]:
    """Check whether each scheduler can be used, where runs go there; `missing` says what it lacks.

    Decision: G46, G514.
    """
    checks = []
    for name, lack in missing.items():
        label = SCHEDULERS[name].label
        if lack is None:
            checks.append(Check(Verdict.OK, f"{label}: its client is found."))
        elif name == default_backend:
            checks.append(Check(Verdict.FAIL, f"{label}: runs go there, but {lack}"))
    return checks


def process_checks(
    heartbeats: Sequence[Heartbeat], releases: Mapping[ProcessName, set[str]], installed: str
) -> list[Check]:
    """Return which of the long-running processes are alive, and whether all run the `installed` release.

    `releases` are those of all living processes of a name; one that notes none is of an older release.

    Decision: G49, G485.
    """
    return [
        _process_check(beat, releases.get(beat.name, set()) - {installed}, installed) for beat in heartbeats
    ]


def _process_check(beat: Heartbeat, others: set[str], installed: str) -> Check:
    name = f"Process {beat.name.value}"
    if not beat.is_alive:
        return Check(Verdict.WARN, f"{name}: is not running. Start it, or `seqfacility up`.")
    if others:
        text = f"release {', '.join(sorted(others))} is running, and {installed} is installed. Restart it."
        return Check(Verdict.WARN, f"{name}: {text}")
    return Check(Verdict.OK, f"{name}: is running.")


def job_check(failed: int, last_error: str | None) -> Check:
    """Warn of background jobs that were given up. Decision: G485."""
    if not failed:
        return Check(Verdict.OK, "Background jobs: none has failed.")
    text = f"{failed} failed for good; the newest: {last_error or 'the log of the worker tells more'}"
    return Check(Verdict.WARN, f"Background jobs: {text}")


def backup_check(note: Mapping[str, object] | None, made_at: datetime | None, now: datetime) -> Check:
    """Check that a backup was made within a day; `note` is what the last one left.

    Decision: G474, G485.
    """
    if note is None:
        return Check(Verdict.WARN, "Backup: no backup was ever made. Run `seqfacility backup` every day.")
    if made_at is None:
        return Check(Verdict.WARN, "Backup: last-backup.json cannot be read. Run `seqfacility backup`.")
    backup = f"{note.get('folder')} of {note.get('at')}"
    if timedelta(0) <= now - made_at <= BACKUP_EVERY:
        return Check(Verdict.OK, f"Backup: the last one is {backup}.")
    text = f"the last one is {backup}, not of the last 26 hours. Look at what should make it every day."
    return Check(Verdict.WARN, f"Backup: {text}")


def clock_check(whose: str, theirs: datetime, ours: datetime) -> Check:
    """Hold the clock of this machine against another one. Decision: G485."""
    ahead = ours - theirs
    seconds = abs(round(ahead.total_seconds()))
    if abs(ahead) <= CLOCK_WARNING:
        return Check(Verdict.OK, f"Clock: it agrees with that of {whose}.")
    direction = "ahead of" if ahead > timedelta(0) else "behind"
    text = f"it is {counted(seconds, 'second')} {direction} that of {whose}. Let NTP set both."
    return Check(Verdict.FAIL if abs(ahead) > CLOCK_FAILURE else Verdict.WARN, f"Clock: {text}")


def dated_clock_checks(whose: str, date: str | None, ours: datetime) -> list[Check]:
    """Hold the clock of this machine against the `Date` of an answer; nothing when there is none."""
    try:
        theirs = parsedate_to_datetime(date or "")
    except ValueError:
        return []
    aware = theirs if theirs.tzinfo else theirs.replace(tzinfo=UTC)
    return [clock_check(whose, aware, ours)]


def certificate_check(ends_at: datetime, now: datetime) -> Check:
    """Say for how many days a certificate is valid. Decision: G485."""
    days = (ends_at - now) // timedelta(days=1)
    if days < 0:
        return Check(Verdict.FAIL, f"Certificate: it ended {ends_at:%Y-%m-%d}. Renew it.")
    if days < CERTIFICATE_WARNING_DAYS:
        text = f"it ends in {counted(days, 'day')}. Renew it, and look at what should do so by itself."
        return Check(Verdict.WARN, f"Certificate: {text}")
    return Check(Verdict.OK, f"Certificate: it is valid for {counted(days, 'day')}.")
