"""The queue of background jobs: enqueue, claim, finish, fail. Decision: G49."""

from datetime import datetime, timedelta

from peewee import Expression, IntegrityError

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.site import JobStatus
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.site import BackgroundJob


class JobRefused(Exception):  # never an answer: stands in the job's row
    """Work that another attempt would only refuse again; its text is for people."""


def enqueue(
    kind: str,
    payload: dict[str, object],
    now: datetime,
    dedupe_key: str | None = None,
    after: datetime | None = None,
) -> bool:
    """Queue a job; return False when the same job already waits or runs. Decision: G262.

    It runs in the caller's transaction, so that no job refers to what was rolled back.
    """
    try:
        # WHY: a savepoint: a refused insert would end the caller's transaction on PostgreSQL.
        with database.atomic():
            BackgroundJob.insert(
                kind=kind,
                payload=payload,
                dedupe_key=dedupe_key,
                run_after=after or now,
                created_at=now,
                updated_at=now,
            ).execute()
    except IntegrityError:
        return False
    return True


def claim_next(holder: str, kinds: list[str], now: datetime) -> BackgroundJob | None:
    """Claim the next due job for `holder`; a job whose lease has expired counts as waiting.

    One whose worker died in each attempt is given up: it may be what kills them.

    Decision: G264, G436.
    """
    due = (BackgroundJob.status == JobStatus.WAITING) & (BackgroundJob.run_after <= now)
    orphaned = (BackgroundJob.status == JobStatus.RUNNING) & (BackgroundJob.leased_until < now)
    candidates = (
        BackgroundJob.select()
        .where(BackgroundJob.kind.in_(kinds) & (due | orphaned))
        .order_by(BackgroundJob.run_after, BackgroundJob.id)
        .limit(10)
    )
    for job in candidates:
        if job.attempts >= limits.JOB_MAX_ATTEMPTS:
            _fail_abandoned(job, now)
        elif _claim(job, holder, now):
            return job
    return None


def _fail_abandoned(job: BackgroundJob, now: datetime) -> None:
    BackgroundJob.update(
        status=JobStatus.FAILED,
        last_error=f"The worker ended in each of {job.attempts} attempts",
        leased_until=None,
        finished_at=now,
        updated_at=now,
    ).where(_is_as_read(job)).execute()


def _claim(job: BackgroundJob, holder: str, now: datetime) -> bool:
    changed: int = (
        BackgroundJob.update(
            status=JobStatus.RUNNING,
            lease_holder=holder,
            leased_until=now + limits.JOB_LEASE,
            attempts=job.attempts + 1,
            updated_at=now,
        )
        .where(_is_as_read(job))
        .execute()
    )
    job.attempts += changed
    return changed == 1


def _is_as_read(job: BackgroundJob) -> Expression:
    # WHY: of several workers that read the same row, only one update finds it unchanged.
    return (
        (BackgroundJob.id == job.id)
        & (BackgroundJob.status == job.status)
        & (BackgroundJob.attempts == job.attempts)
        & (BackgroundJob.leased_until == job.leased_until)
    )


def renew(job_id: str, holder: str, now: datetime) -> bool:
    """Extend the lease of `holder`'s job; return False when it was lost. Decision: G264, G326."""
    changed: int = (
        BackgroundJob.update(leased_until=now + limits.JOB_LEASE)
        .where(
            (BackgroundJob.id == job_id)
            & (BackgroundJob.status == JobStatus.RUNNING)
            & (BackgroundJob.lease_holder == holder)
        )
        .execute()
    )
    return changed == 1


def finish(job_id: str, holder: str, now: datetime) -> bool:
    """Mark a job done; return False when the lease was lost."""
    changed: int = (
        BackgroundJob.update(status=JobStatus.DONE, leased_until=None, finished_at=now, updated_at=now)
        .where(
            (BackgroundJob.id == job_id)
            & (BackgroundJob.status == JobStatus.RUNNING)
            & (BackgroundJob.lease_holder == holder)
        )
        .execute()
    )
    return changed == 1


