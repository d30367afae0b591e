"""The answers that depend on no query and no code: what an export writes, and what is signed."""

from collections.abc import Iterator

from seqfacility_registry.answers import Answer, json_bytes
from seqfacility_registry.content_folder import Publication
from seqfacility_registry.install_profiles.rules import resolved
from seqfacility_registry.releases.content import DEFAULT_CHANNEL


def static_answers(publication: Publication) -> Iterator[tuple[str, Answer]]:
    """Yield each answer with its path below `/api/`. Decision: G284."""
    pipelines, profiles = publication.pipelines, publication.install_profiles
    yield "registry", pipelines.index
    for name, entry in pipelines.entries.items():
        yield f"registry/{name}", entry
    for (name, version), download in pipelines.downloads.items():
        yield f"registry/pipelines/{name}/{version}/download", download
    yield "registry/mixs", publication.checklists.all
    yield "registry/sequencing-tech", publication.catalog.catalog
    stable = publication.releases.channels.get(DEFAULT_CHANNEL)
    if stable is not None and not stable.is_empty:
        yield "version", stable.static
    for answer in publication.research_data.answers():
        yield "research-data", answer
    yield "install-profiles", profiles.all
    for name, profile in profiles.profiles.items():
        yield f"install-profiles/{name}", profile.entry


def open_profiles(publication: Publication) -> Iterator[tuple[str, bytes]]:
    """Yield each profile that everybody may have, resolved, with its path below `/api/`. Decision: G284."""
    for name, profile in publication.install_profiles.profiles.items():
        if profile.is_open:
            yield f"install-profiles/{name}/resolve", json_bytes(resolved(profile.profile(), {}))
