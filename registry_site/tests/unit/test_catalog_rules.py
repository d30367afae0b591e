"""A catalog whose ids lead nowhere, or that contradicts itself, is not published."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seqfacility_registry.catalog.facts import contradictions
from seqfacility_registry.catalog.publishing_checks import check, check_images, check_sources
from seqfacility_schemas.catalog_rules import reference_findings

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
    source = {"code": "A", "title": "A", "where": "", "date": "2031", "licence": "CC0", "url": None}
    items = {"software": {"minknow": ["B"]}, "kits": {"sqk-lsk114": ["A"]}}
    sources = {"sources": [source], "items": items}
    problems = check_sources(_catalog(lambda _: None), sources)

    assert "software.minknow: unknown source B" in problems
    assert "software.dorado: no source" in problems
    assert "sources.A: where is missing" in problems
    assert "kits.sqk-lsk114: nobody can look up where its sku is from" in problems


CONTRADICTIONS: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (
        lambda it: it["flowCells"][0].update(maxOutput="1.5 Gb"),
        "flowCells.iseq-i1-v2: 1.5 Gb, but its reads make 1.2 Gb",
    ),
    (
        lambda it: it["devices"][0]["specs"][1].update(value="up to 1.5"),
        "devices.iseq-100: 1.5 Gb is more than its flow cells give",
    ),
    (
        lambda it: it["kits"].append({**it["kits"][0], "id": "nobodys"}),
        "kits.nobodys: belongs to no device",
    ),
    (
        lambda it: it["devices"][0].update(compatibleKits=[]),
        "devices.iseq-100.compatibleKits: is empty, so nothing can be ordered for it",
    ),
    (
        lambda it: it["kits"][0].update(sku="SQK-LSK114, SQK-LSK110"),
        "kits.sqk-lsk114: sku is not one catalogue number",
    ),
    (lambda it: it["kits"][0].pop("sku"), "kits.sqk-lsk114: has neither sku nor skuNote"),
]


def test_the_shipped_catalog_agrees_with_itself() -> None:
    assert contradictions(_catalog(lambda _: None)) == []


@pytest.mark.parametrize(("change", "said"), CONTRADICTIONS, ids=[said for _, said in CONTRADICTIONS])
def test_what_would_mislead_an_order_is_found(change: Callable[[dict[str, Any]], object], said: str) -> None:
    assert said in contradictions(_catalog(change))


def test_reads_and_yield_may_differ_by_fifteen_percent() -> None:
    def outputs(gigabases: str) -> list[str]:
        return contradictions(_catalog(lambda it: it["flowCells"][0].update(maxOutput=f"{gigabases} Gb")))

    assert outputs("1.38") == []
    assert len(outputs("1.39")) == 1


def test_a_set_of_barcodes_may_be_without_a_scheme() -> None:
    catalog = _catalog(lambda it: it["barcodeSets"][0].pop("schemeId"))

    assert list(reference_findings(catalog)) == []
