"""From stream to reads: what is asked for, and what the worker makes of it."""

import gzip
import hashlib
import random
import uuid
from datetime import timedelta
from typing import Any

import pytest
from seqfacility_instance.streams.sample_metrics import streams_of_samples
from seqfacility_instance.streams.service import collection
from seqfacility_instance.tables.sequencing import Read
from seqfacility_instance.tables.site import BackgroundJob
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import OrderInHand, draft_order
from seqfacility_testkit.streams import StreamInHand, fastq, fastq_gz, start_stream


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return draft_order(facility, samples=3)


@pytest.fixture
def stream(facility: Facility, order: OrderInHand) -> StreamInHand:
    codes = order.sample_codes
    barcode_map = {"barcode01": codes[0], "barcode02": codes[1], "barcode03": codes[0], "barcode04": "S-x"}
    return start_stream(facility, order, barcodeMap=barcode_map)


def end(stream: StreamInHand) -> None:
    stream.look(2)
    stream.stop()
    stream.look()
    assert stream.shown()["status"] == "STOPPED"


def collect(stream: StreamInHand, **body: object) -> tuple[int, Any]:
    answer = stream.facility.admin.post(f"{stream.path}/collect", body)
    return answer.status_code, answer.json


def work(stream: StreamInHand) -> None:
    stream.facility.services.worker.tick(stream.facility.clock.now())


def test_a_run_that_is_not_stopped_gives_no_reads(stream: StreamInHand) -> None:
    refused = (400, {"error": "Stream run is not stopped"})

    assert collect(stream) == refused
    stream.stop()
    assert collect(stream) == refused


def test_every_mapped_sample_with_files_gets_one_raw_read(stream: StreamInHand, order: OrderInHand) -> None:
    parts = [fastq_gz(3, 50), fastq_gz(2, 40), fastq_gz(1, 30, members=2)]
    stream.put("fastq_pass/barcode01/a.fastq.gz", parts[0])
    stream.put("fastq_pass/barcode01/b.fastq.gz", parts[1])
    stream.put("fastq_pass/barcode03/c.fastq.gz", parts[2])
    stream.put("fastq_pass/barcode02/d.fastq.gz", fastq_gz(1))
    stream.put("fastq_pass/barcode04/e.fastq.gz", fastq_gz(1))
    stream.put("fastq_pass/unclassified/f.fastq.gz", fastq_gz(1))
    end(stream)

    answer = collect(stream)
    work(stream)

    assert answer == (202, {"success": True, "queued": 2})
    path = f"orders/{order.id}/reads/{order.sample_codes[0]}/{stream.id}.fastq.gz"
    read = Read.get(Read.sample == order.sample_ids[0])
    content = (stream.facility.data / path).read_bytes()
    assert content == b"".join(parts)
    assert (read.file1, read.size1, read.read_count1) == (path, len(content), 7)
    assert read.checksum1 == hashlib.md5(content, usedforsecurity=False).hexdigest()
    assert (read.data_class.value, read.source.value, read.is_active) == ("raw", "stream", True)
    assert stream.payloads("READ_CREATED")[0] == {
        "readId": read.id,
        "sampleId": order.sample_ids[0],
        "sampleCode": order.sample_codes[0],
        "barcode": "barcode01, barcode03",
    }
    assert Read.select().count() == 2


def test_nothing_but_the_read_is_left_in_its_folder(stream: StreamInHand, order: OrderInHand) -> None:
    stream.put("barcode01/a.fastq.gz", fastq_gz(1))
    end(stream)
    collect(stream)
    work(stream)

    folder = stream.facility.data / f"orders/{order.id}/reads/{order.sample_codes[0]}"
    assert [path.name for path in folder.iterdir()] == [f"{stream.id}.fastq.gz"]


def test_plain_and_untidy_files_join_into_clean_fastq(stream: StreamInHand, order: OrderInHand) -> None:
    stream.put("barcode01/a.fastq", fastq(2))
    stream.put("barcode01/b.fastq.gz", gzip.compress(fastq(1)[:-1]))
    stream.put("barcode01/c.fastq.gz", gzip.compress(fastq(1) + b"\n\n"))
    stream.put("barcode01/d.fastq.gz", fastq_gz(1))
    end(stream)
    collect(stream)
    work(stream)

    read = Read.get()
    assert gzip.decompress((stream.facility.data / str(read.file1)).read_bytes()) == fastq(5)
    assert read.read_count1 == 5


