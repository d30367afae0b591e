"""The list of all files, from the service and in exports of both layouts."""

import hashlib
import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from seqfacility_registry.content_folder import read_publication
from seqfacility_registry.export import exported_files
from seqfacility_registry.file_page import PAGE, PAGE_POLICY
from seqfacility_registry.web_root import FILE_LIST, Layout, answered_at
from seqfacility_schemas import problems

PUBLIC_URL = "https://registry.example/api"


class LinkReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [unquote(value) for name, value in attrs if name == "href" and value]


@pytest.fixture(params=Layout)
def files(request: pytest.FixtureRequest, content: Path) -> dict[str, bytes]:
    """Return the files of an export in each layout."""
    return dict(exported_files(read_publication(content), PUBLIC_URL, request.param))


def rows_of(files: dict[str, bytes]) -> list[dict[str, Any]]:
    document = json.loads(files[FILE_LIST])
    assert problems("registry/files", document) == []
    rows: list[dict[str, Any]] = document["files"]
    return rows


def test_the_list_has_every_file_but_itself_the_page_and_those_of_servers(files: dict[str, bytes]) -> None:
    rows = rows_of(files)

    wanted = sorted(
        path for path in files if path not in {FILE_LIST, PAGE} and not path.startswith("server/")
    )
    assert [row["path"] for row in rows] == wanted
    for row in rows:
        content = files[row["path"]]
        assert (row["length"], row["sha256"]) == (len(content), hashlib.sha256(content).hexdigest())


def test_the_page_links_to_every_file_and_runs_nothing(files: dict[str, bytes]) -> None:
    reader = LinkReader()
    reader.feed(files[PAGE].decode())

    assert set(reader.links) == set(files) - {PAGE}
    assert reader.tags.isdisjoint({"script", "link", "img", "iframe"})
    assert {"html", "main", "h1", "title"} <= reader.tags


def test_an_answer_of_the_plain_layout_is_the_same_document_and_no_markup(content: Path) -> None:
    path = content / "catalog" / "sequencing-tech.json"
    catalog = json.loads(path.read_bytes())
    catalog["technologies"][0]["name"] = "<img src=x onerror=alert(1)> & more"
    path.write_text(json.dumps(catalog))
    index, plain = (exported_files(read_publication(content), PUBLIC_URL, layout) for layout in Layout)

    answers = {answered_at(name): body for name, body in index.items() if name.endswith("/index.json")}
    for name, body in plain.items():
        if name.endswith("/index.html"):
            assert json.loads(body) == json.loads(answers.pop(answered_at(name)))
            assert not {b"<", b">", b"&"} & {bytes([byte]) for byte in body}
    assert answers == {}


def test_no_file_of_the_plain_layout_needs_a_server_that_is_told_what_to_do(content: Path) -> None:
    files = exported_files(read_publication(content), PUBLIC_URL, Layout.PLAIN)

    assert not any(name.startswith("server/") or name.endswith("/index.json") for name in files)


def test_the_service_lists_what_its_export_has(registry: Any, content: Path) -> None:
    answer = registry.get("/files.json")

    assert answer.content == exported_files(read_publication(content), PUBLIC_URL)[FILE_LIST]
    assert answer.headers["cache-control"] == "public, s-maxage=300, stale-while-revalidate=600"
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("path", ["/", "/index.html"])
def test_the_page_of_the_service_leads_to_each_file_under_its_own_name(
    registry: Any, content: Path, path: str
) -> None:
    files = exported_files(read_publication(content), PUBLIC_URL)
    reader = LinkReader()

    page = registry.client.simulate_get(path)

    reader.feed(page.text)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-security-policy"] == PAGE_POLICY
    assert set(reader.links) == {name for name in files if name != PAGE and not name.startswith("server/")}
    for link in reader.links:
        answer = registry.client.simulate_get(f"/{link}")
        assert (link, answer.status_code, answer.content) == (link, 200, files[link])


def test_the_list_follows_the_content(registry: Any, content: Path) -> None:
    before = registry.get("/files.json").json
    (content / "research" / "snapshot.json").unlink()
    while not registry.folder.poll():
        pass

    after = registry.get("/files.json").json

    gone = {row["path"] for row in before["files"]} - {row["path"] for row in after["files"]}
    assert gone == {"api/research-data/index.json"}


def test_what_is_broken_is_not_listed(registry: Any, content: Path) -> None:
    (content / "catalog" / "sequencing-tech.json").write_text("{}")
    while not registry.folder.poll():
        pass

    paths = {row["path"] for row in registry.get("/files.json").json["files"]}

    assert "api/registry/sequencing-tech/index.json" not in paths
    assert "api/registry/mixs/index.json" in paths
