"""Webhooks whose worker is killed: while an answer is awaited, and at any moment between many deliveries."""

import random
import time
from collections import Counter
from collections.abc import Iterator

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.tables.webhooks import WebhookDelivery
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.processes import Processes, ServiceProcess
from seqfacility_testkit.sequencing import submitted_order
from seqfacility_testkit.soak import record, rounds
from seqfacility_testkit.waiting import wait_until
from seqfacility_testkit.webhook_receiver import Receiver, receiving

KILLS = rounds(short=2, long=30)
EVENTS = 12


@pytest.fixture
def processes(facility: Facility) -> Iterator[Processes]:
    started = Processes(facility.home / "logs")
    yield started
    started.stop_all()


@pytest.fixture
def receiver(facility: Facility) -> Iterator[Receiver]:
    facility.admin.patch("/api/admin/settings/webhooks", {"allowPrivateNetworks": True})
    with receiving() as receiver:
        made = facility.admin.post(
            "/api/admin/webhooks", {"url": receiver.url, "events": ["order.submitted"]}
        )
        assert made.status_code == 201, made.text
        yield receiver


def start_worker(facility: Facility, processes: Processes) -> ServiceProcess:
    return processes.start(
        "seqfacility_instance", "worker", environment={"SEQFACILITY_HOME": str(facility.home)}
    )


def work(facility: Facility) -> None:
    wait_until(lambda: not facility.services.worker.tick(facility.clock.now()), "nothing is due")


def statuses() -> Counter[SendingStatus]:
    return Counter(delivery.status for delivery in WebhookDelivery.select())


def test_a_delivery_whose_worker_is_killed_before_the_answer_is_made_again_under_the_same_id(
    facility: Facility, processes: Processes, receiver: Receiver
) -> None:
    receiver.hold()
    submitted_order(facility)
    worker = start_worker(facility, processes)
    wait_until(lambda: bool(receiver.received), "the receiver has it")

    worker.kill_group()
    receiver.release()
    work(facility)
    assert statuses() == {SendingStatus.WAITING: 1}, "not before the attempt counts as lost"
    facility.clock.advance(limits.WEBHOOK_LOST_AFTER)
    work(facility)

    (delivery,) = WebhookDelivery.select()
    assert (delivery.status, delivery.attempts) == (SendingStatus.DELIVERED, 2)
    assert receiver.ids == [delivery.id] * 2
    assert len({one.content for one in receiver.received}) == 1


def test_no_event_is_lost_and_at_most_one_comes_twice_whenever_a_worker_is_killed(
    facility: Facility, processes: Processes, receiver: Receiver
) -> None:
    timestamps = random.Random("kills")  # noqa: S311  # the same moments every time
    twice = 0
    for number in range(1, KILLS + 1):
        before = len(receiver.received)
        for _event in range(EVENTS):
            submitted_order(facility)
        worker = start_worker(facility, processes)
        wait_until(lambda so_far=before: len(receiver.received) > so_far, "the worker has begun")
        time.sleep(timestamps.uniform(0, 0.1))  # the random moment; nothing is waited for
        worker.kill_group()

        work(facility)
        facility.clock.advance(limits.WEBHOOK_LOST_AFTER)
        work(facility)
        facility.clock.advance(-limits.WEBHOOK_LOST_AFTER)

        ids = receiver.ids[before:]
        assert statuses() == {SendingStatus.DELIVERED: EVENTS * number}
        assert len(set(ids)) == EVENTS
        assert len(ids) <= EVENTS + 1
        twice += len(ids) - EVENTS

    record(
        "Webhooks whose worker is killed lose no event and repeat at most the one that was under way",
        tried=f"{KILLS} times kill -9 of a worker that sent {EVENTS} events",
        found=f"all arrived; {twice} came twice, under the same id and with the same content",
    )
