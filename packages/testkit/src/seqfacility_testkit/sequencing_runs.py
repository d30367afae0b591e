"""A planned sequencing run with the folder of its instrument, and a pipeline that takes it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seqfacility_pipeline_package.documents import canonical_json

from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import CONVERTER, converter
from seqfacility_testkit.sequencing import OrderInHand

RUN_ID = "260302_A01558_0233_BHW7JKDSXC"
BARCODES = ("GAACTGAGCG+TCGTGGAGCG", "AGGTCAGATA+CTACAAGATA", "CGTCTCATAT+TATAGTAGCT")


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A sequencing run of an order and its folder."""

    id: str
    folder: Path


def install_converter(facility: Facility) -> None:
    """Install the pipeline that makes reads of a sequencing run, and enable it."""
    facility.services.runs.pipeline_installation.install_file(canonical_json(converter()))
    answer = facility.admin.put(f"/api/admin/pipelines/{CONVERTER}", {"enabled": True})
    assert answer.status_code == 200, answer.text


def instrument_folder(root: Path, name: str = RUN_ID) -> Path:
    """Make the folder of a run as an Illumina instrument leaves it, without its base calls."""
    folder = root / name
    (folder / "Data/Intensities/BaseCalls").mkdir(parents=True)
    (folder / "RunInfo.xml").write_text("<RunInfo/>", "utf-8")
    for sign in ("RTAComplete.txt", "CopyComplete.txt"):
        (folder / sign).write_text("done", "utf-8")
    return folder


def planned_run(
    facility: Facility, order: OrderInHand, run_id: str = RUN_ID, folder: Path | None = None, **more: object
) -> PlannedRun:
    """Plan a run of all samples of an order; its folder lies below the sequencer output root."""
    root = facility.services.facility.stream_ingest().output_root
    assert root is not None
    Path(root).mkdir(exist_ok=True)
    folder = folder or instrument_folder(Path(root), run_id)
    parameters = {"Read1Cycles": 151, "Read2Cycles": 151}
    sent = {"runId": run_id, "folderPath": str(folder), "runParameters": parameters, **more}
    runs = f"/api/orders/{order.id}/sequencing/runs"
    made = facility.admin.post(runs, sent)
    assert made.status_code == 201, made.text
    key: str = made.json["run"]["id"]
    places: list[dict[str, Any]] = [
        {"sampleId": sample_id, "barcode": barcode}
        for sample_id, barcode in zip(order.sample_ids, BARCODES, strict=False)
    ]
    placed = facility.admin.post(f"{runs}/{key}/samples", {"assignments": places})
    assert placed.status_code == 200, placed.text
    return PlannedRun(key, folder)
