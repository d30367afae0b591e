"""The Nextflow engine: its command line and the configuration that it is given for one run.

Like Snakemake's, a Nextflow run keeps all its tasks inside the one job of the executor;
see `engines.snakemake` for the reason.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from seqfacility_workflow_runtime.discovery import find_version
from seqfacility_workflow_runtime.engines.contract import (
    EngineCommand,
    LocalWorkflow,
    RemoteWorkflow,
    StagedRun,
    UnsupportedWorkflow,
)
from seqfacility_workflow_runtime.engines.parameters import write_parameters
from seqfacility_workflow_runtime.run_folder import SECRET_MODE, RunFolder, write_durably
from seqfacility_workflow_runtime.trace import COLUMNS, TraceReading, read_trace

CONFIG_NAME = ".nextflow.config"
WEBLOG_PLUGIN = "nf-weblog"
WEBLOG_USER = "run"
_PLUGIN_FOLDER = re.compile(rf"{WEBLOG_PLUGIN}-(\d{{1,9}}(?:\.\d{{1,9}})*)", re.ASCII)
_REPOSITORY = re.compile(r"(?:https://)?[A-Za-z0-9][A-Za-z0-9._/:~-]*", re.ASCII)
_REVISION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/+-]*", re.ASCII)
_PROFILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._,-]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class NextflowEngine:
    """Runs workflows of a package, or of a repository at a fixed revision.

    `program` is Nextflow's name or absolute path; `own` is the environment of the
    service, whose choices for Nextflow (`NXF_HOME` and others) are kept.

    Decision: G128.
    """

    program: str = "nextflow"
    own: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    def begun_anew(self, folder: RunFolder) -> tuple[Path, ...]:
        """Name trace and reports, which the configuration lets it overwrite."""
        return folder.trace, folder.report, folder.timeline

    def version(self) -> str | None:
        """See `WorkflowEngine.version`. A launcher that cannot fetch its own engine counts as not found."""
        return find_version([self.program, "-version"])

    def stage(self, run: StagedRun) -> None:
        """Write parameters and configuration; see `WorkflowEngine.stage`. Decision: G154, G170, G184."""
        _workflow_arguments(run)
        write_parameters(run)
        write_durably(config_path(run.folder), run_config(run).encode(), SECRET_MODE)
        self._share_framework(home_path(run.folder))

    def command(self, run: StagedRun) -> EngineCommand:
        """Name Nextflow's command line. Log, cache and work folder are the run's own.

        The run folder is the launch folder, so `.nextflow/` and its lock are the
        run's too. Where the pipelines fetched earlier are kept stays the site's
        choice (`NXF_ASSETS`), so that they are fetched once.

        NEXTFLOW: `-resume` takes the last session of the launch folder, and a name
        is refused that an earlier session has.

        Decision: G132, G712.
        """
        words = [
            *(self.program, "-log", str(run.folder.engine_log)),
            *("-c", str(config_path(run.folder))),
            *("run", *_workflow_arguments(run)),
            *("-name", launch_name(run)),
            *("-params-file", str(run.folder.params)),
            *("-work-dir", str(run.folder.work)),
            *("-ansi-log", "false"),
        ]
        if run.launch:
            words.append("-resume")
        if run.profile:
            words += ["-profile", _checked(_PROFILE, run.profile, "profile")]
        return EngineCommand(tuple(words), self._environment(run))

    def progress(self, folder: RunFolder, offset: int) -> TraceReading:
        """Read the trace that the configuration asks for; see `WorkflowEngine.progress`. Decision: G184."""
        return read_trace(folder.trace, offset)

    def _environment(self, run: StagedRun) -> dict[str, str]:
        """Return the environment of a run: its Nextflow home, and the plug-in that posts events.

        NEXTFLOW: a `plugins` block in our configuration would replace the
        pipeline's own block; plug-ins named in this variable are added to it.
        """
        environment = {
            "NXF_HOME": str(home_path(run.folder)),
            "NXF_ASSETS": self.own.get("NXF_ASSETS") or str(self._shared_home / "assets"),
            "NXF_PLUGINS_DIR": self.own.get("NXF_PLUGINS_DIR") or str(self._shared_home / "plugins"),
        }
        if run.weblog is not None:
            known = [name for name in self.own.get("NXF_PLUGINS_DEFAULT", "").split(",") if "nf-" in name]
            if not any(name.partition("@")[0] == WEBLOG_PLUGIN for name in known):
                known.append(weblog_plugin(Path(environment["NXF_PLUGINS_DIR"])))
            environment["NXF_PLUGINS_DEFAULT"] = ",".join(known)
        return environment

    @property
    def _shared_home(self) -> Path:
        """Where the site's own Nextflow keeps what it fetched."""
        return Path(self.own.get("NXF_HOME") or Path(self.own.get("HOME", "/")) / ".nextflow")

    def _share_framework(self, home: Path) -> None:
        """Let the run's own Nextflow home use the engine that the site has already fetched."""
        framework = self._shared_home / "framework"
        home.mkdir(parents=True, exist_ok=True)
        if framework.is_dir() and not (home / "framework").is_symlink():
            (home / "framework").symlink_to(framework)


