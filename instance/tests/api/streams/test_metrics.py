"""The live picture: what it shows, and that it costs the same however many files there are."""

import os
from datetime import timedelta

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.queries import counted_queries
from seqfacility_testkit.sequencing import OrderInHand, draft_order
from seqfacility_testkit.streams import StreamInHand, fastq, start_stream


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return draft_order(facility)


@pytest.fixture
def stream(facility: Facility, order: OrderInHand) -> StreamInHand:
    return start_stream(facility, order, barcodeMap={"barcode01": order.sample_codes[0]})


def put_at(stream: StreamInHand, name: str, content: bytes, minutes_ago: int) -> None:
    timestamp = (stream.facility.clock.now() - timedelta(minutes=minutes_ago)).timestamp()
    os.utime(stream.put(name, content), (timestamp, timestamp))


def test_an_empty_run_has_an_empty_picture(stream: StreamInHand) -> None:
    shown = stream.get("metrics").json

    assert shown["totals"] == {
        "files": 0, "size": 0, "reads": 0, "bases": 0, "meanLength": None, "n50": None, "meanQuality": None,
    }  # fmt: skip
    assert (shown["yield"], shown["readLengths"], shown["readQualities"]) == ([], [], [])


def test_yield_stands_at_the_minute_in_which_files_were_closed(stream: StreamInHand) -> None:
    put_at(stream, "a.fastq", fastq(10, 100), 20)
    put_at(stream, "b.fastq", fastq(5, 100), 20)
    put_at(stream, "c.fastq", fastq(1, 100), 3)
    stream.look(2)

    shown = stream.get("metrics").json

    assert shown["minutesPerPoint"] == 1
    assert [(point["files"], point["reads"], point["basesPerMinute"]) for point in shown["yield"]] == [
        (2, 15, 1500.0),
        (1, 1, 100.0),
    ]


def test_lengths_and_qualities_are_shown_for_each_barcode(stream: StreamInHand, order: OrderInHand) -> None:
    stream.put("barcode01/a.fastq", fastq(10, 1000, quality="+"))
    stream.put("barcode02/a.fastq", fastq(30, 200, quality="?"))
    stream.look(2)

    shown = stream.get("metrics").json
    only = stream.get("metrics", params={"barcode": "BARCODE02"}).json

    first, second = shown["barcodes"]
    assert (first["barcode"], first["sampleCode"]) == ("barcode01", order.sample_codes[0])
    assert (first["n50"], first["meanLength"], first["meanQuality"]) == (1000, 1000.0, 10.0)
    assert (second["sampleCode"], second["n50"], second["meanQuality"]) == (None, 200, 30.0)
    assert shown["totals"]["n50"] == 1000
    assert [step["fromQuality"] for step in shown["readQualities"]] == [10.0, 30.0]
    assert [step["fromQuality"] for step in only["readQualities"]] == [30.0]
    assert (only["barcode"], len(only["readLengths"]), only["totals"]) == ("barcode02", 1, shown["totals"])


def test_a_sample_is_shown_by_its_code_however_the_map_names_it(
    facility: Facility, order: OrderInHand
) -> None:
    named = {"barcode01": order.sample_ids[0], "barcode02": order.sample_codes[0], "barcode03": "nobody"}
    stream = start_stream(facility, order, barcodeMap=named)
    for barcode in named:
        stream.put(f"{barcode}/a.fastq", fastq(10))
    stream.look(2)

    shown = stream.get("metrics").json["barcodes"]
    page = facility.admin.get(f"/api/orders/{order.id}/sequencing").json

    assert [row["sampleCode"] for row in shown] == [order.sample_codes[0]] * 2 + [None]
    [sample] = [one for one in page["samples"] if one["id"] == order.sample_ids[0]]
    assert sample["stream"]["reads"] == 20


def test_files_without_a_barcode_have_a_curve_of_their_own(stream: StreamInHand) -> None:
    stream.put("barcode01/a.fastq", fastq(10))
    stream.put("a.fastq", fastq(3))
    stream.look(2)

    shown = stream.get("metrics", params={"barcode": "(unknown)"}).json

    assert shown["barcode"] == "(unknown)"
    assert sum(point["reads"] for point in shown["yield"]) == 3


def test_a_long_run_is_drawn_in_wider_points(stream: StreamInHand) -> None:
    for hours in range(0, 72, 3):
        put_at(stream, f"{hours}.fastq", fastq(1), hours * 60)
    stream.look(2)

    shown = stream.get("metrics").json

    assert shown["minutesPerPoint"] == 15
    assert sum(point["reads"] for point in shown["yield"]) == 24


def test_the_picture_asks_the_same_number_of_questions_however_many_files_there_are(
    stream: StreamInHand,
) -> None:
    stream.put("barcode01/a.fastq", fastq(1))
    stream.look(2)
    with counted_queries() as few:
        stream.get("metrics")
        stream.get("by-barcode")
    for number in range(80):
        stream.put(f"barcode{number % 5:02d}/{number}.fastq", fastq(1))
    stream.look(2)
    with counted_queries() as many:
        stream.get("metrics")
        stream.get("by-barcode")

    assert len(many) == len(few)
    assert not any('"stream_files"' in statement for statement in many)
