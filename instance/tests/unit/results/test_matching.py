"""Which file is which output of which sample, and what is missing."""

from pathlib import PurePosixPath

import pytest
from seqfacility_instance.core.vocabulary.pipelines import PipelineArtifactType
from seqfacility_instance.results.rules.matching import (
    artifact_type,
    candidate_pairs,
    match_outputs,
    missing_outputs,
    sequence_name,
    stored_path,
)
from seqfacility_pipeline_package.enums import ArtifactType, DataClass, Destination, Mate, SamplePlace
from seqfacility_pipeline_package.manifest import Output


def output(output_id: str, pattern: str, destination: Destination, **changes: object) -> Output:
    values: dict[str, object] = {
        "id": output_id,
        "label": output_id.title(),
        "pattern": pattern,
        "required": True,
        "match_sample": None,
        "destination": destination,
        "artifact_type": None,
        "step": None,
        "parser": None,
        "fields": (),
        "target_data_class": None,
        "mate": None,
        "primary": False,
        **changes,
    }
    return Output(**values)  # type: ignore[arg-type]  # the fields of an output


def candidate(output_id: str, pattern: str, mate: Mate, required: bool = True) -> Output:
    return output(
        output_id,
        pattern,
        Destination.READ_CANDIDATE,
        match_sample=SamplePlace.NAME,
        mate=mate,
        required=required,
        target_data_class=DataClass.CLEANED,
    )


def test_a_code_never_takes_the_files_of_a_longer_one() -> None:
    assemblies = output("asm", "*.fa", Destination.ASSEMBLY, match_sample=SamplePlace.NAME)

    matches = match_outputs([assemblies], ["S-1.fa", "S-10.fa", "S-100.fa"], ["S-1", "S-10"])

    assert [(item.path, item.code) for item in matches.found] == [("S-1.fa", "S-1"), ("S-10.fa", "S-10")]
    assert matches.warnings == ("Asm: S-100.fa belongs to no sample of the run",)


def test_an_artifact_without_a_sample_is_one_of_the_run() -> None:
    report = output("report", "*.html", Destination.ARTIFACT, match_sample=SamplePlace.NAME)

    matches = match_outputs([report], ["all.html", "S-1.html"], ["S-1"])

    assert [(item.path, item.code) for item in matches.found] == [("S-1.html", "S-1"), ("all.html", None)]


def test_outputs_of_samples_are_required_of_every_sample() -> None:
    reads, report = candidate("r1", "*_R1.fq", Mate.R1), output("report", "*.html", Destination.ARTIFACT)
    found = match_outputs([reads, report], ["S-1_R1.fq"], ["S-1", "S-2"]).found

    assert missing_outputs([reads, report], found, ["S-2", "S-1"]) == [
        "R1: no file for sample S-2",
        "Report: no file matches *.html",
    ]


def test_one_file_is_enough_for_an_output_of_the_run() -> None:
    report = output("report", "*.html", Destination.ARTIFACT)
    found = match_outputs([report], ["all.html"], ["S-1", "S-2"]).found

    assert missing_outputs([report], found, ["S-1", "S-2"]) == []


def test_what_is_not_required_is_never_missing() -> None:
    assert missing_outputs([candidate("r2", "*", Mate.R2, required=False)], [], ["S-1"]) == []


def test_a_file_is_a_read_candidate_once_that_of_the_first_output_that_means_it() -> None:
    outputs = [
        candidate("r1", "*_R1_f.fq", Mate.R1),
        candidate("r2", "*_R2_f.fq", Mate.R2),
        candidate("single", "*_f.fq", Mate.R1),
    ]
    paths = ["S-1_R1_f.fq", "S-1_R2_f.fq", "S-2_f.fq"]

    pairs = candidate_pairs(match_outputs(outputs, paths, ["S-1", "S-2"]).found)

    assert [(pair.code, pair.first.path, pair.second and pair.second.path) for pair in pairs] == [
        ("S-1", "S-1_R1_f.fq", "S-1_R2_f.fq"),
        ("S-2", "S-2_f.fq", None),
    ]


def test_mates_are_paired_by_sample_and_a_second_mate_alone_is_nothing() -> None:
    report = output("report", "*.html", Destination.ARTIFACT)
    outputs = [candidate("r1", "*_R1.fq", Mate.R1), candidate("r2", "*_R2.fq", Mate.R2), report]
    paths = ["S-1_R1.fq", "S-1_R2.fq", "S-2_R1.fq", "S-3_R2.fq", "all.html"]

    pairs = candidate_pairs(match_outputs(outputs, paths, ["S-1", "S-2", "S-3"]).found)

    assert [(pair.code, pair.first.path, pair.second and pair.second.path) for pair in pairs] == [
        ("S-1", "S-1_R1.fq", "S-1_R2.fq"),
        ("S-2", "S-2_R1.fq", None),
    ]


@pytest.mark.parametrize(
    ("path", "said", "expected"),
    [
        ("a.bam", None, PipelineArtifactType.ALIGNMENT),
        ("a.CRAM", None, PipelineArtifactType.ALIGNMENT),
        ("a.paf", None, PipelineArtifactType.ALIGNMENT),
        ("a.tsv", None, PipelineArtifactType.QC_REPORT),
        ("a.bam", ArtifactType.READS, PipelineArtifactType.READS),
    ],
)
def test_the_type_is_the_manifests_else_by_the_ending(
    path: str, said: ArtifactType | None, expected: PipelineArtifactType
) -> None:
    assert artifact_type(output("x", "*", Destination.ARTIFACT, artifact_type=said), path) is expected


@pytest.mark.parametrize(
    ("path", "name"),
    [("a/S-1.fa", "S-1"), ("S-1.contigs.fasta.gz", "S-1.contigs"), ("bin.12.fna", "bin.12"), (".fa", ".fa")],
)
def test_a_sequence_is_named_after_its_file(path: str, name: str) -> None:
    assert sequence_name(path) == name


def test_paths_below_the_data_base_path_are_stored_relative() -> None:
    base = PurePosixPath("/data")

    assert stored_path(PurePosixPath("/data/runs/x"), base) == "runs/x"
    assert stored_path(PurePosixPath("/database/x"), base) == "/database/x"
    assert stored_path(PurePosixPath("/data/x"), None) == "/data/x"
