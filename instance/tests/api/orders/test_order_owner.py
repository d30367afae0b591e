"""An order changes hands: what goes along, who is told, what keeps it where it is."""

import threading
from typing import Any

import pytest
from falcon.testing import Result
from peewee import SqliteDatabase
from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_instance.studies.store import lock_studies_of_order
from seqfacility_instance.tables.base import database, locked
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.people import AuditEvent, User
from seqfacility_instance.tables.sequencing import DeliveryLink
from seqfacility_instance.tables.studies import Study
from seqfacility_testkit.facility import OTHER_RESEARCHER, Client, Facility
from seqfacility_testkit.one_of_each import make_one_of_each
from seqfacility_testkit.waiting import wait_until


@pytest.fixture
def ids(facility: Facility) -> dict[str, str]:
    facility.services.facility.change_modules({ModuleId.NOTIFICATIONS: True}, None, facility.clock.now())
    return make_one_of_each(facility.researcher_id, facility.admin_id, facility.clock.now())


def give(facility: Facility, order_id: str, user_id: object) -> Result:
    return facility.admin.post(f"/api/orders/{order_id}/owner", {"userId": user_id})


def titles(client: Client) -> list[str]:
    return [told["title"] for told in client.get("/api/notifications").json["notifications"]]


def changes(order_id: str) -> list[dict[str, Any]]:
    rows = AuditEvent.select().where(
        (AuditEvent.action == "order-owner-changed") & (AuditEvent.object_id == order_id)
    )
    return [row.detail for row in rows]


def other_order_in(facility: Facility, study_id: str) -> None:
    """Put a sample of another order of the researcher into a study."""
    order_id = facility.researcher.post("/api/orders", {}).json["order"]["id"]
    rows = {"samples": [{"taxId": "562"}]}
    sample = facility.researcher.post(f"/api/orders/{order_id}/samples", rows).json["samples"][0]
    added = facility.researcher.post(f"/api/studies/{study_id}/samples", {"sampleIds": [sample["id"]]})
    assert added.status_code == 200, added.text


def test_an_order_goes_to_its_new_owner_with_samples_study_and_run(
    facility: Facility, ids: dict[str, str]
) -> None:
    given = give(facility, ids["order_id"], facility.other_researcher_id)

    assert given.status_code == 200, given.text
    assert given.json["order"]["userId"] == facility.other_researcher_id
    places = [
        f"/api/orders/{ids['order_id']}",
        f"/api/samples/{ids['sample_id']}",
        f"/api/studies/{ids['study_id']}",
        f"/api/pipelines/runs/{ids['run_id']}",
    ]
    assert {facility.researcher.get(place).status_code for place in places} == {403}
    assert {facility.other_researcher.get(place).status_code for place in places[:3]} == {200}
    order = facility.admin.get(f"/api/orders/{ids['order_id']}").json["order"]
    assert changes(ids["order_id"]) == [
        {
            "orderNumber": order["orderNumber"],
            "before": facility.researcher_id,
            "after": facility.other_researcher_id,
            "studies": [ids["study_id"]],
            "revokedLinks": DeliveryLink.select().count(),
        }
    ]


def test_both_people_are_told_once_and_only_the_new_owner_with_the_order(
    facility: Facility, ids: dict[str, str]
) -> None:
    give(facility, ids["order_id"], facility.other_researcher_id)

    number = facility.admin.get(f"/api/orders/{ids['order_id']}").json["order"]["orderNumber"]
    assert titles(facility.researcher) == [f"Order {number} belongs to somebody else now"]
    assert titles(facility.other_researcher) == [f"Order {number} is yours now"]
    assert titles(facility.admin) == []
    (told,) = facility.researcher.get("/api/notifications").json["notifications"]
    assert told["orderId"] is None


def test_links_of_the_former_owner_end(facility: Facility, ids: dict[str, str]) -> None:
    address = f"/d/{ids['token']}/checksums.md5"
    assert facility.anonymous.get(address).status_code != 404

    give(facility, ids["order_id"], facility.other_researcher_id)

    assert facility.anonymous.get(address).status_code == 404


