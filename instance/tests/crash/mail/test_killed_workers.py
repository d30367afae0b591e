"""Mail whose worker is killed: none is lost, and only the one in hand comes twice, as the same mail."""

import random
import time
from collections import Counter
from collections.abc import Iterator

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.mail import MailKind
from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.mail import outbox
from seqfacility_instance.tables.mail import OutgoingMail
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.mail_server import MailServer, mail_server
from seqfacility_testkit.processes import Processes, ServiceProcess
from seqfacility_testkit.soak import record, rounds
from seqfacility_testkit.waiting import wait_until

URL = "https://seq.lab.test"
KILLS = rounds(short=2, long=20)
MAILS = rounds(short=40, long=1_000)


@pytest.fixture
def processes(facility: Facility) -> Iterator[Processes]:
    started = Processes(facility.home / "logs")
    yield started
    started.stop_all()


@pytest.fixture
def server(facility: Facility) -> Iterator[MailServer]:
    with mail_server() as running:
        settings = {"host": "127.0.0.1", "port": running.port, "security": "none", "from": "lab@lab.test"}
        assert facility.admin.patch("/api/admin/settings/mail", settings).status_code == 200
        facility.services.mail_sender.public_url = URL
        yield running


def queue(facility: Facility, number: int) -> None:
    facts = {"orderNumber": f"ORD-{number}"}
    outbox.tell(
        MailKind.ORDER_ACCEPTED, facility.clock.now(), [facility.researcher_id], facts, f"topic {number}"
    )


def worker(facility: Facility, processes: Processes) -> ServiceProcess:
    variables = {"SEQFACILITY_HOME": str(facility.home), "SEQFACILITY_PUBLIC_URL": URL}
    return processes.start("seqfacility_instance", "worker", environment=variables)


def ids(server: MailServer) -> list[str]:
    return [str(mail["Message-ID"]) for mail in server.taken]


def test_a_mail_whose_worker_is_killed_between_sending_and_noting_it_comes_again_as_the_same_mail(
    facility: Facility, processes: Processes, server: MailServer
) -> None:
    server.slow_answer_seconds = 60
    queue(facility, 1)
    killed = worker(facility, processes)
    wait_until(server.arrived.is_set, "the server has the mail")
    killed.kill_group()
    server.slow_answer_seconds = 0

    facility.services.mail_sender.sweep(facility.clock.now())
    assert len(server.taken) == 1, "before the lease has ended nobody takes it over"
    facility.clock.advance(limits.MAIL_LEASE)
    facility.services.mail_sender.sweep(facility.clock.now())

    first, second = ids(server)
    assert first == second == f"<{OutgoingMail.get().id}@seq.lab.test>"
    assert (OutgoingMail.get().status, OutgoingMail.get().attempts) == (SendingStatus.DELIVERED, 2)


def test_killed_workers_lose_no_mail_and_send_at_most_one_each_twice(
    facility: Facility, processes: Processes, server: MailServer
) -> None:
    moments = random.Random("kills")  # noqa: S311  # the same moments every time
    for number in range(MAILS):
        queue(facility, number)
    server.slow_answer_seconds = 0.02
    for _kill in range(KILLS):
        before = len(server.taken)
        running = worker(facility, processes)
        wait_until(lambda before=before: len(server.taken) > before, "the worker sends")
        time.sleep(moments.uniform(0, 0.1))  # the random moment; nothing is waited for
        running.kill_group()
    server.slow_answer_seconds = 0

    facility.clock.advance(limits.MAIL_LEASE)
    while facility.services.mail_sender.sweep(facility.clock.now()):
        pass

    came = Counter(ids(server))
    assert len(came) == MAILS
    twice = sum(count - 1 for count in came.values())
    assert twice <= KILLS
    assert {mail.status for mail in OutgoingMail.select()} == {SendingStatus.DELIVERED}
    record(
        "Workers that send mail are killed",
        tried=f"{KILLS} times kill -9 of a worker that sent {MAILS} mails",
        found=f"every mail arrived; {twice} came twice, with the same Message-ID",
    )
