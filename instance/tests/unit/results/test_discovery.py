"""What discovery scripts answer, and what is made of it."""

from pathlib import Path

import pytest
from seqfacility_instance.results.discovery import Findings, run_discovery
from seqfacility_instance.results.output_folder import TooSlow


def discover(folder: Path, script: str, seconds: float | None = None) -> Findings:
    path = folder / "discover.py"
    path.write_text(script)
    return run_discovery([path], folder, [], {"a.txt": 1}, {"S-1": 0}, seconds)


@pytest.mark.parametrize(
    "answer",
    [
        '{"files": [{"path": [], "output": {}, "sample": []}]}',
        '{"files": [{"path": "a.txt", "output": "x", "sample": ["S-1"]}]}',
        '{"files": [[], null, 1]}',
    ],
)
def test_a_file_that_makes_no_sense_is_left_out_with_a_warning(tmp_path: Path, answer: str) -> None:
    findings = discover(tmp_path, f"print({answer!r})")

    assert findings.found == []
    assert set(findings.warnings) == {"discover.py: names a file that cannot be taken"}


@pytest.mark.parametrize("answer", ["", "{", "[" * 100_000, "\\ud800"])
def test_an_answer_that_is_no_json_is_an_error(tmp_path: Path, answer: str) -> None:
    assert discover(tmp_path, f"print({answer!r})").errors == ["discover.py: its answer is no JSON"]


def test_a_script_whose_run_folder_is_gone_is_an_error(tmp_path: Path) -> None:
    script = tmp_path / "discover.py"
    script.touch()

    findings = run_discovery([script], tmp_path / "gone", [], {}, {}, None)

    assert findings.errors == ["discover.py: it could not be started"]


def test_a_script_that_is_slower_than_its_caller_can_wait_says_nothing_of_the_run(tmp_path: Path) -> None:
    with pytest.raises(TooSlow):
        discover(tmp_path, "import time; time.sleep(60)", seconds=0.2)
