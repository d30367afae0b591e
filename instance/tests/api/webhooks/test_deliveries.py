"""What a receiver gets, and what becomes of what it does not take."""

import json
import logging
import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.webhooks import Webhook, WebhookDelivery
from seqfacility_instance.webhooks.rules import PAUSES
from seqfacility_instance.webhooks.sending import WebhookSender
from seqfacility_schemas import problems
from seqfacility_testkit.certificates import certificate
from seqfacility_testkit.facility import ADMIN, Client, Facility
from seqfacility_testkit.pipeline_runs import completed, running, tick, use_scripted_executor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order, upload
from seqfacility_testkit.waiting import wait_for
from seqfacility_testkit.webhook_receiver import Receiver, receiving
from standardwebhooks import Webhook as Verifier

WEBHOOKS = "/api/admin/webhooks"
MAX_ATTEMPTS = len(PAUSES) + 1
ALL = ["order.submitted", "order.status", "reads.complete", "run.completed", "run.failed",
       "delivery.released", "message.created"]  # fmt: skip


@pytest.fixture
def receiver(facility: Facility) -> Iterator[Receiver]:
    """Return a receiver on this machine, which the facility allows."""
    facility.admin.patch("/api/admin/settings/webhooks", {"allowPrivateNetworks": True})
    with receiving() as receiver:
        yield receiver


def subscribe(facility: Facility, url: str, *events: str) -> tuple[str, str]:
    """Make a webhook; return its id and its secret."""
    made = facility.admin.post(WEBHOOKS, {"url": url, "events": list(events or ("order.submitted",))})
    assert made.status_code == 201, made.text
    return made.json["webhook"]["id"], made.json["secret"]


def admin(facility: Facility) -> Client:
    """Return a session of the admin, another one when the clock has ended the first."""
    if facility.admin.get(WEBHOOKS).status_code == 401:
        facility.admin = facility.sign_in(ADMIN)
    return facility.admin


def work(facility: Facility) -> None:
    """Let the worker do all that is due now."""
    wait_for(lambda: not facility.services.worker.tick(facility.clock.now()), "nothing is due")


def deliveries(facility: Facility, webhook_id: str) -> list[dict[str, Any]]:
    answer = admin(facility).get(f"{WEBHOOKS}/{webhook_id}/deliveries")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json["deliveries"]
    return found


def retry(facility: Facility, webhook_id: str, delivery_id: str) -> int:
    return facility.admin.post(f"{WEBHOOKS}/{webhook_id}/deliveries/{delivery_id}/retry").status_code


def use_up_attempts(facility: Facility) -> None:
    for pause in PAUSES:
        work(facility)
        facility.clock.advance(pause)
    work(facility)


def one_of_each_event(facility: Facility) -> tuple[OrderInHand, str, str]:
    """Do what the events are about; return the order and both runs."""
    scripted, order = use_scripted_executor(facility), submitted_order(facility)
    upload(facility, order, metadata={"dataClass": "cleaned"})
    good, _folder = completed(facility, scripted, order)
    bad, folder = running(facility, order)
    scripted.finish(folder, 1)
    tick(facility)
    facility.admin.put(f"/api/orders/{order.id}/sequencing/delivery/publication")
    facility.researcher.post("/api/tickets", {"subject": "Tubes", "body": "Where are they?"})
    return order, good, bad


def test_each_event_comes_as_its_schema_says_and_tells_nothing_of_a_person(
    facility: Facility, receiver: Receiver
) -> None:
    webhook, _secret = subscribe(facility, receiver.url, *ALL)
    order, good, bad = one_of_each_event(facility)

    work(facility)

    documents = {document["type"]: document["data"] for document in map(json.loads, contents(receiver))}
    assert set(documents) == set(ALL)
    assert [problems("instance/webhook-payload", json.loads(one)) for one in contents(receiver)] == [[]] * 7
    number = documents["order.submitted"]["orderNumber"]
    assert documents["delivery.released"] == {"orderId": order.id, "orderNumber": number}
    assert (documents["run.completed"]["runId"], documents["run.failed"]["runId"]) == (good, bad)
    text = "".join(contents(receiver)).lower()
    assert not [word for word in ("@", "tubes", "soil", facility.researcher_id) if word in text]
    assert {one["status"] for one in deliveries(facility, webhook)} == {"delivered"}


