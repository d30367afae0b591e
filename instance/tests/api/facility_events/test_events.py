"""What happens at the facility is recorded with the act, and comes to each subscriber once."""

from dataclasses import dataclass, field
from datetime import datetime

from peewee import IntegrityError
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.facility_events.fan_out import FanOut
from seqfacility_instance.facility_events.store import record
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.events import RecordedEvent
from seqfacility_instance.tables.people import User
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import completed, running, tick, use_scripted_executor
from seqfacility_testkit.sequencing import OrderInHand, draft_order, submitted_order, upload


def recorded() -> list[RecordedEvent]:
    return list(RecordedEvent.select().order_by(RecordedEvent.id))


def kinds() -> list[str]:
    return [event.kind.value for event in recorded()]


@dataclass
class Listener:
    """A subscriber that remembers, and fails on the kinds that it is told."""

    fails_on: set[FacilityEvent] = field(default_factory=set)
    got: list[str] = field(default_factory=list)

    def __call__(self, event: RecordedEvent, _now: datetime) -> None:
        if event.kind in self.fails_on:
            raise IntegrityError(event.id)
        self.got.append(event.kind.value)


def handed_on_to(*listeners: Listener) -> FanOut:
    return FanOut(listeners)


def test_a_submission_is_an_event_and_a_change_of_status(facility: Facility) -> None:
    order = submitted_order(facility)

    first, second = recorded()
    assert {first.kind, second.kind} == {FacilityEvent.ORDER_SUBMITTED, FacilityEvent.ORDER_STATUS}
    for event in (first, second):
        assert (event.owner_id, event.actor_id) == (facility.researcher_id, facility.researcher_id)
        assert event.detail["orderId"] == order.id
        assert event.detail["to"] == "SUBMITTED"


def test_a_refused_submission_is_none(facility: Facility) -> None:
    order = draft_order(facility, samples=0)

    refused = facility.researcher.post(f"/api/orders/{order.id}/status", {"status": "SUBMITTED"})

    assert refused.status_code == 400
    assert recorded() == []


def test_reads_are_complete_when_the_last_sample_has_its_own(facility: Facility) -> None:
    order = submitted_order(facility, samples=2)
    for mate in ("R1", "R2"):
        upload(facility, order, originalName=f"a_{mate}.fastq", targetRole=mate)
    upload(facility, order, originalName="b_R1.fastq", sampleId=order.sample_ids[1])
    assert "reads.complete" not in kinds()

    upload(facility, order, originalName="b_R2.fastq", targetRole="R2", sampleId=order.sample_ids[1])

    event = recorded()[-1]
    assert event.kind is FacilityEvent.READS_COMPLETE
    counts = {key: event.detail[key] for key in ("orderId", "samples", "paired", "single")}
    assert counts == {"orderId": order.id, "samples": 2, "paired": 2, "single": 0}


def test_complete_reads_that_are_replaced_are_no_event_and_second_files_are_one(facility: Facility) -> None:
    order = submitted_order(facility)
    upload(facility, order)
    upload(facility, order, b"@r\nA\n+\nI\n", originalName="again_R1.fastq")
    assert kinds().count("reads.complete") == 1

    upload(facility, order, originalName="soil_R2.fastq", targetRole="R2")

    assert kinds().count("reads.complete") == 2
    assert recorded()[-1].detail["paired"] == 1


def test_the_end_of_a_run_is_an_event(facility: Facility) -> None:
    scripted, order = use_scripted_executor(facility), submitted_order(facility)
    good, _folder = completed(facility, scripted, order)
    bad, folder = running(facility, order)
    scripted.finish(folder, 1)
    tick(facility)

    completion, failure = recorded()[-2:]

    assert (completion.kind.value, completion.detail["runId"]) == ("run.completed", good)
    assert (failure.kind.value, failure.detail["runId"]) == ("run.failed", bad)
    assert (failure.owner_id, failure.detail["orderId"]) == (facility.researcher_id, order.id)


def test_a_release_and_a_message_are_events(facility: Facility) -> None:
    order = submitted_order(facility)
    upload(facility, order, metadata={"dataClass": "cleaned"})
    publication = f"/api/orders/{order.id}/sequencing/delivery/publication"
    for _twice in range(2):
        assert facility.admin.put(publication).status_code == 200
    ticket = facility.researcher.post("/api/tickets", {"subject": "Tubes", "body": "Where?"}).json["ticket"]
    facility.admin.post(f"/api/tickets/{ticket['id']}/messages", {"body": "Here."})

    assert kinds()[-3:] == ["delivery.released", "message.created", "message.created"]
    reply = recorded()[-1]
    assert (reply.owner_id, reply.actor_id) == (facility.researcher_id, facility.admin_id)
    assert reply.detail["ticketId"] == ticket["id"]


def test_what_happens_in_the_demo_is_no_event(facility: Facility) -> None:
    User.update(is_demo=True).where(User.id == facility.researcher_id).execute()
    draft = draft_order(facility, owner=facility.other_researcher)
    with database.atomic():
        record_something(facility.researcher_id, draft, facility.clock.now())

    assert recorded() == []


def record_something(owner_id: str, order: OrderInHand, now: datetime) -> None:
    record(
        FacilityEvent.DELIVERY_RELEASED,
        now,
        owner_id,
        {"orderId": order.id},
    )


def test_each_event_comes_to_each_subscriber_once_and_in_order(facility: Facility) -> None:
    submitted_order(facility)
    facility.researcher.post("/api/tickets", {"subject": "Tubes", "body": "Where?"})
    first, second = Listener(), Listener()
    sweep = handed_on_to(first, second).sweep

    happened = kinds()

    assert sweep(facility.clock.now())
    assert not sweep(facility.clock.now())

    assert first.got == second.got == happened
    assert len(first.got) == 3


def test_an_event_that_always_fails_keeps_no_other_waiting_and_is_given_up(facility: Facility) -> None:
    submitted_order(facility)
    picky = Listener({FacilityEvent.ORDER_STATUS})
    sweep = handed_on_to(picky).sweep

    for _attempt in range(limits.EVENT_MAX_ATTEMPTS):
        assert sweep(facility.clock.now())

    assert picky.got == ["order.submitted"]
    assert not sweep(facility.clock.now())
    assert recorded() == []
