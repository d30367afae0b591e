"""Hashing files on request, and deleting them."""

import hashlib
import threading

import pytest
from seqfacility_instance.core.vocabulary.pipelines import Backend, RunStatus, TargetType
from seqfacility_instance.files.service.checksums import FILES_AT_ONCE, MAX_IN_HAND
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.sequencing import Read, SequencingArtifact
from seqfacility_instance.web_server import THREADS_PER_WORKER
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import FASTQ, OrderInHand, submitted_order, upload

CHECKSUM, DELETE = "/api/files/checksum", "/api/files/delete"
MD5 = hashlib.md5(FASTQ, usedforsecurity=False).hexdigest()


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility)


class TestChecksum:
    def test_only_an_admin_may_ask(self, facility: Facility) -> None:
        nobody = facility.anonymous.post(CHECKSUM, {})
        researcher = facility.researcher.post(CHECKSUM, {})

        assert (nobody.status_code, nobody.json) == (401, {"error": "Unauthorized"})
        assert (researcher.status_code, researcher.json) == (
            403,
            {"error": "Only facility admins can calculate checksums"},
        )

    @pytest.mark.parametrize("body", [{}, {"filePaths": []}, {"filePaths": "a"}, {"filePaths": ["a", 1]}])
    def test_a_list_of_paths_is_needed(self, facility: Facility, body: dict[str, object]) -> None:
        answer = facility.admin.post(CHECKSUM, body)

        assert (answer.status_code, answer.json) == (400, {"error": "filePaths array is required"})

    def test_the_base_path_is_asked_before_the_list(self, facility: Facility) -> None:
        facility.services.facility.change("storage", {"dataBasePath": None}, facility.clock.now())

        answer = facility.admin.post(CHECKSUM, {})

        assert (answer.status_code, answer.json) == (400, {"error": "Data base path not configured"})

    def test_fifty_paths_are_taken_and_one_more_is_not(self, facility: Facility) -> None:
        at = facility.admin.post(CHECKSUM, {"filePaths": ["none.txt"] * 50})
        above = facility.admin.post(CHECKSUM, {"filePaths": ["none.txt"] * 51})

        assert at.status_code == 200
        assert (above.status_code, above.json) == (400, {"error": "Maximum 50 files at a time"})

    def test_requests_that_hash_leave_most_threads_of_a_process_to_others(self, facility: Facility) -> None:
        hashing = facility.services.checksums.in_hand
        for _ in range(MAX_IN_HAND):
            assert hashing.acquire(blocking=False)

        refused = facility.admin.post(CHECKSUM, {"filePaths": ["none.txt"]})
        hashing.release()
        answers = [facility.admin.post(CHECKSUM, {"filePaths": ["none.txt"]}) for _ in range(2)]

        assert (refused.status_code, refused.json) == (429, {"error": "Too many requests"})
        assert int(refused.headers["Retry-After"]) > 0
        assert [answer.status_code for answer in answers] == [200, 200]
        assert MAX_IN_HAND * 4 <= THREADS_PER_WORKER

    def test_files_of_all_requests_are_hashed_a_few_at_a_time(self, facility: Facility) -> None:
        (facility.data / "loose.txt").write_bytes(FASTQ)
        turn = facility.services.checksums.turn
        for _ in range(FILES_AT_ONCE):
            assert turn.acquire(blocking=False)
        later = threading.Timer(0.2, turn.release)
        later.start()

        answer = facility.admin.post(CHECKSUM, {"filePaths": ["loose.txt", "none.txt"]})

        later.join()
        assert [result["checksum"] for result in answer.json["results"]] == [MD5, None]

    def test_every_entry_has_its_own_result(self, facility: Facility, order: OrderInHand) -> None:
        path = upload(facility, order)
        (facility.data / "loose.txt").write_bytes(FASTQ)
        (facility.data / "folder").mkdir()
        listed = [path, f"./{path}", "loose.txt", "../up", "none.txt", "folder"]

        answer = facility.admin.post(CHECKSUM, {"filePaths": listed})

        def failed(entry: str, error: str) -> dict[str, object]:
            return {"filePath": entry, "checksum": None, "updatedReadRecord": False, "error": error}

        assert answer.json == {
            "success": True,
            "results": [
                {"filePath": path, "checksum": MD5, "updatedReadRecord": True},
                {"filePath": f"./{path}", "checksum": MD5, "updatedReadRecord": True},
                {
                    "filePath": "loose.txt",
                    "checksum": MD5,
                    "updatedReadRecord": False,
                    "warning": "File is not linked to a read",
                },
                failed("../up", "Invalid file path"),
                failed("none.txt", "File not found"),
                failed("folder", "Not a regular file"),
            ],
            "summary": {
                "total": 6,
                "successful": 3,
                "failed": 3,
                "updatedReadRecords": 2,
                "notLinkedToRead": 1,
            },
        }
        assert Read.get().checksum1 == MD5

    def test_superseded_reads_are_updated_too(self, facility: Facility, order: OrderInHand) -> None:
        path = upload(facility, order, checksumProvided="wrong")
        upload(facility, order, originalName="again.fastq")

        facility.admin.post(CHECKSUM, {"filePaths": [path]})

        read = Read.get(Read.file1 == path)
        assert (read.is_active, read.checksum1, read.checksum_verified1) == (False, MD5, False)


