"""What counts as an update of a catalog, and which addresses in it are followed."""

import pytest
from seqfacility_instance.catalog.document import Catalog
from seqfacility_instance.catalog.rules import is_http_url, is_update, selection_problem, with_absolute_assets
from seqfacility_instance.core.vocabulary.catalog import CatalogCollection


def catalog(collection: CatalogCollection, *items: dict[str, object], version: int = 1) -> Catalog:
    return Catalog.read({"version": version, collection.value: list(items)})


def kit(**fields: object) -> Catalog:
    return catalog(CatalogCollection.KITS, {"id": "kit", **fields})


def test_a_higher_version_or_another_item_is_an_update() -> None:
    assert is_update(kit(), catalog(CatalogCollection.KITS, {"id": "kit"}, version=2))
    assert is_update(kit(), catalog(CatalogCollection.KITS, {"id": "other"}))
    assert not is_update(kit(), Catalog.read({"version": 0}))


@pytest.mark.parametrize(
    ("local", "remote", "expected"),
    [
        ({}, {"barcoding": {"a": 1}}, True),
        ({"barcoding": None}, {"barcoding": {"a": 1}}, True),
        ({"barcoding": {"a": 1}}, {"barcoding": None}, False),
        ({"barcoding": {"a": 1}}, {"barcoding": {"a": 2}}, False),
        ({"barcoding": {"a": 1}}, {"barcoding": {"a": 1, "b": 1}}, True),
        (
            {"barcoding": {"compatibleBarcodeKits": ["x"]}},
            {"barcoding": {"compatibleBarcodeKits": ["x", "y"]}},
            True,
        ),
        ({"barcoding": {"compatibleBarcodeKits": "x"}}, {"barcoding": {"compatibleBarcodeKits": []}}, False),
        ({"barcoding": {}, "localOverrides": True}, {"barcoding": {"a": 1}}, False),
        ({"localOverrides": True}, {"barcoding": {"a": 1}}, True),
    ],
)
def test_a_kit_is_updated_when_it_would_learn_something_of_barcodes(
    local: dict[str, object], remote: dict[str, object], expected: bool
) -> None:
    assert is_update(kit(**local), kit(**remote)) is expected


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "ftp://registry.example/",
        "http://",
        "http://[::1",
        "http://registry.example:70000/",
        "http://registry.example:0/",
        "http://registry.example/a b",
        "http://registry.exämple/",
        "http://registry.example/" + "x" * 2048,
    ],
)
def test_what_is_no_address_of_the_web_is_not_synced_from(text: object) -> None:
    assert is_http_url("https://registry.example:8443/api")
    assert not is_http_url(text)


def test_pictures_get_the_address_of_their_registry_and_a_broken_one_stays_as_it_is() -> None:
    device = {"id": "d", "image": "/img/d.png"}
    broken = {"id": "e", "image": "http://[half"}
    plain = {"id": "f", "image": ""}

    found = with_absolute_assets(
        catalog(CatalogCollection.DEVICES, device, broken, plain), "https://registry.example/api/catalog"
    )

    assert list(found.items(CatalogCollection.DEVICES)) == [
        {"id": "d", "image": "https://registry.example/img/d.png"},
        broken,
        plain,
    ]


def test_an_order_selects_a_technology_of_the_catalog_where_there_are_any() -> None:
    technologies = catalog(CatalogCollection.TECHNOLOGIES, {"id": "t"})

    assert selection_problem(technologies, {"technologyId": "t"}) is None
    assert selection_problem(technologies, {}) is None
    assert selection_problem(technologies, {"technologyId": "u"}) == "technologyId is not in the catalog"
    assert selection_problem(Catalog.empty(), {"technologyId": "u"}) is None
