"""A new pipeline begins as a package that is sound, and one for Snakemake as a workflow that runs."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from seqfacility_pipeline_package.package import check_package, read_package
from seqfacility_pipeline_package.published import write_lock
from seqfacility_registry.check import content_problems
from seqfacility_registry.settings import shipped_content
from seqfacility_registry_tools.cli import main

REPOSITORY = ("--repository", "https://git.example.org/lab/flow", "--revision", "1.2.0")
COMMIT = ("--commit", "0123abcd" * 5)


@pytest.fixture
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy the content, of the pipelines one."""
    folder = tmp_path / "content"
    others = [path.parent.name for path in shipped_content().glob("pipelines/*/entry.json")]
    others.remove("fastq-checksum")
    leave_out = shutil.ignore_patterns(*others, "published.lock.json", "profiles")
    shutil.copytree(shipped_content(), folder, ignore=leave_out)
    monkeypatch.setenv("SEQFACILITY_REGISTRY_CONTENT", str(folder))
    return folder


@pytest.mark.parametrize(
    "more", [(), ("--engine", "nextflow", *REPOSITORY, *COMMIT)], ids=["snakemake", "nextflow"]
)
def test_a_new_pipeline_keeps_all_rules_and_is_published_once_it_is_locked(
    content: Path, more: tuple[str, ...]
) -> None:
    assert main(["new-pipeline", "read-length", *more]) == 0

    place = content / "pipelines/read-length/versions/0.1.0/read-length"
    assert check_package(place) == []
    assert read_package(place).manifest.execution.commit == (COMMIT[1] if more else None)
    write_lock(content / "pipelines")
    assert content_problems(content) == []


def test_the_workflow_of_a_new_pipeline_runs(content: Path, tmp_path: Path) -> None:
    main(["new-pipeline", "read-length"])
    place = content / "pipelines/read-length/versions/0.1.0/read-length"
    reads, sheet, parameters = tmp_path / "a b.fastq", tmp_path / "sheet.csv", tmp_path / "params.json"
    reads.write_text("@1\nACGT\n+\nIIII\n@2\nAC\n+\nII\n")
    sheet.write_text(f"sample,alias,layout,file1,file2\nS 1,,single,{reads},\n")
    config = {"input": str(sheet), "outdir": str(tmp_path / "output"), "minLength": 3}
    parameters.write_text(json.dumps(config))

    command = [
        *(sys.executable, "-m", "snakemake", "--cores", "1", "--scheduler", "greedy", "--nolock"),
        *("--snakefile", str(place / "workflow/Snakefile"), "--directory", str(tmp_path / "work")),
        *("--configfile", str(parameters), "--workflow-profile", "none"),
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)

    assert done.returncode == 0, done.stderr
    table = (tmp_path / "output/samples/S 1.reads.tsv").read_text("utf-8")
    assert table == "sample\tfile\treads\tlong_enough\nS 1\ta b.fastq\t2\t1\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("Read-Length",), "an id is made of lower-case letters and digits with hyphens between"),
        (("fastq-checksum",), "is there already"),
        (("x", "--engine", "nextflow", *REPOSITORY), "it needs --repository, --revision and --commit"),
        (("x", *REPOSITORY), "it has no repository, revision or commit"),
        (
            ("x", "--engine", "nextflow", *REPOSITORY, "--commit", "1.2.0"),
            "manifest.json: execution.workflow",
        ),
    ],
)
def test_what_cannot_be_a_pipeline_is_refused_and_leaves_nothing(
    content: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    before = sorted(content.glob("pipelines/*"))

    assert main(["new-pipeline", *words]) == 1

    assert said in capsys.readouterr().err
    assert sorted(content.glob("pipelines/*")) == before
