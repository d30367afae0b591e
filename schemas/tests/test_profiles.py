"""Who reads what a later release published takes more than who publishes."""

import copy
from typing import Any

import pytest
from seqfacility_schemas import Profile, problems, schema_names
from seqfacility_schemas.examples import valid_examples

READ_BY_INSTANCES = [
    "registry/pipeline-index",
    "registry/pipeline-entry",
    "registry/mixs",
    "pipeline_package/payload",
]
PUBLISHED = [name for name in schema_names() if not name.startswith("instance/")]


def example(name: str) -> Any:
    return copy.deepcopy(max(valid_examples(name).values(), key=lambda document: len(str(document))))


@pytest.mark.parametrize("name", PUBLISHED)
def test_what_may_be_published_may_be_read(name: str) -> None:
    for document in valid_examples(name).values():
        assert problems(name, document, profile=Profile.CONSUMER) == []


@pytest.mark.parametrize("name", READ_BY_INSTANCES)
def test_a_key_that_is_not_known_is_read_over_and_not_published(name: str) -> None:
    document = example(name)
    document["aLaterKey"] = {"a": 1}

    assert problems(name, document)
    assert problems(name, document, profile=Profile.CONSUMER) == []


def test_a_word_that_is_not_known_is_read_where_it_has_a_meaning_to_fall_back_to() -> None:
    index = example("registry/pipeline-index")
    index["pipelines"][0]["category"] = "transcriptomics"
    index["categories"].append({"id": "transcriptomics", "name": "T", "description": "T"})
    index["version"] = "1.4.0"
    assert problems("registry/pipeline-index", index, profile=Profile.CONSUMER) == []
    index["version"] = "2.0.0"
    assert problems("registry/pipeline-index", index, profile=Profile.CONSUMER)
