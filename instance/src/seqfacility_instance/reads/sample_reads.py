"""The reads of one sample as somebody may see them, for the answer on that sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.reading import may_see_read
from seqfacility_instance.reads.bodies import read_shape
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.sequencing import Read

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def reads_of_sample(caller: SignedIn, order: Order, sample: Sample) -> list[answers.Read]:
    """List the reads of a sample that exist for `caller`, newest first. Decision: G80, G113."""
    reads = Read.select().where(Read.sample == sample.id).order_by(Read.created_at.desc(), Read.id.desc())
    return [read_shape(read, order.platform) for read in reads if may_see_read(caller, order, read)]
