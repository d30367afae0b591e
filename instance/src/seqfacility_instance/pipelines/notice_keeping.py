"""Keeping what a registry says against installed versions, and telling the admins once."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from seqfacility_instance.access import audit
from seqfacility_instance.core.vocabulary.mail import MailKind
from seqfacility_instance.core.vocabulary.messages import NotificationType
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import PackageOrigin
from seqfacility_instance.mail.outbox import tell_admins
from seqfacility_instance.notifications.store import notify_admins
from seqfacility_instance.pipelines import store
from seqfacility_instance.pipelines.notices import (
    Notices,
    Publication,
    advice_of,
    kept_notices,
    notices_in,
    other_package,
)
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.pipelines import PipelinePackage


def learn(entries: Iterable[Mapping[str, object]], publication: Publication, now: datetime) -> None:
    """Keep what a registry says against installed versions, note it, and tell the admins what is new.

    Neither a shorter mirror, nor an older one without signatures, nor a registry that is away takes a warning
    back. Packages from a repository are not the registry's, whatever they are called.

    Decision: G932, G933, G925.
    """
    found = {str(entry.get("id")): entry for entry in entries}
    news = []
    for row in store.list_installed():
        entry = found.get(row.pipeline_id)
        if entry is None or row.origin is PackageOrigin.REPOSITORY:
            continue
        current = notices_in(entry, row, publication)
        if current != kept_notices(row):
            news.append((row, current))
    if not news:
        return  # WHY: a reader of the store that learns nothing waits for no writer
    with database.atomic():
        # WHY: first, so that a poll and a visit of the store lock the same rows in the same order.
        store.forget_index_tag()
        for row, current in news:
            _store_notices(row, current, publication, now)


def _store_notices(row: PipelinePackage, current: Notices, publication: Publication, now: datetime) -> None:
    # WHY: a date that is to come would keep every later publication from taking anything back.
    noticed_on = min(filter(None, (publication.published, now.date().isoformat())))
    if not store.claim_notices(row, current, noticed_on, now):
        return
    detail: dict[str, object] = {
        "version": row.version,
        "yankReason": current.yank_reason,
        "advisories": current.advisory_ids,
    }
    if current.other_sha256 is not None:
        detail["otherSha256"] = current.other_sha256
    audit.write(None, None, AuditAction.PIPELINE_NOTICED, "pipeline", row.pipeline_id, now, detail)
    news = list(_changes_in_words(kept_notices(row), current))
    for text in news:
        title = f"Pipeline {row.pipeline_id} {row.version}{text}"
        notify_admins(NotificationType.PIPELINE_NOTICE, title, now)
    if news:
        facts = {"pipelineId": row.pipeline_id, "version": row.version}
        tell_admins(MailKind.PIPELINE_NOTICE, now, facts, f"{row.id}:{now.isoformat()}")


def _changes_in_words(known: Notices, current: Notices) -> Iterator[str]:
    """Say what is new against a version, and what was taken back."""
    if current.yank_reason is not None and known.yank_reason is None:
        yield f" was withdrawn: {current.yank_reason}"
    if current.yank_reason is None and known.yank_reason is not None:
        yield " is no longer withdrawn"
    if current.other_sha256 not in {None, known.other_sha256}:
        yield f": {other_package(str(current.other_sha256))}"
    if current.other_sha256 is None and known.other_sha256 is not None:
        yield " is again the package that the registry signs"
    for advisory in current.advisories:
        if advisory["id"] not in known.advisory_ids:
            yield f": {advice_of(advisory)}"
    for name in known.advisory_ids:
        if name not in current.advisory_ids:
            yield f": advisory {name} was taken back"
