"""Files are opened beneath their root or not at all."""

import errno
import os
import threading
from pathlib import Path

import pytest
from seqfacility_instance.core import data_folder
from seqfacility_instance.core.data_folder import (
    NotRegularFile,
    PathRefused,
    check_relative_path,
    opened_file,
    remove_file,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    (root / "reads").mkdir(parents=True)
    (root / "reads" / "a.fastq").write_text("inside")
    (tmp_path / "secret").write_text("outside")
    return root


@pytest.fixture(params=["openat2", "walk"])
def opener(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Once with the system call, once as on a kernel that does not know it."""

    def unknown_call(_root_fd: int, _path: str, _flags: int) -> int:
        raise OSError(errno.ENOSYS, "no such call")

    if request.param == "walk":
        monkeypatch.setattr(data_folder, "_openat2", unknown_call)
    return str(request.param)


def content(root: Path, path: str) -> str:
    with opened_file(root, path) as descriptor:
        return os.pread(descriptor, 100, 0).decode()


@pytest.mark.parametrize(
    "path",
    [
        *("", ".", "./", "/etc/passwd", "//etc", "..", "a/../b", "a/.."),
        *(".hidden", "a/.tmp/b", "a\\b", "a\0b", "\udc80"),
    ],
)
def test_a_path_that_breaks_the_rule_is_refused(path: str) -> None:
    with pytest.raises(PathRefused):
        check_relative_path(path)


@pytest.mark.parametrize(
    ("path", "stored"),
    [
        ("a/b.txt", "a/b.txt"),
        ("a//b.txt", "a/b.txt"),
        ("./a/./b.txt", "a/b.txt"),
        ("a/b..txt", "a/b..txt"),
        ("A/é", "A/é"),
    ],
)
def test_an_allowed_path_is_collapsed_and_otherwise_kept(path: str, stored: str) -> None:
    assert check_relative_path(path) == stored


@pytest.mark.usefixtures("opener")
class TestOpening:
    def test_a_file_is_opened(self, root: Path) -> None:
        assert content(root, "reads/a.fastq") == "inside"

    def test_a_root_that_is_a_link_is_followed(self, root: Path, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to(root)

        assert content(tmp_path / "link", "reads/a.fastq") == "inside"

    def test_a_relative_link_that_stays_beneath_is_followed(self, root: Path) -> None:
        (root / "reads" / "link").symlink_to("../reads/a.fastq")

        assert content(root, "reads/link") == "inside"

    def test_an_absolute_link_that_points_beneath_is_followed(self, root: Path) -> None:
        (root / "link").symlink_to(root / "reads")

        assert content(root, "link/a.fastq") == "inside"

    @pytest.mark.parametrize("target", ["../../secret", "/etc/hostname", "../reads/../../secret"])
    def test_a_link_that_leaves_is_refused(self, root: Path, target: str) -> None:
        (root / "reads" / "link").symlink_to(target)

        with pytest.raises(PathRefused):
            content(root, "reads/link")

    def test_a_folder_link_that_leaves_is_refused(self, root: Path) -> None:
        (root / "out").symlink_to("..")

        with pytest.raises(PathRefused):
            content(root, "out/secret")

    def test_a_neighbour_whose_name_begins_like_the_root_is_outside(self, root: Path) -> None:
        neighbour = root.with_name("data2")
        neighbour.mkdir()
        (neighbour / "file").write_text("outside")
        (root / "link").symlink_to(neighbour / "file")

        with pytest.raises(PathRefused):
            content(root, "link")

    @pytest.mark.parametrize("path", ["reads/none", "none/none", "reads/a.fastq/x", "reads/" + "x" * 300])
    def test_what_does_not_exist_is_missing(self, root: Path, path: str) -> None:
        with pytest.raises(FileNotFoundError):
            content(root, path)

    def test_a_folder_is_not_a_regular_file(self, root: Path) -> None:
        with pytest.raises(NotRegularFile):
            content(root, "reads")

    def test_a_pipe_is_not_a_regular_file_and_does_not_block(self, root: Path) -> None:
        os.mkfifo(root / "pipe")

        with pytest.raises(NotRegularFile):
            content(root, "pipe")

    def test_a_link_that_points_to_itself_is_refused(self, root: Path) -> None:
        (root / "loop").symlink_to("loop")

        with pytest.raises((PathRefused, FileNotFoundError)):
            content(root, "loop")

    def test_removing_removes_the_file(self, root: Path) -> None:
        remove_file(root, "reads/a.fastq")

        assert not (root / "reads" / "a.fastq").exists()

    def test_removing_a_link_leaves_its_target(self, root: Path) -> None:
        (root / "link").symlink_to("reads/a.fastq")

        remove_file(root, "link")

        assert not (root / "link").is_symlink()
        assert (root / "reads" / "a.fastq").exists()

    def test_removing_through_a_folder_link_that_leaves_is_refused(self, root: Path) -> None:
        (root / "out").symlink_to("..")

        with pytest.raises(PathRefused):
            remove_file(root, "out/secret")
        assert (root.parent / "secret").exists()

    def test_no_descriptor_is_left_open(self, root: Path) -> None:
        def attempt(path: str) -> None:
            with pytest.raises((PathRefused, FileNotFoundError, NotRegularFile)):
                content(root, path)

        (root / "link").symlink_to("../secret")
        before = len(list(Path("/proc/self/fd").iterdir()))

        for path in ("link", "none", "reads", "reads/none"):
            attempt(path)
        content(root, "reads/a.fastq")

        assert len(list(Path("/proc/self/fd").iterdir())) == before

    def test_a_folder_that_is_swapped_for_a_link_meanwhile_never_leads_out(self, root: Path) -> None:
        outside = root.parent / "outside"
        outside.mkdir()
        (outside / "a.fastq").write_text("outside")
        (root / "link").symlink_to(outside)
        done = threading.Event()

        def swap() -> None:
            while not done.is_set():
                (root / "reads").rename(root / "aside")
                (root / "link").rename(root / "reads")
                (root / "reads").rename(root / "link")
                (root / "aside").rename(root / "reads")

        swapper = threading.Thread(target=swap)
        swapper.start()
        try:
            seen = {read_or_refusal(root, "reads/a.fastq") for _ in range(3000)}
        finally:
            done.set()
            swapper.join()

        assert seen <= {"inside", "refused"}


def read_or_refusal(root: Path, path: str) -> str:
    try:
        return content(root, path)
    except (PathRefused, FileNotFoundError):
        return "refused"
