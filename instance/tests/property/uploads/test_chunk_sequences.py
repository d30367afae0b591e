"""Whatever is sent in whatever order, the file is the announced one, and no byte is counted twice."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import OrderInHand, complete, initiate, send, submitted_order

STEPS = st.lists(
    st.tuples(st.sampled_from(["right", "again", "ahead", "surplus"]), st.integers(1, 400)), max_size=12
)


@settings(max_examples=40)
@given(content=st.binary(min_size=1, max_size=1500), steps=STEPS)
def test_any_sequence_of_chunks_ends_in_the_announced_bytes(
    facility: Facility, content: bytes, steps: list[tuple[str, int]]
) -> None:
    order = submitted_order(facility)
    upload_id = initiate(facility, order, len(content))
    temp = facility.data / facility.admin.get(f"{order.uploads}/{upload_id}").json["tempPath"]

    received = 0
    for kind, size in [*steps, ("right", len(content))]:
        received = _step(facility, order, upload_id, temp, content, received, kind, size)
    done = complete(facility, order, upload_id).json

    assert (facility.data / done["finalPath"]).read_bytes() == content


def _step(
    facility: Facility,
    order: OrderInHand,
    upload_id: str,
    temp: Path,
    content: bytes,
    received: int,
    kind: str,
    size: int,
) -> int:
    """Send one chunk, good or bad; return what counts now, as answered and as on disk."""
    if received == len(content):
        return received
    if kind == "surplus":  # what a crash leaves behind the bytes that count
        with temp.open("ab") as file:
            file.write(b"?" * size)
        return received
    offset = {"right": received, "again": max(0, received - size), "ahead": received + size}[kind]
    answer = send(facility, order, upload_id, offset, content[received : received + size])
    if offset == received:
        assert answer.status_code == 200
        received = answer.json["receivedSize"]
    else:
        assert (answer.status_code, answer.json["receivedSize"]) == (400, received)
    assert temp.read_bytes()[:received] == content[:received]
    return received
