"""Build every distribution as a wheel, install each alone into a clean environment, and try it.

Alone means: with what it asks for, and without the other deployable.
"""

import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = [
    "schemas",
    "packages/wire",
    "packages/transfer_client",
    "packages/pipeline_package",
    "packages/workflow_runtime",
    "registry_site",
    "instance",
]

PAGES = "from seqfacility_instance.web.pages import Pages, installed"


@dataclass(frozen=True)
class Trial:
    """One distribution, what it must be able to import and do, and what must not come with it."""

    distribution: str
    modules: str
    foreign: tuple[str, ...] = ("seqfacility_instance", "seqfacility_registry")
    commands: tuple[tuple[str, ...], ...] = field(default=())


TRIALS = [
    Trial("seqfacility-schemas", "seqfacility_schemas"),
    Trial(
        "seqfacility-client",
        "seqfacility_client.uploading, seqfacility_client.downloading",
        foreign=(
            "seqfacility_instance",
            "falcon",
            "gunicorn",
            "numpy",
            "peewee",
            "prometheus_client",
            "pydantic",
        ),
        commands=(
            ("seqfacility-client", "--version"),
            ("seqfacility-client", "--help"),
        ),
    ),
    Trial("seqfacility-wire", "seqfacility_wire.command_line.program, seqfacility_wire.file_names"),
    Trial("seqfacility-pipeline-package", "seqfacility_pipeline_package"),
    Trial("seqfacility-workflow-runtime", "seqfacility_workflow_runtime"),
    Trial(
        "seqfacility-registry",
        "seqfacility_registry",
        foreign=("seqfacility_instance", "seqfacility_workflow_runtime", "peewee", "snakemake", "yaml"),
        commands=(("seqfacility-registry", "check"),),
    ),
    Trial(
        "seqfacility-instance",
        "seqfacility_instance",
        foreign=("seqfacility_registry", "snakemake", "psycopg"),
        commands=(
            ("python", "-c", f"{PAGES}; assert installed() != Pages.missing()"),
            ("seqfacility", "init", "--admin-email", "admin@facility.test"),
            ("seqfacility", "migrate"),
        ),
    ),
]


def main() -> int:
    """Run every trial; the first failure ends it."""
    with tempfile.TemporaryDirectory(prefix="seqfacility-isolation-") as temporary:
        work = Path(temporary)
        wheels = work / "wheels"
        for folder in FOLDERS:
            _run("uv", "build", "--quiet", "--wheel", "--out-dir", str(wheels), str(ROOT / folder))
        for trial in TRIALS:
            _try(trial, wheels, work / trial.distribution)
    return 0


def _try(trial: Trial, wheels: Path, folder: Path) -> None:
    environment = folder / "venv"
    _run("uv", "venv", "--quiet", "--python", sys.executable, str(environment))
    python = environment / "bin" / "python"
    _run(
        *("uv", "pip", "install", "--quiet", "--python", str(python)),
        *("--find-links", str(wheels), trial.distribution),
    )
    _run(str(python), "-c", f"import {trial.modules}", cwd=folder)
    absent = (
        "import importlib.util, sys; "
        f"sys.exit([name for name in {trial.foreign!r} if importlib.util.find_spec(name)] or 0)"
    )
    _run(str(python), "-c", absent, cwd=folder)
    for command in trial.commands:
        _run(str(environment / "bin" / command[0]), *command[1:], cwd=folder)
    print(f"{trial.distribution}: installs, imports and runs alone")


def _run(*command: str, cwd: Path = ROOT) -> None:
    subprocess.run(command, cwd=cwd, check=True)


if __name__ == "__main__":
    sys.exit(main())
