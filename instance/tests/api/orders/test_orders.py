"""Orders over HTTP: rights, edits, status, notes, deletion."""

import re
from typing import Any

from falcon.testing import Result
from seqfacility_testkit.facility import Client, Facility


def make_order(client: Client, **body: Any) -> dict[str, Any]:
    answer = client.post("/api/orders", body)
    assert answer.status_code == 201, answer.text
    order: dict[str, Any] = answer.json["order"]
    return order


def make_sample(client: Client, order_id: str, **row: Any) -> dict[str, Any]:
    answer = client.post(f"/api/orders/{order_id}/samples", {"samples": [{"taxId": "562", **row}]})
    assert answer.status_code == 200, answer.text
    sample: dict[str, Any] = answer.json["samples"][-1]
    return sample


def move(client: Client, order_id: str, status: str, **more: Any) -> Result:
    return client.post(f"/api/orders/{order_id}/status", {"status": status, **more})


def make_submitted_order(client: Client) -> dict[str, Any]:
    order = make_order(client)
    make_sample(client, order["id"])
    assert move(client, order["id"], "SUBMITTED").status_code == 200
    return order


def refusal(answer: Result) -> tuple[int, object]:
    return answer.status_code, answer.json


def test_a_new_order_is_a_draft_of_its_creator(facility: Facility) -> None:
    order = make_order(
        facility.researcher, name="  Soil ", platform="ILLUMINA", customFields={"description": "two sites"}
    )

    assert re.fullmatch(rf"ORD-{facility.clock.now():%Y%m%d}-0001", order["orderNumber"])
    assert order["name"] == "Soil"
    assert order["status"] == "DRAFT"
    assert order["userId"] == facility.researcher_id
    assert order["user"]["email"] == "ada@lab.test"
    assert order["customFields"] == {"description": "two sites"}
    assert order["counts"] == {"samples": 0, "reads": 0}
    assert order["formVersion"] == 1
    assert order["notes"] == []


def test_order_numbers_count_up_and_are_not_given_again_after_a_deletion(facility: Facility) -> None:
    first = make_order(facility.researcher)
    assert facility.researcher.delete(f"/api/orders/{first['id']}").json == {"success": True}

    second = make_order(facility.researcher)

    assert first["orderNumber"].endswith("-0001")
    assert second["orderNumber"].endswith("-0002")


def test_an_unknown_order_is_not_found(facility: Facility) -> None:
    for method, path in (("GET", ""), ("PUT", ""), ("DELETE", ""), ("POST", "/status"), ("GET", "/notes")):
        answer = facility.researcher.request(method, f"/api/orders/nobody{path}")

        assert refusal(answer) == (404, {"error": "Sequencing Order not found"})


def test_an_order_of_somebody_else_is_forbidden(facility: Facility) -> None:
    order = make_order(facility.researcher)

    for method, path in (
        ("GET", ""),
        ("PUT", ""),
        ("DELETE", ""),
        ("POST", "/status"),
        ("GET", "/notes"),
        ("POST", "/notes"),
        ("GET", "/samples"),
        ("POST", "/samples"),
    ):
        answer = facility.other_researcher.request(method, f"/api/orders/{order['id']}{path}")

        assert refusal(answer) == (403, {"error": "Forbidden"})


def test_nobody_sees_orders_without_a_session(facility: Facility) -> None:
    assert refusal(facility.anonymous.get("/api/orders")) == (401, {"error": "Unauthorized"})
    assert refusal(facility.anonymous.post("/api/orders", {})) == (401, {"error": "Unauthorized"})


def test_a_researcher_lists_own_orders_and_an_admin_all_newest_first(facility: Facility) -> None:
    mine = make_order(facility.researcher, name="mine")
    theirs = make_order(facility.other_researcher, name="theirs")

    own = facility.researcher.get("/api/orders").json
    every = facility.admin.get("/api/orders").json

    assert [order["id"] for order in own["orders"]] == [mine["id"]]
    assert [order["id"] for order in every["orders"]] == [theirs["id"], mine["id"]]
    assert (every["total"], every["limit"], every["offset"]) == (2, 50, 0)
    assert "notes" not in every["orders"][0]


