"""The Grid Engine executor: what is said to qsub, qstat, qdel and qacct, and how their answers are read."""

import os
import pwd
import re
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import ClassVar
from xml.etree import ElementTree as ET

from seqfacility_workflow_runtime.executors import rules
from seqfacility_workflow_runtime.executors.contract import Job
from seqfacility_workflow_runtime.executors.rules import ReportedJob
from seqfacility_workflow_runtime.executors.scheduler import QUERY_SECONDS, SchedulerExecutor, ask

DEFAULT_ENVIRONMENT = "smp"
"""The parallel environment that gives all slots on one host, as Grid Engine ships it."""

_OWN_OPTIONS = frozenset({
    "A", "N", "S", "V", "b", "cwd", "e", "j", "notify", "o", "r", "terse", "wd",
})  # fmt: skip
_LOSING_OPTIONS = frozenset({"@", "clear", "help", "inherit", "now", "sync", "t", "verify"})
_VALUE_COUNTS = {"-binding": 2, "-h": 0, "-hard": 0, "-soft": 0}
"""How many values an option takes at most, where that is not one."""
_FURTHER_OPTION = re.compile(r"-[^0-9]")

_STATES = (
    ("d", "COMPLETING"),
    ("E", "ERROR"),
    ("z", "COMPLETED"),
    ("s", "SUSPENDED"),
    ("S", "SUSPENDED"),
    ("T", "SUSPENDED"),
    ("t", "TRANSFERRING"),
    ("r", "RUNNING"),
    ("h", "HELD"),
    ("w", "PENDING"),
)
"""What a letter in the state of a job means; the first that is found counts, as in `dr`."""

_LIMIT_REACHED = 37
_TIME_LIMIT = re.compile(r"\bh_rt=(\d+)")
_FIRST_ODD_STATUS = 256


class GridEngineExecutor(SchedulerExecutor):
    """Runs jobs on a Grid Engine cluster, 8.1 and later, where `SGE_ROOT` names one.

    Other batch systems have a qsub as well, so its commands alone say nothing.

    Decision: G515, G516.
    """

    name: ClassVar[str] = "gridengine"
    label: ClassVar[str] = "Grid Engine"
    lost_states: ClassVar[frozenset[str]] = frozenset({"CANCELLED", "NODE_FAIL", "OUT_OF_MEMORY", "TIMEOUT"})
    programs: ClassVar[tuple[str, ...]] = ("qsub", "qstat", "qdel")
    probe: ClassVar[tuple[str, ...]] = ("qstat",)
    queue_source: ClassVar[str] = "qstat"
    accounting_source: ClassVar[str] = "qacct"
    # WHY: the controller writes its accounting every 15 seconds (flush_time), and forgets the job at once.
    accounting_delay: ClassVar[timedelta] = timedelta(seconds=30)
    option_mark: ClassVar[str] = "-"
    # WHY: `-notify` sends the whole process group SIGUSR1 before it is suspended, which is no end. What the
    # shell ignores, the supervisor and its pipeline ignore too.
    traps: ClassVar[str] = "trap : TERM INT USR2\ntrap '' USR1"
    queue_has_comments: ClassVar[bool] = False

    def check(self) -> str | None:
        """Return what is missing: the name of a cluster or commands of the client; None when all is found."""
        return (
            super().check()
            if os.environ.get("SGE_ROOT")
            else "SGE_ROOT is not set. Set it for every process."
        )

    def submit_command(self, job: Job, script: str, python: str) -> list[str]:
        """Ask for slots on one host with nothing of our environment, and for a notice before the end.

        The site's own options come first, so that none of them can change the name; `-pe NAME` among them
        names another parallel environment. WHY `-wd /`: in the name of a folder `$` would begin a variable.

        Decision: G46, G145, G516.
        """
        resources, name, environment = (
            job.resources,
            rules.job_name(job.run_id, job.token),
            DEFAULT_ENVIRONMENT,
        )
        command = ["qsub"]
        for option in resources.options:
            flag, *values = option.split()
            if flag == "-pe":
                environment = values[0]
            else:
                command += [flag, *values]
        command += ["-terse", "-N", name, "-A", name, "-b", "n", "-S", "/bin/sh", "-r", "n", "-notify"]
        command += ["-wd", "/", "-o", "/dev/null", "-e", "/dev/null", "-j", "n"]
        if resources.cores > 1:
            command += ["-pe", environment, str(resources.cores)]
        if resources.memory_gb is not None:
            command += ["-l", f"mem_free={resources.memory_gb}G"]
        if resources.time_hours is not None:
            command += ["-l", f"h_rt={resources.time_hours}:00:00"]
        if resources.queue:
            command += ["-q", resources.queue]
        return [*command, script, python, str(job.folder.path)]

    def read_submission(self, answer: str) -> tuple[str, str]:
        """Read the number out of what `qsub -terse` prints; there is one cluster only."""
        number = answer.strip().rpartition("\n")[2].strip()
        return (number, "") if number.isascii() and number.isdigit() else ("", "")

    def cancel_command(self, number: str, _cluster: str = "") -> list[str]:
        """Cancel one job."""
        return ["qdel", number]

    def refusal(self, complaint: str) -> str:
        """Take the reason out of the lines around it."""
        lines = [line.removeprefix("Unable to run job: ") for line in complaint.splitlines()]
        return rules.refusal("\n".join(line for line in lines if line.strip() != "Exiting."))

    def queue(self) -> list[ReportedJob] | None:
        """Ask qstat once for all jobs of this user."""
        try:
            user = pwd.getpwuid(os.getuid()).pw_name
        except KeyError:
            return None
        answer = ask(["qstat", "-u", user, "-xml"], QUERY_SECONDS)
        return read_queue(answer.output) if answer.is_good else None

    def accounted(self, numbers: Sequence[str]) -> Iterator[ReportedJob]:
        """Ask for one job after the other, until there is no answer at all, or time for no further question.

        WHY one by one: each question reads the whole accounting, and one for all would print all of it.
        """
        deadline = time.monotonic() + QUERY_SECONDS
        for position, number in enumerate(numbers):
            if time.monotonic() >= deadline:
                yield from (ReportedJob(late, rules.NOT_ASKED, None, "") for late in numbers[position:])
                return
            answer = ask(["qacct", "-j", number], QUERY_SECONDS)
            if not answer.is_good and "not found" not in answer.complaint:
                return
            yield from read_accounting(answer.output)

    def unusable_option(self, option: str) -> str | None:
        """Refuse what would hide a job, and what is not one option with its value."""
        flag, *values = option.split() or [""]
        if flag == "-pe" and len(values) != 1:
            return "must be -pe and the name of a parallel environment, the slots are added to it"
        if not flag[1:] or flag.lstrip("-") in _LOSING_OPTIONS:
            return f"must not be {flag}, because the job could then not be found, awaited or ended"
        if flag == "-w" and values[:1] in (["v"], ["p"]):
            return f"must not be -w {values[0]}, which submits nothing"
        is_one = len(values) <= _VALUE_COUNTS.get(flag, 1) and not any(map(_FURTHER_OPTION.match, values))
        if not is_one or not flag.startswith("-") or "\t" in option:
            return "must be one option with its value, separated by a space"
        return None

    def refused_option(self, option: str) -> str | None:
        """Refuse beside that what is set for each job."""
        flag = next(iter(option.split()), "")
        if flag.lstrip("-") in _OWN_OPTIONS:
            return f"must not be {flag}, which SeqFacility sets for each job"
        return self.unusable_option(option)

    def refused_queue(self, name: str) -> str | None:
        """Refuse what qsub would take for its next option."""
        return "must not begin with -" if name.startswith("-") else None


