"""What an install profile must keep before it is offered."""

from collections.abc import Iterator, Mapping
from typing import Any

from seqfacility_schemas import problems

# Settings that are secret whether or not the profile declares them. Decision: G46.
_SECRET_KEYS = ("execution.weblogSecret",)
# Which programs run is decided at the facility.
_COMMANDS = ("execution.nextflowCommand", "execution.snakemakeCommand")


def check(document: Mapping[str, Any]) -> list[str]:
    """List what is wrong with a profile file: commands, shape, secrets in the open, two values for one place.

    Decision: G240, G241, G242, G407.
    """
    commands = [
        f"profile.settings.{key}: a profile must not say which program runs"
        for key in _COMMANDS
        if _value_at(document, f"profile.settings.{key}") is not None
    ]
    return commands or problems("registry/install-profile-source", document) or list(_problems(document))


def _problems(document: Mapping[str, Any]) -> Iterator[str]:
    profile = document["profile"]
    secrets = profile["requiredSecrets"]
    for key in ("name", "path"):
        values = [secret[key] for secret in secrets]
        if len(values) != len(set(values)):
            yield f"profile.requiredSecrets: two have the same {key}"
    for secret in secrets:
        if _value_at(profile, secret["path"]) is not None:
            yield f"profile.{secret['path']}: a secret must not stand in the content"
        if secret["path"].removeprefix("settings.") in _COMMANDS:
            yield f"profile.requiredSecrets.{secret['name']}: a profile must not say which program runs"
        if not secret["path"].startswith("settings."):
            yield f"profile.requiredSecrets.{secret['name']}: a secret goes into the settings"
    for key in _SECRET_KEYS:
        if _value_at(profile["settings"], key) is not None:
            yield f"profile.settings.{key}: a secret must not stand in the content"
    if secrets and not document["requiresAccessCode"]:
        yield "requiresAccessCode: a profile with secrets needs a code"
    pipelines = [entry["id"] for entry in profile.get("pipelines", [])]
    if len(pipelines) != len(set(pipelines)):
        yield "profile.pipelines: a pipeline stands twice"


def _value_at(parent: object, path: str) -> object:
    for step in path.split("."):
        parent = parent.get(step) if isinstance(parent, Mapping) else None
    return parent
