"""The download payload of a package: made from a folder, checked, and written to a folder safely."""

import hashlib
import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

from seqfacility_schemas import Profile
from seqfacility_schemas import problems as schema_problems

from seqfacility_pipeline_package.documents import (
    JsonObject,
    JsonValue,
    NotStrictJson,
    canonical_json,
    check_value,
    readable_json,
)
from seqfacility_pipeline_package.folder import (
    MAX_PACKAGE_BYTES,
    MAX_PACKAGE_FILES,
    TEXT_FOLDERS,
    PackageFiles,
    place_fault,
)
from seqfacility_pipeline_package.names import name_fault, repeated_name
from seqfacility_pipeline_package.package import Package, package_from, read_package
from seqfacility_pipeline_package.problems import PackageInvalid, Problem
from seqfacility_pipeline_package.rules import package_problems

_DOCUMENT_KEYS = ("manifest", "definition", "registry", "samplesheet")
_GROUPS = ("parsers", "scripts", "workflow")


class DigestMismatch(PackageInvalid):
    """The digests of a package do not agree. Decision: G290."""


def pack(folder: Path, profile: Profile = Profile.PRODUCER) -> JsonObject:
    """Make the download payload of a package folder.

    Raises `PackageInvalid` when the package breaks a rule.

    Decision: G234.
    """
    return payload_of(read_package(folder, profile))


def payload_of(package: Package) -> JsonObject:
    files = package.files
    payload: JsonObject = {"id": package.id, "version": package.version}
    payload |= {key: files.documents[f"{key}.json"] for key in _DOCUMENT_KEYS}
    payload["parsers"] = {path: files.documents[path] for path in files.parser_paths}
    for folder in TEXT_FOLDERS:
        texts: JsonObject = {
            path: files.texts[path] for path in sorted(files.texts) if path.startswith(folder)
        }
        payload[folder.rstrip("/")] = texts
    return {**payload, "sha256": payload_digest(payload)}


def payload_digest(payload: Mapping[str, JsonValue]) -> str:
    """Compute the digest of a payload: SHA-256, in hex, of its canonical JSON without `sha256`.

    Decision: G234.
    """
    rest: JsonObject = {key: value for key, value in payload.items() if key != "sha256"}
    return hashlib.sha256(canonical_json(rest)).hexdigest()


def check_digest(payload: Mapping[str, JsonValue], announced: str | None) -> None:
    """Compare the payload's own digest, the one its entry announced, and the computed one.

    `announced` is the `sha256` of the entry's version; None when there is no entry, as for a file
    that an administrator installs by hand. Raises `DigestMismatch` when they are not all equal.

    Decision: G290.
    """
    own = payload.get("sha256")
    if own != payload_digest(payload):
        raise DigestMismatch([Problem("payload", "sha256", "does not fit the content")])
    if announced is not None and announced != own:
        raise DigestMismatch([Problem("payload", "sha256", "is not the one that the registry announced")])


def check_payload(payload: JsonValue, profile: Profile = Profile.PRODUCER) -> list[Problem]:
    """List everything that keeps a payload from being a sound package; empty when it is one.

    Checked are shape, file names, sizes, the digest, and all rules of a package folder.

    Decision: G234, G129.
    """
    try:
        check_value(payload)
    except NotStrictJson as error:
        return [Problem("payload", "document", str(error))]
    problems = [
        Problem("payload", *line.partition(": ")[::2])
        for line in schema_problems("pipeline_package/payload", payload, profile=profile)
    ]
    if problems or not isinstance(payload, dict):
        return problems
    problems = _name_problems(payload)
    if problems:
        return problems
    if payload.get("sha256") != payload_digest(payload):
        problems.append(Problem("payload", "sha256", "does not fit the content"))
    files = _files_of(payload)
    if len(canonical_json(payload)) > MAX_PACKAGE_BYTES or len(files.texts) > MAX_PACKAGE_FILES:
        problems.append(Problem("payload", "document", "is too large for a package"))
    return sorted([*problems, *package_problems(files, profile), *_version_problems(payload)])


