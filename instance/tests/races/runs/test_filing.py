"""Filing the reads of one run many times at once."""

import gzip
import threading

import pytest
from falcon.testing import Result
from seqfacility_instance.pipelines import rules
from seqfacility_instance.tables.sequencing import Read
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import CONVERTER
from seqfacility_testkit.pipeline_runs import RUNS, new_run, start, tick, use_scripted_executor
from seqfacility_testkit.sequencing import submitted_order
from seqfacility_testkit.sequencing_runs import RUN_ID, install_converter, planned_run

AT_ONCE = 8


def test_many_filings_make_one_read_a_sample(facility: Facility, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "RELEASE", "0.2.0")
    install_converter(facility)
    scripted, order = use_scripted_executor(facility), submitted_order(facility, samples=2)
    run_id = new_run(facility, order, CONVERTER, sequencingRunId=planned_run(facility, order).id)
    folder = start(facility, run_id)
    (folder.output / RUN_ID).mkdir(parents=True)
    for code in order.sample_codes:
        (folder.output / RUN_ID / f"{code}_S1_R1_001.fastq.gz").write_bytes(gzip.compress(b""))
    scripted.finish(folder, 0)
    tick(facility)
    barrier, answers = threading.Barrier(AT_ONCE), list[Result]()

    def file() -> None:
        barrier.wait()
        try:
            answers.append(facility.admin.post(f"{RUNS}/{run_id}/sequenced-reads"))
        finally:
            facility.services.database.close()

    threads = [threading.Thread(target=file) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(answers) == AT_ONCE
    assert sum(answer.json["filed"] for answer in answers if answer.status_code == 200) == 2
    assert {answer.json["error"] for answer in answers if answer.status_code != 200} == {
        "No reads of this run are left to be filed"
    }
    assert Read.select().where(Read.is_active).count() == Read.select().count() == 2
    for one in facility.admin.get(f"{RUNS}/{run_id}/sequenced-reads").json["samples"]:
        assert (facility.data / one["currentRead"]["file1"]).is_file()