def test_the_list_is_paged_filtered_and_searched(facility: Facility) -> None:
    for name in ("alpha", "beta", "100%"):
        make_order(facility.researcher, name=name)
    get = facility.researcher.get

    assert len(get("/api/orders", params={"limit": "2"}).json["orders"]) == 2
    assert get("/api/orders", params={"limit": "0", "offset": "-3"}).json["limit"] == 1
    assert get("/api/orders", params={"limit": "9999"}).json["limit"] == 500
    assert get("/api/orders", params={"limit": "many"}).json["limit"] == 50
    assert [order["name"] for order in get("/api/orders", params={"q": "BET"}).json["orders"]] == ["beta"]
    assert [order["name"] for order in get("/api/orders", params={"q": "%"}).json["orders"]] == ["100%"]
    assert get("/api/orders", params={"status": "SUBMITTED"}).json["total"] == 0
    assert get("/api/orders", params={"status": "LOST"}).json == {
        "orders": [],
        "total": 0,
        "limit": 50,
        "offset": 0,
    }


def test_a_put_changes_only_what_is_sent_and_merges_custom_fields(facility: Facility) -> None:
    order = make_order(facility.researcher, name="first", customFields={"description": "x"})
    path = f"/api/orders/{order['id']}"

    facility.researcher.put(path, {"customFields": {"librarySelection": "PCR"}})
    changed = facility.researcher.put(path, {"customFields": {"description": None}, "libraryStrategy": "WGS"})

    assert changed.json["order"]["name"] == "first"
    assert changed.json["order"]["libraryStrategy"] == "WGS"
    assert changed.json["order"]["customFields"] == {"librarySelection": "PCR"}


def test_wrong_types_are_refused_with_their_place(facility: Facility) -> None:
    answer = facility.researcher.post(
        "/api/orders", {"name": 7, "customFields": {"description": 4, "librarySelection": ["PCR"]}}
    )
    assert refusal(answer) == (
        400,
        {"error": "Validation failed", "details": ["name: must be a string"]},
    )

    answer = facility.researcher.post(
        "/api/orders", {"customFields": {"description": 4, "librarySelection": ["PCR"]}}
    )
    assert refusal(answer) == (
        400,
        {
            "error": "Validation failed",
            "details": [
                "customFields.description: must be a string",
                "customFields.librarySelection: must be a string",
            ],
        },
    )
    assert facility.researcher.get("/api/orders").json["total"] == 0


def test_a_body_that_is_no_json_object_is_refused(facility: Facility) -> None:
    assert refusal(facility.researcher.post("/api/orders", body="{")) == (400, {"error": "Invalid JSON body"})
    assert refusal(facility.researcher.post("/api/orders", body="[]")) == (
        400,
        {"error": "Request body must be a JSON object"},
    )


def test_a_stale_save_is_refused_and_the_others_save_stays(facility: Facility) -> None:
    order = make_order(facility.researcher, name="first")
    path = f"/api/orders/{order['id']}"
    facility.admin.put(path, {"name": "second", "baseUpdatedAt": order["updatedAt"]})

    late = facility.researcher.put(path, {"name": "third", "baseUpdatedAt": order["updatedAt"]})

    assert refusal(late) == (409, {"error": "This record was changed by somebody else"})
    assert facility.researcher.get(path).json["order"]["name"] == "second"


def test_a_base_that_is_no_time_is_refused(facility: Facility) -> None:
    order = make_order(facility.researcher)

    answer = facility.researcher.put(f"/api/orders/{order['id']}", {"baseUpdatedAt": "yesterday"})

    assert refusal(answer) == (
        400,
        {"error": "Validation failed", "details": ["baseUpdatedAt: must be an ISO 8601 timestamp"]},
    )


