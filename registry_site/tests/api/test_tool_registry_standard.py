"""The answers of the Tool Registry Service, held against the OpenAPI document of the standard."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from falcon.testing import TestClient
from jsonschema import Draft4Validator
from seqfacility_registry.app import make_app
from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.settings import Settings

STANDARD = json.loads(Path(__file__).with_name("ga4gh-trs-2.0.1.json").read_bytes())
SHIPPED = Path(__file__).parents[2] / "content"
SMK = {"id": "seqfacility/reads-qc", "version_id": "1.1.1", "type": "SMK", "relative_path": "Snakefile"}
NFL = {"id": "seqfacility/rnaseq", "version_id": "3.24.0", "type": "NFL", "relative_path": "main.nf"}
UNKNOWN = {"id": "seqfacility/unknown", "version_id": "0.0.0", "type": "CWL", "relative_path": "none"}


@pytest.fixture(scope="module")
def client() -> TestClient:
    """Serve the shipped content."""
    return TestClient(make_app(Settings(content=SHIPPED), ContentFolder(SHIPPED)))


def closed(schema: Any) -> Any:
    """Let no object have keys that the standard does not name: clients refuse them."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: closed(value) for key, value in schema.items()}
    return found | {"additionalProperties": False} if schema.get("type") == "object" else found


def problems(path: str, status: int, document: object) -> list[str]:
    """Hold a document against what the standard says of a path and a status."""
    answer = STANDARD["paths"][path]["get"]["responses"][str(status)]["content"]["application/json"]
    schema = {**closed(answer["schema"]), "components": closed(STANDARD["components"])}
    return [error.message for error in Draft4Validator(schema).iter_errors(document)]


def filled(path: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        path = path.replace(f"{{{name}}}", value.replace("/", "%252F") if name == "id" else value)
    return STANDARD["servers"][0]["url"] + path


@pytest.mark.parametrize("path", STANDARD["paths"])
def test_each_answer_is_one_of_the_standard(client: TestClient, path: str) -> None:
    statuses = set()
    for values in (SMK, NFL, UNKNOWN):
        answer = client.simulate_get(filled(path, values))
        statuses.add(answer.status_code)
        if answer.status_code == 404 and "404" not in STANDARD["paths"][path]["get"]["responses"]:
            continue  # the standard forgets that a tool may be unknown
        assert problems(path, answer.status_code, answer.json) == []
    assert 200 in statuses or path.endswith("/containerfile")


def test_every_tool_and_version_is_one_of_the_standard(client: TestClient) -> None:
    tools = client.simulate_get(filled("/tools", {})).json

    assert len(tools) > 10
    assert problems("/tools", 200, tools) == []


def test_a_document_that_the_standard_does_not_know_is_found() -> None:
    assert problems("/tools/{id}", 200, {"id": "seqfacility/reads-qc", "colour": "red"})
