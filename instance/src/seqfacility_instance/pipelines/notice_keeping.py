"""Keeping what a registry says against installed versions, and telling the admins once."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from seqfacility_instance.access import audit
from seqfacility_instance.core.vocabulary.messages import NotificationType
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import PackageOrigin
from seqfacility_instance.notifications.store import notify_admins
from seqfacility_instance.pipelines import store
from seqfacility_instance.pipelines.notices import Notices, advice_of, kept_notices, said_notices
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.pipelines import PipelinePackage


def learn(entries: Iterable[Mapping[str, object]], now: datetime) -> None:
    """Keep what a registry says against installed versions, note it, and tell the admins what is new.

    What is no longer listed keeps what was said last, so that neither a shorter mirror nor a registry that is
    away takes a warning back. Packages from a repository are not the registry's, whatever they are called.

    Decision: G932, G933.
    """
    found = {str(entry.get("id")): entry for entry in entries}
    news = []
    for row in store.list_installed():
        entry = found.get(row.pipeline_id)
        said = None if entry is None else said_notices(entry, row.version)
        is_ours = row.origin is not PackageOrigin.REPOSITORY
        if is_ours and said is not None and said != kept_notices(row):
            news.append((row, said))
    if not news:
        return  # WHY: a reader of the store that learns nothing waits for no writer
    with database.atomic():
        for row, said in news:
            _keep(row, said, now)


def _keep(row: PipelinePackage, said: Notices, now: datetime) -> None:
    known = kept_notices(row)
    if not store.claim_notices(row, said.yank_reason, list(map(dict, said.advisories)), now):
        return
    detail: dict[str, object] = {
        "version": row.version,
        "yankReason": said.yank_reason,
        "advisories": [advisory["id"] for advisory in said.advisories],
    }
    audit.write(None, None, AuditAction.PIPELINE_NOTICED, "pipeline", row.pipeline_id, now, detail)
    known_ids = {advisory["id"] for advisory in known.advisories}
    fresh = [f": {advice_of(advisory)}" for advisory in said.advisories if advisory["id"] not in known_ids]
    if said.yank_reason is not None and known.yank_reason is None:
        fresh.insert(0, f" was withdrawn: {said.yank_reason}")
    for text in fresh:
        title = f"Pipeline {row.pipeline_id} {row.version}{text}"
        notify_admins(NotificationType.PIPELINE_NOTICE, title, now)
