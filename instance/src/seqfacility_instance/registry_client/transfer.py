"""Long transfers by HTTP: one GET of a range, its bytes as they come, and why it broke off."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import requests
import urllib3
from urllib3.exceptions import HTTPError

from seqfacility_instance.core import limits
from seqfacility_instance.registry_client.following import AddressRefused, opened_answer
from seqfacility_instance.registry_client.reach import Reach
from seqfacility_instance.registry_client.rules import content_start, content_total

_TRY_LATER = frozenset({408, 425, 429})
_TIMEOUT = (limits.TRANSFER_BEGIN_SECONDS, limits.TRANSFER_IDLE_SECONDS)
BLOCK_BYTES = 1024 * 1024


class TransferBroken(Exception):
    """The connection failed or the server is in trouble: to be tried again. The text is for people."""


class TransferRefused(Exception):
    """Trying again would change nothing. The text is for people and holds no address."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """An answer that has begun.

    `start` is the place of the first byte that comes: 0 when the server would not go on from where it
    was asked to. `total` is the size of the whole file, `validator` what tells this content from a later
    one (an `ETag` or `Last-Modified`), both None when the server does not say.
    """

    start: int
    total: int | None
    validator: str | None
    blocks: Iterator[bytes]


@contextmanager
def open_transfer(url: str, start: int, validator: str | None, reach: Reach) -> Iterator[Transfer]:
    """Ask for a file from byte `start` on, if its content is still the one that `validator` names.

    Raises `TransferBroken` and `TransferRefused`, also while the blocks are read. Addresses, redirects
    and credentials are treated as in `RegistryClient`; how long the body takes is not limited, how long
    it may stand still is. The address comes out of a package, so `reach` has to name a private one.

    Decision: G226, G333, G406.
    """
    headers = {"Accept": "*/*", "Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
        if validator:
            headers["If-Range"] = validator
    with ExitStack() as stack:
        try:
            answer = stack.enter_context(
                opened_answer(url, reach, headers, lambda: _TIMEOUT, is_patient=True)
            )
        except AddressRefused as refused:
            raise TransferRefused(str(refused)) from refused
        except (requests.RequestException, HTTPError, OSError, UnicodeError) as broken:
            raise TransferBroken("The server cannot be reached") from broken
        yield _transfer(answer, start)


def _transfer(answer: requests.Response, start: int) -> Transfer:
    status = answer.status_code
    if status in _TRY_LATER or status >= 500:
        message = f"The server answered {status}"
        raise TransferBroken(message)
    ranges = answer.headers.get("Content-Range")
    if status not in {200, 206, 416}:
        message = f"The server answered {status}"
        raise TransferRefused(message)
    if answer.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise TransferRefused("The server sends the file in an encoding that nobody asked for")
    tag = answer.headers.get("ETag", "")
    validator = tag if tag and not tag.startswith("W/") else answer.headers.get("Last-Modified")
    if status == 416:
        return Transfer(start, content_total(ranges), validator, iter(()))
    if status == 206:
        begins = content_start(ranges)
        if begins != start:
            raise TransferRefused("The server sends another part of the file than it was asked for")
        return Transfer(begins, content_total(ranges), validator, _blocks(answer))
    length = answer.headers.get("Content-Length", "")
    total = int(length) if length.isascii() and length.isdigit() else None
    return Transfer(0, total, validator, _blocks(answer))


def _blocks(answer: requests.Response) -> Iterator[bytes]:
    stream: urllib3.HTTPResponse = answer.raw
    try:
        while block := stream.read1(BLOCK_BYTES, decode_content=False):
            yield block
    except (HTTPError, OSError) as broken:
        raise TransferBroken("The connection broke off") from broken
    if stream.length_remaining:
        raise TransferBroken("The connection broke off")
