"""What the monitor makes of the files in a watched directory."""

import gzip
import hashlib
import os
from datetime import timedelta
from pathlib import Path

import pytest
from seqfacility_instance.streams.service.monitor import StreamMonitor
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.tables.streams import StreamRun
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import OrderInHand, draft_order
from seqfacility_testkit.streams import (
    ReportedFiles,
    StreamInHand,
    Totals,
    fastq,
    fastq_gz,
    start_stream,
    truth,
)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return draft_order(facility, samples=2)


@pytest.fixture
def stream(facility: Facility, order: OrderInHand) -> StreamInHand:
    return start_stream(facility, order, barcodeMap={"barcode01": order.sample_codes[0]})


def totals(stream: StreamInHand) -> Totals:
    """Return the totals, having seen that run, table, events and counters say the same."""
    run, metrics = stream.shown(), stream.get("metrics").json
    rows = stream.get("by-barcode").json["barcodes"]
    told = ReportedFiles.by(stream.events()).totals()
    assert run["totalReads"] == sum(row["totalReads"] for row in rows) == told.reads
    assert int(run["totalBases"]) == sum(row["totalBases"] for row in rows) == told.bases
    assert sum(row["fileCount"] for row in rows) == metrics["totals"]["files"]
    assert sum(step["reads"] for step in metrics["readLengths"]) == told.reads
    assert sum(step["reads"] for step in metrics["readQualities"]) == told.reads
    assert sum(point["bases"] for point in metrics["yield"]) == told.bases
    return Totals(metrics["totals"]["files"], told.reads, told.bases)


def settings(facility: Facility, **changes: object) -> None:
    assert facility.admin.patch("/api/admin/settings/streamIngest", changes).status_code == 200


def test_a_file_is_told_with_all_that_is_known_of_it(stream: StreamInHand, order: OrderInHand) -> None:
    content = fastq_gz(4, 25, members=2)
    stream.put("fastq_pass/barcode01/a.fastq.gz", content)

    stream.look(2)

    assert stream.payloads("FILE_INGESTED") == [
        {
            "filePath": "fastq_pass/barcode01/a.fastq.gz",
            "barcode": "barcode01",
            "size": len(content),
            "reads": 8,
            "bases": 200,
            "sampleId": order.sample_ids[0],
            "sampleCode": order.sample_codes[0],
            "replaced": False,
            "malformed": False,
        }
    ]
    assert totals(stream) == Totals(1, 8, 200)


def test_a_file_without_a_barcode_counts_in_full(stream: StreamInHand) -> None:
    stream.put("a.fastq", fastq(3))

    stream.look(2)

    [told] = stream.payloads("FILE_INGESTED")
    assert (told["barcode"], told["sampleId"], told["sampleCode"]) == (None, None, None)
    [row] = stream.get("by-barcode").json["barcodes"]
    assert row == {
        "barcode": "(unknown)",
        "fileCount": 1,
        "totalSize": len(fastq(3)),
        "totalReads": 3,
        "totalBases": 30,
        "lastFileAt": stream.events("FILE_INGESTED")[0]["ts"],
        "lastFilePath": "a.fastq",
    }


def test_barcodes_are_sorted_by_name(stream: StreamInHand) -> None:
    for folder in ("unclassified", "barcode10", "barcode02", "."):
        stream.put(f"{folder}/a.fastq", fastq(1))

    stream.look(2)

    names = [row["barcode"] for row in stream.get("by-barcode").json["barcodes"]]
    assert names == ["(unknown)", "barcode02", "barcode10", "unclassified"]


def test_one_look_is_not_enough(stream: StreamInHand) -> None:
    stream.put("a.fastq", fastq(3))

    stream.look()

    assert stream.payloads("FILE_INGESTED") == []


def test_a_file_that_grows_is_counted_when_it_holds_still(stream: StreamInHand) -> None:
    for reads in range(1, 5):
        stream.put("a.fastq", fastq(reads))
        stream.look()
        assert stream.payloads("FILE_INGESTED") == []

    stream.look()

    assert totals(stream) == Totals(1, 4, 40)


