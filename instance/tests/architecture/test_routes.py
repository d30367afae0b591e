"""Every route is in the contract table, and the table names no route that is gone."""

import re

from seqfacility_instance.routes import routes
from seqfacility_schemas import routes as contract_table
from seqfacility_schemas import schema_names
from seqfacility_testkit.facility import Facility

CONVERTER = re.compile(r":[a-z]+(\([^)]*\))?}")


def _template(path: str) -> str:
    return CONVERTER.sub("}", path)


def _methods(facility: Facility) -> set[tuple[str, str]]:
    listed = routes(facility.services)
    return {(method, _template(route.path)) for route in listed for method in route.access}


def test_every_route_has_a_schema_for_its_success(facility: Facility) -> None:
    promised = {(method, path) for method, path, status in contract_table("instance") if status < 400}

    assert _methods(facility) - promised == set()


def test_the_contract_table_names_only_routes_that_exist(facility: Facility) -> None:
    assert {(method, path) for method, path, _status in contract_table("instance")} - _methods(
        facility
    ) == set()


def test_every_schema_in_the_contract_table_exists() -> None:
    assert set(contract_table("instance").values()) - {"-"} - set(schema_names()) == set()
