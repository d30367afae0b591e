"""What the tasks of a run make of its steps and its progress."""

from collections.abc import Mapping

import pytest
from seqfacility_instance.core.vocabulary.pipelines import RunStatus, StepStatus
from seqfacility_instance.runs.rules.progress import ProcessCount, WorkflowSteps, step_at_the_end
from seqfacility_pipeline_package.definition import MatcherKind, ProcessMatcher, Step

PENDING, RUNNING, COMPLETED, FAILED = (
    StepStatus.PENDING,
    StepStatus.RUNNING,
    StepStatus.COMPLETED,
    StepStatus.FAILED,
)


def step(name: str, *depends_on: str) -> Step:
    return Step(name, name, "", depends_on, (ProcessMatcher(MatcherKind.EXACT, name),))


STEPS = WorkflowSteps((step("trim"), step("align", "trim"), step("report", "align")))


def tasks(done: int = 0, going: int = 0, failed: int = 0, retried: int = 0) -> ProcessCount:
    """Count tasks; those that were retried have ended well."""
    count = ProcessCount()
    for status, number in (("COMPLETED", done), ("RUNNING", going), ("FAILED", failed + retried)):
        for _ in range(number):
            count.take(None, status, 1)
    for _ in range(retried):
        count.take(None, "COMPLETED", 2)
    return count


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({}, {}),
        ({"trim": tasks(going=1)}, {"trim": RUNNING}),
        # Nobody can say yet that no sample more will come.
        ({"trim": tasks(done=2)}, {"trim": RUNNING}),
        ({"trim": tasks(done=2), "align": tasks(going=1)}, {"trim": COMPLETED, "align": RUNNING}),
        # One sample is through, the others are on their way.
        ({"trim": tasks(done=1, going=19), "align": tasks(done=1)}, {"trim": RUNNING, "align": RUNNING}),
        (
            {"trim": tasks(done=1, going=1), "align": tasks(done=1), "report": tasks(done=1)},
            {"trim": RUNNING, "align": RUNNING, "report": RUNNING},
        ),
        ({"trim": tasks(done=1, failed=1, going=1)}, {"trim": RUNNING}),
        ({"trim": tasks(done=1, failed=1)}, {"trim": FAILED}),
        ({"trim": tasks(done=1, retried=1), "align": tasks(going=1)}, {"trim": COMPLETED, "align": RUNNING}),
        # A step that was left out stops nothing.
        ({"trim": tasks(done=1), "report": tasks(going=1)}, {"trim": COMPLETED, "report": RUNNING}),
    ],
)
def test_a_step_is_what_its_tasks_are(
    counts: Mapping[str, ProcessCount], expected: Mapping[str, StepStatus]
) -> None:
    assert STEPS.statuses(counts) == expected


@pytest.mark.parametrize(
    ("counts", "progress"),
    [
        ({}, 0),
        ({"trim": tasks(done=1, going=1)}, 16),
        ({"trim": tasks(done=20)}, 33),
        # The first of 20 samples is through all steps: no step is further than the one before it.
        ({"trim": tasks(done=1, going=19), "align": tasks(done=1), "report": tasks(done=1)}, 5),
        ({"trim": tasks(done=1), "align": tasks(done=1), "report": tasks(done=1)}, 99),
        ({"trim": tasks(retried=1), "align": tasks(done=1), "report": tasks(done=1)}, 99),
        # Processes of no step count only where there are no others.
        ({"trim": tasks(done=1), "versions": tasks(going=9)}, 33),
        ({"versions": tasks(done=3, going=1)}, 75),
    ],
)
def test_progress_is_the_mean_share_of_ended_tasks_over_all_steps(
    counts: Mapping[str, ProcessCount], progress: int
) -> None:
    assert STEPS.progress(counts) == progress


def test_the_tasks_of_all_processes_of_a_step_are_counted_together() -> None:
    any_qc = Step("qc", "qc", "", (), (ProcessMatcher(MatcherKind.CONTAINS, "QC"),))
    steps = WorkflowSteps((any_qc,))

    counts = steps.count_by_step({"A:FASTQC": tasks(done=1), "B:QC2": tasks(going=2), "OTHER": tasks(done=5)})

    assert {name: (count.tasks, count.open_tasks) for name, count in counts.items()} == {"qc": (3, 2)}


def test_nothing_pends_or_runs_in_a_final_run() -> None:
    def at_the_end(before: StepStatus, ended: RunStatus, *, has_open_tasks: bool = True) -> StepStatus:
        return step_at_the_end(before, ended, has_open_tasks=has_open_tasks)

    assert at_the_end(PENDING, RunStatus.COMPLETED) is StepStatus.SKIPPED
    assert at_the_end(RUNNING, RunStatus.COMPLETED) is COMPLETED
    assert at_the_end(RUNNING, RunStatus.FAILED) is FAILED
    assert at_the_end(RUNNING, RunStatus.FAILED, has_open_tasks=False) is COMPLETED
    assert at_the_end(RUNNING, RunStatus.CANCELLED, has_open_tasks=False) is COMPLETED
    assert at_the_end(FAILED, RunStatus.COMPLETED) is FAILED
