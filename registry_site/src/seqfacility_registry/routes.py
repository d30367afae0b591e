"""The URL table, in the order of the documents. Spec: registry, Endpoints and Limits, CORS."""

from dataclasses import dataclass

from seqfacility_wire.api_docs.resources import DocsFile, DocsPage

from seqfacility_registry.catalog.resources import SequencingTech
from seqfacility_registry.checklists.resources import MixsChanges, MixsRegistry
from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.install_profiles.resources import (
    InstallProfileEntry,
    InstallProfileList,
    InstallProfileResolution,
)
from seqfacility_registry.install_profiles.secrets_folder import SecretsFolder
from seqfacility_registry.install_profiles.throttle import AccessCodeThrottle
from seqfacility_registry.links import Links
from seqfacility_registry.pipelines.resources import (
    PipelineCrate,
    PipelineDownload,
    PipelineEntry,
    PipelineIndex,
)
from seqfacility_registry.pipelines.ro_crate import FILE_NAME
from seqfacility_registry.releases.resources import ReleaseFeed
from seqfacility_registry.research_data.resources import ResearchData
from seqfacility_registry.settings import Settings
from seqfacility_registry.site.resources import FileList, Health, Image, OpenApi
from seqfacility_registry.trs import resources as trs_resources
from seqfacility_registry.trs import rules as trs
from seqfacility_registry.trust.resources import TrustDocument, TrustMetadata

DOWNLOAD_PATH = "/api/registry/pipelines/{pipeline_id}/{version}/download"
CRATE_PATH = f"/api/registry/pipelines/{{pipeline_id}}/{{version}}/{FILE_NAME}"


@dataclass(frozen=True, slots=True)
class Route:
    """One row of the URL table; `any_origin` marks the routes that any web site may read."""

    path: str
    resource: object
    any_origin: bool = False


def routes(
    settings: Settings, content: ContentFolder, throttle: AccessCodeThrottle, files: FileList
) -> list[Route]:
    links = Links(settings.public_url)
    entry = PipelineEntry(content, links)
    resolution = InstallProfileResolution(
        content, SecretsFolder(settings.secrets), throttle, settings.trusted_proxies
    )
    table = [
        Route("/api/registry/sequencing-tech", SequencingTech(content)),
        Route("/api/registry", PipelineIndex(content, links), any_origin=True),
        Route("/api/registry/{pipeline_id}", entry, any_origin=True),
        Route(DOWNLOAD_PATH, PipelineDownload(content), any_origin=True),
        Route(CRATE_PATH, PipelineCrate(content), any_origin=True),
        Route("/api/registry/mixs", MixsRegistry(content), any_origin=True),
        Route("/api/registry/mixs/changes", MixsChanges(content)),
        Route("/api/version", ReleaseFeed(content)),
        Route("/api/research-data", ResearchData(content)),
        Route("/api/install-profiles", InstallProfileList(content, links)),
        Route("/api/install-profiles/{profile_id}", InstallProfileEntry(content, links)),
        Route("/api/install-profiles/{profile_id}/resolve", resolution),
        Route("/api/trust/{name}", TrustMetadata(content)),
        Route("/api/trust/documents/{name}", TrustDocument(content)),
        Route("/api/files.json", files),
        Route("/api/health", Health()),
        Route("/api/openapi.json", OpenApi(lambda: table)),
        Route("/api/docs", DocsPage()),
        Route("/api/docs/{name}", DocsFile()),
        Route("/images/{shelf}/{name}", Image(content)),
        *_trs(content, links),
    ]
    return table


def _trs(content: ContentFolder, links: Links) -> list[Route]:
    """Return the routes of the Tool Registry Service; its ids have their slash decoded. Decision: G934."""
    tool = f"{trs.ROOT}/tools/{trs.ORGANIZATION}/{{pipeline_id}}"
    version = f"{tool}/versions/{{version}}"
    descriptor = f"{version}/{{descriptor_type}}"
    resources = {
        f"{trs.ROOT}/service-info": trs_resources.ServiceInfo,
        f"{trs.ROOT}/toolClasses": trs_resources.ToolClasses,
        f"{trs.ROOT}/tools": trs_resources.Tools,
        tool: trs_resources.OneTool,
        f"{tool}/versions": trs_resources.ToolVersions,
        version: trs_resources.OneToolVersion,
        f"{descriptor}/descriptor": trs_resources.PrimaryDescriptor,
        f"{descriptor}/descriptor/{{relative_path:path}}": trs_resources.DescriptorFile,
        f"{version}/PLAIN_{trs.SNAKEMAKE}/descriptor": trs_resources.PlainDescriptor,
        f"{version}/PLAIN_{trs.SNAKEMAKE}/descriptor/{{relative_path:path}}": trs_resources.PlainDescriptor,
        f"{descriptor}/files": trs_resources.ToolFiles,
        f"{descriptor}/tests": trs_resources.ToolTests,
        f"{version}/containerfile": trs_resources.Containerfile,
    }
    return [Route(path, made(content, links), any_origin=True) for path, made in resources.items()]
