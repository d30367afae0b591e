"""Where an item comes from, and what of an item a sync changes or leaves."""

import pytest
from seqfacility_instance.catalog.comparison import item_changes, origin_of
from seqfacility_instance.catalog.document import Catalog
from seqfacility_instance.core.vocabulary.catalog import ItemOrigin

OFFERED = {"id": "kit", "name": "Kit", "available": True}


@pytest.mark.parametrize(
    ("item", "offered", "origin"),
    [
        (OFFERED, None, ItemOrigin.OWN),
        (OFFERED, OFFERED, ItemOrigin.REGISTRY),
        ({**OFFERED, "available": False}, OFFERED, ItemOrigin.REGISTRY),
        ({**OFFERED, "localOverrides": False}, OFFERED, ItemOrigin.REGISTRY),
        ({**OFFERED, "localOverrides": True}, OFFERED, ItemOrigin.CHANGED),
        ({**OFFERED, "name": "Our kit"}, OFFERED, ItemOrigin.CHANGED),
        ({"id": "kit", "available": True}, OFFERED, ItemOrigin.CHANGED),
        ({**OFFERED, "note": "ours"}, OFFERED, ItemOrigin.CHANGED),
    ],
)
def test_an_item_is_the_registrys_until_something_of_it_was_decided_here(
    item: dict[str, object], offered: dict[str, object] | None, origin: ItemOrigin
) -> None:
    assert origin_of(item, offered) is origin


def test_an_older_catalog_changes_nothing_but_what_is_missing() -> None:
    here = Catalog.read({"version": 2, "kits": [{"id": "kit", "sku": "B"}]})
    there = Catalog.read({"version": 1, "kits": [{"id": "kit", "sku": "A", "kitKind": "pcr"}, {"id": "old"}]})

    told = [
        (one.item_id, [(part.key, part.after) for part in one.fields]) for one in item_changes(here, there)
    ]

    assert told == [("kit", [("kitKind", "pcr")]), ("old", [])]


def test_an_item_without_a_name_is_named_by_its_id() -> None:
    there = Catalog.read({"kits": [{"id": "kit", "name": ""}]})

    assert [one.name for one in item_changes(Catalog.empty(), there)] == ["kit"]
