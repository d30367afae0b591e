"""What makes a document an install profile that this release can apply."""

import json
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any, Final, cast
from urllib.parse import urlsplit

from seqfacility_schemas import problems
from seqfacility_wire.versions import is_newer

from seqfacility_instance.facility_settings.sections import SECTIONS
from seqfacility_instance.install_profiles.errors import (
    CodeInClear,
    CommandInProfile,
    ProfileInvalid,
    SecretMissing,
    ServiceTooOld,
)

SCHEMA = "registry/resolved-install-profile"
COMMANDS: Final = ("execution.nextflowCommand", "execution.snakemakeCommand")
"""Settings that name a program, which no profile may set."""

MAX_SHOWN: Final = 300


def check_profile(document: Mapping[str, object], release: str) -> None:
    """Raise `ServiceTooOld`, `CommandInProfile`, `ProfileInvalid` or `SecretMissing`, in this order.

    The release comes first: a later form of the document is told by its release, not by its odd keys.

    Decision: G242, G407.
    """
    wanted = document.get("minServiceVersion")
    if isinstance(wanted, str) and is_newer(wanted, release):
        raise ServiceTooOld(wanted=wanted, ours=release)
    for key in COMMANDS:
        if _value_at(document, f"settings.{key}") is not None:
            raise CommandInProfile(key=key)
    found = problems(SCHEMA, document, limit=10)
    if found:
        raise ProfileInvalid(details=found)
    for secret in cast("list[dict[str, str]]", document["requiredSecrets"]):
        if not _value_at(document, secret["path"]):
            raise SecretMissing(path=secret["path"])


def check_code_is_safe(url: str) -> None:
    """Raise `CodeInClear` when an access code for this address could be read on its way. Decision: G407."""
    parts = urlsplit(url)
    if parts.scheme != "https" and not _is_this_machine(parts.hostname or ""):
        raise CodeInClear(host=parts.hostname)


def changes(profile: Mapping[str, Any]) -> list[str]:
    """Return what a checked profile sets, a line each: `section.key = value`.

    Secrets are masked, long values are cut.

    Decision: G407.
    """
    secret = {entry["path"] for entry in profile["requiredSecrets"]}
    secret |= {f"settings.{name}.{key}" for name, kind in SECTIONS.items() for key in kind.secret_keys}
    lines = []
    for section, values in profile["settings"].items():
        for key, value in values.items():
            shown = "***" if f"settings.{section}.{key}" in secret else _shown(value)
            lines.append(f"{section}.{key} = {shown}")
    lines += [f"modules.{name} = {_shown(is_on)}" for name, is_on in profile.get("modules", {}).items()]
    for form in ("orderForm", "studyForm"):
        if form in profile:
            lines.append(f"{form} = {len(profile[form]['fields'])} fields")
    if "catalog" in profile:
        lines.append(f"catalog.syncUrl = {_shown(profile['catalog']['syncUrl'])}")
    for pipeline in profile.get("pipelines", []):
        settings = {key: value for key, value in pipeline.items() if key != "id"}
        lines.append(f"pipelines.{pipeline['id']} = {_shown(settings)}")
    return lines


def _shown(value: object) -> str:
    """Write a value in ASCII on one line: what a stranger wrote does nothing to a terminal."""
    text = json.dumps(value)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}... ({len(text)} characters)"


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _value_at(document: Mapping[str, object], path: str) -> object:
    """Return what lies at a dotted path, None when nothing does."""
    value: object = document
    for word in path.split("."):
        value = value.get(word) if isinstance(value, Mapping) else None
    return value
