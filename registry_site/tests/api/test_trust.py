"""Signed metadata and documents over HTTP."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seqfacility_testkit.signed_registry import sign_registry

IMMUTABLE = "public, max-age=31536000, immutable"


@pytest.fixture
def signed(content: Path, tmp_path: Path, start: Callable[[], Any]) -> Any:
    """Start the service over a signed content."""
    sign_registry(content, tmp_path / "keys")
    return start()


def targets_of(registry: Any) -> dict[str, Any]:
    targets: dict[str, Any] = registry.get("/trust/targets.1.json").json["signed"]["targets"]
    return targets


def test_the_timestamp_is_cached_for_a_minute_and_versioned_files_for_a_year(signed: Any) -> None:
    for name in ("root.1.json", "targets.1.json", "snapshot.1.json"):
        answer = signed.get(f"/trust/{name}")
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, IMMUTABLE)
        assert answer.headers["Content-Type"] == "application/json"

    timestamp = signed.get("/trust/timestamp.json")
    assert timestamp.headers["Cache-Control"] == "public, max-age=60, s-maxage=60"
    again = signed.get("/trust/timestamp.json", headers={"If-None-Match": timestamp.headers["ETag"]})
    assert again.status_code == 304


def test_every_signed_document_is_answered_by_its_digest(signed: Any) -> None:
    for path, target in targets_of(signed).items():
        digest = target["hashes"]["sha256"]
        name = digest if path.startswith("images/") else f"{digest}.json"
        answer = signed.get(f"/trust/documents/{name}")

        assert answer.status_code == 200, path
        assert hashlib.sha256(answer.content).hexdigest() == digest
        assert answer.headers["Cache-Control"] == IMMUTABLE
        media = "application/octet-stream" if path.startswith("images/") else "application/json"
        assert answer.headers["Content-Type"] == media


def test_a_document_without_links_is_the_answer_itself(signed: Any) -> None:
    for path in ("registry/mixs", "registry/sequencing-tech", "research-data", "version"):
        digest = hashlib.sha256(signed.get(f"/{path}").content).hexdigest()

        assert targets_of(signed)[path]["hashes"]["sha256"] == digest


def test_what_is_not_published_is_not_found_and_not_cached(signed: Any, registry: Any) -> None:
    for path in ("snapshot.9.json", "nothing", "documents", "documents/nothing.json", "documents/..%2fkeys"):
        answer = signed.get(f"/trust/{path}")

        assert (path, answer.status_code) == (path, 404)
        assert answer.headers["Cache-Control"] == "no-store"


def test_that_there_is_no_next_root_yet_may_be_kept_as_long_as_a_timestamp(signed: Any) -> None:
    answer = signed.get("/trust/root.2.json")

    assert (answer.status_code, answer.json) == (404, {"error": "Not found"})
    assert answer.headers["Cache-Control"] == signed.get("/trust/timestamp.json").headers["Cache-Control"]


def test_only_the_four_routes_of_the_documents_are_open_to_any_site(signed: Any) -> None:
    assert "Access-Control-Allow-Origin" not in signed.get("/trust/timestamp.json").headers


def test_a_content_that_is_not_signed_has_no_signed_side(registry: Any) -> None:
    assert registry.get("/trust/timestamp.json").status_code == 404


def test_a_running_service_takes_a_new_timestamp_over(content: Path, tmp_path: Path, start: Any) -> None:
    keys = sign_registry(content, tmp_path / "keys")
    service = start()

    keys.timestamp()
    while not service.folder.poll():
        pass

    assert json.loads(service.get("/trust/timestamp.json").content)["signed"]["version"] == 2


def test_a_signed_side_that_leads_nowhere_is_not_served(content: Path, tmp_path: Path, start: Any) -> None:
    sign_registry(content, tmp_path / "keys")
    (content / "trust" / "targets.1.json").unlink()

    service = start()

    assert service.get("/trust/timestamp.json").status_code == 404
    assert service.get("/registry").status_code == 200
