"""What both services read from the environment: values that must be right, and names that nothing reads."""

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from ipaddress import ip_address
from typing import Final

OF_THE_REGISTRY: Final = (
    "SEQFACILITY_REGISTRY_CONTENT",
    "SEQFACILITY_REGISTRY_SECRETS",
    "SEQFACILITY_REGISTRY_PUBLIC_URL",
)
"""An instance on the same machine may see them."""

OF_AN_INSTANCE: Final = ("SEQFACILITY_REGISTRY_ROOT",)
"""A registry on the same machine may see it."""

_NOT_OF_A_SERVICE: Final = re.compile(r"SEQFACILITY_(?:EVENTS_FILE|RUN_TOKEN|SOAK|NO_SKIPS|TEST_[A-Z_]+)")
"""Variables of pipelines and of our own tests."""

_CLOSE: Final = 0.85
"""They all begin alike."""

_HTTP_ADDRESS: Final = re.compile(r"https?://[^\s/?#\"'<>\\]+(?:/[^\s?#\"'<>\\]*)?")


class InvalidVariable(Exception):
    """A variable has a value that nothing can be done with; the text begins with its name. Decision: G465."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")


def value_of(environment: Mapping[str, str], name: str) -> str | None:
    """Return a value without blanks around it; empty counts as not set."""
    return environment.get(name, "").strip() or None


def addresses_of(environment: Mapping[str, str], name: str) -> frozenset[str]:
    """Read IP addresses with commas between them; raises `InvalidVariable`. Decision: G465."""
    listed = [part.strip() for part in (value_of(environment, name) or "").split(",")]
    try:
        return frozenset(str(ip_address(part)) for part in listed if part)
    except ValueError as wrong:
        raise InvalidVariable(name, f"must be IP addresses with commas between them: {wrong}") from wrong


def http_address_of(environment: Mapping[str, str], name: str) -> str | None:
    """Read an http(s) address without its last slash; raises `InvalidVariable`. Decision: G465."""
    address = value_of(environment, name)
    if address is not None and not _HTTP_ADDRESS.fullmatch(address):
        raise InvalidVariable(name, "must be an address that begins with http:// or https://")
    return None if address is None else address.rstrip("/")


def unknown_variables(environment: Mapping[str, str], prefix: str, known: Collection[str]) -> list[str]:
    """Return a warning for each variable with our prefix that nothing reads, with the nearest known name.

    Decision: G465.
    """
    lines = []
    for name in sorted(environment):
        if not name.startswith(prefix) or name in known or _NOT_OF_A_SERVICE.fullmatch(name):
            continue
        meant = get_close_matches(name, known, 1, _CLOSE)
        lines.append(f"{name} is not known" + (f"; is {meant[0]} meant?" if meant else ""))
    return lines
