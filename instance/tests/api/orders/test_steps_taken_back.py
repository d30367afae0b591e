"""A step that was noted by mistake is taken back by who noted it, while it is a slip and no history."""

from datetime import timedelta

import pytest
from seqfacility_instance.core.vocabulary.orders import NoteType
from seqfacility_instance.orders.rules import NOTE_TAKEN_BACK
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.sequencing import OrderInHand, submitted_order

KEPT = (409, {"error": "Only who recorded a step can take it back, for 10 minutes"})
MISSING = (404, {"error": "Note not found"})


def noted(client: Client, order: OrderInHand, note_type: NoteType) -> str:
    """Write a note; return where it is."""
    body = {"noteType": note_type.value, "content": "as agreed"}
    answer = client.post(f"/api/orders/{order.id}/notes", body)
    assert answer.status_code == 201, answer.text
    return f"/api/orders/{order.id}/notes/{answer.json['note']['id']}"


def step(facility: Facility, order: OrderInHand) -> str:
    what: str = facility.admin.get(f"/api/orders/{order.id}").json["order"]["next"]["what"]
    return what


@pytest.mark.parametrize(
    ("before", "note_type"),
    [("ACCEPT", NoteType.ORDER_ACCEPTED), ("ACCEPT", NoteType.SAMPLES_RECEIVED)],
)
def test_a_step_is_taken_back_and_the_order_is_where_it_was(
    facility: Facility, before: str, note_type: NoteType
) -> None:
    order = submitted_order(facility)
    note = noted(facility.admin, order, note_type)
    assert step(facility, order) != before

    answer = facility.admin.delete(note)

    assert (answer.status_code, answer.json) == (200, {"success": True})
    assert step(facility, order) == before
    again = facility.admin.delete(note)
    assert (again.status_code, again.json) == MISSING


def test_a_researcher_takes_back_that_samples_were_sent(facility: Facility) -> None:
    order = submitted_order(facility)
    sent = noted(facility.researcher, order, NoteType.SAMPLES_SENT)

    refused = facility.admin.delete(sent)
    assert (refused.status_code, refused.json) == KEPT

    assert facility.researcher.delete(sent).status_code == 200


def test_a_recent_step_is_taken_back_and_an_older_one_is_kept(facility: Facility) -> None:
    order = submitted_order(facility)
    old = noted(facility.admin, order, NoteType.ORDER_ACCEPTED)
    facility.clock.advance(timedelta(minutes=2))
    young = noted(facility.admin, order, NoteType.SAMPLES_RECEIVED)
    facility.clock.advance(NOTE_TAKEN_BACK - timedelta(minutes=1))

    refused = facility.admin.delete(old)

    assert (refused.status_code, refused.json) == KEPT
    assert facility.admin.delete(young).status_code == 200


def test_a_note_that_is_no_step_is_kept_and_an_internal_one_is_not_there_for_a_researcher(
    facility: Facility,
) -> None:
    order = submitted_order(facility)
    internal = noted(facility.admin, order, NoteType.INTERNAL)

    for client, answer in ((facility.admin, KEPT), (facility.researcher, MISSING)):
        refused = client.delete(internal)
        assert (refused.status_code, refused.json) == answer


def test_a_note_of_another_order_is_not_found(facility: Facility) -> None:
    order, other = submitted_order(facility), submitted_order(facility)
    note = noted(facility.admin, order, NoteType.ORDER_ACCEPTED).rsplit("/", 1)[1]

    answer = facility.admin.delete(f"/api/orders/{other.id}/notes/{note}")

    assert (answer.status_code, answer.json) == MISSING
