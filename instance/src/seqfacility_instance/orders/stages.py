"""Where orders stand, as one caller may know it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from peewee import Expression

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.reading import may_see_read
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.ids import epoch_milliseconds
from seqfacility_instance.core.vocabulary.orders import (
    NoteType,
    OrderStatus,
    PlateState,
    ReadFiles,
    Stage,
    Step,
)
from seqfacility_instance.orders import stage_rules as rules
from seqfacility_instance.orders import stage_store, store
from seqfacility_instance.orders.stage_rules import NextStep, OrderFacts, Plate
from seqfacility_instance.tables.fields import timestamp_of
from seqfacility_instance.tables.orders import Order, Sample


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one order stands, as one caller may know it. Decision: G537, G538, G539, G540."""

    stage: Stage
    next: NextStep | None
    plate: Plate
    since: datetime
    """When it was last moved to another status, or a step in the way of its samples was noted."""


@dataclass(frozen=True, slots=True)
class Stages:
    """Tells of orders how far they are, in a fixed number of queries however many they are."""

    clock: Clock

    def of_orders(self, caller: SignedIn, orders: Sequence[Order]) -> dict[str, Standing]:
        """Return where each of a caller's orders stands, by id."""
        facts = self._facts(orders)
        return {order.id: _standing(caller, order, *facts[order.id]) for order in orders}

    def narrowed(
        self, caller: SignedIn, listed: Expression, wants: Callable[[Stage, NextStep | None], bool]
    ) -> Expression:
        """Return the condition that an order's stage and next step are wanted ones.

        Of a list the open orders are read, which are few; what the others say follows from two columns.

        Decision: G541.
        """
        standings = self.of_orders(caller, store.open_orders(listed))
        wanted = Order.id.in_(
            [order_id for order_id, found in standings.items() if wants(found.stage, found.next)]
        )
        for condition, stage, step in (
            (store.is_draft(), Stage.DRAFT, NextStep(Step.FINISH_DRAFT)),
            (store.is_published(), Stage.DELIVERED, NextStep(Step.DOWNLOAD)),
            (store.is_completed_unpublished(), Stage.DELIVERED, None),
        ):
            if wants(stage, step):
                wanted |= condition
        return wanted

    def of_samples(self, caller: SignedIn, order: Order, samples: Sequence[Sample]) -> dict[str, PlateState]:
        """Return the state of each sample of an order, as its plate counts them. Decision: G539, G540."""
        reads = stage_store.active_reads_of_order(order.id)
        if not caller.is_admin:
            seen = {sample_id for sample_id, read in reads.items() if may_see_read(caller, order, read)}
            return {one.id: PlateState.DONE if one.id in seen else PlateState.WAITING for one in samples}
        moving = stage_store.moving_samples(order.id)
        files = {sample_id: stage_store.files_of(read) for sample_id, read in reads.items()}
        has_pairs = order.paired_read_count > 0
        return {
            one.id: rules.state_of(files.get(one.id), is_moving=one.id in moving, has_pairs=has_pairs)
            for one in samples
        }

    def _facts(self, orders: Sequence[Order]) -> dict[str, tuple[OrderFacts, datetime]]:
        submitted = [order.id for order in orders if order.status is not OrderStatus.DRAFT]
        signs = stage_store.signs_of(submitted, f"{self.clock.now():%Y-%m-%d}") if submitted else {}
        moving = sorted(sample_id for found in signs.values() for sample_id in found.moving)
        reads = stage_store.active_reads_of_samples(moving) if moving else {}
        files = {sample_id: stage_store.files_of(read) for sample_id, read in reads.items()}
        offers_analysis = bool(submitted) and stage_store.offers_analysis()
        found = {order.id: signs.get(order.id, stage_store.Signs()) for order in orders}
        return {
            order.id: (
                _facts_of(order, found[order.id], files, offers_analysis=offers_analysis),
                max([order.status_updated_at, *map(timestamp_of, found[order.id].noted_at.values())]),
            )
            for order in orders
        }


def _facts_of(
    order: Order,
    signs: stage_store.Signs,
    files: dict[str, ReadFiles | None],
    *,
    offers_analysis: bool,
) -> OrderFacts:
    counts = {
        ReadFiles.PAIRED: order.paired_read_count,
        ReadFiles.SINGLE: order.single_read_count,
        ReadFiles.PROBLEM: order.problem_read_count,
    }
    # WHY: who sends an order back and gets it again looks at it again; tubes that came are here.
    accepted_at = signs.noted_at.get(NoteType.ORDER_ACCEPTED)
    return OrderFacts(
        status=order.status,
        is_published=order.sequencing_files_published_at is not None,
        samples=order.sample_count,
        samples_with_files=sum(counts.values()),
        plate=rules.plate_of(order.sample_count, counts, [files.get(one) for one in signs.moving]),
        is_accepted=accepted_at is not None and accepted_at >= epoch_milliseconds(order.status_updated_at),
        samples_sent=NoteType.SAMPLES_SENT in signs.noted_at,
        samples_received=NoteType.SAMPLES_RECEIVED in signs.noted_at,
        is_sequenced=signs.is_sequenced,
        run_statuses=frozenset(signs.run_statuses),
        has_result=signs.has_result,
        offers_analysis=offers_analysis,
    )


def _standing(caller: SignedIn, order: Order, facts: OrderFacts, since: datetime) -> Standing:
    stage = rules.stage_of(facts)
    if caller.is_admin:
        return Standing(stage, rules.next_step(facts), facts.plate, since)
    plate = rules.owners_plate(order.sample_count, store.counts_of(caller, order).reads)
    return Standing(stage, rules.owners_next_step(facts), plate, since)


def is_complete(order: Order) -> bool:
    """Return whether each sample of an order has its reads, as its plate counts them. Decision: G836."""
    counts = {ReadFiles.PAIRED: order.paired_read_count, ReadFiles.SINGLE: order.single_read_count}
    return 0 < order.sample_count == rules.plate_of(order.sample_count, counts)[PlateState.DONE]
