"""The plan of an upload: what the service says of files before a byte is sent."""

from datetime import timedelta
from typing import Any

import pytest
from falcon.testing import Result
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import (
    FASTQ,
    OrderInHand,
    complete,
    draft_order,
    initiate,
    send,
    submitted_order,
    upload,
)

PRINT = "0123456789abcdef" * 2
MD5 = "9e107d9d372bb6826bd81d3542a419d6"


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=3)


def file(path: str, size: int = 10, **more: object) -> dict[str, object]:
    return {"path": path, "size": size, "fingerprint": PRINT, **more}


def asked(facility: Facility, order: OrderInHand, *files: dict[str, object], **more: object) -> Result:
    return facility.admin.post(f"{order.uploads}/plan", {"files": list(files), **more})


def planned(
    facility: Facility, order: OrderInHand, *files: dict[str, object], **more: object
) -> dict[str, Any]:
    answer = asked(facility, order, *files, **more)
    assert answer.status_code == 200, answer.text
    plan: dict[str, Any] = answer.json
    return plan


def only_upload(
    facility: Facility, order: OrderInHand, *files: dict[str, object], **more: object
) -> dict[str, Any]:
    [one] = planned(facility, order, *files, **more)["uploads"]
    found: dict[str, Any] = one
    return found


def test_each_file_is_sent_left_out_or_a_problem_and_says_why(facility: Facility, order: OrderInHand) -> None:
    plan = planned(
        facility,
        order,
        file("run/soil-0_S1_L001_R1_001.fastq.gz", 30),
        file("run/soil-0_S1_L001_R2_001.fastq.gz", 20),
        file("run/soil-0_S1_L001_I1_001.fastq.gz"),
        file("run/SampleSheet.csv"),
        file("run/lake_R1.fastq"),
        file("run/soil_1_soil_2_R1.fastq"),
    )

    sample = {"id": order.sample_ids[0], "sampleId": order.sample_codes[0], "sampleAlias": "soil 0"}
    assert plan["files"][0] == {
        "path": "run/soil-0_S1_L001_R1_001.fastq.gz",
        "kind": "upload",
        "code": None,
        "reason": "Its name says soil 0",
        "sample": sample,
        "mate": "R1",
        "candidates": [],
        "upload": 0,
    }
    assert [(one["kind"], one["code"], one["reason"]) for one in plan["files"][1:]] == [
        ("upload", None, "Its name says soil 0"),
        ("left-out", "index-reads", "Index reads"),
        ("left-out", "extension", "Has none of the extensions .fastq.gz .fq.gz .fastq .fq"),
        ("problem", "unknown-sample", "Names no sample of the order"),
        ("problem", "several-samples", "May belong to soil 1 or soil 2"),
    ]
    assert [one["id"] for one in plan["files"][5]["candidates"]] == order.sample_ids[1:]
    assert plan["uploads"][1] == {
        "paths": ["run/soil-0_S1_L001_R2_001.fastq.gz"],
        "originalName": "soil-0_S1_L001_R2_001.fastq.gz",
        "expectedSize": 20,
        "targetKind": "read",
        "targetRole": "R2",
        "sample": sample,
        "fingerprint": PRINT,
        "md5": None,
        "continues": None,
        "alreadyFiled": None,
        "sameName": [],
        "differs": None,
        "supersedes": None,
    }
    assert plan["counts"] == {
        "files": 6,
        "uploads": 2,
        "pairs": 1,
        "leftOut": 2,
        "problems": 2,
        "continued": 0,
        "alreadyFiled": 0,
        "bytes": 50,
        "bytesLeft": 50,
    }
    assert plan["freeBytes"] > 0


def test_a_plan_changes_nothing(facility: Facility, order: OrderInHand) -> None:
    planned(facility, order, file("soil_0_R1.fastq"))

    assert facility.admin.get(order.uploads).json["uploads"] == []
    assert not (facility.data / "orders" / order.id).exists()


