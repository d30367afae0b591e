"""The public demo: a workspace of one's own, scoped, unchangeable, and gone after its life."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from seqfacility_instance.tables.all_tables import ALL_TABLES
from seqfacility_instance.tables.live import LiveChange
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.people import DemoWorkspace, Session, User
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.sequencing import Read
from seqfacility_instance.tables.streams import StreamRun
from seqfacility_instance.tables.studies import Study
from seqfacility_testkit.facility import RESEARCHER, Client, Facility, open_facility

START = "/api/demo/session"


@pytest.fixture
def demo(facility_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Facility]:
    monkeypatch.setenv("SEQFACILITY_DEMO", "1")
    opened = open_facility(facility_template, tmp_path)
    yield opened
    opened.close()
    assert opened.contract.violations == []


def begin(facility: Facility, word: str, before: Client | None = None) -> Client:
    answer = (before or facility.anonymous).post(START, {"as": word})
    assert answer.status_code == 201, answer.text
    return Client(facility, answer.cookies["service_session"].value)


def everything(facility: Facility) -> dict[str, int]:
    """Count all rows but those that only say, for half an hour, that something changed."""
    return {table.__name__: table.select().count() for table in ALL_TABLES if table is not LiveChange}


def test_without_the_switch_there_is_no_demo(facility: Facility) -> None:
    answer = facility.anonymous.post(START, {"as": "admin"})

    assert (answer.status_code, answer.json) == (404, {"error": "Not found"})


@pytest.mark.parametrize("word", [None, "", "king", "ADMIN", ["admin"], 5])
def test_another_role_is_refused(demo: Facility, word: object) -> None:
    answer = demo.anonymous.post(START, {"as": word})

    assert (answer.status_code, answer.json) == (400, {"error": "as must be researcher or admin"})


def test_a_visitor_is_signed_in_for_six_hours(demo: Facility) -> None:
    answer = demo.anonymous.post(START, {"as": "researcher"})

    user = answer.json["user"]
    assert (user["role"], user["isDemo"]) == ("RESEARCHER", True)
    assert "HttpOnly" in answer.headers["set-cookie"]
    visitor = Client(demo, answer.cookies["service_session"].value)
    assert visitor.get("/api/auth/session").json == {"user": user, "expiresAt": answer.json["expiresAt"]}
    demo.clock.advance(timedelta(hours=6))
    assert visitor.get("/api/modules").status_code == 401


def test_a_live_demo_cookie_keeps_its_workspace_and_changes_the_role(demo: Facility) -> None:
    researcher = begin(demo, "researcher")
    orders = researcher.get("/api/orders").json["orders"]

    admin = begin(demo, "admin", researcher)

    assert admin.get("/api/orders").json["orders"] == orders
    assert admin.get("/api/auth/session").json["user"]["role"] == "FACILITY_ADMIN"
    assert researcher.get("/api/modules").status_code == 401
    assert DemoWorkspace.select().count() == 1


def test_a_real_session_ends_where_a_demo_begins(demo: Facility) -> None:
    visitor = begin(demo, "admin", demo.researcher)

    assert demo.researcher.get("/api/modules").status_code == 401
    assert visitor.get("/api/auth/session").json["user"]["isDemo"] is True


def test_a_workspace_tells_a_whole_story(demo: Facility) -> None:
    admin = begin(demo, "admin")
    researcher = begin(demo, "researcher", admin)

    orders = researcher.get("/api/orders").json["orders"]
    assert sorted(order["status"] for order in orders) == ["COMPLETED", "DRAFT", "SUBMITTED"]
    delivered = next(order for order in orders if order["status"] == "COMPLETED")
    assert delivered["counts"] == {"samples": 4, "reads": 4}
    assert researcher.get("/api/studies").json["total"] == 1
    runs = researcher.get("/api/pipelines/runs").json["runs"]
    assert [run["pipelineId"] for run in runs] == ["reads-qc"]
    assert runs[0]["status"] == "completed"
    detail = researcher.get(f"/api/pipelines/runs/{runs[0]['id']}")
    assert detail.status_code == 200, detail.text
    log = researcher.get(f"/api/pipelines/runs/{runs[0]['id']}/logs").json
    assert "public demo" in log["content"]


def test_a_demo_admin_sees_its_own_workspace_only(demo: Facility) -> None:
    demo.researcher.post("/api/orders", {"name": "real"})
    first, second = begin(demo, "admin"), begin(demo, "admin")

    orders = first.get("/api/orders").json["orders"]
    foreign = second.get("/api/orders").json["orders"][0]["id"]

    assert len(orders) == 3
    assert "real" not in {order["name"] for order in orders}
    assert {user["isDemo"] for user in first.get("/api/admin/users").json["users"]} == {True}
    assert first.get("/api/admin/users").json["total"] == 2
    assert first.get("/api/pipelines/runs").json["total"] == 2
    assert first.get(f"/api/orders/{foreign}").json == {"error": "Sequencing Order not found"}
    assert first.get("/api/admin/audit").json["total"] == 0
    assert RESEARCHER not in first.get("/api/admin/users").text


def test_nobody_else_sees_the_rows_of_the_demo(demo: Facility) -> None:
    visitor = begin(demo, "admin")
    order = visitor.get("/api/orders").json["orders"][0]["id"]
    run = visitor.get("/api/pipelines/runs").json["runs"][0]["id"]

    assert demo.admin.get("/api/orders").json["total"] == 0
    assert demo.admin.get("/api/samples").json["total"] == 0
    assert demo.admin.get("/api/studies").json["total"] == 0
    assert demo.admin.get("/api/pipelines/runs").json["total"] == 0
    assert demo.admin.get("/api/admin/users").json["total"] == 3
    assert demo.admin.get(f"/api/orders/{order}").status_code == 404
    assert demo.admin.get(f"/api/pipelines/runs/{run}").status_code == 404


def test_a_stream_run_can_be_watched(demo: Facility) -> None:
    visitor = begin(demo, "admin")
    run = StreamRun.get()

    rows: list[dict[str, Any]] = visitor.get(f"/api/orders/{run.order_id}/stream").json["runs"]
    by_barcode = visitor.get(f"/api/orders/{run.order_id}/stream/{run.id}/by-barcode").json["barcodes"]
    events = visitor.get(f"/api/orders/{run.order_id}/stream/{run.id}/events").json["events"]

    assert [row["status"] for row in rows] == ["STOPPED"]
    assert sum(row["totalReads"] for row in by_barcode) == rows[0]["totalReads"] == run.total_reads
    assert [event["kind"] for event in events] == [
        "RUN_STOPPED", *["FILE_INGESTED"] * 4, "RUN_STARTED",
    ]  # fmt: skip


def test_a_report_is_a_stand_in(demo: Facility) -> None:
    visitor = begin(demo, "researcher")
    run = visitor.get("/api/pipelines/runs").json["runs"][0]
    report = run["primaryResultFile"]["path"]

    answer = visitor.get("/api/files/preview", params={"path": report})

    assert answer.status_code == 200
    assert "demo" in answer.text.lower()


def test_a_demo_changes_nothing(demo: Facility) -> None:
    visitor = begin(demo, "admin")
    order = visitor.get("/api/orders").json["orders"][0]["id"]
    before = everything(demo)

    for method, path in (
        ("POST", "/api/orders"),
        ("PUT", f"/api/orders/{order}"),
        ("DELETE", f"/api/orders/{order}"),
        ("POST", "/api/tickets"),
        ("PATCH", "/api/admin/settings/access"),
        ("PUT", "/api/user/profile"),
        ("POST", "/api/register"),
    ):
        answer = visitor.request(method, path, json={"name": "x", "siteName": "x"})
        assert (answer.status_code, "public demo" in answer.text) == (403, True), path
    assert everything(demo) == before


def test_visitors_of_one_address_are_bounded(demo: Facility) -> None:
    for _ in range(60):
        demo.anonymous.post(START, {"as": "king"})

    refused = demo.anonymous.post(START, {"as": "admin"})

    assert (refused.status_code, refused.json) == (429, {"error": "Too many requests"})


def test_an_expired_workspace_leaves_nothing_behind(demo: Facility) -> None:
    demo.researcher.post("/api/orders", {"name": "real"})
    before = everything(demo)
    begin(demo, "researcher")
    begin(demo, "admin")
    assert Read.select().count() == 8

    demo.clock.advance(timedelta(hours=6))
    while demo.services.worker.tick(demo.clock.now()):
        pass

    after = everything(demo)
    counted = {
        "ThrottleAttempt",
        "OrderNumberCounter",
        "RunNumberCounter",
        "NamedLease",
        "AuditCheck",
        "RegistryPoll",
    }
    assert {name: n for name, n in after.items() if name not in counted} == {
        name: n for name, n in before.items() if name not in counted
    }
    assert not User.select().where(User.is_demo).exists()
    assert [order.name for order in Order.select()] == ["real"]


def test_a_live_workspace_is_left_alone(demo: Facility) -> None:
    begin(demo, "researcher")
    demo.clock.advance(timedelta(hours=5, minutes=59))

    demo.services.worker.tick(demo.clock.now())

    assert DemoWorkspace.select().count() == 1
    assert (Sample.select().count(), Study.select().count(), PipelineRun.select().count()) == (7, 1, 2)
    assert Session.select().where(Session.demo_workspace.is_null(False)).count() == 1


def test_nobody_signs_in_to_a_demo_account(demo: Facility) -> None:
    begin(demo, "admin")
    email = User.get(User.is_demo).email

    answer = demo.anonymous.post("/api/auth/sign-in", {"email": email, "password": "!"})

    assert (answer.status_code, answer.json) == (401, {"error": "Invalid email or password"})


def test_a_visitor_is_told_no_folder_of_the_server(demo: Facility) -> None:
    admin = begin(demo, "admin")
    listed = admin.get("/api/orders").json["orders"]
    runs = admin.get("/api/pipelines/runs").json["runs"]
    paths = [
        "/api/admin/settings",
        "/api/admin/health",
        "/api/admin/pipelines",
        "/api/admin/pipelines/readiness",
        "/api/admin/databases",
        "/api/pipelines/runs",
        *(f"/api/orders/{order['id']}/{part}" for order in listed for part in ("stream", "sequencing")),
        *(f"/api/pipelines/runs/{run['id']}{part}" for run in runs for part in ("", "/logs", "/evidence")),
    ]

    for path in paths:
        answer = admin.get(path)
        assert answer.status_code == 200, (path, answer.text)
        assert str(demo.home) not in answer.text, path
    streams = [admin.get(f"/api/orders/{order['id']}/stream").json["runs"] for order in listed]
    assert [run["outputDir"] for found in streams for run in found]
    assert demo.admin.get("/api/admin/settings").json["sections"]["storage"]["dataBasePath"]


def test_a_visitor_sees_neither_providers_nor_where_the_audit_goes(demo: Facility) -> None:
    one = {"id": "institute", "name": "Institute", "issuer": "https://id.example.org", "clientId": "inner"}
    assert demo.admin.patch("/api/admin/settings/signIn", {"oidcProviders": [one]}).status_code == 200
    assert demo.admin.patch("/api/admin/settings/audit", {"syslog": "log.inner.test:514"}).status_code == 200

    seen = begin(demo, "admin").get("/api/admin/settings").json["sections"]

    assert seen["signIn"] == {"oidcProviders": []}
    assert seen["audit"] == {"keepDays": None, "headFile": None, "syslog": None}
