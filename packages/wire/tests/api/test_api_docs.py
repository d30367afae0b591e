"""The page that shows the document, over HTTP: everything that it loads comes from us."""

import gzip
import hashlib
import re

import pytest
from falcon.testing import TestClient
from seqfacility_wire.api_docs.resources import POLICY, DocsFile, DocsPage
from seqfacility_wire.conventions import new_app

VENDORED = {
    "swagger-ui-bundle.js": "e6a898692f2d768e807c3ba4626068a69a2c5dd960dd6c76f3e4d3a3de180af2",
    "swagger-ui.css": "a6a4cf68f069eb89984d5d43644e6a812e749df08d2b1320c6e06e6973847d10",
}
"""SHA-256 of the two files of Swagger UI as they are served; `docs/adr/0008` names the release."""


@pytest.fixture
def client() -> TestClient:
    app = new_app("1.2.3", [])
    app.add_route("/api/docs", DocsPage())
    app.add_route("/api/docs/{name}", DocsFile())
    return TestClient(app)


def test_the_page_loads_only_files_that_lie_beside_it(client: TestClient) -> None:
    page = client.simulate_get("/api/docs")

    named = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "openapi.json" in named
    for name in named:
        assert not re.match(r"[a-z]+:|//|/", name)
        if name.startswith("docs/"):
            assert client.simulate_get(f"/api/{name}").status_code == 200


def test_the_policy_lets_nothing_in_from_elsewhere_and_no_inline_script(client: TestClient) -> None:
    for path in ("/api/docs", "/api/docs/start.js"):
        assert client.simulate_get(path).headers["Content-Security-Policy"] == POLICY
    assert "unsafe" not in POLICY
    assert "http" not in POLICY
    assert "<style" not in client.simulate_get("/api/docs").text
    assert not re.search(r"<script>|\son[a-z]+=", client.simulate_get("/api/docs").text)


@pytest.mark.parametrize("name", sorted(VENDORED))
def test_the_viewer_is_what_its_makers_published(client: TestClient, name: str) -> None:
    plain = client.simulate_get(f"/api/docs/{name}")
    packed = client.simulate_get(f"/api/docs/{name}", headers={"Accept-Encoding": "gzip"})

    assert hashlib.sha256(plain.content).hexdigest() == VENDORED[name]
    assert gzip.decompress(packed.content) == plain.content
    assert packed.headers["Content-Encoding"] == "gzip"


def test_who_holds_a_file_is_told_so_and_asks_each_time(client: TestClient) -> None:
    first = client.simulate_get("/api/docs/start.js")
    again = client.simulate_get("/api/docs/start.js", headers={"If-None-Match": first.headers["ETag"]})

    assert first.headers["Cache-Control"] == "no-cache"
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", ["nothing.js", "page.html", "resources.py", "viewer", "LICENSE", ".."])
def test_no_other_file_is_given_out(client: TestClient, name: str) -> None:
    assert client.simulate_get(f"/api/docs/{name}").status_code == 404
