"""For every origin: it passes exactly when its host and port are ours."""

from hypothesis import given
from hypothesis import strategies as st
from seqfacility_instance.access.cross_site import is_cross_site

LABELS = st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=8)
HOSTS = st.lists(LABELS, min_size=1, max_size=3).map(".".join)
SCHEMES = st.sampled_from(["http", "https"])
PORTS = st.integers(1, 65_535)


@given(scheme=SCHEMES, host=HOSTS, port=PORTS, ours=HOSTS, our_port=PORTS)
def test_an_origin_passes_only_from_our_host_and_port(
    scheme: str, host: str, port: int, ours: str, our_port: int
) -> None:
    refused = is_cross_site(None, f"{scheme}://{host}:{port}", f"{ours}:{our_port}", None)

    assert refused is ((host, port) != (ours, our_port))


@given(scheme=SCHEMES, host=HOSTS, port=PORTS)
def test_our_own_pages_always_pass(scheme: str, host: str, port: int) -> None:
    assert not is_cross_site("same-origin", f"{scheme}://{host}:{port}", f"{host}:{port}", None)


@given(origin=st.text(max_size=40), host=st.one_of(st.none(), HOSTS))
def test_no_text_in_a_header_is_an_error(origin: str, host: str | None) -> None:
    assert is_cross_site(None, origin, host, None) in {True, False}


@given(origin=st.one_of(st.none(), st.text(max_size=40)), host=HOSTS)
def test_what_a_browser_calls_cross_site_never_passes(origin: str | None, host: str) -> None:
    assert is_cross_site("cross-site", origin, host, f"https://{host}")
