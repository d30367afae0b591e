"""Events that are stored in one transaction: each run gets what it would get if they came one by one."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from seqfacility_instance.runs.rules.event import read_event
from seqfacility_instance.runs.service.events import EventWriter, Received
from seqfacility_instance.runs.store import activity
from seqfacility_instance.tables.pipelines import PipelineRunEvent
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import running, show, use_scripted_executor
from seqfacility_testkit.sequencing import submitted_order

PROCESS = "SIMULATE:simulate_sample"


@pytest.fixture
def run_ids(facility: Facility) -> list[str]:
    use_scripted_executor(facility)
    order = submitted_order(facility)
    return [running(facility, order)[0] for _ in range(3)]


@pytest.fixture
def writer(facility: Facility) -> EventWriter:
    return EventWriter(facility.services.runs.weblog.completion.observation)


def received(facility: Facility, run_id: str, name: str, task_id: int = 1) -> Received:
    now = facility.clock.now()
    trace = {"task_id": task_id, "process": PROCESS, "tag": f"S{task_id}", "attempt": 1}
    return Received(run_id, read_event({"event": name, "trace": trace}, now), None, now)


def write(facility: Facility, writer: EventWriter, *events: Received) -> list[bool | None]:
    with facility.services.database.atomic():
        return writer.write(events, waits=False)


def event_types(facility: Facility, run_id: str) -> list[str]:
    rows = PipelineRunEvent.select().where(
        (PipelineRunEvent.pipeline_run == run_id) & (PipelineRunEvent.source == "weblog")
    )
    return [row.event_type for row in rows.order_by(PipelineRunEvent.id)]


def test_events_of_several_runs_are_stored_without_the_one_that_has_no_run(
    facility: Facility, writer: EventWriter, run_ids: list[str]
) -> None:
    first, second, _ = run_ids

    stored = write(
        facility,
        writer,
        received(facility, first, "process_started"),
        received(facility, "no-such-run", "process_started"),
        received(facility, second, "process_completed"),
    )

    assert stored == [True, None, True]
    assert event_types(facility, first) == ["process_started"]
    assert event_types(facility, second) == ["process_completed"]
    assert show(facility, first)["progress"] == 0
    assert show(facility, second)["progress"] > 0


def test_events_of_one_run_keep_their_order_and_a_duplicate_is_dropped(
    facility: Facility, writer: EventWriter, run_ids: list[str]
) -> None:
    run_id = run_ids[0]
    names = ["process_submitted", "process_started", "process_started", "process_completed"]

    stored = write(facility, writer, *(received(facility, run_id, name) for name in names))

    assert stored == [True] * 4
    assert event_types(facility, run_id) == ["process_submitted", "process_started", "process_completed"]
    (task,) = facility.admin.get(f"/api/pipelines/runs/{run_id}/tasks").json["tasks"]
    assert task["status"] == "COMPLETED"


def test_an_event_whose_run_somebody_holds_is_left_and_the_others_are_stored(
    facility: Facility, writer: EventWriter, run_ids: list[str]
) -> None:
    database = facility.services.database
    held, free, _ = run_ids
    if not database.for_update:  # SQLite has no locks of rows: who is in a transaction holds all of them
        with database.atomic():
            assert set(activity.lock_runs([held, free], waits=False)) == {held, free}
        return

    def write_both() -> list[bool | None]:
        with database.connection_context():
            events = [received(facility, run_id, "process_started") for run_id in (held, free)]
            return write(facility, writer, *events)

    with database.atomic(), ThreadPoolExecutor(1) as pool:
        activity.lock_runs([held], waits=True)
        stored = pool.submit(write_both).result()

    assert stored == [None, True]
    assert event_types(facility, held) == []
    assert event_types(facility, free) == ["process_started"]