class TestDelete:
    def test_whoever_is_no_admin_gets_401(self, facility: Facility) -> None:
        for client in (facility.anonymous, facility.researcher):
            answer = client.post(DELETE, {"filePaths": ["a"]})
            assert (answer.status_code, answer.json) == (401, {"error": "Unauthorized"})

    def test_the_list_has_the_rules_of_the_checksum(self, facility: Facility) -> None:
        empty = facility.admin.post(DELETE, {"filePaths": []})
        above = facility.admin.post(DELETE, {"filePaths": ["a"] * 51})

        assert (empty.status_code, empty.json) == (400, {"error": "filePaths array is required"})
        assert (above.status_code, above.json) == (400, {"error": "Maximum 50 files at a time"})

    def test_the_only_file_of_a_read_takes_the_read_along(
        self, facility: Facility, order: OrderInHand
    ) -> None:
        path = upload(facility, order)

        answer = facility.admin.post(DELETE, {"filePaths": [path]})

        assert answer.json == {
            "success": True,
            "total": 1,
            "deletedCount": 1,
            "recordsRemoved": 1,
            "recordsUpdated": 0,
            "artifactsRemoved": 0,
            "errors": [],
        }
        assert not (facility.data / path).exists()
        assert Read.select().count() == 0

    def test_the_other_mate_stays(self, facility: Facility, order: OrderInHand) -> None:
        path = upload(facility, order, checksumProvided="x")
        other = upload(facility, order, targetRole="R2", originalName="soil_R2.fastq", checksumProvided="y")

        answer = facility.admin.post(DELETE, {"filePaths": [path]})

        read = Read.get()
        assert (answer.json["recordsRemoved"], answer.json["recordsUpdated"]) == (0, 1)
        assert (read.file1, read.checksum1, read.size1) == (None, None, None)
        assert (read.file2, read.checksum2) == (other, "y")

    def test_an_artifact_row_goes_with_its_file(self, facility: Facility, order: OrderInHand) -> None:
        kind: dict[str, object] = {"targetKind": "artifact", "targetRole": "attachment", "sampleId": None}
        path = upload(facility, order, b"x", originalName="a.pdf", **kind)

        answer = facility.admin.post(DELETE, {"filePaths": [path]})

        assert answer.json["artifactsRemoved"] == 1
        assert SequencingArtifact.select().count() == 0

    def test_a_file_that_is_gone_is_reported_and_its_records_are_repaired(
        self, facility: Facility, order: OrderInHand
    ) -> None:
        path = upload(facility, order)
        (facility.data / path).unlink()
        (facility.data / "folder").mkdir()
        (facility.data / "kept.txt").write_text("x")

        answer = facility.admin.post(DELETE, {"filePaths": [path, "../up", "folder", "kept.txt"]})

        assert answer.json == {
            "success": True,
            "total": 4,
            "deletedCount": 1,
            "recordsRemoved": 1,
            "recordsUpdated": 0,
            "artifactsRemoved": 0,
            "errors": [
                {"path": path, "error": "File not found"},
                {"path": "../up", "error": "Invalid file path"},
                {"path": "folder", "error": "Not a regular file"},
            ],
        }

    def test_no_superseded_read_becomes_active_again(self, facility: Facility, order: OrderInHand) -> None:
        upload(facility, order)
        path = upload(facility, order, originalName="again.fastq")

        facility.admin.post(DELETE, {"filePaths": [path]})

        assert [read.is_active for read in Read.select()] == [False]

    def test_a_link_goes_and_its_target_stays(self, facility: Facility) -> None:
        (facility.data / "target.txt").write_text("x")
        (facility.data / "link.txt").symlink_to("target.txt")
        (facility.home / "outside.txt").write_text("x")
        (facility.data / "out.txt").symlink_to("../outside.txt")

        answer = facility.admin.post(DELETE, {"filePaths": ["link.txt", "out.txt"]})

        assert answer.json["errors"] == [{"path": "out.txt", "error": "Invalid file path"}]
        assert (facility.data / "target.txt").exists()
        assert (facility.home / "outside.txt").exists()

    @pytest.mark.parametrize(
        ("status", "is_kept"),
        [(RunStatus.RUNNING, True), (RunStatus.QUEUED, True), (RunStatus.COMPLETED, False)],
    )
    def test_what_a_run_works_with_stays(
        self, facility: Facility, order: OrderInHand, status: RunStatus, is_kept: bool
    ) -> None:
        path = upload(facility, order)
        run_folder = facility.data / "pipeline_runs" / "MAG-1"
        (run_folder / "logs").mkdir(parents=True)
        (run_folder / "logs" / "a.log").write_text("x")
        PipelineRun.create(
            run_number="MAG-1",
            pipeline_id="mag",
            pipeline_version="1",
            status=status,
            target_type=TargetType.ORDER,
            order=order.id,
            user=facility.admin_id,
            execution_mode=Backend.LOCAL,
            run_folder=str(run_folder),
        )
        listed = [path, "pipeline_runs/MAG-1/logs/a.log"]

        answer = facility.admin.post(DELETE, {"filePaths": listed})

        refusal = "File is in use by a running pipeline run"
        expected = [{"path": entry, "error": refusal} for entry in listed] if is_kept else []
        assert answer.json["errors"] == expected
        assert (facility.data / path).exists() is is_kept
