"""Reading only the tasks that have changed, and the log of one."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import RUNS, report, running, show, tick, use_scripted_executor
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_workflow_runtime.run_folder import RunFolder


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility)


def changed(facility: Facility, run_id: str, since: str, limit: int = 500) -> dict[str, Any]:
    answer = facility.admin.get(f"{RUNS}/{run_id}/tasks", params={"since": since, "limit": str(limit)})
    assert answer.status_code == 200, answer.text
    page: dict[str, Any] = answer.json
    return page


def event(name: str, task: int, **more: object) -> dict[str, Any]:
    trace = {"task_id": task, "process": "trim", "tag": f"S-{task}", "status": "RUNNING", **more}
    return {"event": name, "utcTime": "2031-05-04T10:00:00Z", "trace": trace}


def test_only_tasks_that_have_changed_are_told(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = running(facility, order)
    nothing = changed(facility, run_id, "0")
    for task in (1, 2, 3):
        report(facility, run_id, event("process_started", task))

    first = changed(facility, run_id, nothing["cursor"])
    same = changed(facility, run_id, first["cursor"])
    report(facility, run_id, event("process_completed", 2, status="COMPLETED", exit=0))
    second = changed(facility, run_id, first["cursor"])

    assert (nothing["tasks"], nothing["cursor"], nothing["hasMore"]) == ([], "0", False)
    assert [task["tag"] for task in first["tasks"]] == ["S-1", "S-2", "S-3"]
    assert same["tasks"] == []
    assert same["cursor"] == first["cursor"]
    assert [(task["tag"], task["status"]) for task in second["tasks"]] == [("S-2", "COMPLETED")]
    assert second["total"] == 3


def test_all_tasks_are_read_in_parts_whatever_changed_at_once(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    rows = "".join(f"{number}\ttrim\tS-{number}\tCOMPLETED\n" for number in range(1300))
    folder.trace.write_text(f"task_id\tprocess\ttag\tstatus\n{rows}")
    tick(facility)

    found, cursor, parts = [], "0", 0
    while True:
        page = changed(facility, run_id, cursor, 400)
        assert page["isReset"] is False
        found += [task["tag"] for task in page["tasks"]]
        cursor, parts = page["cursor"], parts + 1
        if not page["hasMore"]:
            break

    assert sorted(found) == sorted(f"S-{number}" for number in range(1300))
    assert parts == 4
    assert len(changed(facility, run_id, "0", 99_999)["tasks"]) == 1300
    url = f"{RUNS}/{run_id}/tasks?since=0"
    tag = facility.admin.get(url).headers["etag"]
    assert facility.admin.get(url, headers={"If-None-Match": tag}).status_code == 304


def test_a_cursor_of_other_tasks_begins_anew_and_one_that_is_none_at_the_beginning(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = running(facility, order)
    report(facility, run_id, event("process_started", 1))

    beyond = changed(facility, run_id, "999999999.zzz")
    assert (len(beyond["tasks"]), beyond["isReset"]) == (1, True)
    for text in ("x", "-1", "1.", "9" * 50, "1.a b", "%00"):
        page = changed(facility, run_id, text)
        assert (len(page["tasks"]), page["isReset"]) == (1, False), text


def failed_task(facility: Facility, run_id: str, **more: object) -> str:
    report(facility, run_id, event("process_started", 7, **more))
    return str(changed(facility, run_id, "0")["tasks"][-1]["id"])


def log_url(run_id: str, task_id: str) -> str:
    return f"{RUNS}/{run_id}/tasks/{task_id}/log"


def test_the_logs_that_a_rule_declares_are_those_of_its_task(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    names = ["logs/a b.log", "logs/missing.log", "logs/empty.log", f"{folder.path}/logs/own.log"]
    task_id = failed_task(facility, run_id, log=json.dumps(names))
    (folder.work / "logs").mkdir()
    (folder.work / "logs/a b.log").write_bytes(b"caf\xe9 ?token=secret01\r\nend")
    (folder.work / "logs/empty.log").touch()
    (folder.logs / "own.log").write_text("own\n")

    answer = facility.admin.get(log_url(run_id, task_id))

    assert answer.json["task"]["tag"] == "S-7"
    assert answer.json["logs"] == [
        {"path": "work/logs/a b.log", "content": "caf\ufffd ?token=***\nend", "size": 25, "truncated": False},
        {"path": "logs/own.log", "content": "own\n", "size": 4, "truncated": False},
    ]


def test_of_a_long_log_the_end_is_shown(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    task_id = failed_task(facility, run_id, log='["one.log","two.log"]')
    for name in ("one.log", "two.log"):
        (folder.work / name).write_text("".join(f"line {number}\n" for number in range(300_000)))

    logs = facility.admin.get(log_url(run_id, task_id)).json["logs"]

    assert [log["truncated"] for log in logs] == [True, True]
    assert all(log["content"].startswith("line ") for log in logs)
    assert all(log["content"].endswith("line 299999\n") for log in logs)
    assert sum(len(log["content"]) for log in logs) <= 2 * 1024 * 1024


def test_a_task_of_nextflow_has_the_log_of_its_folder(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    task_id = failed_task(facility, run_id, hash="ab/cdef12")
    own = folder.work / "ab" / "cdef1234567890abcdef1234567890"
    own.mkdir(parents=True)
    (folder.work / "ab" / "cdef12-not-a-task").mkdir()
    none = facility.admin.get(log_url(run_id, task_id))
    (own / ".command.err").write_text("of the error\n")
    error = facility.admin.get(log_url(run_id, task_id)).json["logs"]
    (own / ".command.log").write_text("all\n")
    both = facility.admin.get(log_url(run_id, task_id)).json["logs"]

    assert none.status_code == 404
    assert [(log["path"].rpartition("/")[2], log["content"]) for log in error] == [
        (".command.err", "of the error\n")
    ]
    assert [(log["path"].rpartition("/")[2], log["content"]) for log in both] == [(".command.log", "all\n")]


def hostile_logs(folder: RunFolder, outside: Path) -> list[str]:
    """Lay out what a workflow could name as its log, none of which is one."""
    outside.write_text("outside\n")
    (folder.work / "link.log").symlink_to(outside)
    (folder.work / "secret.log").symlink_to("../.weblog.json")
    (folder.work / "up").symlink_to("..")
    os.mkfifo(folder.work / "fifo.log")
    (folder.work / "folder.log").mkdir()
    return [
        *("link.log", "secret.log", "up/.weblog.json", "fifo.log", "folder.log", "../.weblog.json"),
        *("../run.json", "../../../secret", str(outside), "/etc/passwd", "", ".", "..", "a\0b", "x" * 3000),
    ]


def test_no_log_leads_out_of_the_folders_of_its_run(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, tmp_path: Path
) -> None:
    run_id, folder = running(facility, order)
    folder.events_target.write_text('{"token": "secret01"}')
    for name in hostile_logs(folder, tmp_path / "outside.log"):
        task_id = failed_task(facility, run_id, log=json.dumps([name]), attempt=len(name) + 1)
        answer = facility.admin.get(log_url(run_id, task_id))
        assert answer.status_code == 404, (name, answer.text)
    folder.work.rename(folder.path / "away")
    folder.work.symlink_to(tmp_path)
    task_id = failed_task(facility, run_id, log='["outside.log"]')
    assert facility.admin.get(log_url(run_id, task_id)).status_code == 404


@pytest.mark.parametrize(
    "log", ["", "no json", "{}", '"x"', "[1, null]", "[" * 3000, '["' + "x" * 5000 + '"]']
)
def test_what_is_no_list_of_logs_is_none(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, log: str
) -> None:
    run_id, _ = running(facility, order)
    task_id = failed_task(facility, run_id, log=log)

    answer = facility.admin.get(log_url(run_id, task_id))

    words = "This task has left no log of its own. Look into the log of the run"
    assert (answer.status_code, answer.json) == (404, {"error": words})
    missing = facility.admin.get(log_url(run_id, "nothing"))
    assert (missing.status_code, missing.json) == (404, {"error": "Task not found"})
    assert show(facility, run_id)["status"] == "running"
