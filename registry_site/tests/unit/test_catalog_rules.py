"""A catalog whose ids lead nowhere, or that contradicts itself, is not published."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seqfacility_registry.catalog.rules import check, check_images, check_sources

SHIPPED = Path(__file__).parents[2] / "content/catalog/sequencing-tech.json"


def _catalog(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    document: dict[str, Any] = copy.deepcopy(json.loads(SHIPPED.read_text("utf-8")))
    change(document)
    return document


DANGLING: list[tuple[str, Callable[[dict[str, Any]], object]]] = [
    ("platformId", lambda it: it["devices"][0].update(platformId="nowhere")),
    ("compatibleFlowCells", lambda it: it["devices"][0]["compatibleFlowCells"].append("nowhere")),
    ("compatibleKits", lambda it: it["devices"][0]["compatibleKits"].append("nowhere")),
    ("compatibleSoftware", lambda it: it["devices"][0]["compatibleSoftware"].append("nowhere")),
    ("barcodeSetId", lambda it: it["kits"][0].update(barcoding={"barcodeSetId": "nowhere"})),
    (
        "compatibleBarcodeKits",
        lambda it: it["kits"][0].update(barcoding={"compatibleBarcodeKits": ["nowhere"]}),
    ),
    ("schemeId", lambda it: it["barcodeSets"][0].update(schemeId="nowhere")),
]


@pytest.mark.parametrize(("key", "change"), DANGLING, ids=[key for key, _ in DANGLING])
def test_an_id_that_leads_nowhere_is_found(key: str, change: Callable[[dict[str, Any]], object]) -> None:
    (problem,) = check(_catalog(change))

    assert key in problem
    assert "nowhere" in problem


def test_two_items_with_one_id_are_found() -> None:
    catalog = _catalog(lambda it: it["software"].append(it["software"][0]))

    assert check(catalog) == ["software: id minknow stands twice"]


def test_an_item_is_not_available_while_it_is_coming() -> None:
    catalog = _catalog(lambda it: it["devices"][0].update(comingSoon=True))

    assert check(catalog) == ["devices.iseq-100: available and still coming"]


def test_a_kit_promises_no_more_barcodes_than_its_set_has() -> None:
    barcoding = {"barcodeSetId": "ont-nb-24", "maxBarcodesPerRun": 25}

    assert len(check(_catalog(lambda it: it["kits"][0].update(barcoding=barcoding)))) == 1


def test_a_wrong_shape_is_told_before_anything_else() -> None:
    (problem,) = check(_catalog(lambda it: it.update(version="3")))

    assert problem.startswith("version:")


def test_an_image_without_a_file_is_found() -> None:
    problems = check_images(_catalog(lambda _: None), [])

    assert "devices.iseq-100.image: no file for /images/catalog/device-iseq-100.svg" in problems


def test_an_item_without_a_source_is_found() -> None:
    sources = {"sources": [{"code": "A"}], "items": {"software": {"minknow": ["B"]}}}
    problems = check_sources(_catalog(lambda _: None), sources)

    assert "software.minknow: unknown source B" in problems
    assert "software.dorado: no source" in problems
