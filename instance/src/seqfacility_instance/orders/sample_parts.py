"""A part of the samples of one order: those of a state, with a text, on a page."""

from dataclasses import dataclass

from falcon import Request
from seqfacility_wire.paging import NumberedPage, read_numbered_page
from seqfacility_wire.requests import query_text

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.forms.in_force import HiddenColumns
from seqfacility_instance.orders.sample_lists import SampleFilter
from seqfacility_instance.orders.stages import Stages
from seqfacility_instance.tables.orders import Order, Sample


@dataclass(frozen=True, slots=True)
class SampleWords:
    """What the samples of an order are narrowed to. Decision: G549."""

    text: str | None = None
    state: str | None = None

    @property
    def are_none(self) -> bool:
        """Whether all samples are asked for."""
        return self.text is None and self.state is None


@dataclass(frozen=True, slots=True)
class SamplePart:
    """A page of the samples of an order. Decision: G549."""

    page: NumberedPage
    words: SampleWords


def read_words(req: Request) -> SampleWords:
    return SampleWords(query_text(req, "q"), query_text(req, "state"))


def read_part(req: Request) -> SamplePart | None:
    """Read which part is asked for; None for all samples, as without a parameter."""
    page = read_numbered_page(req, "q", "state")
    return None if page is None else SamplePart(page, read_words(req))


def matching_ids(
    caller: SignedIn,
    order: Order,
    words: SampleWords,
    stages: Stages,
    hidden_columns: HiddenColumns = HiddenColumns(),  # noqa: B008  # it never changes
) -> list[str]:
    """Return the ids of the samples of all pages, oldest first; an unknown state matches nothing.

    A text is not looked for in columns that the caller may not see.

    Decision: G549.
    """
    wanted = SampleFilter(order_id=order.id, text=words.text, hidden_columns=hidden_columns)
    query = Sample.select(Sample.id).where(*wanted.conditions())
    found = list(query.order_by(Sample.created_at, Sample.id))
    if words.state is None:
        return [sample.id for sample in found]
    states = stages.of_samples(caller, order, found)
    return [sample.id for sample in found if states[sample.id] == words.state]
