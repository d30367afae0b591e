"""Packages that work on a sequencing run: what they may say, and the one row of their sample sheet."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seqfacility_pipeline_package.package import check_package, read_package
from seqfacility_pipeline_package.samplesheet import SheetSources, sheet_text

Documents = dict[str, Any]
Write = Callable[[Path, Documents], Path]

RUN = {"id": "run", "source": "sequencing-run", "required": True}


@pytest.fixture
def of_run(documents: Documents) -> Documents:
    """Return a sound package that makes reads of a sequencing run."""
    manifest = documents["manifest.json"]
    manifest |= {"inputs": [RUN], "minServiceVersion": "0.2.0", "readCleaning": False}
    manifest["outputs"] = [
        {
            "id": f"reads-{mate.lower()}",
            "label": "Reads",
            "pattern": f"*/*_{mate}_001.fastq.gz",
            "matchSample": "name",
            "destination": "artifact",
            "artifactType": "reads",
            "mate": mate,
            "required": mate == "R1",
        }
        for mate in ("R1", "R2")
    ]
    documents["samplesheet.json"]["columns"] = [
        {"name": "id", "source": "sequencingRun.runId", "required": True},
        {"name": "samplesheet", "source": "sequencingRun.sampleSheet", "required": True},
        {"name": "flowcell", "source": "sequencingRun.folder", "required": True},
    ]
    return documents


def test_a_package_of_a_sequencing_run_says_so_and_needs_no_reads(
    tmp_path: Path, of_run: Documents, write: Write
) -> None:
    package = read_package(write(tmp_path / "trim-reads", of_run))

    assert package.manifest.takes_sequencing_run
    assert package.capabilities.requires_sequencing_run
    assert not package.capabilities.requires_linked_reads
    assert not package.capabilities.stages_read_candidates


def test_its_sheet_is_one_row_of_the_run(tmp_path: Path, of_run: Documents, write: Write) -> None:
    package = read_package(write(tmp_path / "trim-reads", of_run))
    facts = {"runId": "R7", "folder": "/seq/R7", "sampleSheet": "/runs/1/sheet.csv"}

    written = sheet_text(package.samplesheet, [SheetSources(sequencing_run=facts)])

    assert written.text == "id,samplesheet,flowcell\nR7,/runs/1/sheet.csv,/seq/R7\n"


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"inputs": [RUN, RUN | {"id": "again"}]}, "inputs: one sequencing run is the input, without reads"),
        (
            {"inputs": [RUN, {"id": "reads", "source": "reads", "required": False}]},
            "inputs: one sequencing run is the input, without reads",
        ),
        ({"inputs": [RUN | {"required": False}]}, "inputs: a sequencing run must be required"),
        ({"inputs": [RUN | {"readLayouts": ["paired"]}]}, "inputs[0]: readLayouts and dataClasses belong to"),
        (
            {"targets": {"supported": ["order", "study"]}},
            "targets.supported: a sequencing run belongs to an order",
        ),
        ({"minServiceVersion": "0.1.9"}, "minServiceVersion: must be 0.2.0 or later"),
        ({"minServiceVersion": "0.2.0-rc1"}, "minServiceVersion: must be 0.2.0 or later"),
    ],
)
def test_what_contradicts_a_sequencing_run_is_refused(
    tmp_path: Path, of_run: Documents, write: Write, change: Documents, fault: str
) -> None:
    of_run["manifest.json"] |= change

    faults = [str(one) for one in check_package(write(tmp_path / "trim-reads", of_run))]

    assert any(fault in one for one in faults), faults


def test_it_must_say_which_release_it_needs(tmp_path: Path, of_run: Documents, write: Write) -> None:
    del of_run["manifest.json"]["minServiceVersion"]

    (fault,) = check_package(write(tmp_path / "trim-reads", of_run))

    assert "minServiceVersion: must be 0.2.0 or later for a sequencing run" in str(fault)


@pytest.mark.parametrize("source", ["sample.sampleId", "order.platform", "read.file1"])
def test_columns_of_samples_have_no_row_in_its_sheet(
    tmp_path: Path, of_run: Documents, write: Write, source: str
) -> None:
    of_run["samplesheet.json"]["columns"][0]["source"] = source

    (fault,) = check_package(write(tmp_path / "trim-reads", of_run))

    assert "columns[0].source: the sheet has one row, that of the sequencing run" in str(fault)


@pytest.mark.parametrize("change", [{"artifactType": "qc_report"}, {"matchSample": None}])
def test_a_mate_is_one_of_reads_with_their_sample(
    tmp_path: Path, of_run: Documents, write: Write, change: Documents
) -> None:
    of_run["manifest.json"]["outputs"][0] |= change

    (fault,) = check_package(write(tmp_path / "trim-reads", of_run))

    assert "outputs[0].mate: belongs to read candidates, and to reads of a sequencing run" in str(fault)
