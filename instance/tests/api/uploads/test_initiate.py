"""Opening an upload session, check by check in the order of the decisions."""

import pytest
from seqfacility_instance.tables.sequencing import SequencingUpload
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import OrderInHand, draft_order, submitted_order

READ: dict[str, object] = {
    "targetKind": "read",
    "targetRole": "R1",
    "originalName": "soil_R1.fastq.gz",
    "expectedSize": 10,
}


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility)


def test_a_session_begins_empty_and_names_its_temp_file(facility: Facility, order: OrderInHand) -> None:
    answer = facility.admin.post(order.uploads, READ)

    upload_id = answer.json["uploadId"]
    assert answer.status_code == 200
    assert answer.json == {
        "success": True,
        "uploadId": upload_id,
        "tempPath": f"orders/{order.id}/.tmp/{upload_id}/soil_R1.fastq.gz",
        "status": "PENDING",
        "receivedSize": 0,
    }
    assert (facility.data / answer.json["tempPath"]).read_bytes() == b""


def test_a_draft_takes_no_sequencing_data(facility: Facility) -> None:
    draft = draft_order(facility)

    answer = facility.admin.post(draft.uploads, {})

    assert (answer.status_code, answer.json) == (
        400,
        {"error": "Sequencing data can only be managed on submitted or completed sequencing orders"},
    )


def test_an_unknown_order_is_not_found(facility: Facility) -> None:
    answer = facility.admin.post("/api/orders/none/sequencing/uploads", READ)

    assert (answer.status_code, answer.json) == (404, {"error": "Sequencing Order not found"})


def test_only_an_admin_uploads(facility: Facility, order: OrderInHand) -> None:
    nobody = facility.anonymous.post(order.uploads, READ)
    owner = facility.researcher.post(order.uploads, READ)

    assert (nobody.status_code, nobody.json) == (401, {"error": "Unauthorized"})
    assert (owner.status_code, owner.json) == (403, {"error": "Unauthorized"})


@pytest.mark.parametrize("key", ["targetKind", "targetRole", "originalName", "expectedSize"])
@pytest.mark.parametrize("missing", [None, ""])
def test_a_required_key_may_not_be_missing(
    facility: Facility, order: OrderInHand, key: str, missing: str | None
) -> None:
    absent = facility.admin.post(order.uploads, {name: value for name, value in READ.items() if name != key})
    empty = facility.admin.post(order.uploads, {**READ, key: missing})

    expected = {"error": "targetKind, targetRole, originalName, and expectedSize are required"}
    assert (absent.status_code, absent.json) == (400, expected)
    assert (empty.status_code, empty.json) == (400, expected)


