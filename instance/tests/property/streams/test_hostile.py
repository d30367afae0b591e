"""Whatever a request says, nothing of ours fails, and nothing outside the root is watched."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.streams import StreamRun
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import draft_order
from seqfacility_testkit.soak import rounds

TEXTS = st.text(max_size=30) | st.sampled_from(
    ["\0", "..", "/", "//", "%2e%2e", "a" * 5000, "\u202e", "\ud7ff"]
)
NUMBERS = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(["outputDir", "barcodeMap", "deviceId", "flowCellId", "minknowRunId", "sampleIds"])
BODIES = st.dictionaries(KEYS | TEXTS, VALUES, max_size=5)
PATHS = st.lists(
    st.sampled_from(["..", ".", "", "run1", "link-out", "link-in", "file", "missing", "\0", "fastq_pass"]),
    max_size=6,
)
EXAMPLES = rounds(short=50, long=2000)
many = settings(max_examples=EXAMPLES)


def prepared(facility: Facility) -> tuple[str, Path]:
    """Return an order, and an output root with links in and out; made at the first example."""
    root = facility.home / "sequencer"
    if not (root / "run1").exists():
        (root / "run1" / "fastq_pass").mkdir(parents=True)
        (root / "file").write_text("x")
        (root / "link-in").symlink_to("run1")
        (root / "link-out").symlink_to("/etc")
        draft_order(facility, samples=0)
    return Order.get().id, root


@many
@given(body=BODIES)
def test_no_body_makes_a_start_fail(facility: Facility, body: dict[str, object]) -> None:
    order_id, _root = prepared(facility)

    answer = facility.admin.post(f"/api/orders/{order_id}/stream", body)

    assert answer.status_code == 400, answer.text
    assert StreamRun.select().count() == 0


@many
@given(parts=PATHS)
def test_only_folders_inside_the_root_are_ever_watched(facility: Facility, parts: list[str]) -> None:
    order_id, root = prepared(facility)

    answer = facility.admin.post(
        f"/api/orders/{order_id}/stream", {"outputDir": "/".join([str(root), *parts])}
    )

    assert answer.status_code in {201, 400, 409}
    for run in StreamRun.select():
        assert Path(run.output_dir).is_relative_to(root.resolve())
    StreamRun.delete().execute()


@many
@given(body=BODIES, query=st.dictionaries(st.sampled_from(["after", "limit", "seconds", "barcode"]), TEXTS))
def test_no_body_and_no_query_makes_a_route_of_a_run_fail(
    facility: Facility, body: dict[str, object], query: dict[str, str]
) -> None:
    order_id, root = prepared(facility)
    base = f"/api/orders/{order_id}/stream"
    run = StreamRun.get_or_none() or StreamRun.create(order=order_id, output_dir=str(root / "run1"))
    path = f"{base}/{run.id}"

    answers = [
        facility.admin.patch(path, body),
        facility.admin.post(f"{path}/collect", body),
        facility.admin.get(f"{path}/events", params=query),
        facility.admin.get(f"{path}/events/live", params={**query, "seconds": "0"}),
        facility.admin.get(f"{path}/metrics", params=query),
        facility.admin.get(f"{path}/by-barcode", params=query),
    ]

    assert [answer.status_code for answer in answers if answer.status_code >= 500] == []
