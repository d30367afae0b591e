"""Reads that a run made of a sequencing run: what is listed, how they are filed, and what refuses it."""

import gzip
import hashlib
from typing import Any

import pytest
from seqfacility_instance.pipelines import rules
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.sequencing import Read
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import CONVERTER
from seqfacility_testkit.pipeline_runs import (
    RUNS,
    completed,
    new_run,
    start,
    status_of,
    tick,
    use_scripted_executor,
)
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import FASTQ, OrderInHand, submitted_order, upload
from seqfacility_testkit.sequencing_runs import RUN_ID, PlannedRun, install_converter, planned_run
from seqfacility_workflow_runtime.run_folder import RunFolder

NOTHING_LEFT = (400, "No reads of this run are left to be filed")


@pytest.fixture
def scripted(facility: Facility, monkeypatch: pytest.MonkeyPatch) -> ScriptedExecutor:
    """Return the executor of a facility whose release is the first that knows sequencing runs as an input."""
    monkeypatch.setattr(rules, "RELEASE", "0.2.0")
    install_converter(facility)
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=2)


@pytest.fixture
def planned(facility: Facility, order: OrderInHand) -> PlannedRun:
    return planned_run(facility, order)


@pytest.fixture
def begun(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, planned: PlannedRun
) -> tuple[str, RunFolder]:
    run_id = new_run(facility, order, CONVERTER, sequencingRunId=planned.id)
    return run_id, start(facility, run_id)


def leave(folder: RunFolder, code: str, place: str) -> bytes:
    """Leave a file of reads as conversion software names it; return its bytes."""
    results = folder.output / RUN_ID
    results.mkdir(parents=True, exist_ok=True)
    content = gzip.compress(f"@{place}\nACGT\n+\nIIII\n".encode(), mtime=0)
    (results / f"{code}_S1_{place}_001.fastq.gz").write_bytes(content)
    return content


def finish(facility: Facility, scripted: ScriptedExecutor, begun: tuple[str, RunFolder]) -> None:
    run_id, folder = begun
    scripted.finish(folder, 0)
    tick(facility)
    assert status_of(facility, run_id) == "completed"


def md5(content: bytes) -> str:
    return hashlib.md5(content).hexdigest()  # noqa: S324


def stored(facility: Facility, path: str | None) -> bytes:
    assert path is not None
    return (facility.data / path).read_bytes()


def url(run_id: str) -> str:
    return f"{RUNS}/{run_id}/sequenced-reads"


def listed(facility: Facility, run_id: str) -> dict[str, dict[str, Any]]:
    answer = facility.admin.get(url(run_id))
    assert answer.status_code == 200, answer.text
    return {one["sampleCode"]: one for one in answer.json["samples"]}


def file(facility: Facility, run_id: str, **body: object) -> tuple[int, Any]:
    answer = facility.admin.post(url(run_id), body)
    return answer.status_code, answer.json.get("error") or answer.json


