"""A limit on file size stands in for a full disk: the kernel refuses both in the same places."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import OrderInHand, complete, initiate, send, submitted_order

MIB = 1024 * 1024


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility)


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_chunk_that_finds_no_space_is_not_acknowledged_and_can_be_sent_again(
    facility: Facility, order: OrderInHand
) -> None:
    content = bytes(range(256)) * (6 * MIB // 256)
    upload_id = initiate(facility, order, len(content))
    send(facility, order, upload_id, 0, content[: 3 * MIB])

    with largest_file(5 * MIB):
        full = send(facility, order, upload_id, 3 * MIB, content[3 * MIB :])
    shown = facility.admin.get(f"{order.uploads}/{upload_id}").json
    on_disk = (facility.data / shown["tempPath"]).stat().st_size
    again = send(facility, order, upload_id, 3 * MIB, content[3 * MIB :])
    done = complete(facility, order, upload_id)

    assert (full.status_code, full.json) == (
        507,
        {"error": "Not enough free disk space", "receivedSize": 3 * MIB},
    )
    assert shown["receivedSize"] == on_disk == 3 * MIB
    assert again.status_code == 200
    assert (facility.data / done.json["finalPath"]).read_bytes() == content