def test_an_unfinished_upload_of_the_same_file_goes_on(facility: Facility, order: OrderInHand) -> None:
    upload_id = initiate(
        facility, order, 10, originalName="soil_0_R1.fastq", metadata={"sourceFingerprint": PRINT}
    )
    send(facility, order, upload_id, 0, b"1234")
    facility.clock.advance(timedelta(seconds=6))

    same = only_upload(facility, order, file("soil_0_R1.fastq"))
    blind = only_upload(facility, order, {"path": "soil_0_R1.fastq", "size": 10})
    longer = only_upload(facility, order, file("soil_0_R1.fastq", 11))
    changed = only_upload(facility, order, {**file("soil_0_R1.fastq"), "fingerprint": "other"})

    expected = {
        "uploadId": upload_id,
        "receivedSize": 4,
        "status": "UPLOADING",
        "isReceiving": False,
        "isSameFile": True,
    }
    assert same["continues"] == expected
    assert blind["continues"] == {**expected, "isSameFile": False}
    assert (longer["continues"], changed["continues"]) == (None, None)
    there = "An unfinished upload of this name is there, "
    assert longer["differs"] == f"{there}of a file with 10 bytes, and this one has 11"
    assert changed["differs"] == (
        f"{there}of another state of the file: its ends or its time of change differ"
    )


def test_the_preset_class_is_the_class_of_a_session_that_says_none(
    facility: Facility, order: OrderInHand
) -> None:
    upload_id = initiate(facility, order, 10, originalName="soil_0_R1.fastq")

    raw = only_upload(facility, order, file("soil_0_R1.fastq"), dataClass="raw")
    cleaned = only_upload(facility, order, file("soil_0_R1.fastq"), dataClass="cleaned")

    assert raw["continues"]["uploadId"] == upload_id
    assert cleaned["continues"] is None


def test_a_file_whose_bytes_are_in_use_is_not_sent_again(facility: Facility, order: OrderInHand) -> None:
    metadata = {"sourceFingerprint": PRINT}
    path = upload(facility, order, originalName="soil_0_R1.fastq", metadata=metadata)
    size = len(FASTQ)

    same = only_upload(facility, order, file("run/soil_0_R1.fastq", size))
    other = only_upload(facility, order, file("soil_0_R1.fastq", size, md5=MD5, fingerprint="other"))
    plan = planned(facility, order, file("soil_0_R1.fastq", size))

    assert same["alreadyFiled"]["finalPath"] == path
    assert (same["continues"], same["supersedes"]) == (None, None)
    assert other["alreadyFiled"] is None
    assert [one["finalPath"] for one in other["sameName"]] == [path]
    assert other["supersedes"] == {
        "dataClass": "raw",
        "files": ["R1"],
        "isDelivered": False,
        "text": "the raw R1 of soil 0",
    }
    assert (plan["counts"]["alreadyFiled"], plan["counts"]["bytesLeft"]) == (1, 0)


def test_lanes_are_one_upload_in_their_order(facility: Facility, order: OrderInHand) -> None:
    lanes = [file(f"soil-0_S1_L00{lane}_R1_001.fastq.gz", lane) for lane in (3, 1, 2)]

    joined = only_upload(facility, order, *lanes, joinLanes=True)
    apart = planned(facility, order, *lanes)

    assert joined["paths"] == [f"soil-0_S1_L00{lane}_R1_001.fastq.gz" for lane in (1, 2, 3)]
    assert (joined["originalName"], joined["expectedSize"]) == ("soil-0_S1_R1_001.fastq.gz", 6)
    assert {(one["code"], one["reason"]) for one in apart["files"]} == {
        ("lanes", "soil 0 has its R1 in 3 lanes")
    }


def test_what_a_person_chose_wins(facility: Facility, order: OrderInHand) -> None:
    plan = planned(
        facility,
        order,
        file("odd.fastq"),
        file("wrong.fastq"),
        sampleOf={"odd.fastq": order.sample_ids[1], "wrong.fastq": "S-0"},
        mateOf={"odd.fastq": "R2"},
    )

    assert [(one["kind"], one["reason"], one["mate"]) for one in plan["files"]] == [
        ("upload", "You chose soil 1", "R2"),
        ("problem", "The order has no sample S-0", None),
    ]


