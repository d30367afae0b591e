"""The newest packages of nf-core workflows promise what the workflows do at their commits.

`nf_core_facts.json` has what the workflows' own files say at these commits (MIT): parameters by type
(`nextflow_schema.json`), choices of those that a package offers, columns of the sample sheet
(`assets/schema_input.json`), and names of published files by the output that means them, "" for none
(`conf/modules.config`, `docs/output.md`). `switches` are the parameters that tell the workflow of a layout or
a platform family, because it cannot see them in the reads.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seqfacility_pipeline_package.descriptor import config_problems, merged_config
from seqfacility_pipeline_package.enums import Destination
from seqfacility_pipeline_package.package import Package, read_package
from seqfacility_pipeline_package.wildcards import OutputPattern

FACTS: dict[str, dict[str, Any]] = json.loads(
    Path(__file__).with_name("nf_core_facts.json").read_text("utf-8")
)
TYPES = {
    name: {key: kind for kind, keys in facts["parameters"].items() for key in keys}
    for name, facts in FACTS.items()
}


@pytest.fixture(params=sorted(FACTS))
def name(request: pytest.FixtureRequest) -> str:
    value: str = request.param
    return value


@pytest.fixture
def package(name: str, package_of: Callable[..., Path]) -> Package:
    return read_package(package_of(name))


def test_the_facts_are_those_of_the_commit_that_is_run(name: str, package: Package) -> None:
    execution, facts = package.manifest.execution, FACTS[name]

    ours = (execution.repository, execution.revision, execution.commit)
    assert ours == (facts["repository"], facts["revision"], facts["commit"])


def test_every_key_of_the_configuration_is_a_parameter_of_its_type(name: str, package: Package) -> None:
    properties: Any = package.descriptor.config_schema["properties"]
    types = {key: schema["type"] for key, schema in properties.items()}

    assert types == {key: TYPES[name].get(key) for key in types}
    assert set(package.manifest.execution.default_params) <= set(TYPES[name])


def test_every_choice_that_is_offered_is_one_of_the_workflow(name: str, package: Package) -> None:
    properties: Any = package.descriptor.config_schema["properties"]
    offered = {key: set(schema["enum"]) for key, schema in properties.items() if "enum" in schema}

    assert all(choices <= set(FACTS[name]["choices"][key]) for key, choices in offered.items())


def test_the_sample_sheet_has_the_columns_and_words_that_the_workflow_reads(
    name: str, package: Package
) -> None:
    columns, sheet = FACTS[name]["columns"], package.samplesheet.columns

    assert {column.name for column in sheet} <= set(columns)
    assert {column.name for column in sheet} >= set(FACTS[name]["requiredColumns"])
    for column in sheet:
        if "enum" in columns[column.name] and column.map:
            assert set(column.map.values()) <= set(columns[column.name]["enum"])


def test_a_workflow_can_be_told_what_it_cannot_see_in_the_reads(name: str, package: Package) -> None:
    accepted = package.manifest.compatibility
    words = {layout.value for layout in accepted.read_layouts} | set(accepted.platform_families)
    switches = {key for word, key in FACTS[name]["switches"].items() if word in words}

    properties: Any = package.descriptor.config_schema["properties"]
    assert switches <= set(properties)


def test_every_published_file_goes_to_its_output_and_to_no_other_list(name: str, package: Package) -> None:
    """Of reads the first output that fits takes the file; artifacts are listed by every one."""
    outputs = [(output, OutputPattern.parse(output.pattern)) for output in package.manifest.outputs]

    def outputs_of(path: str) -> list[str]:
        fitting = [output for output, pattern in outputs if pattern.matches(path)]
        lists = [output for output in fitting[1:] if output.destination is Destination.ARTIFACT]
        return [output.id for output in [*fitting[:1], *lists]]

    files = FACTS[name]["files"]
    assert {path: outputs_of(path) for paths in files.values() for path in paths} == {
        path: [output_id] if output_id else [] for output_id, paths in files.items() for path in paths
    }


@pytest.mark.parametrize(
    ("name", "config", "is_accepted"),
    [
        ("sarek", {"genome": "GATK.GRCh38"}, True),
        ("sarek", {"fasta": "/refs/mouse.fa"}, False),
        ("sarek", {"fasta": "/refs/mouse.fa", "igenomes_ignore": True}, True),
        ("sarek", {"skip_tools": "multiqc"}, False),
        ("sarek", {"skip_tools": "baserecalibrator,multiqc"}, False),
        ("sarek", {"skip_tools": "baserecalibrator,fastqc"}, True),
        ("rnaseq", {"fasta": "/refs/mouse.fa", "gtf": "/refs/mouse.gtf"}, True),
        ("rnaseq", {"fasta": "/refs/my mouse.fa", "gtf": "/refs/mouse.gtf"}, False),
        ("rnaseq", {"fasta": "/refs/mouse.gtf", "gtf": "/refs/mouse.gtf"}, False),
        ("rnaseq", {"fasta": "refs/mouse.fa", "gtf": "/refs/mouse.gtf"}, False),
    ],
)
def test_a_configuration_that_the_workflow_would_refuse_or_misread_is_refused_before_the_run(
    package_of: Callable[..., Path], name: str, config: dict[str, Any], is_accepted: bool
) -> None:
    descriptor = read_package(package_of(name)).descriptor

    problems = config_problems(descriptor.config_schema, merged_config(descriptor.default_config, config))

    assert (problems == []) is is_accepted
