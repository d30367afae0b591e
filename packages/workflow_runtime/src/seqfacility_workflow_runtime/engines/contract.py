"""What every workflow engine promises: stage its files, name its command, tell its progress."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from seqfacility_workflow_runtime.run_folder import JsonValue, RunFolder
from seqfacility_workflow_runtime.trace import TraceReading


@dataclass(frozen=True, slots=True)
class LocalWorkflow:
    """A workflow that came with its package: the absolute path of its main file."""

    path: Path


@dataclass(frozen=True, slots=True)
class RemoteWorkflow:
    """A workflow that the engine fetches itself, at one fixed revision."""

    repository: str
    revision: str


@dataclass(frozen=True, slots=True)
class WeblogTarget:
    """Where the engine reports its events: the full address with `runId`, and the token of this run only."""

    url: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class StagedRun:
    """A run whose folder is made and whose sample sheet is written.

    `run_number` is the canonical number. `params` are the package's default
    parameters with the configuration merged over them; the engine adds `input`
    (absolute path of the sample sheet, when there is one) and `outdir` (absolute
    path of `output/`) and hands all of it over as a JSON file, so that no value
    is ever read by a shell. `cores` and `memory_gb` are what the run may use.
    `profile` is the site's Nextflow profile, "" for none; Snakemake has no use for it.
    `launch` counts how often the run was resumed: beyond 0 the engine goes on in the
    work folder of the launch before and repeats no task that has ended well.

    Decision: G132, G154, G712.
    """

    folder: RunFolder
    run_number: str
    workflow: LocalWorkflow | RemoteWorkflow
    params: Mapping[str, JsonValue]
    samplesheet: Path | None = None
    cores: int = 1
    memory_gb: int | None = None
    profile: str = ""
    weblog: WeblogTarget | None = None
    launch: int = 0


@dataclass(frozen=True, slots=True)
class EngineCommand:
    """Words to execute and environment variables to add; neither holds a secret."""

    argv: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)


class UnsupportedWorkflow(Exception):
    """This engine cannot run a workflow of that kind."""


class WorkflowEngine(Protocol):
    """Knows one workflow engine's command line and files.

    Every method is repeatable. An engine starts nothing: the command goes to an
    executor.
    """

    def begun_anew(self, folder: RunFolder) -> tuple[Path, ...]:
        """Name the files that each launch of a run begins anew, the trace for example.

        They are kept under another name when a run is resumed. What is appended to is not among them.

        Decision: G712.
        """
        ...

    def version(self) -> str | None:
        """Return which version would run, or None when it is not found or does not answer in time."""
        ...

    def stage(self, run: StagedRun) -> None:
        """Write the engine's own files into the run folder; a repeat writes the same again.

        Raises `UnsupportedWorkflow` before anything is written.
        """
        ...

    def command(self, run: StagedRun) -> EngineCommand:
        """Name the command of a staged run; pure. Raises `UnsupportedWorkflow`."""
        ...

    def progress(self, folder: RunFolder, offset: int) -> TraceReading:
        """Read the tasks that the trace has gained since byte `offset`; see `trace.read_trace`.

        Decision: G184.
        """
        ...
