"""The service describes itself."""

import re

from seqfacility_instance.routes import routes
from seqfacility_testkit.facility import Facility


def _references(value: object) -> set[str]:
    if isinstance(value, dict):
        found = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return found.union(*(_references(entry) for entry in value.values()))
    if isinstance(value, list):
        return set().union(*(_references(entry) for entry in value))
    return set()


def test_every_route_and_method_is_described(facility: Facility) -> None:
    paths = facility.anonymous.get("/api/openapi.json").json["paths"]

    described = {(path, method) for path, methods in paths.items() for method in methods}
    expected = {
        (re.sub(r":id}", "}", route.path), method.lower())
        for route in routes(facility.services)
        for method in route.access
    }
    assert described == expected


def test_every_operation_has_a_name_of_its_own_and_a_sentence(facility: Facility) -> None:
    paths = facility.anonymous.get("/api/openapi.json").json["paths"]
    operations = [operation for methods in paths.values() for operation in methods.values()]

    names = [operation["operationId"] for operation in operations]
    assert len(names) == len(set(names))
    assert [operation["operationId"] for operation in operations if not operation["summary"]] == []
    assert [operation["summary"] for operation in operations if "Gap:" in operation["summary"]] == []


def test_every_reference_leads_to_a_component(facility: Facility) -> None:
    document = facility.anonymous.get("/api/openapi.json").json
    components = document["components"]["schemas"]

    for reference in _references(document):
        name, *steps = reference.removeprefix("#/components/schemas/").split("/")
        place = components[name]
        for step in steps:
            place = place[step]


def test_open_routes_ask_for_nothing_and_others_for_a_session(facility: Facility) -> None:
    paths = facility.anonymous.get("/api/openapi.json").json["paths"]

    assert paths["/api/version"]["get"]["security"] == []
    assert paths["/api/modules"]["get"]["security"] == [{"session": []}]
