"""Copies that are whole or not there, and the folder in which they are made."""

import hashlib
import threading
from pathlib import Path

import pytest
from seqfacility_instance.results.copying import Part, copy_durably, only_worker_in
from seqfacility_testkit.waiting import wait_until


@pytest.mark.parametrize("by_link", [False, True])
def test_a_copy_replaces_what_a_crash_left_and_leaves_no_draft(tmp_path: Path, by_link: bool) -> None:
    source, target = tmp_path / "source", tmp_path / "new" / "target"
    source.write_bytes(b"reads")
    target.parent.mkdir()
    target.write_bytes(b"half")

    with only_worker_in(tmp_path / "drafts"):
        copied = copy_durably([Part(tmp_path, "source", 5)], target, tmp_path / "drafts", by_link)

    assert target.read_bytes() == b"reads"
    assert (copied.state.size, copied.digest.md5) == (5, hashlib.md5(b"reads").hexdigest())  # noqa: S324
    assert [path.name for path in target.parent.iterdir()] == ["target"]
    assert source.read_bytes() == b"reads"


def test_what_a_killed_worker_left_is_removed_and_nothing_stays(tmp_path: Path) -> None:
    folder = tmp_path / "orders" / "drafts"
    folder.mkdir(parents=True)
    (folder / "lock").touch()
    (folder / "half a copy").write_bytes(b"reads")

    with only_worker_in(folder):
        assert [path.name for path in folder.iterdir()] == ["lock"]
        (folder / "draft").touch()
        (folder / "draft").rename(tmp_path / "copy")

    assert not folder.exists()


def test_a_folder_in_which_somebody_works_is_left_alone(tmp_path: Path) -> None:
    with only_worker_in(tmp_path / "drafts"):
        (tmp_path / "drafts" / "draft").touch()
        with pytest.raises(BlockingIOError), only_worker_in(tmp_path / "drafts", waits=False):
            pass

        assert (tmp_path / "drafts" / "draft").exists()


def test_many_work_one_after_the_other(tmp_path: Path) -> None:
    folder, inside, most = tmp_path / "drafts", list[int](), list[int]()

    def work() -> None:
        for _ in range(20):
            with only_worker_in(folder):
                inside.append(1)
                most.append(len(inside))
                (folder / "draft").touch(exist_ok=False)
                (folder / "draft").unlink()
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert most == [1] * 160
    wait_until(lambda: not folder.exists(), "the folder is gone")
