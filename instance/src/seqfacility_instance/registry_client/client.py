"""One GET of one JSON document: no cookies, no credentials, limits on time, size and redirects."""

import json
import time
from dataclasses import dataclass, field
from urllib.parse import quote

import requests
import urllib3
from urllib3.exceptions import HTTPError

from seqfacility_instance.core import limits
from seqfacility_instance.registry_client.errors import (
    InvalidRegistryAnswer,
    RegistryNotReachable,
    RegistryRefused,
)
from seqfacility_instance.registry_client.following import AddressRefused, opened_answer
from seqfacility_instance.registry_client.reach import Reach

_BLOCK_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class RegistryClient:
    """Reads the documents of one registry; `base_url` ends in `/api` without a slash. Gap: G225, G226."""

    base_url: str
    timeout_seconds: float = limits.REGISTRY_SECONDS
    max_bytes: int = limits.REGISTRY_ANSWER_MAX_BYTES
    reach: Reach = field(default_factory=Reach)

    def url(self, *parts: str) -> str:
        """Name a document of the registry: `url("registry", "mixs")`; each part is quoted."""
        return "/".join([self.base_url.rstrip("/"), *(quote(part, safe="") for part in parts)])

    def fetch_json(self, url: str, bearer: str | None = None) -> object:
        """Fetch a document and parse it.

        Raises `RegistryNotReachable` (no answer, refused address, too slow, too large), `RegistryRefused`
        (an answer that is none of the 200s) and `InvalidRegistryAnswer` (no JSON).

        Gap: G226.
        """
        raw = self.fetch(url, bearer)
        try:
            document: object = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse)
        except (ValueError, RecursionError) as unreadable:
            raise InvalidRegistryAnswer from unreadable
        return document

    def fetch_object(self, url: str, bearer: str | None = None) -> dict[str, object]:
        """Fetch a JSON object; raises as `fetch_json`. Gap: G226."""
        document = self.fetch_json(url, bearer)
        if not isinstance(document, dict):
            raise InvalidRegistryAnswer
        return document

    def fetch(self, url: str, bearer: str | None = None) -> bytes:
        """Fetch the bytes of a document; raises `RegistryNotReachable` and `RegistryRefused`.

        `url` is one that somebody of this facility has named, or lies at the registry: its host may have a
        private address. `bearer` is an access code for exactly this URL: a redirect does not take it along.

        Gap: G226, G241, G406.
        """
        deadline = time.monotonic() + self.timeout_seconds
        headers = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "Cache-Control": "no-cache",
        }
        reach = self.reach.including(url)
        try:
            with opened_answer(
                url, reach, headers, lambda: max(0.1, deadline - time.monotonic()), bearer=bearer
            ) as answer:
                if not 200 <= answer.status_code < 300:
                    raise RegistryRefused(answer.status_code)
                return self._read(answer, deadline)
        except (AddressRefused, requests.RequestException, HTTPError, OSError, UnicodeError) as broken:
            raise RegistryNotReachable from broken

    def _read(self, answer: requests.Response, deadline: float) -> bytes:
        """Read the body piece by piece, so that neither a dripping nor an endless answer holds us."""
        if answer.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise RegistryNotReachable
        content = bytearray()
        stream: urllib3.HTTPResponse = answer.raw
        while block := stream.read1(_BLOCK_BYTES, decode_content=False):
            content += block
            if len(content) > self.max_bytes or time.monotonic() > deadline:
                raise RegistryNotReachable
        if stream.length_remaining or time.monotonic() > deadline:
            raise RegistryNotReachable
        return bytes(content)


def _refuse(constant: str) -> float:
    raise ValueError(constant)
