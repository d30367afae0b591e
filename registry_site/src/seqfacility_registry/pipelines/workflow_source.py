"""Where the main script of a package is: in the package, or in the repository that the engine fetches."""

from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import quote

from seqfacility_pipeline_package.package import Package

_RAW_GITHUB = "https://raw.githubusercontent.com/"
_GITHUB = "https://github.com/"
_NEXTFLOW_SCRIPT = "main.nf"
"""What Nextflow runs of a repository that names nothing else."""


@dataclass(frozen=True, slots=True)
class WorkflowSource:
    """The main script; `path` is in the package, or in a repository and then `url` gives its content.

    The address is at the commit, or at the revision of a package that names no commit. A repository elsewhere
    than on GitHub has no `url`: hosts do not agree on where they give a file.

    Decision: G936.
    """

    path: str
    url: str | None
    is_packaged: bool

    @property
    def folder(self) -> str:
        """The folder of the main script in the package, with a slash at its end unless it is the top."""
        parent = str(PurePosixPath(self.path).parent)
        return "" if parent == "." else f"{parent}/"


def workflow_source(package: Package) -> WorkflowSource:
    execution = package.manifest.execution
    if execution.workflow_path is not None:
        return WorkflowSource(execution.workflow_path, None, is_packaged=True)
    repository = (execution.repository or "").removesuffix(".git")
    revision = execution.commit or execution.revision
    url = None
    if repository.startswith(_GITHUB) and revision is not None:
        place = f"{repository.removeprefix(_GITHUB)}/{quote(revision)}"
        url = f"{_RAW_GITHUB}{place}/{_NEXTFLOW_SCRIPT}"
    return WorkflowSource(_NEXTFLOW_SCRIPT, url, is_packaged=False)
