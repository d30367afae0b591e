"""Progress never goes back, whatever is reported, read or asked, in whatever order."""

import random

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import RUNS, report, running, show, tick, use_scripted_executor
from seqfacility_testkit.sequencing import submitted_order
from seqfacility_testkit.soak import record, rounds
from seqfacility_workflow_runtime.run_folder import RunFolder
from seqfacility_workflow_runtime.trace import COLUMNS

SEEDS = rounds(short=3, long=200)
ACTS = 25
PROCESSES = ("SIMULATE:simulate_sample", "UNKNOWN:step")
EVENTS = ("started", "process_submitted", "process_started", "process_completed", "error", "unheard_of")
STATUSES = ("COMPLETED", "CACHED", "FAILED", "ABORTED", "RUNNING", "SUBMITTED")
FEED = 100


def task_event(chance: random.Random) -> dict[str, object]:
    trace = {
        "process": chance.choice(PROCESSES),
        "tag": f"S-{chance.randrange(6)}",
        "attempt": chance.randint(1, 3),
        "task_id": chance.randrange(6),
        "exit": chance.choice((0, 0, 1, 2147483647)),
        "status": chance.choice(STATUSES),
    }
    return {"event": chance.choice(EVENTS), "trace": trace}


def write_trace_rows(folder: RunFolder, rows: list[dict[str, object]]) -> None:
    is_new = not folder.trace.exists()
    with folder.trace.open("a", encoding="utf-8") as file:
        if is_new:
            file.write("\t".join(COLUMNS) + "\n")
        file.writelines("\t".join(str(row.get(name, "-")) for name in COLUMNS) + "\n" for row in rows)


def trace_rows(chance: random.Random) -> list[dict[str, object]]:
    return [
        {
            "task_id": chance.randrange(6),
            "process": chance.choice(PROCESSES),
            "tag": f"S-{chance.randrange(6)}",
            "status": chance.choice(STATUSES),
            "attempt": chance.randint(1, 3),
        }
        for _ in range(chance.randrange(4))
    ]


def test_progress_of_an_active_run_never_goes_back(facility: Facility) -> None:
    use_scripted_executor(facility)
    order = submitted_order(facility)
    for seed in range(SEEDS):
        chance = random.Random(seed)  # noqa: S311  # no secret is made of it
        run_id, folder = running(facility, order)
        seen = [0]
        for _act in range(ACTS):
            act = chance.randrange(5)
            if act <= 1:
                report(facility, run_id, task_event(chance))
            elif act == 2:
                write_trace_rows(folder, trace_rows(chance))
                tick(facility)
            elif act == 3:
                write_trace_rows(folder, trace_rows(chance))
                facility.admin.post(f"{RUNS}/{run_id}/sync")
            else:
                folder.trace.unlink(missing_ok=True)
            run = show(facility, run_id)
            seen.append(run["progress"])
            assert (run["status"], seen) == ("running", sorted(seen)), seed
            assert seen[-1] <= 99
        facility.admin.post(f"{RUNS}/{run_id}/cancel")
    record(
        "The progress of a run never goes back.",
        tried=f"{SEEDS} runs with {ACTS} events, traces, looks and lost traces each, in random order",
        found="progress only ever rose, to 99 at most",
    )


@pytest.mark.parametrize("way", ["weblog", "trace"])
def test_a_run_with_many_tasks_shows_its_progress_and_its_failed_tasks(facility: Facility, way: str) -> None:
    use_scripted_executor(facility)
    run_id, folder = running(facility, submitted_order(facility))
    failed, count = {3, 170}, 240
    for number in range(count):
        status, code = ("FAILED", 137) if number in failed else ("COMPLETED", 0)
        row = {"task_id": number, "process": f"P{number % 2}", "tag": f"S-{number}", "attempt": 1}
        if way == "trace":
            write_trace_rows(folder, [{**row, "status": status, "exit": code, "submit": 10**12 + number}])
        else:
            trace = {**row, "status": status, "exit": code, "submit": 10**12 + number}
            report(facility, run_id, {"event": "process_completed", "trace": trace})

    synced = facility.admin.post(f"{RUNS}/{run_id}/sync").json
    listed = facility.admin.get(f"{RUNS}/{run_id}/tasks", params={"status": "failed"}).json
    everything = facility.admin.get(f"{RUNS}/{run_id}/tasks", params={"limit": "2", "offset": "238"}).json
    steps = facility.admin.get(f"{RUNS}/{run_id}/logs").json["steps"]

    assert len(show(facility, run_id)["events"]) == FEED
    assert [task["tag"] for task in listed["tasks"]] == ["S-3", "S-170"]
    assert (listed["total"], everything["total"]) == (len(failed), count)
    assert [task["tag"] for task in everything["tasks"]] == ["S-238", "S-239"]
    assert [step["tasks"] for step in steps] == [count / 2, count / 2]
    if way == "trace":
        assert (synced["progress"], synced["tasks"]) == (99, count)
