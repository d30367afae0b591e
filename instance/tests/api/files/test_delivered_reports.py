"""The reports of selected runs are part of a delivery, and stay files of their runs."""

import hashlib
import io
import zipfile
from pathlib import Path

import pytest
from seqfacility_client.bodies import read_delivery
from seqfacility_client.rules.fetching import local_places
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import PipelineArtifact
from seqfacility_instance.tables.sequencing import FileDigest
from seqfacility_instance.tables.site import BackgroundJob
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.pipeline_runs import RUNS, start, status_of, tick, use_scripted_executor
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order, upload
from seqfacility_workflow_runtime.run_folder import RunFolder

REPORT = b"<!DOCTYPE html><p>good reads</p>"
TABLE = b"sample\treads\n"
MD5 = hashlib.md5(REPORT, usedforsecurity=False).hexdigest()


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    """Return a published order with a cleaned read."""
    order = submitted_order(facility)
    upload(facility, order, metadata={"dataClass": "cleaned"})
    assert facility.admin.put(f"{delivery_path(order)}/publication").status_code == 200
    return order


def delivery_path(order: OrderInHand) -> str:
    return f"/api/orders/{order.id}/sequencing/delivery"


def reported(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, pipeline_id: str = "reads-qc"
) -> tuple[str, RunFolder]:
    """Carry a run that leaves a report and a table to its good end; return its id and folder."""
    created = facility.admin.post(RUNS, {"pipelineId": pipeline_id, "orderId": order.id})
    assert created.status_code == 200, created.text
    run_id = created.json["run"]["id"]
    folder = start(facility, run_id)
    folder.output.mkdir(parents=True, exist_ok=True)
    (folder.output / "report.html").write_bytes(REPORT)
    (folder.output / "reads-qc.tsv").write_bytes(TABLE)
    (folder.output / "samples").mkdir()
    for code in order.sample_codes:
        (folder.output / f"samples/{code}.qc.tsv").write_text("sample\treadCount1\nx\t2\n")
    scripted.finish(folder, 0)
    tick(facility)
    assert status_of(facility, run_id) == "completed", facility.admin.get(f"{RUNS}/{run_id}").text
    return run_id, folder


def select(facility: Facility, run_id: str) -> None:
    assert facility.admin.put(f"{RUNS}/{run_id}/selection").status_code == 200


def reports_of(client: Client, order: OrderInHand) -> list[dict[str, object]]:
    found: list[dict[str, object]] = client.get(delivery_path(order)).json["delivery"]["reportFiles"]
    return found


def archived(client: Client, order: OrderInHand) -> dict[str, bytes]:
    """Fetch the archive; return what lies below `reports/`."""
    answer = client.get(f"{delivery_path(order)}/archive.zip")
    assert answer.status_code == 200, answer.text
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist() if name.startswith("reports/")}