def test_a_file_that_grew_later_is_counted_anew(stream: StreamInHand) -> None:
    stream.put("a.fastq.gz", fastq_gz(2))
    stream.look(2)
    stream.put("a.fastq.gz", fastq_gz(2) + fastq_gz(5, 40))
    stream.look(2)

    told = stream.payloads("FILE_INGESTED")
    assert [(event["reads"], event["replaced"]) for event in told] == [(2, False), (7, True)]
    assert totals(stream) == Totals(1, 7, 220)


def test_a_file_that_was_replaced_by_a_smaller_one_takes_its_share_back(stream: StreamInHand) -> None:
    stream.put("barcode01/a.fastq", fastq(9, 100))
    stream.put("barcode01/b.fastq", fastq(1))
    stream.look(2)
    stream.put("barcode01/a.fastq", fastq(1, 5))
    stream.look(2)

    assert totals(stream) == truth(stream.folder) == Totals(2, 2, 15)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cut.fastq.gz", gzip.compress(fastq(500, 100))[:-20]),
        ("plain.fastq.gz", fastq(3)),
        ("empty.fastq.gz", b""),
        ("half.fastq", fastq(3)[:-4]),
        ("fasta.fq", b">a\nACGT\n"),
    ],
)
def test_a_malformed_file_counts_nothing_until_it_changes(
    stream: StreamInHand, name: str, content: bytes
) -> None:
    stream.put(name, content)
    stream.look(2)
    [told] = stream.payloads("FILE_INGESTED")
    stream.put(name, fastq_gz(3) if name.endswith(".gz") else fastq(3))
    stream.look(2)

    assert (told["reads"], told["bases"], told["malformed"]) == (0, 0, True)
    again = stream.payloads("FILE_INGESTED")[-1]
    assert (again["reads"], again["malformed"], again["replaced"]) == (3, False, True)


def test_line_ends_of_windows_are_not_bases(stream: StreamInHand) -> None:
    stream.put("a.fastq", fastq(3).replace(b"\n", b"\r\n"))
    stream.look(2)

    assert totals(stream) == Totals(1, 3, 30)


def test_hidden_skipped_and_failed_files_are_left_out(stream: StreamInHand) -> None:
    for name in (".a.fastq", ".snap/a.fastq", "fastq_skip/a.fastq", "fastq_fail/b/a.fastq", "a.txt"):
        stream.put(name, fastq(1))
    stream.look(2)

    assert stream.payloads("FILE_INGESTED") == []


def test_failed_files_count_when_the_facility_wants_them(facility: Facility, stream: StreamInHand) -> None:
    settings(facility, includeFailed=True)
    stream.put("fastq_fail/barcode01/a.fastq", fastq(1))
    stream.look(2)

    assert totals(stream) == Totals(1, 1, 10)


