"""What is published now, instances of every earlier release read. Decision: G973."""

import json
from pathlib import Path

import pytest
from seqfacility_registry.content_folder import read_publication
from seqfacility_registry.export import exported_files
from seqfacility_testkit.frozen_releases import ADDRESS, FrozenRelease, answer_schema, frozen_releases

SHIPPED = Path(__file__).parents[2] / "content"


@pytest.mark.parametrize("release", frozen_releases(), ids=lambda release: release.version)
def test_the_published_content_is_read_by_instances_of_a_release(release: FrozenRelease) -> None:
    judged, found = set(), []
    for path, body in exported_files(read_publication(SHIPPED), ADDRESS).items():
        name = answer_schema(f"/{path.removesuffix('/index.json')}")
        if name is not None and name in release.schemas:
            judged.add(name)
            found += [f"{path}: {line}" for line in release.problems(name, json.loads(body))]

    assert found == []
    assert judged >= {"registry/pipeline-index", "registry/mixs-answer", "pipeline_package/payload"}


@pytest.mark.parametrize("release", frozen_releases(), ids=lambda release: release.version)
def test_what_a_release_could_not_read_is_noticed(release: FrozenRelease) -> None:
    index = json.loads(release.answers()["/api/registry"])
    index["pipelines"][0]["versions"] = "see elsewhere"

    assert release.problems("registry/pipeline-index", index) != []
