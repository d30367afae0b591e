"""The static mirror: the same bytes every time, equal to what the service answers."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests
from seqfacility_registry.cli import main
from seqfacility_registry.content_folder import read_publication
from seqfacility_registry.export import ExportRefused, export, exported_files
from seqfacility_registry.web_root import Layout, answered_at
from seqfacility_testkit.file_servers import SERVERS
from seqfacility_testkit.signed_registry import sign_registry

PUBLIC_URL = "https://registry.example/api"
LONG_AFTER = "Thu, 01 Jan 2037 00:00:00 GMT"


def _tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_two_exports_of_one_content_are_equal_byte_by_byte(content: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        export(read_publication(content), PUBLIC_URL, tmp_path / name)

    assert _tree(tmp_path / "one") == _tree(tmp_path / "two")
    assert "api/registry/index.json" in _tree(tmp_path / "one")


def test_every_exported_answer_is_what_the_service_answers(registry: Any, content: Path) -> None:
    for path, body in exported_files(read_publication(content), PUBLIC_URL).items():
        if not path.startswith(("api/", "ga4gh/", "images/")):
            continue
        answer = registry.client.simulate_get("/" + answered_at(path))

        assert (path, answer.status_code, answer.content) == (path, 200, body)


def test_what_needs_a_query_a_code_or_a_private_entry_is_not_exported(content: Path) -> None:
    paths = dict(exported_files(read_publication(content), PUBLIC_URL))

    assert "api/install-profiles/open/resolve/index.json" in paths
    assert "api/install-profiles/guarded/resolve/index.json" not in paths
    assert "api/install-profiles/retired/index.json" not in paths
    assert not any("private-counter" in path and "download" in path for path in paths)


def test_a_folder_that_is_not_empty_is_refused(content: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()

    with pytest.raises(ExportRefused, match="is not an empty folder"):
        export(read_publication(content), PUBLIC_URL, tmp_path / "full")


def test_a_broken_content_is_not_exported(content: Path, tmp_path: Path) -> None:
    (content / "catalog" / "sequencing-tech.json").write_text("{}")

    with pytest.raises(ExportRefused, match="broken content: catalog"):
        export(read_publication(content), PUBLIC_URL, tmp_path / "mirror")
    assert not (tmp_path / "mirror").exists()


def test_the_command_writes_links_to_the_address_it_is_given(
    content: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SEQFACILITY_REGISTRY_CONTENT", str(content))
    mirror = tmp_path / "mirror"

    status = main(["export", str(mirror), "--public-url", "http://intranet:8090/api/"])

    assert status == 0
    said = capsys.readouterr()
    assert (said.out.endswith("links to http://intranet:8090/api\n"), said.err) == (True, "")
    assert main(["export", str(tmp_path / "another")]) == 0
    assert capsys.readouterr().err == "warning: links lead to http://127.0.0.1:8090/api; see --public-url\n"
    assert (
        b'"baseUrl":"http://intranet:8090/api/registry"' in (mirror / "api/registry/index.json").read_bytes()
    )


def test_servers_give_documents_and_refusals_the_words_and_headers_of_the_service(
    configured_mirror: str, registry: Any
) -> None:
    paths = (
        "/registry",
        "/registry/read-counter",
        "/registry/NOT-AN-ID",
        "/registry/unknown",
        "/registry/pipelines/read-counter/1.9.0/download",
        "/registry/pipelines/read-counter/1..9/download",
        "/registry/pipelines/private-counter/1.0.0/download",
        "/registry/mixs",
        "/registry/sequencing-tech",
        "/version",
        "/research-data",
        "/install-profiles",
        "/install-profiles/open",
        "/install-profiles/open/resolve",
        "/install-profiles/unknown",
        "/registry/pipelines/read-counter/1.9.0/ro-crate-metadata.json",
        "/registry/pipelines/read-counter/1.8.0/ro-crate-metadata.json",
        "/registry/pipelines/NOT-AN-ID/1.9.0/ro-crate-metadata.json",
        "/files.json",
        "/health",
        "/nowhere",
        "/registry/",
        "/trust/timestamp.json",
    )
    names = ("cache-control", "access-control-allow-origin", "content-type", "content-disposition")
    for path in paths:
        mirrored = requests.get(f"{configured_mirror}/api{path}", timeout=60)
        served = registry.get(path)

        assert (path, mirrored.status_code) == (path, served.status_code)
        assert [(path, mirrored.headers.get(name)) for name in names] == [
            (path, served.headers.get(name)) for name in names
        ]
        if served.status_code >= 400:
            assert mirrored.json() == served.json


@pytest.mark.parametrize("server", SERVERS)
def test_a_server_says_that_an_answer_of_the_next_export_is_the_same(
    content: Path, tmp_path: Path, serve_with: Callable[[str, Path], str], server: str
) -> None:
    paths = ("/registry", "/registry/mixs", "/files.json", "/trust/timestamp.json")
    sign_registry(content, tmp_path / "keys")
    export(read_publication(content), PUBLIC_URL, tmp_path / "before")
    address = serve_with(server, tmp_path / "before")
    before = {path: requests.get(f"{address}/api{path}", timeout=60) for path in paths}
    export(read_publication(content), PUBLIC_URL, tmp_path / "after")
    catalog = content / "catalog" / "sequencing-tech.json"
    catalog.write_text(catalog.read_text().replace('"version": ', '"version": 1'))
    export(read_publication(content), PUBLIC_URL, tmp_path / "changed")

    after, changed = serve_with(server, tmp_path / "after"), serve_with(server, tmp_path / "changed")

    for path, answer in before.items():
        known = {"If-None-Match": answer.headers["ETag"]}
        assert (path, answer.status_code, answer.headers.get("Last-Modified")) == (path, 200, None)
        assert requests.get(f"{after}/api{path}", headers=known, timeout=60).status_code == 304
    for old in ({"If-None-Match": before["/files.json"].headers["ETag"]}, {"If-Modified-Since": LONG_AFTER}):
        assert requests.get(f"{changed}/api/files.json", headers=old, timeout=60).status_code == 200


def test_the_times_of_two_exports_are_equal_and_follow_from_the_content(
    content: Path, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        export(read_publication(content), PUBLIC_URL, tmp_path / name)
    one, two = (_times(tmp_path / name) for name in ("one", "two"))

    assert one == two
    assert max(one.values()) < time.time() - 365 * 86_400
    by_content = {(tmp_path / "one" / name).read_bytes(): when for name, when in one.items()}
    assert len(set(by_content.values())) == len(by_content)


def test_a_host_that_may_ask_by_time_has_files_with_the_time_of_writing(
    content: Path, tmp_path: Path
) -> None:
    before = time.time() - 60

    export(read_publication(content), PUBLIC_URL, tmp_path / "plain", Layout.PLAIN)

    assert min(_times(tmp_path / "plain").values()) > before


def _times(folder: Path) -> dict[str, float]:
    return {
        str(path.relative_to(folder)): path.stat().st_mtime for path in folder.rglob("*") if path.is_file()
    }


def test_servers_show_people_the_pages_and_the_headers_of_the_service(
    configured_mirror: str, registry: Any, exported: Path
) -> None:
    files = (
        "",
        "index.html",
        "look/registry.css",
        "look/registry.js",
        "look/icon.svg",
        "search.json",
        "sitemap.xml",
    )
    pages = (
        "pipelines",
        "pipelines/",
        "pipelines/read-counter/",
        "checklists/ERC000022/index.html",
        "files/",
    )
    for path in (*files, *pages):
        mirrored = requests.get(f"{configured_mirror}/{path}", timeout=60)
        served = registry.client.simulate_get(f"/{path}")

        assert (path, mirrored.status_code) == (path, served.status_code) == (path, 200)
        file = exported / path / "index.html" if (exported / path).is_dir() else exported / path
        assert mirrored.content == file.read_bytes()
        for name in ("cache-control", "content-security-policy", "access-control-allow-origin"):
            assert (path, name, mirrored.headers.get(name)) == (path, name, served.headers.get(name))
        kinds = [headers["content-type"].partition(";")[0] for headers in (mirrored.headers, served.headers)]
        assert kinds[0].replace("text/xml", "application/xml") == kinds[1]


@pytest.mark.parametrize("path", ["nowhere", "pipelines/nothing/", "look/nothing.js", "a/b/c"])
def test_servers_answer_an_unknown_address_with_the_page_that_says_so(
    configured_mirror: str, registry: Any, exported: Path, path: str
) -> None:
    mirrored = requests.get(f"{configured_mirror}/{path}", timeout=60)
    served = registry.client.simulate_get(f"/{path}")

    assert (mirrored.status_code, mirrored.content) == (404, (exported / "404.html").read_bytes())
    for name in ("cache-control", "content-security-policy"):
        assert mirrored.headers[name] == served.headers[name]
    assert mirrored.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("path", ["api/nowhere", "ga4gh/nowhere", "images/nowhere", "server/nowhere"])
def test_servers_refuse_programs_in_json(configured_mirror: str, path: str) -> None:
    answer = requests.get(f"{configured_mirror}/{path}", timeout=60)

    assert (answer.status_code, answer.json()) == (404, {"error": "Not found"})


def test_servers_refuse_to_change_a_page(configured_mirror: str) -> None:
    answer = requests.delete(f"{configured_mirror}/pipelines/", timeout=60)

    assert (answer.status_code, answer.json()) == (405, {"error": "Method not allowed"})


def test_servers_answer_the_drawings_as_drawings(configured_mirror: str) -> None:
    answer = requests.get(f"{configured_mirror}/images/catalog/x.svg", timeout=60)

    assert answer.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in answer.headers["content-security-policy"]


def test_an_export_while_nothing_is_published_is_still_a_registry(
    tmp_path: Path, start: Callable[[], Any], content: Path
) -> None:
    (content / "research" / "snapshot.json").unlink()
    (content / "releases" / "stable.json").unlink()

    paths = dict(exported_files(read_publication(content), PUBLIC_URL))

    assert "api/research-data/index.json" not in paths
    assert "api/version/index.json" not in paths
    assert "api/registry/mixs/index.json" in paths
