"""Linking files on disk, changing reads, changing artifacts."""

import pytest
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.sequencing import Read, SequencingRun
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import FASTQ, OrderInHand, draft_order, submitted_order, upload

NOT_ALLOWED = {"error": "Sequencing data can only be managed on submitted or completed sequencing orders"}


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=2)


def reads_path(order: OrderInHand) -> str:
    return f"/api/orders/{order.id}/sequencing/reads"


def on_disk(facility: Facility, *names: str) -> list[str]:
    folder = facility.data / "runs"
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_bytes(FASTQ)
    return [f"runs/{name}" for name in names]


class TestLinking:
    def test_linked_files_become_the_active_read(self, facility: Facility, order: OrderInHand) -> None:
        file1, file2 = on_disk(facility, "a_R1.fastq", "a_R2.fastq")
        assignment = {"sampleId": order.sample_codes[0], "file1": file1, "file2": file2, "checksum1": "AB"}

        answer = facility.admin.put(reads_path(order), {"assignments": [assignment]})

        assert answer.status_code == 200
        read = answer.json["reads"][0]
        assert answer.json["success"] is True
        assert (read["sampleId"], read["file1"], read["file2"]) == (order.sample_ids[0], file1, file2)
        assert (read["source"], read["dataClass"], read["isActive"]) == ("link", "raw", True)
        assert (read["readLayout"], read["size1"], read["checksum1"]) == ("paired", len(FASTQ), "AB")

    def test_a_linked_read_supersedes_the_one_before(self, facility: Facility, order: OrderInHand) -> None:
        upload(facility, order)
        (file1,) = on_disk(facility, "a.fastq")

        facility.admin.put(
            reads_path(order), {"assignments": [{"sampleId": order.sample_ids[0], "file1": file1}]}
        )

        old, new = Read.select().order_by(Read.created_at, Read.id)
        assert (old.is_active, old.superseded_by_id, new.is_active) == (False, new.id, True)

    def test_every_cause_is_named_and_nothing_is_saved(self, facility: Facility, order: OrderInHand) -> None:
        taken = upload(facility, order)
        (good, text) = on_disk(facility, "good.fastq", "notes.txt")
        first, second = order.sample_ids
        assignments = [
            {"sampleId": second, "file1": good},
            {"sampleId": "none", "file1": "../up.fastq"},
            {"sampleId": second, "file1": "none.fastq"},
            {"sampleId": first, "file1": text, "sequencingRunId": "x"},
        ]

        answer = facility.admin.put(reads_path(order), {"assignments": assignments})
        foreign = facility.admin.put(
            reads_path(order), {"assignments": [{"sampleId": second, "file1": taken}]}
        )

        assert (answer.status_code, answer.json) == (
            400,
            {
                "error": "Validation failed",
                "details": [
                    "assignments[1].sampleId: is not a sample of this order",
                    "assignments[1].file1: Invalid file path",
                    "assignments[2].sampleId: is named twice",
                    "assignments[2].file1: File not found",
                    "assignments[3].file1: is not an allowed sequencing file extension",
                    "assignments[3].sequencingRunId: is not a sequencing run of this order",
                ],
            },
        )
        assert foreign.json["details"] == ["assignments[0].file1: belongs to another sample"]
        assert Read.select().count() == 1

    @pytest.mark.parametrize(
        ("body", "detail"),
        [
            ({}, "assignments: is required"),
            ({"assignments": []}, "assignments: must have at least 1 entry"),
            ({"assignments": [{"file1": "a"}]}, "assignments[0].sampleId: is required"),
            ({"assignments": [{"sampleId": "a"}]}, "assignments[0].file1: is required"),
        ],
    )
    def test_the_body_has_to_have_its_shape(
        self, facility: Facility, order: OrderInHand, body: dict[str, object], detail: str
    ) -> None:
        answer = facility.admin.put(reads_path(order), body)

        assert (answer.status_code, answer.json) == (400, {"error": "Validation failed", "details": [detail]})

    def test_a_draft_takes_no_reads(self, facility: Facility) -> None:
        draft = draft_order(facility)

        answer = facility.admin.put(reads_path(draft), {})

        assert (answer.status_code, answer.json) == (400, NOT_ALLOWED)


