"""The release channels of one publication."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from seqfacility_pipeline_package.documents import JsonObject

from seqfacility_registry.answers import Answer, BrokenContent, Source, check_schema, read_source
from seqfacility_registry.releases.rules import latest_release, newest_first, release_answer

DEFAULT_CHANNEL = "stable"
BETA = "beta"


class Channel:
    """One release channel; `static` is what is answered to who names no version.

    A channel may contain another one: who follows `beta` gets a stable release that is newer.

    Decision: G450.
    """

    def __init__(self, name: str, source: Source, contained: "Channel | None" = None) -> None:
        self._name = name
        self._source = source
        self._contained = contained
        self.static = Answer(f"releases/{name}", "registry/release-feed", lambda _base_url: self._static())

    @property
    def is_empty(self) -> bool:
        """Return whether the channel is sound, but has no release yet."""
        try:
            return self.latest() is None
        except BrokenContent:
            return False

    def latest(self) -> JsonObject | None:
        """Return the newest release, None when the channel has none; raises `BrokenContent`."""
        return latest_release([*self._own(), *self._from_contained()])

    def validated(self) -> list[JsonObject]:
        """Return the channel's own releases, validated by their schema; raises `BrokenContent`."""
        self._check()
        return self._own()

    def _own(self) -> list[JsonObject]:
        document = self._source.document()
        if document.get("channel") != self._name:
            raise BrokenContent(f"releases/{self._name}.json: channel: is not {self._name!r}")
        releases = document.get("releases")
        if not isinstance(releases, list):
            raise BrokenContent(f"releases/{self._name}.json: releases: is not an array")
        return [row for row in releases if isinstance(row, dict)]

    def _check(self) -> None:
        check_schema(f"releases/{self._name}.json", "registry/release-channel", self._source.document())

    def _from_contained(self) -> list[JsonObject]:
        try:
            latest = None if self._contained is None else self._contained.latest()
        except BrokenContent:
            return []
        return [] if latest is None else [latest]

    def _static(self) -> dict[str, object]:
        latest = self.latest()
        self._check()
        if latest is None:
            raise BrokenContent(f"releases/{self._name}.json: releases: no release with a version")
        return release_answer(latest, None)


class ReleaseContent:
    """All channels by name, and the list of all releases."""

    def __init__(self, channels: Mapping[str, Channel]) -> None:
        self.channels = channels
        self.all = Answer("releases", "registry/releases", lambda _base_url: self._list())

    def answers(self) -> Iterator[Answer]:
        yield self.all
        for channel in self.channels.values():
            if not channel.is_empty:
                yield channel.static

    def _list(self) -> dict[str, object]:
        found = [release for channel in self.channels.values() for release in channel.validated()]
        return {"releases": newest_first(found)}


def read_releases(folder: Path) -> ReleaseContent:
    """Read all channels below `folder`; a broken one is kept as broken. Decision: G232, G238, G450."""
    sources = {path.stem: read_source(path, "releases") for path in sorted(folder.glob("*.json"))}
    channels = {name: Channel(name, source) for name, source in sources.items()}
    if BETA in channels:
        channels[BETA] = Channel(BETA, sources[BETA], channels.get(DEFAULT_CHANNEL))
    return ReleaseContent(channels)
