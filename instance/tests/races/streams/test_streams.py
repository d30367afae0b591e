"""Who wins when two come: starts on one directory, stops, events that are written at the same time."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.streams import StreamEventKind
from seqfacility_instance.streams.store import events
from seqfacility_instance.tables.base import database
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.sequencing import draft_order
from seqfacility_testkit.soak import rounds
from seqfacility_testkit.streams import start_stream

TOGETHER = 8


def at_once(act: Callable[[int], object]) -> list[object]:
    """Do something several times at the same moment."""
    barrier = threading.Barrier(TOGETHER)

    def one(number: int) -> object:
        barrier.wait()
        return act(number)

    with ThreadPoolExecutor(TOGETHER) as pool:
        return list(pool.map(one, range(TOGETHER)))


def copy_of(admin: LiveClient) -> LiveClient:
    """Return a client of its own connections, signed in as the same person."""
    client = LiveClient(admin.facility)
    client.cookies.update(admin.cookies)
    return client


@pytest.fixture
def admin(live_facility: LiveFacility) -> LiveClient:
    return live_facility.sign_in()


def test_of_starts_on_one_directory_in_any_spelling_one_wins(
    live_facility: LiveFacility, admin: LiveClient
) -> None:
    root = live_facility.home / "sequencer"
    (root / "run1" / "fastq_pass").mkdir(parents=True)
    (root / "link").symlink_to("run1")
    spellings = ["run1", "run1/", "./run1", "link", "run1/fastq_pass", "run1/fastq_pass/..", "", "link/."]
    orders = [admin.post("/api/orders", json={}).json()["order"]["id"] for _ in range(TOGETHER)]
    clients = [copy_of(admin) for _ in range(TOGETHER)]

    def start(number: int) -> tuple[int, str]:
        path = f"/api/orders/{orders[number]}/stream"
        answer = clients[number].post(path, json={"outputDir": f"{root}/{spellings[number]}"})
        return answer.status_code, answer.json().get("error", "")

    answers = [answer for answer in at_once(start) if isinstance(answer, tuple)]

    assert Counter(status for status, _ in answers) == {201: 1, 409: TOGETHER - 1}
    refusals = {text for status, text in answers if status == 409}
    assert len(refusals) == 1
    assert refusals.pop().startswith("Directory is already watched by stream run ")


def test_of_stops_at_once_one_is_the_first(live_facility: LiveFacility, admin: LiveClient) -> None:
    (live_facility.home / "sequencer" / "run1").mkdir(parents=True)
    order_id = admin.post("/api/orders", json={}).json()["order"]["id"]
    folder = str(live_facility.home / "sequencer" / "run1")
    run_id = admin.post(f"/api/orders/{order_id}/stream", json={"outputDir": folder}).json()["id"]
    clients = [copy_of(admin) for _ in range(TOGETHER)]
    path = f"/api/orders/{order_id}/stream/{run_id}"

    answers = at_once(lambda number: clients[number].post(f"{path}/stop").text)

    assert answers.count('{"ok": true}') == 1
    told = admin.get(f"{path}/events").json()["events"]
    assert [event["kind"] for event in told] == ["RUN_STOP_REQUESTED", "RUN_STARTED"]


def test_events_written_at_once_have_numbers_without_gaps_in_the_order_of_their_commits(
    facility: Facility,
) -> None:
    stream = start_stream(facility, draft_order(facility))
    transactions = rounds(short=4, long=100)
    ended = threading.Event()

    def write(number: int) -> None:
        with database.connection_context():
            for _ in range(transactions):
                with database.atomic():
                    told = [(StreamEventKind.ERROR, {"message": str(number), "filePath": None})] * 2
                    events.write(stream.id, told, system_now())

    def follow() -> list[int]:
        seen: list[int] = []
        with database.connection_context():
            while not ended.is_set() or events.following(stream.id, seen[-1] if seen else 0, 1):
                seen.extend(row.seq for row in events.following(stream.id, seen[-1] if seen else 0, 7))
        return seen

    with ThreadPoolExecutor(1) as reader:
        following = reader.submit(follow)
        try:
            at_once(write)
        finally:
            ended.set()

    assert following.result() == list(range(1, TOGETHER * transactions * 2 + 2))


def test_a_live_feed_brings_what_happens_while_it_is_open(
    live_facility: LiveFacility, admin: LiveClient
) -> None:
    (live_facility.home / "sequencer" / "run1").mkdir(parents=True)
    order_id = admin.post("/api/orders", json={}).json()["order"]["id"]
    folder = str(live_facility.home / "sequencer" / "run1")
    run_id = admin.post(f"/api/orders/{order_id}/stream", json={"outputDir": folder}).json()["id"]
    path = f"/api/orders/{order_id}/stream/{run_id}"
    other = copy_of(admin)

    with admin.get(f"{path}/events/live?after=1", stream=True) as feed:
        lines = feed.iter_lines(decode_unicode=True)
        assert next(lines).startswith("retry: ")
        other.post(f"{path}/stop")
        arrived = next(line for line in lines if line.startswith("id: "))

    assert arrived == "id: 2"
