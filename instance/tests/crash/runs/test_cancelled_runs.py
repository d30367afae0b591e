"""Runs that are cancelled at random moments, of their launch too, leave no process and no job behind."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from falcon.testing import Result
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import SLEEPER, sleeper
from seqfacility_testkit.pipeline_runs import RUNS, new_run, status_of
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_testkit.slurm import PrivateSlurm, missing_slurm, private_slurm
from seqfacility_testkit.soak import record, rounds
from seqfacility_testkit.stand_in_engine import write_stand_in
from seqfacility_testkit.waiting import wait_until
from seqfacility_workflow_runtime.launch import read_launch_order
from seqfacility_workflow_runtime.processes.ending import members_with_token
from seqfacility_workflow_runtime.run_folder import RunFolder

RUNS_OF_ALL = rounds(short=20, long=1000)
AT_ONCE = 4
LONGEST_SECONDS = 2.0
"""A launch takes less: the cancellation falls before, into, or behind it."""


@dataclass
class Place:
    """Where runs are executed, and what it still has of them."""

    backend: str
    cluster: PrivateSlurm | None

    def jobs(self) -> str:
        """List the jobs that wait or run."""
        if self.cluster is None:
            return ""
        return self.cluster.ask("squeue", "-h", "-t", "PENDING,RUNNING", "-o", "%j")


@pytest.fixture(params=["local", "slurm"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    with ExitStack() as stack:
        cluster = None
        if request.param == "slurm":
            if (reason := missing_slurm()) is not None:
                pytest.skip(reason)
            cluster = stack.enter_context(private_slurm(tmp_path / "slurm"))
            monkeypatch.setenv("SLURM_CONF", str(cluster.configuration))
        yield Place(request.param, cluster)
        if cluster is not None:
            wait_until(lambda: cluster.ask("squeue", "-h") == "", "the queue is empty")


@pytest.fixture
def order(facility: Facility, place: Place, tmp_path: Path) -> OrderInHand:
    settings = {
        "defaultBackend": place.backend,
        "slurmCores": 1,
        "slurmMemoryGb": 1,
        "snakemakeCommand": write_stand_in(tmp_path),
    }
    facility.services.facility.change("execution", settings, facility.clock.now())
    facility.services.runs.pipeline_installation.install_file(canonical_json(sleeper()))
    facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"enabled": True})
    return submitted_order(facility)


def in_thread(facility: Facility, act: Callable[[], None]) -> threading.Thread:
    def run() -> None:
        try:
            act()
        finally:
            facility.services.database.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def asked(ask: Callable[[], Result]) -> Result:
    """Ask, and ask again while the database of an overloaded machine keeps us waiting too long."""
    answers: list[Result] = []

    def is_answered() -> bool:
        answers.append(ask())
        return answers[-1].status_code != 503

    wait_until(is_answered, "the service has an answer", 300)
    return answers[-1]


def start_and_cancel(facility: Facility, run_id: str, pause: float) -> tuple[Result, Result]:
    """Start a run, and cancel it `pause` seconds after the start was sent."""
    answers: list[Result] = []
    url = f"{RUNS}/{run_id}"
    starting = in_thread(facility, lambda: answers.append(asked(lambda: facility.admin.post(f"{url}/start"))))
    time.sleep(pause)  # the random moment; nothing is waited for
    cancelled = asked(lambda: facility.admin.delete(url))
    starting.join()
    (started,) = answers
    return started, cancelled


def tokens_below(directory: Path) -> list[str]:
    """List the launch tokens of all run folders."""
    folders = directory.iterdir() if directory.is_dir() else []
    orders = [read_launch_order(RunFolder(folder)) for folder in folders]
    return [order.token for order in orders if order is not None]


def test_runs_created_and_cancelled_at_random_moments_leave_no_process_and_no_job(
    facility: Facility, place: Place, order: OrderInHand
) -> None:
    dice = random.Random(f"cancelled runs, {place.backend}")  # noqa: S311  # the same moments every time
    run_ids = [new_run(facility, order, SLEEPER, config={"seconds": 600}) for _ in range(RUNS_OF_ALL)]
    waiting = [
        (run_id, dice.choice([0.0, dice.uniform(0, 0.5), dice.uniform(0, LONGEST_SECONDS)]))
        for run_id in run_ids
    ]
    wrong: list[str] = []
    was_launched: list[str] = []

    def work() -> None:
        while waiting:
            try:
                run_id, pause = waiting.pop()
            except IndexError:
                return
            started, cancelled = start_and_cancel(facility, run_id, pause)
            # 400: the cancellation before, whose answer was lost to an overload, had been carried out.
            if started.status_code not in {200, 400, 409} or cancelled.status_code not in {200, 400}:
                wrong.append(f"{run_id}: {started.text} {cancelled.text}")
            if started.status_code == 200:
                was_launched.append(run_id)

    workers = [in_thread(facility, work) for _ in range(AT_ONCE)]
    for worker in workers:
        worker.join()

    assert wrong == []
    assert {status_of(facility, run_id) for run_id in run_ids} == {"cancelled"}
    assert place.jobs() == ""
    tokens = tokens_below(facility.data / "pipeline_runs")
    wait_until(lambda: not any(members_with_token(token) for token in tokens), "no process is left")
    record(
        f"A cancelled run leaves nothing behind ({place.backend}).",
        tried=f"{RUNS_OF_ALL:,} runs created, started and cancelled at random moments, {AT_ONCE} at a time; "
        f"{len(was_launched):,} were launched before the cancellation came",
        found="every run cancelled, 0 processes and 0 jobs left",
    )
