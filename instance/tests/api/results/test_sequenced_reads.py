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


def asked(facility: Facility, run_id: str, **body: object) -> tuple[int, Any]:
    answer = facility.admin.post(url(run_id), body)
    return answer.status_code, answer.json.get("error") or answer.json["queued"]


def work(facility: Facility) -> None:
    facility.services.worker.tick(facility.clock.now())


def file(facility: Facility, run_id: str, **body: object) -> list[str]:
    """Ask for filing and have it done; return the ids of the new reads."""
    before = {read.id for read in Read.select(Read.id)}
    answer = facility.admin.post(url(run_id), body)
    assert answer.status_code == 202, answer.text
    work(facility)
    return [read.id for read in Read.select(Read.id).order_by(Read.id) if read.id not in before]


def spoiled(facility: Facility, run_id: str, code: str) -> str:
    """Ask for filing and have it refused; return in which words."""
    assert file(facility, run_id, sampleIds=[code]) == []
    shown = listed(facility, run_id)[code]
    assert (shown["state"], shown["readId"]) == ("failed", None)
    assert not list((facility.data / "orders").glob("*/reads/*/*"))
    error: str = shown["error"]
    return error


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
        "state": "open",
        "readId": None,
        "problems": [],
        "error": None,
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

    (read_id,) = file(facility, run_id, sampleIds=[code])

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
    assert (shown["state"], shown["readId"], shown["currentRead"]["id"]) == ("filed", read_id, read_id)
    event = AuditEvent.select().where(AuditEvent.action == "reads-filed").get()
    assert (event.object_id, event.detail["readIds"]) == (run_id, [read_id])
    assert event.actor_id is not None
    work(facility)
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

    (read_id,) = file(facility, run_id, sampleIds=[code])

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
    assert len(file(facility, run_id, sampleIds=[whole])) == 1


