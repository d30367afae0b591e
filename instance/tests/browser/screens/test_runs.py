"""The pages of runs: followed while they go on, explained when they fail, readable when they are large."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_deliveries import Delivered, submit_order
from seqfacility_testkit.packages import GREETER, greeter
from seqfacility_testkit.pages import THEMES, Viewer, Watch, axe, no_horizontal_scroll
from seqfacility_testkit.waiting import wait_for, wait_until

RUNS = "/api/pipelines/runs"
HOSTILE = "<img src=x onerror=alert(1)>"


@dataclass(frozen=True)
class Bench:
    """A facility whose runs are real ones of Snakemake, with an order to analyse."""

    admin: LiveClient
    order: Delivered

    def start(self, **config: object) -> dict[str, Any]:
        body = {"pipelineId": GREETER, "orderId": self.order.id, "config": config}
        run_id = self.admin.post(RUNS, json=body).json()["run"]["id"]
        answer = self.admin.post(f"{RUNS}/{run_id}/start")
        assert answer.ok, answer.text
        return self.show(run_id)

    def show(self, run_id: str) -> dict[str, Any]:
        run: dict[str, Any] = self.admin.get(f"{RUNS}/{run_id}").json()["run"]
        return run

    def ended(self, run_id: str) -> dict[str, Any]:
        def look() -> dict[str, Any] | None:
            run = self.show(run_id)
            return run if run["status"] in {"completed", "failed", "cancelled"} else None

        return wait_for(look, "the run is over", seconds=90)

    def let_next_end(self, run_id: str, gate: Path) -> str:
        """Let the task end that is at work; the engine chooses the order. Return its name.

        A task that was let go counts as running until its event has arrived.
        """

        def look() -> str | None:
            tasks = self.admin.get(f"{RUNS}/{run_id}/tasks?status=RUNNING").json()["tasks"]
            waiting = [str(task["tag"]) for task in tasks if not (gate / task["tag"]).exists()]
            return waiting[0] if waiting else None

        task = wait_for(look, "a task is at work")
        (gate / task).touch()
        return task


@pytest.fixture(scope="module")
def bench(instance: LiveFacility, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    package = tmp_path_factory.mktemp("package") / "greeter.json"
    package.write_bytes(canonical_json(greeter()))
    installed = instance.run("install-pipeline", GREETER, "--file", str(package), "--enable")
    assert installed.process.wait(60) == 0, installed.log
    admin = instance.sign_in()
    instance.run("monitor-runs", "--interval", "0.5")
    return Bench(admin, submit_order(instance.sign_in(RESEARCHER), "Two shores of one lake", 2))


@pytest.fixture(autouse=True)
def _nothing_goes_on(bench: Bench) -> Iterator[None]:
    """End what a test leaves: it would take the room of the next, or of its own second attempt."""
    yield
    for run in bench.admin.get(f"{RUNS}?status=running").json()["runs"]:
        bench.admin.delete(f"{RUNS}/{run['id']}")
        bench.ended(run["id"])


@pytest.fixture(scope="module")
def failed(bench: Bench) -> dict[str, Any]:
    return bench.ended(bench.start(tasks=2, bad="t1")["id"])


def look(page: Page, web: Path) -> None:
    """Look at a state in both themes, at a desk and on a telephone."""
    for theme in THEMES:
        for width in (1280, 390):
            page.emulate_media(color_scheme=theme)
            page.set_viewport_size({"width": width, "height": 900})
            axe(page, web)
            no_horizontal_scroll(page)
    page.set_viewport_size({"width": 1280, "height": 900})


def open_tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()
    expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
    expect(page.locator(".outline")).to_have_count(0)


def test_a_run_is_followed_from_its_first_task_to_its_results(
    bench: Bench, admin_page: Page, web: Path, tmp_path: Path
) -> None:
    page = admin_page
    run = bench.start(tasks=3, gate=str(tmp_path))
    page.goto(f"/runs/{run['id']}")
    expect(page.get_by_role("heading", level=1)).to_have_text(run["runNumber"])
    expect(page).to_have_url(re.compile(f"/runs/{run['runNumber']}$"))
    expect(page.get_by_role("region", name="State")).to_contain_text("Running")

    open_tab(page, "Tasks")
    tasks = page.get_by_role("table", name="Tasks", exact=True)
    expect(tasks.get_by_role("row").filter(has_text="Running").first).to_be_visible()
    first = bench.let_next_end(run["id"], tmp_path)
    expect(tasks.get_by_role("row").filter(has_text=first)).to_contain_text("Done")
    look(page, web)

    open_tab(page, "Log")
    log = page.get_by_role("region", name="Log: Error")
    expect(log).to_contain_text(f"said hello to {first}")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 500})
    expect(page.get_by_text("Follows the end.")).to_be_visible()
    log.hover()
    page.mouse.wheel(0, -2000)
    expect(page.get_by_text("Stands still while the log grows.")).to_be_visible()
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_text("Follows the end.")).to_be_visible()
    second = bench.let_next_end(run["id"], tmp_path)
    expect(log).to_contain_text(f"said hello to {second}")
    look(page, web)

    bench.let_next_end(run["id"], tmp_path)
    expect(page.get_by_role("region", name="State")).to_contain_text("Completed")
    open_tab(page, "Results")
    expect(page.get_by_role("tabpanel")).to_contain_text("t0.txt")
    page.get_by_role("link", name="Show t0.tsv").click()
    table = page.get_by_role("table", name="Table t0.tsv")
    expect(table.get_by_role("columnheader")).to_have_text(["name,", "length"])
    expect(table.get_by_role("row").last).to_contain_text("<b>t0</b>")
    look(page, web)
    page.get_by_role("link", name="Show t0.txt").click()
    page.get_by_role("button", name="Full screen: t0.txt").click()
    page.wait_for_function("() => document.fullscreenElement?.title === 'Report t0.txt'")
    page.evaluate("document.exitFullscreen()")
    for name in ("Evidence", "Files", "Summary"):
        open_tab(page, name)
        look(page, web)


def test_a_failed_run_says_why_and_is_started_again(
    bench: Bench, failed: dict[str, Any], admin_page: Page, web: Path
) -> None:
    page = admin_page
    page.goto(f"/runs/{failed['runNumber']}")
    expect(page.get_by_role("heading", name="Likely cause: the disk is full")).to_be_visible()
    first = page.get_by_role("region", name="First failed task: greet t1")
    expect(first).to_contain_text("<b>hello</b> t1")
    expect(first).to_contain_text("No space left on device")
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    look(page, web)

    open_tab(page, "Evidence")
    witnesses = page.get_by_role("list", name="Witnesses")
    expect(witnesses.get_by_role("listitem").filter(has_text="Exit file")).to_contain_text("exit code 1")
    expect(witnesses).to_contain_text("1 task failed.")

    page.get_by_role("button", name="Start again").click()
    expect(page.get_by_role("link", name=failed["runNumber"])).to_be_visible()
    expect(page.get_by_role("heading", level=1)).not_to_have_text(failed["runNumber"])
    expect(page.get_by_role("region", name="State")).to_contain_text("Failed", timeout=90_000)


def test_a_running_run_is_cancelled_by_its_number(bench: Bench, admin_page: Page, tmp_path: Path) -> None:
    page = admin_page
    run = bench.start(tasks=1, gate=str(tmp_path))
    page.goto(f"/runs/{run['runNumber']}")

    page.get_by_role("button", name="Cancel run").click()
    dialog = page.get_by_role("dialog", name=f"Cancel {run['runNumber']}")
    expect(dialog).to_contain_text(f"{run['runNumber']} is ended at once")
    dialog.get_by_role("button", name="Cancel run").click()

    expect(page.get_by_role("region", name="State")).to_contain_text("Cancelled")
    expect(page.get_by_role("button", name="Cancel run")).to_have_count(0)


def test_five_thousand_tasks_with_any_names_are_walked_through_by_keyboard(
    bench: Bench, admin_page: Page, web: Path, watch: Watch, tmp_path: Path
) -> None:
    page = admin_page
    watch.expect(r"status of 404 .*/log")
    run = bench.start(tasks=1, gate=str(tmp_path))
    wait_until(lambda: Path(bench.show(run["id"])["runFolder"]).exists(), "the run has its folder")
    folder = Path(bench.show(run["id"])["runFolder"])
    head = "task_id\tprocess\ttag\tname\tstatus\texit\tattempt\tsubmit\tstart\tcomplete\n"
    begin = 1_900_000_000_000
    rows = [
        f"{n}\tprocess-{n % 7}\t{HOSTILE} {n}\tx\t{'FAILED' if n == 77 else 'COMPLETED'}\t0\t1\t"
        f"{begin + n * 100}\t{begin + n * 100 + 50}\t{begin + n * 100 + 900}\n"
        for n in range(5000)
    ]
    (folder / "trace.txt").write_text(head + "".join(rows))
    page.goto(f"/runs/{run['runNumber']}?tab=tasks")

    table = page.get_by_role("table", name="Tasks", exact=True)
    expect(table).to_have_attribute("aria-rowcount", re.compile("500[12]"))
    assert table.get_by_role("row").count() < 120
    expect(table.get_by_role("row").nth(1)).to_contain_text("Failed")
    picture = page.get_by_role("application")
    cursor = page.locator("#gantt-cursor")
    picture.focus()
    page.keyboard.press("Home")
    first = cursor.inner_text()
    for key in ("ArrowRight", "+", "ArrowRight", "ArrowDown", "-", "End", "0"):
        page.keyboard.press(key)
    expect(cursor).not_to_have_text(first)
    expect(cursor).to_contain_text(HOSTILE)
    axe(page, web)
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name=re.compile("process-"))
    expect(dialog).to_contain_text("This task has left no log of its own")
    axe(page, web)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.get_by_role("searchbox", name="Search tasks").fill(f"{HOSTILE} 4999")
    expect(table).to_have_attribute("aria-rowcount", "2")
    bench.admin.delete(f"{RUNS}/{run['id']}")


def test_a_log_of_100_mb_is_read_in_parts_and_searched(
    bench: Bench, failed: dict[str, Any], admin_page: Page, watch: Watch
) -> None:
    page = admin_page
    log = Path(failed["runFolder"]) / "logs" / "pipeline.out"
    line = f"{HOSTILE} nothing to see in this line of the log\n"
    with log.open("w") as stream:
        stream.write("the needle is here\n")
        for _ in range(100):
            stream.write(line * (1_000_000 // len(line)))
        stream.write("the very end\n")
    page.goto(f"/runs/{failed['runNumber']}?tab=log&stream=output")
    box = page.get_by_role("region", name="Log: Output")
    expect(box).to_contain_text("the very end")
    expect(box).to_contain_text(HOSTILE)
    assert sum("/logs?" in request for request in watch.requests) <= 3

    page.get_by_role("searchbox", name="Search in this log").fill("needle")
    page.get_by_role("button", name="Search what is before").click()
    expect(box.locator(".log-chosen")).to_have_text("the needle is here")
    expect(page).to_have_url(re.compile("at=0.0"))
    page.reload()
    expect(box.locator(".log-chosen")).to_have_text("the needle is here")
    page.get_by_role("button", name="To the end").click()
    expect(box).to_contain_text("the very end")
    log.write_text("short again\n")


def test_runs_are_listed_found_and_narrowed_in_the_address(
    bench: Bench, failed: dict[str, Any], admin_page: Page, web: Path
) -> None:
    page = admin_page
    page.goto("/runs")
    table = page.get_by_role("table", name="Runs")
    expect(table.get_by_role("link", name=failed["runNumber"])).to_be_visible()
    look(page, web)

    page.get_by_role("button", name="State").click()
    page.get_by_role("menuitemradio", name="Failed").click()
    expect(page).to_have_url(re.compile("status=failed"))
    page.get_by_role("searchbox", name="Search runs").fill("two shores")
    expect(page).to_have_url(re.compile("q=two"))
    expect(table.get_by_role("link", name=failed["runNumber"])).to_be_visible()
    page.get_by_role("searchbox", name="Search runs").fill("nothing-is-called-so")
    expect(page.get_by_text("No run fits these filters")).to_be_visible()


def test_a_researcher_sees_summary_and_results_of_what_is_selected(
    bench: Bench, failed: dict[str, Any], viewer: Viewer
) -> None:
    run = bench.ended(bench.start(tasks=1)["id"])
    assert run["status"] == "completed", run["failure"]
    assert bench.admin.put(f"{RUNS}/{run['id']}/selection").ok
    page, watch = viewer.open(RESEARCHER)
    watch.expect(r"status of 40[34]")

    page.goto("/runs")
    page.get_by_role("link", name=run["runNumber"]).click()
    expect(page.get_by_role("tab")).to_have_text(["Summary", "Results"])
    expect(page.get_by_role("button", name="Start again")).to_have_count(0)
    expect(page.get_by_role("region", name="State")).to_contain_text("Completed")
    page.goto(f"/runs/{failed['runNumber']}")
    expect(page.get_by_role("heading", level=1)).to_have_text("You can't see this")