def read_queue(document: str) -> list[ReportedJob] | None:
    """Read what `qstat -xml` prints; None when it breaks off or is something else."""
    try:
        root = ET.fromstring(document)  # noqa: S314 - the scheduler's own answer
    except ET.ParseError:
        return None
    jobs = [
        ReportedJob(
            job.findtext("JB_job_number", ""),
            _word(job.findtext("state", "")),
            None,
            job.findtext("JB_name", ""),
        )
        for job in root.iter("job_list")
    ]
    return jobs if root.tag == "job_info" and all(job.number and job.name for job in jobs) else None


def read_accounting(text: str) -> list[ReportedJob]:
    """Read the records that `qacct -j` prints, one line for each value.

    The account repeats the name of the job: whichever of them was changed, the other still tells.
    """
    found = []
    for record in re.split(r"^=+$", text, flags=re.MULTILINE):
        values = {
            key: value.strip() for key, _, value in (line.partition(" ") for line in record.splitlines())
        }
        number, failed = values.get("jobnumber", ""), _leading_number(values.get("failed", ""))
        status = _leading_number(values.get("exit_status", ""))
        if number.isdigit() and failed is not None and status is not None:
            word = _end(failed, status, values)
            code = status if 0 < status < _FIRST_ODD_STATUS or word == "COMPLETED" else None
            found.append(
                ReportedJob(number, word, code, values.get("jobname", ""), values.get("account", ""))
            )
    return found


def _word(state: str) -> str:
    return next((word for letter, word in _STATES if letter in state), state or "UNKNOWN")


def _leading_number(text: str) -> int | None:
    match = re.match(r"\d+", text, re.ASCII)
    return None if match is None else int(match[0])


def _end(failed: int, status: int, values: dict[str, str]) -> str:
    """Return the word for an end: what failed before the job began or around it counts as the node's fault.

    100 is a job that a signal ended; who sent it nobody says, so its exit code tells.
    """
    if failed == _LIMIT_REACHED:
        limit = _TIME_LIMIT.search(values.get("category", ""))
        lasted = _leading_number(values.get("ru_wallclock", ""))
        is_late = limit is not None and lasted is not None and lasted >= int(limit[1])
        return "TIMEOUT" if is_late else "OUT_OF_MEMORY"
    if failed in {0, 100}:
        return "COMPLETED" if failed == status == 0 else "FAILED"
    return "NODE_FAIL"
