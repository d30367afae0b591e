"""What follows from the declaration of a reference database: its key, and whether it is unpacked."""

import hashlib

from seqfacility_pipeline_package.descriptor import Database
from seqfacility_pipeline_package.documents import JsonValue, canonical_json

ARCHIVE_ENDINGS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".zip")
_ID_CHARACTERS = 40


def is_archive(file_name: str) -> bool:
    """Return whether a file name is that of an archive that we unpack. Decision: G331."""
    return file_name.lower().endswith(ARCHIVE_ENDINGS)


def is_unpacked(database: Database) -> bool:
    """Return whether the file of a database is unpacked: as declared, else when it is an archive.

    Decision: G331.
    """
    return is_archive(database.file_name) if database.unpack is None else database.unpack


def database_key(database: Database) -> str:
    """Return the key of a database, equal for packages that declare the same one; safe as id and file name.

    The digests are no part of it: a later version of a package may add them without a second copy.

    Decision: G331.
    """
    identity: list[JsonValue] = [
        database.version,
        database.file_name,
        database.download_url,
        is_unpacked(database),
    ]
    digest = hashlib.sha256(canonical_json(identity)).hexdigest()[:16]
    return f"{database.id[:_ID_CHARACTERS]}-{digest}"
