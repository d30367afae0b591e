"""Reports in the browser: who may see them, and what they may do there. And the list of assemblies."""

import html
import re
from pathlib import Path

import pytest
from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.pipelines import Backend, RunStatus, TargetType
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import Assembly
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.sequencing import OrderInHand, submitted_order, upload

PATH = "/api/files/preview"
REPORT = "pipeline_runs/MAG-20260101-001/multiqc/report.html"


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility)


@pytest.fixture
def run(facility: Facility, order: OrderInHand) -> PipelineRun:
    """Return a completed run with a report that nobody has selected."""
    folder = facility.data / "pipeline_runs" / "MAG-20260101-001"
    (folder / "multiqc").mkdir(parents=True)
    (folder / "multiqc" / "report.html").write_text("<script>1</script>")
    return PipelineRun.create(
        run_number="MAG-20260101-001",
        pipeline_id="mag",
        pipeline_version="1",
        status=RunStatus.COMPLETED,
        target_type=TargetType.ORDER,
        order=order.id,
        user=facility.admin_id,
        execution_mode=Backend.LOCAL,
        run_folder=str(folder),
    )


def answer(client: Client, path: str) -> tuple[int, object]:
    got = client.get(PATH, params={"path": path})
    return got.status_code, got.json if got.status_code >= 400 else got.text


@pytest.mark.usefixtures("run")
def test_a_report_runs_in_a_sandbox(facility: Facility) -> None:
    got = facility.admin.get(PATH, params={"path": REPORT})

    assert (got.status_code, got.text) == (200, "<script>1</script>")
    assert got.headers["content-type"] == "text/html; charset=utf-8"
    assert got.headers["content-disposition"] == "inline"
    assert got.headers["cache-control"] == "private, no-store"
    assert got.headers["x-content-type-options"] == "nosniff"
    assert got.headers["content-security-policy"] == (
        "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; "
        "style-src 'unsafe-inline'; img-src data:; font-src data:"
    )


