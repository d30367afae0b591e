"""Queries of the search: exact numbers by their unique indexes, parts of names within what is recent."""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Final, TypeVar

from peewee import JOIN, Expression, Field, ModelSelect, fn

from seqfacility_instance.access.callers import FacilityAdmin, SignedIn
from seqfacility_instance.access.owned_rows import in_reach, listed_for
from seqfacility_instance.access.token_rows import machine_accounts
from seqfacility_instance.forms.in_force import HiddenColumns
from seqfacility_instance.orders.sample_lists import in_shown_columns, listed_samples, with_orders
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.studies import Study

_Row = TypeVar("_Row", Order, Sample, Study, PipelineRun, User)
Model = Order | Sample | Study | PipelineRun | User

MAX_OF_KIND: Final = 5

NEWEST_SAMPLES: Final = 100_000
"""What is older is found by its code: a search must not cost more with each year. Decision: G544."""

NEWEST_ROWS: Final = 20_000
"""The same for orders, studies, runs and people."""


def find_order(caller: SignedIn, number: str) -> Order | None:
    """Find an order of a caller by its number, whatever its capital letters."""
    found: Order | None = _orders().where(Order.order_number == number.upper(), _own_orders(caller)).first()
    return found


def find_run(caller: SignedIn, number: str) -> PipelineRun | None:
    """Find a run that a caller may see by its number."""
    is_it = PipelineRun.run_number.in_([number, number.upper()])
    found: PipelineRun | None = _runs().where(is_it, _visible_runs(caller)).first()
    return found


def find_sample(caller: SignedIn, code: str) -> Sample | None:
    """Find a sample of a caller's orders by its code."""
    found: Sample | None = _samples().where(Sample.sample_code == code.upper(), _own_orders(caller)).first()
    return found


def search_orders(caller: SignedIn, text: str, columns: Sequence[Field]) -> list[Order]:
    """List the newest orders of a caller that have a text in one of `columns`."""
    query = _orders().where(_own_orders(caller), _has(text, columns), _is_recent(Order, NEWEST_ROWS))
    return _newest(query, Order)


def search_samples(caller: SignedIn, text: str, hidden: HiddenColumns) -> list[Sample]:
    """List the newest samples of a caller's orders that have a text in a column that is shown.

    WHY: no join: SQLite then walks the samples in the order of the answer and stops with the last one.
    """
    chosen = (
        Sample.id,
        Sample.sample_code,
        Sample.sample_alias,
        Sample.order,
        Sample.study,
        Sample.created_at,
    )
    is_meant = in_shown_columns(text, ("sampleAlias", "scientificName"), hidden)
    query = Sample.select(*chosen).where(is_meant, _is_recent(Sample, NEWEST_SAMPLES), listed_samples(caller))
    return with_orders(_newest(query, Sample))


def search_studies(caller: SignedIn, text: str) -> list[Study]:
    """List the newest studies of a caller that have a text in title or alias."""
    is_meant = _has(text, (Study.title, Study.study_alias))
    query = Study.select(Study.id, Study.title, Study.study_alias)
    recent = _is_recent(Study, NEWEST_ROWS)
    return _newest(query.where(listed_for(caller, Study.user), is_meant, recent), Study)


def search_runs(caller: SignedIn, text: str) -> list[PipelineRun]:
    """List the newest runs that a caller may see and whose number has a text."""
    is_meant = _has(text, (PipelineRun.run_number,))
    return _newest(
        _runs().where(_visible_runs(caller), is_meant, _is_recent(PipelineRun, NEWEST_ROWS)), PipelineRun
    )


def search_people(caller: FacilityAdmin, text: str) -> list[User]:
    """List the newest people in reach of an admin who have a text in name or address."""
    query = User.select(User.id, User.email, User.first_name, User.last_name)
    full_name = User.first_name.concat(" ").concat(User.last_name)
    is_meant = full_name.contains(text) | User.email.contains(text)
    is_person = in_reach(caller, User.id) & User.id.not_in(machine_accounts())
    return _newest(query.where(is_person, is_meant, _is_recent(User, NEWEST_ROWS)), User)


def _orders() -> "ModelSelect[Order]":
    return Order.select(Order.id, Order.order_number, Order.name)


def _samples() -> "ModelSelect[Sample]":
    columns = (Sample.id, Sample.sample_code, Sample.sample_alias, Sample.study)
    return Sample.select(*columns, Order.id, Order.order_number).join(Order)


def _runs() -> "ModelSelect[PipelineRun]":
    """Select runs with their targets, which may have changed hands since a run was selected."""
    run = PipelineRun
    return (
        run.select(run.id, run.run_number, run.pipeline_id, run.order)
        .join(Order, JOIN.LEFT_OUTER, on=run.order)
        .switch(run)
        .join(Study, JOIN.LEFT_OUTER, on=run.study)
    )


def _own_orders(caller: SignedIn) -> Expression:
    return listed_for(caller, Order.user)


def _visible_runs(caller: SignedIn) -> Expression:
    """Return which runs a caller may see. Decision: G163."""
    if caller.is_admin:
        return in_reach(caller, PipelineRun.user)
    is_own = fn.COALESCE(Order.user, Study.user) == caller.user_id
    return (PipelineRun.visible_to == caller.user_id) & is_own


def _has(text: str, columns: Sequence[Field]) -> Expression:
    """Return the condition that a text is a part of a column; its wildcards are letters like others."""
    return reduce(or_, [column.contains(text) for column in columns])


def _is_recent(model: type[Model], rows: int) -> Expression:
    """Return the condition that a row is among the newest, by when the last of these was created.

    Decision: G544.
    """
    same = model.alias()
    oldest = same.select(same.created_at).order_by(same.created_at.desc()).limit(1).offset(rows - 1)
    return model.created_at >= fn.COALESCE(oldest, 0)


def _newest(query: "ModelSelect[_Row]", model: type[Model]) -> "list[_Row]":
    return list(query.order_by(model.created_at.desc(), model.id.desc()).limit(MAX_OF_KIND))
