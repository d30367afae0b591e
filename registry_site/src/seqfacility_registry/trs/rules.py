"""Pure decisions of the Tool Registry Service: how a pipeline, its versions and its files are written.

Decision: G934, G935, G938.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, TypeAlias
from urllib.parse import quote, urlsplit

from seqfacility_pipeline_package.documents import Fields, JsonObject
from seqfacility_pipeline_package.enums import Engine
from seqfacility_pipeline_package.package import Package

from seqfacility_registry.pipelines.workflow_source import workflow_source

ROOT = "/ga4gh/trs/v2"
STANDARD_VERSION = "2.0.1"
ORGANIZATION = "seqfacility"
MAX_PAGE = 1000
TOOL_CLASS: Mapping[str, str] = {
    "id": "Workflow",
    "name": "Workflow",
    "description": "A workflow that an engine runs on the samples of an order or a study.",
}
SNAKEMAKE = "SMK"
_TYPES = {Engine.NEXTFLOW: "NFL", Engine.SNAKEMAKE: SNAKEMAKE}
_ENCODED_SLASH = re.compile("%2f", re.IGNORECASE)
_SECONDARY = frozenset({".smk", ".nf"})

Document: TypeAlias = dict[str, object]


@dataclass(frozen=True, slots=True)
class DescriptorFiles:
    """The workflow of a version as files: `wrappers` by path relative to the main script, whose is `primary`.

    `wrappers` is empty where the workflow lies on a host whose addresses of files are not known.
    """

    type: str
    primary: str
    wrappers: Mapping[str, Document]

    @property
    def types(self) -> list[str]:
        return [self.type] if self.wrappers else []

    @property
    def texts(self) -> dict[str, str]:
        """Return the contents, without those that only an address is known of."""
        return {path: str(file["content"]) for path, file in self.wrappers.items() if "content" in file}

    @property
    def have_checksums(self) -> bool:
        return bool(self.wrappers) and all("checksum" in file for file in self.wrappers.values())

    @property
    def listing(self) -> list[Document]:
        return [{"path": path, "file_type": self._role(path)} for path in self.wrappers]

    def _role(self, path: str) -> str:
        if path == self.primary:
            return "PRIMARY_DESCRIPTOR"
        return "SECONDARY_DESCRIPTOR" if PurePosixPath(path).suffix in _SECONDARY else "OTHER"


@dataclass(frozen=True, slots=True)
class ToolFilter:
    """What a caller wants of the list of tools; what we have none of, such as images, matches nothing."""

    exact: Mapping[str, str]
    parts: Mapping[str, str]
    descriptor_type: str | None
    wants_what_is_missing: bool


def with_slashes(path: str) -> str:
    """Decode what an encoded slash is below the service: ids and paths of files have one. Decision: G934."""
    return _ENCODED_SLASH.sub("/", path) if path.startswith(f"{ROOT}/tools/") else path


def trs_address(base_url: str) -> str:
    """Return where the service is, beside the `/api` of the registry."""
    return base_url.removesuffix("/api") + ROOT


def tool_address(base_url: str, pipeline_id: str) -> str:
    return f"{trs_address(base_url)}/tools/{quote(tool_id(pipeline_id), safe='')}"


def tool_id(pipeline_id: str) -> str:
    return f"{ORGANIZATION}/{pipeline_id}"


def service_info(base_url: str, release: str) -> Document:
    """Describe the service; its id is the host turned round, so that each mirror has one of its own."""
    parts = urlsplit(base_url)
    host = ".".join(reversed((parts.hostname or "").split(".")))
    return {
        "id": f"{host}.trs",
        "name": "SeqFacility pipeline registry",
        "type": {"group": "org.ga4gh", "artifact": "trs", "version": STANDARD_VERSION},
        "description": "Pipelines that sequencing core facilities install.",
        "organization": {"name": "SeqFacility", "url": f"{parts.scheme}://{parts.netloc}"},
        "version": release,
    }


def tool_document(
    listing: JsonObject, package: Package, versions: Sequence[Document], base_url: str
) -> Document:
    """Write a pipeline as a tool; `package` is the newest that can be installed."""
    return {
        "url": tool_address(base_url, package.id),
        "id": tool_id(package.id),
        "organization": ORGANIZATION,
        "name": package.descriptor.name,
        "toolclass": dict(TOOL_CLASS),
        "description": package.descriptor.short_description,
        "meta_version": str(Fields(listing).parts("versions")[-1].text("releaseDate")),
        "has_checker": False,
        "versions": list(versions),
    }


def version_document(
    listing: JsonObject, package: Package, files: DescriptorFiles, base_url: str, *, is_signed: bool
) -> Document:
    """Write a version; it is verified when the entry's record is of it.

    The standard wants checksums of what it calls a production version, which a withdrawn one is not either.

    Decision: G455, G938.
    """
    reason = _yank_reason(listing, package.version)
    record = Fields(listing).part("verification")
    is_verified = record.values.get("version") == package.version
    document = package.files.documents["registry.json"]
    assert isinstance(document, dict)
    return {
        "author": [Fields(document).text("author")],
        "name": package.version if reason is None else f"{package.version} (withdrawn: {reason})",
        "url": f"{tool_address(base_url, package.id)}/versions/{package.version}",
        "id": package.version,
        "is_production": reason is None and files.have_checksums,
        "images": [],
        "descriptor_type": files.types,
        "containerfile": False,
        "meta_version": package.version,
        "verified": is_verified,
        "verified_source": [record.text("test")] if is_verified else [],
        "signed": is_signed,
    }


def _yank_reason(listing: JsonObject, version: str) -> str | None:
    rows = Fields(listing).parts("versions")
    return next((row.optional_text("yankReason") for row in rows if row.text("version") == version), None)


def descriptor_files(package: Package) -> DescriptorFiles:
    """Return the files of a workflow: with their content, or where the main script of a fetched one is."""
    kind, source = _TYPES[package.manifest.execution.engine], workflow_source(package)
    name = PurePosixPath(source.path).name
    if not source.is_packaged:
        return DescriptorFiles(kind, name, {} if source.url is None else {name: {"url": source.url}})
    wrappers = {
        path.removeprefix(source.folder): _wrapper(text)
        for path, text in sorted(package.files.texts.items())
        if path.startswith(source.folder)
    }
    return DescriptorFiles(kind, name, wrappers)


def _wrapper(text: str) -> Document:
    digest = hashlib.sha256(text.encode()).hexdigest()
    return {"content": text, "checksum": [{"checksum": digest, "type": "sha-256"}]}


def filtered(tools: Sequence[Mapping[str, Any]], wanted: ToolFilter) -> list[Mapping[str, Any]]:
    return [tool for tool in tools if _fits(tool, wanted)]


def _fits(tool: Mapping[str, Any], wanted: ToolFilter) -> bool:
    authors = " ".join(name for version in tool["versions"] for name in version["author"])
    types = {kind for version in tool["versions"] for kind in version["descriptor_type"]}
    told = {**tool, "toolclass": tool["toolclass"]["name"], "author": authors}
    told["pipeline"] = tool["id"].removeprefix(f"{ORGANIZATION}/")
    return (
        not wanted.wants_what_is_missing
        and all(told[key] == text for key, text in wanted.exact.items())
        and all(text.casefold() in told[key].casefold() for key, text in wanted.parts.items())
        and (wanted.descriptor_type is None or wanted.descriptor_type in types)
    )
