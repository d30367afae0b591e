"""Where the temp file of a session lies, and how it comes and goes."""

import contextlib
import fcntl
import os
from datetime import datetime, timedelta
from pathlib import Path

from seqfacility_instance.core.data_folder import FILE_MODE, PathRefused, made_folder, opened_folder
from seqfacility_instance.core.vocabulary.sequencing import UploadStatus
from seqfacility_instance.tables.sequencing import SequencingUpload
from seqfacility_instance.uploads.rules import CLOSED, temp_folder
from seqfacility_instance.uploads.store import Receiving

JUST_NOW = timedelta(seconds=5)


def create(root: Path, upload: SequencingUpload | Receiving) -> None:
    """Make the empty temp file and its folders, durably; one that exists stays as it is. Decision: G97."""
    folder_path, _, name = upload.temp_path.rpartition("/")
    with made_folder(root, folder_path) as folder:
        file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE, dir_fd=folder)
        try:
            os.fsync(file)
        finally:
            os.close(file)
        os.fsync(folder)


def open_for_writing(root: Path, upload: SequencingUpload | Receiving) -> int:
    """Open the temp file; raises `FileNotFoundError` when it is gone. The caller closes it."""
    folder_path, _, name = upload.temp_path.rpartition("/")
    with opened_folder(root, folder_path) as folder:
        return os.open(name, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)


def is_receiving(root: Path, upload: SequencingUpload, now: datetime) -> bool:
    """Return whether somebody sends to a session: a chunk is under way, or one arrived just now.

    Decision: G638.
    """
    if upload.status in CLOSED:
        return False
    if upload.status is not UploadStatus.PENDING and now - upload.updated_at < JUST_NOW:
        return True
    return is_being_written(root, upload)


def is_being_written(root: Path, upload: SequencingUpload) -> bool:
    """Return whether a request holds the temp file of a session; it is not waited for."""
    try:
        file = open_for_writing(root, upload)
    except (OSError, PathRefused):
        return False
    try:
        # WHY: shared, so that two who look do not take each other for a writer.
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


def remove(root: Path, order_id: str, upload_id: str) -> bool:
    """Remove the temp folder of a session with the files in it; False when there is none.

    Nothing beyond the folder is touched, and no link is followed.

    Decision: G105, G106.
    """
    try:
        parent_path, _, name = temp_folder(order_id, upload_id).rpartition("/")
        with opened_folder(root, parent_path) as parent:
            with opened_folder(root, f"{parent_path}/{name}") as folder:
                with os.scandir(folder) as entries:
                    names = [entry.name for entry in entries]
                for entry_name in names:
                    with contextlib.suppress(OSError):
                        os.unlink(entry_name, dir_fd=folder)
            with contextlib.suppress(OSError):
                os.rmdir(name, dir_fd=parent)
    except (FileNotFoundError, NotADirectoryError, PathRefused):
        return False
    return True