def test_malformed_files_do_not_join(stream: StreamInHand) -> None:
    stream.put("barcode01/a.fastq.gz", fastq_gz(400, 100)[:-9])
    stream.put("barcode01/b.fastq.gz", fastq_gz(2))
    end(stream)
    collect(stream)
    work(stream)

    assert Read.get().read_count1 == 2


def test_only_the_named_samples_are_collected(stream: StreamInHand, order: OrderInHand) -> None:
    stream.put("barcode01/a.fastq.gz", fastq_gz(1))
    stream.put("barcode02/a.fastq.gz", fastq_gz(1))
    end(stream)

    by_id = collect(stream, sampleIds=[order.sample_ids[1]])
    by_code = collect(stream, sampleIds=[order.sample_codes[0], order.sample_ids[2]])

    assert by_id == by_code == (202, {"success": True, "queued": 1})


def test_samples_that_the_order_does_not_have_are_refused(stream: StreamInHand, order: OrderInHand) -> None:
    end(stream)

    refused = collect(stream, sampleIds=["S-no", order.sample_ids[0], "S-nor"])

    assert refused == (400, {"error": "Invalid sample IDs: S-no, S-nor"})
    assert BackgroundJob.select().count() == 0


def test_sample_ids_are_a_list_of_texts(stream: StreamInHand) -> None:
    end(stream)

    details = ["sampleIds: must be an array"]
    assert collect(stream, sampleIds="S-1") == (400, {"error": "Validation failed", "details": details})


def test_without_a_data_folder_nothing_is_queued(stream: StreamInHand) -> None:
    stream.put("barcode01/a.fastq.gz", fastq_gz(1))
    end(stream)
    stream.facility.admin.patch("/api/admin/settings/storage", {"dataBasePath": None})

    assert collect(stream) == (400, {"error": "Data base path not configured"})


def test_asking_twice_makes_one_read(stream: StreamInHand) -> None:
    stream.put("barcode01/a.fastq.gz", fastq_gz(1))
    end(stream)

    answers = [collect(stream)[1]["queued"], collect(stream)[1]["queued"]]
    work(stream)
    answers.append(collect(stream)[1]["queued"])
    work(stream)

    assert answers == [1, 0, 0]
    assert Read.select().count() == 1
    assert len(stream.payloads("READ_CREATED")) == 1


def test_the_read_before_it_is_superseded_and_kept(stream: StreamInHand, order: OrderInHand) -> None:
    old = Read.create(
        sample=order.sample_ids[0], file1="orders/x/old.fastq", data_class="raw", source="upload"
    )
    stream.put("barcode01/a.fastq.gz", fastq_gz(1))
    end(stream)
    collect(stream)
    work(stream)

    new = Read.get(Read.is_active)
    before = Read.get_by_id(old.id)
    assert (before.is_active, before.superseded_by_id) == (False, new.id)


def test_a_file_that_changed_after_the_count_stops_the_join(stream: StreamInHand) -> None:
    stream.put("barcode01/a.fastq.gz", fastq_gz(1))
    stream.put("barcode01/b.fastq.gz", fastq_gz(2))
    end(stream)
    stream.put("barcode01/b.fastq.gz", fastq_gz(3))
    collect(stream)
    work(stream)
    told = stream.payloads("ERROR")
    reads_then = Read.select().count()
    stream.put("barcode01/b.fastq.gz", fastq_gz(2))
    stream.facility.clock.advance(timedelta(minutes=5))
    work(stream)

    assert told == [
        {"message": "The file is not any more what was counted", "filePath": "barcode01/b.fastq.gz"}
    ]
    assert (reads_then, Read.get().read_count1) == (0, 3)


def test_a_full_disk_is_told_and_nothing_half_made_is_visible(stream: StreamInHand) -> None:
    stream.put("barcode01/a.fastq.gz", fastq_gz(1))
    end(stream)
    stream.facility.admin.patch("/api/admin/settings/storage", {"minFreeBytes": 2**62})
    collect(stream)
    work(stream)

    assert stream.payloads("ERROR") == [{"message": "Not enough free disk space", "filePath": None}]
    assert Read.select().count() == 0


