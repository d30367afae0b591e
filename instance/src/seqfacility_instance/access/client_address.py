"""The address that a request came from, as throttles and the audit see it."""

from collections.abc import Iterable
from ipaddress import ip_address, ip_network


def client_address(peer: str, forwarded_for: str | None, trusted_proxies: Iterable[str]) -> str:
    """Give the socket peer, or the last untrusted hop of `X-Forwarded-For` when the peer is a trusted proxy.

    Gap: G29.
    """
    trusted = set(trusted_proxies)
    if peer not in trusted:
        return peer
    hops = [hop.strip() for hop in (forwarded_for or "").split(",") if hop.strip()]
    return next((hop[:64] for hop in reversed(hops) if hop not in trusted), peer)


def address_group(address: str) -> str:
    """Give what a limit counts by: an IPv4 address, or the /64 of an IPv6 address, which one customer has.

    What a proxy says instead of an address stays as it is.

    Gap: G395.
    """
    plain = address.partition("%")[0]
    try:
        parsed = ip_address(plain)
    except ValueError:
        return address
    if parsed.version == 4 or parsed.ipv4_mapped:
        return plain
    return str(ip_network((plain, 64), strict=False))
