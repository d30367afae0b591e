"""An operation names its refusals; what they say stands on the classes."""

import sys
from types import ModuleType

import pytest
from seqfacility_wire.errors import ServiceError, TooManyRequests
from seqfacility_wire.openapi.refusals import named_refusals


class SoldOut(ServiceError):
    status = 409
    message = "Sold out since {day}"


@pytest.fixture(autouse=True)
def shop(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("shop.orders.errors")
    module.SoldOut = SoldOut  # type: ignore[attr-defined]  # a module made here
    monkeypatch.setitem(sys.modules, module.__name__, module)


def test_status_and_words_are_those_of_the_class_in_the_slice_or_where_its_name_says() -> None:
    stated = [(409, "Sold out since {day}")]

    assert named_refusals(["SoldOut"], "shop", "orders") == stated
    assert named_refusals(["orders.SoldOut"], "shop", "prices") == stated
    assert named_refusals(["wire.TooManyRequests"], "shop", "orders") == [(429, TooManyRequests.message)]


def test_the_gaps_of_a_message_may_be_filled() -> None:
    assert named_refusals([("SoldOut", {"day": "Monday"})], "shop", "orders") == [
        (409, "Sold out since Monday")
    ]


def test_a_refusal_that_no_class_states_cannot_be_named() -> None:
    with pytest.raises(AttributeError, match="NeverSold"):
        named_refusals(["NeverSold"], "shop", "orders")
    with pytest.raises(ModuleNotFoundError, match="shop"):
        named_refusals(["SoldOut"], "shop", "prices")
