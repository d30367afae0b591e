"""The files of an output folder, seen without leaving it."""

import errno
import os
from pathlib import Path

import pytest
from seqfacility_instance.results.output_folder import MAX_PATH_BYTES, OutputFiles, TooSlow, list_output_files
from seqfacility_testkit.hostile_run_folders import make_deep_folder


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
    (output / "loop").symlink_to("loop")

    found = list_output_files(output)

    assert found.sizes == {"good.txt": 3}
    assert found.warnings == (
        "Left out, links that lead out of the run folder or nowhere (4): bad.txt, dangling.txt, folder, loop",
    )
    assert found.errors == ()


def test_a_linked_folder_of_the_run_is_looked_through_once(tmp_path: Path) -> None:
    output, work = tmp_path / "run" / "output", tmp_path / "run" / "work" / "zz"
    (output / "own").mkdir(parents=True)
    work.mkdir(parents=True)
    (work / "bam").write_text("abc")
    (output / "own" / "vcf").write_text("abcd")
    (output / "a-latest").symlink_to("own")
    (output / "linked").symlink_to(work)
    (output / "linked-again").symlink_to(work)
    (work / "back").symlink_to(output)

    found = list_output_files(output)

    assert sorted(found.sizes.values()) == [3, 4]
    assert "own/vcf" in found.sizes
    assert found.warnings == ()


def test_an_output_folder_that_leads_out_of_the_run_folder_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "secret.txt").write_text("abc")
    (tmp_path / "run" / "output").symlink_to(tmp_path)

    found = list_output_files(tmp_path / "run" / "output")

    assert found.sizes == {}
    assert "output" in found.warnings[0]


def test_what_cannot_be_stored_or_is_no_file_is_left_out_with_a_warning(tmp_path: Path) -> None:
    output = tmp_path / "run" / "output"
    output.mkdir(parents=True)
    for number in range(6):
        (output / os.fsdecode(b"bad-%d\xff" % number)).touch()
    (output / "no\u00a0break.txt").touch()
    os.mkfifo(output / "fifo")

    found = list_output_files(output)

    assert found.sizes == {}
    names, others = found.warnings
    assert names == (
        r"Left out, names that cannot be stored (7): bad-0\udcff, bad-1\udcff, bad-2\udcff, bad-3\udcff, "
        r"bad-4\udcff, ..."
    )
    assert others == "Left out, what is neither a file nor a folder (1): fifo"


@pytest.mark.parametrize(("size", "is_taken"), [(MAX_PATH_BYTES, True), (MAX_PATH_BYTES + 1, False)])
def test_a_path_that_no_index_of_a_database_holds_is_left_out(
    tmp_path: Path, size: int, is_taken: bool
) -> None:
    folder = tmp_path / "run" / "output"
    for _ in range(19):
        folder = folder / ("d" * 99)
    folder.mkdir(parents=True)
    (folder / ("f" * (size - 19 * 100))).touch()

    found = list_output_files(tmp_path / "run" / "output")

    assert [len(path) for path in found.sizes] == ([size] if is_taken else [])
    assert len(found.warnings) == (0 if is_taken else 1)


def test_folders_deeper_than_any_path_are_left_out_with_a_warning(tmp_path: Path) -> None:
    output = tmp_path / "run" / "output"
    output.mkdir(parents=True)
    (output / "result.txt").write_text("abc")
    make_deep_folder(output)

    found = list_output_files(output)

    assert found.sizes == {"result.txt": 3}
    assert len(found.warnings) == 1


def test_a_folder_that_cannot_be_read_costs_only_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "run" / "output"
    (output / "locked").mkdir(parents=True)
    (output / "result.txt").write_text("abc")
    refuse_to_scan(monkeypatch, output / "locked")

    found = list_output_files(output)

    assert found.sizes == {"result.txt": 3}
    assert found.warnings == ("Left out, files and folders that could not be read (1): locked",)


def test_an_output_folder_that_cannot_be_read_is_not_an_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "run" / "output"
    output.mkdir(parents=True)
    refuse_to_scan(monkeypatch, output)

    assert list_output_files(output).errors == ("The output folder cannot be read: Permission denied",)
    assert list_output_files(tmp_path / "away" / "output").errors == ("The run folder is not there",)


def refuse_to_scan(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let a folder refuse to be listed, also when root asks."""
    scan = os.scandir

    def refuse(path: Path) -> object:
        if path == folder:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)


def test_a_missing_folder_is_an_empty_one(tmp_path: Path) -> None:
    assert list_output_files(tmp_path / "nothing") == OutputFiles({})


def test_looking_has_an_end(tmp_path: Path) -> None:
    with pytest.raises(TooSlow):
        list_output_files(tmp_path, seconds=-1.0)
