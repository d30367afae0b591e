"""Answering with a file: headers, ranges, HEAD, and the descriptor for the server to send from."""

import os

from falcon import Request, Response

from seqfacility_instance.files.errors import RangeNotSatisfiable
from seqfacility_instance.files.file_part import FilePart
from seqfacility_instance.files.ranges import Span, Unsatisfiable, facts_of, wanted_span


def send_file(req: Request, resp: Response, file: int) -> Span:
    """Answer with an open file or the part of it that was asked for; gives that part.

    The descriptor is closed by whoever sends the answer, here after a HEAD. Raises
    `RangeNotSatisfiable`, and then closes it.

    Gap: G18, G121.
    """
    facts = facts_of(file)
    resp.set_header("Accept-Ranges", "bytes")
    resp.set_header("ETag", facts.etag)
    resp.set_header("Last-Modified", facts.last_modified)
    resp.set_header("Cache-Control", "private, no-store")
    # A range is a matter of GET alone.
    header = None if req.context.is_head else req.get_header("Range")
    try:
        part = wanted_span(header, req.get_header("If-Range"), facts)
    except Unsatisfiable:
        os.close(file)
        raise RangeNotSatisfiable(facts.size) from None
    if part is not None:
        resp.status = 206
        last = part.start + part.length - 1
        resp.set_header("Content-Range", f"bytes {part.start}-{last}/{facts.size}")
    span = part or Span(0, facts.size)
    if req.context.is_head:
        os.close(file)
        resp.content_length = span.length
    else:
        resp.set_stream(FilePart(file, span.start, span.length), span.length)
    return span
