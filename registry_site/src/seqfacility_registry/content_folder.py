"""The content as one publication at a time: read whole, replaced whole."""

import logging
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from seqfacility_registry.answers import ANY_ADDRESS, Answer, ContentBroken
from seqfacility_registry.catalog.content import CatalogContent, read_catalog
from seqfacility_registry.checklists.content import ChecklistContent, read_checklists
from seqfacility_registry.images import ImageContent, read_images
from seqfacility_registry.install_profiles.content import ProfileContent, read_install_profiles
from seqfacility_registry.pipelines.content import PipelineContent, read_pipelines
from seqfacility_registry.releases.content import ReleaseContent, read_releases
from seqfacility_registry.research_data.content import ResearchContent, read_research_data
from seqfacility_registry.trs.content import TrsContent
from seqfacility_registry.trust.content import TrustContent, read_trust

POLL_SECONDS = 1.0
"""How often the folder is polled, and how long it must have been unchanged before it is read."""

UNCHANGED_POLLS = 10
"""Polls that a breaking change must outlast before it is believed: perhaps somebody is still writing."""

MAX_READINGS = 10
"""Readings that may be spoiled at start by somebody who is writing; then the last one is served."""

Fingerprint: TypeAlias = frozenset[tuple[str, int, int, int, int]]

_log = logging.getLogger("seqfacility.content")


@dataclass(frozen=True, slots=True)
class Publication:
    """Everything that is published at one time. Nothing in it reads the disk again."""

    pipelines: PipelineContent
    checklists: ChecklistContent
    catalog: CatalogContent
    releases: ReleaseContent
    research_data: ResearchContent
    install_profiles: ProfileContent
    images: ImageContent
    trust: TrustContent
    trs: TrsContent

    def answers(self) -> Iterator[Answer]:
        yield from self.pipelines.answers()
        yield from self.catalog.answers()
        yield from self.releases.answers()
        yield from self.install_profiles.answers()
        yield from self.research_data.answers()
        yield from self.checklists.answers()
        yield from self.trs.answers()


def read_publication(content: Path) -> Publication:
    """Read everything below `content`; what is broken spoils only its own answer. Decision: G232."""
    pipelines = read_pipelines(content / "pipelines")
    return Publication(
        pipelines=pipelines,
        checklists=read_checklists(content / "checklists"),
        catalog=read_catalog(content / "catalog"),
        releases=read_releases(content / "releases"),
        research_data=read_research_data(content / "research"),
        install_profiles=read_install_profiles(content / "profiles"),
        images=read_images(content),
        trust=read_trust(content / "trust"),
        trs=TrsContent(pipelines.pipelines, is_signed=any((content / "trust").glob("root.*.json"))),
    )


def fingerprint_of(content: Path) -> Fingerprint:
    """Return inode, size and times of every file of a folder, which no replacement leaves equal."""
    found = []
    pending = [os.fspath(content)]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_dir():
                        pending.append(entry.path)
                    facts = entry.stat()
                    found.append(
                        (entry.path, facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)
                    )
        except OSError:
            found.append((folder, 0, 0, 0, 0))  # it is being replaced: the next poll differs
    return frozenset(found)


class ContentFolder:
    """Holds the current publication and replaces it when the folder has changed.

    A publication is taken over only when the folder was the same before and after it was read, and when
    its answers are prepared: a request sees the old or the new one, never a mixture, and never waits.
    """

    def __init__(self, content: Path) -> None:
        self._content = content
        self._seen: Fingerprint = frozenset()
        self._pending: Fingerprint = frozenset()
        self._unchanged_polls = 0
        self.is_prepared = False
        """Whether all answers have been made; only at the start some requests wait for that."""
        for _ in range(MAX_READINGS):
            self._seen = fingerprint_of(content)
            self._current = read_publication(content)
            self._pending = fingerprint_of(content)
            if self._pending == self._seen:
                break

    def current(self) -> Publication:
        """Return the publication that is valid now; a request asks once and keeps what it got."""
        return self._current

    def poll(self) -> bool:
        """Poll the folder once; return True when another publication was loaded.

        A change is read when the folder has not changed since the previous poll. One that breaks an answer
        is believed only after `UNCHANGED_POLLS`, and a missing folder is no publication at all.
        """
        now = fingerprint_of(self._content)
        self._unchanged_polls = self._unchanged_polls + 1 if now == self._pending else 0
        self._pending = now
        if (
            now == self._seen
            or self._unchanged_polls not in {1, UNCHANGED_POLLS}
            or not self._content.is_dir()
        ):
            return False
        publication = read_publication(self._content)
        if fingerprint_of(self._content) != now:
            return False
        if warm_up(publication) - warm_up(self._current) and self._unchanged_polls < UNCHANGED_POLLS:
            return False
        self._current, self._seen = publication, now
        _log.info("another publication was taken over")
        return True

    def watch(self, stopping: threading.Event) -> None:
        """Prepare the first publication, then poll the folder until `stopping` is set."""
        warm_up(self._current)
        self.is_prepared = True
        while not stopping.wait(POLL_SECONDS):
            self.poll()


def warm_up(publication: Publication) -> frozenset[str]:
    """Prepare every answer, so that no request has to wait for it; names what is broken."""
    broken = set()
    for answer in publication.answers():
        try:
            answer.ready(ANY_ADDRESS)
        except ContentBroken:
            broken.add(answer.where)  # told once when it was prepared
    if publication.trust.is_broken:
        broken.add("trust")
    return frozenset(broken)
