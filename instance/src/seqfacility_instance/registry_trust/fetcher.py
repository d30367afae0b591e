"""Fetches metadata for the TUF library through our own client, with its limits."""

import time
from collections.abc import Iterator
from dataclasses import replace

from seqfacility_pipeline_package.trust_files import from_stock_name
from tuf.api.exceptions import DownloadHTTPError, DownloadLengthMismatchError
from tuf.ngclient import FetcherInterface

from seqfacility_instance.core import limits
from seqfacility_instance.registry_client.client import RegistryClient
from seqfacility_instance.registry_client.errors import (
    RegistryAnswerTooLarge,
    RegistryNotReachable,
    RegistryRefused,
)


class MetadataFetcher(FetcherInterface):
    """Reads the files below `/trust`, none any more once they have taken `seconds` together.

    Only the time of fetching counts: a publisher's file may be asked for after long documents.

    `last` is the address of the file that was asked for last; `fetched` holds what came, by its published
    name, roots left out. A redirect to another host is refused.

    Decision: G916.
    """

    def __init__(self, client: RegistryClient, base: str, seconds: float = limits.TRUST_SECONDS) -> None:
        self.base = f"{base}/trust/"
        self.last = ""
        self.fetched: dict[str, bytes] = {}
        self._client = replace(client, stays_at_origin=True, may_be_cached=True)
        self._seconds, self._left = seconds, seconds

    def download_bytes(self, url: str, max_length: int) -> bytes:
        """Return a file; raises the library's errors for what is missing or too long, ours for the rest."""
        name = from_stock_name(url.removeprefix(self.base))
        self.last = f"{self.base}{name}"
        if self._left <= 0:
            raise RegistryNotReachable().at(
                self.last, f"signed metadata took longer than {self._seconds:.0f} seconds"
            )
        patience = min(self._client.timeout_seconds, self._left)
        client = replace(self._client, max_bytes=max_length, timeout_seconds=patience)
        begun = time.monotonic()
        try:
            content = client.fetch_quietly(self.last).content
        except RegistryRefused as refused:
            raise DownloadHTTPError(f"answers {refused.answered}", refused.answered) from refused
        except RegistryAnswerTooLarge as large:
            raise DownloadLengthMismatchError(f"longer than {max_length} bytes") from large
        finally:
            self._left -= time.monotonic() - begun
        if not name.startswith("root."):
            self.fetched[name] = content
        return content

    def _fetch(self, url: str) -> Iterator[bytes]:
        return iter([self.download_bytes(url, self._client.max_bytes)])
