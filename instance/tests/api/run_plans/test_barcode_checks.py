"""Checks of barcodes before they are saved, and saves over what somebody else changed, over HTTP."""

from typing import Any

from falcon.testing import Result
from seqfacility_instance.catalog.shipped import shipped_catalog
from seqfacility_instance.tables.sequencing import SequencingRunSample
from seqfacility_instance.tables.site import SequencingTechCatalog
from seqfacility_testkit.facility import ADMIN, Facility
from seqfacility_testkit.sequencing import OrderInHand, draft_order

NEAR = ("ACGTACGT", "ACGTACGA")
FAR = "TTGCTTGC"


def runs_of(order: OrderInHand) -> str:
    return f"/api/orders/{order.id}/sequencing/runs"


def make_run(facility: Facility, order: OrderInHand, **more: object) -> dict[str, Any]:
    run: dict[str, Any] = facility.admin.post(runs_of(order), {"runId": "RUN_7", **more}).json["run"]
    return run


def check(facility: Facility, order: OrderInHand, *rows: dict[str, object], **more: object) -> Any:
    answer = facility.admin.post(f"{runs_of(order)}/check", {"rows": list(rows), **more})
    assert answer.status_code == 200, answer.text
    return answer.json


def row(sample_id: str, barcode: str | None, run_id: str = "RUN_7") -> dict[str, object]:
    return {"runId": run_id, "sampleId": sample_id, "barcode": barcode}


def test_barcodes_of_a_run_that_does_not_exist_yet_are_compared_and_nothing_is_stored(
    facility: Facility,
) -> None:
    order = draft_order(facility, samples=2)

    told = check(facility, order, *(row(one, code) for one, code in zip(order.sample_ids, NEAR, strict=True)))

    assert (told["errors"], told["warnings"], told["pairCount"]) == (0, 1, 1)
    pair = told["pairs"][0]
    assert pair["distances"] == [1]
    assert [one["row"] for one in pair["samples"]] == [0, 1]
    assert [one["sample"] for one in pair["samples"]] == ["soil 0", "soil 1"]
    assert [one["indexes"] for one in pair["samples"]] == [[code] for code in NEAR]
    assert facility.admin.get(runs_of(order)).json["runs"] == []


def test_stored_places_of_other_samples_count_unless_all_are_replaced(facility: Facility) -> None:
    order = draft_order(facility, samples=3)
    run = make_run(facility, order)
    stored = [{"sampleId": order.sample_ids[0], "barcode": NEAR[0]}]
    facility.admin.post(f"{runs_of(order)}/{run['id']}/samples", {"assignments": stored})

    beside = check(facility, order, row(order.sample_codes[1], NEAR[1]))
    replaced = check(facility, order, row(order.sample_codes[1], NEAR[1]), replace=True)
    moved = check(facility, order, row(order.sample_ids[0], FAR), row(order.sample_ids[1], NEAR[1]))
    kept = check(facility, order, row(order.sample_ids[0], None), row(order.sample_ids[1], NEAR[1]))

    assert [one["row"] for one in beside["pairs"][0]["samples"]] == [0, None]
    assert replaced["pairs"] == moved["pairs"] == []
    assert [one["row"] for one in kept["pairs"][0]["samples"]] == [0, 1]


def test_the_instrument_and_the_kit_of_a_stored_run_are_looked_at(facility: Facility) -> None:
    catalog = shipped_catalog()
    assert catalog is not None
    SequencingTechCatalog.create(document=catalog.document())
    order = draft_order(facility, samples=2)
    make_run(facility, order, instrument="NextSeq 550", runParameters={"kit": "SQK-NBD114-24"})

    dark = check(facility, order, row(order.sample_ids[0], "GTAC"), row(order.sample_ids[1], "GACT"))
    named = check(facility, order, row(order.sample_ids[0], "BC1"), row(order.sample_ids[1], "BC25"))

    assert [one["cycles"] for one in dark["darkCycles"]] == [[1]]
    assert named["withoutSequence"] == ["barcode01", "barcode25"]
    assert [(one["row"], one["message"]) for one in named["problems"]] == [
        (1, "barcode25 is not in NB01-NB24")
    ]
    sets = facility.admin.get("/api/sequencing/barcode-sets").json["sets"]
    native = next(one for one in sets if "SQK-NBD114-24" in one["kits"])
    assert native["barcodes"][1] == {"name": "NB02", "barcode": "barcode02", "sequence": None}


def test_an_answer_holds_the_worst_pairs_and_counts_them_all(facility: Facility) -> None:
    order = draft_order(facility, samples=22)
    rows = [row(one, NEAR[0]) for one in order.sample_ids[:2]]
    rows += [row(one, NEAR[1] + "A" * place) for place, one in enumerate(order.sample_ids[2:])]

    told = check(facility, order, *rows)

    assert (told["pairCount"], len(told["pairs"])) == (22 * 21 // 2, 200)
    assert told["pairs"][0]["level"] == "error"


def test_a_name_that_leads_to_no_sample_gets_the_nearest_ones(facility: Facility) -> None:
    order = draft_order(facility, samples=12)

    told = check(facility, order, row("Soil-11", "BC1"), row("soil 3", "BC2"), row("gravel", "BC3"))

    nearest = {one["sample"]: one["nearest"] for one in told["unknownSamples"]}
    assert nearest["Soil-11"][0] == "soil 11"
    assert len(nearest["Soil-11"]) == 3
    assert nearest["gravel"] == []
    assert set(nearest) == {"Soil-11", "gravel"}


def test_a_sample_sheet_is_shown_with_what_the_instrument_would_refuse(facility: Facility) -> None:
    order = draft_order(facility)
    one = f"{runs_of(order)}/{make_run(facility, order)['id']}/sample-sheet"

    shown = facility.admin.get(f"{one}/preview", params={"format": "minknow"}).json
    refusal = facility.admin.get(one, params={"format": "minknow"}).json

    assert shown["problems"] == refusal["details"] == ["assignments: at least one sample is required"]
    assert shown["text"].strip() == ""
    assert facility.admin.get(f"{one}/preview", params={"format": "x"}).status_code == 400


def refused(answer: Result) -> tuple[int, str]:
    return answer.status_code, answer.json["error"]


def test_a_save_over_what_somebody_else_changed_says_who_and_when_and_saves_nothing(
    facility: Facility,
) -> None:
    order = draft_order(facility)
    run = make_run(facility, order)
    one = f"{runs_of(order)}/{run['id']}"
    assert run["savedBy"]["email"] == ADMIN
    saved = facility.admin.patch(one, {"notes": "mine", "baseUpdatedAt": run["updatedAt"]}).json["run"]
    places = {"assignments": [{"sampleId": order.sample_ids[0], "barcode": "BC1"}]}

    patched = facility.admin.patch(one, {"notes": "x", "baseUpdatedAt": run["updatedAt"]})
    placed = facility.admin.post(f"{one}/samples", {**places, "baseUpdatedAt": run["updatedAt"]})

    stale = (409, "This record was changed by somebody else")
    person = saved["savedBy"]
    told = f"baseUpdatedAt: was changed at {saved['updatedAt']} by {person['firstName']} {person['lastName']}"
    assert refused(patched) == refused(placed) == stale
    assert patched.json["details"] == placed.json["details"] == [told]
    assert SequencingRunSample.select().count() == 0
    taken = facility.admin.post(f"{one}/samples", {**places, "baseUpdatedAt": saved["updatedAt"]})
    assert taken.status_code == 200
    assert taken.json["updatedAt"] > saved["updatedAt"]
    assert facility.admin.get(f"{one}/samples").json == taken.json