ARTIFACT_ROLES = "qc_report, multiqc_report, demux_stats, sample_sheet, delivery_report, attachment"
EXTENSION = "Read uploads must use an allowed sequencing file extension"
NAME = "originalName is not a valid file name"
SIZE = "expectedSize must be a positive integer"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"targetKind": "reads"}, "targetKind must be one of: read, artifact"),
        ({"targetKind": ["read"]}, "targetKind must be one of: read, artifact"),
        ({"targetRole": "R3"}, "targetRole must be one of: R1, R2"),
        ({"targetKind": "artifact"}, f"targetRole must be one of: {ARTIFACT_ROLES}"),
        ({"expectedSize": 0}, SIZE),
        ({"expectedSize": -1}, SIZE),
        ({"expectedSize": "10"}, SIZE),
        ({"expectedSize": True}, SIZE),
        ({"expectedSize": 1.5}, SIZE),
        ({"originalName": ".."}, NAME),
        ({"originalName": "."}, NAME),
        ({"originalName": "a/b/"}, NAME),
        ({"originalName": ".hidden.fastq"}, NAME),
        ({"originalName": "a\0.fastq"}, NAME),
        ({"originalName": "a\n.fastq"}, NAME),
        ({"originalName": "gz.\u202eqtsaf.fastq"}, NAME),
        ({"originalName": "a\u2028.fastq"}, NAME),
        ({"originalName": "a\u2029.fastq"}, NAME),
        ({"originalName": "a\u200db.fastq"}, NAME),
        ({"originalName": "\ufeffa.fastq"}, NAME),
        ({"originalName": "x" * 195 + ".fastq"}, NAME),
        ({"originalName": 7}, NAME),
        ({"originalName": "soil.txt"}, EXTENSION),
        ({"originalName": "soil.fastq.bz2"}, EXTENSION),
        ({"sampleId": "S-0-NONE"}, "Sample not found in this order"),
        ({"originalName": "soil.txt", "expectedSize": 0}, SIZE),
        ({"originalName": "soil.txt", "metadata": 3}, EXTENSION),
    ],
)
def test_what_a_body_says_is_checked_in_order(
    facility: Facility, order: OrderInHand, changes: dict[str, object], message: str
) -> None:
    answer = facility.admin.post(order.uploads, {**READ, **changes})

    assert (answer.status_code, answer.json) == (400, {"error": message})


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        ({"metadata": []}, "metadata: must be an object"),
        ({"metadata": {"dataClass": "clean"}}, "metadata.dataClass: must be one of: raw, cleaned, unknown"),
        ({"metadata": {"visibility": "all"}}, "metadata.visibility: must be one of: facility, customer"),
        (
            {"metadata": {"sequencingRunId": "x"}},
            "metadata.sequencingRunId: is not a sequencing run of this order",
        ),
        ({"checksumProvided": 1}, "checksumProvided: must be a string"),
        ({"mimeType": {}}, "mimeType: must be a string"),
    ],
)
def test_parts_of_the_wrong_kind_are_named(
    facility: Facility, order: OrderInHand, changes: dict[str, object], detail: str
) -> None:
    answer = facility.admin.post(order.uploads, {**READ, **changes})

    assert (answer.status_code, answer.json) == (400, {"error": "Validation failed", "details": [detail]})


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("C:\\runs\\soil..R1.fastq", "soil..R1.fastq"),
        ("/data/soil.FQ.GZ", "soil.FQ.GZ"),
        ("Erde ü.fastq", "Erde ü.fastq"),
        ("x" * 194 + ".fastq", "x" * 194 + ".fastq"),
    ],
)
def test_the_last_component_of_a_name_is_kept(
    facility: Facility, order: OrderInHand, name: str, kept: str
) -> None:
    answer = facility.admin.post(order.uploads, {**READ, "originalName": name})

    assert answer.json["tempPath"].rpartition("/")[2] == kept


def test_a_sample_may_be_named_by_its_code(facility: Facility, order: OrderInHand) -> None:
    answer = facility.admin.post(order.uploads, {**READ, "sampleId": order.sample_codes[0]})

    shown = facility.admin.get(f"{order.uploads}/{answer.json['uploadId']}").json
    assert (shown["sampleId"], shown["sampleCode"]) == (order.sample_ids[0], order.sample_codes[0])


def test_a_file_above_the_allowed_size_is_refused_and_one_at_it_is_not(
    facility: Facility, order: OrderInHand
) -> None:
    facility.services.facility.change("uploads", {"maxFileBytes": 10}, facility.clock.now())

    at = facility.admin.post(order.uploads, READ)
    above = facility.admin.post(order.uploads, {**READ, "expectedSize": 11})

    assert at.status_code == 200
    assert (above.status_code, above.json) == (413, {"error": "File is larger than the allowed upload size"})


def test_a_file_that_would_fill_the_disk_is_refused(facility: Facility, order: OrderInHand) -> None:
    answer = facility.admin.post(order.uploads, {**READ, "expectedSize": 10**24})

    assert (answer.status_code, answer.json) == (507, {"error": "Not enough free disk space"})
    assert SequencingUpload.select().count() == 0


def test_without_a_data_base_path_nothing_can_be_uploaded(facility: Facility, order: OrderInHand) -> None:
    facility.services.facility.change("storage", {"dataBasePath": None}, facility.clock.now())

    answer = facility.admin.post(order.uploads, READ)

    assert (answer.status_code, answer.json) == (400, {"error": "Data base path not configured"})


def test_unknown_metadata_is_kept_untouched(facility: Facility, order: OrderInHand) -> None:
    metadata = {"dataClass": "cleaned", "lane": 3, "nested": {"a": [1, None]}}

    answer = facility.admin.post(order.uploads, {**READ, "metadata": metadata})

    shown = facility.admin.get(f"{order.uploads}/{answer.json['uploadId']}").json
    assert shown["metadata"] == metadata
