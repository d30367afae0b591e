"""What lies below the data folder and may be linked to the samples of an order."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.access.opened import OrderFor
from seqfacility_instance.core.data_folder import PathRefused
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.orders.rules import check_sequencing_allowed
from seqfacility_instance.reads import store
from seqfacility_instance.reads.data_base import data_root, stored_path
from seqfacility_instance.reads.errors import FolderMissing, InvalidFilePath
from seqfacility_instance.reads.on_disk import Listing, list_folder
from seqfacility_instance.reads.rules import has_extension


@dataclass(frozen=True, slots=True)
class ListedFolder:
    """A folder, what is in it, and which files are those of reads already, by path."""

    folder: str
    listing: Listing
    users: Mapping[str, store.FileUser]


@dataclass(frozen=True, slots=True)
class FilesOnDisk:
    """Lists them."""

    facility: FacilitySettings

    def list(self, order: OrderFor[LiveFacilityAdmin], folder: str | None, *, below: bool) -> ListedFolder:
        """List a folder; raises what linking would, `InvalidFilePath` or `FolderMissing`.

        Decision: G90, G750.
        """
        check_sequencing_allowed(order.row)
        root = data_root(self.facility.storage())
        path = stored_path(folder) if folder else ""
        wanted = partial(_is_read_file, self.facility.uploads().allowed_read_extensions)
        try:
            listing = list_folder(root, path, below=below, is_wanted=wanted)
        except PathRefused as refused:
            raise InvalidFilePath from refused
        except OSError as unreadable:
            raise FolderMissing from unreadable
        return ListedFolder(path, listing, store.file_users([file.path for file in listing.files]))


def _is_read_file(extensions: list[str], name: str) -> bool:
    return has_extension(name, extensions)
