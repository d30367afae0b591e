"""The pipelines as a GA4GH Tool Registry Service."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from falcon import MEDIA_TEXT, Request, Response
from seqfacility_wire.caching import ReadyDocument
from seqfacility_wire.cors import answer_preflight
from seqfacility_wire.requests import query_flag, query_int, query_text, read_integer

from seqfacility_registry.answers import Answer, json_bytes
from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.links import Links
from seqfacility_registry.publishing import PUBLIC_DOCUMENT, publish
from seqfacility_registry.trs.content import Descriptor, ToolVersion
from seqfacility_registry.trs.errors import InvalidPage, ToolNotFound
from seqfacility_registry.trs.rules import MAX_PAGE, SNAKEMAKE, ToolFilter, filtered, trs_address

_EXACT = {"id": "id", "toolClass": "toolclass", "organization": "organization"}
_PARTS = {"name": "pipeline", "toolname": "name", "description": "description", "author": "author"}
_MISSING = ("alias", "registry")


@dataclass(frozen=True, slots=True)
class TrsDocument:
    """What all answers have in common."""

    content: ContentFolder
    links: Links

    def on_options(self, _req: Request, resp: Response, **_names: str) -> None:
        """Answer a preflight. Decision: G934."""
        answer_preflight(resp)

    def send(self, req: Request, resp: Response, answer: Answer | None) -> None:
        """Publish an answer; raises `ToolNotFound` without one."""
        if answer is None:
            raise ToolNotFound
        publish(req, resp, answer.ready(self.links.base_url(req)), PUBLIC_DOCUMENT)

    def version(self, pipeline_id: str, version: str) -> ToolVersion:
        tool = self.content.current().trs.by_pipeline.get(pipeline_id)
        found = None if tool is None else tool.by_version.get(version)
        if found is None:
            raise ToolNotFound
        return found

    def descriptor(self, pipeline_id: str, version: str, descriptor_type: str) -> Descriptor:
        found = self.version(pipeline_id, version).descriptor
        if found is None or found.type != descriptor_type:
            raise ToolNotFound
        return found


class ServiceInfo(TrsDocument):
    """What the service is."""

    def on_get(self, req: Request, resp: Response) -> None:
        """Describe the service. Decision: G934."""
        self.send(req, resp, self.content.current().trs.info)


class ToolClasses(TrsDocument):
    """The classes of tools."""

    def on_get(self, req: Request, resp: Response) -> None:
        """List the classes of tools. Decision: G934."""
        self.send(req, resp, self.content.current().trs.classes)


class Tools(TrsDocument):
    """All tools."""

    def on_get(self, req: Request, resp: Response) -> None:
        """List the tools, those that fit a query when there is one.

        Decision: G935, G938.
        """
        for name in ("limit", "offset"):
            if (text := query_text(req, name)) is not None and read_integer(text) is None:
                raise InvalidPage
        base_url = self.links.base_url(req)
        ready = self.content.current().trs.tools.ready(base_url)
        tools = filtered(json.loads(ready.content), _filter(req))
        limit = query_int(req, "limit", MAX_PAGE, 1, MAX_PAGE)
        offset = query_int(req, "offset", 0, 0, 1 << 31)
        page = tools[offset : offset + limit]
        resp.set_headers(_page_headers(req, trs_address(base_url), offset, limit, len(tools)))
        publish(req, resp, ReadyDocument.of(json_bytes(page)), PUBLIC_DOCUMENT)


class OneTool(TrsDocument):
    """One tool."""

    def on_get(self, req: Request, resp: Response, pipeline_id: str) -> None:
        """Return a pipeline as a tool. Decision: G934."""
        tool = self.content.current().trs.by_pipeline.get(pipeline_id)
        self.send(req, resp, None if tool is None else tool.document)


class ToolVersions(TrsDocument):
    """The versions of a tool."""

    def on_get(self, req: Request, resp: Response, pipeline_id: str) -> None:
        """List the versions that were not withdrawn. Decision: G935."""
        tool = self.content.current().trs.by_pipeline.get(pipeline_id)
        self.send(req, resp, None if tool is None else tool.versions)


class OneToolVersion(TrsDocument):
    """One version of a tool."""

    def on_get(self, req: Request, resp: Response, pipeline_id: str, version: str) -> None:
        """Return a version, a withdrawn one as well. Decision: G935."""
        self.send(req, resp, self.version(pipeline_id, version).document)


class PrimaryDescriptor(TrsDocument):
    """The main script of a version."""

    def on_get(
        self, req: Request, resp: Response, pipeline_id: str, version: str, descriptor_type: str
    ) -> None:
        """Return the main script: its content, or its address where the engine fetches it. Decision: G935."""
        descriptor = self.descriptor(pipeline_id, version, descriptor_type)
        self.send(req, resp, descriptor.by_path[descriptor.primary])


class DescriptorFile(TrsDocument):
    """One file of the workflow of a version."""

    def on_get(
        self,
        req: Request,
        resp: Response,
        pipeline_id: str,
        version: str,
        descriptor_type: str,
        relative_path: str,
    ) -> None:
        """Return a file by its path relative to the main script. Decision: G935."""
        descriptor = self.descriptor(pipeline_id, version, descriptor_type)
        self.send(req, resp, descriptor.by_path.get(relative_path))


class PlainDescriptor(TrsDocument):
    """A file of a Snakemake workflow as it is."""

    def on_get(
        self, req: Request, resp: Response, pipeline_id: str, version: str, relative_path: str | None = None
    ) -> None:
        """Return the text of the main script, or of the file at a path relative to it. Decision: G938."""
        descriptor = self.descriptor(pipeline_id, version, SNAKEMAKE)
        text = descriptor.texts.get(relative_path or descriptor.primary)
        if text is None:
            raise ToolNotFound
        publish(req, resp, ReadyDocument.of(text.encode(), MEDIA_TEXT), PUBLIC_DOCUMENT)


class ToolFiles(TrsDocument):
    """The files of the workflow of a version."""

    def on_get(
        self, req: Request, resp: Response, pipeline_id: str, version: str, descriptor_type: str
    ) -> None:
        """List paths and roles of the files; a zip of them is not made. Decision: G935, G938."""
        if query_text(req, "format") is not None:
            raise ToolNotFound
        self.send(req, resp, self.descriptor(pipeline_id, version, descriptor_type).files)


class ToolTests(TrsDocument):
    """The tests of a version."""

    def on_get(
        self, req: Request, resp: Response, pipeline_id: str, version: str, descriptor_type: str
    ) -> None:
        """List the test files: packages bring none. Decision: G935."""
        self.send(req, resp, self.descriptor(pipeline_id, version, descriptor_type).tests)


class Containerfile(TrsDocument):
    """The container specifications of a version."""

    def on_get(self, _req: Request, _resp: Response, pipeline_id: str, version: str) -> None:
        """Refuse: packages bring no container specification. Decision: G935."""
        self.version(pipeline_id, version)
        raise ToolNotFound


def _filter(req: Request) -> ToolFilter:
    def asked(names: Mapping[str, str]) -> dict[str, str]:
        return {key: text for name, key in names.items() if (text := query_text(req, name)) is not None}

    is_missing = query_flag(req, "checker") or any(query_text(req, name) for name in _MISSING)
    return ToolFilter(asked(_EXACT), asked(_PARTS), query_text(req, "descriptorType"), is_missing)


def _page_headers(req: Request, address: str, offset: int, limit: int, total: int) -> dict[str, str]:
    names = (*_EXACT, *_PARTS, *_MISSING, "descriptorType", "checker")
    kept = {name: text for name in names if (text := query_text(req, name)) is not None}

    def page(start: int) -> str:
        return f"{address}/tools?{urlencode({**kept, 'offset': start, 'limit': limit})}"

    headers = {"self_link": page(offset), "last_page": page(max(total - 1, 0) // limit * limit)}
    if offset + limit < total:
        headers["next_page"] = page(offset + limit)
    return {**headers, "current_offset": str(offset), "current_limit": str(limit)}
