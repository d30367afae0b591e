"""The list of all files, from the service and in exports of both layouts."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from seqfacility_registry.content_folder import read_publication
from seqfacility_registry.export import exported_files
from seqfacility_registry.web_root import FILE_LIST, Layout, answered_at
from seqfacility_schemas import problems

PUBLIC_URL = "https://registry.example/api"


@pytest.fixture(params=Layout)
def files(request: pytest.FixtureRequest, content: Path) -> dict[str, bytes]:
    """Return the files of an export in each layout."""
    return dict(exported_files(read_publication(content), PUBLIC_URL, request.param))


def rows_of(files: dict[str, bytes]) -> list[dict[str, Any]]:
    document = json.loads(files[FILE_LIST])
    assert problems("registry/files", document) == []
    rows: list[dict[str, Any]] = document["files"]
    return rows


def test_the_list_has_every_file_but_itself_the_pages_and_those_of_servers(files: dict[str, bytes]) -> None:
    rows = rows_of(files)

    wanted = sorted(
        path for path in files if path != FILE_LIST and path.startswith(("api/", "ga4gh/", "images/"))
    )
    assert [row["path"] for row in rows] == wanted
    for row in rows:
        content = files[row["path"]]
        assert (row["length"], row["sha256"]) == (len(content), hashlib.sha256(content).hexdigest())


def test_an_answer_of_the_plain_layout_is_the_same_document_and_no_markup(content: Path) -> None:
    path = content / "catalog" / "sequencing-tech.json"
    catalog = json.loads(path.read_bytes())
    catalog["technologies"][0]["name"] = "<img src=x onerror=alert(1)> & more"
    path.write_text(json.dumps(catalog))
    index, plain = (exported_files(read_publication(content), PUBLIC_URL, layout) for layout in Layout)

    answers = {answered_at(name): body for name, body in index.items() if name.endswith("/index.json")}
    for name, body in plain.items():
        if name.startswith(("api/", "ga4gh/")) and name.endswith("/index.html"):
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
