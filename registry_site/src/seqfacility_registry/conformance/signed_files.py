"""The files of a host that nobody signs one by one: each is made from what is signed, or says nothing new.

Decision: G964.
"""

import hashlib

from seqfacility_pipeline_package.trust_files import DOCUMENTS, TIMESTAMP_FILE, role_and_version, web_path

from seqfacility_registry.conformance.files import listed_files, read_listed
from seqfacility_registry.conformance.mirror import Failed, Mirror, expect
from seqfacility_registry.conformance.signed import SignedSide
from seqfacility_registry.file_page import PAGE
from seqfacility_registry.static_answers import HEALTH, HEALTHY, SERVICE_INFO
from seqfacility_registry.trs.rules import service_info
from seqfacility_registry.trust.errors import TrustRefused
from seqfacility_registry.trust.folder import read_metadata
from seqfacility_registry.web_root import FILE_LIST, Layout, answered_at, web_root

_TRUST = "api/trust/"


def check_files(mirror: Mirror, signed: SignedSide) -> None:
    """Hold the list of files against what is signed, and what is made from both; raises `Failed`."""
    rows = listed_files(mirror)
    answers = {answered_at(row["path"]): read_listed(mirror, row).body for row in rows}
    wanted = {web_path(target) for target in signed.targets} | {HEALTH, SERVICE_INFO}
    wanted |= {f"{_TRUST}{name}" for name in signed.metadata}
    missing = sorted(wanted - set(answers))
    expect(not missing, f"the list of files lacks {', '.join(missing[:3])}")
    for path in sorted(set(answers) - wanted):
        expect(_is_earlier(signed, path, answers[path]), f"{path} is listed, and nobody has signed it")
    _check_own_words(mirror, answers)
    layout = Layout.PLAIN if any(row["path"].endswith("/index.html") for row in rows) else Layout.INDEX
    for path, content in web_root(answers, layout).items():
        if path == FILE_LIST or (mirror.is_static and path == PAGE):
            _check_made(mirror, path, content)
        elif mirror.is_static and path.startswith("server/"):
            _check_server_file(mirror, path, content)


def _is_earlier(signed: SignedSide, path: str, content: bytes) -> bool:
    """Return whether a file is of an earlier publication: a document by its digest, or former metadata.

    Signatures of former metadata are not looked at: nothing that is verified names it, and the keys of its
    time may be gone.
    """
    name = path.removeprefix(_TRUST)
    if not path.startswith(_TRUST) or name == TIMESTAMP_FILE:
        return False
    if name.startswith(f"{DOCUMENTS}/"):
        digest = name.removeprefix(f"{DOCUMENTS}/").removesuffix(".json")
        return digest == hashlib.sha256(content).hexdigest()
    found = role_and_version(name)
    if found is None or found[1] > _current_versions(signed).get(found[0], found[1]):
        return False
    try:
        read_metadata(content, found[0], found[1], name)
    except TrustRefused:
        return False
    return True


def _current_versions(signed: SignedSide) -> dict[str, int]:
    named = (role_and_version(name) for name in signed.metadata)
    return dict(sorted(found for found in named if found is not None))


def _check_own_words(mirror: Mirror, answers: dict[str, bytes]) -> None:
    """Check what a host says of itself, which is its address and its release at most."""
    expect(answers[HEALTH] == HEALTHY, f"{HEALTH} says more than that it answers")
    said = mirror.document(mirror.beside(SERVICE_INFO), "registry/trs-service-info")
    base_url = str(mirror.read("/registry").json()["baseUrl"]).removesuffix("/registry")
    expect(
        said == service_info(base_url, said["version"]),
        f"{SERVICE_INFO} says something else than this release",
    )


def _check_made(mirror: Mirror, path: str, content: bytes) -> None:
    expect(
        mirror.read(mirror.beside(path)).body == content,
        f"{path} is not what this release makes of the files",
    )


def _check_server_file(mirror: Mirror, path: str, content: bytes) -> None:
    """A host need not show how it is configured, but what it shows is copied by others."""
    reply = mirror.ask(mirror.beside(path))
    if reply.status == 200 and reply.body != content:
        raise Failed(f"{path} is not what this release makes of the files")
