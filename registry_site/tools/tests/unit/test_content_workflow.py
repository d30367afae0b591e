"""What the workflow for pull requests runs on a change of the content does what its steps say."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

TOP = Path(__file__).parents[4]
WORKFLOW: dict[str, Any] = yaml.safe_load((TOP / ".github/workflows/content.yml").read_text("utf-8"))
SHIPPED = [f"instance/src/seqfacility_instance/{name}" for name in ("catalog", "checklists", "pipelines")]
JOB = WORKFLOW["jobs"]["content"]
COMMANDS = [step["run"] for step in JOB["steps"] if "run" in step and step["name"] != "Install"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Make a repository whose last commit names a kit anew, without a new version of the catalog."""
    for place in ("registry_site/content", "instance/tools", *SHIPPED):
        shutil.copytree(TOP / place, tmp_path / place)
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
        failed |= {command: done.stdout + done.stderr} if done.returncode else {}

    told_of, shipped = failed.items()
    assert told_of[0].startswith("seqfacility-registry-tools diff ")
    assert told_of[1].startswith("error: Catalog: changed, and still version ")
    assert shipped == (
        "python3 instance/tools/bundle.py --check",
        "catalog/shipped.json.gz differs\n",
    )
    assert 'name: `"Ligation Sequencing Kit V14"` \u2192 `"Ligation Kit"`' in told.read_text("utf-8")
    assert (checkout / "preview").is_dir()


def test_the_words_are_written_whatever_the_steps_before_say() -> None:
    after = JOB["steps"][[step.get("name") for step in JOB["steps"]].index("Install") + 2 :]

    assert [step["if"] for step in after] == ["${{ !cancelled() }}"] * 5