def fail(job: BackgroundJob, holder: str, error: str, now: datetime) -> None:
    """Record a failure: the job waits for another attempt, or stays failed after the last one."""
    is_last = job.attempts >= limits.JOB_MAX_ATTEMPTS
    BackgroundJob.update(
        status=JobStatus.FAILED if is_last else JobStatus.WAITING,
        run_after=now + timedelta(seconds=10 * 4**job.attempts),
        last_error=error[: limits.LONG_TEXT_MAX_CHARACTERS],
        leased_until=None,
        finished_at=now if is_last else None,
        updated_at=now,
    ).where((BackgroundJob.id == job.id) & (BackgroundJob.lease_holder == holder)).execute()


def note_progress(job: BackgroundJob) -> None:
    """Reset the attempts: a job that makes progress may be interrupted again and again. Decision: G333."""
    BackgroundJob.update(attempts=1).where(BackgroundJob.id == job.id).execute()
    job.attempts = 1


def fail_permanently(job: BackgroundJob, holder: str, error: str, now: datetime) -> None:
    """Record a failure that another attempt would only repeat. Decision: G333."""
    BackgroundJob.update(
        status=JobStatus.FAILED,
        last_error=error[: limits.LONG_TEXT_MAX_CHARACTERS],
        leased_until=None,
        finished_at=now,
        updated_at=now,
    ).where((BackgroundJob.id == job.id) & (BackgroundJob.lease_holder == holder)).execute()


def withdraw(kind: str, dedupe_key: str, now: datetime) -> bool:
    """Cancel an unfinished job; its worker loses the lease. Decision: G335."""
    changed: int = (
        BackgroundJob.update(
            status=JobStatus.DONE, lease_holder=None, leased_until=None, finished_at=now, updated_at=now
        )
        .where(
            (BackgroundJob.kind == kind)
            & (BackgroundJob.dedupe_key == dedupe_key)
            & BackgroundJob.status.in_([JobStatus.WAITING, JobStatus.RUNNING])
        )
        .execute()
    )
    return changed > 0


def longest_due(now: datetime) -> timedelta:
    """Return how long the oldest due job has waited; zero without one.

    Decision: G476.
    """
    oldest = (
        BackgroundJob.select(BackgroundJob.run_after)
        .where((BackgroundJob.status == JobStatus.WAITING) & (BackgroundJob.run_after <= now))
        .order_by(BackgroundJob.run_after, BackgroundJob.id)
        .first()
    )
    return timedelta() if oldest is None else now - oldest.run_after


def latest_by_key(kind: str) -> dict[str, BackgroundJob]:
    """Read the last job for each piece of work of one kind. Decision: G335."""
    jobs = BackgroundJob.select().where(BackgroundJob.kind == kind).order_by(BackgroundJob.id)
    return {job.dedupe_key: job for job in jobs if job.dedupe_key is not None}


def newest_with_prefix(kind: str, prefix: str) -> dict[str, BackgroundJob]:
    """Read the last job for each piece of work of one kind whose key begins so, unless it is done."""
    jobs = BackgroundJob.select().where(
        (BackgroundJob.kind == kind) & BackgroundJob.dedupe_key.startswith(prefix)
    )
    newest = {str(job.dedupe_key): job for job in jobs.order_by(BackgroundJob.id)}
    return {key: job for key, job in newest.items() if job.status is not JobStatus.DONE}


def count(status: JobStatus) -> int:
    return BackgroundJob.select().where(BackgroundJob.status == status).count()


def last_failure() -> str | None:
    """Return kind and error of the job that failed last; None without one. Decision: G485."""
    failed = BackgroundJob.select().where(BackgroundJob.status == JobStatus.FAILED)
    job = failed.order_by(BackgroundJob.finished_at.desc()).first()
    return None if job is None else f"{job.kind}: {' '.join((job.last_error or '').split())}"
