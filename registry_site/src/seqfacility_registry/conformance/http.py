"""Cases on how the documents are sent: caching, CORS, HEAD, ETags, gzip.

Decision: G18, G236. Spec: registry, Limits; registry, Limits, CORS.
"""

from seqfacility_registry.conformance.documents import (
    CATALOG,
    CHECKLISTS,
    INDEX,
    PROFILES,
    RELEASES,
    RESEARCH,
    hosted_digests,
    pipelines_of,
)
from seqfacility_registry.conformance.mirror import Mirror, Skipped, expect
from seqfacility_registry.publishing import INSTALL_PROFILES, NOT_CACHED, PUBLIC_DOCUMENT, RESEARCH_DATA

_ORIGIN = "access-control-allow-origin"


def pipeline_caching(mirror: Mirror) -> None:
    for path in _open_paths(mirror):
        mirror.expect_header(mirror.read(path), "cache-control", PUBLIC_DOCUMENT)


def checklist_caching(mirror: Mirror) -> None:
    for path in (CHECKLISTS, CATALOG):
        mirror.expect_header(mirror.read(path), "cache-control", PUBLIC_DOCUMENT)


def research_caching(mirror: Mirror) -> None:
    mirror.expect_header(mirror.read(RESEARCH), "cache-control", RESEARCH_DATA)


def profile_caching(mirror: Mirror) -> None:
    mirror.expect_header(mirror.read(PROFILES), "cache-control", INSTALL_PROFILES)


def release_caching(mirror: Mirror) -> None:
    mirror.expect_header(mirror.ask(RELEASES), "cache-control", NOT_CACHED)


def open_routes(mirror: Mirror) -> None:
    for path in _open_paths(mirror):
        mirror.expect_header(mirror.read(path), _ORIGIN, "*")
    if not mirror.is_static:
        mirror.expect_header(mirror.ask(f"{INDEX}/no-such-pipeline"), _ORIGIN, "*")


def closed_routes(mirror: Mirror) -> None:
    for path in (CATALOG, RELEASES, RESEARCH, PROFILES):
        sent = mirror.ask(path).headers.get(_ORIGIN)
        if sent is not None:
            mirror.tell(f"{path}: {_ORIGIN} is {sent!r}")


def preflight(mirror: Mirror) -> None:
    for path in _open_paths(mirror):
        reply = mirror.ask(path, "OPTIONS", headers={"Origin": "https://reader.example"})
        if mirror.is_static and reply.status != 204:
            raise Skipped("the server does not answer OPTIONS: see server/ of the export")
        expect((reply.status, reply.body) == (204, b""), f"OPTIONS {path}: status {reply.status}")
        mirror.expect_header(reply, _ORIGIN, "*")
        mirror.expect_header(reply, "access-control-allow-methods", "GET, OPTIONS")


def head(mirror: Mirror) -> None:
    for path in (*_open_paths(mirror), CATALOG, RELEASES, RESEARCH, PROFILES):
        reply, full = mirror.ask(path, "HEAD"), mirror.ask(path)
        expect((reply.status, reply.body) == (full.status, b""), f"HEAD {path}: status {reply.status}")
        for name in ("content-length", "content-type", "cache-control"):
            expect(reply.headers.get(name) == full.headers.get(name), f"HEAD {path}: {name} differs from GET")


def revalidation(mirror: Mirror) -> None:
    for path in (*_open_paths(mirror), CATALOG, RESEARCH, PROFILES):
        etag = mirror.read(path).headers.get("etag")
        if etag is None and mirror.is_static:
            raise Skipped("the server sends no ETag: see server/ of the export")
        expect(etag is not None and not etag.startswith("W/"), f"{path}: no strong ETag")
        reply = mirror.ask(path, headers={"If-None-Match": etag or ""})
        expect((reply.status, reply.body) == (304, b""), f"{path}: {reply.status} instead of 304")


def compression(mirror: Mirror) -> None:
    """Documents are large and compress well: who asks for gzip gets it."""
    for path in (INDEX, CHECKLISTS, CATALOG):
        reply = mirror.ask(path, headers={"Accept-Encoding": "gzip"})
        if mirror.is_static and "content-encoding" not in reply.headers:
            raise Skipped("the server does not compress: see server/ of the export")
        expect(reply.headers.get("content-encoding") == "gzip", f"{path}: not compressed")
        expect("accept-encoding" in reply.headers.get("vary", "").lower(), f"{path}: no Vary")
        expect(reply.body == mirror.read(path).body, f"{path}: another content")


def _open_paths(mirror: Mirror) -> list[str]:
    """Return the index, one entry, one download and the checklists."""
    paths = [INDEX, CHECKLISTS]
    paths += [f"{INDEX}/{row['id']}" for row in pipelines_of(mirror)[:1]]
    hosted = [(name, version) for name, versions in hosted_digests(mirror).items() for version in versions]
    return paths + [f"{INDEX}/pipelines/{name}/{version}/download" for name, version in hosted[:1]]
