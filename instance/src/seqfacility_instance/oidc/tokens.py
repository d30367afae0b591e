"""ID tokens and logout tokens: signature by a key of the provider, then every claim.

Decision: G824, G827.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from authlib.oidc.core import CodeIDToken
from joserfc.errors import JoseError
from joserfc.jwk import Key
from joserfc.jwt import JWTClaimsRegistry, Token, decode

from seqfacility_instance.core import limits
from seqfacility_instance.facility_settings.identity_providers import OidcProvider
from seqfacility_instance.oidc.errors import Reason, SignInRefused
from seqfacility_instance.oidc.provider_documents import ProviderDocuments
from seqfacility_instance.oidc.rules import is_identifier, offered_algorithms

LOGOUT_EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"
_SKEW: Final = int(limits.OIDC_CLOCK_SKEW.total_seconds())
_WRONG: Final = (JoseError, ValueError, TypeError, KeyError, RecursionError)
"""What the libraries raise for a token that is none."""


def id_token_claims(
    text: object,
    provider: OidcProvider,
    documents: ProviderDocuments,
    now: datetime,
    *,
    nonce: str,
    access_token: object,
) -> Mapping[str, Any]:
    """Verify an ID token and return its claims; raises `SignInRefused`."""
    token = _signed(text, provider, documents)
    checked = CodeIDToken(
        token.claims,
        token.header,
        _expected(provider),
        {"nonce": nonce, "client_id": provider.client_id, "access_token": access_token},
    )
    try:
        checked.validate(int(now.timestamp()), _SKEW)
    except _WRONG as wrong:
        raise SignInRefused(Reason.INVALID_ANSWER, f"{provider.issuer}: ID token: {wrong}") from wrong
    claims: dict[str, Any] = checked
    if not is_identifier(claims["sub"]) or "events" in claims:
        raise SignInRefused(Reason.INVALID_ANSWER, f"{provider.issuer}: ID token: no usable subject")
    return claims


def logout_claims(
    text: str, provider: OidcProvider, documents: ProviderDocuments, now: datetime
) -> Mapping[str, Any]:
    """Verify a logout token and return its claims, `sub` or `sid` or both among them; raises `SignInRefused`.

    It must have been made within minutes, whatever end it has: for so long its id is remembered.
    """
    claims = _signed(text, provider, documents).claims
    seconds = int(now.timestamp())
    registry = JWTClaimsRegistry(
        seconds,
        _SKEW,
        **_expected(provider),
        iat={"essential": True},
        jti={"essential": True},
        events={"essential": True},
    )
    try:
        registry.validate(claims)
    except _WRONG as wrong:
        raise SignInRefused(Reason.INVALID_ANSWER, f"{provider.issuer}: logout token: {wrong}") from wrong
    is_logout = isinstance(claims["events"], dict) and isinstance(claims["events"].get(LOGOUT_EVENT), dict)
    is_recent = seconds - claims["iat"] <= limits.OIDC_LOGOUT_TOKEN_LIFE.total_seconds()
    named = [claims[name] for name in ("sub", "sid") if claims.get(name) is not None]
    if not is_logout or not is_recent or "nonce" in claims or not named or not all(map(is_identifier, named)):
        raise SignInRefused(Reason.INVALID_ANSWER, f"{provider.issuer}: logout token: is none of its kind")
    return claims


def _expected(provider: OidcProvider) -> dict[str, Any]:
    return {
        "iss": {"essential": True, "value": provider.issuer},
        "aud": {"essential": True, "value": provider.client_id},
    }


def _signed(text: object, provider: OidcProvider, documents: ProviderDocuments) -> Token:
    """Check the signature. No algorithm is one of HMAC, and `none` is none of them."""
    algorithms = offered_algorithms(documents.metadata(provider.issuer))
    if not isinstance(text, str) or not text.isascii():
        raise SignInRefused(Reason.INVALID_ANSWER, "no token")

    def key_of(signed: Any) -> Key:
        header = signed.headers()
        if header.get("alg") not in algorithms:
            raise SignInRefused(Reason.INVALID_ANSWER, "the token's algorithm is not one of the provider's")
        return documents.key(provider.issuer, header)

    try:
        return decode(text, key_of, algorithms=algorithms)
    except _WRONG as wrong:
        raise SignInRefused(Reason.INVALID_ANSWER, f"token: {wrong}") from wrong
