"""One document from a URL table, contract tables and schemas."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from seqfacility_wire.openapi.components import components
from seqfacility_wire.openapi.document import Service, openapi_document
from seqfacility_wire.openapi.operation import Operation, path_template

SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "shop/error": {"$schema": "x", "type": "object"},
    "shop/order": {"$schema": "x", "properties": {"by": {"$ref": "common.schema.json#/$defs/Person"}}},
    "shop/requests/order": {"properties": {"to": {"$ref": "../common.schema.json#/$defs/Person"}}},
    "shop/common": {"$defs": {"Person": {"$ref": "#/$defs/Name"}, "Name": {"type": "string"}}},
    "shop/unused": {"type": "null"},
}
ORDER = Operation(
    method="POST",
    template="/api/orders/{order_id}",
    tag="orders",
    docstring="Save an order. Decision: G1.",
    answers={200: "shop/order"},
    row={
        "query": {"dry": {"about": "Only look", "schema": {"type": "string"}}},
        "body": {"schema": "shop/requests/order"},
    },
    refusals=[(404, "Not found"), (503, "Closed"), (409, "Sold out"), (404, "No such order")],
    access={"class": "S"},
    security=[{"session": []}],
)
FILE = Operation(
    method="GET",
    template="/api/price-list.csv",
    tag="orders",
    docstring="Give the list.\n\nIt is\nmade anew each day.",
    answers={200: "-"},
    row={"cached": True, "answers": {"200": {"media": ["text/csv"], "headers": {"X-Day": "Of when it is"}}}},
)


def _document() -> dict[str, Any]:
    service = Service("Shop", "1.0", "A shop.", "shop/error", {"orders": "What was ordered"})
    shown = {"shop/order": {"a_small_one": {"by": "Ada"}}}
    return openapi_document(service, [ORDER, FILE], SCHEMAS.__getitem__, lambda name: shown.get(name, {}))


def test_references_between_files_become_references_inside_the_document() -> None:
    schemas = _document()["components"]["schemas"]

    assert schemas["shop.order"]["properties"]["by"]["$ref"] == "#/components/schemas/shop.common.Person"
    to = schemas["shop.requests.order"]["properties"]["to"]
    assert to["$ref"] == "#/components/schemas/shop.common.Person"
    assert schemas["shop.common.Person"]["$ref"] == "#/components/schemas/shop.common.Name"


def test_only_what_an_operation_leads_to_is_in_the_document() -> None:
    assert set(_document()["components"]["schemas"]) == {
        "shop.common.Name",
        "shop.common.Person",
        "shop.error",
        "shop.order",
        "shop.requests.order",
    }


def test_a_schema_that_is_named_twice_is_embedded_once() -> None:
    assert list(components(["shop/common", "shop/common"], SCHEMAS.__getitem__)) == [
        "shop.common.Name",
        "shop.common.Person",
    ]


def test_an_operation_is_named_summed_up_and_says_who_may_call_it() -> None:
    operation = _document()["paths"]["/api/orders/{order_id}"]["post"]

    assert operation["operationId"] == "post_orders_order_id"
    assert operation["summary"] == "Save an order"
    assert operation["x-access"] == {"class": "S"}
    assert operation["security"] == [{"session": []}]
    assert [(one["in"], one["name"]) for one in operation["parameters"]] == [
        ("path", "order_id"),
        ("query", "dry"),
    ]


def test_refusals_of_one_status_are_its_examples_in_their_order() -> None:
    responses = _document()["paths"]["/api/orders/{order_id}"]["post"]["responses"]

    assert sorted(responses) == ["200", "404", "409", "503"]
    shown = responses["404"]["content"]["application/json"]["examples"]
    assert [example["value"] for example in shown.values()] == [
        {"error": "Not found"},
        {"error": "No such order"},
    ]
    assert "Retry-After" in responses["503"]["headers"]
    assert "Retry-After" not in responses["409"]["headers"]


def test_an_example_of_the_schema_stands_with_its_answer() -> None:
    answer = _document()["paths"]["/api/orders/{order_id}"]["post"]["responses"]["200"]

    assert answer["content"]["application/json"]["examples"] == {
        "a_small_one": {"summary": "a small one", "value": {"by": "Ada"}}
    }


def test_an_answer_that_is_no_document_has_a_type_and_headers_of_its_own() -> None:
    operation = _document()["paths"]["/api/price-list.csv"]["get"]

    assert operation["operationId"] == "get_price_list_csv"
    assert operation["description"] == "It is made anew each day."
    assert operation["responses"]["200"]["content"] == {"text/csv": {}}
    assert {"ETag", "X-Day"} <= set(operation["responses"]["200"]["headers"])
    assert "content" not in operation["responses"]["304"]


def test_a_path_is_written_without_the_converters_of_its_names() -> None:
    assert path_template("/api/orders/{order_id:id}/x/{n:int(2)}") == "/api/orders/{order_id}/x/{n}"


def test_an_answer_of_several_operations_stands_once_in_the_document() -> None:
    service = Service("Shop", "1.0", "A shop.", "shop/error", {})
    twins = [replace(FILE, template=path, refusals=[(404, "No such list")]) for path in ("/api/a", "/api/b")]
    document = openapi_document(service, twins, SCHEMAS.__getitem__, lambda _name: {})

    for path in ("/api/a", "/api/b"):
        answer = document["paths"][path]["get"]["responses"]["404"]
        assert answer == {"$ref": "#/components/responses/404-no-such-list"}
    assert "X-Request-Id" in document["components"]["responses"]["404-no-such-list"]["headers"]
    assert "200-answer" in document["components"]["responses"]
