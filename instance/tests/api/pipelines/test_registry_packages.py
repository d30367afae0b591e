"""nf-core packages as the registry publishes them: installed, made ready, run with a stand-in engine.

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
from seqfacility_testkit.sequencing import submitted_order, upload

PIPELINES = Path(__file__).parents[4] / "registry_site/content/pipelines"
ADMIN = "/api/admin/pipelines"

CONFIG: dict[str, dict[str, Any]] = {
    "rnaseq": {"fasta": "/references/genome.fa", "gtf": "/references/genes.gtf"},
    "sarek": {},
    "viralrecon": {"genome": "MN908947.3", "primer_set": "artic", "primer_set_version": 4},
    "bacass": {},
}
"""What a person has to say beside the defaults."""

MISSING = {
    "rnaseq": "'fasta' is a required property",
    "viralrecon": "'primer_set' is a required property",
}

ROWS = {
    "rnaseq": {"sample": "{code}", "strandedness": "auto"},
    "sarek": {"patient": "{code}", "sample": "{code}", "status": "0", "lane": "L1"},
    "viralrecon": {"sample": "{code}"},
    "bacass": {"ID": "{code}", "LongFastQ": "NA", "Fast5": "NA", "GenomeSize": "NA"},
}
"""What a row of the sample sheet says beside the files of the reads."""

LEFT = {
    "rnaseq": ("multiqc/star_salmon/multiqc_report.html", "star_salmon/{code}.markdup.sorted.bam"),
    "sarek": (
        "multiqc/multiqc_report.html",
        "variant_calling/haplotypecaller/{code}/{code}.haplotypecaller.filtered.vcf.gz",
    ),
    "viralrecon": ("multiqc/multiqc_report.html", "variants/ivar/consensus/bcftools/{code}.consensus.fa"),
    "bacass": ("multiqc/multiqc_report.html", "Unicycler/{code}.scaffolds.fa.gz"),
}
"""What the workflow leaves: its report, and a file of the sample."""


@pytest.fixture(params=sorted(CONFIG))
def pipeline_id(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def payload(facility: Facility, pipeline_id: str, tmp_path: Path) -> dict[str, Any]:
    """Install and enable the newest version, with a program that stands in for Nextflow."""
    entry = json.loads((PIPELINES / pipeline_id / "entry.json").read_text("utf-8"))
    package = pack(PIPELINES / pipeline_id / "versions" / entry["versions"][-1]["version"] / pipeline_id)
    facility.services.runs.pipeline_installation.install_file(canonical_json(package))
    facility.admin.put(f"{ADMIN}/{pipeline_id}", {"enabled": True})
    engine = tmp_path / "nextflow"
    engine.write_text("#!/bin/sh\necho 'nextflow version 25.10.4.11000'\n")
    engine.chmod(0o755)
    facility.services.facility.change("execution", {"nextflowCommand": str(engine)}, facility.clock.now())
    return dict(package)


def test_an_installed_package_is_ready_where_an_engine_is(
    facility: Facility, payload: dict[str, Any], pipeline_id: str
) -> None:
    readiness = facility.admin.get(f"{ADMIN}/{pipeline_id}/readiness").json["pipeline"]

    assert [check for check in readiness["checks"] if check["verdict"] == "fail"] == []
    assert readiness["ready"]


def test_a_run_gets_its_commit_its_parameters_and_its_sheet_and_its_files_are_results(
    facility: Facility, payload: dict[str, Any], pipeline_id: str
) -> None:
    scripted = use_scripted_executor(facility)
    order = submitted_order(facility)
    for mate in ("R1", "R2"):
        upload(facility, order, targetRole=mate, originalName=f"soil_{mate}.fastq.gz")
    execution, code = payload["manifest"]["execution"], order.sample_codes[0]

    run_id = new_run(facility, order, pipeline_id, config=CONFIG[pipeline_id])
    folder = start(facility, run_id)

    argv = scripted.jobs[folder.path].argv
    assert argv[argv.index("-r") + 1] == execution["workflow"]["commit"]
    parameters = json.loads(Path(argv[argv.index("-params-file") + 1]).read_text("utf-8"))
    sheet = Path(parameters["input"])
    assert parameters == {
        **execution["defaultParams"],
        **payload["registry"]["defaultConfig"],
        **CONFIG[pipeline_id],
        "input": str(sheet),
        "outdir": str(folder.output),
    }
    with sheet.open(encoding="utf-8", newline="") as stream:
        (row,) = csv.DictReader(stream, delimiter="\t" if sheet.suffix == ".tsv" else ",")
    files = [value for value in row.values() if value.startswith("/")]
    assert {key: value for key, value in row.items() if value not in files} == {
        key: value.format(code=code) for key, value in ROWS[pipeline_id].items()
    }
    assert [Path(file).is_file() for file in files] == [True, True]

    for path in LEFT[pipeline_id]:
        left = folder.output / path.format(code=code)
        left.parent.mkdir(parents=True)
        left.write_bytes(b">1\nACGT\n")
    scripted.finish(folder, 0)
    tick(facility)

    run = show(facility, run_id)
    assert run["status"] == "completed"
    assert run["primaryResultFile"]["outputId"] == "multiqc"
    results = (*run["artifacts"], *run["assemblies"])
    assert {result["sampleId"] for result in results} == {None, order.sample_ids[0]}


def test_what_has_to_be_said_is_asked_for(
    facility: Facility, payload: dict[str, Any], pipeline_id: str
) -> None:
    order = submitted_order(facility)
    for mate in ("R1", "R2"):
        upload(facility, order, targetRole=mate, originalName=f"soil_{mate}.fastq.gz")

    checked = facility.admin.post(f"{RUNS}/validate", {"pipelineId": pipeline_id, "orderId": order.id}).json

    said = json.dumps(checked)
    assert checked["valid"] is (pipeline_id not in MISSING), said
    assert MISSING.get(pipeline_id, "") in said
