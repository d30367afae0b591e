"""What is said to Slurm and how its answers are read."""

from pathlib import Path

import pytest
from seqfacility_workflow_runtime.executors import rules
from seqfacility_workflow_runtime.executors import slurm_commands as words
from seqfacility_workflow_runtime.executors.contract import Job, Resources
from seqfacility_workflow_runtime.executors.scheduler import job_script
from seqfacility_workflow_runtime.executors.slurm import SlurmExecutor
from seqfacility_workflow_runtime.run_folder import RunFolder

FOLDER = RunFolder(Path("/data/runs/MAG $(id) 'x'"))


def _sbatch(resources: Resources) -> list[str]:
    job = Job("Run-1,x", FOLDER, "0123456789abcdef", ("true",), resources=resources)
    return words.sbatch_command(job, "/data/.job.sh", "/usr/bin/python3")


def test_a_job_asks_for_what_the_run_may_use() -> None:
    command = _sbatch(Resources(4, 16, 12, "long", ("--account=omics",)))

    assert {"--cpus-per-task=4", "--mem=16G", "--time=12:00:00", "--partition=long"} <= set(command)
    assert {"--parsable", "--export=NONE", "--no-requeue"} <= set(command)
    assert command[-3:] == ["/data/.job.sh", "/usr/bin/python3", str(FOLDER.path)]


def test_what_is_not_asked_for_is_left_to_the_cluster() -> None:
    command = " ".join(_sbatch(Resources()))

    assert not any(word in command for word in ("--mem", "--time", "--partition"))


def test_options_of_the_site_cannot_change_name_and_environment() -> None:
    command = _sbatch(Resources(options=("--job-name=other", "--export=ALL")))

    assert command.index("--job-name=other") < command.index(
        "--job-name=" + rules.job_name("Run-1,x", "0123456789abcdef")
    )
    assert command.index("--export=ALL") < command.index("--export=NONE")


def test_the_script_holds_no_value_of_a_run_and_only_line_feeds() -> None:
    script = job_script(SlurmExecutor.traps)

    assert script.startswith("#!/bin/sh\n")
    assert "\ntrap : TERM INT\n" in script
    assert "\r" not in script
    assert str(FOLDER.path) not in script


def test_a_name_is_safe_in_a_list_of_names() -> None:
    assert rules.job_name("a,b|c d%j", "0123456789abcdef") == "seqfacility-abcdj-0123456789ab"


@pytest.mark.parametrize(
    ("answer", "submission"),
    [
        ("4711\n", ("4711", "")),
        ("4711;north\n", ("4711", "north")),
        ("sbatch: note\n4711\n", ("4711", "")),
        ("", ("", "")),
        ("error\n", ("", "")),
        ("4711_5\n", ("", "")),
        ("Submitted batch job 4711\n", ("", "")),
    ],
)
def test_number_and_cluster_of_a_new_job(answer: str, submission: tuple[str, str]) -> None:
    assert words.read_submission(answer) == submission


def test_the_queue_is_read_line_by_line() -> None:
    answer = "4711   |RUNNING  |0   |sf-a   |sf-a\n4712|PENDING|0|a|b|c\ngarbage\n\n4713_1|RUNNING|0|x|y\n"

    assert words.read_jobs(answer) == [
        rules.ReportedJob("4711", "RUNNING", None, "sf-a", "sf-a"),
        rules.ReportedJob("4712", "PENDING", None, "a", "b|c"),
    ]


@pytest.mark.parametrize(
    ("state", "code", "word", "exit_code"),
    [
        ("COMPLETED", "0:0", "COMPLETED", 0),
        ("FAILED", "5:0", "FAILED", 5),
        ("FAILED", "0:9", "FAILED", 137),
        ("CANCELLED by 1000", "0:15", "CANCELLED", 143),
        ("CANCELLED by 1000", "0:0", "CANCELLED", None),
        ("TIMEOUT", "0:0", "TIMEOUT", None),
        ("OUT_OF_MEMORY", "0:125", "OUT_OF_MEMORY", None),
        ("NODE_FAIL", "1:0", "NODE_FAIL", 1),
        ("COMPLETED", "strange", "COMPLETED", None),
        ("COMPLETED", "0", "COMPLETED", 0),
        ("FAILED", "1280", "FAILED", 5),
        ("FAILED", "9", "FAILED", 137),
        ("FAILED", "53", "FAILED", None),
        ("TIMEOUT", "0", "TIMEOUT", None),
    ],
)
def test_squeue_and_sacct_name_the_end_of_a_job(
    state: str, code: str, word: str, exit_code: int | None
) -> None:
    finished = words.read_jobs(f"4711|{state}|{code}|sf-a|\n")

    assert finished == [rules.ReportedJob("4711", word, exit_code, "sf-a", "")]


def _job(number: str, word: str, name: str = "sf-a", comment: str = "sf-a") -> rules.ReportedJob:
    return rules.ReportedJob(number, word, None, name, comment)


