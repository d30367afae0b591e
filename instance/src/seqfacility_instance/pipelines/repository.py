"""Import of a package from a git repository."""

import socket
from dataclasses import replace

from seqfacility_pipeline_package.folder import DOCUMENTS, PackageFiles, files_from, place_fault
from seqfacility_pipeline_package.names import name_fault
from seqfacility_pipeline_package.package import Package, package_from
from seqfacility_pipeline_package.problems import PackageInvalid
from seqfacility_schemas import Profile
from seqfacility_wire.errors import ValidationFailed
from seqfacility_workflow_runtime.repository import (
    Found,
    GitMissing,
    RepositoryRefused,
    RepositoryUnreachable,
    Wanted,
    check_words,
    read_repository,
)

from seqfacility_instance.pipelines.bodies import RepositoryRequest
from seqfacility_instance.pipelines.errors import GitNotInstalled, PackageRefused, RepositoryNotReadable
from seqfacility_instance.pipelines.rules import check_release
from seqfacility_instance.registry_client.connections import checked_addresses
from seqfacility_instance.registry_client.reach import Reach
from seqfacility_instance.registry_client.rules import checked_url

_WORKFLOW = "workflow/"


def read_package_files(request: RepositoryRequest) -> Found:
    """Read the files of a repository that can be parts of a package; everything else in it is passed over.

    Raises `ValidationFailed`, `PackageRefused`, `RepositoryNotReadable` and `GitNotInstalled`.

    Decision: G336, G337.
    """
    folder = package_folder(request.descriptor_path)
    wanted = Wanted(request.repository, request.ref, folder, request.key)
    try:
        check_words(wanted)
    except RepositoryRefused as refused:
        raise ValidationFailed([str(refused)]) from refused
    wanted = replace(wanted, addresses=_addresses_of(request.repository))
    try:
        return read_repository(wanted, lambda path: _is_part(path, request.include_workflow))
    except RepositoryRefused as refused:
        raise PackageRefused(details=[str(refused)]) from refused
    except RepositoryUnreachable as unreachable:
        raise RepositoryNotReadable(details=[str(unreachable)]) from unreachable
    except GitMissing as missing:
        raise GitNotInstalled from missing


def _addresses_of(repository: str) -> tuple[str, ...]:
    """Look up where git shall connect to; of a file and of a name that leads nowhere, which git tells, none.

    The caller has named the host, so it may have a private address.

    Decision: G226, G337, G406.
    """
    parts = checked_url(repository)
    if parts is None or parts.host is None:
        return ()
    host, port = parts.host.strip("[]"), parts.port or (443 if parts.scheme == "https" else 80)
    try:
        return tuple(checked_addresses(host, port, Reach().including(repository)))
    except socket.gaierror:
        return ()
    except OSError as refused:
        raise RepositoryNotReadable(
            details=["repository: is at an address that nothing is fetched from"]
        ) from refused


def imported_package(found: Found, pipeline_id: str | None, version: str | None) -> Package:
    """Make a package of a commit's files.

    Raises `PackageRefused` with every problem, or `NeedsNewerRelease`.

    Decision: G129, G336, G445.
    """
    files, problems = files_from("", found.files)
    if problems:
        raise PackageRefused(details=sorted(str(problem) for problem in problems))
    name, manifest = _declared_id(files), files.documents.get("manifest.json")
    if isinstance(manifest, dict):
        check_release(name, found.commit[:12], manifest.get("minServiceVersion"))
    named = PackageFiles(name, files.documents, files.texts)
    try:
        package = package_from(named, Profile.CONSUMER)
    except PackageInvalid as invalid:
        raise PackageRefused(details=invalid.details) from invalid
    if pipeline_id not in {None, package.id} or version not in {None, package.version}:
        raise PackageRefused(details=["manifest.json: package: is another one than the one asked for"])
    return package


def package_folder(descriptor_path: str) -> str:
    """Return the folder of a package from its own path or that of its manifest; raises `ValidationFailed`."""
    path = descriptor_path.strip("/")
    folder = path.removesuffix(DOCUMENTS[0]).rstrip("/") if path.endswith(DOCUMENTS[0]) else path
    if folder and name_fault(folder) is not None:
        raise ValidationFailed([f"descriptorPath: {name_fault(folder)}"])
    return folder


def _is_part(path: str, include_workflow: bool) -> bool:
    return place_fault(path) is None and (include_workflow or not path.startswith(_WORKFLOW))


def _declared_id(files: PackageFiles) -> str:
    manifest = files.documents.get(DOCUMENTS[0])
    package = manifest.get("package") if isinstance(manifest, dict) else None
    name = package.get("id") if isinstance(package, dict) else None
    return name if isinstance(name, str) else ""
