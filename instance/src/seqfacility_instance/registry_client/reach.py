"""Which hosts may have a private address: those that somebody of this facility has named."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from urllib3.exceptions import LocationParseError
from urllib3.util import Url, parse_url

from seqfacility_instance.registry_client.rules import checked_url, is_private_address, is_refused_address

_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a fetch may lead: anywhere public, and to named hosts in private networks.

    An address out of a registry's document or a redirect is not named by that. A host is a name or address,
    and a port; None is any port.

    Decision: G226, G406.
    """

    hosts: frozenset[tuple[str, int | None]] = frozenset()

    @classmethod
    def of(cls, entries: Iterable[str]) -> Self:
        """Read entries `host` or `host:port`; what is neither names nothing."""
        hosts = set()
        for entry in entries:
            try:
                parts = parse_url(entry if "://" in entry else f"//{entry}")
            except LocationParseError:
                continue
            if parts.host:
                hosts.add((parts.host.lower().strip("[]"), parts.port))
        return cls(frozenset(hosts))

    def including(self, url: str) -> "Reach":
        """Add the host of an address that somebody of this facility has named, also once it has TLS."""
        parts = checked_url(url)
        if parts is None or parts.host is None:
            return self
        port = port_of(parts)
        ports = {port, 443} if port == 80 else {port}
        return Reach(self.hosts | {(parts.host.strip("[]"), port) for port in ports})

    def allows(self, host: str, port: int, address: str) -> bool:
        """Return whether this address of a host may be dialled."""
        if is_refused_address(address):
            return False
        is_named = (host, port) in self.hosts or (host, None) in self.hosts
        return is_named or not is_private_address(address)


def port_of(parts: Url) -> int:
    """Return the port of an address, the scheme's own unless it names another."""
    return parts.port or _PORTS[parts.scheme or "http"]
