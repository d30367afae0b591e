"""Answering with a file: headers, ranges, HEAD, and the descriptor for the server to send from."""

import os

from falcon import Request, Response

from seqfacility_instance.files.archive import Archive
from seqfacility_instance.files.errors import RangeNotSatisfiable
from seqfacility_instance.files.file_part import FilePart
from seqfacility_instance.files.ranges import FileFacts, Span, Unsatisfiable, facts_of, wanted_span

NOT_KEPT = "private, no-store"
"""No cache keeps what a person may see."""


def send_file(req: Request, resp: Response, file: int) -> None:
    """Answer with an open file or the part of it that was asked for.

    The descriptor is closed by whoever sends the answer, here after a HEAD and after a refusal. Raises
    `RangeNotSatisfiable`.

    Decision: G18, G121.
    """
    try:
        span = describe(req, resp, facts_of(file))
    except RangeNotSatisfiable:
        os.close(file)
        raise
    if req.context.is_head:
        os.close(file)
    else:
        resp.set_stream(FilePart(file, span.start, span.length), span.length)


def send_by_nginx(req: Request, resp: Response, file: int, address: str) -> None:
    """Let nginx send an open file, from an address that it shows to nobody; nothing of it is sent from here.

    nginx serves ranges and writes its own validators; a range beyond the file is refused here in our words,
    unless `If-Range` makes that a matter of those validators. Raises `RangeNotSatisfiable`.

    Decision: G121, G327.
    """
    facts = facts_of(file)
    os.close(file)
    if req.get_header("If-Range") is None:
        describe(req, resp, facts)
    for name in ("ETag", "Last-Modified", "Content-Range"):
        resp.delete_header(name)
    resp.status = 200
    resp.content_length = 0
    resp.set_header("Cache-Control", NOT_KEPT)
    resp.set_header("X-Accel-Redirect", address)


def send_archive(req: Request, resp: Response, archive: Archive, facts: FileFacts) -> None:
    """Answer with an archive or the part of it that was asked for. Raises `RangeNotSatisfiable`."""
    span = describe(req, resp, facts)
    if not req.context.is_head:
        resp.set_stream(archive.read(span), span.length)


def describe(req: Request, resp: Response, facts: FileFacts) -> Span:
    """Write the headers of a file or of a part of it; return the part. Decision: G121."""
    resp.set_header("Accept-Ranges", "bytes")
    resp.set_header("ETag", facts.etag)
    resp.set_header("Last-Modified", facts.last_modified)
    resp.set_header("Cache-Control", NOT_KEPT)
    # A range is a matter of GET alone.
    header = None if req.context.is_head else req.get_header("Range")
    try:
        part = wanted_span(header, req.get_header("If-Range"), facts)
    except Unsatisfiable:
        raise RangeNotSatisfiable(facts.size) from None
    if part is not None:
        resp.status = 206
        last = part.start + part.length - 1
        resp.set_header("Content-Range", f"bytes {part.start}-{last}/{facts.size}")
    span = part or Span(0, facts.size)
    resp.content_length = span.length
    return span
