"""The search of all places."""

from collections.abc import Iterator
from dataclasses import dataclass

from peewee import Field

from seqfacility_instance.access.callers import FacilityAdmin, SignedIn
from seqfacility_instance.core.vocabulary.overview import ResultKind
from seqfacility_instance.forms.in_force import HiddenColumns
from seqfacility_instance.forms.service import Forms
from seqfacility_instance.search import store
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.pipelines import PipelineRun


@dataclass(frozen=True, slots=True)
class Result:
    """Something that was found, with what tells it from others."""

    kind: ResultKind
    id: str
    label: str
    detail: str | None = None
    order_id: str | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """Finds what a caller may see, in a fixed number of queries."""

    forms: Forms

    def find(self, caller: SignedIn, text: str) -> list[Result]:
        """Find the one thing that has a text as its number, else what has it in its name.

        What is not the caller's is answered like what is not there. A column that the form hides from the
        caller is neither searched nor shown.

        Decision: G544, G601.
        """
        order_fields = self.forms.in_force().order_fields(is_admin=caller.is_admin)
        hides_name = "name" in order_fields.hidden_columns
        hidden = self.forms.hidden_sample_columns(caller)
        if (order := store.find_order(caller, text)) is not None:
            return [_order(order, hides_name=hides_name)]
        if (run := store.find_run(caller, text)) is not None:
            return [_run(run)]
        if (sample := store.find_sample(caller, text)) is not None:
            return [_sample(sample, hidden)]
        columns: list[Field] = [Order.order_number] + ([] if hides_name else [Order.name])
        return [
            *(_order(one, hides_name=hides_name) for one in store.search_orders(caller, text, columns)),
            *(_run(one) for one in store.search_runs(caller, text)),
            *(_sample(one, hidden) for one in store.search_samples(caller, text, hidden)),
            *(
                Result(ResultKind.STUDY, one.id, one.title, one.study_alias)
                for one in store.search_studies(caller, text)
            ),
            *_people(caller, text),
        ]


def _people(caller: SignedIn, text: str) -> Iterator[Result]:
    """Find people, for admins only."""
    if isinstance(caller, FacilityAdmin):
        for one in store.search_people(caller, text):
            yield Result(ResultKind.PERSON, one.id, f"{one.first_name} {one.last_name}", one.email)


def _order(order: Order, *, hides_name: bool) -> Result:
    name = None if hides_name else order.name
    return Result(ResultKind.ORDER, order.id, order.order_number, name, order.id)


def _run(run: PipelineRun) -> Result:
    return Result(ResultKind.RUN, run.id, run.run_number, run.pipeline_id, run.order_id)


def _sample(sample: Sample, hidden: HiddenColumns) -> Result:
    alias = None if "sampleAlias" in hidden.of(sample.study_id) else sample.sample_alias
    detail = f"{sample.sample_code}, {sample.order.order_number}"
    return Result(ResultKind.SAMPLE, sample.id, alias or sample.sample_code, detail, sample.order.id)