def test_the_room_that_an_earlier_attempt_took_is_not_asked_for_again(
    stream: StreamInHand, order: OrderInHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = [fastq_gz(200, 500), fastq_gz(1)]
    stream.put("barcode01/a.fastq.gz", parts[0])
    gone = stream.put("barcode01/b.fastq.gz", parts[1])
    end(stream)
    gone.unlink()
    collect(stream)
    work(stream)
    gone.write_bytes(parts[1])
    stream.facility.admin.patch("/api/admin/settings/storage", {"minFreeBytes": 0})
    monkeypatch.setattr(collection, "free_bytes", lambda _root: len(parts[1]))
    stream.facility.clock.advance(timedelta(minutes=5))
    work(stream)

    assert Read.get().read_count1 == 201
    assert [told["message"] for told in stream.payloads("ERROR")] == [
        "The file is not any more what was counted"
    ]


def test_a_foreign_file_in_the_place_of_the_joined_one_is_told_once(
    stream: StreamInHand, order: OrderInHand
) -> None:
    stream.put("barcode01/a.fastq.gz", fastq_gz(1))
    end(stream)
    path = f"orders/{order.id}/reads/{order.sample_codes[0]}/{stream.id}.fastq.gz"
    foreign = stream.facility.home / "data" / path
    foreign.parent.mkdir(parents=True)
    foreign.write_bytes(b"foreign")
    collect(stream)
    for _attempt in range(2):
        work(stream)
        stream.facility.clock.advance(timedelta(minutes=5))

    assert stream.payloads("ERROR") == [
        {"message": "Another file has the name of the joined file", "filePath": path}
    ]
    assert foreign.read_bytes() == b"foreign"
    assert Read.select().count() == 0


@pytest.mark.parametrize("is_merged_first", [False, True])
def test_reads_that_staff_merged_into_one_file_are_told_and_joined_once(
    stream: StreamInHand, is_merged_first: bool
) -> None:
    parts = [nanopore_reads(number, 10) for number in range(3)]
    stream.put("fastq_pass/barcode01.fastq.gz" if is_merged_first else "later.fastq.gz", b"".join(parts))
    stream.look(2 * is_merged_first)
    for number, part in enumerate(parts):
        stream.put(f"fastq_pass/barcode01/p_{number}.fastq.gz", part)
    stream.look(2)
    if not is_merged_first:
        (stream.folder / "later.fastq.gz").rename(stream.folder / "fastq_pass/barcode01/merged.fastq.gz")
    end(stream)
    collect(stream)
    work(stream)

    merged = "fastq_pass/barcode01.fastq.gz" if is_merged_first else "later.fastq.gz"
    assert stream.payloads("ERROR") == [
        {"message": "The file begins with the reads of fastq_pass/barcode01/p_0.fastq.gz", "filePath": merged}
    ]
    assert stream.shown()["totalReads"] == 60
    assert Read.get().read_count1 == 30


def nanopore_reads(seed: int, reads: int) -> bytes:
    ids = random.Random(seed)  # noqa: S311  # ids of reads, no secret
    records = [f"@{uuid.UUID(int=ids.getrandbits(128))} ch=1\nACGT\n+\nIIII\n" for _ in range(reads)]
    return gzip.compress("".join(records).encode(), mtime=0)


def test_the_files_of_a_sample_are_added_up_for_the_sequencing_page(
    facility: Facility, stream: StreamInHand, order: OrderInHand
) -> None:
    stream.put("barcode01/a.fastq", fastq(2))
    stream.put("barcode03/a.fastq", fastq(3))
    stream.put("barcode04/a.fastq", fastq(9))
    stream.look(2)
    before = streams_of_samples(order.id)
    facility.admin.patch(stream.path, {"barcodeMap": {"barcode03": order.sample_codes[2]}})

    after = streams_of_samples(order.id)

    last = stream.events("FILE_INGESTED")[-1]["ts"]
    assert before == {order.sample_ids[0]: {"reads": 5, "bases": 50, "lastFileAt": last}}
    assert after == {order.sample_ids[2]: {"reads": 3, "bases": 30, "lastFileAt": last}}
