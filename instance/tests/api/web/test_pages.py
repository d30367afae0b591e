"""Pages are served beside the API: one document for every address, and files that are kept for ever."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from falcon.testing import Result, TestClient
from seqfacility_instance.app import Composition, create_app
from seqfacility_instance.routes import routes
from seqfacility_instance.web.pages import HASH_WORKER_POLICY, POLICY, Pages
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.queries import counted_queries

A_BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"}
ADDRESSES = ("/", "/orders", "/orders/", "/orders/ORD-1?tab=samples", "/sign-in", "/facility/people", "/x")
DOCUMENT = b"<!doctype html><title>SeqFacility</title>" + b" " * 300
SCRIPT = b"export const words = 1;" * 20
Ask = Callable[..., Result]


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """Pages as a build leaves them."""
    folder = tmp_path / "pages"
    (folder / "assets").mkdir(parents=True)
    (folder / ".vite").mkdir()
    (folder / "index.html").write_bytes(DOCUMENT)
    (folder / "icon.svg").write_text("<svg/>")
    (folder / "stamp").write_text("0")
    (folder / ".vite/manifest.json").write_text("{}")
    (folder / "assets/index-aB3_x-9z.js").write_bytes(SCRIPT)
    (folder / "assets/index-aB3_x-9z.js.gz").write_bytes(gzip.compress(SCRIPT, mtime=0))
    (folder / "assets/index-aB3_x-9z.js.br").write_bytes(b"brotli")
    (folder / "assets/hash_worker-aB3_x-9z.js").write_text("")
    (folder / "assets/plex-aB3_x-9z.woff2").write_bytes(b"wOF2")
    (folder / "assets/index-aB3_x-9z.css").write_text("")
    return folder


@pytest.fixture
def ask(facility: Facility, built: Path) -> Ask:
    return client(facility, Pages.read(built)).simulate_request


def client(facility: Facility, pages: Pages) -> TestClient:
    services = facility.services
    return TestClient(
        create_app(
            Composition(
                services.settings, services.database, services.credentials, routes(services), pages=pages
            )
        )
    )


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_browser_gets_the_page_at_every_address(ask: Ask, address: str) -> None:
    path, _, query = address.partition("?")

    answer = ask("GET", path, query_string=query, headers=A_BROWSER)

    assert (answer.status_code, answer.content) == (200, DOCUMENT)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert {word.strip() for word in answer.headers["vary"].split(",")} == {"Accept", "Accept-Encoding"}


def test_the_policy_is_to_the_letter_what_we_promise() -> None:
    assert POLICY == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        "connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
        "trusted-types workers"
    )


def test_a_browser_that_has_the_page_gets_304_and_a_head_no_body(ask: Ask) -> None:
    first = ask("GET", "/orders", headers=A_BROWSER)

    again = ask("GET", "/", headers={**A_BROWSER, "If-None-Match": first.headers["etag"]})
    head = ask("HEAD", "/orders", headers=A_BROWSER)

    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["content-security-policy"] == POLICY
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(DOCUMENT))


def test_a_page_costs_no_query_and_looks_at_no_session(facility: Facility, ask: Ask) -> None:
    cookie = {"Cookie": f"service_session={facility.admin.cookie}"}

    with counted_queries() as queries:
        pages = [ask("GET", path, headers={**A_BROWSER, **cookie}) for path in ("/", "/orders", "/icon.svg")]

    assert [page.status_code for page in pages] == [200, 200, 200]
    assert "set-cookie" not in pages[0].headers
    assert queries == []


@pytest.mark.parametrize(
    ("method", "path", "accept"),
    [
        ("GET", "/orders", "*/*"),
        ("GET", "/orders", "application/json"),
        ("GET", "/orders", None),
        ("GET", "/api", "text/html"),
        ("GET", "/api/nowhere", "text/html"),
        ("GET", "/api/orders/..%2f", "text/html"),
        ("GET", "/assets/index-00000000.js", "text/html"),
        ("GET", "/assets/", "text/html"),
        ("GET", "/assets/../index.html", "*/*"),
        ("GET", "/assets/index-aB3_x-9z.js.br", "*/*"),
        ("GET", "/.vite/manifest.json", "*/*"),
        ("GET", "/stamp", "*/*"),
        ("GET", "/index.html", "*/*"),
        ("GET", "/favicon.ico", "image/avif,*/*"),
        ("POST", "/orders", "text/html"),
        ("POST", "/", "text/html"),
        ("DELETE", "/icon.svg", "*/*"),
        ("OPTIONS", "/orders", "text/html"),
    ],
)
def test_what_is_no_page_is_404_as_the_api_says_it(
    ask: Ask, method: str, path: str, accept: str | None
) -> None:
    answer = ask(method, path, headers={} if accept is None else {"Accept": accept})

    assert (answer.status_code, answer.json) == (404, {"error": "Not found"})
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("accept", ["*/*", None])
def test_the_bare_address_is_a_page_for_everybody(ask: Ask, accept: str | None) -> None:
    answer = ask("GET", "/", headers={} if accept is None else {"Accept": accept})

    assert answer.content == DOCUMENT


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("index-aB3_x-9z.js", "text/javascript; charset=utf-8"),
        ("index-aB3_x-9z.css", "text/css; charset=utf-8"),
        ("plex-aB3_x-9z.woff2", "font/woff2"),
    ],
)
def test_an_asset_is_kept_for_ever_under_the_name_of_its_content(
    ask: Ask, name: str, media_type: str
) -> None:
    answer = ask("GET", f"/assets/{name}")

    assert answer.status_code == 200
    assert answer.headers["content-type"] == media_type
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == POLICY


def test_the_worker_that_hashes_alone_may_run_web_assembly(ask: Ask) -> None:
    worker = ask("GET", "/assets/hash_worker-aB3_x-9z.js")

    assert worker.headers["content-security-policy"] == HASH_WORKER_POLICY
    assert HASH_WORKER_POLICY == "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"


@pytest.mark.parametrize(
    ("asked", "coding", "content"),
    [
        ("gzip, deflate, br, zstd", "br", b"brotli"),
        ("gzip, br;q=0", "gzip", gzip.compress(SCRIPT, mtime=0)),
        (None, None, SCRIPT),
        ("identity", None, SCRIPT),
    ],
)
def test_an_asset_comes_in_the_form_that_the_build_made(
    ask: Ask, asked: str | None, coding: str | None, content: bytes
) -> None:
    path = "/assets/index-aB3_x-9z.js"

    answer = ask("GET", path, headers={} if asked is None else {"Accept-Encoding": asked})
    again = ask("GET", path, headers={"If-None-Match": answer.headers["etag"]})

    assert answer.content[10:] == content[10:]  # the head of gzip's has the time
    assert answer.headers.get("content-encoding") == coding
    assert "Accept-Encoding" in answer.headers["vary"]
    assert (again.status_code, again.content) == (304, b"")


def test_a_file_beside_the_page_is_asked_for_each_time(ask: Ask) -> None:
    icon = ask("GET", "/icon.svg")

    assert (icon.status_code, icon.headers["content-type"]) == (200, "image/svg+xml")
    assert icon.headers["cache-control"] == "no-cache"


def test_without_built_pages_the_address_says_how_to_get_them_and_the_api_works(facility: Facility) -> None:
    ask = client(facility, Pages.missing()).simulate_request

    page = ask("GET", "/sign-in", headers=A_BROWSER)

    assert ask("GET", "/").content == page.content
    assert page.status_code == 200
    assert "SEQFACILITY_WITHOUT_PAGES" in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert ask("GET", "/api/version").status_code == 200
    assert ask("GET", "/assets/index-aB3_x-9z.js").status_code == 404
