"""Who may see which run, and what of it: list, details, logs, sync, tasks, files, selection."""

from datetime import timedelta

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import (
    RUNS,
    completed,
    new_run,
    running,
    show,
    tick,
    use_scripted_executor,
)
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order

FORBIDDEN = {"error": "Forbidden"}


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility)


@pytest.mark.parametrize(
    ("method", "path"), [("GET", ""), ("GET", "/logs"), ("POST", "/sync"), ("GET", "/tasks")]
)
def test_a_researcher_reads_a_run_only_when_it_is_selected_and_the_target_is_an_own_one(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, method: str, path: str
) -> None:
    run_id, _ = completed(facility, scripted, order)
    url = f"{RUNS}/{run_id}{path}"

    before = facility.researcher.request(method, url)
    facility.admin.put(f"{RUNS}/{run_id}/selection")
    owner = facility.researcher.request(method, url)
    stranger = facility.other_researcher.request(method, url)
    facility.admin.delete(f"{RUNS}/{run_id}/selection")
    after = facility.researcher.request(method, url)

    assert (before.status_code, before.json) == (403, FORBIDDEN)
    assert owner.status_code == 200
    assert (stranger.status_code, stranger.json) == (403, FORBIDDEN)
    assert after.status_code == 403
    unknown = facility.researcher.request(method, f"{RUNS}/nothing{path}")
    assert (unknown.status_code, unknown.json) == (404, {"error": "Run not found"})


