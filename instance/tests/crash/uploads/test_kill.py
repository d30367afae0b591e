"""What an upload survives: web processes that are killed at random moments of a chunk and of a completion."""

import contextlib
import os
import random
import signal
import threading

import pytest
import requests
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_uploads import LiveOrder, live_order
from seqfacility_testkit.soak import rounds
from seqfacility_testkit.waiting import wait_until

MIB = 1024 * 1024
ROUNDS = rounds(short=6, long=300)

GONE = (requests.ConnectionError, requests.exceptions.ChunkedEncodingError)


@pytest.fixture
def order(live_facility: LiveFacility) -> LiveOrder:
    return live_order(live_facility)


def patch(order: LiveOrder, upload_id: str, offset: int, data: bytes) -> requests.Response:
    return requests.patch(
        f"{order.admin.facility.base}{order.uploads}/{upload_id}",
        data=data,
        headers={"x-service-offset": str(offset)},
        cookies=order.admin.cookies.get_dict(),
        timeout=60,
    )


def kill_some(live: LiveFacility, dice: random.Random) -> None:
    """Kill one worker, or the whole service, which is then started again."""
    assert live.server is not None
    if dice.random() < 0.3:
        live.server.kill_group()
        live.serve()
    else:
        for worker in live.server.children()[:1]:
            os.kill(worker, signal.SIGKILL)


def session(order: LiveOrder, upload_id: str) -> dict[str, object]:
    """Read a session back, as soon as the service answers again."""
    found: dict[str, object] = {}

    def looked() -> bool:
        try:
            answer = requests.get(
                f"{order.admin.facility.base}{order.uploads}/{upload_id}",
                cookies=order.admin.cookies.get_dict(),
                timeout=10,
            )
        except requests.ConnectionError:
            return False
        found.update(answer.json())
        return answer.status_code == 200

    wait_until(looked, "the service answers again")
    return found


def send_and_kill(order: LiveOrder, upload_id: str, content: bytes, offset: int, dice: random.Random) -> int:
    """Send one chunk while processes are killed; gives what was acknowledged, `offset` when nothing was."""
    chunk = content[offset : offset + dice.choice([64 * 1024, MIB, 3 * MIB])]
    killer = threading.Timer(dice.uniform(0, 0.03), kill_some, (order.admin.facility, dice))
    killer.start()
    try:
        answer = patch(order, upload_id, offset, chunk)
        acknowledged = answer.json()["receivedSize"] if answer.status_code == 200 else offset
    except GONE:
        acknowledged = offset
    killer.join()
    return int(acknowledged)


def test_no_acknowledged_byte_is_lost_however_often_processes_are_killed(order: LiveOrder) -> None:
    seed = random.randrange(10**9)  # noqa: S311  # a seed to repeat, not a secret
    print(f"seed {seed}")  # noqa: T201  # to repeat a failing run
    dice = random.Random(seed)  # noqa: S311  # the same
    content = dice.randbytes(5 * MIB)
    upload_id = order.initiate(len(content))

    received = 0
    for _round in range(ROUNDS):
        acknowledged = send_and_kill(order, upload_id, content, received, dice)
        shown = session(order, upload_id)
        received = int(str(shown["receivedSize"]))
        on_disk = (order.admin.facility.home / "data" / str(shown["tempPath"])).read_bytes()
        assert acknowledged <= received <= len(on_disk)
        assert on_disk[:received] == content[:received]
    if received < len(content):
        assert patch(order, upload_id, received, content[received:]).status_code == 200
    done = order.admin.post(f"{order.uploads}/{upload_id}/complete").json()

    assert (order.admin.facility.home / "data" / done["finalPath"]).read_bytes() == content


def test_a_completion_that_is_killed_ends_in_one_file_and_one_read(order: LiveOrder) -> None:
    seed = random.randrange(10**9)  # noqa: S311  # a seed to repeat, not a secret
    print(f"seed {seed}")  # noqa: T201  # to repeat a failing run
    dice = random.Random(seed)  # noqa: S311  # the same
    data = order.admin.facility.home / "data"
    for number in range(ROUNDS):
        content = f"@r{number}\nA\n+\nI\n".encode()
        upload_id = order.initiate(len(content), name=f"round{number}.fastq")
        assert patch(order, upload_id, 0, content).status_code == 200

        killer = threading.Timer(dice.uniform(0, 0.02), kill_some, (order.admin.facility, dice))
        killer.start()
        with contextlib.suppress(GONE):
            order.admin.post(f"{order.uploads}/{upload_id}/complete")
        killer.join()
        session(order, upload_id)
        order.admin.close()  # a connection kept from before may lead to a worker that is gone
        done = order.admin.post(f"{order.uploads}/{upload_id}/complete").json()

        assert (data / done["finalPath"]).read_bytes() == content
        assert done["finalPath"].endswith(f"/round{number}.fastq")
        assert not (data / "orders" / order.id / ".tmp" / upload_id).exists()
    reads = order.admin.get(f"/api/samples/{order.sample_id}").json()["sample"]["reads"]
    files = [path for path in (data / "orders" / order.id).rglob("*") if path.is_file()]
    assert [read["isActive"] for read in reads] == [True] + [False] * (ROUNDS - 1)
    assert len(files) == ROUNDS