@pytest.mark.usefixtures("run")
def test_a_report_that_is_opened_as_a_page_is_shown_in_a_frame(facility: Facility) -> None:
    got = facility.admin.get(PATH, params={"path": REPORT}, headers={"Sec-Fetch-Dest": "document"})

    assert (got.status_code, got.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert got.headers["content-security-policy"] == (
        "default-src 'none'; frame-src 'self'; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    assert got.headers["cache-control"] == "private, no-store"
    source = re.search('src="([^"]*)" sandbox="allow-scripts"', got.text)
    assert source is not None
    framed = facility.admin.get(PATH + html.unescape(source[1]), headers={"Sec-Fetch-Dest": "iframe"})
    assert (framed.status_code, framed.text) == (200, "<script>1</script>")
    policy = framed.headers["content-security-policy"]
    assert policy.startswith("sandbox allow-scripts; default-src 'none';")
    for directive in ("base-uri 'none'", "form-action 'none'", "frame-ancestors 'self'", "webrtc 'block'"):
        assert directive in policy
    assert framed.headers["connection-allowlist"] == "(response-origin)"


def test_the_name_of_a_report_is_no_markup(facility: Facility) -> None:
    name = '"><script>alert(1)<&.html'
    (facility.data / name).write_text("report")

    got = facility.admin.get(PATH, params={"path": name}, headers={"Sec-Fetch-Dest": "document"})

    assert got.status_code == 200
    assert "<script>" not in got.text


@pytest.mark.parametrize("path", ["no.html", "../x.html", "x.exe", ""])
def test_who_may_not_see_a_report_is_shown_no_frame(facility: Facility, path: str) -> None:
    plain, browser = (
        facility.admin.get(PATH, params={"path": path}, headers=headers)
        for headers in ({}, {"Sec-Fetch-Dest": "document"})
    )

    assert browser.status_code == plain.status_code >= 400
    assert browser.json == plain.json


@pytest.mark.parametrize(
    ("name", "content_type"),
    [
        ("a.htm", "text/html; charset=utf-8"),
        ("a.PDF", "application/pdf"),
        ("a.txt", "text/plain; charset=utf-8"),
        ("a.log", "text/plain; charset=utf-8"),
        ("a.tsv", "text/tab-separated-values; charset=utf-8"),
        ("a.csv", "text/csv; charset=utf-8"),
        ("a.json", "application/json; charset=utf-8"),
    ],
)
def test_the_type_follows_the_extension(facility: Facility, name: str, content_type: str) -> None:
    (facility.data / name).write_text("<b>x</b>")

    got = facility.admin.get(PATH, params={"path": name})

    assert (got.status_code, got.headers["content-type"]) == (200, content_type)


def test_the_checks_come_in_order(facility: Facility) -> None:
    assert answer(facility.anonymous, "") == (401, {"error": "Unauthorized"})
    assert answer(facility.admin, "") == (400, {"error": "path is required"})
    assert answer(facility.admin, "../a.exe") == (400, {"error": "File type not allowed for preview"})
    assert answer(facility.admin, "fastq") == (400, {"error": "File type not allowed for preview"})
    for path in ("../a.html", "/../a.html", "a\0.html", "a\\b.html", ".a.html", "b/.c/a.html"):
        assert answer(facility.admin, path) == (400, {"error": "Invalid file path"}), path
    assert answer(facility.admin, "none.html") == (404, {"error": "File not found"})
    assert answer(facility.admin, "/etc/none.txt") == (404, {"error": "File not found"})
    assert answer(facility.researcher, "none.html") == (403, {"error": "Forbidden"})
    assert answer(facility.researcher, "/etc/none.txt") == (403, {"error": "Forbidden"})
    facility.services.facility.change("storage", {"dataBasePath": None}, facility.clock.now())
    assert answer(facility.admin, "a.html") == (400, {"error": "Data base path not configured"})


def test_a_researcher_sees_the_reports_of_a_selected_run(facility: Facility, run: PipelineRun) -> None:
    assert answer(facility.researcher, REPORT) == (403, {"error": "Forbidden"})

    PipelineRun.update(visible_to=facility.researcher_id).where(PipelineRun.id == run.id).execute()

    assert answer(facility.researcher, REPORT) == (200, "<script>1</script>")
    assert answer(facility.researcher, str(facility.data / REPORT)) == (200, "<script>1</script>")
    assert answer(facility.other_researcher, REPORT) == (403, {"error": "Forbidden"})


def test_a_report_outside_of_the_data_folder_is_found_by_the_number_of_its_run(
    facility: Facility, run: PipelineRun, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "scratch" / run.run_number
    elsewhere.parent.mkdir()
    Path(run.run_folder or "").rename(elsewhere)
    changed = {"run_folder": str(elsewhere), "visible_to": facility.researcher_id}
    PipelineRun.update(**changed).where(PipelineRun.id == run.id).execute()

    shown = f"{run.run_number}/multiqc/report.html"

    assert answer(facility.researcher, shown) == (200, "<script>1</script>")
    assert answer(facility.other_researcher, shown) == (403, {"error": "Forbidden"})
    assert answer(facility.admin, f"{run.run_number}/../{shown}") == (400, {"error": "Invalid file path"})


def test_a_hidden_file_of_a_run_is_invalid_however_it_is_named(facility: Facility, run: PipelineRun) -> None:
    hidden = f"{run.run_folder}/.nextflow/report.html"

    assert answer(facility.admin, hidden) == (400, {"error": "Invalid file path"})


def test_a_link_that_leaves_the_run_folder_leads_nowhere(facility: Facility, run: PipelineRun) -> None:
    (facility.data / "other.html").write_text("x")
    (facility.data / "pipeline_runs" / run.run_number / "out.html").symlink_to("../../other.html")

    assert answer(facility.admin, f"pipeline_runs/{run.run_number}/out.html") == (
        404,
        {"error": "File not found"},
    )


def test_an_artifact_is_shown_once_it_is_published_to_its_customer(
    facility: Facility, order: OrderInHand
) -> None:
    path = upload(
        facility,
        order,
        b"<b>x</b>",
        targetKind="artifact",
        targetRole="qc_report",
        sampleId=None,
        originalName="qc.html",
        metadata={"visibility": "customer"},
    )

    assert answer(facility.researcher, path) == (403, {"error": "Forbidden"})
    Order.update(sequencing_files_published_at=system_now()).where(Order.id == order.id).execute()
    assert answer(facility.researcher, path) == (200, "<b>x</b>")


def test_a_file_of_exactly_100_mib_is_shown_and_a_larger_one_is_not(facility: Facility) -> None:
    for name, size in (("at.txt", 100 * 1024 * 1024), ("above.txt", 100 * 1024 * 1024 + 1)):
        with (facility.data / name).open("wb") as file:
            file.truncate(size)

    at = facility.admin.request("HEAD", PATH, params={"path": "at.txt"})

    assert (at.status_code, at.headers["content-length"]) == (200, "104857600")
    assert answer(facility.admin, "above.txt") == (413, {"error": "File too large to preview"})


def test_assemblies_are_listed_for_whoever_may_download_them(
    facility: Facility, order: OrderInHand, run: PipelineRun
) -> None:
    row = {"sample": order.sample_ids[0], "created_by_pipeline_run": run.id}
    Assembly.create(assembly_name="a", assembly_file="runs/a.fa.gz", size=5, **row)
    Assembly.create(assembly_name="b", assembly_file="/elsewhere/b.fa", **row)

    def listed(client: Client) -> list[tuple[str, bool]]:
        answer = client.get("/api/assemblies", params={"orderId": order.id}).json
        assert answer["total"] == len(answer["assemblies"])
        return [(one["assemblyName"], one["downloadable"]) for one in answer["assemblies"]]

    assert listed(facility.admin) == [("b", False), ("a", True)]
    assert listed(facility.researcher) == []
    facility.services.facility.change("access", {"allowUserAssemblyDownload": True}, facility.clock.now())
    assert listed(facility.researcher) == []
    facility.admin.post(f"/api/orders/{order.id}/status", {"status": "COMPLETED"})
    assert listed(facility.researcher) == [("a", True)]
    assert listed(facility.other_researcher) == []
