"""The answers of the Tool Registry Service, made from the pipelines of one publication."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from seqfacility_registry.answers import Answer, BrokenContent, ContentBroken
from seqfacility_registry.pipelines.content import ListedPipeline
from seqfacility_registry.release import RELEASE
from seqfacility_registry.trs.rules import (
    TOOL_CLASS,
    DescriptorFiles,
    Document,
    descriptor_files,
    service_info,
    tool_document,
    version_document,
)


class ToolVersion:
    """One version and its files; `document` is linked, what concerns files is not."""

    def __init__(self, pipeline: ListedPipeline, version: str, *, is_signed: bool) -> None:
        self._pipeline = pipeline
        self._version = version
        self._is_signed = is_signed
        self._where = f"pipelines/{pipeline.id}/versions/{version}"
        self.document = Answer(self._where, "registry/trs-tool-version", self.written, linked=True)

    def written(self, base_url: str) -> Document:
        package = self._pipeline.hosted(self._version).package
        listing = self._pipeline.listing
        return version_document(listing, package, self._files, base_url, is_signed=self._is_signed)

    @cached_property
    def descriptor(self) -> "Descriptor | None":
        """The files by their answers, None without any; raises `ContentBroken`."""
        try:
            files = self._files
        except BrokenContent as broken:
            raise ContentBroken from broken
        return Descriptor.of(self._where, files) if files.wrappers else None

    @cached_property
    def _files(self) -> DescriptorFiles:
        self._pipeline.download(self._version)
        return descriptor_files(self._pipeline.hosted(self._version).package)


@dataclass(frozen=True, slots=True)
class Descriptor:
    """What is answered of the files of one version; `by_path` and `texts` are relative to the main script."""

    type: str
    primary: str
    by_path: Mapping[str, Answer]
    texts: Mapping[str, str]
    files: Answer
    tests: Answer

    @classmethod
    def of(cls, where: str, files: DescriptorFiles) -> "Descriptor":
        def wrapped(path: str) -> Answer:
            return Answer(where, "registry/trs-file", lambda _base_url: files.wrappers[path])

        return cls(
            files.type,
            files.primary,
            {path: wrapped(path) for path in files.wrappers},
            files.texts,
            Answer(where, "registry/trs-tool-files", lambda _base_url: files.listing),
            Answer(where, "registry/trs-tests", lambda _base_url: []),
        )

    def answers(self) -> Iterator[tuple[str, Answer]]:
        """Return each answer with its path below the version."""
        yield f"{self.type}/descriptor", self.by_path[self.primary]
        for path, answer in self.by_path.items():
            yield f"{self.type}/descriptor/{path}", answer
        yield f"{self.type}/files", self.files
        yield f"{self.type}/tests", self.tests


class Tool:
    """One pipeline that is handed out; lists leave out withdrawn versions. Decision: G935."""

    def __init__(self, pipeline: ListedPipeline, *, is_signed: bool) -> None:
        self._pipeline = pipeline
        where = f"pipelines/{pipeline.id}"
        self.by_version = {
            version: ToolVersion(pipeline, version, is_signed=is_signed) for version in pipeline.packages
        }
        self.document = Answer(where, "registry/trs-tool", self.written, linked=True)
        self.versions = Answer(where, "registry/trs-tool-versions", self._listed, linked=True)

    def written(self, base_url: str) -> Document:
        package, listing = self._pipeline.newest.package, self._pipeline.listing
        return tool_document(listing, package, self._listed(base_url), base_url)

    def _listed(self, base_url: str) -> list[Document]:
        offered = [row.version for row in self._pipeline.versions if row.yank_reason is None]
        return [self.by_version[version].written(base_url) for version in offered]


class TrsContent:
    """All answers of the Tool Registry Service; `is_signed` says whether these are, too."""

    def __init__(self, pipelines: Mapping[str, ListedPipeline], *, is_signed: bool) -> None:
        self.by_pipeline = {
            name: Tool(pipeline, is_signed=is_signed)
            for name, pipeline in pipelines.items()
            if pipeline.is_public
        }
        self.info = Answer(
            "trs", "registry/trs-service-info", lambda base_url: service_info(base_url, RELEASE), linked=True
        )
        self.classes = Answer("trs", "registry/trs-tool-classes", lambda _base_url: [dict(TOOL_CLASS)])
        self.tools = Answer("trs", "registry/trs-tools", self._tools, linked=True)

    def answers(self) -> Iterator[Answer]:
        yield self.info
        yield from (answer for _path, answer in self.by_path())

    def by_path(self) -> Iterator[tuple[str, Answer]]:
        """Yield each answer with its path below the service, but for what the service says of itself.

        Files of a broken version are left out.
        """
        yield "toolClasses", self.classes
        yield "tools", self.tools
        for name, tool in self.by_pipeline.items():
            path = f"tools/seqfacility/{name}"
            yield path, tool.document
            yield f"{path}/versions", tool.versions
            for version, one in tool.by_version.items():
                yield f"{path}/versions/{version}", one.document
                try:
                    descriptor = one.descriptor
                except ContentBroken:
                    continue  # the answer above says so
                for place, answer in () if descriptor is None else descriptor.answers():
                    yield f"{path}/versions/{version}/{place}", answer

    def _tools(self, base_url: str) -> list[Document]:
        found = []
        for tool in self.by_pipeline.values():
            try:
                found.append(tool.written(base_url))
            except BrokenContent:
                continue  # its own answer says so, and `check` names it
        return found
