"""Where the service may connect to, and where not."""

import pytest
from seqfacility_instance.registry_client.reach import Reach
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


PRIVATE = ["127.0.0.1", "127.9.9.9", "::1", "10.0.0.7", "172.16.0.1", "192.168.1.1", "100.64.0.1", "fd12::1"]
PRIVATE += ["::ffff:10.0.0.7", "64:ff9b::7f00:1", "2002:a00:7::1", "198.18.0.1", "fec0::1"]


@pytest.mark.parametrize("address", PRIVATE)
def test_a_private_address_is_reached_by_naming_its_host(address: str) -> None:
    named = Reach().including("https://registry.lab.example:8443/api")

    assert not is_refused_address(address)
    assert named.allows("registry.lab.example", 8443, address)
    assert Reach.of(["registry.lab.example"]).allows("registry.lab.example", 1, address)
    assert not named.allows("registry.lab.example", 22, address)
    assert not named.allows("other.example", 8443, address)
    assert not Reach().allows("registry.lab.example", 8443, address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1"])
def test_a_public_address_needs_no_name(address: str) -> None:
    assert Reach().allows("anywhere.example", 443, address)


def test_naming_a_host_opens_no_metadata() -> None:
    assert not Reach.of(["169.254.169.254"]).allows("169.254.169.254", 80, "169.254.169.254")


def test_a_host_that_is_named_without_tls_may_change_to_it() -> None:
    named = Reach().including("http://Registry.lab.example/api")

    assert named.allows("registry.lab.example", 443, "10.0.0.7")
    assert not Reach().including("http://r.example:8080/").allows("r.example", 443, "10.0.0.7")


@pytest.mark.parametrize("entry", ["", "a b", "[half", "user@", ":80"])
def test_an_entry_that_is_no_host_names_none(entry: str) -> None:
    assert not any(Reach.of([entry]).allows(host, 80, "10.0.0.7") for host in (entry, "", "x", "http"))


def test_an_entry_may_be_a_whole_address_or_one_of_ipv6() -> None:
    assert Reach.of(["http://x/api"]).allows("x", 8090, "10.0.0.7")
    assert Reach.of(["[fd12::1]:8080"]).allows("fd12::1", 8080, "fd12::1")


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


@pytest.mark.parametrize("url", ["https://a.example/x", "HTTPS://a.example/x"])
def test_a_redirect_never_leads_from_https_to_http(url: str) -> None:
    assert redirect_target(url, "HTTP://a.example/y") is None
    assert redirect_target(url, "HTTPS://a.example/y") == "https://a.example/y"
    assert redirect_target("http://a.example/x", "http://b.example/y") == "http://b.example/y"


def test_a_shown_address_holds_nothing_secret() -> None:
    assert (
        shown_url("https://me:word@r.example:8443/api/registry?key=1#a")
        == "https://r.example:8443/api/registry"
    )
    assert shown_url("http://[::1") == "an address that cannot be read"
