"""Whatever is asked of live ingest and run plans: no failure, no change, nothing outside the root is read."""

from pathlib import Path
from typing import Any

import pyinotify
from seqfacility_instance.tables.all_tables import ALL_TABLES
from seqfacility_instance.tables.people import Session
from seqfacility_testkit import hostile_workbooks
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.hostile_ground import Ground, prepare
from seqfacility_testkit.hostile_streams import HOSTILE, Hostile
from seqfacility_testkit.soak import record
from seqfacility_testkit.stream_monitors import Witness

READ = pyinotify.IN_OPEN | pyinotify.IN_ACCESS


def ask(facility: Facility, ground: Ground, case: Hostile) -> tuple[int, str]:
    """Send a request; return status and text."""
    client: Client = getattr(facility, case.caller)
    options = {name: ground.fill(value) for name, value in case.options.items()}
    answer = client.request(case.method, ground.fill(case.path), **options)
    return answer.status_code, answer.text


def everything(facility: Facility) -> dict[str, Any]:
    """Return all rows and the names and sizes of all files; that somebody was there is noted in sessions."""
    rows: dict[str, Any] = {
        table.__name__: sorted(map(repr, table.select().tuples()))
        for table in ALL_TABLES
        if table is not Session
    }
    files = {
        str(path): path.lstat().st_size
        for path in sorted(facility.home.rglob("*"))
        if not path.name.startswith("seqfacility.db")
    }
    return {**rows, "files": files}


def test_two_hundred_hostile_requests_and_workbooks_and_more_are_known() -> None:
    assert len(HOSTILE) + len(hostile_workbooks.HOSTILE) >= 200


def test_no_hostile_request_fails_changes_anything_or_reads_outside_the_root(facility: Facility) -> None:
    ground = prepare(facility)
    before = everything(facility)
    witness = Witness(ground.outside, READ)

    answers = {name: ask(facility, ground, case) for name, case in HOSTILE.items()}
    # On PostgreSQL the last request gave its connection back.
    facility.services.database.connect(reuse_if_open=True)
    ground.stream.look(3)
    heard = witness.heard()
    witness.close()

    wrong = {name: found for name, found in answers.items() if found[0] not in HOSTILE[name].statuses}
    assert wrong == {}
    assert heard == []
    assert not [name for name, (_, text) in answers.items() if "Traceback" in text or "secret" in text]
    after = everything(facility)
    assert {part for part, found in after.items() if found != before[part]} <= {
        "StreamRun",
        "AuditEvent",
    }  # what it saw, and who was refused
    record(
        "No request of live ingest or run plans fails, changes anything, or reads outside the output root",
        tried=f"{len(HOSTILE)} hostile requests beside {len(hostile_workbooks.HOSTILE)} hostile workbooks",
        found="each refused in the documented way, no row changed, no file outside opened",
    )


def test_the_witness_hears_of_a_file_that_is_read(facility: Facility) -> None:
    ground = prepare(facility)
    secret = ground.outside / "fastq_pass" / "barcode01" / "secret.fastq"
    witness = Witness(ground.outside, READ)

    Path(secret).read_bytes()

    assert str(secret) in {path for path, _mask in witness.heard()}
    witness.close()
