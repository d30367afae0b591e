"""The research-data snapshot of one publication."""

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

from seqfacility_wire.caching import ReadyDocument

from seqfacility_registry.answers import Answer, BrokenContent, Source, json_bytes, read_source
from seqfacility_registry.research_data.errors import NoSnapshot
from seqfacility_registry.research_data.rules import MetricFilter, filtered

MAX_FILTERED = 64
"""Filtered answers that are kept: the few that people and dashboards ask for again and again."""


class ResearchContent:
    """The snapshot, whole and filtered; `exists` is False when none has been collected yet."""

    def __init__(self, source: Source, exists: bool) -> None:
        self._source = source
        self._exists = exists
        self._kept: OrderedDict[MetricFilter, ReadyDocument] = OrderedDict()
        self._lock = Lock()
        self.all = Answer("research", "registry/research-data", lambda _base_url: self._whole())

    def answers(self) -> Iterator[Answer]:
        if self._exists:
            yield self.all

    def ready(self, wanted: MetricFilter) -> ReadyDocument:
        """Return the answer for a filter; raises `NoSnapshot` and `ContentBroken`. Decision: G239."""
        if not self._exists:
            raise NoSnapshot
        whole = self.all.ready("")
        if wanted == MetricFilter():
            return whole
        with self._lock:
            found = self._kept.pop(wanted, None) or ReadyDocument.of(
                json_bytes(filtered(self._source.document(), wanted))
            )
            self._kept[wanted] = found
            if len(self._kept) > MAX_FILTERED:
                self._kept.popitem(last=False)
            return found

    def _whole(self) -> dict[str, object]:
        document = self._source.document()
        if not isinstance(document.get("metrics"), list):
            raise BrokenContent("research/snapshot.json: metrics: is not an array")
        return filtered(document, MetricFilter())


def read_research_data(folder: Path) -> ResearchContent:
    """Read the snapshot below `folder`; a broken one is kept as broken. Decision: G232, G239."""
    path = folder / "snapshot.json"
    return ResearchContent(read_source(path, "research"), path.exists())
