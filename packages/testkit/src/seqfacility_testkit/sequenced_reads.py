"""Reads that a run made of a sequencing run: left by a converter, listed and filed over the API."""

import gzip
import hashlib
from typing import Any

from seqfacility_instance.tables.sequencing import Read
from seqfacility_workflow_runtime.run_folder import RunFolder

from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import RUNS, status_of, tick
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing_runs import RUN_ID


def leave(folder: RunFolder, code: str, place: str) -> bytes:
    """Leave a file of reads as conversion software names it; return its bytes."""
    results = folder.output / RUN_ID
    results.mkdir(parents=True, exist_ok=True)
    content = gzip.compress(f"@{place}\nACGT\n+\nIIII\n".encode(), mtime=0)
    (results / f"{code}_S1_{place}_001.fastq.gz").write_bytes(content)
    return content


def finish(facility: Facility, scripted: ScriptedExecutor, begun: tuple[str, RunFolder]) -> None:
    run_id, folder = begun
    scripted.finish(folder, 0)
    tick(facility)
    assert status_of(facility, run_id) == "completed"


def md5(content: bytes) -> str:
    return hashlib.md5(content).hexdigest()  # noqa: S324


def stored(facility: Facility, path: str | None) -> bytes:
    assert path is not None
    return (facility.data / path).read_bytes()


def url(run_id: str) -> str:
    return f"{RUNS}/{run_id}/sequenced-reads"


def listed(facility: Facility, run_id: str) -> dict[str, dict[str, Any]]:
    answer = facility.admin.get(url(run_id))
    assert answer.status_code == 200, answer.text
    return {one["sampleCode"]: one for one in answer.json["samples"]}


def asked(facility: Facility, run_id: str, **body: object) -> tuple[int, Any]:
    answer = facility.admin.post(url(run_id), body)
    return answer.status_code, answer.json.get("error") or answer.json["queued"]


def work(facility: Facility) -> None:
    facility.services.worker.tick(facility.clock.now())


def file(facility: Facility, run_id: str, **body: object) -> list[str]:
    """Ask for filing and have it done; return the ids of the new reads."""
    before = {read.id for read in Read.select(Read.id)}
    answer = facility.admin.post(url(run_id), body)
    assert answer.status_code == 202, answer.text
    work(facility)
    return [read.id for read in Read.select(Read.id).order_by(Read.id) if read.id not in before]


def spoiled(facility: Facility, run_id: str, code: str) -> str:
    """Ask for filing and have it refused; return in which words."""
    assert file(facility, run_id, sampleIds=[code]) == []
    shown = listed(facility, run_id)[code]
    assert (shown["state"], shown["readId"]) == ("failed", None)
    assert not list((facility.data / "orders").glob("*/reads/*/*"))
    error: str = shown["error"]
    return error
