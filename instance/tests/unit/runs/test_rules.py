"""Small rules of runs: hints, paths, result files, requests."""

import pytest
from seqfacility_instance.core.vocabulary.pipelines import EventClass, FailureKind, RunStatus
from seqfacility_instance.runs.rules.failure import (
    Clues,
    completed_failure,
    engine_failure,
    exit_failure,
    failure,
    outputs_failure,
    scheduler_failure,
)
from seqfacility_instance.runs.rules.inputs import platform_family
from seqfacility_instance.runs.rules.progress import contradicts, share
from seqfacility_instance.runs.rules.results import (
    ShownFile,
    omitted_count,
    primary_file,
    researcher_path,
    without_paths,
)
from seqfacility_instance.runs.rules.verdict import Action, Witnesses, verdict
from seqfacility_workflow_runtime.executors.contract import JobPhase, JobState
from seqfacility_workflow_runtime.executors.slurm import SlurmExecutor


@pytest.mark.parametrize("word", sorted(SlurmExecutor.lost_states))
def test_an_end_by_the_scheduler_is_never_a_good_one(word: str) -> None:
    job = JobState(JobPhase.ENDED, word, "sacct", exit_code=0)

    decision = verdict(Witnesses(RunStatus.RUNNING, job, SlurmExecutor.lost_states))

    assert (decision.action, decision.kind) == (Action.FAIL, FailureKind.SCHEDULER)


@pytest.mark.parametrize("status", [RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.CANCELLED])
def test_a_final_run_is_left_alone(status: RunStatus) -> None:
    job = JobState(JobPhase.ENDED, "EXITED", "local", exit_code=1)

    assert (
        verdict(Witnesses(status, job, SlurmExecutor.lost_states, engine_said_end=True)).action
        is Action.LEAVE
    )


def test_a_launch_that_is_being_recorded_is_not_taken_for_no_job() -> None:
    witnesses = Witnesses(RunStatus.PENDING, None, frozenset(), is_launching=True, engine_said_end=True)

    assert verdict(witnesses).action is Action.HOLD


def test_a_known_cause_is_a_hint() -> None:
    assert "disk is full" in str(exit_failure(1, Clues("cp: No space left on device"))["hint"])
    assert "out of memory" in str(exit_failure(1, Clues(exit_codes=(137, 1)))["hint"])
    assert "not installed" in str(engine_failure("bwa: command not found", 127, Clues())["hint"])
    assert "not installed" in str(failure(FailureKind.LAUNCH, "sbatch: command not found")["hint"])


def test_failures_say_where_and_what() -> None:
    in_align = exit_failure(2, Clues(process="ALIGN"))
    assert in_align["message"] == "The workflow ended with exit code 2 in ALIGN"
    assert "slurmTimeHours" in str(scheduler_failure("TIMEOUT", None, Clues())["hint"])
    assert exit_failure(1, Clues("all well"))["hint"] is None


def test_a_disk_that_is_nearly_full_is_the_cause_unless_a_log_knows_better() -> None:
    low, also_killed = Clues(is_disk_low=True), Clues(is_disk_low=True, exit_codes=(135, 1))

    assert exit_failure(120, low)["cause"] == "disk-full"
    assert engine_failure("work failed", 1, also_killed)["cause"] == "disk-full"
    assert outputs_failure(["reads"], low)["cause"] == "disk-full"
    assert exit_failure(1, Clues("x: command not found", is_disk_low=True))["cause"] == "command-missing"
    assert scheduler_failure("TIMEOUT", None, low)["cause"] == "time-limit"
    assert outputs_failure(["reads"], Clues("x: command not found"))["cause"] is None


def test_the_end_of_the_job_completes_what_the_engine_said_and_changes_nothing_of_it() -> None:
    early = engine_failure("align failed", None, Clues())
    knowing = engine_failure("align failed", 3, Clues("x: command not found", process="align"))
    late = Clues("x: Killed", log_file="work/logs/a.log", process="align", exit_codes=(137, 1))

    after = completed_failure(early, 1, late)
    unchanged = completed_failure(knowing, 1, Clues())

    assert {key: after[key] for key in ("kind", "message", "exitCode", "process", "cause", "logFile")} == {
        "kind": "engine",
        "message": "align failed",
        "exitCode": 1,
        "process": "align",
        "cause": "out-of-memory",
        "logFile": "work/logs/a.log",
    }
    assert unchanged == knowing


def test_contradictions_are_words_of_the_workflow_only() -> None:
    assert contradicts(RunStatus.COMPLETED, EventClass.WORKFLOW_FAILURE)
    assert contradicts(RunStatus.FAILED, EventClass.WORKFLOW_END)
    assert not contradicts(RunStatus.COMPLETED, EventClass.PROCESS_FAILURE)
    assert not contradicts(RunStatus.CANCELLED, EventClass.WORKFLOW_FAILURE)


def test_shares_are_whole_percentages() -> None:
    assert [share(0, 0), share(1, 3), share(3, 3), share(5, 3)] == [0, 33, 100, 100]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("cannot open /data/runs/X-1/output/a.fq: gone", "cannot open a.fq: gone"),
        ("see http://example.org/a/b and 3/4", "see http://example.org/a/b and 3/4"),
        ("'/srv/x y/z.txt'", "'x y/z.txt'"),
        (
            "Complete log(s): /srv/home/data/runs/R-1/.snakemake/log/1.log",
            "Complete log(s): .snakemake/log/1.log",
        ),
        ("reads of /srv/home/data/orders/a.fq in /srv/home/data/runs/R-1", "reads of orders/a.fq in R-1"),
        ("mount=node:/opt/ref/k2 file:///opt/ref/taxo.k2d", "mount=node:k2 file://taxo.k2d"),
        ("nothing here", "nothing here"),
    ],
)
def test_absolute_paths_are_cut_to_their_names(text: str, shown: str) -> None:
    assert without_paths(text, "/srv/home/data/runs/R-1") == shown


def test_a_researcher_sees_paths_from_the_run_folder_on() -> None:
    assert researcher_path("orders/x", "/runs/R-1") == "orders/x"
    assert researcher_path("/runs/R-1/output/a.html", "/runs/R-1") == "R-1/output/a.html"
    assert researcher_path("/other/a.html", "/runs/R-1") == "a.html"


def test_the_primary_file_is_the_flagged_one_else_html_before_pdf_before_others() -> None:
    files = [ShownFile("t", "a.tsv", False), ShownFile("p", "a.pdf", False), ShownFile("h", "a.HTML", False)]

    assert primary_file(files) == "h"
    assert primary_file(files[:2]) == "p"
    assert primary_file(files[:1]) == "t"
    assert primary_file([*files, ShownFile("f", "x.bin", True)]) == "f"
    assert primary_file([ShownFile("b", "x.bam", False)]) is None


def test_twelve_files_are_shown_and_the_rest_is_counted() -> None:
    assert [omitted_count(11), omitted_count(12), omitted_count(13)] == [0, 0, 1]


def test_platforms_are_spelt_as_families() -> None:
    assert platform_family("OXFORD_NANOPORE") == "oxford-nanopore"
    assert platform_family("ILLUMINA") == "illumina"
    assert platform_family("PACBIO_SMRT") == "pacbio"
    assert platform_family("DNBSEQ") == platform_family("BGISEQ") == platform_family("mgi") == "mgi"


def test_without_a_run_folder_every_absolute_path_is_cut_to_its_name() -> None:
    assert without_paths("cannot open /data/a.fq", None) == "cannot open a.fq"
