"""Which requests may have been made by another site's page."""

import pytest
from seqfacility_instance.access.cross_site import is_cross_site

HOST = "facility.test:8080"
PUBLIC = "https://seq.facility.test"


@pytest.mark.parametrize(
    ("fetch_site", "origin", "refused"),
    [
        (None, None, False),
        ("same-origin", None, False),
        ("same-site", None, False),
        ("none", None, False),
        ("cross-site", None, True),
        (" Cross-Site ", None, True),
        ("cross-site", f"http://{HOST}", True),
        ("same-origin", "http://evil.test", True),
        (None, f"http://{HOST}", False),
        (None, f"https://{HOST}", False),
        (None, "http://FACILITY.test:8080", False),
        (None, "http://facility.test", True),
        (None, "http://facility.test:8081", True),
        (None, PUBLIC, False),
        (None, f"{PUBLIC}:443", False),
        (None, "http://seq.facility.test", False),
        (None, f"{PUBLIC}.evil.test", True),
        (None, f"https://{HOST}@evil.test", True),
        (None, "null", True),
        (None, "", True),
        (None, "facility.test:8080", True),
        (None, "http://facility.test:99999", True),
        (None, "http://[", True),
    ],
)
def test_a_request_is_judged_by_what_the_browser_says(
    fetch_site: str | None, origin: str | None, refused: bool
) -> None:
    assert is_cross_site(fetch_site, origin, HOST, PUBLIC) is refused


def test_a_default_port_is_dropped_on_both_sides() -> None:
    assert not is_cross_site(None, "http://facility.test:80", "facility.test", None)
    assert not is_cross_site(None, "https://facility.test", "facility.test:443", None)
    assert is_cross_site(None, "https://facility.test", "facility.test:80", None)


def test_without_a_host_only_the_public_address_matches() -> None:
    assert is_cross_site(None, f"http://{HOST}", None, PUBLIC)
    assert not is_cross_site(None, PUBLIC, None, PUBLIC)
