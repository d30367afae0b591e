"""Which address a request counts for."""

import pytest
from seqfacility_wire.client_address import client_address, network_of

PROXIES = ("10.0.0.1", "10.0.0.2")


@pytest.mark.parametrize(
    ("peer", "forwarded_for", "address"),
    [
        ("203.0.113.7", None, "203.0.113.7"),
        ("203.0.113.7", "198.51.100.9", "203.0.113.7"),
        ("10.0.0.1", "198.51.100.9", "198.51.100.9"),
        ("10.0.0.1", "1.1.1.1, 198.51.100.9", "198.51.100.9"),
        ("10.0.0.1", "1.1.1.1, 198.51.100.9, 10.0.0.2", "198.51.100.9"),
        ("10.0.0.1", "10.0.0.2", "10.0.0.1"),
        ("10.0.0.1", None, "10.0.0.1"),
        ("10.0.0.1", " , ,", "10.0.0.1"),
    ],
)
def test_only_a_trusted_proxy_is_believed_and_only_its_last_strange_hop(
    peer: str, forwarded_for: str | None, address: str
) -> None:
    assert client_address(peer, forwarded_for, PROXIES) == address


def test_a_forged_hop_is_cut_to_a_length_that_can_be_stored() -> None:
    assert len(client_address("10.0.0.1", "9" * 500, PROXIES)) == 64


@pytest.mark.parametrize(
    ("address", "group"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2::3", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("unknown", "unknown"),
        ("unix", "unix"),
    ],
)
def test_a_customer_counts_once_however_many_addresses_of_ipv6_it_has(address: str, group: str) -> None:
    assert network_of(address) == group
