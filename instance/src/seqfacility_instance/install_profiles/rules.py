"""What makes a document an install profile that this release can apply."""

from collections.abc import Mapping
from typing import cast

from seqfacility_schemas import problems
from seqfacility_wire.versions import is_newer

from seqfacility_instance.install_profiles.errors import ProfileInvalid, SecretMissing, ServiceTooOld

SCHEMA = "registry/resolved-install-profile"


def check_profile(document: Mapping[str, object], release: str) -> None:
    """Raise `ServiceTooOld`, `ProfileInvalid` or `SecretMissing` for what `release` cannot apply.

    The release comes first: a later form of the document is told by its release, not by its odd keys.

    Gap: G242.
    """
    wanted = document.get("minServiceVersion")
    if isinstance(wanted, str) and is_newer(wanted, release):
        raise ServiceTooOld(wanted=wanted, ours=release)
    found = problems(SCHEMA, document, limit=10)
    if found:
        raise ProfileInvalid(details=found)
    for secret in cast("list[dict[str, str]]", document["requiredSecrets"]):
        if not _value_at(document, secret["path"]):
            raise SecretMissing(path=secret["path"])


def _value_at(document: Mapping[str, object], path: str) -> object:
    """Give what lies at a dotted path, None when nothing does."""
    value: object = document
    for word in path.split("."):
        value = value.get(word) if isinstance(value, Mapping) else None
    return value
