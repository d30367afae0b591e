"""How deep a JSON body may be nested, and how many values it may hold."""

import pytest
from falcon import Request
from falcon.testing import create_req
from seqfacility_wire.errors import InvalidJson
from seqfacility_wire.requests import (
    JSON_BYTES_PER_VALUE,
    JSON_LIMIT_BYTES,
    JSON_MAX_LEVELS,
    read_json_object,
)


def sent(body: str) -> Request:
    return create_req(method="POST", body=body)


def nested(levels: int, opening: str, closing: str) -> str:
    return '{"a": ' + opening * (levels - 1) + closing * (levels - 1) + "}"


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":[', "]}")])
def test_a_body_may_have_as_many_levels_as_anybody_needs(opening: str, closing: str) -> None:
    steps = 1 if opening == "[" else 2

    read_json_object(sent(nested(JSON_MAX_LEVELS // steps, opening, closing)))
    with pytest.raises(InvalidJson):
        read_json_object(sent(nested(JSON_MAX_LEVELS + 2, opening, closing)))


def test_sixty_four_levels_are_read_and_sixty_five_are_not() -> None:
    read_json_object(sent(nested(64, "[", "]")))

    with pytest.raises(InvalidJson):
        read_json_object(sent(nested(65, "[", "]")))


def test_brackets_in_a_text_are_no_levels() -> None:
    text = "[" * 5000

    assert read_json_object(sent(f'{{"a": "{text}"}}')) == {"a": text}


@pytest.mark.parametrize("limit_bytes", [8 * 1024, JSON_LIMIT_BYTES])
def test_a_body_holds_a_value_for_every_ten_bytes_of_its_limit(limit_bytes: int) -> None:
    most = limit_bytes // JSON_BYTES_PER_VALUE
    # Two brackets, and a comma between each two values.
    at_the_limit = '{"a":[' + ",".join(["1"] * (most - 1)) + "]}"

    assert len(str(read_json_object(sent(at_the_limit), limit_bytes)["a"]).split(",")) == most - 1
    with pytest.raises(InvalidJson):
        read_json_object(sent(at_the_limit.replace("]", ",1]")), limit_bytes)