def home_path(folder: RunFolder) -> Path:
    """Name the Nextflow home of a run, which keeps its locks and caches apart from those of others."""
    return folder.work / ".nextflow_home"


def weblog_plugin(fetched: Path) -> str:
    """Name the plug-in that posts events, at the newest version in the folder of fetched plug-ins.

    NEXTFLOW: without a network (`NXF_OFFLINE`) it refuses a plug-in without a version. Where none was fetched
    it chooses one itself.

    Decision: G128.
    """
    folders = fetched.glob(f"{WEBLOG_PLUGIN}-*")
    versions = [found[1] for folder in folders if (found := _PLUGIN_FOLDER.fullmatch(folder.name))]
    newest = max(versions, key=lambda text: [int(part) for part in text.split(".")], default=None)
    return WEBLOG_PLUGIN if newest is None else f"{WEBLOG_PLUGIN}@{newest}"


def config_path(folder: RunFolder) -> Path:
    """Name the configuration of a run; hidden, because the weblog's token stands in it. Decision: G154."""
    return folder.path / CONFIG_NAME


def run_config(run: StagedRun) -> str:
    """Write the configuration of one run: local tasks within its share, a raw trace, reports, the weblog.

    A raw trace has epoch milliseconds and bytes, which need no guess about the
    time zone. Pure.

    Decision: G170, G184, G342.
    """
    lines = [
        "process.executor = 'local'",
        f"executor.cpus = {run.cores}",
        *([] if run.memory_gb is None else [f"executor.memory = '{run.memory_gb} GB'"]),
        "trace.enabled = true",
        "trace.overwrite = true",
        "trace.raw = true",
        f"trace.file = {quoted(str(run.folder.trace))}",
        f"trace.fields = {quoted(','.join(COLUMNS))}",
        *_report_lines("report", run.folder.report),
        *_report_lines("timeline", run.folder.timeline),
    ]
    if run.weblog is not None:
        # As a password and not in the address, the token stays out of every log that names the address.
        lines += [
            "weblog.enabled = true",
            f"weblog.url = {quoted(run.weblog.url)}",
            f"weblog.basicToken = {quoted(f'{WEBLOG_USER}:{run.weblog.token}')}",
        ]
    return "\n".join(lines) + "\n"


def _report_lines(scope: str, path: Path) -> list[str]:
    return [f"{scope}.enabled = true", f"{scope}.overwrite = true", f"{scope}.file = {quoted(str(path))}"]


def quoted(text: str) -> str:
    """Write a text as a Groovy string that is never interpolated."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r")
    return f"'{escaped}'"


def run_name(run_number: str) -> str:
    """Make a name that Nextflow accepts: lower-case letters, digits and single hyphens, a letter first."""
    name = re.sub(r"[^a-z0-9]+", "-", run_number.lower()).strip("-")
    return (name if name[:1].isalpha() else f"run-{name}")[:80].rstrip("-")


def launch_name(run: StagedRun) -> str:
    """Name one launch of a run, which has a name of its own each time it is resumed."""
    name = run_name(run.run_number)
    if not run.launch:
        return name
    suffix = f"-{run.launch + 1}"
    return name[: 80 - len(suffix)].rstrip("-") + suffix


def _workflow_arguments(run: StagedRun) -> list[str]:
    """Return what to run; a repository only at its fixed revision."""
    match run.workflow:
        case LocalWorkflow(path):
            return [str(path)]
        case RemoteWorkflow(repository, revision):
            return [
                _checked(_REPOSITORY, repository, "repository"),
                *("-r", _checked(_REVISION, revision, "revision")),
            ]


def _checked(pattern: re.Pattern[str], text: str, what: str) -> str:
    """Refuse words that Nextflow could read as an option or that no repository has."""
    if pattern.fullmatch(text) is None:
        message = f"Nextflow cannot run this {what}"
        raise UnsupportedWorkflow(message)
    return text
