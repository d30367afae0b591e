"""Filing the reads of one run: asked for many times at once, by many workers at once."""

import gzip
import threading
from collections.abc import Callable

from falcon.testing import Result
from seqfacility_instance.results.service.filing import FILE_JOB
from seqfacility_instance.tables.connections import connection_held
from seqfacility_instance.tables.sequencing import Read
from seqfacility_instance.tables.site import BackgroundJob
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import CONVERTER
from seqfacility_testkit.pipeline_runs import RUNS, new_run, start, tick, use_scripted_executor
from seqfacility_testkit.sequencing import submitted_order
from seqfacility_testkit.sequencing_runs import RUN_ID, install_converter, planned_run

AT_ONCE = 8


def at_once(facility: Facility, work: Callable[[], object]) -> None:
    barrier = threading.Barrier(AT_ONCE)

    def one() -> None:
        barrier.wait()
        try:
            work()
        finally:
            facility.services.database.close()

    threads = [threading.Thread(target=one) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_many_filings_make_one_read_a_sample(facility: Facility) -> None:
    install_converter(facility)
    scripted, order = use_scripted_executor(facility), submitted_order(facility, samples=2)
    run_id = new_run(facility, order, CONVERTER, sequencingRunId=planned_run(facility, order).id)
    folder = start(facility, run_id)
    (folder.output / RUN_ID).mkdir(parents=True)
    for code in order.sample_codes:
        (folder.output / RUN_ID / f"{code}_S1_R1_001.fastq.gz").write_bytes(gzip.compress(b""))
    scripted.finish(folder, 0)
    tick(facility)
    answers = list[Result]()

    at_once(facility, lambda: answers.append(facility.admin.post(f"{RUNS}/{run_id}/sequenced-reads")))
    payloads = [job.payload for job in BackgroundJob.select().where(BackgroundJob.kind == FILE_JOB)]

    def file() -> None:
        with connection_held(facility.services.database):
            for payload in payloads:
                facility.services.runs.filing.file(payload)

    # A worker that lost its lease goes on beside the one that has it.
    at_once(facility, file)

    assert [answer.status_code for answer in answers] == [202] * AT_ONCE
    assert sum(answer.json["queued"] for answer in answers) == 2
    assert Read.select().where(Read.is_active).count() == Read.select().count() == 2
    for one in facility.admin.get(f"{RUNS}/{run_id}/sequenced-reads").json["samples"]:
        assert (facility.data / one["currentRead"]["file1"]).is_file()
