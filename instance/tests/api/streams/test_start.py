"""Starting a stream run, check by check in the order of the decisions."""

from pathlib import Path

import pytest
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.sequencing import SequencingRun, SequencingRunSample
from seqfacility_instance.tables.streams import StreamRun
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import OrderInHand, draft_order
from seqfacility_testkit.streams import start_stream


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return draft_order(facility, samples=2)


@pytest.fixture
def root(facility: Facility) -> Path:
    return facility.home / "sequencer"


def start(facility: Facility, order: OrderInHand, output_dir: object, **body: object) -> tuple[int, object]:
    answer = facility.admin.post(f"/api/orders/{order.id}/stream", {"outputDir": output_dir, **body})
    return answer.status_code, answer.json


def test_a_start_answers_the_id_alone(facility: Facility, order: OrderInHand, root: Path) -> None:
    (root / "run1").mkdir()

    status, body = start(
        facility, order, str(root / "run1"), deviceId="X2", flowCellId="FBA10442", minknowRunId="9c1e77d0"
    )

    row = StreamRun.get()
    assert (status, body) == (201, {"id": row.id})
    assert (row.device_id, row.flow_cell_id, row.minknow_run_id) == ("X2", "FBA10442", "9c1e77d0")
    assert AuditEvent.select().where(AuditEvent.object_id == row.id).get().action == "stream-started"


def test_an_unknown_order_is_not_found(facility: Facility) -> None:
    answer = facility.admin.post("/api/orders/none/stream", {})

    assert (answer.status_code, answer.json) == (404, {"error": "Sequencing Order not found"})


@pytest.mark.parametrize("missing", [None, "", "  ", 7, ["/x"], {}])
def test_a_directory_is_required(facility: Facility, order: OrderInHand, missing: object) -> None:
    assert start(facility, order, missing) == (400, {"error": "outputDir is required"})


def test_nothing_starts_while_ingest_is_disabled(facility: Facility, order: OrderInHand, root: Path) -> None:
    facility.admin.patch("/api/admin/settings/streamIngest", {"enabled": False})

    assert start(facility, order, str(root)) == (400, {"error": "Live ingest is disabled"})


def test_nothing_starts_without_an_output_root(facility: Facility, order: OrderInHand, root: Path) -> None:
    facility.admin.patch("/api/admin/settings/streamIngest", {"outputRoot": None})

    refused = {"error": "Sequencer output root is not configured"}
    assert start(facility, order, str(root)) == (400, refused)


@pytest.mark.parametrize("path", ["run1", "./run1", "~/run1", "sequencer/../run1"])
def test_a_relative_path_is_refused(facility: Facility, order: OrderInHand, path: str) -> None:
    assert start(facility, order, path) == (400, {"error": "outputDir must be an absolute path"})


@pytest.mark.parametrize("name", ["missing", "a\0b", "x" * 5000, "loop"])
def test_a_path_that_leads_nowhere_is_refused(
    facility: Facility, order: OrderInHand, root: Path, name: str
) -> None:
    (root / "loop").symlink_to(root / "loop")

    assert start(facility, order, f"{root}/{name}") == (400, {"error": "outputDir does not exist"})


def test_a_path_outside_the_root_is_refused(facility: Facility, order: OrderInHand, root: Path) -> None:
    beside = root.with_name("sequencer-of-others")
    beside.mkdir()
    (root / "link").symlink_to(beside)
    refused = (400, {"error": "outputDir must be inside the sequencer output root"})

    assert start(facility, order, str(beside)) == refused
    assert start(facility, order, str(root.parent)) == refused
    assert start(facility, order, f"{root}/../data") == refused
    assert start(facility, order, str(root / "link")) == refused


def test_a_file_is_no_directory(facility: Facility, order: OrderInHand, root: Path) -> None:
    (root / "run1").write_text("x")

    assert start(facility, order, str(root / "run1")) == (400, {"error": "outputDir is not a directory"})


def test_the_root_itself_may_be_watched(facility: Facility, order: OrderInHand, root: Path) -> None:
    assert start(facility, order, f"{root}/")[0] == 201


