"""The address that a request came from, and what a limit counts it as."""

from collections.abc import Collection
from ipaddress import IPv6Address, ip_address, ip_network


def client_address(peer: str, forwarded_for: str | None, trusted_proxies: Collection[str]) -> str:
    """Return the socket peer, or the last untrusted hop of `X-Forwarded-For` when it is a trusted proxy.

    Decision: G29.
    """
    if peer not in trusted_proxies:
        return peer
    hops = [hop.strip() for hop in (forwarded_for or "").split(",") if hop.strip()]
    return next((hop[:64] for hop in reversed(hops) if hop not in trusted_proxies), peer)


def network_of(address: str) -> str:
    """Return what a limit counts by: an IPv4 address, or the /64 of an IPv6 address, which one customer has.

    A text that is no address, as proxies may send, stays as it is.

    Decision: G395, G401.
    """
    plain = address.partition("%")[0]
    try:
        parsed = ip_address(plain)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or ip_network((plain, 64), strict=False))
