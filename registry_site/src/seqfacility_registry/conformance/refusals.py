"""Cases on what is refused, word for word. Decision: G11, G18, G233, G240, G284. Spec: registry, Errors."""

from seqfacility_registry.conformance.documents import CHECKLISTS, INDEX, PROFILES, RELEASES
from seqfacility_registry.conformance.mirror import NOBODYS_ACCESSION, Mirror, Skipped, expect

_NOBODY = "no-such-thing"


def invalid_pipeline_id(mirror: Mirror) -> None:
    for path in (f"{INDEX}/Not_An_Id", f"{INDEX}/a%0A", f"{INDEX}/pipelines/Not_An_Id/1.0.0/download"):
        mirror.expect_refusal(mirror.ask(path), 400, "Invalid pipeline ID")


def unknown_pipeline(mirror: Mirror) -> None:
    mirror.expect_refusal(mirror.ask(f"{INDEX}/{_NOBODY}"), 404, "Pipeline not found")


def invalid_version(mirror: Mirror) -> None:
    for version in ("1..0", "1.0.0-beta", "V1"):
        reply = mirror.ask(f"{INDEX}/pipelines/{_NOBODY}/{version}/download")
        mirror.expect_refusal(reply, 400, "Invalid pipeline version")


def unknown_package(mirror: Mirror) -> None:
    reply = mirror.ask(f"{INDEX}/pipelines/{_NOBODY}/1.0.0/download")
    mirror.expect_refusal(reply, 404, "Pipeline package not found")


def unknown_accession(mirror: Mirror) -> None:
    mirror.needs_service()
    reply = mirror.ask(CHECKLISTS, query={"accession": NOBODYS_ACCESSION})
    mirror.expect_refusal(reply, 404, f"Unknown MIxS checklist accession: {NOBODYS_ACCESSION}")


def unknown_channel(mirror: Mirror) -> None:
    mirror.needs_service()
    reply = mirror.ask(RELEASES, query={"channel": _NOBODY})
    mirror.expect_refusal(reply, 404, "No releases found for channel")


def unknown_profile(mirror: Mirror) -> None:
    for path in (f"{PROFILES}/{_NOBODY}", f"{PROFILES}/{_NOBODY}/resolve"):
        mirror.expect_refusal(mirror.ask(path), 404, "Install profile not found")


def missing_code(mirror: Mirror) -> None:
    """Decision: G241, G287. A missing code is not counted, so asking harms nobody."""
    mirror.needs_service()
    rows = mirror.document(PROFILES, "registry/install-profile-list")["profiles"]
    guarded = [row["id"] for row in rows if row["requiresAccessCode"]]
    if not guarded:
        raise Skipped("no profile asks for a code")
    for name in guarded:
        for method in ("GET", "POST"):
            reply = mirror.ask(f"{PROFILES}/{name}/resolve", method)
            mirror.expect_refusal(reply, 401, "Invalid access code")


def unknown_route(mirror: Mirror) -> None:
    for path in (f"/{_NOBODY}", f"{INDEX}/pipelines/{_NOBODY}"):
        mirror.expect_refusal(mirror.ask(path), 404, "Not found")


def other_method(mirror: Mirror) -> None:
    for path in (INDEX, RELEASES, PROFILES):
        reply = mirror.ask(path, "DELETE")
        mirror.expect_refusal(reply, 405, "Method not allowed")
        expect("GET" in reply.headers.get("allow", ""), f"DELETE {path}: no Allow header")