def test_a_study_with_samples_of_other_orders_keeps_the_order_until_it_is_given_itself(
    facility: Facility, ids: dict[str, str]
) -> None:
    other_order_in(facility, ids["study_id"])

    refused = give(facility, ids["order_id"], facility.other_researcher_id)
    by_edit = facility.admin.put(
        f"/api/orders/{ids['order_id']}", {"userId": facility.other_researcher_id, "name": "Lake"}
    )

    assert refused.status_code == by_edit.status_code == 409
    assert refused.json == {
        "error": "Samples of this order share a study with samples of other orders."
        " Give the study to the new owner first, or take the samples out of it",
        "details": ["A study"],
    }
    assert facility.researcher.get(f"/api/orders/{ids['order_id']}").json["order"]["name"] is None
    assert changes(ids["order_id"]) == []

    facility.admin.put(f"/api/studies/{ids['study_id']}", {"userId": facility.other_researcher_id})
    assert give(facility, ids["order_id"], facility.other_researcher_id).status_code == 200


def test_only_an_active_account_outside_the_demo_gets_an_order(
    facility: Facility, ids: dict[str, str]
) -> None:
    visitor = User.create(email="visitor@demo", password_hash="", first_name="V", last_name="D", is_demo=True)
    facility.admin.patch(f"/api/admin/users/{facility.other_researcher_id}", {"isActive": False})

    for user_id in (facility.other_researcher_id, visitor.id, "nobody", OTHER_RESEARCHER, "\0"):
        answer = give(facility, ids["order_id"], user_id)
        assert answer.status_code == 400, (user_id, answer.text)
        assert answer.json["error"] == "Validation failed"
    assert give(facility, "nothing", facility.admin_id).json == {"error": "Sequencing Order not found"}
    assert give(facility, ids["order_id"], 7).json["details"] == ["userId: must be a string"]
    assert changes(ids["order_id"]) == []


def test_giving_an_order_to_its_owner_changes_nothing(facility: Facility, ids: dict[str, str]) -> None:
    before = facility.admin.get(f"/api/orders/{ids['order_id']}").json["order"]

    assert give(facility, ids["order_id"], facility.researcher_id).json["order"] == before
    assert changes(ids["order_id"]) == []


def test_an_edit_that_names_another_owner_is_audited_and_hands_over_as_well(
    facility: Facility, ids: dict[str, str]
) -> None:
    answer = facility.admin.put(f"/api/orders/{ids['order_id']}", {"userId": facility.other_researcher_id})

    assert answer.status_code == 200, answer.text
    assert facility.other_researcher.get(f"/api/studies/{ids['study_id']}").status_code == 200
    assert [change["after"] for change in changes(ids["order_id"])] == [facility.other_researcher_id]


def test_an_edit_that_began_before_the_order_changed_hands_changes_nothing(
    facility: Facility, ids: dict[str, str]
) -> None:
    seen = facility.admin.get(f"/api/orders/{ids['order_id']}").json["order"]["updatedAt"]

    give(facility, ids["order_id"], facility.other_researcher_id)

    late = facility.admin.put(f"/api/orders/{ids['order_id']}", {"name": "Late", "baseUpdatedAt": seen})
    assert late.status_code == 409


def test_a_change_of_owner_that_waits_for_a_study_holds_no_sample(
    facility: Facility, ids: dict[str, str]
) -> None:
    """Who puts samples into a study locks the study first, too; on SQLite a transaction is alone."""
    order = Order.get_by_id(ids["order_id"])
    found: list[str] = []

    def other() -> None:
        with database.connection_context(), database.atomic():
            studies, _shared = lock_studies_of_order(order, facility.other_researcher_id)
            found.extend(study.id for study in studies)

    thread = threading.Thread(target=other)
    with database.atomic():
        list(locked(Study.select().where(Study.id == ids["study_id"])))
        thread.start()
        if not isinstance(database.obj, SqliteDatabase):
            waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
            wait_until(lambda: database.execute_sql(waiting).fetchone()[0] > 0, "it waits for the study")
        samples = Sample.select(Sample.id).where(Sample.order == order.id)
        free = [sample.id for sample in locked(samples, skips_held=True)]
    thread.join()

    assert free == [ids["sample_id"]]
    assert found == [ids["study_id"]]
