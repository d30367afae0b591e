"""What the workflow for pull requests runs on a change of the content does what its steps say."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from seqfacility_registry.settings import shipped_content

WORKFLOW: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parents[4] / ".github/workflows/content.yml").read_text("utf-8")
)
JOB = WORKFLOW["jobs"]["content"]
COMMANDS = [step["run"] for step in JOB["steps"] if "run" in step and step["name"] != "Install"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Make a repository whose last commit names a kit anew, without a new version of the catalog."""
    shutil.copytree(shipped_content(), tmp_path / "registry_site/content")
    catalog = tmp_path / "registry_site/content/catalog/sequencing-tech.json"

    def git(*words: str) -> None:
        person = ("-c", "user.name=N", "-c", "user.email=n@example.org")
        subprocess.run(["git", *person, *words], cwd=tmp_path, check=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "before")
    text = catalog.read_text("utf-8")
    catalog.write_text(text.replace('"Ligation Sequencing Kit V14"', '"Ligation Kit"', 1), "utf-8")
    git("commit", "-qam", "after")
    return tmp_path


def test_the_steps_check_tell_and_write_a_preview(checkout: Path) -> None:
    told = checkout / "summary.md"
    environment = {
        **os.environ,
        **JOB["env"],
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": str(told),
    }

    failed = {}
    for command in COMMANDS:
        done = subprocess.run(
            ["bash", "-e", "-c", command],
            cwd=checkout,
            env=environment,
            check=False,
            capture_output=True,
            text=True,
        )
        failed |= {command.split()[0]: done.stderr} if done.returncode else {}

    assert list(failed) == ["seqfacility-registry-tools"]
    assert failed["seqfacility-registry-tools"].startswith("error: Catalog: changed, and still version ")
    assert 'name: `"Ligation Sequencing Kit V14"` \u2192 `"Ligation Kit"`' in told.read_text("utf-8")
    assert (checkout / "preview").is_dir()
