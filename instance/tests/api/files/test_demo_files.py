"""Files in the public demo: generated documents, and no byte from disk."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import DemoWorkspace
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_testkit.facility import Client, Facility, open_facility

DOWNLOADS = {"error": "Downloads are disabled in the public demo."}
FILES = {"error": "File management is disabled in the public demo."}


@pytest.fixture
def demo(facility_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Facility]:
    monkeypatch.setenv("SEQFACILITY_DEMO", "1")
    opened = open_facility(facility_template, tmp_path)
    yield opened
    opened.close()
    assert opened.contract.violations == []


def begin(facility: Facility, word: str) -> Client:
    answer = facility.anonymous.post("/api/demo/session", {"as": word})
    assert answer.status_code == 201, answer.text
    return Client(facility, answer.cookies["service_session"].value)


def test_nothing_is_downloaded_hashed_or_deleted(demo: Facility) -> None:
    for word in ("researcher", "admin"):
        client = begin(demo, word)
        download = client.get("/api/files/download")
        assert (download.status_code, download.json) == (403, DOWNLOADS)
    for path in ("/api/files/checksum", "/api/files/delete"):
        answer = client.post(path, {"filePaths": ["a"]})
        assert (answer.status_code, answer.json) == (403, FILES)


@pytest.mark.parametrize("name", ["report.html", "a.pdf", "a.txt", "a.tsv", "a.csv", "a.log", "a.json"])
def test_an_admin_of_the_demo_sees_a_document_that_names_itself(demo: Facility, name: str) -> None:
    (demo.data / name).write_text("bytes from disk")
    client = begin(demo, "admin")

    got = client.get("/api/files/preview", params={"path": name})

    assert got.status_code == 200
    assert b"demonstration" in got.content
    assert b"bytes from disk" not in got.content
    if name.endswith(".json"):
        assert json.loads(got.content)["name"] == name


def test_a_run_outside_of_the_workspace_stays_closed(demo: Facility) -> None:
    client = begin(demo, "researcher")
    workspace_users = {row.user_id for row in DemoWorkspace.select()}
    runs = [run for run in PipelineRun.select() if run.visible_to_id in workspace_users and run.run_folder]
    foreign = demo.data / "pipeline_runs" / "MAG-20200101-001"
    order = Order.create(order_number="ORD-1", user=demo.researcher_id, form_version=1)
    PipelineRun.create(
        run_number="MAG-20200101-001",
        pipeline_id="mag",
        pipeline_version="1",
        target_type="order",
        order=order.id,
        user=demo.admin_id,
        execution_mode="local",
        run_folder=str(foreign),
    )

    refused = client.get("/api/files/preview", params={"path": f"{foreign}/report.html"})
    shown = [
        client.get("/api/files/preview", params={"path": f"{run.run_folder}/report.html"}).status_code
        for run in runs
    ]

    assert (refused.status_code, refused.json) == (403, {"error": "Forbidden"})
    assert set(shown) <= {200}
    for word in ("researcher", "admin"):
        visitor = begin(demo, word)
        for name in ("x.tsv", "x/y.html", ".x/y.html"):
            texts = []
            for number in ("MAG-20200101-001", "MAG-20200101-999"):  # one is a run, the other is not
                for path in (f"pipeline_runs/{number}/{name}", str(foreign.with_name(number) / name)):
                    got = visitor.get("/api/files/preview", params={"path": path})
                    texts.append((got.status_code, got.text))
            assert texts[:2] == texts[2:], (word, name)
