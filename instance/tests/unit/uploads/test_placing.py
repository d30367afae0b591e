"""Final names: never over another file, found again after a crash at any point."""

import errno
import os
from pathlib import Path

import pytest
from seqfacility_instance.core.vocabulary.sequencing import UploadKind
from seqfacility_instance.tables.sequencing import SequencingUpload
from seqfacility_instance.uploads import final_place, temp_files

FOLDER = "orders/o1/reads/S-1"
CONTENT = b"@r\nA\n+\nI\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


def refuse_links_between_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let link(2) answer as it does between two file systems."""
    plain_link = os.link

    def link(source: str, target: str, *, src_dir_fd: int, dst_dir_fd: int, follow_symlinks: bool) -> None:
        if src_dir_fd != dst_dir_fd:
            raise OSError(errno.EXDEV, "another file system")
        plain_link(
            source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd, follow_symlinks=follow_symlinks
        )

    monkeypatch.setattr(os, "link", link)


def refuse_links(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let link(2) answer as it does where there are no links: a taken name is told first."""

    def link(_source: str, target: str, *, dst_dir_fd: int, **_: object) -> None:
        if target in os.listdir(dst_dir_fd):
            raise FileExistsError(errno.EEXIST, "taken")
        raise PermissionError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", link)


@pytest.fixture(params=["one file system", "two file systems", "link(2) refused"])
def upload(root: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> SequencingUpload:
    """Return a session with its bytes, where links are as the parameter says."""
    if request.param == "two file systems":
        refuse_links_between_folders(monkeypatch)
    elif request.param == "link(2) refused":
        refuse_links(monkeypatch)
    session = SequencingUpload(
        id="u1",
        order="o1",
        target_kind=UploadKind.READ,
        original_name="a.fastq",
        temp_path="orders/o1/.tmp/u1/a.fastq",
    )
    temp_files.create(root, session)
    (root / session.temp_path).write_bytes(CONTENT)
    return session


def place(root: Path, upload: SequencingUpload, *known: str) -> str:
    return final_place.place(root, upload, FOLDER, known.__contains__)


def files(root: Path) -> dict[str, bytes]:
    folder = root / FOLDER
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {}


def test_the_file_gets_its_own_name(root: Path, upload: SequencingUpload) -> None:
    assert place(root, upload) == f"{FOLDER}/a.fastq"
    final_place.tidy(root, FOLDER, upload.id)

    assert files(root) == {"a.fastq": CONTENT}


def test_a_foreign_file_of_that_name_stays(root: Path, upload: SequencingUpload) -> None:
    (root / FOLDER).mkdir(parents=True)
    (root / FOLDER / "a.fastq").write_bytes(b"foreign")

    assert place(root, upload) == f"{FOLDER}/u1-a.fastq"
    final_place.tidy(root, FOLDER, upload.id)
    assert files(root) == {"a.fastq": b"foreign", "u1-a.fastq": CONTENT}


def test_a_name_that_a_record_has_is_taken(root: Path, upload: SequencingUpload) -> None:
    assert place(root, upload, f"{FOLDER}/a.fastq") == f"{FOLDER}/u1-a.fastq"


def test_placing_again_after_a_crash_finds_the_same_name(root: Path, upload: SequencingUpload) -> None:
    first = place(root, upload)

    assert place(root, upload) == first
    final_place.tidy(root, FOLDER, upload.id)
    assert files(root) == {"a.fastq": CONTENT}


def test_half_a_copy_that_a_crash_left_is_made_again(root: Path, upload: SequencingUpload) -> None:
    (root / FOLDER).mkdir(parents=True)
    (root / FOLDER / ".u1.part").write_bytes(CONTENT[:2])

    place(root, upload)
    final_place.tidy(root, FOLDER, upload.id)

    assert files(root) == {"a.fastq": CONTENT}


def test_withdrawing_takes_back_our_name_and_no_other(root: Path, upload: SequencingUpload) -> None:
    (root / FOLDER).mkdir(parents=True)
    (root / FOLDER / "a.fastq").write_bytes(b"foreign")
    place(root, upload)

    final_place.withdraw(root, upload, FOLDER)

    assert files(root) == {"a.fastq": b"foreign"}
    assert (root / upload.temp_path).read_bytes() == CONTENT


def test_withdrawing_what_was_never_placed_does_nothing(root: Path, upload: SequencingUpload) -> None:
    final_place.withdraw(root, upload, FOLDER)

    assert files(root) == {}


def test_a_temp_folder_goes_with_its_files(root: Path, upload: SequencingUpload) -> None:
    assert temp_files.remove(root, "o1", "u1") is True
    assert temp_files.remove(root, "o1", "u1") is False
    assert not (root / "orders/o1/.tmp/u1").exists()
