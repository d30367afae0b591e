"""What every answer keeps: HEAD, ETags, gzip, links, and no 5xx whatever is asked."""

import gzip
import json
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from falcon.testing import StartResponseMock, TestClient, create_environ
from hypothesis import example, given, settings
from hypothesis import strategies as st
from seqfacility_registry.answers import MAX_ADDRESSES
from seqfacility_registry.app import make_app
from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.pages.resources import PAGE_PATHS
from seqfacility_registry.settings import Settings

WsgiApp: TypeAlias = Callable[[dict[str, Any], Any], Any]
CACHEABLE = (
    "/registry",
    "/registry/read-counter",
    "/registry/pipelines/read-counter/1.10.0/download",
    "/registry/mixs",
    "/registry/mixs?accession=ERC000022",
    "/registry/sequencing-tech",
    "/research-data",
    "/research-data?latest=1",
    "/install-profiles",
    "/install-profiles/open",
)
UNCACHED = ("/version", "/version?current=1.0.0", "/health", "/install-profiles/open/resolve")
CORS = "access-control-allow-origin"


@pytest.mark.parametrize("path", [*CACHEABLE, *UNCACHED])
def test_head_answers_like_get_without_a_body(registry: Any, path: str) -> None:
    full = registry.get(path)

    head = registry.client.simulate_head(f"/api{path}")

    assert (head.status_code, head.content) == (200, b"")
    assert int(head.headers["content-length"]) == len(full.content)
    for name in ("content-type", "cache-control", "etag", CORS):
        assert head.headers.get(name) == full.headers.get(name)


@pytest.mark.parametrize("path", CACHEABLE)
def test_a_cacheable_answer_has_a_strong_etag_that_leads_to_304(registry: Any, path: str) -> None:
    full = registry.get(path)

    again = registry.get(path, headers={"If-None-Match": full.headers["etag"]})

    assert full.headers["etag"].startswith('"')
    assert (again.status_code, again.content) == (304, b"")
    for name in ("etag", "cache-control", "vary", CORS):
        assert again.headers.get(name) == full.headers.get(name)


@pytest.mark.parametrize("path", CACHEABLE)
def test_a_cacheable_answer_is_compressed_for_who_asks(registry: Any, path: str) -> None:
    plain = registry.get(path)

    zipped = registry.get(path, headers={"Accept-Encoding": "gzip"})

    assert zipped.headers["content-encoding"] == "gzip"
    assert gzip.decompress(zipped.content) == plain.content
    assert zipped.headers["etag"] != plain.headers["etag"]
    assert zipped.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("path", UNCACHED)
def test_what_is_not_cached_says_so(registry: Any, path: str) -> None:
    assert registry.get(path).headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path", ["/registry/sequencing-tech", "/version", "/research-data", "/install-profiles", "/health"]
)
def test_a_closed_route_answers_options_without_cors(registry: Any, path: str) -> None:
    answer = registry.client.simulate_options(f"/api{path}")

    assert (answer.status_code, answer.content) == (204, b"")
    assert "GET" in answer.headers["allow"]
    assert CORS not in answer.headers
    assert CORS not in registry.get(path).headers


def test_every_answer_carries_the_fixed_headers(registry: Any) -> None:
    for path in (*CACHEABLE, "/registry/unknown", "/nowhere"):
        headers = registry.get(path, headers={"X-Request-Id": "my-id.1"}).headers

        assert headers["x-request-id"] == "my-id.1"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-service-version"] == "0.1.0"
        assert headers["content-security-policy"].startswith("default-src 'none'; ")
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(("scheme", "is_told"), [("https", True), ("http", False)])
def test_only_a_registry_behind_tls_tells_browsers_to_come_by_https(
    content: Path, scheme: str, is_told: bool
) -> None:
    settings = Settings(content=content, public_url=f"{scheme}://registry.test/api")
    client = TestClient(make_app(settings, ContentFolder(content)))

    assert ("strict-transport-security" in client.simulate_get("/nowhere").headers) is is_told


