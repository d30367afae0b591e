"""A body may take long to arrive: what an object is then, and whose, decides about the request."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from falcon import testing
from seqfacility_instance.core.vocabulary.orders import OrderStatus
from seqfacility_instance.core.vocabulary.streams import StreamStatus
from seqfacility_instance.orders.errors import SequencingNotAllowed
from seqfacility_instance.tables.messages import Ticket
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.streams import StreamRun
from seqfacility_instance.tables.studies import Study
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.one_of_each import make_one_of_each

READ = {"dataClass": "raw", "note": "why"}
UPLOAD = {"targetKind": "read", "targetRole": "R1", "originalName": "a_R1.fastq.gz", "expectedSize": 10}
OWNED = [
    ("PUT", "/api/orders/{order_id}", {"name": "lake"}),
    ("POST", "/api/orders/{order_id}/status", {"status": "SUBMITTED"}),
    ("POST", "/api/orders/{order_id}/samples", {"samples": [{"sampleAlias": "lake"}]}),
    ("PUT", "/api/samples/{sample_id}", {"sampleAlias": "lake"}),
    ("PUT", "/api/studies/{study_id}", {"title": "Lakes"}),
    ("POST", "/api/studies/{study_id}/samples", {"sampleIds": []}),
    ("PATCH", "/api/tickets/{ticket_id}", {"status": "CLOSED"}),
    ("POST", "/api/tickets/{ticket_id}/messages", {"body": "Still mine?"}),
]
OF_SUBMITTED_ORDERS = [
    ("POST", "/api/orders/{order_id}/sequencing/uploads", UPLOAD, ("sampleId", "sample_id")),
    ("PATCH", "/api/orders/{order_id}/sequencing/reads", READ, ("readId", "read_id")),
    (
        "PUT",
        "/api/orders/{order_id}/sequencing/reads",
        {"assignments": [{"sampleId": "x", "file1": "x.fastq"}]},
        None,
    ),
    ("PATCH", "/api/orders/{order_id}/sequencing/artifacts/{artifact_id}", {"visibility": "customer"}, None),
]


class SlowBody(io.BytesIO):
    """A body during whose arrival something happens."""

    def __init__(self, content: bytes, meanwhile: Callable[[], object]) -> None:
        super().__init__(content)
        self._meanwhile = [meanwhile]

    def read(self, *size: int | None) -> bytes:
        if self._meanwhile:
            self._meanwhile.pop()()
        return super().read(*size)


def send(
    client: Client, method: str, path: str, body: object, meanwhile: Callable[[], object]
) -> tuple[int, Any]:
    """Send a body, during which something happens; return status and answer."""
    content = json.dumps(body).encode()
    environ = testing.create_environ(
        path=path,
        method=method,
        headers={"Cookie": f"service_session={client.cookie}", "Content-Length": str(len(content))},
    )
    environ["wsgi.input"] = SlowBody(content, meanwhile)
    started = testing.StartResponseMock()
    answer = b"".join(client.facility.http.app(environ, started))
    return int(started.status[:3]), json.loads(answer)


@pytest.fixture
def ids(facility: Facility) -> dict[str, str]:
    return make_one_of_each(facility.researcher_id, facility.admin_id, facility.clock.now())


@pytest.mark.parametrize(("method", "path", "body"), OWNED, ids=lambda value: str(value)[:40])
def test_who_loses_an_object_while_sending_changes_nothing_of_it(
    facility: Facility, ids: dict[str, str], method: str, path: str, body: object
) -> None:
    def give_away() -> None:
        for table in (Order, Study, Ticket):
            table.update(user=facility.other_researcher_id).execute()

    Order.update(status=OrderStatus.DRAFT).execute()
    answer = send(facility.researcher, method, path.format(**ids), body, give_away)

    assert answer == (403, {"error": "Forbidden"})


@pytest.mark.parametrize(("method", "path", "body", "named"), OF_SUBMITTED_ORDERS)
def test_an_order_that_returns_to_draft_while_something_is_sent_takes_nothing_in(
    facility: Facility,
    ids: dict[str, str],
    method: str,
    path: str,
    body: dict[str, object],
    named: tuple[str, str] | None,
) -> None:
    sent = {**body, named[0]: ids[named[1]]} if named else body

    status, answer = send(
        facility.admin,
        method,
        path.format(**ids),
        sent,
        lambda: Order.update(status=OrderStatus.DRAFT).execute(),
    )

    assert (status, answer["error"]) == (400, SequencingNotAllowed.message)


def test_a_stream_that_ends_while_its_collection_is_asked_for_is_collected(
    facility: Facility, ids: dict[str, str]
) -> None:
    StreamRun.update(status=StreamStatus.ACTIVE).execute()

    status, answer = send(
        facility.admin,
        "POST",
        "/api/orders/{order_id}/stream/{stream_run_id}/collect".format(**ids),
        {},
        lambda: StreamRun.update(status=StreamStatus.STOPPED).execute(),
    )

    assert (status, answer["success"]) == (202, True)


def test_an_unknown_artifact_is_not_found_whatever_was_sent(facility: Facility, ids: dict[str, str]) -> None:
    path = f"/api/orders/{ids['order_id']}/sequencing/artifacts/unknown"

    answer = facility.admin.request("PATCH", path, body="{")

    assert (answer.status_code, answer.json) == (404, {"error": "Artifact not found"})
