"""Which reads a pipeline takes."""

import pytest
from seqfacility_instance.core.vocabulary.sequencing import DataClass, ReadLayout
from seqfacility_instance.runs.rules.inputs import InputRead, InputSample, input_problems
from seqfacility_pipeline_package.documents import JsonValue
from seqfacility_pipeline_package.manifest import Manifest, manifest_from


def manifest_with(**reads: JsonValue) -> Manifest:
    words = dict.fromkeys(("id", "name", "version", "description", "provider"), "x")
    return manifest_from(
        {
            "package": {**words},
            "targets": {"supported": ["order"]},
            "sequencingCompatibility": {
                "readLengthClass": "both",
                "readLayouts": ["paired", "single"],
                "platformFamilies": [],
            },
            "inputs": [{"id": "reads", "source": "reads", **reads}],
            "execution": {"engine": "snakemake", "workflow": {"path": "Snakefile"}},
            "outputs": [],
        }
    )


def sample_with(read: InputRead | None) -> InputSample:
    return InputSample("id", "S-1", {}, {}, {}, None, read)


def read_of(
    file1: str | None = "a", layout: ReadLayout = ReadLayout.SINGLE, missing: tuple[str, ...] = ()
) -> InputRead:
    return InputRead("r", file1, None, layout, DataClass.RAW, missing)


@pytest.mark.parametrize(
    ("reads", "read", "problems"),
    [
        ({"required": True}, None, ["S-1: has no reads"]),
        ({"required": True}, read_of(file1=None), ["S-1: has no reads"]),
        ({"required": False}, None, []),
        ({"required": True}, read_of(), []),
        ({"readLayouts": ["paired"]}, read_of(), ["S-1: read layout single is not supported, only paired"]),
        (
            {},
            read_of(layout=ReadLayout.LONG),
            ["S-1: read layout long is not supported, only paired, single"],
        ),
        (
            {"dataClasses": ["cleaned"]},
            read_of(),
            ["S-1: read data class raw is not accepted, only cleaned"],
        ),
        ({"dataClasses": ["raw"]}, read_of(missing=("a", "b")), ["S-1: read file is missing: a, b"]),
    ],
)
def test_the_first_thing_that_is_wrong_with_the_reads_of_a_sample_is_named(
    reads: dict[str, JsonValue], read: InputRead | None, problems: list[str]
) -> None:
    assert input_problems(manifest_with(**reads), [sample_with(read)]) == problems


def test_a_run_has_samples_and_as_many_as_its_pipeline_needs() -> None:
    needs_two = manifest_with(minSamples=2)

    assert input_problems(needs_two, []) == ["samples: at least one sample is required"]
    assert input_problems(needs_two, [sample_with(read_of())]) == ["samples: at least 2 samples are required"]
    assert input_problems(needs_two, [sample_with(read_of())] * 2) == []
