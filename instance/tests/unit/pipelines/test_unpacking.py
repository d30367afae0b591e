"""What is unpacked, and what an archive of strangers may not hold."""

import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from seqfacility_instance.pipelines.reference_data.unpacking import (
    ArchiveRefused,
    InsufficientSpace,
    sole_folder,
    unpack,
)


def tar_of(*members: tuple[tarfile.TarInfo, bytes], mode: str = "w:gz") -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode) as archive:  # type: ignore[call-overload]  # a test's word
        for info, content in members:
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def file(name: str, content: bytes = b"x") -> tuple[tarfile.TarInfo, bytes]:
    return tarfile.TarInfo(name), content


def special(name: str, kind: bytes, target: str = "") -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info, b""


def zip_of(*names: str, mode: int = 0) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            archive.writestr(info, b"" if name.endswith("/") else b"content of " + name.encode())
    return stream.getvalue()


def unpacked(tmp_path: Path, name: str, content: bytes, min_free: int = 0) -> Path:
    archive, folder = tmp_path / "content.part", tmp_path / "data"
    archive.write_bytes(content)
    for _ in unpack(archive, name, folder, min_free):
        pass
    return folder


@pytest.mark.parametrize(
    ("name", "mode"),
    [("a.tar", "w:"), ("a.tar.gz", "w:gz"), ("A.TGZ", "w:gz"), ("a.tar.bz2", "w:bz2"), ("a.tar.xz", "w:xz")],
)
def test_each_kind_of_archive_gives_its_files_and_no_modes(tmp_path: Path, name: str, mode: str) -> None:
    odd = tarfile.TarInfo("db/tool")
    odd.mode = 0o4777
    content = tar_of((odd, b"tool"), file("./db/nested/index", b"123"), mode=mode)

    folder = unpacked(tmp_path, name, content)

    assert (folder / "db/nested/index").read_bytes() == b"123"
    assert (folder / "db/tool").stat().st_mode & 0o7777 == 0o640
    assert sole_folder(folder) == "db"


def test_a_zip_archive_gives_its_files(tmp_path: Path) -> None:
    folder = unpacked(tmp_path, "a.zip", zip_of("one.txt", "sub/", "sub/two.txt"))

    assert (folder / "sub/two.txt").read_bytes() == b"content of sub/two.txt"
    assert sole_folder(folder) == ""


HOSTILE: list[tuple[str, Callable[[], bytes], str]] = [
    ("absolute", lambda: tar_of(file("/etc/passwd")), "a.tar.gz"),
    ("above", lambda: tar_of(file("db/../../x")), "a.tar.gz"),
    ("link", lambda: tar_of(special("db", tarfile.SYMTYPE, "/etc"), file("db/x")), "a.tar.gz"),
    ("hard link", lambda: tar_of(file("a"), special("b", tarfile.LNKTYPE, "a")), "a.tar.gz"),
    ("device", lambda: tar_of(special("null", tarfile.CHRTYPE)), "a.tar.gz"),
    ("pipe", lambda: tar_of(special("pipe", tarfile.FIFOTYPE)), "a.tar.gz"),
    ("twice", lambda: tar_of(file("a"), file("./a")), "a.tar.gz"),
    ("file as folder", lambda: tar_of(file("a"), file("a/b")), "a.tar.gz"),
    ("long name", lambda: tar_of(file("n" * 300)), "a.tar.gz"),
    ("no name", lambda: tar_of(file(".")), "a.tar.gz"),
    ("cut off", lambda: tar_of(file("a", bytes(range(256)) * 4000))[:-3000], "a.tar.gz"),
    ("not compressed", lambda: b"no archive at all", "a.tar.gz"),
    ("no zip", lambda: b"PK no archive at all", "a.zip"),
    ("zip above", lambda: zip_of("../x"), "a.zip"),
    ("zip link", lambda: zip_of("link", mode=0o120777), "a.zip"),
    ("zip twice", lambda: zip_of("a", "./a"), "a.zip"),
]


@pytest.mark.parametrize(("make", "name"), [case[1:] for case in HOSTILE], ids=[case[0] for case in HOSTILE])
def test_a_hostile_or_damaged_archive_is_refused_and_writes_nothing_outside(
    tmp_path: Path, make: Callable[[], bytes], name: str
) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()

    with pytest.raises(ArchiveRefused):
        unpacked(inside, name, make())

    assert [path.name for path in tmp_path.iterdir()] == ["inside"]
    assert {path.name for path in inside.iterdir()} <= {"content.part", "data"}


def test_an_archive_that_would_fill_the_disk_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(InsufficientSpace, match="bytes more are needed"):
        unpacked(tmp_path, "a.tar.gz", tar_of(file("a", b"x" * 100)), min_free=1 << 60)
