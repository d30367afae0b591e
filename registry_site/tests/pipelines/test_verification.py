"""What the entries of our own pipelines call verified: a run of the newest version leaves its outputs."""

import json
from pathlib import Path
from typing import Any

import pytest
from seqfacility_pipeline_package.package import read_package
from seqfacility_pipeline_package.wildcards import OutputPattern

CONTENT = Path(__file__).parents[2] / "content" / "pipelines"
NO_READS = "One sample, without reads"
RECORDS: dict[str, dict[str, Any]] = {
    path.parent.name: entry["verification"]
    for path in sorted(CONTENT.glob("*/entry.json"))
    if (entry := json.loads(path.read_text("utf-8")))["verified"]
}


@pytest.mark.parametrize("pipeline_id", sorted(RECORDS))
def test_a_run_leaves_the_outputs_that_its_verification_names(
    pipeline_id: str,
    run_pipeline: Any,
    package_of: Any,
    sample: Any,
    read_files: dict[str, Any],
    paired_in_words: str,
) -> None:
    record = RECORDS[pipeline_id]
    package = read_package(package_of(pipeline_id, record["version"]))
    data = {NO_READS: sample("S-1"), paired_in_words: sample("S-1", "paired", read_files["paired"])}
    samples = [data[record["data"]]]

    run = run_pipeline(pipeline_id, samples, record["version"], **package.descriptor.default_config)

    files = [path.relative_to(run.output).as_posix() for path in run.output.rglob("*") if path.is_file()]
    outputs = package.manifest.outputs
    left = {one.id for one in outputs if any(map(OutputPattern.parse(one.pattern).matches, files))}
    assert (run.status, left) == (0, set(record["outputs"])), run.log
    assert record["test"].endswith(Path(__file__).name)
