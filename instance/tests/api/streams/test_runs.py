"""Stream runs as the list shows them, the stop, and the change of the map."""

from datetime import timedelta

import pytest
from seqfacility_instance.tables.streams import StreamRun
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.queries import counted_queries
from seqfacility_testkit.sequencing import OrderInHand, draft_order
from seqfacility_testkit.streams import fastq, start_stream


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return draft_order(facility, samples=2)


def test_a_run_has_exactly_the_documented_fields(facility: Facility, order: OrderInHand) -> None:
    stream = start_stream(facility, order)

    shown = stream.shown()

    folder = str(stream.folder.resolve())
    assert shown == {
        "id": stream.id,
        "orderId": order.id,
        "minknowRunId": None,
        "flowCellId": None,
        "deviceId": None,
        "outputDir": folder,
        "status": "ACTIVE",
        "totalBases": "0",
        "totalReads": 0,
        "barcodeMap": {},
        "startedAt": shown["startedAt"],
        "lastSeenAt": shown["startedAt"],
        "stoppedAt": None,
        "latestEvent": {
            "kind": "RUN_STARTED",
            "ts": shown["startedAt"],
            "payload": {"outputDir": folder, "barcodeMap": {}},
        },
    }


def test_the_newest_fifty_runs_are_listed_newest_first(facility: Facility, order: OrderInHand) -> None:
    now = facility.clock.now()
    for number in range(52):
        started = now + timedelta(seconds=number)
        StreamRun.create(order=order.id, output_dir=f"/x/{number}", started_at=started)

    runs = facility.admin.get(f"/api/orders/{order.id}/stream").json["runs"]

    assert [run["outputDir"] for run in runs] == [f"/x/{number}" for number in range(51, 1, -1)]


def test_a_list_asks_the_same_number_of_questions_however_long_it_is(
    facility: Facility, order: OrderInHand
) -> None:
    start_stream(facility, order, "run0")
    with counted_queries() as few:
        facility.admin.get(f"/api/orders/{order.id}/stream")
    for number in range(1, 10):
        start_stream(facility, order, f"run{number}")
    with counted_queries() as many:
        facility.admin.get(f"/api/orders/{order.id}/stream")

    assert len(many) == len(few)


def test_bases_beyond_the_precision_of_javascript_are_text(facility: Facility, order: OrderInHand) -> None:
    stream = start_stream(facility, order)
    StreamRun.update(total_bases=2**53 + 1).execute()

    assert stream.shown()["totalBases"] == "9007199254740993"


def test_a_stop_is_asked_for_once_and_done_by_the_monitor(facility: Facility, order: OrderInHand) -> None:
    stream = start_stream(facility, order)

    first, second = stream.stop(), stream.stop()
    stopping = stream.shown()["status"]
    stream.look()
    third = stream.stop()

    assert (first.status_code, first.json) == (200, {"ok": True})
    assert second.json == {"ok": True, "alreadyStopping": True}
    assert third.json == {"ok": True, "alreadyStopped": True}
    assert (stopping, stream.shown()["status"]) == ("STOPPING", "STOPPED")
    kinds = [event["kind"] for event in stream.events()]
    assert kinds == ["RUN_STARTED", "RUN_STOP_REQUESTED", "RUN_STOPPED"]


def test_a_stop_tells_who_asked(facility: Facility, order: OrderInHand) -> None:
    stream = start_stream(facility, order)

    stream.stop()

    me = facility.admin.get("/api/auth/session").json["user"]
    asked = {key: me[key] for key in ("id", "firstName", "lastName", "email")}
    assert stream.payloads("RUN_STOP_REQUESTED") == [{"requestedBy": asked}]


def test_a_stop_tells_the_totals(facility: Facility, order: OrderInHand) -> None:
    stream = start_stream(facility, order)
    stream.put("a.fastq", fastq(3))
    stream.look(2)

    stream.stop()
    stream.look()

    assert stream.payloads("RUN_STOPPED") == [{"totalReads": 3, "totalBases": "30", "files": 1}]
    assert stream.shown()["stoppedAt"] is not None


