"""The registry describes itself."""

from typing import Any

import seqfacility_schemas
from openapi_spec_validator import validate
from seqfacility_registry.site.openapi import METHODS
from seqfacility_testkit.contract import answer_of


def _document(registry: Any) -> dict[str, Any]:
    answer: dict[str, Any] = registry.get("/openapi.json").json
    return answer


def test_it_is_an_openapi_document_by_the_specification(registry: Any) -> None:
    validate(_document(registry))


def test_every_status_of_the_contract_table_is_described(registry: Any) -> None:
    document = _document(registry)
    paths = document["paths"]

    for (method, path, status), schema in seqfacility_schemas.routes("registry").items():
        answer = answer_of(document, paths[path][method.lower()], status)
        if schema != "-":
            named = answer["content"]["application/json"]["schema"]["$ref"]
            assert named == f"#/components/schemas/{schema.replace('/', '.')}"
    assert set(seqfacility_schemas.operations("registry")) <= {
        (method, path) for path in paths for method in METHODS if method.lower() in paths[path]
    }


def test_operations_have_names_of_their_own_and_tags_that_are_explained(registry: Any) -> None:
    document = _document(registry)
    operations = [operation for methods in document["paths"].values() for operation in methods.values()]

    assert len({operation["operationId"] for operation in operations}) == len(operations)
    assert {tag["name"] for tag in document["tags"]} == {operation["tags"][0] for operation in operations}
    assert all(tag["description"] for tag in document["tags"])


def test_only_a_resolved_profile_may_ask_for_a_code(registry: Any) -> None:
    for path, methods in _document(registry)["paths"].items():
        for operation in methods.values():
            expected = [{}, {"accessCode": []}] if path.endswith("/resolve") else []
            assert operation["security"] == expected


def test_what_any_site_may_read_says_so(registry: Any) -> None:
    document = _document(registry)
    headers = {
        path: answer_of(document, methods["get"], 200)["headers"]
        for path, methods in document["paths"].items()
        if "200" in methods.get("get", {}).get("responses", {})
    }

    assert "Access-Control-Allow-Origin" in headers["/api/registry/mixs"]
    assert "Access-Control-Allow-Origin" not in headers["/api/version"]


def test_the_page_shows_the_document_to_people(registry: Any) -> None:
    assert registry.get("/docs").status_code == 200
    assert registry.get("/docs/swagger-ui.css").status_code == 200
    assert registry.get("/docs/other.css").status_code == 404
