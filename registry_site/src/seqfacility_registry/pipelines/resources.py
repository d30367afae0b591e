"""The pipeline registry over HTTP."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.cors import answer_preflight

from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.links import Links
from seqfacility_registry.pipelines.errors import PackageNotFound, PipelineNotFound
from seqfacility_registry.pipelines.rules import check_pipeline_id, check_pipeline_version
from seqfacility_registry.publishing import PUBLIC_DOCUMENT, publish


@dataclass(frozen=True, slots=True)
class PipelineIndex:
    """The list of installable pipelines."""

    content: ContentFolder
    links: Links

    def on_get(self, req: Request, resp: Response) -> None:
        """Return the index. Spec: registry, Pipeline registry."""
        index = self.content.current().pipelines.index
        publish(req, resp, index.ready(self.links.base_url(req)), PUBLIC_DOCUMENT)

    def on_options(self, _req: Request, resp: Response) -> None:
        """Answer a preflight. Spec: registry, Limits, CORS."""
        answer_preflight(resp)


@dataclass(frozen=True, slots=True)
class PipelineEntry:
    """One pipeline, in full."""

    content: ContentFolder
    links: Links

    def on_get(self, req: Request, resp: Response, pipeline_id: str) -> None:
        """Return an entry; 400 and 404 come before anything is read. Spec: registry, Pipeline registry."""
        check_pipeline_id(pipeline_id)
        entry = self.content.current().pipelines.entries.get(pipeline_id)
        if entry is None:
            raise PipelineNotFound
        publish(req, resp, entry.ready(self.links.base_url(req)), PUBLIC_DOCUMENT)

    def on_options(self, _req: Request, resp: Response, **_names: str) -> None:
        """Answer a preflight. Spec: registry, Limits, CORS."""
        answer_preflight(resp)


@dataclass(frozen=True, slots=True)
class PipelineDownload:
    """The package payload of one version."""

    content: ContentFolder

    def on_get(self, req: Request, resp: Response, pipeline_id: str, version: str) -> None:
        """Return a payload; a private pipeline has none.

        Spec: registry, Pipeline registry. Decision: G235.
        """
        check_pipeline_id(pipeline_id)
        check_pipeline_version(version)
        payload = self.content.current().pipelines.downloads.get((pipeline_id, version))
        if payload is None:
            raise PackageNotFound
        publish(req, resp, payload.ready(""), PUBLIC_DOCUMENT)

    def on_options(self, _req: Request, resp: Response, **_names: str) -> None:
        """Answer a preflight. Spec: registry, Limits, CORS."""
        answer_preflight(resp)


@dataclass(frozen=True, slots=True)
class PipelineCrate:
    """The RO-Crate of one version."""

    content: ContentFolder

    def on_get(self, req: Request, resp: Response, pipeline_id: str, version: str) -> None:
        """Return a Workflow RO-Crate; refusals are those of the download. Decision: G936."""
        check_pipeline_id(pipeline_id)
        check_pipeline_version(version)
        crate = self.content.current().pipelines.crates.get((pipeline_id, version))
        if crate is None:
            raise PackageNotFound
        publish(req, resp, crate.ready(""), PUBLIC_DOCUMENT)

    def on_options(self, _req: Request, resp: Response, **_names: str) -> None:
        """Answer a preflight. Spec: registry, Limits, CORS."""
        answer_preflight(resp)
