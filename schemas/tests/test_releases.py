"""What a release published, every later instance reads. Decision: G973."""

import json
import subprocess
from pathlib import Path

import pytest
from seqfacility_schemas import Profile, problems
from seqfacility_testkit import frozen_releases as frozen_releases_module
from seqfacility_testkit.frozen_releases import (
    FrozenRelease,
    answer_schema,
    frozen_releases,
    has_tag,
    main,
    reading_schemas,
)

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


def test_what_is_frozen_of_the_release_that_comes_next_is_what_it_will_be() -> None:
    newest = RELEASES[-1]
    again = f"python -m seqfacility_testkit.frozen_releases {newest.version}"

    assert has_tag(newest.version) or newest.schemas == reading_schemas(), (
        f"the schemas have changed: {again}"
    )


def test_what_has_a_tag_is_not_frozen_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git = ("git", "-C", str(tmp_path), "-c", "user.name=x", "-c", "user.email=x@x.invalid")
    for arguments in (
        ["init", "--quiet"],
        ["commit", "--quiet", "--allow-empty", "-m", "x"],
        ["tag", "v9.0.0"],
    ):
        subprocess.run([*git, *arguments], check=True)
    monkeypatch.setattr(frozen_releases_module, "ROOT", tmp_path)
    monkeypatch.setattr(frozen_releases_module, "RELEASES", tmp_path)
    (tmp_path / "9.0.0").mkdir()
    monkeypatch.setattr("sys.argv", ["frozen_releases", "9.0.0"])

    with pytest.raises(SystemExit):
        main()

    assert "v9.0.0 has a tag" in capsys.readouterr().err
    assert (tmp_path / "9.0.0").is_dir()
