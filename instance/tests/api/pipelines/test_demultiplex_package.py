"""nf-core/demultiplex as the registry publishes it, run on a planned flow cell with a stand-in engine.

Nextflow itself is not run here: what is proved is what the facility hands to it, and takes from it.
"""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_pipeline_package.payload import pack
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import RUNS, new_run, show, start, tick, use_scripted_executor
from seqfacility_testkit.sequencing import submitted_order
from seqfacility_testkit.sequencing_runs import RUN_ID, planned_run

HOME = Path(__file__).parents[4] / "registry_site/content/pipelines/demultiplex"
DEMULTIPLEX = "demultiplex"
WHOLE_RUN = ("multiqc/multiqc_report.html", f"{RUN_ID}/Undetermined_S0_R1_001.fastq.gz")


@pytest.fixture
def payload(facility: Facility, tmp_path: Path) -> dict[str, Any]:
    """Install and enable the newest version, with a program that stands in for Nextflow."""
    version = json.loads((HOME / "entry.json").read_text("utf-8"))["versions"][-1]["version"]
    package = pack(HOME / "versions" / version / DEMULTIPLEX)
    facility.services.runs.pipeline_installation.install_file(canonical_json(package))
    facility.admin.put(f"/api/admin/pipelines/{DEMULTIPLEX}", {"enabled": True})
    engine = tmp_path / "nextflow"
    engine.write_text("#!/bin/sh\necho 'nextflow version 25.10.4.11000'\n")
    engine.chmod(0o755)
    facility.services.facility.change("execution", {"nextflowCommand": str(engine)}, facility.clock.now())
    return dict(package)


def test_a_flow_cell_goes_to_the_workflow_and_its_reads_to_the_order(
    facility: Facility, payload: dict[str, Any]
) -> None:
    scripted, order = use_scripted_executor(facility), submitted_order(facility, samples=2)
    planned = planned_run(facility, order)

    run_id = new_run(facility, order, DEMULTIPLEX, sequencingRunId=planned.id)
    folder = start(facility, run_id)

    argv = scripted.jobs[folder.path].argv
    parameters = json.loads(Path(argv[argv.index("-params-file") + 1]).read_text("utf-8"))
    sheet = Path(parameters["input"])
    assert parameters == {
        "demultiplexer": "bclconvert",
        "trim_fastq": False,
        "remove_samplesheet_adapter": False,
        "sample_size": 100_000,
        "input": str(sheet),
        "outdir": str(folder.output),
    }
    with sheet.open(encoding="utf-8", newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert (row["id"], row["flowcell"]) == (RUN_ID, str(planned.folder.resolve()))
    assert "[BCLConvert_Data]" in Path(row["samplesheet"]).read_text("utf-8")

    of_samples = [
        f"{RUN_ID}/{code}_S{number}_R{mate}_001.fastq.gz"
        for number, code in enumerate(order.sample_codes, 1)
        for mate in (1, 2)
    ]
    for path in (*WHOLE_RUN, *of_samples):
        left = folder.output / path
        left.parent.mkdir(parents=True, exist_ok=True)
        left.write_bytes(b"@r\nACGT\n+\nIIII\n")
    scripted.finish(folder, 0)
    tick(facility)

    run = show(facility, run_id)
    assert run["status"] == "completed", run["failure"]
    assert run["primaryResultFile"]["outputId"] == "multiqc"
    assert [one["type"] for one in run["artifacts"]].count("reads") == len(of_samples) + 1
    asked = facility.admin.post(f"{RUNS}/{run_id}/sequenced-reads")
    assert (asked.status_code, asked.json["queued"]) == (202, 2), asked.text


def test_it_is_offered_for_orders_and_says_what_it_needs(facility: Facility, payload: dict[str, Any]) -> None:
    (offered,) = [
        one for one in facility.admin.get("/api/pipelines").json["pipelines"] if one["id"] == DEMULTIPLEX
    ]

    assert offered["targets"] == ["order"]
    assert offered["capabilities"]["requiresSequencingRun"] is True
    assert offered["capabilities"]["requiresLinkedReads"] is False