def test_links_are_told_once_and_never_followed(stream: StreamInHand, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.fastq").write_bytes(fastq(5))
    (stream.folder / "folder").symlink_to(outside)
    (stream.folder / "file.fastq").symlink_to(outside / "a.fastq")
    (stream.folder / "nowhere.fastq").symlink_to("missing")
    (stream.folder / "loop").symlink_to(".")
    os.mkfifo(stream.folder / "pipe.fastq")
    stream.look(4)

    told = {event["filePath"]: event["message"] for event in stream.payloads("ERROR")}
    link = "Links are not followed"
    linked = ("folder", "file.fastq", "nowhere.fastq", "loop")
    assert told == {**dict.fromkeys(linked, link), "pipe.fastq": "Not a regular file"}
    assert len(stream.payloads("ERROR")) == 5
    assert stream.payloads("FILE_INGESTED") == []


def test_a_directory_that_became_a_link_is_not_read(stream: StreamInHand, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.fastq").write_bytes(fastq(5))
    stream.folder.rename(stream.folder.with_name("away"))
    stream.folder.symlink_to(outside)
    stream.look(3)

    assert stream.payloads("FILE_INGESTED") == []
    assert len(stream.payloads("ERROR")) == 1


def test_a_vanished_directory_pauses_the_run_and_is_told_once(stream: StreamInHand) -> None:
    stream.put("a.fastq", fastq(3))
    stream.look(2)
    away = stream.folder.with_name("away")
    stream.folder.rename(away)
    stream.look(3)
    while_away = stream.shown()
    away.rename(stream.folder)
    stream.put("b.fastq", fastq(2))
    stream.look(2)

    [told] = stream.payloads("ERROR")
    assert told["filePath"] is None
    assert (while_away["totalReads"], while_away["status"]) == (3, "ACTIVE")
    assert totals(stream) == Totals(2, 5, 50)


def test_an_empty_folder_in_the_place_of_ours_is_a_lost_mount(stream: StreamInHand) -> None:
    stream.put("a.fastq", fastq(3))
    stream.look(2)
    away = stream.folder.with_name("away")
    stream.folder.rename(away)
    stream.folder.mkdir()
    stream.look(2)
    stream.folder.rmdir()
    away.rename(stream.folder)
    stream.put("b.fastq", fastq(1))
    stream.look(2)

    assert len(stream.payloads("ERROR")) == 1
    assert totals(stream) == Totals(2, 4, 40)


def test_a_folder_that_was_made_anew_is_watched_on(stream: StreamInHand) -> None:
    stream.folder.rename(stream.folder.with_name("away"))
    stream.look()
    stream.put("new.fastq", fastq(2))
    stream.look(2)

    assert totals(stream) == Totals(1, 2, 20)


def test_files_that_were_taken_away_stay_counted(stream: StreamInHand) -> None:
    target = stream.put("a.fastq", fastq(3))
    stream.look(2)
    target.unlink()
    stream.look(2)

    assert totals(stream) == Totals(1, 3, 30)


def test_a_counted_file_with_a_new_name_is_not_counted_twice(stream: StreamInHand) -> None:
    target = stream.put("barcode01/a.fastq", fastq(3))
    stream.put("barcode02/b.fastq", fastq(1))
    stream.look(2)
    target.rename(stream.folder / "barcode02" / "renamed.fastq")
    stream.look(2)

    assert totals(stream) == truth(stream.folder) == Totals(2, 4, 40)
    told = ReportedFiles.by(stream.events()).files
    assert (told["barcode01/a.fastq"]["reads"], told["barcode01/a.fastq"]["replaced"]) == (0, True)
    assert [row["barcode"] for row in stream.get("by-barcode").json["barcodes"]] == ["barcode02"]


def test_a_look_during_a_renaming_that_sees_both_names_counts_once(stream: StreamInHand) -> None:
    old = stream.put("barcode01/a.fastq", fastq(3))
    stream.look(2)
    new = stream.folder / "barcode02" / "a.fastq"
    new.parent.mkdir()
    os.link(old, new)
    stream.look()

    old.unlink()
    stream.look(2)

    stream.assert_all_agree_with_the_disk()
    assert [row["barcode"] for row in stream.get("by-barcode").json["barcodes"]] == ["barcode02"]


def test_a_counted_file_that_is_moved_over_another_one_takes_its_place(stream: StreamInHand) -> None:
    moved, covered = stream.put("barcode01/a.fastq", fastq(3)), stream.put("barcode02/b.fastq", fastq(5))
    stream.look(2)

    moved.replace(covered)
    stream.look(2)

    stream.assert_all_agree_with_the_disk()
    last = stream.payloads("FILE_INGESTED")[-1]
    assert (last["filePath"], last["reads"], last["replaced"]) == ("barcode02/b.fastq", 3, True)


def test_a_counted_file_that_changed_and_was_renamed_before_it_was_counted_anew_counts_once(
    stream: StreamInHand,
) -> None:
    old = stream.put("barcode01/a.fastq", fastq(3))
    stream.look(2)
    old.write_bytes(fastq(8))
    stream.look()

    new = stream.folder / "barcode02" / "b.fastq"
    new.parent.mkdir()
    old.rename(new)
    stream.look(3)

    stream.assert_all_agree_with_the_disk()
    assert [row["barcode"] for row in stream.get("by-barcode").json["barcodes"]] == ["barcode02"]


def test_files_that_trade_their_names_trade_their_reads(stream: StreamInHand) -> None:
    one, two = stream.put("barcode01/a.fastq", fastq(3)), stream.put("barcode02/b.fastq", fastq(5, 7))
    stream.look(2)

    aside = one.rename(stream.folder / ".aside")
    two.rename(one)
    aside.rename(two)
    stream.look(2)

    stream.assert_all_agree_with_the_disk()
    reads = {row["barcode"]: row["totalReads"] for row in stream.get("by-barcode").json["barcodes"]}
    assert reads == {"barcode01": 5, "barcode02": 3}


def test_a_barcode_without_a_sample_is_told_once(stream: StreamInHand) -> None:
    for number in range(3):
        stream.put(f"barcode02/{number}.fastq", fastq(1))
        stream.put(f"unclassified/{number}.fastq", fastq(1))
        stream.put(f"barcode01/{number}.fastq", fastq(1))
        stream.look(2)

    assert stream.payloads("BARCODE_UNMAPPED") == [{"barcode": "barcode02"}]
    assert stream.shown()["totalReads"] == 9


def test_a_sample_that_came_later_is_found_at_the_next_file(facility: Facility, order: OrderInHand) -> None:
    stream = start_stream(facility, order, barcodeMap={"bc1": "S-later"})
    stream.put("bc1/a.fastq", fastq(1))
    stream.look(2)
    Sample.update(sample_code="S-later").where(Sample.id == order.sample_ids[1]).execute()
    stream.put("bc1/b.fastq", fastq(1))
    stream.look(2)

    told = [event["sampleId"] for event in stream.payloads("FILE_INGESTED")]
    assert told == [None, order.sample_ids[1]]


def test_the_final_summary_is_a_hint_and_no_end(stream: StreamInHand) -> None:
    stream.put("exp/run/final_summary_FBA_9c1e77d0_51ab20fe.txt", b"started=now\n")
    stream.look(3)

    assert stream.payloads("RUN_FINISHED_HINT") == [
        {"filePath": "exp/run/final_summary_FBA_9c1e77d0_51ab20fe.txt"}
    ]
    assert stream.shown()["status"] == "ACTIVE"


def test_each_silence_is_told_once(facility: Facility, stream: StreamInHand) -> None:
    stream.look()
    facility.clock.advance(timedelta(minutes=30))
    stream.look(3)
    stream.put("a.fastq", fastq(1))
    stream.look(2)
    facility.clock.advance(timedelta(minutes=29))
    stream.look()
    facility.clock.advance(timedelta(minutes=31))
    stream.look(2)

    assert stream.payloads("RUN_STALLED") == [{"minutes": 30}, {"minutes": 60}]


def test_the_time_of_the_last_look_is_shown(facility: Facility, stream: StreamInHand) -> None:
    stream.look()

    shown = stream.shown()
    assert shown["lastSeenAt"] > shown["startedAt"]


def test_nothing_is_scanned_while_ingest_is_disabled(facility: Facility, stream: StreamInHand) -> None:
    stream.put("a.fastq", fastq(1))
    settings(facility, enabled=False)
    stream.look(3)
    off = stream.payloads("FILE_INGESTED")
    settings(facility, enabled=True)
    stream.look(2)

    assert (off, len(stream.payloads("FILE_INGESTED"))) == ([], 1)


def test_the_last_files_are_still_counted_after_a_stop(stream: StreamInHand) -> None:
    stream.put("a.fastq", fastq(1))
    stream.stop()
    stream.look()
    waiting = stream.shown()["status"]
    stream.look()

    assert (waiting, stream.shown()["status"]) == ("STOPPING", "STOPPED")
    assert totals(stream) == Totals(1, 1, 10)


def test_a_file_that_never_holds_still_is_taken_as_it_is_in_the_end(stream: StreamInHand) -> None:
    stream.stop()
    looks = 0
    while stream.shown()["status"] == "STOPPING":
        looks += 1
        stream.put("a.fastq", fastq(looks))
        stream.look()

    # Stability of 2 s and two ticks of 5 s, from the first look on, at a look each 3 s.
    assert looks == 5
    assert totals(stream) == Totals(1, 5, 50)
    assert stream.events()[-1]["kind"] == "RUN_STOPPED"


def test_a_stop_ends_although_the_directory_is_gone(stream: StreamInHand) -> None:
    stream.folder.rename(stream.folder.with_name("away"))
    stream.stop()
    stream.look(6)

    assert stream.shown()["status"] == "STOPPED"


def test_a_stop_ends_although_the_clock_was_set_back_meanwhile(stream: StreamInHand) -> None:
    stream.folder.rename(stream.folder.with_name("away"))
    stream.stop()
    stream.look()
    stream.look(seconds=-24 * 3600)
    stream.look(6)

    assert stream.shown()["status"] == "STOPPED"


def test_a_clock_that_was_set_back_loses_nothing(facility: Facility, stream: StreamInHand) -> None:
    stream.put("a.fastq", fastq(1))
    stream.look()
    facility.clock.advance(timedelta(days=-2))
    stream.look(3)

    assert totals(stream) == Totals(1, 1, 10)


def test_a_run_that_another_living_monitor_holds_is_left_alone(
    facility: Facility, stream: StreamInHand
) -> None:
    now = facility.clock.now()
    until = now + timedelta(seconds=20)
    StreamRun.update(lease_holder="elsewhere:1", leased_until=until).execute()
    stream.put("a.fastq", fastq(1))
    stream.look(2, seconds=3)
    during = stream.payloads("FILE_INGESTED")
    facility.clock.advance(timedelta(seconds=20))
    stream.look(2)

    assert (during, len(stream.payloads("FILE_INGESTED"))) == ([], 1)


def test_a_monitor_that_begins_anew_knows_all(facility: Facility, stream: StreamInHand) -> None:
    stream.put("a.fastq", fastq(1))
    stream.look(2)
    stream.put("b.fastq", fastq(2))
    fresh = StreamMonitor(
        facility.services.streams.monitor.holder, facility.services.facility, facility.clock
    )
    for _ in range(2):
        facility.clock.advance(timedelta(seconds=3))
        fresh.tick(facility.clock.now())

    assert [event["reads"] for event in stream.payloads("FILE_INGESTED")] == [1, 2]
    assert totals(stream) == Totals(2, 3, 30)


def test_names_that_are_no_text_are_told_and_left_out(stream: StreamInHand) -> None:
    target = os.fsencode(stream.folder) + b"/\xff.fastq"
    Path(os.fsdecode(target)).write_bytes(fastq(1))
    stream.look(3)

    assert stream.payloads("ERROR") == [
        {"message": "The name is not readable as UTF-8", "filePath": "\\xff.fastq"}
    ]


def test_names_with_line_breaks_and_quotes_are_files_like_others(stream: StreamInHand) -> None:
    stream.put("a\n\"b'; DROP TABLE x;--.fastq", fastq(1))
    stream.look(2)

    assert totals(stream) == Totals(1, 1, 10)


def test_a_backlog_is_booked_in_batches(stream: StreamInHand) -> None:
    for number in range(150):
        stream.put(f"barcode{number % 7:02d}/{number}.fastq", fastq(1 + number % 3, 10 + number))
    stream.look(2)

    assert totals(stream) == truth(stream.folder)


def hash_list(**digests: str) -> bytes:
    columns = "runid,protocol_group_id,flow_cell_id,sample_id,file_hash,file_path,barcode,barcode_alias"
    rows = [f"r,g,f,s,{digest},{name}.fastq,," for name, digest in digests.items()]
    return "\n".join([columns, *rows, ""]).encode()


def test_the_checksum_list_of_the_instrument_is_held_against_the_files(stream: StreamInHand) -> None:
    stream.put("a.fastq", fastq(1))
    stream.put("b.fastq", fastq(2))
    stream.look(2)
    good, bad = hashlib.sha256(fastq(1)).hexdigest(), "0" * 64
    before = stream.get("metrics").json["verification"]
    stream.put("output_hash_FBA.csv", hash_list(a=good, b=bad, c=bad))
    stream.look(3)
    different = stream.get("metrics").json["verification"]
    told = stream.payloads("ERROR")
    stream.put("output_hash_FBA.csv", hash_list(a=good))
    stream.look(2)

    assert before is None
    assert {key: different[key] for key in ("verdict", "listed", "matched", "missing", "different")} == {
        "verdict": "different", "listed": 3, "matched": 1, "missing": 1, "different": ["b.fastq"],
    }  # fmt: skip
    assert [event["filePath"] for event in told] == ["b.fastq"]
    assert stream.get("metrics").json["verification"]["verdict"] == "ok"
