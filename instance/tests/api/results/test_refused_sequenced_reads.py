"""Reads of a sequencing run that are missing, changed or not to be had, and what is said of them."""

import pytest
from seqfacility_instance.tables.sequencing import Read
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import CONVERTER
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequenced_reads import asked, file, finish, leave, listed, spoiled, stored, url
from seqfacility_testkit.sequencing import OrderInHand
from seqfacility_testkit.sequencing_runs import RUN_ID
from seqfacility_workflow_runtime.run_folder import RunFolder


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
