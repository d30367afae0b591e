"""Pure decisions on sign-ins by OpenID Connect: where to go, what to trust, who somebody is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeGuard
from urllib.parse import unquote, urlsplit

from seqfacility_instance.accounts.rules import is_email, normalized_email
from seqfacility_instance.core import limits
from seqfacility_instance.core.storable_text import storable_text
from seqfacility_instance.facility_settings.identity_providers import OidcProvider, is_loopback

HOME: Final = "/"
SCOPES: Final = ("openid", "profile", "email")
ALGORITHMS: Final = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "Ed25519", "EdDSA"),
)
"""All are asymmetric: with HMAC whoever knows the client's secret could sign. Decision: G824."""

_NEVER_NEXT: Final = ("/api", "/sign-in", "/d/")
_DECODINGS: Final = 3


@dataclass(frozen=True, slots=True)
class Person:
    """Who somebody is, by a provider's word."""

    issuer: str
    subject: str
    email: str | None
    """Normalized, and only one that the provider has verified."""

    first_name: str
    last_name: str
    is_admin: bool
    department: str | None
    sid: str | None
    """The provider's own id of this sign-in."""


def is_identifier(value: object) -> TypeGuard[str]:
    """Return whether a claim is a text that names somebody and fits into a column."""
    if not isinstance(value, str) or not 0 < len(value) <= limits.SINGLE_LINE_MAX_CHARACTERS:
        return False
    return value.isprintable()


def local_path(asked: str | None) -> str:
    """Return the page of this site that was asked for; the first page for everything else.

    Decision: G821.
    """
    if not asked or not asked.startswith("/") or len(asked) > limits.OIDC_NEXT_MAX_CHARACTERS:
        return HOME
    text = asked
    for _ in range(_DECODINGS):
        path = text.partition("?")[0].partition("#")[0]
        if not (text.isascii() and text.isprintable()) or " " in text or "\\" in text or "//" in path:
            return HOME
        if path.startswith(_NEVER_NEXT) or not {".", ".."}.isdisjoint(path.split("/")):
            return HOME
        text = unquote(text)
    return asked


def is_endpoint(address: object, issuer: str) -> bool:
    """Return whether a document of `issuer` may name this address: https, or http between loopbacks."""
    try:
        parts = urlsplit(address) if isinstance(address, str) else urlsplit("")
        is_local = is_loopback(parts.hostname or "")
    except ValueError:
        return False
    if not parts.hostname or parts.fragment or not str(address).isascii() or not str(address).isprintable():
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_local and issuer.startswith("http:"))


def offered_algorithms(metadata: Mapping[str, object]) -> list[str]:
    """List with what the provider signs and we verify. Decision: G824."""
    offered = metadata.get("id_token_signing_alg_values_supported", ["RS256"])
    return [name for name in ALGORITHMS if isinstance(offered, list) and name in offered]


def is_issuer_answered(metadata: Mapping[str, object], issuer: str, answered: str | None) -> bool:
    """Return whether an authorization response comes from `issuer`, see RFC 9207."""
    is_announced = metadata.get("authorization_response_iss_parameter_supported") is True
    return answered == issuer if answered is not None or is_announced else True


def scopes_of(provider: OidcProvider) -> str:
    """Write the scopes that are asked for; `openid` always is."""
    return " ".join(dict.fromkeys(["openid", *(provider.scopes or SCOPES)]))


def needs_userinfo(provider: OidcProvider, claims: Mapping[str, object]) -> bool:
    """Return whether the ID token leaves out what we ask of a person."""
    wanted = [provider.groups_claim, provider.department_claim]
    return "email" not in claims or any(name and _claim(claims, name) is None for name in wanted)


def person_of(provider: OidcProvider, claims: Mapping[str, object], userinfo: Mapping[str, object]) -> Person:
    """Read who somebody is. E-mail and its verification come from one document, never from two.

    Decision: G823, G825.
    """
    both = {**userinfo, **claims}
    groups = _texts(_claim(both, provider.groups_claim) if provider.groups_claim else None)
    departments = _texts(_claim(both, provider.department_claim) if provider.department_claim else None)
    email = _verified_email(claims if "email" in claims else userinfo, provider.issuer)
    first, last = _names(both, email or "")
    sid = claims.get("sid")
    return Person(
        issuer=provider.issuer,
        subject=str(claims["sub"]),
        email=email,
        first_name=first,
        last_name=last,
        is_admin=not set(groups).isdisjoint(provider.admin_groups or ()),
        department=storable_text(departments[0]) if departments else None,
        sid=sid if is_identifier(sid) else None,
    )


def _verified_email(document: Mapping[str, object], issuer: str) -> str | None:
    """Return the e-mail that the provider vouches for. Entra ID says it by a claim of its own.

    Decision: G823.
    """
    email, is_verified = document.get("email"), document.get("email_verified") is True
    if issuer.startswith("https://login.microsoftonline.com/"):
        is_verified = is_verified or document.get("xms_edov") in (True, 1, "1", "true")
    if not isinstance(email, str) or not is_verified or not email.isascii():
        return None
    email = normalized_email(email)
    return email if is_email(email) else None


def _claim(document: Mapping[str, object], name: str) -> object:
    """Find a claim by its name, or by its path: `realm_access.roles`."""
    if name in document:
        return document[name]
    value: object = document
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _texts(value: object) -> Sequence[str]:
    values = value if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str)]


def _names(document: Mapping[str, object], email: str) -> tuple[str, str]:
    first, last = _line(document.get("given_name")), _line(document.get("family_name"))
    if not first and not last:
        first, _, last = _line(document.get("name")).rpartition(" ")
    return first or last or email.partition("@")[0] or "-", last if first else "-"


def _line(value: object) -> str:
    text = value if isinstance(value, str) else ""
    shown = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(shown.split())[: limits.SINGLE_LINE_MAX_CHARACTERS]
