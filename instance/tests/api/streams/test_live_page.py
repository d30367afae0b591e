"""What the pages need of live ingest: every running stream, what a start may choose, what is collected."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.tables.sequencing import Read, SequencingRun, SequencingRunSample
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import OrderInHand, draft_order
from seqfacility_testkit.streams import StreamInHand, fastq, start_stream


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return draft_order(facility, samples=2)


@pytest.fixture
def stream(facility: Facility, order: OrderInHand) -> StreamInHand:
    first, second = order.sample_codes
    return start_stream(facility, order, barcodeMap={"barcode01": first, "barcode02": second, "b1": first})


@pytest.fixture
def root(facility: Facility) -> Path:
    folder = facility.home / "sequencer"
    folder.mkdir(exist_ok=True)
    return folder


def running(facility: Facility) -> list[dict[str, Any]]:
    answer = facility.admin.get("/api/streams")
    assert answer.status_code == 200
    found: list[dict[str, Any]] = answer.json["streams"]
    return found


def options(facility: Facility, order: OrderInHand) -> dict[str, Any]:
    answer = facility.admin.get(f"/api/orders/{order.id}/stream/options")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json
    return found


def offered(facility: Facility, order: OrderInHand) -> list[str]:
    return [folder["name"] for folder in options(facility, order)["folders"]]


def test_every_running_stream_is_listed_with_its_order_and_pace(stream: StreamInHand) -> None:
    stream.put("barcode01/a.fastq", fastq(4, 100))
    stream.put("barcode09/b.fastq", fastq(1, 100))
    stream.look(2)

    [shown] = running(stream.facility)

    assert (shown["id"], shown["orderId"], shown["status"]) == (stream.id, stream.order.id, "ACTIVE")
    assert (shown["totalFiles"], shown["totalReads"], shown["totalBases"]) == (2, 5, "500")
    assert (shown["samples"], shown["samplesWithReads"]) == (2, 1)
    assert shown["basesPerMinute"] == 50.0
    assert sum(shown["recentBases"]) == 500


def test_a_stream_that_has_stopped_is_not_running(stream: StreamInHand) -> None:
    stream.stop()
    assert [one["status"] for one in running(stream.facility)] == ["STOPPING"]

    stream.look(5)

    assert running(stream.facility) == []


def test_the_pace_is_that_of_the_last_minutes(stream: StreamInHand) -> None:
    stream.put("barcode01/a.fastq", fastq(4, 100))
    stream.look(2)
    stream.facility.clock.advance(limits.STREAM_PACE + timedelta(minutes=1))

    [shown] = running(stream.facility)
    metrics = stream.get("metrics").json

    assert (shown["basesPerMinute"], metrics["basesPerMinute"]) == (0, 0)
    assert sum(metrics["barcodes"][0]["recentBases"]) == 400
    stream.facility.clock.advance(timedelta(hours=2))
    assert sum(stream.get("metrics").json["barcodes"][0]["recentBases"]) == 0


def test_the_picture_names_samples_and_their_expected_share(stream: StreamInHand) -> None:
    stream.put("barcode02/a.fastq", fastq(2))
    stream.put("barcode07/b.fastq", fastq(1))
    stream.look(2)

    metrics = stream.get("metrics").json

    named = [(row["barcode"], row["sampleId"], row["sampleCode"]) for row in metrics["barcodes"]]
    mapped = ("barcode02", stream.order.sample_ids[1], stream.order.sample_codes[1])
    assert named == [mapped, ("barcode07", None, None)]
    assert metrics["expectedShare"] == 0.5


def test_a_start_is_offered_folders_with_runs_first(
    facility: Facility, order: OrderInHand, root: Path
) -> None:
    run = "exp/pool1/20260302_0815_X2_FBA10442_9c1e77d0"
    (root / run / "fastq_pass" / "barcode01").mkdir(parents=True)
    (root / "later").mkdir()

    found = options(facility, order)

    assert found["folders"][0]["name"] == run
    assert {one["name"] for one in found["folders"]} == {run, "exp", "exp/pool1", "later"}
    first = found["folders"][0]
    assert first["outputDir"] == f"{root.resolve()}/{run}"
    assert (first["hasOutput"], first["watchedForOrder"]) == (True, None)
    assert (first["deviceId"], first["flowCellId"], first["minknowRunId"]) == ("X2", "FBA10442", "9c1e77d0")
    assert found["hasMore"] is False


def test_an_offered_folder_can_be_watched_and_is_then_said_to_be(
    facility: Facility, order: OrderInHand, root: Path
) -> None:
    (root / "run 1 ü").mkdir()
    [folder] = options(facility, order)["folders"]
    path = f"/api/orders/{order.id}/stream"

    assert facility.admin.post(path, {"outputDir": folder["outputDir"]}).status_code == 201

    [folder] = options(facility, order)["folders"]
    number = facility.admin.get(f"/api/orders/{order.id}").json["order"]["orderNumber"]
    assert folder["watchedForOrder"] == number


def test_links_hidden_and_unreadable_names_are_not_offered(
    facility: Facility, order: OrderInHand, root: Path
) -> None:
    outside = facility.home / "outside"
    outside.mkdir()
    (root / "link").symlink_to(outside)
    (root / ".hidden").mkdir()
    (root / "two\nlines").mkdir()
    (root / "\u202eturned").mkdir()
    Path(os.fsdecode(os.fsencode(root) + b"/\xff\xfe")).mkdir()
    (root / "<b>bold").mkdir()

    assert offered(facility, order) == ["<b>bold"]


def test_folders_are_offered_to_a_depth_of_three_and_a_bound(
    facility: Facility, order: OrderInHand, root: Path
) -> None:
    (root / "a/b/c/d").mkdir(parents=True)
    assert set(offered(facility, order)) == {"a", "a/b", "a/b/c"}

    for number in range(limits.STREAM_FOLDERS):
        (root / f"n{number}").mkdir()

    found = options(facility, order)
    assert (len(found["folders"]), found["hasMore"]) == (limits.STREAM_FOLDERS, True)


def test_a_start_is_offered_the_map_of_the_run_plan(
    facility: Facility, order: OrderInHand, root: Path
) -> None:
    plan = SequencingRun.create(order=order.id, run_id="R1")
    SequencingRunSample.create(sequencing_run=plan.id, sample=order.sample_ids[0], barcode="BARCODE01")

    found = options(facility, order)

    assert found["barcodeMap"] == {"barcode01": order.sample_codes[0]}
    assert [(one["barcode"], one["sampleCode"]) for one in found["barcodes"]] == [
        ("barcode01", order.sample_codes[0])
    ]


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"enabled": False}, "Live ingest is disabled"),
        ({"outputRoot": None}, "Sequencer output root is not configured"),
    ],
)
def test_without_a_root_there_is_a_reason(
    facility: Facility, order: OrderInHand, setting: dict[str, object], words: str
) -> None:
    facility.admin.patch("/api/admin/settings/streamIngest", setting)

    answer = facility.admin.get(f"/api/orders/{order.id}/stream/options")

    assert (answer.status_code, answer.json) == (400, {"error": words})


def test_a_root_that_is_gone_is_said(facility: Facility, order: OrderInHand, root: Path) -> None:
    root.rename(root.with_name("moved"))

    answer = facility.admin.get(f"/api/orders/{order.id}/stream/options")

    assert (answer.status_code, answer.json) == (400, {"error": "Sequencer output root cannot be read"})


def test_a_map_is_changed_only_from_the_one_it_was_made_of(stream: StreamInHand) -> None:
    admin, codes = stream.facility.admin, stream.order.sample_codes
    before = stream.shown()["barcodeMap"]
    mine, theirs = {**before, "barcode07": codes[0]}, {**before, "barcode08": codes[1]}

    first = admin.patch(stream.path, {"barcodeMap": theirs, "baseBarcodeMap": before})
    second = admin.patch(stream.path, {"barcodeMap": mine, "baseBarcodeMap": before})

    assert first.status_code == 200
    assert (second.status_code, second.json) == (409, {"error": "The barcode map was changed meanwhile"})
    assert stream.shown()["barcodeMap"] == theirs
    assert len(stream.events("BARCODE_MAP_CHANGED")) == 1


def plan_of(stream: StreamInHand) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = stream.get("collection").json["samples"]
    return found


def test_what_can_be_collected_is_listed_until_it_is_made(stream: StreamInHand) -> None:
    facility = stream.facility
    stream.put("barcode01/a.fastq", fastq(3, 20))
    stream.put("b1/b.fastq", fastq(1, 20))
    stream.look(2)
    stream.stop()
    stream.look(5)
    [planned] = plan_of(stream)
    assert (planned["state"], planned["readId"]) == ("ready", None)
    assert (planned["sampleCode"], planned["files"]) == (stream.order.sample_codes[0], 2)
    assert (planned["reads"], planned["bases"]) == (4, 80)

    facility.admin.post(f"{stream.path}/collect")
    assert [one["state"] for one in plan_of(stream)] == ["queued"]
    facility.services.worker.tick(facility.clock.now())

    assert [(one["state"], one["readId"]) for one in plan_of(stream)] == [("made", Read.get().id)]


def test_a_read_that_cannot_be_made_is_failed_in_the_list(stream: StreamInHand) -> None:
    facility = stream.facility
    written = stream.put("barcode01/a.fastq", fastq(3, 20))
    stream.look(2)
    stream.stop()
    stream.look(5)
    written.write_bytes(fastq(9, 20))
    facility.admin.post(f"{stream.path}/collect")

    for _ in range(12):
        facility.services.worker.tick(facility.clock.now())
        facility.clock.advance(timedelta(minutes=15))

    assert [one["state"] for one in plan_of(stream)] == ["failed"]
