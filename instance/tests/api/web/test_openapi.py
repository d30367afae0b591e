"""The service describes itself: nothing that it does is missing, and nothing is made up."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import seqfacility_schemas
from openapi_spec_validator import validate
from seqfacility_instance.routes import routes
from seqfacility_schemas.examples import valid_examples
from seqfacility_testkit.contract import answer_of
from seqfacility_testkit.facility import Facility
from seqfacility_wire.openapi.refusals import named_refusals

CHANGES = ("POST", "PUT", "PATCH")


@pytest.fixture
def document(facility: Facility) -> dict[str, Any]:
    answer: dict[str, Any] = facility.anonymous.get("/api/openapi.json").json
    return answer


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def test_it_is_an_openapi_document_by_the_specification(document: dict[str, Any]) -> None:
    validate(document)


def test_every_route_and_method_is_described(facility: Facility, document: dict[str, Any]) -> None:
    expected = {
        (method, re.sub(r":id}", "}", route.path))
        for route in routes(facility.services)
        for method in route.access
    }
    assert {(method, path) for method, path, _operation in _operations(document)} == expected


def test_every_status_of_the_contract_table_is_described(document: dict[str, Any]) -> None:
    for (method, path, status), schema in seqfacility_schemas.routes("instance").items():
        answer = answer_of(document, document["paths"][path][method.lower()], status)
        if schema != "-":
            named = answer["content"]["application/json"]["schema"]["$ref"]
            assert named == f"#/components/schemas/{schema.replace('/', '.')}"


def test_every_row_about_requests_belongs_to_an_operation(document: dict[str, Any]) -> None:
    described = {(method, path) for method, path, _operation in _operations(document)}
    rows = set(seqfacility_schemas.operations("instance"))

    assert rows <= described
    assert {key for key in described if key[0] in CHANGES} <= rows, "say what they read: operations/*.json"


def test_every_operation_has_a_name_of_its_own_and_a_sentence(document: dict[str, Any]) -> None:
    operations = [operation for _method, _path, operation in _operations(document)]

    names = [operation["operationId"] for operation in operations]
    assert len(names) == len(set(names))
    assert [name for name in names if not re.fullmatch(r"[a-z0-9_]+", name)] == []
    assert [operation["operationId"] for operation in operations if not operation["summary"]] == []
    told = [operation["summary"] + operation.get("description", "") for operation in operations]
    assert [text for text in told if re.search(r"Decision:|Spec:", text)] == []


def test_every_tag_is_explained(document: dict[str, Any]) -> None:
    explained = {tag["name"] for tag in document["tags"] if tag["description"]}

    assert {operation["tags"][0] for _method, _path, operation in _operations(document)} == explained


def test_every_refusal_that_an_operation_names_is_described(document: dict[str, Any]) -> None:
    named = [
        (document["paths"][path][method.lower()], status, text)
        for (method, path), row in seqfacility_schemas.operations("instance").items()
        for status, text in named_refusals(
            row.get("refusals", ()), "seqfacility_instance", seqfacility_schemas.slices()[method, path]
        )
    ]
    assert len(named) > 300
    for operation, status, text in named:
        content = answer_of(document, operation, status)["content"]["application/json"]
        assert {"error": text} in [example["value"] for example in content["examples"].values()]


def test_open_routes_ask_for_nothing_and_others_for_a_session_or_a_token_with_a_scope(
    document: dict[str, Any],
) -> None:
    paths = document["paths"]

    assert paths["/api/version"]["get"]["security"] == []
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert paths["/api/modules"]["get"]["security"] == [{"session": []}, {"token": ["orders:read"]}]
    assert paths["/api/auth/password"]["post"]["security"] == [{"session": []}]
    refusals = answer_of(document, paths["/api/auth/password"]["post"], 403)["content"]["application/json"]
    words = [example["value"]["error"] for example in refusals["examples"].values()]
    assert "Token does not allow this" in words
    assert paths["/api/pipelines/weblog"]["post"]["security"] == [{"weblogToken": []}, {"weblogBearer": []}]
    assert paths["/api/admin/modules"]["put"]["x-access"] == {
        "class": "AD",
        "roles": ["FACILITY_ADMIN"],
        "demo": False,
        "scope": None,
    }
    assert paths["/api/admin/modules"]["get"]["x-access"]["scope"] == "admin"
    assert paths["/api/modules"]["get"]["x-access"]["demo"]


def test_the_examples_of_a_body_fit_its_schema(document: dict[str, Any]) -> None:
    named = {
        (media["schema"]["$ref"].rpartition("/")[2].replace(".", "/"), name)
        for _method, _path, operation in _operations(document)
        for media in operation.get("requestBody", {"content": {}})["content"].values()
        for name in media.get("examples", {})
    }
    assert named
    for schema, example in named:
        assert seqfacility_schemas.problems(schema, valid_examples(schema)[example]) == []


def test_who_holds_the_document_is_told_so(facility: Facility) -> None:
    first = facility.anonymous.get("/api/openapi.json")
    again = facility.anonymous.get("/api/openapi.json", headers={"If-None-Match": first.headers["ETag"]})

    assert first.headers["Cache-Control"] == "no-cache"
    assert again.status_code == 304


def test_the_page_shows_the_document_to_people_without_an_account(facility: Facility) -> None:
    page = facility.anonymous.get("/api/docs")

    assert page.status_code == 200
    assert "docs/swagger-ui-bundle.js" in page.text
    assert facility.anonymous.get("/api/docs/swagger-ui-bundle.js").status_code == 200
