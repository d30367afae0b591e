"""What a release published, every later instance reads. Decision: G973."""

import json

import pytest
from seqfacility_schemas import Profile, problems
from seqfacility_testkit.frozen_releases import FrozenRelease, answer_schema, frozen_releases

RELEASES = frozen_releases()
ANSWERS = [
    (release, path, content)
    for release in RELEASES
    for path, content in release.answers().items()
    if answer_schema(path) is not None
]


def test_there_is_a_release_to_keep_to() -> None:
    assert RELEASES
    assert {path.rpartition("/")[0] for _, path, _ in ANSWERS} >= {"/api/registry", "/api/trust"}


@pytest.mark.parametrize(
    ("release", "path", "content"), ANSWERS, ids=[f"{release.version}{path}" for release, path, _ in ANSWERS]
)
def test_what_a_release_published_is_read_by_this_one(
    release: FrozenRelease, path: str, content: bytes
) -> None:
    document = json.loads(content)

    assert problems(str(answer_schema(path)), document, profile=Profile.CONSUMER) == []
    assert release.problems(str(answer_schema(path)), document) == []
