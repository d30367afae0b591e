"""Who may report: the shared secret, or the token of one run."""

import base64
import binascii
import hashlib
import hmac

from seqfacility_instance.weblog.errors import InvalidToken, RunIdRequired, WeblogNotConfigured


def run_token(secret: str, run_id: str) -> str:
    """Make the token of one run: it can be derived by us, and tells nothing about the secret.

    Decision: G170.
    """
    return hmac.new(secret.encode(), run_id.encode(), hashlib.sha256).hexdigest()


def offered_token(query_token: str | None, authorization: str | None) -> str:
    """Choose the token of a request: the query's, else a Bearer token, else the password of Basic.

    An empty query token counts as none; `""` means that nothing usable was offered.

    Decision: G170, G279.
    """
    if query_token:
        return query_token
    scheme, _, value = (authorization or "").strip().partition(" ")
    if scheme.lower() == "bearer":
        return value.strip()
    if scheme.lower() == "basic":
        try:
            decoded = base64.b64decode(value.strip(), validate=True).decode("utf-8")
        except (binascii.Error, ValueError):
            return ""
        return decoded.partition(":")[2]
    return ""


def check_token(secret: str | None, run_id: str | None, token: str) -> str:
    """Let a sender pass and give the run id that it reports for.

    A missing secret comes first, then the token, then the run id: whoever does not know the secret
    learns nothing. Both comparisons are always made, each in constant time. Raises
    `WeblogNotConfigured`, `InvalidToken` or `RunIdRequired`.

    Spec: instance, Authentication 6. Decision: G169, G170.
    """
    if not secret:
        raise WeblogNotConfigured
    offered = token.encode("utf-8", "surrogateescape")
    is_secret = hmac.compare_digest(offered, secret.encode())
    is_run_token = hmac.compare_digest(offered, run_token(secret, run_id or "").encode())
    if not token or not (is_secret or (is_run_token and run_id)):
        raise InvalidToken
    if not run_id:
        raise RunIdRequired
    return run_id