def test_an_admin_names_another_owner_and_a_researcher_cannot(facility: Facility) -> None:
    given = make_order(facility.admin, userId=facility.researcher_id)
    kept = make_order(facility.researcher, userId=facility.admin_id)
    ignored = make_order(facility.researcher, userId=17)

    assert given["userId"] == facility.researcher_id
    assert kept["userId"] == ignored["userId"] == facility.researcher_id
    answer = facility.admin.post("/api/orders", {"userId": "nobody"})
    assert refusal(answer) == (
        400,
        {"error": "Validation failed", "details": ["userId: is not a known user"]},
    )


def test_the_owner_changes_only_a_draft_and_an_admin_any_order(facility: Facility) -> None:
    order = make_submitted_order(facility.researcher)
    path = f"/api/orders/{order['id']}"

    assert refusal(facility.researcher.put(path, {"name": "late"})) == (
        400,
        {"error": "Order can only be changed while it is a draft"},
    )
    assert facility.admin.put(path, {"name": "by admin"}).json["order"]["name"] == "by admin"


def test_a_submission_leaves_a_note_and_moves_the_order(facility: Facility) -> None:
    order = make_order(facility.researcher)
    make_sample(facility.researcher, order["id"])

    moved = move(facility.researcher, order["id"], "SUBMITTED", note="please hurry").json["order"]

    assert moved["status"] == "SUBMITTED"
    assert moved["statusUpdatedAt"] > order["statusUpdatedAt"]
    assert [(note["noteType"], note["content"]) for note in moved["notes"]] == [
        ("STATUS_CHANGE", "please hurry")
    ]
    assert moved["notes"][0]["user"]["id"] == facility.researcher_id


def test_an_unknown_status_is_refused(facility: Facility) -> None:
    order = make_order(facility.researcher)

    for body in ({}, {"status": None}, {"status": "draft"}, {"status": 3}, {"status": ["DRAFT"]}):
        answer = facility.researcher.post(f"/api/orders/{order['id']}/status", body)

        assert refusal(answer) == (400, {"error": "status must be one of: DRAFT, SUBMITTED, COMPLETED"})


def test_only_the_moves_of_the_table_are_possible(facility: Facility) -> None:
    order = make_order(facility.researcher)
    make_sample(facility.researcher, order["id"])

    def refused(client: Client, wanted: str) -> object:
        return refusal(move(client, order["id"], wanted))

    def words(current: str, wanted: str) -> object:
        return 400, {"error": f"Cannot change order status from {current} to {wanted}"}

    assert refused(facility.admin, "COMPLETED") == words("DRAFT", "COMPLETED")
    assert refused(facility.researcher, "DRAFT") == words("DRAFT", "DRAFT")
    move(facility.researcher, order["id"], "SUBMITTED")
    assert refused(facility.researcher, "COMPLETED") == words("SUBMITTED", "COMPLETED")
    assert refused(facility.researcher, "DRAFT") == words("SUBMITTED", "DRAFT")
    assert move(facility.admin, order["id"], "COMPLETED").status_code == 200
    assert refused(facility.admin, "DRAFT") == words("COMPLETED", "DRAFT")
    assert move(facility.admin, order["id"], "SUBMITTED").status_code == 200


def test_a_return_to_draft_needs_a_note(facility: Facility) -> None:
    order = make_submitted_order(facility.researcher)

    assert refusal(move(facility.admin, order["id"], "DRAFT", note="  ")) == (
        400,
        {"error": "A note is required to return an order to draft"},
    )
    back = move(facility.admin, order["id"], "DRAFT", note="wrong tubes").json["order"]
    assert back["status"] == "DRAFT"
    assert back["notes"][0]["content"] == "wrong tubes"


def test_a_return_to_draft_withdraws_the_publication(facility: Facility) -> None:
    order = make_submitted_order(facility.researcher)
    from seqfacility_instance.tables.orders import Order

    Order.update(sequencing_files_published_at=facility.clock.now()).execute()

    back = move(facility.admin, order["id"], "DRAFT", note="wrong tubes").json["order"]

    assert back["sequencingFilesPublishedAt"] is None
    actions = [row["action"] for row in facility.admin.get("/api/admin/audit").json["events"]]
    assert {"unpublished", "order-status-changed"} <= set(actions)


