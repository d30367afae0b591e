"""A signed document names no address; its view at a host begins its links with the host's."""

from typing import Final

from seqfacility_pipeline_package.documents import JsonValue

from seqfacility_registry.trs.rules import ROOT, trs_address

LINKS: Final = frozenset({"baseUrl", "downloadUrl", "resolveUrl"})
COMMAND: Final = "installCommand"
TOOL_LINK: Final = "url"
_OWN: Final = ("/registry", "/install-profiles/")


def with_address(document: JsonValue, base_url: str) -> JsonValue:
    """Return the view of a signed document at an address that ends in `/api`. Decision: G902."""
    if isinstance(document, list):
        return [with_address(item, base_url) for item in document]
    if not isinstance(document, dict):
        return document
    return {key: _with_address(key, value, base_url) for key, value in document.items()}


def _with_address(key: str, value: JsonValue, base_url: str) -> JsonValue:
    if key in LINKS and isinstance(value, str) and value.startswith(_OWN):
        return base_url + value
    if key == TOOL_LINK and isinstance(value, str) and value.startswith(f"{ROOT}/"):
        return trs_address(base_url) + value.removeprefix(ROOT)
    if key == COMMAND and isinstance(value, str):
        return value.replace(" /install-profiles/", f" {base_url}/install-profiles/")
    return with_address(value, base_url)
