"""What a launch has left is put aside before the next one begins in its folder."""

from pathlib import Path

import pytest
from seqfacility_workflow_runtime.executors.contract import Job, LaunchFailed
from seqfacility_workflow_runtime.executors.preparation import prepare_launch
from seqfacility_workflow_runtime.launch import (
    forbid_launch,
    is_launched_as,
    read_exit,
    read_launch_order,
    read_supervisor,
    retire_launch,
    write_exit,
    write_job_number,
)
from seqfacility_workflow_runtime.run_folder import RunFolder


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    folder = RunFolder(tmp_path / "MAG-20260302-001")
    folder.create()
    prepare_launch(Job("r1", folder, "a" * 32, ("true",)))
    folder.claim("a" * 32).mkdir()
    write_job_number(folder, "17")
    write_exit(folder, 1)
    forbid_launch(folder)
    folder.output_log.write_text("first\n")
    folder.trace.write_text("trace\n")
    return folder


def test_the_next_launch_finds_nothing_of_the_one_before(folder: RunFolder) -> None:
    with pytest.raises(LaunchFailed):
        prepare_launch(Job("r1", folder, "b" * 32, ("true",)))

    retire_launch(folder, 1, [folder.trace])

    assert (read_exit(folder), read_launch_order(folder), read_supervisor(folder)) == (None, None, None)
    assert not folder.cancelled.exists()
    assert not folder.trace.exists()
    assert not list(folder.path.glob(".claim-*"))
    assert prepare_launch(Job("r1", folder, "b" * 32, ("true",)))
    assert is_launched_as(folder, "b" * 32)
    assert not is_launched_as(folder, "a" * 32)
    assert (folder.logs / "pipeline.1.out").read_text() == "first\n"
    assert (folder.path / "trace.1.txt").read_text() == "trace\n"
    kept = {path.name for path in (folder.path / ".launches/1").iterdir()}
    assert kept == {".launch.json", ".slurm.json", ".cancelled", "exit.json", f".claim-{'a' * 32}"}


def test_putting_aside_may_be_repeated(folder: RunFolder) -> None:
    retire_launch(folder, 1)
    retire_launch(folder, 1)
    retire_launch(folder, 2)

    assert (folder.logs / "pipeline.1.out").read_text() == "first\n"
    assert not (folder.logs / "pipeline.2.out").exists()