@pytest.fixture
def unnamed(content: Path) -> TestClient:
    """Start a service that was told no public address."""
    return TestClient(make_app(Settings(content=content), ContentFolder(content)))


def test_without_a_public_address_links_follow_the_request(unnamed: TestClient) -> None:
    one = unnamed.simulate_get("/api/registry", host="one.example", port=8080)
    two = unnamed.simulate_get("/api/registry", host="two.example", protocol="https")

    assert one.json["baseUrl"] == "http://one.example:8080/api/registry"
    assert two.json["baseUrl"] == "https://two.example/api/registry"
    assert one.headers["etag"] != two.headers["etag"]


@pytest.mark.parametrize("host", ['x"<y>', "a b", "a/b", "a@b", "a?b", "é"])
def test_a_host_header_that_names_no_host_is_not_repeated(unnamed: TestClient, host: str) -> None:
    answer = unnamed.simulate_get("/api/registry", extras={"HTTP_HOST": host})

    assert answer.json["baseUrl"] == "http://falconframework.org:80/api/registry"


def test_made_up_hosts_fill_no_memory_and_change_no_answer(unnamed: TestClient) -> None:
    for number in range(50):
        answer = unnamed.simulate_get("/api/registry", host=f"h{number}.example")

        assert answer.json["baseUrl"] == f"http://h{number}.example/api/registry"


def test_the_list_of_files_is_not_made_anew_for_ever_more_made_up_hosts(unnamed: TestClient) -> None:
    hosts = ["registry.example", *(f"h{number}.example" for number in range(50))]

    said = [unnamed.simulate_get("/api/files.json", host=host) for host in hosts]

    assert [answer.status_code for answer in said] == [200] * MAX_ADDRESSES + [503] * (51 - MAX_ADDRESSES)
    assert (said[-1].json, said[-1].headers["retry-after"]) == ({"error": "Service is busy"}, "1")
    for path in ("/api/files.json", "/files/"):
        assert unnamed.simulate_get(path, host="registry.example").status_code == 200
        assert unnamed.simulate_get(path, host="h50.example").status_code == 503


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory, write_content: Callable[[Path], Path]) -> WsgiApp:
    """Start one service for all examples."""
    content = write_content(tmp_path_factory.mktemp("fuzzed") / "content")
    return make_app(Settings(content=content), ContentFolder(content))


_PATH = st.text(st.sampled_from(string.ascii_letters + string.digits + "/.-_%~{}:é\x00\n "), max_size=40)
_HEADERS = st.dictionaries(
    st.sampled_from(["If-None-Match", "Accept-Encoding", "Authorization", "Host", "X-Forwarded-For"]),
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30),
    max_size=3,
)


@settings(max_examples=300)
@given(
    prefix=st.sampled_from(
        ["/", "/api/registry", "/api/registry/", "/api/registry/pipelines/", "/api/version", "/images/"]
    ),
    path=_PATH,
    query=st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=40),
    method=st.sampled_from(["GET", "HEAD", "OPTIONS", "POST", "DELETE", "BREW"]),
    headers=_HEADERS,
)
@example("/api/registry", "", "accession=%ED%A0%80", "GET", {})
@example("/api/version", "", "current=%00&channel=%ff", "GET", {})
def test_whatever_is_asked_is_never_a_server_error(
    fuzzed: WsgiApp, prefix: str, path: str, query: str, method: str, headers: dict[str, str]
) -> None:
    environ = create_environ(path="/", method="GET", query_string="")
    environ["PATH_INFO"] = (prefix + path).encode().decode("latin-1")
    environ["QUERY_STRING"], environ["REQUEST_METHOD"] = query, method
    environ |= {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
    answered = StartResponseMock()

    body = b"".join(fuzzed(environ, answered))

    status = int(answered.status.split()[0])
    assert status < 500
    if (status, method) == (404, "GET") and PAGE_PATHS.match(environ["PATH_INFO"]):
        assert body.startswith(b"<!doctype html>")
    elif status >= 400 and method != "HEAD":
        assert set(json.loads(body)) == {"error"}