def test_a_delivery_holds_the_reports_of_selected_runs(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = reported(facility, scripted, order)
    number = folder.path.name
    select(facility, run_id)
    facility.services.worker.tick(facility.clock.now())

    report, table = reports_of(facility.researcher, order)
    manifest = facility.researcher.get(f"{delivery_path(order)}/manifest.tsv").text.splitlines()
    checksums = facility.researcher.get(f"{delivery_path(order)}/checksums.md5").text.splitlines()

    assert {key: report[key] for key in ("name", "size", "checksumComputed", "runId", "runNumber")} == {
        "name": "report.html",
        "size": len(REPORT),
        "checksumComputed": MD5,
        "runId": run_id,
        "runNumber": number,
    }
    assert (report["pipelineId"], report["sampleCode"]) == ("reads-qc", None)
    assert table["name"] == "reads-qc.tsv"
    assert archived(facility.researcher, order) == {
        f"reports/{number}/report.html": REPORT,
        f"reports/{number}/reads-qc.tsv": TABLE,
    }
    line = f"\t\treports/{number}/report.html\tqc_report\t\t{len(REPORT)}\t\t{MD5}\tyes"
    assert line in manifest
    assert f"{MD5}  reports/{number}/report.html" in checksums


def test_a_report_of_one_sample_lies_in_a_folder_of_its_code(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = reported(facility, scripted, order)
    PipelineArtifact.update(sample=order.sample_ids[0]).where(
        PipelineArtifact.name == "report.html"
    ).execute()
    select(facility, run_id)

    names = archived(facility.researcher, order)

    assert f"reports/{folder.path.name}/{order.sample_codes[0]}/report.html" in names


def test_the_reports_follow_the_selection_of_now(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    first, _ = reported(facility, scripted, order)
    second, folder = reported(facility, scripted, order)
    unselected = reports_of(facility.researcher, order)
    select(facility, first)
    [early, _] = reports_of(facility.researcher, order)
    select(facility, second)

    [late, _] = reports_of(facility.researcher, order)
    gone = facility.researcher.get(f"{delivery_path(order)}/reports/{early['id']}")
    facility.admin.delete(f"{RUNS}/{second}/selection")

    assert unselected == []
    assert (early["runId"], late["runId"]) == (first, second)
    assert (gone.status_code, gone.json) == (404, {"error": "Report not found"})
    assert reports_of(facility.admin, order) == []
    assert archived(facility.admin, order) == {}
    assert (folder.output / "report.html").read_bytes() == REPORT


def test_a_selection_that_changes_makes_another_archive(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    begun = facility.researcher.get(delivery_path(order)).json["delivery"]["archive"]
    run_id, _ = reported(facility, scripted, order)

    before = facility.researcher.get(begun).status_code
    select(facility, run_id)
    after = facility.researcher.get(begun).status_code

    assert (before, after) == (200, 409)


def test_a_report_is_downloaded_by_itself_and_goes_on_at_any_byte(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = reported(facility, scripted, order)
    select(facility, run_id)
    path = f"{delivery_path(order)}/reports/{reports_of(facility.researcher, order)[0]['id']}"

    whole = facility.researcher.get(path)
    rest = facility.researcher.get(path, headers={"Range": "bytes=5-", "If-Range": whole.headers["etag"]})

    assert (whole.status_code, whole.content) == (200, REPORT)
    assert whole.headers["content-disposition"].startswith('attachment; filename="report.html"')
    assert whole.headers["content-type"] == "application/octet-stream"
    assert (rest.status_code, rest.content) == (206, REPORT[5:])
    noted = AuditEvent.select().where(AuditEvent.action == "downloaded")
    assert [event.detail["path"].rpartition("/")[2] for event in noted] == ["report.html"]


def test_reports_are_closed_like_their_delivery(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = reported(facility, scripted, order)
    select(facility, run_id)
    path = f"{delivery_path(order)}/reports/{reports_of(facility.admin, order)[0]['id']}"
    other = submitted_order(facility)

    anonymous = facility.anonymous.get(path)
    stranger = facility.other_researcher.get(path)
    of_other = facility.researcher.get(path.replace(order.id, other.id))
    elsewhere = facility.admin.get(path.replace(order.id, other.id))
    facility.admin.delete(f"{delivery_path(order)}/publication")
    withdrawn = facility.researcher.get(path)

    assert (anonymous.status_code, stranger.status_code) == (401, 403)
    assert (of_other.status_code, of_other.json) == (403, {"error": "Access denied"})
    assert (elsewhere.status_code, elsewhere.json) == (404, {"error": "Report not found"})
    assert (withdrawn.status_code, withdrawn.json) == (403, {"error": "Access denied"})
    assert reports_of(facility.researcher, order) == []


def test_a_report_that_is_gone_is_counted_and_not_listed(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = reported(facility, scripted, order)
    select(facility, run_id)
    report_id = reports_of(facility.admin, order)[0]["id"]
    (folder.output / "report.html").unlink()

    delivery = facility.admin.get(delivery_path(order)).json["delivery"]
    fetched = facility.researcher.get(f"{delivery_path(order)}/reports/{report_id}")
    facility.services.worker.tick(facility.clock.now())

    assert [report["name"] for report in delivery["reportFiles"]] == ["reads-qc.tsv"]
    assert delivery["excluded"]["missingFiles"] == 1
    assert list(archived(facility.researcher, order).values()) == [TABLE]
    assert (fetched.status_code, fetched.json) == (404, {"error": "File not found"})


def test_a_report_that_changed_has_no_checksum_until_its_run_is_selected_again(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = reported(facility, scripted, order)
    select(facility, run_id)
    facility.services.worker.tick(facility.clock.now())
    (folder.output / "report.html").write_bytes(REPORT + b"more")

    changed = facility.admin.get(delivery_path(order)).json["delivery"]
    select(facility, run_id)
    facility.services.worker.tick(facility.clock.now())
    [again, _] = reports_of(facility.admin, order)

    assert changed["reportFiles"][0]["checksumComputed"] is None
    assert {"report.html": "not-verified"}.items() <= {
        warning["name"]: warning["reason"] for warning in changed["warnings"][:1]
    }.items()
    md5 = hashlib.md5(REPORT + b"more", usedforsecurity=False).hexdigest()
    assert again["checksumComputed"] == md5


def test_reports_are_named_so_that_every_file_system_has_them_side_by_side(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    """Names are those of a pipeline; `checksums.md5` is checked where the command put the files."""
    run_id, folder = reported(facility, scripted, order)
    like = PipelineArtifact.get(name="report.html")
    names = ("parts/Report.HTML", "..\\evil.html", "C:a.html", "a\nb.html", "a\tb.html", f"{'x' * 250}.html")
    for position, name in enumerate((*names, f"parts/{names[-1]}"), start=50):
        (folder.output / name).parent.mkdir(exist_ok=True)
        (folder.output / name).write_text(name)
        PipelineArtifact.create(
            type=like.type,
            path=like.path.replace("report.html", name),
            pipeline_run=run_id,
            output_position=position,
        )
    select(facility, run_id)
    facility.services.worker.tick(facility.clock.now())

    delivery = facility.researcher.get(delivery_path(order)).json["delivery"]
    ids = [report["id"] for report in delivery["reportFiles"]]
    in_archive = [name.rpartition("/")[2] for name in archived(facility.researcher, order)]
    manifest = facility.researcher.get(f"{delivery_path(order)}/manifest.tsv").text.splitlines()
    checksums = facility.researcher.get(f"{delivery_path(order)}/checksums.md5").text.splitlines()
    fetched = facility.researcher.get(f"{delivery_path(order)}/reports/{ids[3]}")

    assert in_archive[:7] == [
        "report.html",
        "reads-qc.tsv",
        f"{ids[2]}-Report.HTML",
        "_.._evil.html",
        "C_a.html",
        "a_b.html",
        f"{ids[6]}-a_b.html",
    ]
    assert max(len(name) for name in in_archive) == 255
    assert 'filename="_.._evil.html"' in fetched.headers["content-disposition"]
    places = [str(place) for place in local_places(read_delivery(delivery))]
    assert [line.split("\t")[2] for line in manifest[1:]] == places
    assert [line.partition("  ")[2] for line in checksums] == places


def test_a_link_that_leads_out_of_the_run_folder_is_no_report(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = reported(facility, scripted, order)
    select(facility, run_id)
    report_id = reports_of(facility.admin, order)[0]["id"]
    raw = facility.data / upload(facility, order, originalName="raw.fastq", metadata={"dataClass": "raw"})
    (folder.output / "report.html").unlink()
    (folder.output / "report.html").symlink_to(raw)

    fetched = facility.admin.get(f"{delivery_path(order)}/reports/{report_id}")

    assert (fetched.status_code, fetched.json) == (404, {"error": "File not found"})
    assert [report["name"] for report in reports_of(facility.admin, order)] == ["reads-qc.tsv"]


def test_what_no_browser_shows_is_no_report(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    """A manifest without a type calls every file a report, reads too. Decision: G193."""
    run_id, folder = reported(facility, scripted, order)
    (folder.output / "host.fastq.gz").write_bytes(b"x")
    moved = f"{PipelineArtifact.get(name='reads-qc.tsv').path.rpartition('/')[0]}/host.fastq.gz"
    PipelineArtifact.update(path=moved).where(PipelineArtifact.name == "reads-qc.tsv").execute()
    select(facility, run_id)

    assert [report["name"] for report in reports_of(facility.admin, order)] == ["report.html"]


def test_reports_outside_of_the_data_folder_are_delivered_too(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, tmp_path: Path
) -> None:
    run_id, folder = reported(facility, scripted, order)
    elsewhere = tmp_path / "elsewhere" / folder.path.name
    elsewhere.parent.mkdir()
    folder.path.rename(elsewhere)
    PipelineRun.update(run_folder=str(elsewhere)).execute()
    for artifact in PipelineArtifact.select():
        artifact.path = str(elsewhere / "output" / artifact.name)
        artifact.save()
    select(facility, run_id)
    facility.services.worker.tick(facility.clock.now())

    [report, _] = reports_of(facility.researcher, order)
    preview = facility.researcher.get("/api/files/preview", params={"path": report["path"]})

    assert report["path"] == f"{folder.path.name}/output/report.html"
    assert report["checksumComputed"] == MD5
    assert preview.content == REPORT
    assert archived(facility.researcher, order)[f"reports/{folder.path.name}/report.html"] == REPORT


def test_a_report_alone_is_nothing_to_publish(facility: Facility, scripted: ScriptedExecutor) -> None:
    order = submitted_order(facility)
    upload(facility, order)
    run_id, _ = reported(facility, scripted, order)
    select(facility, run_id)

    refused = facility.admin.put(f"{delivery_path(order)}/publication")

    assert (refused.status_code, refused.json["error"]) == (400, "There is nothing to publish")
    assert facility.admin.get(delivery_path(order)).json["delivery"]["publishable"] is False


def test_nothing_is_remembered_of_the_reports_of_a_deleted_run(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = reported(facility, scripted, order)
    select(facility, run_id)
    facility.services.worker.tick(facility.clock.now())
    before = FileDigest.select().where(FileDigest.path.contains(folder.path.name)).count()

    deleted = facility.admin.post(f"{RUNS}/{run_id}/delete")

    after = FileDigest.select().where(FileDigest.path.contains(folder.path.name)).count()
    assert (before, deleted.status_code, after) == (2, 200, 0)
    assert reports_of(facility.researcher, order) == []


def test_reports_are_not_read_in_the_background_when_that_is_off(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    facility.admin.patch("/api/admin/settings/uploads", {"verifyInBackground": False})
    run_id, folder = reported(facility, scripted, order)
    select(facility, run_id)
    facility.services.worker.tick(facility.clock.now())

    manifest = facility.researcher.get(f"{delivery_path(order)}/manifest.tsv").text

    assert f"reports/{folder.path.name}/report.html\tqc_report\t\t{len(REPORT)}\t\t\t\n" in manifest
    assert len(archived(facility.researcher, order)) == 2


def test_what_was_selected_before_its_checksums_were_kept_is_read_with_the_publication(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = reported(facility, scripted, order)
    select(facility, run_id)
    BackgroundJob.delete().execute()
    facility.admin.delete(f"{delivery_path(order)}/publication")

    facility.admin.put(f"{delivery_path(order)}/publication")
    facility.services.worker.tick(facility.clock.now())

    assert reports_of(facility.researcher, order)[0]["checksumComputed"] == MD5


def test_a_run_folder_that_became_a_loop_of_links_has_no_reports(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = reported(facility, scripted, order)
    select(facility, run_id)
    report_id = reports_of(facility.admin, order)[0]["id"]
    folder.path.rename(folder.path.with_name("away"))
    folder.path.symlink_to(folder.path)
    facility.services.worker.tick(facility.clock.now())

    fetched = facility.researcher.get(f"{delivery_path(order)}/reports/{report_id}")
    delivery = facility.researcher.get(delivery_path(order)).json["delivery"]

    assert (fetched.status_code, fetched.json) == (404, {"error": "File not found"})
    assert (delivery["reportFiles"], delivery["excluded"]["missingFiles"]) == ([], 2)
    assert archived(facility.researcher, order) == {}