def test_a_checksum_beside_a_file_is_known_and_a_contradiction_is_a_problem(
    facility: Facility, order: OrderInHand
) -> None:
    said = [{"path": "soil_0_R1.fastq", "md5": MD5.upper()}]

    known = only_upload(facility, order, file("soil_0_R1.fastq"), checksums=said)
    twice = planned(facility, order, file("soil_0_R1.fastq", md5="0" * 32), checksums=said)

    assert known["md5"] == MD5
    assert twice["files"][0]["code"] == "checksums"


def test_an_artifact_is_planned_without_reading_its_name(facility: Facility, order: OrderInHand) -> None:
    one = only_upload(facility, order, file("report.html"), targetRole="qc_report")

    assert (one["targetKind"], one["targetRole"], one["sample"]) == ("artifact", "qc_report", None)


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({}, "files: is required"),
        ({"files": [{"path": "a", "size": -1}]}, "files[0].size: must be at least 0"),
        ({"files": [{"path": 1, "size": 1}]}, "files[0].path: must be a string"),
        (
            {"files": [{"path": "a", "size": 1, "md5": "x"}]},
            "files[0].md5: must be an MD5 of 32 hexadecimal digits",
        ),
        ({"files": [], "mateOf": {"a": "R3"}}, "mateOf.a: must be one of: R1, R2"),
        (
            {"files": [], "sequencingRunId": "none"},
            "sequencingRunId: is not a sequencing run of this order",
        ),
        ({"files": [{"path": "a", "size": 1}] * 10_001}, "files: must have at most 10000 entries"),
    ],
)
def test_a_plan_of_nothing_sensible_is_refused(
    facility: Facility, order: OrderInHand, body: dict[str, object], detail: str
) -> None:
    answer = facility.admin.post(f"{order.uploads}/plan", body)

    assert (answer.status_code, answer.json["details"]) == (400, [detail])


def test_hostile_names_are_problems_of_their_files(facility: Facility, order: OrderInHand) -> None:
    names = ["", "/", "..", "../../etc/passwd_R1.fastq", "a\0_R1.fastq", "\u202e_R1.fastq", "%s{0}_R1.fastq"]

    plan = planned(facility, order, *(file(name) for name in names))

    assert {one["kind"] for one in plan["files"]} == {"problem"}


def test_a_draft_takes_no_plan_and_only_an_admin_makes_one(facility: Facility, order: OrderInHand) -> None:
    draft = asked(facility, draft_order(facility), file("soil_0_R1.fastq"))
    owner = facility.researcher.post(f"{order.uploads}/plan", {"files": []})

    assert draft.status_code == 400
    assert owner.status_code == 403


def test_ten_thousand_files_of_as_many_samples_are_planned_at_once(facility: Facility) -> None:
    order = submitted_order(facility, samples=2000)
    names = [
        f"run/soil-{n}_S{n}_L00{lane}_R{mate}_001.fastq.gz"
        for n in range(2000)
        for lane in (1, 2)
        for mate in (1, 2)
    ]

    plan = planned(facility, order, *(file(name) for name in names), joinLanes=True)

    assert (plan["counts"]["uploads"], plan["counts"]["pairs"]) == (4000, 2000)
    assert plan["counts"]["problems"] == 0


def test_a_file_of_100_gigabytes_can_be_planned(facility: Facility, order: OrderInHand) -> None:
    size = 100 * 1024**3

    assert only_upload(facility, order, file("soil_0_R1.fastq.gz", size))["expectedSize"] == size


def test_who_sends_is_seen_while_bytes_arrive(facility: Facility, order: OrderInHand) -> None:
    upload_id = initiate(facility, order, 10, originalName="soil_0_R1.fastq")
    before = facility.admin.get(f"{order.uploads}/{upload_id}").json["isReceiving"]
    send(facility, order, upload_id, 0, b"1234")
    just_now = only_upload(facility, order, file("soil_0_R1.fastq"))["continues"]["isReceiving"]
    facility.clock.advance(timedelta(seconds=6))
    later = facility.admin.get(order.uploads).json["uploads"][0]["isReceiving"]
    send(facility, order, upload_id, 4, b"567890")
    complete(facility, order, upload_id)
    filed = facility.admin.get(f"{order.uploads}/{upload_id}").json["isReceiving"]

    assert (before, just_now, later, filed) == (False, True, False, False)
