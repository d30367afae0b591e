"""The files of an output folder, seen without leaving it."""

import hashlib
from pathlib import Path

import pytest
from seqfacility_instance.results.copying import copy_durably
from seqfacility_instance.results.output_folder import TooSlow, list_output_files


def test_files_are_listed_with_their_sizes_and_hidden_ones_are_not(tmp_path: Path) -> None:
    output = tmp_path / "run" / "output"
    (output / "deep" / "er").mkdir(parents=True)
    (output / ".hidden").mkdir()
    (output / "deep" / "er" / "a.txt").write_text("abc")
    (output / ".part").write_text("x")
    (output / ".hidden" / "b.txt").write_text("x")

    assert list_output_files(output).sizes == {"deep/er/a.txt": 3}


def test_links_count_inside_the_run_folder_only(tmp_path: Path) -> None:
    output, work = tmp_path / "run" / "output", tmp_path / "run" / "work"
    output.mkdir(parents=True)
    work.mkdir()
    (work / "real.txt").write_text("abc")
    (tmp_path / "secret.txt").write_text("abc")
    (output / "good.txt").symlink_to(work / "real.txt")
    (output / "bad.txt").symlink_to(tmp_path / "secret.txt")
    (output / "dangling.txt").symlink_to(tmp_path / "nothing")
    (output / "folder").symlink_to(tmp_path)

    assert list_output_files(output).sizes == {"good.txt": 3}


def test_a_missing_folder_is_an_empty_one(tmp_path: Path) -> None:
    assert list_output_files(tmp_path / "nothing").sizes == {}


def test_looking_has_an_end(tmp_path: Path) -> None:
    with pytest.raises(TooSlow):
        list_output_files(tmp_path, seconds=-1.0)


@pytest.mark.parametrize("by_link", [False, True])
def test_a_copy_replaces_what_a_crash_left_and_leaves_no_draft(tmp_path: Path, by_link: bool) -> None:
    source, target = tmp_path / "source", tmp_path / "new" / "target"
    source.write_bytes(b"reads")
    target.parent.mkdir()
    target.write_bytes(b"half")

    copied = copy_durably(source, target, by_link)

    assert target.read_bytes() == b"reads"
    assert (copied.size, copied.md5) == (5, hashlib.md5(b"reads").hexdigest())  # noqa: S324
    assert [path.name for path in target.parent.iterdir()] == ["target"]
    assert source.read_bytes() == b"reads"
