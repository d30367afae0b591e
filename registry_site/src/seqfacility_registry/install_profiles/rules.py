"""Pure decisions of the install profiles: what lists and entries say, and where secrets go."""

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass

from seqfacility_pipeline_package.documents import Fields, JsonObject, JsonValue

from seqfacility_registry.install_profiles.errors import ProfileIncomplete

_PROFILE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_BEARER = re.compile(r"bearer +(?P<code>\S(.*\S)?) *", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class InstallProfile:
    """One published profile; `profile` is the resolved document without the values of its secrets."""

    enabled: bool
    requires_access_code: bool
    description: str
    profile: JsonObject

    @property
    def id(self) -> str:
        return str(self.profile["id"])

    @property
    def required_secrets(self) -> tuple[Fields, ...]:
        """Return the declared secrets, `name` and `path` each. Decision: G242."""
        return Fields(self.profile).parts("requiredSecrets")

    @property
    def file_name(self) -> str:
        return download_name(self.profile)


def download_name(profile: JsonObject) -> str:
    """Return the name under which a resolved profile is kept."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", f"{profile['id']}-{profile['version']}.json")


def is_profile_id(text: str) -> bool:
    """Return whether a profile can have this id, before anything is looked up. Decision: G3, G244."""
    return _PROFILE_ID.fullmatch(text) is not None


def bearer_code(authorization: str | None) -> str | None:
    """Read the code of `Authorization: Bearer <code>`; None without one. Spec: registry, Install profiles."""
    found = _BEARER.fullmatch(authorization or "")
    return found["code"] if found else None


def list_entry(profile: InstallProfile, base_url: str) -> dict[str, object]:
    copied = {key: profile.profile[key] for key in ("id", "name", "version", "minServiceVersion")}
    return {
        **copied,
        "enabled": profile.enabled,
        "requiresAccessCode": profile.requires_access_code,
        "capabilities": profile.profile["capabilities"],
        "resolveUrl": f"{base_url}/install-profiles/{profile.id}/resolve",
    }


def single_entry(profile: InstallProfile, base_url: str) -> dict[str, object]:
    """Make the answer for one profile, with the command that installs it. Decision: G240."""
    entry = list_entry(profile, base_url)
    command = f"seqfacility init --profile {entry['resolveUrl']}"
    if profile.requires_access_code:
        command += " --access-code-stdin"
    return {**entry, "description": profile.description, "installCommand": command}


def resolved(profile: InstallProfile, secrets: Mapping[str, object]) -> dict[str, JsonValue]:
    """Make the resolved profile: each declared secret at its path, and no other secret.

    Raises `ProfileIncomplete` when a declared secret has no value.

    Spec: registry, Install profiles. Decision: G241, G242.
    """
    document = copy.deepcopy(profile.profile)
    for secret in profile.required_secrets:
        value = secrets.get(secret.text("name"))
        if value is None or value == "":
            raise ProfileIncomplete
        _put(document, secret.text("path"), value)
    return document


def _put(document: JsonObject, path: str, value: object) -> None:
    """Put a value at a dotted path, making the objects on the way."""
    *parents, last = path.split(".")
    place = document
    for step in parents:
        inner = place.setdefault(step, {})
        if not isinstance(inner, dict):
            raise ProfileIncomplete
        place = inner
    place[last] = value  # type: ignore[assignment]  # the operator's JSON value, whatever it is
