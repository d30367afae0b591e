"""The address that a request came from, as throttles and the audit see it."""

from collections.abc import Iterable


def client_address(peer: str, forwarded_for: str | None, trusted_proxies: Iterable[str]) -> str:
    """Give the socket peer, or the last untrusted hop of `X-Forwarded-For` when the peer is a trusted proxy.

    Gap: G29.
    """
    trusted = set(trusted_proxies)
    if peer not in trusted:
        return peer
    hops = [hop.strip() for hop in (forwarded_for or "").split(",") if hop.strip()]
    return next((hop[:64] for hop in reversed(hops) if hop not in trusted), peer)
