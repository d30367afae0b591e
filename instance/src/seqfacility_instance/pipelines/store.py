"""Queries on installed packages, on what an admin decided about them, and on polls; the owner of the tables.

Decision: G142, G970.
"""

from collections.abc import Sequence
from datetime import datetime

from peewee import CharField, Expression, TextField, Value
from seqfacility_pipeline_package.names import version_order

from seqfacility_instance.core.vocabulary.pipelines import PackageOrigin, RunStatus
from seqfacility_instance.pipelines.notices import Notices
from seqfacility_instance.tables.base import locked
from seqfacility_instance.tables.pipelines import PipelineConfig, PipelinePackage, PipelineRun
from seqfacility_instance.tables.registry_polls import RegistryPoll

_ACTIVE = (RunStatus.PENDING, RunStatus.QUEUED, RunStatus.RUNNING)


def list_current() -> list[PipelinePackage]:
    """List the version of each pipeline that new runs use, by pipeline id."""
    return list(
        PipelinePackage.select().where(PipelinePackage.is_current).order_by(PipelinePackage.pipeline_id)
    )


def list_installed() -> list[PipelinePackage]:
    return list(PipelinePackage.select().order_by(PipelinePackage.pipeline_id, PipelinePackage.installed_at))


def find_current(pipeline_id: str) -> PipelinePackage | None:
    return PipelinePackage.get_or_none(
        PipelinePackage.is_current & (PipelinePackage.pipeline_id == pipeline_id)
    )


def find_version(pipeline_id: str, version: str) -> PipelinePackage | None:
    return PipelinePackage.get_or_none(
        (PipelinePackage.pipeline_id == pipeline_id) & (PipelinePackage.version == version)
    )


def list_versions(pipeline_id: str) -> list[PipelinePackage]:
    """List every installed version of a pipeline, the lowest first. Decision: G442."""
    return sorted(
        PipelinePackage.select().where(PipelinePackage.pipeline_id == pipeline_id),
        key=lambda row: version_order(row.version),
    )


def configs() -> dict[str, PipelineConfig]:
    return {row.pipeline_id: row for row in PipelineConfig.select()}


def find_config(pipeline_id: str) -> PipelineConfig | None:
    """Return the configuration of one pipeline; None means disabled and without values."""
    return PipelineConfig.get_or_none(PipelineConfig.pipeline_id == pipeline_id)


def add_package(
    pipeline_id: str,
    version: str,
    origin: PackageOrigin,
    sha256: str,
    folder: str,
    installed_by: str | None,
    now: datetime,
    source: dict[str, str] | None = None,
) -> bool:
    """Insert a version, not as current; return False when it is there already. Decision: G144, G442."""
    made: int = (
        PipelinePackage.insert(
            pipeline_id=pipeline_id,
            version=version,
            origin=origin,
            sha256=sha256,
            folder=folder,
            source=source,
            is_current=False,
            installed_by=installed_by,
            installed_at=now,
        )
        .on_conflict_ignore()
        .as_rowcount()
        .execute()
    )
    forget_index_tag()
    return made == 1


def claim_notices(row: PipelinePackage, notices: Notices, noticed_on: str, now: datetime) -> bool:
    """Replace what is known against a version; False when somebody else has learned something meanwhile.

    A yank keeps the time at which it was seen first, also when its words change.

    Decision: G933, G982.
    """
    table = PipelinePackage
    # WHY: two readers of the store learn the same at the same time; one of them tells the admins. Peewee
    # would take a list for several values.
    known = Value(row.advisories, converter=table.advisories.db_value, unpack=False)
    unchanged = (
        _is(table.yank_reason, row.yank_reason)
        & _is(table.other_sha256, row.other_sha256)
        & (table.advisories.is_null() if row.advisories is None else table.advisories == known)
    )
    first_seen = now if row.yank_reason is None else row.yank_seen_at
    columns = {
        "yank_reason": notices.yank_reason,
        "yank_seen_at": None if notices.yank_reason is None else first_seen,
        "advisories": list(map(dict, notices.advisories)) or None,
        "other_sha256": notices.other_sha256,
        "noticed_on": noticed_on,
    }
    changed: int = table.update(**columns).where((table.id == row.id) & unchanged).execute()
    return changed == 1


