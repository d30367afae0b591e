"""Queries on studies; writes the table of studies. Decision: G82."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import cast

from peewee import IntegrityError, fn

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.errors import StudyNotFound
from seqfacility_instance.access.owned_rows import in_reach, listed_for
from seqfacility_instance.core.errors import StaleRecord
from seqfacility_instance.studies.errors import AliasTaken
from seqfacility_instance.tables.base import locked
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.studies import Study


def create_study(columns: Mapping[str, object]) -> Study | None:
    """Add a study; return it as it is stored, None when its alias is taken."""
    return next(iter(Study.insert(**columns).on_conflict_ignore().returning(Study).execute()), None)


def lock_study(study_id: str) -> Study:
    """Read a study again inside a transaction and keep others from changing it until its end.

    Raises `StudyNotFound` when it was deleted meanwhile.
    """
    found: Study | None = locked(Study.select().where(Study.id == study_id)).first()
    if found is None:
        raise StudyNotFound
    return found


def list_studies(caller: SignedIn, text: str | None, limit: int, offset: int) -> tuple[list[Study], int]:
    """List the studies that `caller` may see, newest first, and count them all. Decision: G16, G83."""
    condition = listed_for(caller, Study.user)
    if text is not None:
        condition &= (
            Study.title.contains(text)
            | Study.study_alias.contains(text)
            | Study.study_accession_id.contains(text)
        )
    total: int = Study.select().where(condition).count()
    page = (
        Study.select(Study, User)
        .join(User, on=Study.user)
        .where(condition)
        .order_by(Study.created_at.desc(), Study.id.desc())
        .limit(limit)
        .offset(offset)
    )
    return list(page), total


def sample_counts(study_ids: Collection[str]) -> dict[str, int]:
    if not study_ids:
        return {}
    query = (
        Sample.select(Sample.study, fn.COUNT(Sample.id))
        .where(Sample.study.in_(list(study_ids)))
        .group_by(Sample.study)
    )
    return dict(cast("Iterable[tuple[str, int]]", query.tuples()))


def is_alias_taken(alias: str, by_other_than: str) -> bool:
    return Study.select(Study.id).where((Study.study_alias == alias) & (Study.id != by_other_than)).exists()


def claim_edit(study: Study, columns: Mapping[str, object]) -> Study | None:
    """Save changes over the version that was read; return what is stored, None when somebody saved meanwhile.

    Raises `AliasTaken` when another study got the alias since the check; the database decides.

    Decision: G20.
    """
    is_as_read = (Study.id == study.id) & (Study.updated_at == study.updated_at)
    try:
        return next(iter(Study.update(**columns).where(is_as_read).returning(Study).execute()), None)
    except IntegrityError as taken:
        raise AliasTaken from taken


def has_runs(study_id: str) -> bool:
    return PipelineRun.select(PipelineRun.id).where(PipelineRun.study == study_id).exists()


def delete_study(study_id: str) -> None:
    """Delete a study; its samples stay, without it. Decision: G83."""
    Study.delete().where(Study.id == study_id).execute()


def is_user_in_reach(caller: SignedIn, user_id: str) -> bool:
    """Return whether a study may be given to a user."""
    return User.select(User.id).where((User.id == user_id) & in_reach(caller, User.id)).exists()


def lock_studies_of_order(order: Order, new_owner_id: str) -> tuple[list[Study], list[Study]]:
    """Lock the studies of an order's owner that hold samples of the order, and then its samples.

    Return these studies, and those of them that also hold samples of somebody who is not the new owner.
    Raises `StaleRecord` when samples of the order joined or left a study meanwhile.

    WHY: in the order in which samples are put into a study, so that neither waits for the other for ever.

    Decision: G883.
    """
    of_order = Sample.select(Sample.id, Sample.study).where(Sample.order == order.id).order_by(Sample.id)
    ids = _studies_of(of_order)
    own = Study.id.in_(ids) & (Study.user == order.user_id)
    studies = list(locked(Study.select().where(own).order_by(Study.id)))
    if _studies_of(locked(of_order)) != ids:
        raise StaleRecord
    if not ids:
        return [], []
    others = (Order.id != order.id) & (Order.user != new_owner_id)
    holders = Sample.select(Sample.study).join(Order).where(Sample.study.in_(ids) & others).distinct()
    shared = {sample.study_id for sample in holders}
    return studies, [study for study in studies if study.id in shared]


def _studies_of(samples: Iterable[Sample]) -> set[str]:
    return {sample.study_id for sample in samples if sample.study_id is not None}


def give_studies(study_ids: Collection[str], owner_id: str, now: datetime) -> None:
    """Give studies that this transaction has locked to another owner."""
    if study_ids:
        Study.update(user=owner_id, updated_at=now).where(Study.id.in_(list(study_ids))).execute()
