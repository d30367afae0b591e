"""Pure decisions on where the service may connect to."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urljoin

from urllib3.exceptions import LocationParseError
from urllib3.util import Url, parse_url

_CLOUD_METADATA = frozenset(
    {ip_address("169.254.169.254"), ip_address("fd00:ec2::254"), ip_address("100.100.100.200")}
)
_NEVER_GLOBAL = (ip_network("fec0::/10"), ip_network("64:ff9b:1::/48"))  # some Pythons count them as global
_HOLDS_IPV4 = frozenset(
    ip_address(prefix).packed[:12] for prefix in ("::", "::ffff:0:0:0", "64:ff9b::", "64:ff9b:1::")
)
"""Beginnings of IPv6 addresses that end in an IPv4 address: compatible, translated, NAT64."""
_RANGE = re.compile(r"bytes (?:(?P<first>\d{1,18})-\d{1,18}|\*)/(?P<total>\d{1,18}|\*)", re.ASCII)
_FORBIDDEN_CHARACTERS = frozenset(" \\\t\r\n\0")


def checked_url(url: str) -> Url | None:
    """Read an address that may be fetched: http or https, a host, no user name; else None.

    The reading is that of the library which dials, so that both see the same host.

    Decision: G226.
    """
    if not url.isascii() or _FORBIDDEN_CHARACTERS & set(url):
        return None
    try:
        parts = parse_url(url)
    except LocationParseError:
        return None
    return parts if parts.scheme in {"http", "https"} and parts.host and parts.auth is None else None


def shown_url(url: str) -> str:
    """Return an address as messages name it: without user, password and query, which may be secret."""
    try:
        parts = parse_url(url)
    except LocationParseError:
        return "an address that cannot be read"
    return parts._replace(auth=None, query=None, fragment=None).url


def redirect_target(url: str, location: str) -> str | None:
    """Return the address that a redirect leads to; None when it is none, or not https after https.

    Decision: G226, G406.
    """
    try:
        target = urljoin(url, location)
    except ValueError:
        return None
    is_downgrade = url.lower().startswith("https:") and not target.lower().startswith("https:")
    return None if is_downgrade else target


def content_start(header: str | None) -> int | None:
    """Read the first byte's place from `Content-Range`; None when it does not say. Decision: G333."""
    found = _RANGE.fullmatch(header or "")
    return None if found is None or found["first"] is None else int(found["first"])


def content_total(header: str | None) -> int | None:
    """Read the size of the whole file from `Content-Range`; None when it does not say. Decision: G333."""
    found = _RANGE.fullmatch(header or "")
    return None if found is None or found["total"] == "*" else int(found["total"])


def is_refused_address(text: str) -> bool:
    """Return whether nothing may ever be fetched from this IP address: link-local or cloud metadata.

    An IPv4 address in IPv6 clothes counts as itself.

    Decision: G226.
    """
    address = _plain(text)
    return (
        address in _CLOUD_METADATA
        or address.is_link_local
        or address.is_multicast
        or address.is_unspecified
        or address == ip_address("255.255.255.255")
    )


def is_private_address(text: str) -> bool:
    """Return whether an IP address is of this machine, of a private network or of no network.

    Decision: G406.
    """
    address = _plain(text)
    return not address.is_global or any(address in network for network in _NEVER_GLOBAL)


def _plain(text: str) -> IPv4Address | IPv6Address:
    """Read an IP address; an IPv4 address is taken out of each form that IPv6 has for it."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv4Address):
        return address
    inside = address.ipv4_mapped or address.sixtofour
    if inside is None and address.packed[:12] in _HOLDS_IPV4:
        inside = IPv4Address(address.packed[12:])
    return inside or address
