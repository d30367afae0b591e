"""The run folder's files and what a child process gets to see."""

import os
from pathlib import Path

import pytest
from seqfacility_testkit.hostile_run_folders import make_deep_folder
from seqfacility_workflow_runtime.environment import child_environment
from seqfacility_workflow_runtime.launch import (
    ExitRecord,
    read_exit,
    read_launch_order,
    read_supervisor,
    write_exit,
)
from seqfacility_workflow_runtime.run_folder import RunFolder, remove_folder, write_durably, write_json


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


def test_a_folder_is_removed_however_deep_it_is_and_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "reads").touch()
    folder = tmp_path / "run"
    for name in ("work", "output"):
        (folder / name / "more").mkdir(parents=True)
        (folder / name / "more" / "link").symlink_to(tmp_path / "kept")
        (folder / name / "more" / "file").touch()
        make_deep_folder(folder / name, levels=1_200)
    os.mkfifo(folder / "fifo")

    remove_folder(folder)

    assert not folder.exists()
    assert (tmp_path / "kept" / "reads").exists()


def test_removing_a_folder_that_is_gone_does_nothing(tmp_path: Path) -> None:
    remove_folder(tmp_path / "gone")


def test_an_exit_record_is_read_back(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)

    write_exit(folder, 3)

    recorded = read_exit(folder)
    assert recorded is not None
    assert recorded.exit_code == 3
    assert recorded.finished_at is not None
    assert folder.exit_record.read_text().rstrip().endswith('Z"\n}')


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "{}", "null", "[" * 100_000),
        *('{"exitCode": "0"}', '{"exitCode": 1.5}', '{"exitCode": false}', '{"exitCode": 2147483648}'),
    ],
)
def test_a_damaged_document_is_no_document(tmp_path: Path, text: str) -> None:
    folder = RunFolder(tmp_path)
    for path in (folder.exit_record, folder.identity, folder.launch_order):
        path.write_text(text)

    assert read_exit(folder) is None
    assert read_supervisor(folder) is None
    assert read_launch_order(folder) is None


@pytest.mark.parametrize(
    "text", ["", "yesterday", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-12:00", "\\ud800"]
)
def test_an_end_without_a_timestamp_is_an_end_all_the_same(tmp_path: Path, text: str) -> None:
    folder = RunFolder(tmp_path)
    folder.exit_record.write_text(f'{{"exitCode": 3, "finishedAt": "{text}"}}')

    assert read_exit(folder) == ExitRecord(3, None)


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
