"""How long an answer may be kept by those between us and the reader, to the letter of the documents."""

from falcon import Request, Response
from seqfacility_wire.caching import ReadyDocument, send_ready

PUBLIC_DOCUMENT = "public, s-maxage=300, stale-while-revalidate=600"
"""Spec: registry, Limits: pipeline, MIxS registry, download and sequencing-tech."""

RESEARCH_DATA = "s-maxage=3600, stale-while-revalidate=86400"
"""Spec: registry, Limits: research-data."""

INSTALL_PROFILES = "public, max-age=300"
"""Decision: G236."""

TRUST_TIMESTAMP = "public, max-age=60, s-maxage=60"
"""The one signed file that changes under its name. Decision: G907."""

IMMUTABLE = "public, max-age=31536000, immutable"
"""Signed files with a version or a digest in their names. Decision: G907."""

NOT_CACHED = "no-store"
"""Spec: registry, Limits: `/version` and install-profile resolve."""

SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""The policy of a drawing: looked at, never run, also when somebody opens it as a page of its own."""


def publish(req: Request, resp: Response, document: ReadyDocument, cache_control: str) -> None:
    """Answer a prepared document with its caching value. Spec: registry, Limits. Decision: G236."""
    send_ready(req, resp, document)
    resp.set_header("Cache-Control", cache_control)