def _is(column: TextField | CharField, value: str | None) -> Expression:
    found: Expression = column.is_null() if value is None else column == value
    return found


def claim_poll(address: str, now: datetime, next_at: datetime) -> bool:
    """Move the next poll of a registry to `next_at`; True for the one caller that has to poll now.

    A registry that was never polled, and a time that a clock that was set back since has named, wait for
    `next_at`. Those of other addresses are no longer polled.

    Decision: G970.
    """
    row = RegistryPoll.get_or_none(RegistryPoll.address == address)
    if row is None:
        RegistryPoll.delete().execute()
        RegistryPoll.insert(address=address, due_at=next_at).on_conflict_ignore().execute()
        return False
    if now < row.due_at <= next_at:
        return False
    here = (RegistryPoll.address == address) & (RegistryPoll.due_at == row.due_at)
    changed: int = RegistryPoll.update(due_at=next_at).where(here).execute()
    return changed == 1 and row.due_at <= now


def poll_sooner(address: str, at: datetime) -> None:
    """Let a poll that failed be tried again at `at`, unless one is due before. Decision: G926."""
    here = (RegistryPoll.address == address) & (RegistryPoll.due_at > at)
    RegistryPoll.update(due_at=at).where(here).execute()


def index_tag(address: str) -> str | None:
    row = RegistryPoll.get_or_none(RegistryPoll.address == address)
    return None if row is None else row.index_tag


def keep_index_tag(address: str, tag: str | None) -> None:
    RegistryPoll.update(index_tag=tag).where(RegistryPoll.address == address).execute()


def forget_index_tag() -> None:
    """Let the next poll learn anew: what is installed or known of it has changed. Decision: G971."""
    # WHY: the row also where it names none: so it is locked, and a poll that is learning ends first.
    RegistryPoll.update(index_tag=None).execute()


def note_poll(address: str, now: datetime, error: str | None, warnings: list[str]) -> None:
    columns = {"polled_at": now, "error": error, "warnings": warnings or None}
    RegistryPoll.update(**columns).where(RegistryPoll.address == address).execute()


def make_current(pipeline_id: str, version: str) -> None:
    of_pipeline = PipelinePackage.pipeline_id == pipeline_id
    is_wanted = PipelinePackage.version == version
    # The index allows one current version, so the other one ends first.
    PipelinePackage.update(is_current=False).where(of_pipeline & ~is_wanted).execute()
    PipelinePackage.update(is_current=True).where(of_pipeline & is_wanted).execute()


def add_config(pipeline_id: str, enabled: bool, now: datetime) -> None:
    """Insert a pipeline's first configuration, unless an admin has saved one. Decision: G140."""
    PipelineConfig.insert(
        pipeline_id=pipeline_id, enabled=enabled, updated_at=now
    ).on_conflict_ignore().execute()


def lock_config(pipeline_id: str, now: datetime) -> PipelineConfig:
    """Return the decisions about a pipeline, locked until the end of the transaction.

    Decision: G1094.
    """
    add_config(pipeline_id, enabled=False, now=now)
    row: PipelineConfig = locked(
        PipelineConfig.select().where(PipelineConfig.pipeline_id == pipeline_id)
    ).get()
    return row


def save_config(
    pipeline_id: str, enabled: bool, config: dict[str, object], user_id: str | None, now: datetime
) -> None:
    columns = {"enabled": enabled, "config": config, "updated_by": user_id, "updated_at": now}
    PipelineConfig.insert(pipeline_id=pipeline_id, **columns).on_conflict(
        conflict_target=[PipelineConfig.pipeline_id], update=columns
    ).execute()


def remove(pipeline_id: str) -> None:
    # WHY: in the order in which `lock_config` and its callers lock these rows.
    PipelineConfig.delete().where(PipelineConfig.pipeline_id == pipeline_id).execute()
    PipelinePackage.delete().where(PipelinePackage.pipeline_id == pipeline_id).execute()


def has_active_runs(pipeline_id: str) -> bool:
    return (
        PipelineRun.select()
        .where((PipelineRun.pipeline_id == pipeline_id) & PipelineRun.status.in_(_ACTIVE))
        .exists()
    )


def is_bundled(versions: Sequence[PipelinePackage]) -> bool:
    return any(row.origin is PackageOrigin.BUNDLED for row in versions)
