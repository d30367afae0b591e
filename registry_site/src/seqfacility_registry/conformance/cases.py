"""The cases of the contract: one promise each, the same for `verify-mirror` and the contract tests."""

from collections.abc import Callable
from dataclasses import dataclass

from seqfacility_registry.conformance import documents, files, http, refusals, tool_registry
from seqfacility_registry.conformance.mirror import Mirror


@dataclass(frozen=True, slots=True)
class Case:
    """One promise; `run` returns when it is kept, and raises `Failed` or `Skipped` otherwise."""

    name: str
    run: Callable[[Mirror], None]


CASES: tuple[Case, ...] = (
    Case("health answers", documents.health),
    Case("index fits its schema and agrees with itself", documents.index),
    Case("every pipeline entry fits its schema and the index", documents.entries),
    Case("every hosted package downloads and its digests are equal", documents.downloads),
    Case("every hosted package has its RO-Crate", documents.crates),
    Case("private pipelines have no download", documents.private_downloads),
    Case("checklists fit their schema and count their fields", documents.checklists),
    Case("one checklist is given by its accession", documents.checklist_by_accession),
    Case("changes of the checklists lead to the newest version", documents.checklist_changes),
    Case("catalog fits its schema and names no id that is missing", documents.catalog),
    Case("every relative image of the catalog is served", documents.images),
    Case("release feed fits its schema", documents.release_feed),
    Case("release feed compares versions by number", documents.release_comparison),
    Case("research data fit their schema and their count", documents.research_data),
    Case("research data filters combine", documents.research_filters),
    Case("install profiles fit their schemas", documents.install_profiles),
    Case("the Tool Registry Service says what it is", tool_registry.service_info),
    Case("tools are the pipelines of the index", tool_registry.tools),
    Case("every tool gives its versions and files", tool_registry.files),
    Case("a tool is found by its encoded id", tool_registry.encoded_ids),
    Case("an unknown tool is refused", tool_registry.unknown_tool),
    Case("every listed file is there with its length and digest", files.listed),
    Case("pipeline documents are cached as documented", http.pipeline_caching),
    Case("checklists and catalog are cached as documented", http.checklist_caching),
    Case("research data are cached as documented", http.research_caching),
    Case("install profiles are cached as documented", http.profile_caching),
    Case("release feed is not cached", http.release_caching),
    Case("the four open routes may be read from any site", http.open_routes),
    Case("no other route may be read from any site", http.closed_routes),
    Case("OPTIONS of the open routes is answered with 204", http.preflight),
    Case("HEAD answers like GET without a body", http.head),
    Case("strong ETags lead to 304", http.revalidation),
    Case("gzip is given when asked for", http.compression),
    Case("an invalid pipeline id is refused", refusals.invalid_pipeline_id),
    Case("an unknown pipeline is refused", refusals.unknown_pipeline),
    Case("an invalid pipeline version is refused", refusals.invalid_version),
    Case("an unknown package is refused", refusals.unknown_package),
    Case("an unknown accession is refused", refusals.unknown_accession),
    Case("a channel without releases is refused", refusals.unknown_channel),
    Case("an unknown install profile is refused", refusals.unknown_profile),
    Case("a profile is not resolved without its code", refusals.missing_code),
    Case("an unknown route is refused", refusals.unknown_route),
    Case("another method is refused", refusals.other_method),
)
