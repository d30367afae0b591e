"""The bundled pipelines as they are published, and a way to run one for real."""

import csv
import gzip
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

CONTENT = Path(__file__).parents[2] / "content" / "pipelines"
PAIRS, PAIR_LENGTH = 120, 100
SHEET_COLUMNS = ("sample", "alias", "layout", "file1", "file2")


@dataclass(frozen=True)
class Sample:
    """One row of a sample sheet."""

    code: str
    layout: str
    files: tuple[Path, ...]
    alias: str = ""


@dataclass(frozen=True)
class Run:
    """A finished run: its folder, its exit status and what it said."""

    folder: Path
    status: int
    log: str

    @property
    def output(self) -> Path:
        """Return the folder of the results."""
        return self.folder / "output"

    def table(self, name: str) -> list[dict[str, str]]:
        """Read one of the result tables."""
        with (self.output / name).open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream, delimiter="\t"))


RunPipeline = Callable[..., Run]
PackageOf = Callable[..., Path]


@pytest.fixture(scope="session")
def content() -> Path:
    """Return the folder of all published pipelines."""
    return CONTENT


@pytest.fixture(scope="session")
def package_of() -> PackageOf:
    """Return the package folder of a pipeline's newest version, or of the version that is named."""

    def find(pipeline_id: str, version: str | None = None) -> Path:
        entry = json.loads((CONTENT / pipeline_id / "entry.json").read_text("utf-8"))
        chosen = version or entry["versions"][-1]["version"]
        return CONTENT / pipeline_id / "versions" / chosen / pipeline_id

    return find


@pytest.fixture(scope="session")
def run_pipeline(tmp_path_factory: pytest.TempPathFactory, package_of: PackageOf) -> RunPipeline:
    """Run a bundled pipeline with the workflow engine, as the facility's runner calls it."""

    def run(pipeline_id: str, samples: Sequence[Sample], version: str | None = None, **config: object) -> Run:
        folder = tmp_path_factory.mktemp(pipeline_id)
        for name in ("work", "output"):
            (folder / name).mkdir()
        sheet = folder / "samplesheet.csv"
        with sheet.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(SHEET_COLUMNS)
            for sample in samples:
                files = [str(path) for path in sample.files] + ["", ""]
                writer.writerow([sample.code, sample.alias, sample.layout, *files[:2]])
        parameters = folder / "params.json"
        parameters.write_text(json.dumps({"input": str(sheet), "outdir": str(folder / "output"), **config}))
        command = [
            *(sys.executable, "-m", "snakemake", "--cores", "2", "--scheduler", "greedy", "--nocolor"),
            *("--snakefile", str(package_of(pipeline_id, version) / "workflow" / "Snakefile")),
            *("--directory", str(folder / "work"), "--configfile", str(parameters)),
            *("--nolock", "--workflow-profile", "none"),
        ]
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, env=environment, timeout=120
        )
        return Run(folder, done.returncode, done.stdout + done.stderr)

    return run


@pytest.fixture(scope="session")
def records() -> Callable[[Path], list[tuple[str, str, str]]]:
    """Read a FASTQ file: name, sequence, qualities."""

    def read(path: Path) -> list[tuple[str, str, str]]:
        with gzip.open(path, "rt", encoding="ascii") as stream:
            lines = stream.read().split("\n")[:-1]
        assert len(lines) % 4 == 0
        return [(lines[at].removeprefix("@"), lines[at + 1], lines[at + 3]) for at in range(0, len(lines), 4)]

    return read


@pytest.fixture(scope="session")
def sample() -> Callable[..., Sample]:
    """Make one row of a sample sheet."""

    def make(code: str, layout: str = "", files: Sequence[Path] = (), alias: str = "") -> Sample:
        return Sample(code, layout, tuple(files), alias)

    return make


@pytest.fixture(scope="session")
def paired_in_words() -> str:
    """Say what a sample with the paired reads of `read_files` is, as verifications do."""
    return f"One sample of {PAIRS} read pairs of {PAIR_LENGTH} bases, made by simulate-reads"


@pytest.fixture(scope="session")
def read_files(
    tmp_path_factory: pytest.TempPathFactory, package_of: PackageOf
) -> dict[str, tuple[Path, ...]]:
    """Make reads of all three layouts, in a folder and with names that are hard on careless scripts."""
    folder = tmp_path_factory.mktemp("reads") / '-rf it\'s "my" {data} é'
    script = package_of("simulate-reads") / "workflow" / "scripts" / "simulate_reads.py"
    for layout, length in (("paired", PAIR_LENGTH), ("single", 100), ("long", 600)):
        words = [f"--code=-{layout} reads", "--layout", layout, f"--reads={PAIRS}", f"--length={length}"]
        command = [sys.executable, str(script), *words, "--output-dir", str(folder)]
        subprocess.run(command, check=True, timeout=60)
    return {
        layout: tuple(sorted(folder.glob(f"-{layout} reads_R?.fastq.gz")))
        for layout in ("paired", "single", "long")
    }
