"""Publishing, withdrawing, looking at a delivery, and the sequencing page."""

import pytest
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import FASTQ, OrderInHand, draft_order, initiate, submitted_order, upload

EMPTY = {"protectedReads": 0, "internalArtifacts": 0, "missingFiles": 0}


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=2)


def delivery_path(order: OrderInHand) -> str:
    return f"/api/orders/{order.id}/sequencing/delivery"


def publication_path(order: OrderInHand) -> str:
    return f"{delivery_path(order)}/publication"


def fill(facility: Facility, order: OrderInHand) -> dict[str, str]:
    """Upload one file of each kind; return their paths."""
    artifact: dict[str, object] = {"targetKind": "artifact", "targetRole": "qc_report", "sampleId": None}
    return {
        "cleaned": upload(facility, order, metadata={"dataClass": "cleaned"}, checksumProvided="abc"),
        "raw": upload(facility, order, sampleId=order.sample_ids[1]),
        "customer": upload(
            facility, order, b"c", **artifact, originalName="c.pdf", metadata={"visibility": "customer"}
        ),
        "internal": upload(facility, order, b"i", **artifact, originalName="i.pdf"),
    }


def test_publishing_releases_what_the_delivery_lists(facility: Facility, order: OrderInHand) -> None:
    paths = fill(facility, order)

    before = facility.researcher.get(delivery_path(order)).json["delivery"]
    published = facility.admin.put(publication_path(order))
    after = facility.researcher.get(delivery_path(order)).json["delivery"]

    assert (before["isPublished"], before["readFiles"], before["artifactFiles"]) == (False, [], [])
    assert before["excluded"] == after["excluded"] == EMPTY
    assert published.status_code == 200
    assert published.json["delivery"]["publishedBy"]["id"] == facility.admin_id
    assert published.json["delivery"]["excluded"] == {**EMPTY, "protectedReads": 1, "internalArtifacts": 1}
    (read,), (artifact,) = after["readFiles"], after["artifactFiles"]
    assert {key: read[key] for key in ("role", "name", "path", "size", "checksum", "dataClass")} == {
        "role": "R1",
        "name": "soil_R1.fastq",
        "path": paths["cleaned"],
        "size": len(FASTQ),
        "checksum": "abc",
        "dataClass": "cleaned",
    }
    assert (artifact["name"], artifact["path"], artifact["size"]) == ("c.pdf", paths["customer"], 1)
    for listed in (read, artifact):
        got = facility.researcher.get("/api/files/download", params={"path": listed["path"]})
        assert (got.status_code, len(got.content)) == (200, listed["size"])


def test_publishing_again_changes_nothing(facility: Facility, order: OrderInHand) -> None:
    fill(facility, order)

    first = facility.admin.put(publication_path(order))
    second = facility.admin.put(publication_path(order))

    assert (second.status_code, second.json) == (200, first.json)
    assert AuditEvent.select().where(AuditEvent.action == "published").count() == 1


def test_withdrawing_closes_the_downloads_again(facility: Facility, order: OrderInHand) -> None:
    paths = fill(facility, order)
    facility.admin.put(publication_path(order))

    answer = facility.admin.delete(publication_path(order))

    got = facility.researcher.get("/api/files/download", params={"path": paths["cleaned"]})
    assert (answer.status_code, answer.json["delivery"]["isPublished"]) == (200, False)
    assert answer.json["delivery"]["publishedBy"] is None
    assert got.status_code == 403


def test_an_order_without_anything_to_download_is_not_published(
    facility: Facility, order: OrderInHand
) -> None:
    upload(facility, order)

    answer = facility.admin.put(publication_path(order))

    assert (answer.status_code, answer.json) == (
        400,
        {
            "error": "There is nothing to publish",
            "details": [
                "reads: no active cleaned read",
                "artifacts: no artifact for the customer",
                "reads: 1 protected",
            ],
        },
    )


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_a_draft_is_not_published(facility: Facility, method: str) -> None:
    draft = draft_order(facility)

    answer = facility.admin.request(method, publication_path(draft))

    assert (answer.status_code, answer.json) == (
        400,
        {"error": "Sequencing data can only be managed on submitted or completed sequencing orders"},
    )


def test_a_file_that_is_gone_is_counted_and_not_listed(facility: Facility, order: OrderInHand) -> None:
    paths = fill(facility, order)
    (facility.data / paths["cleaned"]).unlink()

    shown = facility.admin.get(delivery_path(order)).json["delivery"]

    assert shown["readFiles"] == []
    assert shown["excluded"]["missingFiles"] == 1


def test_the_delivery_is_for_the_owner_and_the_facility(facility: Facility, order: OrderInHand) -> None:
    stranger = facility.other_researcher.get(delivery_path(order))
    publishing = facility.researcher.put(publication_path(order))

    assert (stranger.status_code, stranger.json) == (403, {"error": "Forbidden"})
    assert (publishing.status_code, publishing.json) == (403, {"error": "Unauthorized"})


def test_what_becomes_publishable_later_is_covered(facility: Facility, order: OrderInHand) -> None:
    fill(facility, order)
    facility.admin.put(publication_path(order))

    later = upload(
        facility,
        order,
        sampleId=order.sample_ids[1],
        originalName="late.fastq",
        metadata={"dataClass": "cleaned"},
    )

    assert facility.researcher.get("/api/files/download", params={"path": later}).status_code == 200


def test_the_page_shows_everything_of_an_order(facility: Facility, order: OrderInHand) -> None:
    fill(facility, order)
    upload(facility, order, targetRole="R2", originalName="soil_R2.fastq", metadata={"dataClass": "cleaned"})
    open_id = initiate(facility, order, 5)

    answer = facility.admin.get(f"/api/orders/{order.id}/sequencing")

    page = answer.json
    assert answer.status_code == 200
    assert page["summary"] == {
        "samples": 2,
        "withReads": 2,
        "paired": 1,
        "missingChecksums": 2,
        "protectedReads": 1,
        "cleanedReads": 1,
        "artifacts": 2,
        "openUploads": 1,
    }
    assert (page["canManage"], page["dataBasePathConfigured"], page["isPublished"]) == (True, True, False)
    assert [sample["id"] for sample in page["samples"]] == order.sample_ids
    assert page["samples"][0]["read"]["readLayout"] == "paired"
    assert [artifact["originalName"] for artifact in page["orderArtifacts"]] == ["i.pdf", "c.pdf"]
    assert [session["uploadId"] for session in page["openUploads"]] == [open_id]
    assert page["uploadRules"]["allowedReadExtensions"] == [".fastq.gz", ".fq.gz", ".fastq", ".fq"]


def test_the_page_is_for_the_facility(facility: Facility, order: OrderInHand) -> None:
    answer = facility.researcher.get(f"/api/orders/{order.id}/sequencing")

    assert (answer.status_code, answer.json) == (403, {"error": "Unauthorized"})
