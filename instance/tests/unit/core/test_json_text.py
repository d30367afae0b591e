"""JSON text is compact, canonical where asked, and always JSON."""

import pytest
from seqfacility_instance.core.json_text import canonical_json, compact_json


def test_compact_text_keeps_the_order_of_keys_and_the_letters() -> None:
    assert compact_json({"b": 1, "a": "µ"}) == '{"b":1,"a":"µ"}'


def test_equal_objects_have_equal_canonical_text() -> None:
    assert canonical_json({"b": {"d": 1, "c": 2}, "a": []}) == '{"a":[],"b":{"c":2,"d":1}}'


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_json_does_not_know_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        compact_json(value)
