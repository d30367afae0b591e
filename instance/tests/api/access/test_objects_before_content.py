"""An object of the path comes before what was sent: 404 and 403 before 400, on every route that names one."""

import re

from seqfacility_instance.routes import routes
from seqfacility_testkit.facility import Facility

OWNED = re.compile(r"{(order|sample|study|ticket)_id:id}")
BROKEN = "{"


def unsafe_paths(facility: Facility) -> list[tuple[str, str]]:
    """List each method that may have a body, with unknown ids in its path."""
    return [
        (method, re.sub(r"{\w+:id}", "unknown", route.path))
        for route in routes(facility.services)
        for method in route.access
        if method in {"POST", "PUT", "PATCH"} and OWNED.search(route.path)
    ]


def test_an_unknown_object_is_not_found_whatever_was_sent(facility: Facility) -> None:
    for method, path in unsafe_paths(facility):
        answer = facility.admin.request(method, f"{path}?format=none&after=none", body=BROKEN)

        assert answer.status_code == 404, (method, path, answer.text)


def test_somebody_elses_object_is_forbidden_whatever_was_sent(facility: Facility) -> None:
    order_id = facility.admin.post("/api/orders", {}).json["order"]["id"]
    rows = {"samples": [{"taxId": "562"}]}
    sample_id = facility.admin.post(f"/api/orders/{order_id}/samples", rows).json["samples"][0]["id"]
    study_id = facility.admin.post("/api/studies", {"title": "Soil"}).json["study"]["id"]
    ticket_id = facility.admin.post("/api/tickets", {"subject": "Kits", "body": "Which?"}).json["ticket"][
        "id"
    ]

    for method, path in (
        ("PUT", f"/api/orders/{order_id}"),
        ("POST", f"/api/orders/{order_id}/status"),
        ("POST", f"/api/orders/{order_id}/notes"),
        ("POST", f"/api/orders/{order_id}/samples"),
        ("POST", f"/api/orders/{order_id}/samples/import"),
        ("PUT", f"/api/samples/{sample_id}"),
        ("PUT", f"/api/studies/{study_id}"),
        ("POST", f"/api/studies/{study_id}/samples"),
        ("PATCH", f"/api/tickets/{ticket_id}"),
        ("POST", f"/api/tickets/{ticket_id}/messages"),
    ):
        answer = facility.researcher.request(method, path, body=BROKEN)

        assert (answer.status_code, answer.json) == (403, {"error": "Forbidden"}), (method, path)