def test_runs_are_found_by_their_number_and_by_what_they_were_made_for(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = completed(facility, scripted, order)
    new_run(facility, submitted_order(facility))
    shown = show(facility, run_id)

    for text in (folder.path.name.lower(), shown["order"]["orderNumber"]):
        found = facility.admin.get(f"{RUNS}?q={text}").json
        assert ([run["id"] for run in found["runs"]], found["total"]) == ([run_id], 1), text
    for text in ("%25", "_", "nothing-is-called-so"):
        assert facility.admin.get(f"{RUNS}?q={text}").json["total"] == 0, text
    assert facility.researcher.get(f"{RUNS}?q={folder.path.name}").json["total"] == 0
    facility.admin.put(f"{RUNS}/{run_id}/selection")
    assert facility.researcher.get(f"{RUNS}?q={folder.path.name}").json["total"] == 1
    assert facility.other_researcher.get(f"{RUNS}?q={folder.path.name}").json["total"] == 0


def test_selection_replaces_the_run_before_and_hides_it(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    first, _ = completed(facility, scripted, order)
    second, _ = completed(facility, scripted, order)
    facility.admin.put(f"{RUNS}/{first}/selection")

    answer = facility.admin.put(f"{RUNS}/{second}/selection")

    selection = answer.json["selection"]
    assert selection["targetKey"] == f"order:{order.id}"
    assert selection["selectedRunId"] == second
    assert set(selection["selectedBy"]) == {"id", "firstName", "lastName", "email"}
    assert facility.researcher.get(f"{RUNS}/{first}").status_code == 403
    assert facility.researcher.get(f"{RUNS}/{second}").status_code == 200
    assert facility.admin.delete(f"{RUNS}/{first}/selection").json == {"success": True, "cleared": False}
    assert facility.admin.delete(f"{RUNS}/{second}/selection").json == {"success": True, "cleared": True}
    assert facility.admin.delete(f"{RUNS}/{second}/selection").json == {"success": True, "cleared": False}


def test_selection_is_refused_in_the_words_of_the_document(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = running(facility, order)

    not_completed = facility.admin.put(f"{RUNS}/{run_id}/selection")
    unknown = facility.admin.put(f"{RUNS}/nothing/selection")
    unknown_delete = facility.admin.delete(f"{RUNS}/nothing/selection")
    facility.services.database.execute_sql("UPDATE pipeline_runs SET status = 'completed', order_id = NULL")
    no_target = facility.admin.put(f"{RUNS}/{run_id}/selection")

    assert not_completed.status_code == 400
    assert not_completed.json == {"error": "Only completed pipeline runs can be selected as final."}
    assert (unknown.status_code, unknown.json) == (404, {"error": "Run not found"})
    assert (unknown_delete.status_code, unknown_delete.json) == (404, {"error": "Run not found"})
    assert no_target.json == {"error": "Pipeline run does not have a study or order target."}


def test_a_target_that_changes_hands_takes_its_selected_run_along(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = completed(facility, scripted, order)
    facility.admin.put(f"{RUNS}/{run_id}/selection")

    changed = facility.admin.put(f"/api/orders/{order.id}", {"userId": facility.other_researcher_id})
    assert changed.status_code == 200, changed.text

    assert facility.researcher.get(f"{RUNS}/{run_id}").status_code == 403
    assert facility.researcher.get(RUNS).json["total"] == 0
    assert facility.other_researcher.get(f"{RUNS}/{run_id}").status_code == 200
    tick(facility)
    assert facility.other_researcher.get(RUNS).json["total"] == 1


def test_the_list_is_newest_first_and_filtered(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    ids = []
    for _ in range(3):
        ids.append(new_run(facility, order))
        facility.clock.advance(timedelta(seconds=1))
    facility.admin.delete(f"{RUNS}/{ids[0]}")

    def listed(**params: str) -> list[str]:
        answer = facility.admin.get(RUNS, params=params)
        assert answer.status_code == 200
        return [run["id"] for run in answer.json["runs"]]

    assert listed() == ids[::-1]
    assert listed(status="cancelled") == [ids[0]]
    assert listed(status="pending,cancelled") == ids[::-1]
    assert listed(orderId=order.id, pipelineId="simulate-reads") == ids[::-1]
    assert listed(orderId="nothing") == listed(studyId="nothing") == listed(pipelineId="nothing") == []
    assert listed(limit="1", offset="1") == [ids[1]]
    page = facility.admin.get(RUNS, params={"limit": "0", "offset": "-3"}).json
    assert (page["limit"], page["offset"], page["total"]) == (1, 0, 3)
    default = facility.admin.get(RUNS, params={"limit": "x", "offset": "y"}).json
    assert (default["limit"], default["offset"]) == (50, 0)
    assert facility.admin.get(RUNS, params={"limit": "9999"}).json["limit"] == 500
    refused = facility.admin.get(RUNS, params={"status": "pending,sleeping"})
    assert (refused.status_code, refused.json) == (400, {"error": "Invalid status filter"})


@pytest.mark.parametrize(
    "params",
    [{"publishedOnly": "true"}, {"publishedOnly": "1"}, {"userVisible": "true"}, {"visible": "user"}],
)
def test_published_only_shows_an_admin_the_selected_runs(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, params: dict[str, str]
) -> None:
    run_id, _ = completed(facility, scripted, order)
    new_run(facility, order)
    assert facility.admin.get(RUNS, params=params).json["runs"] == []

    facility.admin.put(f"{RUNS}/{run_id}/selection")

    listed = facility.admin.get(RUNS, params=params).json
    assert [run["id"] for run in listed["runs"]] == [run_id]
    assert listed["total"] == 1
    assert listed["runs"][0]["selection"]["selectedBy"]["id"] == facility.admin_id


def test_researchers_see_no_absolute_paths_and_nothing_of_the_facility(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, tmp_path: object
) -> None:
    facility.services.facility.change(
        "execution", {"runDirectory": str(facility.home / "elsewhere")}, facility.clock.now()
    )
    run_id, _ = completed(facility, scripted, order)
    facility.admin.put(f"{RUNS}/{run_id}/selection")

    answer = facility.researcher.get(f"{RUNS}/{run_id}")

    assert str(facility.home) not in answer.text
    run = answer.json["run"]
    assert (run["launch"], run["runFolder"], run["inputFiles"]) == (None, None, [])
    assert {event["payload"] for event in run["events"]} == {None}
    assert run["artifacts"][0]["path"].startswith(run["runNumber"])
    assert show(facility, run_id)["artifacts"][0]["path"].startswith(str(facility.home))
    assert str(facility.home) not in facility.researcher.get(RUNS).text


def test_logs_come_from_the_file_and_later_from_the_cached_tail(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    url = f"{RUNS}/{run_id}/logs"
    empty = facility.admin.get(url).json
    folder.output_log.write_text("".join(f"line {number}\n" for number in range(200)))
    folder.error_log.write_bytes(b"bad \xff byte\n")

    default = facility.admin.get(url).json
    tail = facility.admin.get(url, params={"tail": "2"}).json
    error = facility.admin.get(url, params={"type": "error"}).json
    scripted.finish(folder, 1)
    tick(facility)
    folder.output_log.unlink()
    cached = facility.admin.get(url, params={"tail": "1"}).json

    assert empty == {
        "content": "",
        "fromFile": False,
        "status": "running",
        "progress": 0,
        "currentStep": None,
        "steps": [],
    }
    assert default["content"].splitlines() == [f"line {number}" for number in range(100, 200)]
    assert default["fromFile"] is True
    assert tail["content"] == "line 198\nline 199"
    assert error["content"] == "bad \ufffd byte"
    assert (cached["content"], cached["fromFile"], cached["status"]) == ("line 199", False, "failed")


def test_logs_and_reasons_tell_a_researcher_no_place_on_the_server(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    line = f"KeyError: {folder.path}/.snakemake/log/1.log"
    folder.error_log.write_text(f"Traceback (most recent call last):\n  x\n{line}\n")
    (folder.path / "logs").mkdir(exist_ok=True)
    scripted.finish(folder, 1)
    tick(facility)
    facility.admin.put(f"{RUNS}/{run_id}/selection")

    for path in ("", "/logs?type=error", "/evidence"):
        answer = facility.researcher.get(f"{RUNS}/{run_id}{path}")
        assert answer.status_code in (200, 403), answer.text
        assert str(facility.home) not in answer.text
    shown = facility.admin.get(f"{RUNS}/{run_id}/logs?type=error").json["content"]
    assert line in shown


def test_logs_refuse_another_type(facility: Facility, order: OrderInHand) -> None:
    run_id = new_run(facility, order)

    answer = facility.admin.get(f"{RUNS}/{run_id}/logs", params={"type": "trace"})

    assert (answer.status_code, answer.json) == (400, {"error": "type must be output or error"})


def test_logs_sum_up_the_tasks_of_each_process(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    folder.trace.write_text(
        "task_id\tprocess\ttag\tstatus\n1\tA\t1\tCOMPLETED\n2\tA\t2\tCOMPLETED\n3\tB\t1\tRUNNING\n4\tC\t1\tFAILED\n"
    )

    steps = facility.admin.get(f"{RUNS}/{run_id}/logs").json["steps"]

    assert steps == [
        {"process": "A", "status": "completed", "tasks": 2},
        {"process": "B", "status": "running", "tasks": 1},
        {"process": "C", "status": "failed", "tasks": 1},
    ]


def test_sync_without_a_trace_tells_what_the_executor_says(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    pending = new_run(facility, order)
    run_id, _ = running(facility, order)

    never_staged = facility.admin.post(f"{RUNS}/{pending}/sync")
    answer = facility.admin.post(f"{RUNS}/{run_id}/sync").json

    assert (never_staged.status_code, never_staged.json) == (400, {"error": "Run folder not set"})
    assert answer == {
        "success": True,
        "synced": False,
        "message": "The run is going on and has no trace yet.",
        "status": "running",
        "queueStatus": "RUNNING",
        "queueSource": "local",
    }


def test_sync_finalises_a_run_whose_job_has_ended(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    scripted.finish(folder, 3)

    answer = facility.admin.post(f"{RUNS}/{run_id}/sync").json

    assert (answer["status"], answer["queueStatus"]) == ("failed", "EXITED")


def test_files_of_a_run_leave_out_the_work_folder_and_hidden_names(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    (folder.work / "x").write_text("x")
    (folder.output / "report.html").write_text("<p>")

    files = facility.admin.get(f"{RUNS}/{run_id}/files").json

    paths = [file["path"] for file in files["files"]]
    assert paths == sorted(paths)
    assert files["total"] == len(paths)
    assert "output/report.html" in paths
    assert not any(path.startswith((".", "work/")) for path in paths)
    assert next(file for file in files["files"] if file["path"] == "output/report.html")["previewable"]
    pending = new_run(facility, order)
    assert facility.admin.get(f"{RUNS}/{pending}/files").json == {"error": "Run folder not set"}