def test_what_a_run_made_is_listed_by_sample_and_nothing_is_filed_by_itself(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    path = upload(facility, order)
    run_id, folder = begun
    first, second = order.sample_codes
    for place in ("R1", "R2"):
        leave(folder, first, place)
        leave(folder, "Undetermined", place)
    leave(folder, second, "R1")
    finish(facility, scripted, begun)

    answer = facility.admin.get(url(run_id)).json

    assert (answer["run"]["id"], answer["run"]["orderId"], answer["dataClass"]) == (run_id, order.id, "raw")
    below = f"pipeline_runs/{folder.path.name}/output/{RUN_ID}"
    found = {one["sampleCode"]: one for one in answer["samples"]}
    assert set(found) == {first, second}
    assert found[first] == {
        "sampleId": order.sample_ids[0],
        "sampleCode": first,
        "file1": [f"{below}/{first}_S1_R1_001.fastq.gz"],
        "file2": [f"{below}/{first}_S1_R2_001.fastq.gz"],
        "readId": None,
        "problems": [],
        "currentRead": found[first]["currentRead"],
    }
    assert found[first]["currentRead"]["file1"] == path
    assert (found[second]["file2"], found[second]["currentRead"]) == ([], None)
    assert Read.select().count() == 1


def test_filed_reads_are_copies_with_checksums_that_know_where_they_came_from(
    facility: Facility,
    scripted: ScriptedExecutor,
    order: OrderInHand,
    planned: PlannedRun,
    begun: tuple[str, RunFolder],
) -> None:
    upload(facility, order)
    run_id, folder = begun
    code = order.sample_codes[0]
    contents = [leave(folder, code, place) for place in ("R1", "R2")]
    finish(facility, scripted, begun)

    status, answer = file(facility, run_id)

    (read_id,) = answer["readIds"]
    assert (status, answer["filed"]) == (200, 1)
    read = Read.get_by_id(read_id)
    number = folder.path.name
    assert (read.file1, read.file2) == tuple(
        f"orders/{order.id}/reads/{code}/{number}-{mate}-{code}_S1_{mate}_001.fastq.gz"
        for mate in ("R1", "R2")
    )
    assert [stored(facility, path) for path in (read.file1, read.file2)] == contents
    assert [read.checksum1, read.checksum2] == [md5(content) for content in contents]
    assert (read.size1, read.source.value, read.data_class.value) == (len(contents[0]), "pipeline", "raw")
    assert (read.sequencing_run_id, read.pipeline_run_id, read.is_active) == (planned.id, run_id, True)
    assert Read.select().where(Read.superseded_by == read_id).count() == 1
    shown = listed(facility, run_id)[code]
    assert (shown["readId"], shown["currentRead"]["id"]) == (read_id, read_id)
    event = AuditEvent.select().where(AuditEvent.action == "reads-filed").get()
    assert (event.object_id, event.detail["readIds"]) == (run_id, [read_id])
    facility.services.worker.tick(facility.clock.now())
    assert Read.get_by_id(read_id).checksum_verified1 is True


def test_lanes_become_one_file_in_their_order(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    facility.services.facility.change("storage", {"hardLinkOnPromotion": True}, facility.clock.now())
    run_id, folder = begun
    code = order.sample_codes[0]
    parts = {
        mate: [leave(folder, code, f"L00{lane}_{mate}") for lane in (2, 1)][::-1] for mate in ("R1", "R2")
    }
    finish(facility, scripted, begun)

    (read_id,) = file(facility, run_id)[1]["readIds"]

    read = Read.get_by_id(read_id)
    assert str(read.file1).endswith(f"-R1-{code}_S1_R1_001.fastq.gz")
    assert stored(facility, read.file1) == b"".join(parts["R1"])
    assert gzip.decompress(stored(facility, read.file2)).startswith(b"@L001_R2\n")
    assert read.checksum2 == md5(b"".join(parts["R2"]))


@pytest.mark.parametrize(
    ("places", "problem"),
    [
        (["R2"], "has no R1"),
        (["L001_R1", "L002_R1", "L001_R2"], "has R1 and R2 of different lanes"),
        (["R1", "L001_R1"], "has 2 files of R1 that are not lanes of each other"),
    ],
)
def test_files_that_an_upload_would_not_take_are_not_filed_either(
    facility: Facility,
    scripted: ScriptedExecutor,
    order: OrderInHand,
    begun: tuple[str, RunFolder],
    places: list[str],
    problem: str,
) -> None:
    run_id, folder = begun
    whole, broken = order.sample_codes
    leave(folder, whole, "R1")
    for place in places:
        leave(folder, broken, place)
    finish(facility, scripted, begun)

    answer = facility.admin.post(url(run_id))

    assert (answer.status_code, answer.json) == (
        400,
        {
            "error": "These files cannot be the reads of their samples",
            "details": [f"{broken}: {problem}"],
        },
    )
    assert listed(facility, run_id)[broken]["problems"] == [problem]
    assert Read.select().count() == 0
    assert file(facility, run_id, sampleIds=[whole])[1]["filed"] == 1


def test_samples_are_filed_once_and_by_choice(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    for code in order.sample_codes:
        leave(folder, code, "R1")
    finish(facility, scripted, begun)

    by_code = file(facility, run_id, sampleIds=[order.sample_codes[0]], dataClass="cleaned")
    again = file(facility, run_id, sampleIds=[order.sample_ids[0]])
    rest = file(facility, run_id)

    (read_id,) = by_code[1]["readIds"]
    assert Read.get_by_id(read_id).data_class.value == "cleaned"
    assert again == NOTHING_LEFT
    assert rest[1]["filed"] == 1
    assert file(facility, run_id) == NOTHING_LEFT
    assert file(facility, run_id, dataClass="secret")[0] == 400
    assert Read.select().count() == 2


def test_filed_reads_stay_when_their_run_is_deleted(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    content = leave(folder, order.sample_codes[0], "R1")
    finish(facility, scripted, begun)
    (read_id,) = file(facility, run_id)[1]["readIds"]

    assert facility.admin.post(f"{RUNS}/{run_id}/delete").status_code == 200

    read = Read.get_by_id(read_id)
    assert not folder.path.exists()
    assert stored(facility, read.file1) == content
    assert read.pipeline_run_id is None


def test_a_researcher_gets_a_filed_read_as_any_other_of_its_class(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    leave(folder, order.sample_codes[0], "R1")
    leave(folder, order.sample_codes[1], "R1")
    finish(facility, scripted, begun)
    file(facility, run_id, sampleIds=[order.sample_codes[0]])
    file(facility, run_id, dataClass="cleaned")
    delivery = f"/api/orders/{order.id}/sequencing/delivery"

    before = facility.researcher.get(delivery).json["delivery"]
    facility.admin.put(f"{delivery}/publication")
    after = facility.researcher.get(delivery).json["delivery"]

    assert order.sample_codes[1] not in str(before)
    assert f"{order.sample_codes[0]}/" not in str(after)
    assert f"{order.sample_codes[1]}/" in str(after)


def test_only_completed_runs_of_a_sequencing_run_have_reads_to_file(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    other, _ = completed(facility, scripted, order)
    not_ours = (400, "This run did not work on a sequencing run")

    assert file(facility, begun[0]) == (400, "Only the reads of a completed run can be filed")
    assert file(facility, other) == not_ours
    assert facility.admin.get(url(other)).json["error"] == not_ours[1]
    assert file(facility, "x") == (404, "Pipeline run not found")
    assert facility.researcher.get(url(begun[0])).status_code == 403
    assert facility.researcher.post(url(begun[0])).status_code == 403


def test_a_file_that_is_gone_files_nothing(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    for code in order.sample_codes:
        leave(folder, code, "R1")
    finish(facility, scripted, begun)
    gone = max((folder.output / RUN_ID).iterdir())
    gone.unlink()

    assert file(facility, run_id) == (400, f"Candidate file is missing: {gone.name}")
    assert Read.select().count() == 0
    assert not list((facility.data / "orders" / order.id).glob("reads/*/*"))


def test_uploads_and_filed_reads_supersede_each_other_as_reads_do(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    leave(folder, order.sample_codes[0], "R1")
    finish(facility, scripted, begun)
    (read_id,) = file(facility, run_id)[1]["readIds"]

    upload(facility, order, FASTQ)

    read = Read.get_by_id(read_id)
    assert not read.is_active
    assert listed(facility, run_id)[order.sample_codes[0]]["readId"] == read_id