def test_an_order_without_samples_cannot_be_submitted(facility: Facility) -> None:
    order = make_order(facility.researcher)

    assert refusal(move(facility.researcher, order["id"], "SUBMITTED")) == (
        400,
        {"error": "Order cannot be submitted", "details": ["samples: at least one sample is required"]},
    )


def test_a_submission_names_the_field_and_the_sample(facility: Facility) -> None:
    order = make_order(facility.researcher, platform="SANGER", customFields={"librarySelection": "by hand"})
    path = f"/api/orders/{order['id']}/samples"
    facility.researcher.post(path, {"samples": [{"scientificName": "E. coli"}, {"sampleAlias": "b"}]})
    sample = facility.researcher.get(path).json["samples"][1]
    code = sample["sampleId"]

    answer = move(facility.researcher, order["id"], "SUBMITTED")

    assert refusal(answer) == (
        400,
        {
            "error": "Order cannot be submitted",
            "details": [
                "platform: is not one of the options",
                "librarySelection: is not one of the options",
                f"{code}.organism: is required",
            ],
            "sampleProblems": [
                {
                    "sampleId": sample["id"],
                    "sampleCode": code,
                    "sampleAlias": "b",
                    "row": 2,
                    "field": "organism",
                    "message": "is required",
                }
            ],
        },
    )
    assert facility.researcher.get(f"/api/orders/{order['id']}").json["order"]["status"] == "DRAFT"


def test_notes_of_samples_sent_need_a_submitted_order(facility: Facility) -> None:
    order = make_order(facility.researcher)
    path = f"/api/orders/{order['id']}/notes"
    body = {"noteType": "SAMPLES_SENT", "content": "by courier"}

    assert refusal(facility.researcher.post(path, body)) == (400, {"error": "Order is not submitted"})
    make_sample(facility.researcher, order["id"])
    move(facility.researcher, order["id"], "SUBMITTED")
    written = facility.researcher.post(path, body)

    assert written.status_code == 201
    assert written.json["note"]["content"] == "by courier"


def test_internal_notes_are_for_admins_alone(facility: Facility) -> None:
    order = make_order(facility.researcher)
    path = f"/api/orders/{order['id']}/notes"
    facility.admin.post(path, {"noteType": "INTERNAL", "content": "difficult"})

    assert facility.researcher.get(path).json == {"notes": []}
    assert facility.researcher.get(f"/api/orders/{order['id']}").json["order"]["notes"] == []
    assert [note["content"] for note in facility.admin.get(path).json["notes"]] == ["difficult"]
    answer = facility.researcher.post(path, {"noteType": "INTERNAL", "content": "hm"})
    assert refusal(answer) == (
        400,
        {"error": "Validation failed", "details": ["noteType: must be one of: SAMPLES_SENT"]},
    )


def test_a_note_says_something(facility: Facility) -> None:
    order = make_order(facility.researcher)

    answer = facility.admin.post(f"/api/orders/{order['id']}/notes", {"noteType": "INTERNAL", "content": " "})

    assert refusal(answer) == (
        400,
        {"error": "Validation failed", "details": ["content: must not be empty"]},
    )


def test_a_draft_is_deleted_with_its_samples(facility: Facility) -> None:
    order = make_order(facility.researcher)
    sample = make_sample(facility.researcher, order["id"])

    assert facility.researcher.delete(f"/api/orders/{order['id']}").json == {"success": True}

    assert facility.researcher.get(f"/api/orders/{order['id']}").status_code == 404
    assert facility.researcher.get(f"/api/samples/{sample['id']}").status_code == 404


def test_a_submitted_order_is_deleted_only_by_an_admin_who_may(facility: Facility) -> None:
    order = make_submitted_order(facility.researcher)
    path = f"/api/orders/{order['id']}"
    refused = (400, {"error": "Only draft orders can be deleted"})

    assert refusal(facility.researcher.delete(path)) == refused
    assert refusal(facility.admin.delete(path)) == refused
    facility.admin.patch("/api/admin/settings/access", {"allowDeleteSubmittedOrders": True})
    assert refusal(facility.researcher.delete(path)) == refused
    assert facility.admin.delete(path).json == {"success": True}


