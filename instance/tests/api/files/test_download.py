"""Downloading: who may, in which order it is refused, and how the bytes come."""

import os
from pathlib import Path
from urllib.parse import quote

import pytest
from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.pipelines import Backend, TargetType
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import Assembly
from seqfacility_instance.tables.sequencing import Read
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.sequencing import FASTQ, OrderInHand, submitted_order, upload

PATH = "/api/files/download"
DENIED = {"error": "Access denied"}


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility)


def publish(order: OrderInHand) -> None:
    Order.update(sequencing_files_published_at=system_now()).where(Order.id == order.id).execute()


def cleaned(facility: Facility, order: OrderInHand, **changes: object) -> str:
    return upload(facility, order, metadata={"dataClass": "cleaned"}, **changes)


def answer(client: Client, path: str, **headers: str) -> tuple[int, object]:
    got = client.get(PATH, params={"path": path}, headers=headers)
    return got.status_code, got.json if got.status_code >= 400 else got.content


def test_the_owner_downloads_a_published_cleaned_read(facility: Facility, order: OrderInHand) -> None:
    path = cleaned(facility, order)
    publish(order)

    got = facility.researcher.get(PATH, params={"path": path})

    assert (got.status_code, got.content) == (200, FASTQ)
    assert got.headers["content-type"] == "application/octet-stream"
    assert got.headers["content-length"] == str(len(FASTQ))
    assert got.headers["accept-ranges"] == "bytes"
    assert got.headers["cache-control"] == "private, no-store"
    assert got.headers["x-service-read-data-class"] == "cleaned"
    assert got.headers["content-disposition"] == (
        "attachment; filename=\"soil_R1.fastq\"; filename*=UTF-8''soil_R1.fastq"
    )
    assert "etag" in got.headers
    assert "last-modified" in got.headers


def test_nobody_downloads_without_a_session(facility: Facility) -> None:
    assert answer(facility.anonymous, "") == (401, {"error": "Unauthorized"})


def test_a_path_is_needed_before_anything_else_is(facility: Facility) -> None:
    facility.services.facility.change("storage", {"dataBasePath": None}, facility.clock.now())

    missing = facility.admin.get(PATH)
    assert (missing.status_code, missing.json) == (400, {"error": "path is required"})
    assert answer(facility.admin, "") == (400, {"error": "path is required"})
    assert answer(facility.admin, "../x") == (400, {"error": "Data base path not configured"})


@pytest.mark.parametrize("client", ["admin", "researcher"])
@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../x.fastq",
        "a/../b.fastq",
        ".hidden.fastq",
        "orders/.tmp/a.fastq",
        "a\\b.fastq",
        "a\0.fastq",
        "./",
    ],
)
def test_a_path_that_breaks_the_rule_is_invalid(facility: Facility, client: str, path: str) -> None:
    assert answer(getattr(facility, client), path) == (400, {"error": "Invalid file path"})


@pytest.mark.parametrize("client", ["admin", "researcher"])
def test_a_kind_of_file_that_is_not_for_download_is_refused(facility: Facility, client: str) -> None:
    assert answer(getattr(facility, client), "a/b.exe") == (
        400,
        {"error": "File type not allowed for download"},
    )


def test_a_researcher_learns_nothing_about_files_that_are_not_offered(
    facility: Facility, order: OrderInHand
) -> None:
    path = cleaned(facility, order)

    assert answer(facility.researcher, path) == (403, DENIED)
    assert answer(facility.researcher, path.replace("R1", "R9")) == (403, DENIED)
    assert answer(facility.researcher, f"orders/{order.id}/reads.txt") == (403, DENIED)
    publish(order)
    assert answer(facility.other_researcher, path) == (403, DENIED)


@pytest.mark.parametrize("data_class", ["raw", "unknown"])
def test_a_protected_read_is_for_the_facility_alone(
    facility: Facility, order: OrderInHand, data_class: str
) -> None:
    path = upload(facility, order, metadata={"dataClass": data_class})
    publish(order)

    got = facility.admin.get(PATH, params={"path": path})

    assert answer(facility.researcher, path) == (403, DENIED)
    assert (got.status_code, got.headers["x-service-read-data-class"]) == (200, data_class)


def test_a_superseded_read_is_for_the_facility_alone(facility: Facility, order: OrderInHand) -> None:
    path = cleaned(facility, order)
    cleaned(facility, order, originalName="again_R1.fastq")
    publish(order)

    got = facility.admin.get(PATH, params={"path": path})

    assert answer(facility.researcher, path) == (403, DENIED)
    assert (got.status_code, got.headers["x-service-read-data-class"]) == (200, "cleaned")


