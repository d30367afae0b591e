"""The data base path as slices use it: configured or refused, with the answers that G118 names."""

from pathlib import Path

from seqfacility_instance.core.data_folder import (
    NotRegularFile,
    PathRefused,
    check_relative_path,
    open_file,
)
from seqfacility_instance.facility_settings.sections import StorageSection
from seqfacility_instance.reads.errors import (
    DataBasePathNotConfigured,
    FileMissing,
    FileNotRegular,
    InvalidFilePath,
)


def data_root(storage: StorageSection) -> Path:
    """Return the data base path; raises `DataBasePathNotConfigured`. Decision: G118."""
    if storage.data_base_path is None:
        raise DataBasePathNotConfigured
    return Path(storage.data_base_path)


def stored_path(text: str) -> str:
    """Return a path of a request as paths are stored; raises `InvalidFilePath`. Decision: G118."""
    try:
        return check_relative_path(text)
    except PathRefused as refused:
        raise InvalidFilePath from refused


def open_stored(root: Path, path: str) -> int:
    """Open a stored path for reading; raises `InvalidFilePath`, `FileMissing` or `FileNotRegular`.

    Decision: G118, G120.
    """
    try:
        return open_file(root, path)
    except PathRefused as refused:
        raise InvalidFilePath from refused
    except NotRegularFile as refused:
        raise FileNotRegular from refused
    except (FileNotFoundError, PermissionError) as missing:
        raise FileMissing from missing