class TestChangingReads:
    def test_a_change_of_class_is_audited_with_its_note(self, facility: Facility, order: OrderInHand) -> None:
        upload(facility, order)
        read = Read.get()

        answer = facility.admin.patch(
            reads_path(order), {"readId": read.id, "dataClass": "cleaned", "note": "host removed"}
        )

        shown = answer.json["read"]
        row = AuditEvent.get(AuditEvent.action == "data-class-changed")
        assert answer.status_code == 200
        assert (shown["dataClass"], shown["dataClassLabel"], shown["isProtectedRaw"]) == (
            "cleaned",
            "Cleaned",
            False,
        )
        assert row.detail == {"from": "raw", "to": "cleaned", "note": "host removed"}
        assert row.object_id == read.id

    def test_clearing_a_file_clears_all_that_is_known_of_it(
        self, facility: Facility, order: OrderInHand
    ) -> None:
        path = upload(facility, order, checksumProvided="x")
        facility.services.worker.tick(facility.clock.now())
        read = Read.get()

        answer = facility.admin.patch(reads_path(order), {"readId": read.id, "clear": ["file1"]})

        shown = answer.json["read"]
        gone = ("file1", "size1", "checksum1", "checksumVerified1", "readCount1", "avgQuality1", "intake1")
        assert [shown[key] for key in gone] == [None] * len(gone)
        assert (facility.data / path).exists()

    def test_clearing_a_checksum_keeps_the_file(self, facility: Facility, order: OrderInHand) -> None:
        path = upload(facility, order, checksumProvided="x")

        answer = facility.admin.patch(reads_path(order), {"readId": Read.get().id, "clear": ["checksum1"]})

        assert (answer.json["read"]["file1"], answer.json["read"]["checksum1"]) == (path, None)

    def test_a_read_of_another_order_is_unknown(self, facility: Facility, order: OrderInHand) -> None:
        other = submitted_order(facility)
        upload(facility, other)

        answer = facility.admin.patch(reads_path(order), {"readId": Read.get().id})

        assert (answer.status_code, answer.json) == (404, {"error": "Read not found"})

    def test_an_unknown_class_is_refused_and_never_mapped(
        self, facility: Facility, order: OrderInHand
    ) -> None:
        upload(facility, order)

        answer = facility.admin.patch(reads_path(order), {"readId": Read.get().id, "dataClass": "RAW"})

        assert (answer.status_code, answer.json) == (
            400,
            {"error": "Validation failed", "details": ["dataClass: must be one of: raw, cleaned, unknown"]},
        )


class TestArtifacts:
    def artifact(self, facility: Facility, order: OrderInHand) -> dict[str, object]:
        changes: dict[str, object] = {"targetKind": "artifact", "targetRole": "qc_report", "sampleId": None}
        upload(facility, order, b"x", originalName="qc.html", **changes)
        listed = facility.admin.get(f"/api/orders/{order.id}/sequencing/artifacts")
        found: dict[str, object] = listed.json["artifacts"][0]
        return found

    def test_an_artifact_is_listed_and_changed(self, facility: Facility, order: OrderInHand) -> None:
        artifact = self.artifact(facility, order)

        answer = facility.admin.patch(
            f"/api/orders/{order.id}/sequencing/artifacts/{artifact['id']}",
            {"visibility": "customer", "stage": "qc", "artifactType": "attachment"},
        )

        changed = answer.json["artifact"]
        assert (artifact["visibility"], artifact["source"], artifact["size"]) == ("facility", "upload", 1)
        assert (changed["visibility"], changed["stage"], changed["artifactType"]) == (
            "customer",
            "qc",
            "attachment",
        )

    def test_an_artifact_of_another_order_is_unknown(self, facility: Facility, order: OrderInHand) -> None:
        artifact = self.artifact(facility, order)
        other = submitted_order(facility)

        answer = facility.admin.patch(f"/api/orders/{other.id}/sequencing/artifacts/{artifact['id']}", {})

        assert (answer.status_code, answer.json) == (404, {"error": "Artifact not found"})

    def test_an_unknown_word_is_refused(self, facility: Facility, order: OrderInHand) -> None:
        artifact = self.artifact(facility, order)

        answer = facility.admin.patch(
            f"/api/orders/{order.id}/sequencing/artifacts/{artifact['id']}", {"visibility": "public"}
        )

        assert answer.json == {
            "error": "Validation failed",
            "details": ["visibility: must be one of: facility, customer"],
        }


def test_a_sequencing_run_of_another_order_cannot_be_named(facility: Facility, order: OrderInHand) -> None:
    other = submitted_order(facility)
    run = SequencingRun.create(order=other.id, run_id="R1")
    body = {
        "targetKind": "read",
        "targetRole": "R1",
        "originalName": "a.fastq",
        "expectedSize": 1,
        "metadata": {"sequencingRunId": run.id},
    }

    refused = facility.admin.post(order.uploads, body)
    accepted = facility.admin.post(other.uploads, body)

    assert (refused.status_code, accepted.status_code) == (400, 200)