@pytest.mark.parametrize("part", ["events", "events/live", "by-barcode", "metrics"])
def test_a_run_of_another_order_is_unknown(facility: Facility, order: OrderInHand, part: str) -> None:
    stream = start_stream(facility, order)
    other = draft_order(facility)

    answer = facility.admin.get(f"/api/orders/{other.id}/stream/{stream.id}/{part}")
    nowhere = facility.admin.get(f"/api/orders/none/stream/{stream.id}/{part}")

    assert (answer.status_code, answer.json) == (404, {"error": "Stream run not found"})
    assert (nowhere.status_code, nowhere.json) == (404, {"error": "Sequencing Order not found"})


@pytest.mark.parametrize(("method", "part"), [("POST", "/stop"), ("POST", "/collect"), ("PATCH", "")])
def test_nothing_is_changed_of_a_run_of_another_order(
    facility: Facility, order: OrderInHand, method: str, part: str
) -> None:
    stream = start_stream(facility, order)
    other = draft_order(facility)

    answer = facility.admin.request(
        method, f"/api/orders/{other.id}/stream/{stream.id}{part}", json={"barcodeMap": {}}
    )

    assert (answer.status_code, answer.json) == (404, {"error": "Stream run not found"})
    assert stream.shown()["status"] == "ACTIVE"


def test_a_new_map_replaces_the_old_one(facility: Facility, order: OrderInHand) -> None:
    stream = start_stream(facility, order, barcodeMap={"bc1": order.sample_codes[0]})

    answer = facility.admin.patch(stream.path, {"barcodeMap": {"BC2": order.sample_codes[1], "bc3": "S-x"}})

    wanted = {"bc2": order.sample_codes[1], "bc3": "S-x"}
    assert (answer.status_code, answer.json) == (200, {"run": stream.shown()})
    assert stream.shown()["barcodeMap"] == wanted
    assert stream.payloads("BARCODE_MAP_CHANGED") == [{"barcodeMap": wanted}]
    assert stream.payloads("BARCODE_MAP_WARNING") == [{"unknownSamples": ["S-x"]}]


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({}, "barcodeMap: is required"),
        ({"barcodeMap": None}, "barcodeMap: is required"),
        ({"barcodeMap": []}, "barcodeMap: must be an object"),
        ({"barcodeMap": {"a": "S", "A": "S"}}, "barcodeMap.A: is there twice when written in lower case"),
    ],
)
def test_a_new_map_is_an_object_of_strings(
    facility: Facility, order: OrderInHand, body: dict[str, object], detail: str
) -> None:
    stream = start_stream(facility, order)

    answer = facility.admin.patch(stream.path, body)

    assert (answer.status_code, answer.json) == (400, {"error": "Validation failed", "details": [detail]})


def test_a_map_can_be_changed_after_the_end(facility: Facility, order: OrderInHand) -> None:
    stream = start_stream(facility, order)
    stream.stop()
    stream.look()

    answer = facility.admin.patch(stream.path, {"barcodeMap": {"bc1": order.sample_codes[0]}})

    assert (answer.status_code, answer.json["run"]["status"]) == (200, "STOPPED")


def test_a_key_that_names_a_folder_gives_its_files_a_barcode(facility: Facility, order: OrderInHand) -> None:
    stream = start_stream(facility, order)
    stream.put("soil7/a.fastq", fastq(3))
    stream.put("barcode01/b.fastq", fastq(2))
    stream.look(2)
    before = [row["barcode"] for row in stream.get("by-barcode").json["barcodes"]]

    facility.admin.patch(stream.path, {"barcodeMap": {"soil7": order.sample_codes[0]}})

    rows = stream.get("by-barcode").json["barcodes"]
    assert before == ["(unknown)", "barcode01"]
    assert [(row["barcode"], row["totalReads"]) for row in rows] == [("barcode01", 2), ("soil7", 3)]
    told = stream.payloads("FILE_INGESTED")[-1]
    assert (told["filePath"], told["barcode"], told["sampleCode"], told["replaced"]) == (
        "soil7/a.fastq", "soil7", order.sample_codes[0], True,
    )  # fmt: skip
    assert stream.shown()["totalReads"] == 5
