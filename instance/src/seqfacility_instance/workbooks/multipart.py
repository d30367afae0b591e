"""Taking the file out of a multipart request."""

import io
from typing import Final

from falcon import Request
from falcon.errors import HTTPError
from falcon.media import MultipartFormHandler
from seqfacility_wire.errors import BodyTooLarge, InvalidJson, ServiceError
from seqfacility_wire.requests import read_at_most

from seqfacility_instance.core import limits
from seqfacility_instance.workbooks.errors import FileRequired

_FRAMING_BYTES: Final = 64 * limits.KIB
"""Room for the headers of the parts around the file."""


def read_file_part(req: Request, max_bytes: int, too_large: type[ServiceError]) -> bytes:
    """Read the first part called `file`; raises `FileRequired`, `too_large` or `BodyTooLarge`.

    A body that is too large is still looked into as far as its limit: when it is the file that is too
    large, the answer says so. The body may come in chunks.

    Spec: instance, Errors: run import, file over 5 MB. Decision: G201, G254, G288.
    """
    content_type = req.content_type or ""
    try:
        body = read_at_most(req, max_bytes + _FRAMING_BYTES + 1)
    except InvalidJson as broken:
        raise FileRequired from broken
    is_too_large = len(body) > max_bytes + _FRAMING_BYTES
    # HAZARD: Falcon asserts that it knows the length of a form, so it gets what was read and its length.
    try:
        content = _first_file(body, content_type, max_bytes, too_large)
    except HTTPError as malformed:
        raise (BodyTooLarge if is_too_large else FileRequired) from malformed
    if is_too_large:
        raise BodyTooLarge
    if content is None:
        raise FileRequired
    return content


def _first_file(
    body: bytes, content_type: str, max_bytes: int, too_large: type[ServiceError]
) -> bytes | None:
    if not content_type.lower().startswith("multipart/form-data"):
        return None
    for part in MultipartFormHandler().deserialize(io.BytesIO(body), content_type, len(body)):
        if part.name == "file":
            content = bytes(part.stream.read(max_bytes + 1))
            if len(content) > max_bytes:
                raise too_large
            return content if content or part.filename else None
    return None