def test_links_inside_the_root_are_resolved(facility: Facility, order: OrderInHand, root: Path) -> None:
    (root / "run1").mkdir()
    (root / "link").symlink_to("run1")

    assert start(facility, order, str(root / "link"))[0] == 201
    assert StreamRun.get().output_dir == str((root / "run1").resolve())


@pytest.mark.parametrize(
    ("barcode_map", "detail"),
    [
        ([], "barcodeMap: must be an object"),
        ("barcode01", "barcodeMap: must be an object"),
        ({"barcode01": 7}, "barcodeMap.barcode01: must be a string"),
        ({"bc1": "S-1", "BC1": "S-2"}, "barcodeMap.BC1: is there twice when written in lower case"),
    ],
)
def test_a_map_is_an_object_of_strings(
    facility: Facility, order: OrderInHand, root: Path, barcode_map: object, detail: str
) -> None:
    refused = (400, {"error": "Validation failed", "details": [detail]})

    assert start(facility, order, str(root), barcodeMap=barcode_map) == refused
    assert StreamRun.select().count() == 0


@pytest.mark.parametrize(("first", "second"), [("run1", "run1"), ("run1", "run1/sub"), ("run1/sub", "run1")])
def test_a_directory_is_watched_once(
    facility: Facility, order: OrderInHand, root: Path, first: str, second: str
) -> None:
    (root / "run1" / "sub").mkdir(parents=True)
    stream = start_stream(facility, order, first)
    other_order = draft_order(facility)
    number = facility.admin.get(f"/api/orders/{order.id}").json["order"]["orderNumber"]

    refused = {"error": f"Directory is already watched by stream run {stream.id} of order {number}"}
    assert start(facility, other_order, f"{root}/{second}") == (409, refused)


def test_a_neighbour_with_a_longer_name_is_no_conflict(
    facility: Facility, order: OrderInHand, root: Path
) -> None:
    start_stream(facility, order, "run1")
    (root / "run10").mkdir()

    assert start(facility, order, str(root / "run10"))[0] == 201


def test_only_an_active_run_blocks_its_directory(facility: Facility, order: OrderInHand, root: Path) -> None:
    start_stream(facility, order, "run1").stop()

    assert start(facility, order, str(root / "run1"))[0] == 201


def test_a_run_begins_with_an_event_that_tells_what_is_watched(
    facility: Facility, order: OrderInHand
) -> None:
    code = order.sample_codes[0]

    stream = start_stream(facility, order, barcodeMap={"BARCODE01": code, "Soil 7": code})

    told = {"outputDir": str(stream.folder.resolve()), "barcodeMap": {"barcode01": code, "soil 7": code}}
    assert stream.payloads() == [told]
    assert stream.events()[0]["kind"] == "RUN_STARTED"


def test_samples_that_nobody_knows_are_told_once(facility: Facility, order: OrderInHand) -> None:
    known = order.sample_codes[0]

    stream = start_stream(
        facility, order, barcodeMap={"bc1": "S-x", "bc2": known, "bc3": "S-y", "bc4": "S-x"}
    )

    assert stream.payloads("BARCODE_MAP_WARNING") == [{"unknownSamples": ["S-x", "S-y"]}]


def test_without_a_map_the_newest_sequencing_run_gives_it(facility: Facility, order: OrderInHand) -> None:
    for number, run_id in enumerate(["old", "new"]):
        run = SequencingRun.create(order=order.id, run_id=run_id)
        SequencingRunSample.create(
            sequencing_run=run, sample=order.sample_ids[number], barcode=f"barcode0{number + 1}"
        )

    stream = start_stream(facility, order)

    assert stream.shown()["barcodeMap"] == {"barcode02": order.sample_codes[1]}


def test_without_sequencing_runs_the_map_is_empty(facility: Facility, order: OrderInHand) -> None:
    assert start_stream(facility, order).shown()["barcodeMap"] == {}


def test_only_admins_have_anything_to_do_with_streams(facility: Facility, order: OrderInHand) -> None:
    path = f"/api/orders/{order.id}/stream"

    for method in ("GET", "POST"):
        nobody = facility.anonymous.request(method, path)
        owner = facility.researcher.request(method, path)
        assert (nobody.status_code, nobody.json) == (401, {"error": "Unauthorized"})
        assert (owner.status_code, owner.json) == (403, {"error": "Unauthorized"})
