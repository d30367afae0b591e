"""The identity providers that people may sign in with: their settings, and their secrets sealed within."""

import ipaddress
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError
from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.core.request_model import FilledLine

_SEALED: Final = "sealed:"
_SECRET: Final = re.compile(r"[\x20-\x7e]{1,512}")
_VISIBLE: Final = r"^[\x21-\x7e]{1,255}$"
_PROVIDERS: Final = "oidcProviders"


def _issuer(text: str) -> str:
    try:
        parts = urlsplit(text)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        host, parts = "", urlsplit("")
    if parts.scheme not in {"http", "https"} or not host or "@" in parts.netloc:
        raise PydanticCustomError("issuer", "must be an address with https")
    if parts.query or parts.fragment or "?" in text or "#" in text or "\\" in text:
        raise PydanticCustomError("issuer", "must have neither a query nor a fragment")
    if parts.scheme == "http" and not is_loopback(host):
        raise PydanticCustomError("issuer", "may use http on this machine only (localhost, 127.0.0.1)")
    return text


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine, by its name or address alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _sealed_only(text: str) -> str:
    if not text.startswith(_SEALED):
        raise PydanticCustomError("secret", "must have 1 to 512 printable ASCII characters")
    return text


class OidcProvider(BaseModel):
    """One provider. Decision: G820."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True
    )

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]
    name: FilledLine
    issuer: Annotated[str, Field(max_length=255, pattern=_VISIBLE), AfterValidator(_issuer)]
    client_id: Annotated[str, Field(pattern=_VISIBLE)]
    client_secret: Annotated[str, AfterValidator(_sealed_only)] | None = None
    """Sealed; without one the client is a public one, which PKCE alone protects."""

    scopes: Annotated[list[Annotated[str, Field(pattern=_VISIBLE)]], Field(max_length=20)] | None = None
    groups_claim: FilledLine | None = None
    admin_groups: Annotated[list[FilledLine], Field(max_length=100)] | None = None
    department_claim: FilledLine | None = None

    @model_validator(mode="after")
    def _groups_have_a_claim(self) -> Self:
        if self.admin_groups and self.groups_claim is None:
            raise PydanticCustomError("groups", "needs groupsClaim beside adminGroups")
        return self

    def answer(self) -> dict[str, object]:
        """Write it for the wire; the secret is only said to be set or not."""
        shown = self.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"client_secret"})
        return {**shown, "clientSecretIsSet": self.client_secret is not None}

    def opened_secret(self, open_sealed: Callable[[str], str | None]) -> str | None:
        """Return the secret itself; None without one, or when the key is another one."""
        return None if self.client_secret is None else open_sealed(self.client_secret.removeprefix(_SEALED))


def distinct(providers: list[OidcProvider]) -> list[OidcProvider]:
    """Refuse providers that share an id or an issuer."""
    for values in ([one.id for one in providers], [one.issuer for one in providers]):
        if len(set(values)) < len(values):
            raise PydanticCustomError("distinct", "must have an id and an issuer of its own each")
    return providers


def with_sealed_secrets(
    changes: Mapping[str, object], stored: Mapping[str, object], seal: Callable[[str], str]
) -> dict[str, object]:
    """Seal the secrets that are sent; a provider that sends none keeps its own while its issuer stays.

    Raises `ValidationFailed` for another issuer without the secret: the old one would be sent to it.

    Decision: G820.
    """
    sent: Any = changes.get(_PROVIDERS)
    known: Any = stored.get(_PROVIDERS, [])
    if not isinstance(sent, list):
        return dict(changes)
    sealed = []
    for place, one in enumerate(sent):
        if not isinstance(one, dict):
            sealed.append(one)
            continue
        provider = {key: value for key, value in one.items() if key != "clientSecretIsSet"}
        secret = provider.get("clientSecret")
        old: dict[str, Any] = next((one for one in known if one["id"] == provider.get("id")), {})
        if "clientSecret" not in provider and old.get("clientSecret"):
            if old.get("issuer") != provider.get("issuer"):
                raise ValidationFailed(
                    [f"{_PROVIDERS}[{place}].clientSecret: must be sent again with another issuer"]
                )
            provider["clientSecret"] = old["clientSecret"]
        elif secret == "":
            provider["clientSecret"] = None
        elif isinstance(secret, str) and (_SECRET.fullmatch(secret) or secret.startswith(_SEALED)):
            provider["clientSecret"] = _SEALED + seal(secret)
        sealed.append(provider)
    return {**changes, _PROVIDERS: sealed}
