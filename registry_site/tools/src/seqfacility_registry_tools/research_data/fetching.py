"""Fetch from the sources over HTTP, within limits of time and size for the whole refresh."""

import time
from collections.abc import Callable

import requests

from seqfacility_registry_tools.research_data.sources import FetchFailed

MAX_BYTES_EACH = 32 * 1024 * 1024
MAX_BYTES_IN_TOTAL = 128 * 1024 * 1024
MAX_SECONDS_IN_TOTAL = 300.0
_SILENCE_SECONDS = 20.0
_PIECE = 64 * 1024


class LimitedFetcher:
    """Fetches one address after the other until the time or the bytes of the refresh are used up.

    A source that trickles or never ends costs at most what is left, and the next sources say so.
    """

    def __init__(
        self,
        *,
        user_agent: str,
        max_bytes_each: int = MAX_BYTES_EACH,
        max_bytes_in_total: int = MAX_BYTES_IN_TOTAL,
        max_seconds_in_total: float = MAX_SECONDS_IN_TOTAL,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._user_agent = user_agent
        self._max_bytes_each = max_bytes_each
        self._bytes_left = max_bytes_in_total
        self._clock = clock
        self._deadline = clock() + max_seconds_in_total

    def __call__(self, address: str) -> bytes:
        """Fetch `address`; raises `FetchFailed`."""
        seconds_left = self._deadline - self._clock()
        if seconds_left <= 0 or self._bytes_left <= 0:
            raise FetchFailed("the refresh has used up its time or its bytes")
        try:
            with requests.get(
                address,
                headers={"User-Agent": self._user_agent},
                timeout=min(_SILENCE_SECONDS, seconds_left),
                stream=True,
            ) as answer:
                if answer.status_code != 200:
                    raise FetchFailed(f"{address} answered {answer.status_code}")
                return self._body(address, answer)
        except requests.RequestException as error:
            raise FetchFailed(f"{address}: {type(error).__name__}") from error

    def _body(self, address: str, answer: requests.Response) -> bytes:
        pieces = []
        allowed = min(self._max_bytes_each, self._bytes_left)
        for piece in answer.iter_content(_PIECE):
            pieces.append(piece)
            allowed -= len(piece)
            self._bytes_left -= len(piece)
            if allowed < 0:
                raise FetchFailed(f"{address} sends too much")
            if self._clock() > self._deadline:
                raise FetchFailed(f"{address} takes too long")
        return b"".join(pieces)
