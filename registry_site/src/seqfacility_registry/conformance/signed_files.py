"""The files of a host that nobody signs one by one: each is made from what is signed, or says nothing new.

Decision: G964, G969.
"""

import hashlib

from seqfacility_pipeline_package.trust_files import DOCUMENTS, TIMESTAMP_FILE, role_and_version, web_path

from seqfacility_registry.conformance.files import listed_files, read_listed
from seqfacility_registry.conformance.mirror import Failed, Mirror, expect
from seqfacility_registry.conformance.signed import SignedSide
from seqfacility_registry.release import RELEASE
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
    release = _check_own_words(mirror, answers)
    layout = Layout.PLAIN if any(row["path"].endswith("/index.html") for row in rows) else Layout.INDEX
    listed = {row["path"] for row in rows}
    try:
        made = web_root(answers, layout)
    except ValueError as error:
        raise Failed(f"the answers cannot be rendered as pages: {error}") from error
    for path, content in made.items():
        if path == FILE_LIST or (mirror.is_static and path not in listed):
            _check_made(mirror, path, content, release)


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


def _check_own_words(mirror: Mirror, answers: dict[str, bytes]) -> str:
    """Check what a host says of itself, which is its address and its release; return the release."""
    expect(answers[HEALTH] == HEALTHY, f"{HEALTH} says more than that it answers")
    said = mirror.document(mirror.beside(SERVICE_INFO), "registry/trs-service-info")
    base_url = str(mirror.read("/registry").json()["baseUrl"]).removesuffix("/registry")
    release = str(said["version"])
    expect(
        _says(said, service_info(base_url, release)), f"{SERVICE_INFO} says something else than this release"
    )
    if release == RELEASE:
        expect(said == service_info(base_url, release), f"{SERVICE_INFO} says more than this release")
    return release


def _says(said: object, known: object) -> bool:
    """Return whether a document says what is known, whatever it says beside that."""
    if not isinstance(known, dict):
        return said == known
    return isinstance(said, dict) and all(_says(said.get(key), value) for key, value in known.items())


def _check_made(mirror: Mirror, path: str, content: bytes, release: str) -> None:
    """Compare a generated file; on a host of another release a difference is only a warning.

    A host need not publish its server configuration, but a published one must be right: others copy it.
    """
    reply = mirror.ask(mirror.beside(path))
    is_hidden = path.startswith("server/") and reply.status != 200
    if is_hidden or (reply.status == 200 and reply.body == content):
        return
    fault = f"{path} is not what this release makes of the files"
    expect(release != RELEASE, fault)
    mirror.warnings.append(f"{fault}, but the host is of release {release}: nobody has verified it")
