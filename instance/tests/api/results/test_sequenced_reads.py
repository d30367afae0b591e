"""Reads that a run made of a sequencing run: what is listed, and how they are filed."""

import gzip

from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.sequencing import Read
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import RUNS, completed
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequenced_reads import (
    asked,
    file,
    finish,
    leave,
    listed,
    md5,
    stored,
    url,
    work,
)
from seqfacility_testkit.sequencing import FASTQ, OrderInHand, upload
from seqfacility_testkit.sequencing_runs import RUN_ID, PlannedRun
from seqfacility_workflow_runtime.run_folder import RunFolder

NOTHING_LEFT = (400, "No reads of this run are left to be filed")


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
