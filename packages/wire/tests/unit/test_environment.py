"""What the environment may hold, and what is said of a name that nothing reads."""

import pytest
from seqfacility_wire.environment import (
    InvalidVariable,
    addresses_of,
    http_address_of,
    unknown_variables,
)

NAME = "SEQFACILITY_X"


def test_addresses_of_proxies_are_ip_addresses() -> None:
    listed = {NAME: " 10.0.0.1, 2001:DB8::1 ,"}

    assert addresses_of(listed, NAME) == {"10.0.0.1", "2001:db8::1"}
    assert addresses_of({}, NAME) == addresses_of({NAME: " "}, NAME) == frozenset()
    for wrong in ("localhost", "10.0.0.0/8", "10.0.0.1 10.0.0.2"):
        with pytest.raises(InvalidVariable, match=r"^SEQFACILITY_X: must be IP addresses"):
            addresses_of({NAME: wrong}, NAME)


def test_an_address_names_its_scheme() -> None:
    assert (
        http_address_of({NAME: "https://facility.example.org/a/"}, NAME) == "https://facility.example.org/a"
    )
    assert http_address_of({NAME: "http://127.0.0.1:8090/api"}, NAME) == "http://127.0.0.1:8090/api"
    assert http_address_of({}, NAME) is None
    for wrong in ("facility.example.org", "ftp://x", "https://", "https://x y"):
        with pytest.raises(InvalidVariable, match=r"^SEQFACILITY_X: "):
            http_address_of({NAME: wrong}, NAME)


def test_a_misspelt_name_is_told_with_the_nearest_one() -> None:
    environment = dict.fromkeys(
        [
            "SEQFACILITY_DATABSE_URL",
            "SEQFACILITY_HOME",
            "SEQFACILITY_NEWER_THING",
            "SEQFACILITY_TEST_DATABASE",
            "SEQFACILITY_RUN_TOKEN",
            "OTHER",
        ],
        "x",
    )

    known = ["SEQFACILITY_HOME", "SEQFACILITY_DATABASE_URL"]
    assert unknown_variables(environment, "SEQFACILITY_", known) == [
        "SEQFACILITY_DATABSE_URL is not known; is SEQFACILITY_DATABASE_URL meant?",
        "SEQFACILITY_NEWER_THING is not known",
    ]
