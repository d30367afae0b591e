"""ID tokens and logout tokens: signature by a key of the provider, then every claim.

Decision: G824, G827.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from authlib.oidc.core import CodeIDToken
from joserfc.errors import JoseError
from joserfc.jwk import Key
from joserfc.jwt import JWTClaimsRegistry, Token, decode

from seqfacility_instance.core import limits
from seqfacility_instance.facility_settings.identity_providers import OidcProvider
from seqfacility_instance.oidc.errors import Reason, SignInRefused

LOGOUT_EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"
_SKEW: Final = int(limits.OIDC_CLOCK_SKEW.total_seconds())

FindKey = Callable[[Mapping[str, Any]], Key]


@dataclass(frozen=True, slots=True)
class Logout:
    """Whom a provider has signed out: one session, or all of a subject."""

    token_id: str
    subject: str | None
    sid: str | None


def id_token_claims(
    text: object,
    provider: OidcProvider,
    algorithms: list[str],
    find_key: FindKey,
    now: datetime,
    *,
    nonce: str,
    access_token: object,
) -> Mapping[str, Any]:
    """Verify an ID token and return its claims; raises `SignInRefused`."""
    token = _verified(text, algorithms, find_key)
    checked = CodeIDToken(
        token.claims,
        token.header,
        {
            "iss": {"essential": True, "value": provider.issuer},
            "aud": {"essential": True, "value": provider.client_id},
        },
        {"nonce": nonce, "client_id": provider.client_id, "access_token": access_token},
    )
    try:
        checked.validate(int(now.timestamp()), _SKEW)
    except (JoseError, ValueError, TypeError) as wrong:
        raise SignInRefused(Reason.INVALID_ANSWER, f"{provider.issuer}: ID token: {wrong}") from wrong
    claims: dict[str, Any] = checked
    if not is_identifier(claims["sub"]) or "events" in claims:
        raise SignInRefused(Reason.INVALID_ANSWER, f"{provider.issuer}: ID token: no usable subject")
    return claims


def logout_of(
    text: str, provider: OidcProvider, algorithms: list[str], find_key: FindKey, now: datetime
) -> Logout:
    """Verify a logout token and return what it says; raises `SignInRefused`.

    It must have been made within minutes, whatever end it has: for so long its id is remembered.
    """
    claims = _verified(text, algorithms, find_key).claims
    seconds = int(now.timestamp())
    registry = JWTClaimsRegistry(
        seconds,
        _SKEW,
        iss={"essential": True, "value": provider.issuer},
        aud={"essential": True, "value": provider.client_id},
        iat={"essential": True},
        jti={"essential": True},
        events={"essential": True},
    )
    try:
        registry.validate(claims)
    except (JoseError, ValueError, TypeError) as wrong:
        raise SignInRefused(Reason.INVALID_ANSWER, f"{provider.issuer}: logout token: {wrong}") from wrong
    events, subject, sid = claims["events"], claims.get("sub"), claims.get("sid")
    is_logout = isinstance(events, dict) and isinstance(events.get(LOGOUT_EVENT), dict)
    is_recent = seconds - claims["iat"] <= limits.OIDC_LOGOUT_TOKEN_LIFE.total_seconds()
    named = [one for one in (subject, sid) if one is not None]
    if not is_logout or not is_recent or "nonce" in claims or not named or not all(map(is_identifier, named)):
        raise SignInRefused(Reason.INVALID_ANSWER, f"{provider.issuer}: logout token: is none of its kind")
    return Logout(claims["jti"], subject, sid)


def is_identifier(value: object) -> bool:
    """Return whether a claim is a text that names somebody and fits into a column."""
    if not isinstance(value, str) or not 0 < len(value) <= limits.SINGLE_LINE_MAX_CHARACTERS:
        return False
    return value.isprintable()


def _verified(text: object, algorithms: list[str], find_key: FindKey) -> Token:
    """Check the signature. `algorithms` are never those of HMAC, and `none` is none of them."""
    if not isinstance(text, str) or not text.isascii():
        raise SignInRefused(Reason.INVALID_ANSWER, "no token")

    def key_of(signed: Any) -> Key:
        header = signed.headers()
        if header.get("alg") not in algorithms:
            raise SignInRefused(Reason.INVALID_ANSWER, "the token's algorithm is not one of the provider's")
        return find_key(header)

    try:
        return decode(text, key_of, algorithms=algorithms)
    except (JoseError, ValueError, TypeError, KeyError, RecursionError) as wrong:
        raise SignInRefused(Reason.INVALID_ANSWER, f"token: {wrong}") from wrong
