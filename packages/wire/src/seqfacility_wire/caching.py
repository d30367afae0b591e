"""Conditional answers: strong ETags and 304."""

import hashlib

from falcon import Request, Response


def strong_etag(content: bytes) -> str:
    """Name a content by its hash, quoted as HTTP wants it."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def is_not_modified(req: Request, etag: str) -> bool:
    """Tell whether the client already holds the content that `etag` names (If-None-Match)."""
    offered = req.get_header("If-None-Match")
    if offered is None:
        return False
    names = {name.strip().removeprefix("W/") for name in offered.split(",")}
    return "*" in names or etag in names


def send_cacheable(req: Request, resp: Response, content: bytes, etag: str) -> None:
    """Answer `content`, or 304 without a body when the client already holds it."""
    resp.set_header("ETag", etag)
    if is_not_modified(req, etag):
        resp.status = 304
    else:
        resp.data = content