def test_an_order_with_sequencing_data_is_not_deleted(facility: Facility) -> None:
    order = make_order(facility.researcher)
    from seqfacility_instance.tables.streams import StreamRun

    StreamRun.create(order=order["id"], output_dir="/sequencer/run1")

    assert refusal(facility.researcher.delete(f"/api/orders/{order['id']}")) == (
        409,
        {"error": "Order has sequencing data"},
    )


def test_researchers_neither_see_nor_change_the_fields_of_admins(facility: Facility) -> None:
    order = make_order(facility.researcher, customFields={"facilityNotes": "mine", "description": "d"})
    path = f"/api/orders/{order['id']}"
    facility.admin.put(path, {"customFields": {"facilityNotes": "secret", "unlisted": [1]}})

    seen = facility.researcher.put(path, {"customFields": {"facilityNotes": None, "unlisted": None}})

    assert seen.json["order"]["customFields"] == {"description": "d"}
    assert facility.admin.get(path).json["order"]["customFields"] == {
        "facilityNotes": "secret",
        "description": "d",
        "unlisted": [1],
    }
    listed = facility.researcher.get("/api/orders").json["orders"][0]
    assert listed["customFields"] == {"description": "d"}


def test_an_answer_with_a_column_is_ignored_inside_the_custom_fields(facility: Facility) -> None:
    order = make_order(facility.admin, name="real", customFields={"name": "fake", "platform": "x"})

    assert order["name"] == "real"
    assert order["platform"] is None
    assert order["customFields"] == {}


def test_a_record_has_at_most_two_hundred_custom_keys(facility: Facility) -> None:
    keys = {f"key{number}": "x" for number in range(200)}
    order = make_order(facility.admin, customFields=keys)

    answer = facility.admin.put(f"/api/orders/{order['id']}", {"customFields": {"oneMore": "x"}})

    assert refusal(answer) == (
        400,
        {"error": "Validation failed", "details": ["customFields: must have at most 200 keys"]},
    )


def ask_for_project(facility: Facility) -> None:
    base = {"type": "text", "label": "x"}
    fields = [
        {**base, "id": "a", "name": "project", "order": 0},
        {**base, "id": "b", "name": "margin", "order": 1, "adminOnly": True},
        {**base, "id": "c", "name": "depth", "order": 2, "perSample": True},
    ]
    answer = facility.admin.put("/api/admin/form-config", {"fields": fields, "groups": []})
    assert answer.status_code == 200, answer.text


def test_keys_that_an_order_does_not_have_are_told_and_ignored(facility: Facility) -> None:
    ask_for_project(facility)
    answers = {"project": "p", "projct": "q", "margin": "m", "depth": "d", "gone": None}
    told = [
        "title: is not a known key",
        "customFields.projct: is not a field that is asked for",
        "customFields.margin: is not a field that is asked for",
        "customFields.depth: is not a field that is asked for",
    ]

    made = facility.researcher.post("/api/orders", {"title": "x", "customFields": answers})
    changed = facility.researcher.put(
        f"/api/orders/{made.json['order']['id']}", {"title": "x", "customFields": answers}
    )

    assert (made.status_code, changed.status_code) == (201, 200)
    assert made.json["warnings"] == changed.json["warnings"] == told
    assert changed.json["order"]["customFields"] == {"project": "p"}


def test_an_order_sent_back_as_it_came_is_not_warned_of(facility: Facility) -> None:
    ask_for_project(facility)
    kept = facility.admin.post(
        "/api/orders", {"userId": facility.researcher_id, "customFields": {"older": "x", "margin": "m"}}
    )

    assert kept.json["warnings"] == ["customFields.older: is not a field that is asked for"]
    for client in (facility.researcher, facility.admin):
        order = client.get(f"/api/orders/{kept.json['order']['id']}").json["order"]
        answer = client.put(f"/api/orders/{order['id']}", order)
        assert (answer.status_code, "warnings" in answer.json) == (200, False)
