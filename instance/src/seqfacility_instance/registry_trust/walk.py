"""One walk of the TUF client workflow, from a root that is trusted to the documents that it vouches for."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from seqfacility_pipeline_package.trust_files import MAX_VERSION, TIMESTAMP_FILE
from seqfacility_wire.timestamps import format_time
from tuf.api.exceptions import (
    BadVersionNumberError,
    DownloadError,
    DownloadHTTPError,
    ExpiredMetadataError,
    RepositoryError,
)
from tuf.api.metadata import Metadata, Root, TargetFile, Targets
from tuf.ngclient import Updater, UpdaterConfig

from seqfacility_instance.core import limits
from seqfacility_instance.core.storable_text import storable_text
from seqfacility_instance.registry_client.client import RegistryClient
from seqfacility_instance.registry_client.errors import RegistryNotReachable, RegistryRefused
from seqfacility_instance.registry_trust.errors import (
    ClockBehindRegistry,
    OlderThanSeen,
    RegistryDataExpired,
    RegistryNotTrusted,
    SignatureNotValid,
)
from seqfacility_instance.registry_trust.fetcher import MetadataFetcher
from seqfacility_instance.registry_trust.rules import first_expired, issue_time

_ABSENT: Final = frozenset({403, 404, 410})


class _Updater(Updater):
    """The library's client by the clock of this service, which is one for everything that it decides.

    WHY: the library asks the machine and takes no other time.
    """

    def at(self, now: datetime) -> "_Updater":
        self._trusted_set.reference_time = now
        return self

    def check_versions(self) -> None:
        """Raise `RepositoryError` for a version that no file's name, and perhaps no database, can hold.

        Decision: G1101.
        """
        for signed in self._trusted_set:
            if signed.version > MAX_VERSION:
                raise RepositoryError(f"the version of {signed.type} is above {MAX_VERSION}")

    def signer(self, name: str) -> str | None:
        """Return the role that signs a document, in the order of TUF's search; None without one."""
        targets = self._trusted_set.targets
        if name in targets.targets:
            return Targets.type
        delegated = targets.delegations.get_roles_for_target(name) if targets.delegations else ()
        return next((role for role, _ in delegated), None)


def check_root(content: bytes) -> None:
    """Raise `RepositoryError` unless a root is signed by enough of the keys that it names itself."""
    root = Metadata[Any].from_bytes(content)
    if not isinstance(root.signed, Root) or root.signed.version > MAX_VERSION:
        raise RepositoryError("it is no root, or one of a version that is too high")
    root.signed.verify_delegate(Root.type, root.signed_bytes, root.signatures)


@dataclass(frozen=True, slots=True)
class TrustedWalk:
    """What one state of a registry vouches for: every answer of it belongs to the same publication."""

    updater: _Updater
    fetcher: MetadataFetcher
    folder: Path
    now: datetime

    @classmethod
    def begun(
        cls,
        client: RegistryClient,
        base: str,
        known: Mapping[str, str],
        folders: ExitStack,
        now: datetime,
    ) -> "TrustedWalk":
        """Verify root, timestamp, snapshot and targets; `known` is what was verified before, a root at least.

        Raises the refusals of `registry_trust.errors` and what the client raises. Nothing is written but a
        temporary folder, which goes with `folders`.

        Decision: G916, G918.
        """
        fetcher = MetadataFetcher(client, base)
        with _disk_errors_translated(fetcher):
            folder = Path(folders.enter_context(tempfile.TemporaryDirectory(prefix="seqfacility-trust-")))
        config = UpdaterConfig(
            max_root_rotations=limits.TRUST_MAX_ROOTS,
            root_max_length=limits.TRUST_ROOT_MAX_BYTES,
            snapshot_max_length=limits.TRUST_SNAPSHOT_MAX_BYTES,
            targets_max_length=limits.TRUST_TARGETS_MAX_BYTES,
        )
        with _disk_errors_translated(fetcher), _refusing(fetcher, folder, now):
            for name, text in known.items():
                if name != "root":
                    (folder / f"{name}.json").write_bytes(text.encode())
            root = known["root"].encode()
            updater = _Updater(str(folder), fetcher.base, fetcher=fetcher, config=config, bootstrap=root)
            walk = cls(updater.at(now), fetcher, folder, now)
            updater.refresh()
            updater.check_versions()
            walk._check_clock()
        return walk

    def target(self, name: str) -> TargetFile:
        """Return what is signed of a document; raises `RegistryRefused(404)` for one that nobody signed.

        That a document is not among those that are signed is signed as well, so it is an answer.
        """
        with _disk_errors_translated(self.fetcher), _refusing(self.fetcher, self.folder, self.now):
            found = self.updater.get_targetinfo(name)
        if found is None:
            raise RegistryRefused(404).at(f"{self.fetcher.base}{name}", "the registry signs no such document")
        return found

    def metadata(self) -> dict[str, str]:
        """Return every metadata file that is verified now, by its role."""
        return {path.stem: path.read_bytes().decode() for path in sorted(self.folder.glob("*.json"))}

    def _check_clock(self) -> None:
        issued = issue_time((self.folder / TIMESTAMP_FILE).read_bytes())
        if issued is None:
            raise SignatureNotValid().at(self.fetcher.last, "the timestamp does not say when it was issued")
        if issued > self.now + limits.TRUST_CLOCK_SKEW:
            raise ClockBehindRegistry(format_time(self.now), format_time(issued)).at(
                self.fetcher.last, "set the clock of this server, by NTP for example"
            )


@contextmanager
def _refusing(fetcher: MetadataFetcher, folder: Path, now: datetime) -> Iterator[None]:
    """Translate what the library says into what an admin understands. Decision: G918."""
    try:
        yield
    except (RepositoryError, DownloadError) as error:
        raise _refusal(error, fetcher, folder, now) from error


@contextmanager
def _disk_errors_translated(fetcher: MetadataFetcher) -> Iterator[None]:
    """Tell a temporary folder that takes no files as a registry that cannot be read. Decision: G1101."""
    try:
        yield
    except OSError as full:
        reason = f"its signatures cannot be checked in the temporary folder: {full.strerror}"
        raise RegistryNotReachable().at(fetcher.base, reason) from full


def _refusal(
    error: Exception, fetcher: MetadataFetcher, folder: Path, now: datetime
) -> RegistryNotTrusted | RegistryRefused:
    where, words = fetcher.last or fetcher.base, storable_text(" ".join(str(error).split()))[:200]
    if isinstance(error, ExpiredMetadataError):
        root = (folder / "root.json").read_bytes()
        ended = first_expired({"root": root, **fetcher.fetched}, now)
        if ended is not None:
            clock = f"{words}; the clock of this server says {format_time(now)}"
            return RegistryDataExpired(f"{ended:%Y-%m-%d}").at(where, clock)
    if isinstance(error, BadVersionNumberError) and not where.startswith(f"{fetcher.base}root."):
        return OlderThanSeen().at(where, words)
    if isinstance(error, DownloadHTTPError) and error.status_code not in _ABSENT:
        return RegistryRefused(error.status_code).at(where, words)
    return SignatureNotValid().at(where, words or type(error).__name__)


def version_of(text: str) -> int:
    """Return the version of a metadata file that was verified."""
    return Metadata.from_bytes(text.encode()).signed.version