def test_an_artifact_is_offered_when_it_is_for_the_customer_and_published(
    facility: Facility, order: OrderInHand
) -> None:
    kind = {"targetKind": "artifact", "targetRole": "attachment", "sampleId": None}
    offered = upload(
        facility, order, b"x", **kind, originalName="a.docx", metadata={"visibility": "customer"}
    )
    internal = upload(facility, order, b"y", **kind, originalName="b.pdf")

    assert answer(facility.researcher, offered) == (400, {"error": "File type not allowed for download"})
    publish(order)
    assert answer(facility.researcher, offered) == (200, b"x")
    assert answer(facility.researcher, internal) == (403, DENIED)
    assert answer(facility.other_researcher, offered) == (
        400,
        {"error": "File type not allowed for download"},
    )


def assembly(facility: Facility, order: OrderInHand, name: str = "contigs.fa") -> str:
    run = PipelineRun.create(
        run_number="MAG-20260101-001",
        pipeline_id="mag",
        pipeline_version="1.0.0",
        target_type=TargetType.ORDER,
        order=order.id,
        user=facility.admin_id,
        execution_mode=Backend.LOCAL,
    )
    path = f"pipeline_runs/MAG-20260101-001/{name}"
    (facility.data / path).parent.mkdir(parents=True, exist_ok=True)
    (facility.data / path).write_text(">c\nACGT\n")
    Assembly.create(
        assembly_name="contigs",
        assembly_file=path,
        sample=order.sample_ids[0],
        created_by_pipeline_run=run.id,
    )
    return path


def test_assemblies_are_closed_to_every_researcher_while_the_setting_is_off(
    facility: Facility, order: OrderInHand
) -> None:
    path = assembly(facility, order)

    refused = (403, {"error": "Assembly downloads are disabled by the facility administrator."})
    assert answer(facility.researcher, path) == refused
    assert answer(facility.other_researcher, path) == refused
    assert answer(facility.admin, path) == (200, b">c\nACGT\n")


def test_an_owner_downloads_the_assemblies_of_a_completed_order(
    facility: Facility, order: OrderInHand
) -> None:
    path = assembly(facility, order)
    facility.services.facility.change("access", {"allowUserAssemblyDownload": True}, facility.clock.now())

    assert answer(facility.researcher, path) == (403, DENIED)
    facility.admin.post(f"/api/orders/{order.id}/status", {"status": "COMPLETED"})
    assert answer(facility.researcher, path) == (200, b">c\nACGT\n")
    assert answer(facility.other_researcher, path) == (403, DENIED)


def test_an_assembly_of_another_extension_stays_closed(facility: Facility, order: OrderInHand) -> None:
    path = assembly(facility, order, "contigs.txt")
    facility.services.facility.change("access", {"allowUserAssemblyDownload": True}, facility.clock.now())
    facility.admin.post(f"/api/orders/{order.id}/status", {"status": "COMPLETED"})

    assert answer(facility.researcher, path) == (403, DENIED)


def test_an_admin_is_told_what_is_missing_and_what_is_no_file(facility: Facility) -> None:
    (facility.data / "folder.txt").mkdir()
    os.mkfifo(facility.data / "pipe.txt")

    assert answer(facility.admin, "none.txt") == (404, {"error": "File not found"})
    assert answer(facility.admin, "none/none.txt") == (404, {"error": "File not found"})
    assert answer(facility.admin, "folder.txt") == (400, {"error": "Not a regular file"})
    assert answer(facility.admin, "pipe.txt") == (400, {"error": "Not a regular file"})


def test_a_link_that_leaves_the_base_path_is_invalid_and_one_that_stays_is_followed(
    facility: Facility,
) -> None:
    (facility.home / "secret.txt").write_text("outside")
    (facility.data / "kept.txt").write_text("inside")
    (facility.data / "out.txt").symlink_to("../secret.txt")
    (facility.data / "in.txt").symlink_to(facility.data / "kept.txt")

    assert answer(facility.admin, "out.txt") == (400, {"error": "Invalid file path"})
    assert answer(facility.admin, "in.txt") == (200, b"inside")


def test_other_spellings_of_an_offered_path_mean_the_same_file(
    facility: Facility, order: OrderInHand
) -> None:
    path = cleaned(facility, order)
    publish(order)

    assert answer(facility.researcher, path.replace("/", "//")) == (200, FASTQ)
    assert answer(facility.researcher, f"./{path}") == (200, FASTQ)


