"""The run folder's files and what a child process gets to see."""

from pathlib import Path

import pytest
from seqfacility_workflow_runtime.environment import child_environment
from seqfacility_workflow_runtime.launch import read_exit, read_launch_order, read_supervisor, write_exit
from seqfacility_workflow_runtime.run_folder import RunFolder, write_durably, write_json


def test_a_run_folder_is_made_once(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "runs" / "QC-20260302-001")

    folder.create()

    assert folder.logs.is_dir()
    assert folder.output.is_dir()
    assert folder.work.is_dir()
    with pytest.raises(FileExistsError):
        folder.create()


def test_files_that_hold_a_token_are_hidden(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)

    hidden = (folder.events_target, folder.launch_order, folder.identity, folder.claim("t"), folder.cancelled)
    assert all(path.name.startswith(".") for path in hidden)


def test_a_written_file_replaces_the_old_one_and_leaves_no_draft(tmp_path: Path) -> None:
    path = tmp_path / "exit.json"
    write_durably(path, b"old")

    write_durably(path, b"new", 0o600)

    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["exit.json"]


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    path.mkdir()

    with pytest.raises(OSError, match="directory"):
        write_durably(path, b"new")

    assert [one.name for one in tmp_path.iterdir()] == ["folder"]


def test_an_exit_record_is_read_back(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)

    write_exit(folder, 3)

    recorded = read_exit(folder)
    assert recorded is not None
    assert recorded.exit_code == 3
    assert recorded.finished_at is not None
    assert folder.exit_record.read_text().rstrip().endswith('Z"\n}')


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"exitCode": "0"}', '{"exitCode": 1.5}', "null"])
def test_a_damaged_document_is_no_document(tmp_path: Path, text: str) -> None:
    folder = RunFolder(tmp_path)
    for path in (folder.exit_record, folder.identity, folder.launch_order):
        path.write_text(text)

    assert read_exit(folder) is None
    assert read_supervisor(folder) is None
    assert read_launch_order(folder) is None


def test_any_text_survives_a_json_file(tmp_path: Path) -> None:
    path = tmp_path / "params.json"

    write_json(path, {"name": "Grün 'x' \u2028"})

    assert "Grün" in path.read_text(encoding="utf-8")


def test_a_child_sees_the_allow_list_and_nothing_else() -> None:
    own = {
        "HOME": "/home/ann",
        "PATH": "/usr/bin",
        "NXF_OFFLINE": "true",
        "SLURM_CONF": "/etc/slurm.conf",
        "SEQFACILITY_DATABASE_URL": "secret",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "LD_PRELOAD": "x.so",
        "PYTHONPATH": "/x",
        "NXFX": "x",
    }

    chosen = child_environment(own, {"EXTRA": "1"})

    assert set(chosen) == {"HOME", "PATH", "NXF_OFFLINE", "SLURM_CONF", "EXTRA"}
    assert chosen["PATH"].endswith(":/usr/bin")