def test_samples_are_filed_once_and_by_choice(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    for code in order.sample_codes:
        leave(folder, code, "R1")
    finish(facility, scripted, begun)

    (read_id,) = file(facility, run_id, sampleIds=[order.sample_codes[0]], dataClass="cleaned")
    again = asked(facility, run_id, sampleIds=[order.sample_ids[0]])
    rest = file(facility, run_id)

    assert Read.get_by_id(read_id).data_class.value == "cleaned"
    assert again == NOTHING_LEFT
    assert len(rest) == 1
    assert asked(facility, run_id) == NOTHING_LEFT
    assert facility.admin.post(url(run_id), {"dataClass": "secret"}).status_code == 400
    assert Read.select().count() == 2


def test_a_sample_that_waits_to_be_filed_is_not_asked_for_twice(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    for code in order.sample_codes:
        leave(folder, code, "R1")
    finish(facility, scripted, begun)

    first = asked(facility, run_id, sampleIds=[order.sample_codes[0]])
    both = asked(facility, run_id)

    assert (first, both) == ((202, 1), (202, 1))
    assert {one["state"] for one in listed(facility, run_id).values()} == {"queued"}
    work(facility)
    assert {one["state"] for one in listed(facility, run_id).values()} == {"filed"}
    assert Read.select().count() == 2


def test_samples_without_reads_are_listed_and_never_left_out_in_silence(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    whole, missing = order.sample_codes
    leave(folder, whole, "R1")
    finish(facility, scripted, begun)

    answer = facility.admin.post(url(run_id))

    assert listed(facility, run_id)[missing]["problems"] == ["has no R1"]
    assert (answer.status_code, answer.json["details"]) == (400, [f"{missing}: has no R1"])
    assert len(file(facility, run_id, sampleIds=[whole])) == 1


def test_samples_that_the_run_does_not_have_are_refused_by_name(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    code = order.sample_codes[0]
    leave(folder, code, "R1")
    finish(facility, scripted, begun)

    refused = asked(facility, run_id, sampleIds=[code, "typo"])

    assert refused == (400, "Invalid sample IDs: typo")
    assert listed(facility, run_id)[code]["state"] == "open"


def test_a_sample_is_filed_again_once_its_read_was_deleted(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    code = order.sample_codes[0]
    content = leave(folder, code, "R1")
    finish(facility, scripted, begun)
    (read_id,) = file(facility, run_id, sampleIds=[code])
    path = Read.get_by_id(read_id).file1
    answer = facility.admin.post("/api/files/delete", {"filePaths": [path]})
    assert answer.json["recordsRemoved"] == 1, answer.text

    before = listed(facility, run_id)[code]
    (again,) = file(facility, run_id, sampleIds=[code])

    assert (before["state"], before["readId"]) == ("open", None)
    assert stored(facility, Read.get_by_id(again).file1) == content
    assert listed(facility, run_id)[code]["readId"] == again


def test_the_file_of_another_read_is_not_replaced(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    code = order.sample_codes[0]
    leave(folder, code, "R1")
    finish(facility, scripted, begun)
    (read_id,) = file(facility, run_id, sampleIds=[code])
    read = Read.get_by_id(read_id)
    Read.delete().where(Read.id == read_id).execute()
    linked = {"sampleId": order.sample_ids[1], "file1": read.file1}
    answer = facility.admin.put(f"/api/orders/{order.id}/sequencing/reads", {"assignments": [linked]})
    assert answer.status_code == 200, answer.text

    made = file(facility, run_id, sampleIds=[code])

    name = str(read.file1).rpartition("/")[2]
    assert made == []
    assert listed(facility, run_id)[code]["error"] == f"The order has another file of this name: {name}"
    assert (facility.data / str(read.file1)).is_file()


def test_a_result_that_was_emptied_after_the_run_is_not_filed(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    code = order.sample_codes[0]
    leave(folder, code, "R1")
    finish(facility, scripted, begun)
    (left,) = (folder.output / RUN_ID).iterdir()
    left.write_bytes(b"")

    assert spoiled(facility, run_id, code) == f"Candidate file is not what the run left: {left.name}"


def test_an_empty_result_is_no_read(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    code = order.sample_codes[0]
    leave(folder, code, "R1")
    (left,) = (folder.output / RUN_ID).iterdir()
    left.write_bytes(b"")
    finish(facility, scripted, begun)

    answer = facility.admin.post(url(run_id), {"sampleIds": [code]})

    assert (answer.status_code, answer.json["details"]) == (400, [f"{code}: R1 is an empty file"])


def test_a_link_out_of_the_folder_of_the_run_is_not_followed(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    code = order.sample_codes[0]
    content = leave(folder, code, "R1")
    finish(facility, scripted, begun)
    (left,) = (folder.output / RUN_ID).iterdir()
    of_others = facility.data / "of-others.fastq.gz"
    of_others.write_bytes(content)
    left.unlink()
    left.symlink_to(of_others)

    assert spoiled(facility, run_id, code) == f"Candidate file is missing: {left.name}"


@pytest.mark.parametrize("by_link", [False, True])
def test_a_link_within_the_folder_of_the_run_is_the_file_that_it_leads_to(
    facility: Facility,
    scripted: ScriptedExecutor,
    order: OrderInHand,
    begun: tuple[str, RunFolder],
    by_link: bool,
) -> None:
    facility.services.facility.change("storage", {"hardLinkOnPromotion": by_link}, facility.clock.now())
    run_id, folder = begun
    code = order.sample_codes[0]
    content = leave(folder, code, "R1")
    (left,) = (folder.output / RUN_ID).iterdir()
    (folder.path / "work").mkdir(exist_ok=True)
    left.rename(folder.path / "work" / "reads")
    left.symlink_to(folder.path / "work" / "reads")
    finish(facility, scripted, begun)

    (read_id,) = file(facility, run_id, sampleIds=[code])

    filed = facility.data / str(Read.get_by_id(read_id).file1)
    assert not filed.is_symlink()
    assert filed.read_bytes() == content


def test_finished_reads_are_filed_after_their_pipeline_was_removed(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    code = order.sample_codes[0]
    leave(folder, code, "R1")
    finish(facility, scripted, begun)
    assert facility.admin.delete(f"/api/admin/pipelines/{CONVERTER}").status_code == 200

    assert len(file(facility, run_id, sampleIds=[code])) == 1


def test_filed_reads_stay_when_their_run_is_deleted(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    content = leave(folder, order.sample_codes[0], "R1")
    finish(facility, scripted, begun)
    (read_id,) = file(facility, run_id, sampleIds=[order.sample_codes[0]])

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

    assert asked(facility, begun[0]) == (400, "Only the reads of a completed run can be filed")
    assert listed(facility, begun[0]) == {}
    assert asked(facility, other) == not_ours
    assert facility.admin.get(url(other)).json["error"] == not_ours[1]
    assert asked(facility, "x") == (404, "Pipeline run not found")
    assert facility.researcher.get(url(begun[0])).status_code == 403
    assert facility.researcher.post(url(begun[0])).status_code == 403


def test_a_file_that_is_gone_files_nothing_of_its_sample_and_all_of_the_others(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    whole, broken = order.sample_codes
    contents = {code: leave(folder, code, "R1") for code in (whole, broken)}
    contents[broken] = leave(folder, broken, "R2")
    finish(facility, scripted, begun)
    gone = folder.output / RUN_ID / f"{broken}_S1_R2_001.fastq.gz"
    gone.unlink()

    (read_id,) = file(facility, run_id)

    shown = listed(facility, run_id)
    assert (shown[whole]["readId"], shown[broken]["state"]) == (read_id, "failed")
    assert shown[broken]["error"] == f"Candidate file is missing: {gone.name}"
    assert [path.parent.name for path in (facility.data / "orders" / order.id).glob("reads/*/*")] == [whole]
    gone.write_bytes(contents[broken])
    assert len(file(facility, run_id)) == 1
    assert listed(facility, run_id)[broken]["error"] is None


def test_uploads_and_filed_reads_supersede_each_other_as_reads_do(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, begun: tuple[str, RunFolder]
) -> None:
    run_id, folder = begun
    leave(folder, order.sample_codes[0], "R1")
    finish(facility, scripted, begun)
    (read_id,) = file(facility, run_id, sampleIds=[order.sample_codes[0]])

    upload(facility, order, FASTQ)

    read = Read.get_by_id(read_id)
    assert not read.is_active
    assert listed(facility, run_id)[order.sample_codes[0]]["readId"] == read_id