def contents(receiver: Receiver) -> list[str]:
    return [one.content.decode() for one in receiver.received]


def test_what_is_sent_is_signed_as_the_standard_says(
    facility: Facility, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook, secret = subscribe(facility, f"{receiver.url}/hooks?tenant=1")
    submitted_order(facility)
    before = int(facility.clock.now().timestamp())

    work(facility)

    (got,) = receiver.received
    (shown,) = deliveries(facility, webhook)
    assert got.path == "/hooks?tenant=1"
    assert got.headers["content-type"] == "application/json"
    assert (got.id, shown["statusCode"], shown["attempts"]) == (shown["id"], 204, 1)
    assert before <= int(got.headers["webhook-timestamp"]) <= facility.clock.now().timestamp()
    assert got.is_signed_by(secret)
    assert not got.is_signed_by("whsec_" + "A" * 43 + "=")
    assert not replace(got, content=got.content + b" ").is_signed_by(secret)
    later = {**got.headers, "webhook-timestamp": str(int(got.headers["webhook-timestamp"]) + 1)}
    assert not replace(got, headers=later).is_signed_by(secret)


def test_a_replay_is_refused_by_its_time_and_known_by_its_id(facility: Facility, receiver: Receiver) -> None:
    """What `docs/how_to/webhooks.md` tells the author of a receiver, with the library of the standard."""
    receiver.answers = [500]
    _webhook, secret = subscribe(facility, receiver.url)
    facility.clock.advance(timedelta(hours=1))
    submitted_order(facility)
    work(facility)
    facility.clock.advance(PAUSES[0])
    work(facility)

    first, second = receiver.received
    assert (first.id, first.content) == (second.id, second.content)
    assert first.headers["webhook-timestamp"] != second.headers["webhook-timestamp"]
    assert first.is_signed_by(secret)
    assert second.is_signed_by(secret)
    with pytest.raises(Exception, match="Message timestamp too"):
        Verifier(secret).verify(first.content, dict(first.headers))


def test_a_webhook_gets_the_events_that_it_asked_for_and_those_after_it_was_made(
    facility: Facility, receiver: Receiver
) -> None:
    submitted_order(facility)
    work(facility)
    webhook, _secret = subscribe(facility, receiver.url, "order.status")
    submitted_order(facility)
    work(facility)

    assert [one["event"] for one in deliveries(facility, webhook)] == ["order.status"]


def test_what_fails_is_tried_again_with_pauses_until_it_arrives(
    facility: Facility, receiver: Receiver
) -> None:
    webhook, _secret = subscribe(facility, receiver.url)
    receiver.answers = [500, 404, 307]
    submitted_order(facility)
    work(facility)
    (shown,) = deliveries(facility, webhook)
    assert (shown["status"], shown["attempts"], shown["statusCode"]) == ("waiting", 1, 500)
    assert shown["lastError"] == "The server answered 500"

    facility.clock.advance(PAUSES[0])
    work(facility)
    for pause in PAUSES[1:3]:
        facility.clock.advance(pause - timedelta(minutes=1))
        work(facility)
        before = len(receiver.received)
        facility.clock.advance(timedelta(minutes=1))
        work(facility)
        assert len(receiver.received) == before + 1

    (shown,) = deliveries(facility, webhook)
    assert (shown["status"], shown["attempts"], "lastError" in shown) == ("delivered", 4, False)
    assert len(set(receiver.ids)) == 1


def test_after_a_day_it_is_given_up_and_the_reason_is_in_the_list_and_the_log(
    facility: Facility, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    webhook, _secret = subscribe(facility, receiver.url)
    receiver.status = 503
    submitted_order(facility)
    began = facility.clock.now()

    with caplog.at_level(logging.WARNING, "seqfacility.worker"):
        use_up_attempts(facility)

    assert timedelta(hours=20) < facility.clock.now() - began < timedelta(hours=28)
    (shown,) = deliveries(facility, webhook)
    assert (shown["status"], shown["attempts"], shown["statusCode"]) == ("failed", MAX_ATTEMPTS, 503)
    assert f"given up after {MAX_ATTEMPTS} attempts: The server answered 503" in caplog.text
    facility.clock.advance(timedelta(days=2))
    work(facility)
    assert len(receiver.received) == MAX_ATTEMPTS


def test_gone_is_given_up_at_once(facility: Facility, receiver: Receiver) -> None:
    webhook, _secret = subscribe(facility, receiver.url)
    receiver.status = 410
    submitted_order(facility)

    work(facility)

    assert [one["status"] for one in deliveries(facility, webhook)] == ["failed"]


def test_a_failed_delivery_is_sent_again_with_its_id_and_one_that_arrived_is_not(
    facility: Facility, receiver: Receiver
) -> None:
    webhook, _secret = subscribe(facility, receiver.url)
    receiver.answers = [410]
    submitted_order(facility)
    work(facility)
    (failed,) = deliveries(facility, webhook)

    assert retry(facility, webhook, failed["id"]) == 200
    work(facility)

    (arrived,) = deliveries(facility, webhook)
    assert (arrived["status"], arrived["attempts"], receiver.ids) == ("delivered", 1, [failed["id"]] * 2)
    assert retry(facility, webhook, failed["id"]) == 409
    (resent,) = AuditEvent.select().where(AuditEvent.action == "webhook-resent")
    assert (resent.actor_id, resent.object_id) == (facility.admin_id, webhook)
    assert resent.detail == {"delivery": failed["id"]}
    other, _secret = subscribe(facility, receiver.url)
    assert retry(facility, other, failed["id"]) == 404


def test_a_webhook_is_shown_as_failing_while_nothing_arrives_for_an_hour(
    facility: Facility, receiver: Receiver
) -> None:
    subscribe(facility, receiver.url)
    receiver.status = 500
    submitted_order(facility)
    work(facility)
    first_failure = Webhook.get().failing_since
    assert "failingSince" not in admin(facility).get(WEBHOOKS).json["webhooks"][0]

    facility.clock.advance(limits.WEBHOOK_FAILING_AFTER)
    work(facility)
    (shown,) = admin(facility).get(WEBHOOKS).json["webhooks"]
    assert shown["failingSince"].startswith(first_failure.strftime("%Y-%m-%dT%H:%M:%S"))
    assert shown["lastDelivery"]["statusCode"] == 500

    receiver.status = 204
    facility.clock.advance(timedelta(days=1))
    work(facility)
    assert "failingSince" not in admin(facility).get(WEBHOOKS).json["webhooks"][0]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_a_failure_and_nobody_is_led_anywhere(
    facility: Facility, receiver: Receiver, status: int
) -> None:
    with receiving() as inside:
        receiver.status, receiver.location = status, inside.url
        webhook, _secret = subscribe(facility, receiver.url)
        submitted_order(facility)
        work(facility)

        (shown,) = deliveries(facility, webhook)
        assert shown["lastError"] == f"The server answered {status}; redirects are not followed"
        assert inside.received == []


def test_a_name_that_changes_between_look_and_dial_leads_nowhere(
    facility: Facility, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name server says a public address when the webhook is made, and this machine from then on."""
    facility.admin.patch("/api/admin/settings/webhooks", {"allowPrivateNetworks": False})
    answers, dialled = ["93.184.216.34", "127.0.0.1", "93.184.216.34", "127.0.0.1"], []

    def look_up(_host: str, port: int, **_options: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answers.pop(0), port))]

    def dial(address: tuple[str, int], **_options: Any) -> socket.socket:
        dialled.append(address)
        raise OSError("no network")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket, "create_connection", dial)
    webhook, _secret = subscribe(facility, "https://rebinding.example/")
    submitted_order(facility)
    work(facility)

    (shown,) = deliveries(facility, webhook)
    assert dialled == []
    assert "leads into a private network" in shown["lastError"]

    facility.clock.advance(PAUSES[0])
    work(facility)

    assert dialled == [("93.184.216.34", 443)], "the address that was looked at, and no second look"
    assert answers == ["127.0.0.1"]


def test_a_receiver_whose_certificate_nobody_vouches_for_gets_nothing(
    facility: Facility, receiver: Receiver, tmp_path: Path
) -> None:
    certificate(tmp_path / "server.pem", timedelta(days=90))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(tmp_path / "server.pem")
    with receiving(context) as forged:
        webhook, _secret = subscribe(facility, forged.url)
        submitted_order(facility)
        work(facility)

        assert "CERTIFICATE_VERIFY_FAILED" in deliveries(facility, webhook)[0]["lastError"]
        assert forged.received == []


def test_the_setting_counts_for_each_attempt(facility: Facility, receiver: Receiver) -> None:
    webhook, _secret = subscribe(facility, receiver.url)
    submitted_order(facility)
    facility.admin.patch("/api/admin/settings/webhooks", {"allowPrivateNetworks": False})

    work(facility)

    (shown,) = deliveries(facility, webhook)
    assert "must begin with https://" in shown["lastError"]
    assert receiver.received == []


def test_nothing_is_sent_with_a_secret_that_the_key_does_not_open(
    facility: Facility, receiver: Receiver
) -> None:
    webhook, _secret = subscribe(facility, receiver.url)
    submitted_order(facility)
    Webhook.update(sealed_secret="of another key").execute()

    work(facility)

    assert "of another key" in deliveries(facility, webhook)[0]["lastError"]
    assert receiver.received == []


def test_a_copy_of_a_facility_does_not_call_the_webhooks_of_its_original(
    facility: Facility, receiver: Receiver
) -> None:
    webhook, _secret = subscribe(facility, receiver.url)
    submitted_order(facility)
    settings, now = facility.services.facility, facility.clock.now()
    settings.save_document("identity", {**settings.document("identity"), "facilityId": "a-copy"}, now)

    work(facility)

    assert "a copy of" in deliveries(facility, webhook)[0]["lastError"]
    assert receiver.received == []


def test_a_slow_receiver_holds_up_neither_others_nor_the_worker_and_no_transaction_is_open(
    facility: Facility, receiver: Receiver
) -> None:
    receiver.hold()
    slow, _secret = subscribe(facility, receiver.url)
    with receiving() as quick:
        other, _secret = subscribe(facility, quick.url)
        for _twice in range(2):
            submitted_order(facility)
        assert facility.services.worker.tick(facility.clock.now())
        assert receiver.came.acquire(timeout=60)

        assert [one["status"] for one in deliveries(facility, other)] == ["delivered"] * 2
        assert [one["status"] for one in deliveries(facility, slow)] == ["waiting"] * 2
        assert len(receiver.received) == 1, "one at a time"
        assert not database.in_transaction()
        receiver.release()
        work(facility)

    assert [one["status"] for one in deliveries(facility, slow)] == ["delivered"] * 2


def test_an_answer_that_does_not_come_ends_the_attempt(facility: Facility, receiver: Receiver) -> None:
    receiver.hold()
    webhook, _secret = subscribe(facility, receiver.url)
    submitted_order(facility)
    sender = WebhookSender(facility.services.facility, facility.clock, seconds=0.3)
    facility.services.worker.sweeps[0](facility.clock.now())

    wait_for(lambda: not sender.sweep(facility.clock.now()), "the attempt has ended")

    (shown,) = deliveries(facility, webhook)
    assert (shown["status"], shown["lastError"]) == ("waiting", "No answer within 0.3 seconds")


def test_headers_that_drip_without_end_end_the_attempt(facility: Facility) -> None:
    facility.admin.patch("/api/admin/settings/webhooks", {"allowPrivateNetworks": True})
    stop = threading.Event()

    def drip(listener: socket.socket) -> None:
        connection, _address = listener.accept()
        with connection:
            try:
                connection.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
                while not stop.wait(0.02):
                    connection.sendall(b"x")
            except OSError:
                return

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=drip, args=(listener,))
        thread.start()
        webhook, _secret = subscribe(facility, f"http://127.0.0.1:{listener.getsockname()[1]}/")
        submitted_order(facility)
        sender = WebhookSender(facility.services.facility, facility.clock, seconds=1)
        facility.services.worker.sweeps[0](facility.clock.now())
        wait_for(lambda: not sender.sweep(facility.clock.now()), "the attempt has ended")
        stop.set()
        thread.join()

    assert deliveries(facility, webhook)[0]["lastError"] == "No answer within 1 seconds"


def test_an_endless_answer_is_not_read(facility: Facility) -> None:
    facility.admin.patch("/api/admin/settings/webhooks", {"allowPrivateNetworks": True})
    sent = 0

    def flood(listener: socket.socket) -> None:
        nonlocal sent
        connection, _address = listener.accept()
        with connection:
            try:
                connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                while True:
                    sent += connection.send(b"x" * 65536)
            except OSError:
                return

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=flood, args=(listener,))
        thread.start()
        webhook, _secret = subscribe(facility, f"http://127.0.0.1:{listener.getsockname()[1]}/")
        submitted_order(facility)
        work(facility)
        thread.join(60)

    assert deliveries(facility, webhook)[0]["status"] == "delivered"
    assert sent < 64 * 1024**2


def test_of_two_workers_one_makes_an_attempt(facility: Facility, receiver: Receiver) -> None:
    receiver.hold()
    subscribe(facility, receiver.url)
    submitted_order(facility)
    first, second = (WebhookSender(facility.services.facility, facility.clock) for _ in range(2))
    facility.services.worker.sweeps[0](facility.clock.now())

    assert first.sweep(facility.clock.now())
    assert not second.sweep(facility.clock.now())

    receiver.release()
    wait_for(lambda: not first.sweep(facility.clock.now()), "the attempt has ended")
    assert len(receiver.received) == 1


def test_an_attempt_whose_worker_died_is_made_again_with_the_same_id(
    facility: Facility, receiver: Receiver
) -> None:
    receiver.hold()
    webhook, _secret = subscribe(facility, receiver.url)
    submitted_order(facility)
    dead, other = (WebhookSender(facility.services.facility, facility.clock) for _ in range(2))
    facility.services.worker.sweeps[0](facility.clock.now())
    dead.sweep(facility.clock.now())
    receiver.release()

    facility.clock.advance(limits.WEBHOOK_LOST_AFTER)
    wait_for(lambda: not other.sweep(facility.clock.now()), "the attempt has ended")

    (shown,) = deliveries(facility, webhook)
    assert (shown["status"], shown["attempts"], receiver.ids) == ("delivered", 2, [shown["id"]] * 2)


def test_a_worker_that_dies_in_each_attempt_does_not_try_for_ever(
    facility: Facility, receiver: Receiver
) -> None:
    webhook, _secret = subscribe(facility, receiver.url)
    submitted_order(facility)
    facility.services.worker.sweeps[0](facility.clock.now())
    WebhookDelivery.update(attempts=MAX_ATTEMPTS).execute()

    work(facility)

    (shown,) = deliveries(facility, webhook)
    assert (shown["status"], receiver.received) == ("failed", [])


def test_deleting_a_webhook_ends_what_waits_for_it(facility: Facility, receiver: Receiver) -> None:
    webhook, _secret = subscribe(facility, receiver.url)
    receiver.status = 500
    submitted_order(facility)
    work(facility)

    assert facility.admin.delete(f"{WEBHOOKS}/{webhook}").status_code == 200
    facility.clock.advance(timedelta(days=1))
    work(facility)

    assert WebhookDelivery.select().count() == 0
    assert len(receiver.received) == 1


def test_the_newest_hundred_are_shown_and_old_ones_go_unless_they_wait(
    facility: Facility, receiver: Receiver
) -> None:
    webhook, _secret = subscribe(facility, receiver.url)
    submitted_order(facility)
    work(facility)
    (row,) = WebhookDelivery.select().dicts()
    now = facility.clock.now()
    for number in range(limits.WEBHOOK_DELIVERIES_SHOWN + 1):
        made = {
            "id": f"{number:026d}",
            "created_at": now + timedelta(seconds=number),
        }
        WebhookDelivery.insert({**row, **made}).execute()
    waiting = {"status": "waiting", "due_at": now + timedelta(days=90), "finished_at": None}
    WebhookDelivery.update(waiting).where(WebhookDelivery.id == f"{7:026d}").execute()

    shown = [one["createdAt"] for one in deliveries(facility, webhook)]
    facility.clock.advance(limits.WEBHOOK_DELIVERY_KEPT + timedelta(hours=2))
    facility.services.worker.tick(facility.clock.now())

    assert (len(shown), shown) == (limits.WEBHOOK_DELIVERIES_SHOWN, sorted(shown, reverse=True))
    assert [one["status"] for one in deliveries(facility, webhook)] == ["waiting"]
