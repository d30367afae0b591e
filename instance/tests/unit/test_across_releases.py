"""Which release is the last one before a commit, and which refusals of an older one are as agreed."""

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from seqfacility_instance.install_profiles.errors import ServiceTooOld
from seqfacility_instance.pipelines.errors import NeedsNewerRelease

SCRIPT = Path(__file__).resolve().parents[3] / ".ci/across_releases.py"
Git = Callable[..., None]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("across_releases", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["across_releases"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Return how to work in a repository: v0.2.0, a maintenance branch of it, v0.3.0 and v0.10.0 on main."""
    here = ("git", "-C", str(tmp_path), "-c", "user.name=x", "-c", "user.email=x@x.invalid")

    def run(*arguments: str) -> None:
        subprocess.run([*here, *arguments], check=True)

    run("init", "--quiet", "--initial-branch", "main")
    for version in ("0.2.0", "0.3.0", "0.10.0"):
        frozen = tmp_path / "schemas/releases" / version
        frozen.mkdir(parents=True)
        (frozen / "release.json").write_text("{}", "utf-8")
        run("add", ".")
        run("commit", "--quiet", "-m", version)
        run("tag", f"v{version}")
        if version == "0.2.0":
            run("branch", "maintenance")
    return run


def test_the_last_release_is_the_newest_one_that_a_commit_goes_back_to(
    script: ModuleType, git: Git, tmp_path: Path
) -> None:
    git("tag", "v0.9-draft")

    assert script.last_release(tmp_path) == "v0.3.0"
    git("commit", "--quiet", "--allow-empty", "-m", "after the release")
    assert script.last_release(tmp_path) == "v0.10.0"


def test_a_release_from_another_branch_is_not_the_past_of_a_maintenance_branch(
    script: ModuleType, git: Git, tmp_path: Path
) -> None:
    git("checkout", "--quiet", "maintenance")
    git("commit", "--quiet", "--allow-empty", "-m", "a repair")

    assert script.last_release(tmp_path) == "v0.2.0"
    script.check_frozen(tmp_path)


def test_what_an_earlier_release_froze_stays(script: ModuleType, git: Git, tmp_path: Path) -> None:
    (tmp_path / "schemas/releases/0.2.0/release.json").write_text("[]", "utf-8")
    git("commit", "--quiet", "--all", "-m", "changed")

    with pytest.raises(SystemExit, match=r"schemas/releases/0\.2\.0 has changed since v0\.2\.0"):
        script.check_frozen(tmp_path)


def test_before_the_first_release_there_is_none(script: ModuleType, git: Git, tmp_path: Path) -> None:
    git("checkout", "--quiet", "v0.2.0")

    assert script.last_release(tmp_path) is None


def test_an_older_release_refuses_what_is_for_a_later_one_in_the_words_that_are_looked_for(
    script: ModuleType,
) -> None:
    package = NeedsNewerRelease(pipeline_id="mag", version="9.0.0", wanted="0.9.0", ours="0.2.0")
    profile = ServiceTooOld(wanted="0.9.0", ours="0.2.0")

    for refused in (package, profile):
        assert script.NEEDS_LATER.search(refused.text)


@pytest.mark.parametrize(
    ("says", "ends"),
    [
        ("Pipeline mag 9.0.0 needs release 0.9.0 or newer; this is 0.2.0", False),
        ("Package validation failed", True),
    ],
)
def test_only_that_refusal_is_accepted(script: ModuleType, tmp_path: Path, says: str, ends: bool) -> None:
    program = tmp_path / "seqfacility"
    program.write_text(f"#!/bin/sh\necho 'error: {says}' >&2\nexit 1\n", "utf-8")
    program.chmod(0o755)
    reader = script.Installed("an old release", tmp_path, tmp_path)

    if ends:
        with pytest.raises(SystemExit, match=says):
            reader.run_if_for_it("seqfacility", "install-pipeline")
    else:
        assert reader.run_if_for_it("seqfacility", "install-pipeline") is None
        with pytest.raises(SystemExit, match="needs a later release"):
            reader.run("seqfacility", "install-pipeline")
