"""A real workflow that makes reads of a sequencing run, from the plan to the files of the order."""

import gzip

from seqfacility_instance.tables.sequencing import Read
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import CONVERTER
from seqfacility_testkit.pipeline_runs import RUNS, new_run, show, start, tick
from seqfacility_testkit.sequencing import submitted_order
from seqfacility_testkit.sequencing_runs import install_converter, planned_run
from seqfacility_testkit.waiting import wait_until


def test_a_plan_and_a_folder_become_the_reads_of_its_samples(facility: Facility) -> None:
    install_converter(facility)
    order = submitted_order(facility, samples=3)
    planned = planned_run(facility, order)
    run_id = new_run(facility, order, CONVERTER, sequencingRunId=planned.id)
    start(facility, run_id)

    def is_final() -> bool:
        tick(facility)
        return show(facility, run_id)["status"] in {"completed", "failed"}

    wait_until(is_final, "the run has ended")
    run = show(facility, run_id)
    assert run["status"] == "completed", run["failure"]
    assert Read.select().count() == 0
    asked = facility.admin.post(f"{RUNS}/{run_id}/sequenced-reads", {})
    facility.services.worker.tick(facility.clock.now())

    assert asked.json["queued"] == 3, asked.text
    for sample_id, code in zip(order.sample_ids, order.sample_codes, strict=True):
        read = Read.get((Read.sample == sample_id) & Read.is_active)
        assert read.sequencing_run_id == planned.id
        for path in (read.file1, read.file2):
            assert gzip.decompress((facility.data / str(path)).read_bytes()).startswith(f"@{code}\n".encode())
