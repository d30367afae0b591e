"""The Snakemake engine: all of a run's jobs inside the one job of the executor.

Under Slurm too, Snakemake and all its jobs run inside the single batch job that the
executor submitted, with the cores and memory of that job. One job to watch and one to
cancel, no second scheduler protocol, and nothing is left in the queue when the head of
the run dies. A workflow larger than one node is the price.
"""

import sys
import uuid
from dataclasses import dataclass
from pathlib import Path

from seqfacility_workflow_runtime.discovery import find_version
from seqfacility_workflow_runtime.engines.contract import (
    EngineCommand,
    LocalWorkflow,
    StagedRun,
    UnsupportedWorkflow,
)
from seqfacility_workflow_runtime.engines.parameters import write_parameters
from seqfacility_workflow_runtime.run_folder import SECRET_MODE, RunFolder, write_json
from seqfacility_workflow_runtime.trace import TraceReading, read_trace

REPORTER = "snakemake_logger_plugin_seqfacility"
EVENTS_FILE_VARIABLE = "SEQFACILITY_EVENTS_FILE"


@dataclass(frozen=True, slots=True)
class SnakemakeEngine:
    """Runs workflows that came with their package; `program` is Snakemake's name or absolute path.

    The program has to be that of an environment in which this distribution is
    installed too, because Snakemake loads the reporting plug-in from there.

    Decision: G128.
    """

    program: str = "snakemake"

    def begun_anew(self, _folder: RunFolder) -> tuple[Path, ...]:
        """Name nothing: the reporting plug-in appends to the trace; see `WorkflowEngine.begun_anew`."""
        return ()

    def version(self) -> str | None:
        """See `WorkflowEngine.version`."""
        return find_version([self.program, "--version"])

    def stage(self, run: StagedRun) -> None:
        """Write parameters and the events file; see `WorkflowEngine.stage`. Decision: G154, G170."""
        _main_file(run)
        write_parameters(run)
        weblog = run.weblog
        document = {
            "runName": run.run_number,
            "sessionId": str(uuid.uuid5(uuid.NAMESPACE_URL, run.run_number)),
            "trace": str(run.folder.trace),
            "url": "" if weblog is None else weblog.url,
            "token": "" if weblog is None else weblog.token,
        }
        write_json(run.folder.events_target, document, SECRET_MODE)

    def command(self, run: StagedRun) -> EngineCommand:
        """Name Snakemake's command line, with the program that reports around it in front.

        The greedy scheduler needs no solver; `--nolock` is safe because the work
        folder belongs to this run alone. So there is no stale lock either, when a
        resumed run comes after a Snakemake that was killed. It repeats what was
        left half done, and nothing because of other marks than times of files:
        package and configuration are those of the launch before.

        Decision: G132, G712.
        """
        words = [
            *(sys.executable, "-P", "-m", REPORTER, self.program),
            *("--snakefile", _main_file(run)),
            *("--directory", str(run.folder.work)),
            *("--configfile", str(run.folder.params)),
            *("--cores", str(run.cores)),
            *("--scheduler", "greedy"),
            *("--logger", "seqfacility"),
            *("--workflow-profile", "none"),
            *("--nolock", "--nocolor", "--printshellcmds", "--show-failed-logs"),
        ]
        if run.memory_gb is not None:
            words += ["--resources", f"mem_mb={run.memory_gb * 1024}"]
        if run.launch:
            words += ["--rerun-incomplete", "--rerun-triggers", "mtime"]
        environment = {
            EVENTS_FILE_VARIABLE: str(run.folder.events_target),
            "XDG_CACHE_HOME": str(run.folder.work / ".cache"),
        }
        return EngineCommand(tuple(words), environment)

    def progress(self, folder: RunFolder, offset: int) -> TraceReading:
        """Read the trace that the plug-in writes; see `WorkflowEngine.progress`. Decision: G184."""
        return read_trace(folder.trace, offset)


def _main_file(run: StagedRun) -> str:
    if not isinstance(run.workflow, LocalWorkflow):
        raise UnsupportedWorkflow("Snakemake runs only workflows that came with their package")
    return str(run.workflow.path)
