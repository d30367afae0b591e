"""The answers that depend on no query and no code: what an export writes, and what is signed."""

from collections.abc import Iterator

from seqfacility_pipeline_package.trust_files import IMAGES, web_path

from seqfacility_registry.answers import Answer, json_bytes
from seqfacility_registry.content_folder import Publication
from seqfacility_registry.install_profiles.rules import resolved
from seqfacility_registry.pipelines.ro_crate import FILE_NAME
from seqfacility_registry.releases.content import DEFAULT_CHANNEL
from seqfacility_registry.trs.rules import ROOT

HEALTHY = b'{"status":"ok"}'
HEALTH = "api/health"
SERVICE_INFO = f"{ROOT.removeprefix('/')}/service-info"


def static_answers(publication: Publication) -> Iterator[tuple[str, Answer]]:
    """Yield each answer with the path that it is signed under. Decision: G284, G960."""
    pipelines, profiles = publication.pipelines, publication.install_profiles
    yield "registry", pipelines.index
    for name, entry in pipelines.entries.items():
        yield f"registry/{name}", entry
    for (name, version), download in pipelines.downloads.items():
        yield f"registry/pipelines/{name}/{version}/download", download
    for (name, version), crate in pipelines.crates.items():
        yield f"registry/pipelines/{name}/{version}/{FILE_NAME}", crate
    yield "registry/mixs", publication.checklists.all
    yield "registry/mixs/changes", publication.checklists.changes
    yield "registry/sequencing-tech", publication.catalog.catalog
    stable = publication.releases.channels.get(DEFAULT_CHANNEL)
    if stable is not None and not stable.is_empty:
        yield "version", stable.static
    for answer in publication.research_data.answers():
        yield "research-data", answer
    yield "install-profiles", profiles.all
    for name, profile in profiles.profiles.items():
        yield f"install-profiles/{name}", profile.entry
    for place, answer in publication.trs.by_path():
        yield f"{ROOT.removeprefix('/')}/{place}", answer


def open_profiles(publication: Publication) -> Iterator[tuple[str, bytes]]:
    """Yield each profile that everybody may have, resolved, with the path that it is signed under."""
    for name, profile in publication.install_profiles.profiles.items():
        if profile.is_open:
            yield f"install-profiles/{name}/resolve", json_bytes(resolved(profile.profile(), {}))


def mirrored_answers(publication: Publication) -> Iterator[tuple[str, Answer | bytes]]:
    """Yield everything that a mirror answers, with its path below the root of the host. Decision: G284."""
    for path, answer in static_answers(publication):
        yield web_path(path), answer
    for path, content in open_profiles(publication):
        yield web_path(path), content
    for place, image in publication.images.items():
        yield f"{IMAGES}{place}", image.content
    for name, file in publication.trust.items().items():
        yield f"api/trust/{name}", file.content
    yield HEALTH, HEALTHY
    yield SERVICE_INFO, publication.trs.info
