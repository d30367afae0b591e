"""Where the service may connect to, and where not."""

import pytest
from seqfacility_instance.registry_client.rules import (
    checked_url,
    is_refused_address,
    redirect_target,
    shown_url,
)


@pytest.mark.parametrize(
    "address",
    [
        "169.254.169.254",
        "169.254.0.1",
        "fe80::1",
        "fe80::1%eth0",
        "fd00:ec2::254",
        "100.100.100.200",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "2002:a9fe:a9fe::1",
        "0.0.0.0",  # noqa: S104  # refused, not bound
        "::",
        "224.0.0.1",
        "255.255.255.255",
    ],
)
def test_link_local_and_metadata_addresses_are_refused_in_every_spelling(address: str) -> None:
    assert is_refused_address(address)


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "10.0.0.7", "192.168.1.1", "93.184.216.34"])
def test_a_registry_on_the_same_host_or_network_is_allowed(address: str) -> None:
    assert not is_refused_address(address)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://registry.example/x",
        "file:///etc/passwd",
        "http://user:secret@registry.example/",
        "http://127.0.0.1\\@registry.example/",
        "http:///path",
        "http://registry.example/a b",
        "http://registry.example/\n",
        "http://régistry.example/",
        "registry.example",
        "http://[half",
        "http://registry.example:port/",
        "",
    ],
)
def test_addresses_that_are_no_plain_http_are_refused(url: str) -> None:
    assert checked_url(url) is None


def test_a_plain_address_is_taken() -> None:
    assert checked_url("https://registry.example:8443/api/registry?x=1") is not None


def test_a_redirect_may_be_relative() -> None:
    assert redirect_target("http://a.example/x", "/y/") == "http://a.example/y/"
    assert redirect_target("http://a.example/x", None) is None


def test_a_shown_address_holds_nothing_secret() -> None:
    assert (
        shown_url("https://me:word@r.example:8443/api/registry?key=1#a")
        == "https://r.example:8443/api/registry"
    )
    assert shown_url("http://[::1") == "an address that cannot be read"