def read_payload(payload: JsonValue, announced: str | None, profile: Profile = Profile.PRODUCER) -> Package:
    """Read a downloaded payload as a package.

    Raises `PackageInvalid` with every problem, `DigestMismatch` when `announced` is another digest.

    Decision: G144, G290.
    """
    if problems := check_payload(payload, profile):
        raise PackageInvalid(problems)
    assert isinstance(payload, dict)
    check_digest(payload, announced)
    return package_from(_files_of(payload), profile)


def unpack(payload: JsonValue, folder: Path, profile: Profile = Profile.PRODUCER) -> None:
    """Write a payload as a package folder, whole or not at all.

    `folder` must be named like the package; its parent folders are made. The files are written to a
    hidden staging folder beside it, made durable, and moved into place in one step. Raises
    `PackageInvalid` for a payload that `check_payload` refuses, and `FileExistsError` when `folder`
    exists: a version that is there is never written over.

    Decision: G144, G234.
    """
    problems = check_payload(payload, profile)
    if not problems and isinstance(payload, dict) and payload["id"] != folder.name:
        problems = [Problem("payload", "id", f"the folder is named {folder.name!r}")]
    if problems:
        raise PackageInvalid(problems)
    assert isinstance(payload, dict)
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = folder.parent / f".{folder.name}.{secrets.token_hex(8)}.staging"
    staging.mkdir(mode=0o700)
    try:
        _write_all(payload, staging)
        _move_into_place(staging, folder)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _files_of(payload: JsonObject) -> PackageFiles:
    parsers, scripts, workflow = (_group(payload, key) for key in _GROUPS)
    documents: JsonObject = {f"{key}.json": payload[key] for key in _DOCUMENT_KEYS}
    texts = {path: str(text) for path, text in (scripts | workflow).items()}
    return PackageFiles(str(payload["id"]), documents | parsers, texts)


def _group(payload: JsonObject, key: str) -> JsonObject:
    group = payload[key]
    assert isinstance(group, dict)
    return group


def _name_problems(payload: JsonObject) -> list[Problem]:
    paths = [(path, key) for key in _GROUPS for path in _group(payload, key)]
    problems = [
        Problem("payload", key, f"{path!r} {fault}")
        for path, key in paths
        if (fault := name_fault(path) or place_fault(path))
    ]
    repeated = repeated_name(path for path, _ in paths)
    if repeated:
        problems.append(
            Problem("payload", "document", f"{repeated!r} differs from another file only in capitals")
        )
    if any("\0" in str(text) for key in ("scripts", "workflow") for text in _group(payload, key).values()):
        problems.append(Problem("payload", "document", "holds a NUL character"))
    return problems


def _version_problems(payload: JsonObject) -> list[Problem]:
    manifest = payload["manifest"]
    assert isinstance(manifest, dict)
    identity = manifest["package"]
    assert isinstance(identity, dict)
    if identity["version"] != payload["version"]:
        return [Problem("payload", "version", "is not the version of the manifest")]
    return []


def _write_all(payload: JsonObject, staging: Path) -> None:
    files = _files_of(payload)
    contents = {path: readable_json(document) for path, document in files.documents.items()} | dict(
        files.texts
    )
    for path, text in contents.items():
        target = staging / path
        target.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(target, flags, mode=0o640), "wb") as stream:
            stream.write(text.encode("utf-8"))
            stream.flush()
            os.fsync(stream.fileno())
    for folder in sorted({(staging / path).parent for path in contents}, reverse=True):
        _make_durable(folder)


def _move_into_place(staging: Path, folder: Path) -> None:
    """Rename a finished folder to its name.

    A rename never replaces a folder that holds files, so of two who unpack at once one is refused.
    """
    if folder.exists():
        raise FileExistsError(f"{folder.name} is already there")
    staging.chmod(0o750)
    try:
        staging.rename(folder)
    except OSError as error:
        raise FileExistsError(f"{folder.name} is already there") from error
    _make_durable(folder.parent)


def _make_durable(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