def test_a_job_is_known_by_its_name_or_its_comment_and_not_by_its_number_alone() -> None:
    renamed = _job("1", "RUNNING", name="x")
    remarked = _job("2", "RUNNING", comment="x")
    strange = _job("3", "RUNNING", name="x", comment="")

    assert rules.jobs_by_name([renamed, remarked, strange])["sf-a"] == [renamed, remarked]


@pytest.mark.parametrize(
    ("words_in_the_queue", "decisive"),
    [
        (["COMPLETED", "RUNNING"], "RUNNING"),
        (["FAILED", "COMPLETING"], "COMPLETING"),
        (["COMPLETING", "PENDING"], "PENDING"),
        (["REVOKED", "RUNNING"], "RUNNING"),
        (["REVOKED", "COMPLETED"], "COMPLETED"),
        (["REVOKED"], "REVOKED"),
    ],
)
def test_a_job_that_goes_on_decides_before_one_that_ends(
    words_in_the_queue: list[str], decisive: str
) -> None:
    jobs = [_job("4711", word) for word in words_in_the_queue]

    job = rules.decisive_job(jobs, "4711")

    assert job is not None
    assert job.word == decisive


def test_of_two_ends_that_of_the_recorded_number_decides() -> None:
    jobs = [_job("4712", "FAILED"), _job("4711", "COMPLETED")]

    assert rules.decisive_job(jobs, "4711") == jobs[1]
    assert rules.decisive_job([], "4711") is None


@pytest.mark.parametrize(
    ("option", "name"),
    [
        *((f"--{name}=x", name) for name in ("clusters", "uid", "gid", "array", "wrap")),
        *((f"--{name}", name) for name in ("wait", "test-only", "help")),
        ("--clust=x", "cluster"),
        ("--cluster-con=x", "cluster-constraint"),
        ("--ui=0", "uid"),
        ("--arr=1-2", "array"),
    ],
)
def test_an_option_with_which_a_job_is_out_of_sight_cannot_be_used(option: str, name: str) -> None:
    reason = f"must not be --{name}, because the job could then not be found, awaited or ended"

    assert words.unusable_option(option) == reason
    assert words.refused_option(option) == reason


@pytest.mark.parametrize("name", ["job-name", "comment", "chdir", "output", "error", "export", "nodes"])
def test_an_option_that_is_set_for_each_job_is_refused_and_does_no_harm(name: str) -> None:
    option = f"--{name}=x"

    assert words.refused_option(option) == f"must not be --{name}, which SeqFacility sets for each job"
    assert words.unusable_option(option) is None


@pytest.mark.parametrize(
    "option",
    [
        "--account=omics", "--qos=long", "--constraint=avx", "--gres=gpu:1", "--hold", "--wait-all-nodes=1",
        "--mem-per-cpu=1G", "--begin=now+1hour", "--nodelist=n1", "--exclusive", "--reservation=x",
        "--mail-user=x", "--error-of-a-plug-in", "--container=x", "--cpu-freq=low", "--time-min=1",
    ],
)  # fmt: skip
def test_an_option_that_chooses_resources_may_be_used(option: str) -> None:
    assert words.refused_option(option) is None


@pytest.mark.parametrize("option", ["--", "--=x"])
def test_the_end_of_the_options_is_no_option(option: str) -> None:
    assert words.unusable_option(option) is not None


def test_a_refusal_is_told_without_the_names_of_folders() -> None:
    answer = "sbatch: warning\nsbatch: error: Unable to open file '/data/secret/x.sh'\n"

    assert rules.refusal(answer) == "Unable to open file '...'"
    assert rules.refusal("") == "no reason given"


BASE_STATES = {
    "PENDING": False, "RUNNING": False, "SUSPENDED": False, "COMPLETED": True, "CANCELLED": True,
    "FAILED": True, "TIMEOUT": True, "NODE_FAIL": True, "PREEMPTED": True, "BOOT_FAIL": True,
    "DEADLINE": True, "OUT_OF_MEMORY": True,
}  # fmt: skip
FLAGS_OF_A_JOB_THAT_GOES_ON = [
    "COMPLETING", "CONFIGURING", "EXPEDITING", "LAUNCH_FAILED", "POWER_UP_NODE", "RECONFIG_FAIL", "REQUEUED",
    "REQUEUE_FED", "REQUEUE_HOLD", "RESIZING", "RESV_DEL_HOLD", "REVOKED", "SIGNALING", "SPECIAL_EXIT",
    "STAGE_OUT", "STOPPED", "UPDATE_DB",
]  # fmt: skip


@pytest.mark.parametrize(
    ("state", "is_final"), [*BASE_STATES.items(), *((flag, False) for flag in FLAGS_OF_A_JOB_THAT_GOES_ON)]
)
def test_every_state_of_slurm_is_an_end_or_none(state: str, is_final: bool) -> None:
    assert (state in rules.FINAL_STATES) is is_final


@pytest.mark.parametrize("state", [state for state, is_final in BASE_STATES.items() if is_final])
def test_only_a_completed_job_may_have_ended_with_0(state: str) -> None:
    (ended,) = words.read_jobs(f"4711|{state}|0:0|sf-a|\n")

    assert ended.exit_code == (0 if state == "COMPLETED" else None)
