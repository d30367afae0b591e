"""What every merge of catalogs keeps."""

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st
from seqfacility_instance.catalog.document import Catalog
from seqfacility_instance.catalog.rules import changes, is_update, merged, shown
from seqfacility_instance.core.vocabulary.catalog import CatalogCollection

IDS = st.sampled_from(["a", "b", "c", "d"])
BARCODING = st.dictionaries(
    st.sampled_from(["barcodeSetId", "compatibleBarcodeKits"]),
    st.one_of(st.just("set"), st.lists(st.text(max_size=2), max_size=3)),
)
ITEMS = st.fixed_dictionaries(
    {"id": IDS},
    optional={
        "name": st.text(max_size=3),
        "available": st.booleans(),
        "comingSoon": st.booleans(),
        "localOverrides": st.booleans(),
        "order": st.one_of(st.integers(-2, 2), st.none(), st.text(max_size=1)),
        "kitKind": st.just("sequencing"),
        "barcoding": BARCODING,
    },
)
CATALOGS = st.builds(
    lambda version, lists: Catalog.read({"version": version, **lists}),
    st.integers(0, 3),
    st.fixed_dictionaries({}, optional={one.value: st.lists(ITEMS, max_size=5) for one in CatalogCollection}),
)


def by_id(catalog: Catalog) -> dict[tuple[str, str], Any]:
    return {
        (collection.value, item_id): item
        for collection in CatalogCollection
        for item_id, item in catalog.by_id(collection).items()
    }


@given(CATALOGS, CATALOGS)
def test_a_merge_deletes_nothing_and_brings_everything(local: Catalog, remote: Catalog) -> None:
    assert by_id(merged(local, remote)).keys() == by_id(local).keys() | by_id(remote).keys()


@given(CATALOGS, CATALOGS)
def test_a_second_merge_changes_nothing(local: Catalog, remote: Catalog) -> None:
    assume(remote.version >= local.version)
    once = merged(local, remote)

    assert merged(once, remote) == once


@given(CATALOGS, CATALOGS)
def test_an_older_catalog_changes_nothing_but_missing_barcoding(local: Catalog, remote: Catalog) -> None:
    assume(remote.version < local.version)
    before, after = by_id(local), by_id(merged(local, remote))
    barcoding = {"kitKind", "basecallerKitName", "barcoding"}

    for key, item in before.items():
        assert {name for name in after[key] if after[key][name] != item.get(name)} <= barcoding


@given(CATALOGS, CATALOGS)
def test_after_a_merge_there_is_no_update_left(local: Catalog, remote: Catalog) -> None:
    assert not is_update(merged(local, remote), remote)


@given(CATALOGS, CATALOGS)
def test_local_overrides_win_field_by_field(local: Catalog, remote: Catalog) -> None:
    result = by_id(merged(local, remote))

    for key, item in by_id(local).items():
        if item.get("localOverrides") is True:
            assert result[key].items() >= item.items()


@given(CATALOGS, CATALOGS)
def test_what_is_available_stays_a_local_decision(local: Catalog, remote: Catalog) -> None:
    result = by_id(merged(local, remote))

    for key, item in by_id(local).items():
        if "available" in item:
            assert result[key]["available"] == item["available"]


@given(CATALOGS, CATALOGS, st.randoms())
def test_the_order_of_remote_items_does_not_matter(local: Catalog, remote: Catalog, random: Any) -> None:
    mixed = {
        one.value: random.sample(list(remote.items(one)), len(remote.items(one))) for one in CatalogCollection
    }

    again = merged(local, Catalog.read({"version": remote.version, **mixed}))

    assert by_id(again) == by_id(merged(local, remote))


@given(CATALOGS, CATALOGS)
def test_the_announced_changes_are_what_a_merge_does(local: Catalog, remote: Catalog) -> None:
    before, after = by_id(local), by_id(merged(local, remote))
    announced = changes(local, remote)

    for collection in CatalogCollection:
        ids = {item_id for name, item_id in after if name == collection.value}
        added = {item_id for item_id in ids if (collection.value, item_id) not in before}
        changed = {
            item_id
            for item_id in ids - added
            if before[collection.value, item_id] != after[collection.value, item_id]
        }
        assert set(announced[collection].added) == added
        assert set(announced[collection].changed) == changed


@given(CATALOGS)
def test_nothing_is_shown_that_is_not_available(catalog: Catalog) -> None:
    read = shown(catalog)

    for name in ("technologies", "devices", "flowCells", "kits", "software"):
        assert all(item["available"] is True for item in read[name])
    for name in ("technologies", "devices"):
        assert not any(item.get("comingSoon") for item in read[name])