@pytest.mark.parametrize(
    ("wanted", "status", "first", "last"),
    [
        ("bytes=0-0", 206, 0, 0),
        ("bytes=5-9", 206, 5, 9),
        ("bytes=5-", 206, 5, 35),
        ("bytes=-3", 206, 33, 35),
        ("bytes=-99", 206, 0, 35),
        ("bytes=35-99", 206, 35, 35),
        ("bytes=0-35", 206, 0, 35),
        ("bytes=7-" + "9" * 30, 206, 7, 35),
        ("bytes=-" + "9" * 5000, 206, 0, 35),
        ("bytes=" + "0" * 30 + "7-8", 206, 7, 8),
    ],
)
def test_one_range_gives_exactly_its_bytes(
    facility: Facility, wanted: str, status: int, first: int, last: int
) -> None:
    content = bytes(range(36))
    (facility.data / "a.txt").write_bytes(content)

    got = facility.admin.get(PATH, params={"path": "a.txt"}, headers={"Range": wanted})

    assert (got.status_code, got.content) == (status, content[first : last + 1])
    assert got.headers["content-range"] == f"bytes {first}-{last}/36"
    assert got.headers["content-length"] == str(last - first + 1)


@pytest.mark.parametrize("wanted", ["bytes=36-", "bytes=99-100", "bytes=-0", "bytes=" + "9" * 30 + "-"])
def test_a_range_beyond_the_end_cannot_be_satisfied(facility: Facility, wanted: str) -> None:
    (facility.data / "a.txt").write_bytes(bytes(36))

    got = facility.admin.get(PATH, params={"path": "a.txt"}, headers={"Range": wanted})

    assert (got.status_code, got.headers["content-range"]) == (416, "bytes */36")
    assert got.json == {"error": "Range not satisfiable"}


@pytest.mark.parametrize("wanted", ["bytes=0-1,3-4", "bytes=-", "bytes=5-2", "lines=1-2", "bytes=a-b"])
def test_several_ranges_and_words_that_are_none_are_ignored(facility: Facility, wanted: str) -> None:
    (facility.data / "a.txt").write_bytes(bytes(36))

    got = facility.admin.get(PATH, params={"path": "a.txt"}, headers={"Range": wanted})

    assert (got.status_code, len(got.content)) == (200, 36)


def test_a_range_holds_only_while_the_file_is_the_one_that_the_client_knows(facility: Facility) -> None:
    (facility.data / "a.txt").write_bytes(bytes(36))
    known = facility.admin.get(PATH, params={"path": "a.txt"}).headers

    def status(if_range: str) -> int:
        headers = {"Range": "bytes=1-2", "If-Range": if_range}
        return facility.admin.get(PATH, params={"path": "a.txt"}, headers=headers).status_code

    assert status(known["etag"]) == status(known["last-modified"]) == 206
    (facility.data / "a.txt").write_bytes(bytes(37))
    assert status(known["etag"]) == 200
    assert status('"other"') == status("Thu, 01 Jan 1970 00:00:00 GMT") == 200


def test_head_tells_the_length_and_sends_nothing(facility: Facility) -> None:
    (facility.data / "a.txt").write_bytes(bytes(36))

    got = facility.admin.request("HEAD", PATH, params={"path": "a.txt"}, headers={"Range": "bytes=1-2"})

    assert (got.status_code, got.content) == (200, b"")
    assert got.headers["content-length"] == "36"


@pytest.mark.parametrize("name", ['a"b.txt', "Erde ü.txt", "日本.txt", "a;b%41.txt", "a'b.txt", "a\tb.txt"])
def test_any_name_reaches_the_client_unharmed(facility: Facility, name: str) -> None:
    (facility.data / name).write_bytes(b"x")

    got = facility.admin.get(PATH, params={"path": name})

    disposition = got.headers["content-disposition"]
    assert disposition.isascii()
    assert disposition.endswith(f"filename*=UTF-8''{quote(name, safe='!#$&+-.^_`|~')}")
    assert disposition.count('"') == 2


def test_a_download_is_audited_once_however_many_parts_it_has(facility: Facility) -> None:
    (facility.data / "a.txt").write_bytes(bytes(36))

    for start in range(5):
        answer(facility.admin, "a.txt", Range=f"bytes={start}-{start}")

    rows = list(AuditEvent.select().where(AuditEvent.action == "downloaded"))
    assert [row.detail for row in rows] == [{"path": "a.txt"}]


def test_no_descriptor_stays_open(facility: Facility) -> None:
    (facility.data / "a.txt").write_bytes(bytes(36))
    answer(facility.admin, "a.txt")
    before = len(list(Path("/proc/self/fd").iterdir()))

    answer(facility.admin, "a.txt")
    answer(facility.admin, "a.txt", Range="bytes=99-")
    facility.admin.request("HEAD", PATH, params={"path": "a.txt"})

    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert Read.select().count() == 0
