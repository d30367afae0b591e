"""Putting a complete temp file in its final place: never over another file, repeatable after any crash.

The final name is a second link to the temp file. So a crash leaves both names or one, the same inode tells
our own file from a foreign one, and the temp file goes only after the database knows the final path.
Across file systems a copy takes the part of the temp file; where there are no links, `linkless` its own way.
"""

import contextlib
import errno
import os
from collections.abc import Callable
from pathlib import Path

from seqfacility_instance.core.data_folder import FILE_MODE, PathRefused, made_folder, opened_folder
from seqfacility_instance.tables.sequencing import SequencingUpload
from seqfacility_instance.uploads import linkless
from seqfacility_instance.uploads.errors import NotEnoughSpace
from seqfacility_instance.uploads.part_file import is_full
from seqfacility_instance.uploads.rules import final_names


def place(root: Path, upload: SequencingUpload, folder_path: str, is_known: Callable[[str], bool]) -> str:
    """Link the temp file to a final name in `folder_path`, durably; return the stored path.

    `is_known` tells whether a row refers to a path already: then its name is taken, with a file there or
    not. Raises `NotEnoughSpace`.

    Decision: G102, G103, G270.
    """
    temp_path, _, temp_name = upload.temp_path.rpartition("/")
    try:
        with opened_folder(root, temp_path) as source, made_folder(root, folder_path) as target:
            for name in final_names(upload.id, upload.original_name):
                path = f"{folder_path}/{name}"
                if not is_known(path) and _link(source, temp_name, target, name, upload.id):
                    os.fsync(target)
                    return path
    except OSError as refused:
        if is_full(refused):
            raise NotEnoughSpace from refused
        raise
    raise AssertionError(f"both final names of upload {upload.id} are taken")


def withdraw(root: Path, upload: SequencingUpload, folder_path: str) -> None:
    """Take back a final name that no row refers to: that of a completion which did not come to its end.

    Only names of this session's own file go. Decision: G102, G105, G328.
    """
    temp_path, _, temp_name = upload.temp_path.rpartition("/")
    with contextlib.suppress(FileNotFoundError, PathRefused), opened_folder(root, folder_path) as target:
        own = _inode(target, _copy_name(upload.id))
        with contextlib.suppress(FileNotFoundError, PathRefused), opened_folder(root, temp_path) as source:
            own |= _inode(source, temp_name)
        for name in final_names(upload.id, upload.original_name):
            if _inode(target, name) & own or _is_ours_without_links(target, name, upload.id):
                os.unlink(name, dir_fd=target)
        _forget_copy(target, upload.id)
        os.fsync(target)


def tidy(root: Path, folder_path: str, upload_id: str) -> None:
    """Remove what a completion across file systems, or without links, leaves beside the final file."""
    with contextlib.suppress(FileNotFoundError, PathRefused), opened_folder(root, folder_path) as target:
        _forget_copy(target, upload_id)


def _link(source: int, temp_name: str, target: int, name: str, upload_id: str) -> bool:
    """Link the temp file to `name`; False when the name belongs to another file."""
    if _inode(target, name) & (_inode(source, temp_name) | _inode(target, _copy_name(upload_id))):
        return True
    if linkless.is_published(target, name, upload_id):
        return True
    try:
        os.link(temp_name, name, src_dir_fd=source, dst_dir_fd=target, follow_symlinks=False)
    except FileExistsError:
        is_reserved = linkless.is_reserved(target, name, upload_id)
        return is_reserved and _link_copy(source, temp_name, target, name, upload_id)
    except OSError as refused:
        if refused.errno not in linkless.LINKLESS | {errno.EXDEV}:
            raise
        return _link_copy(source, temp_name, target, name, upload_id)
    return True


def _link_copy(source: int, temp_name: str, target: int, name: str, upload_id: str) -> bool:
    """Link a copy: temp and final folder lie on different file systems, or on one without links."""
    copy_name = _copy_name(upload_id)
    _forget_copy(target, upload_id)
    try:
        _copy(source, temp_name, target, copy_name)
        return _publish_copy(target, copy_name, name, upload_id)
    except OSError:
        _forget_copy(target, upload_id)
        raise


def _publish_copy(target: int, copy_name: str, name: str, upload_id: str) -> bool:
    try:
        os.link(copy_name, name, src_dir_fd=target, dst_dir_fd=target, follow_symlinks=False)
    except FileExistsError:
        return linkless.is_reserved(target, name, upload_id) and linkless.publish(
            target, copy_name, name, upload_id
        )
    except OSError as refused:
        if refused.errno not in linkless.LINKLESS:
            raise
        return linkless.publish(target, copy_name, name, upload_id)
    return True


def _is_ours_without_links(target: int, name: str, upload_id: str) -> bool:
    is_published = linkless.is_published(target, name, upload_id)
    return is_published or linkless.is_reserved(target, name, upload_id)


def _copy(source: int, temp_name: str, target: int, copy_name: str) -> None:
    read_end = os.open(temp_name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=source)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(read_end, "rb", buffering=0) as original:  # noqa: PTH123  # a descriptor, not a path
        write_end = os.open(copy_name, flags, FILE_MODE, dir_fd=target)
        with open(write_end, "wb", buffering=0) as copy:  # noqa: PTH123  # the same
            left = os.fstat(original.fileno()).st_size
            while left:
                left -= os.sendfile(copy.fileno(), original.fileno(), None, left)
            os.fsync(copy.fileno())


def _copy_name(upload_id: str) -> str:
    return f".{upload_id}.part"


def _forget_copy(target: int, upload_id: str) -> None:
    linkless.forget(target, upload_id)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(_copy_name(upload_id), dir_fd=target)


def _inode(folder: int, name: str) -> set[tuple[int, int]]:
    """Return the identity of a file as a set of one; empty when there is none."""
    try:
        facts = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return set()
    return {(facts.st_dev, facts.st_ino)}
