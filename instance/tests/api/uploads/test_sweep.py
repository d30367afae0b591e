"""What the sweep makes good when a process ended right after it had closed a session."""

import errno
import os
from datetime import timedelta

import pytest
from seqfacility_instance.site.identity import MARKER
from seqfacility_instance.uploads import store
from seqfacility_instance.uploads.service.expiry import WALK_EVERY
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import FASTQ, OrderInHand, complete, initiate, send, submitted_order


class Crash(BaseException):
    """The process ends here."""


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility)


def files(facility: Facility) -> set[str]:
    return {path.name for path in facility.data.rglob("*") if path.is_file()} - {MARKER}


def crash(*_: object, **__: object) -> None:
    raise Crash


def test_the_final_name_of_a_session_that_was_cancelled_meanwhile_goes(
    facility: Facility, order: OrderInHand
) -> None:
    upload_id = initiate(facility, order, len(FASTQ))
    send(facility, order, upload_id, 0, FASTQ)
    upload = store.get_upload(upload_id)
    final = facility.data / f"orders/{order.id}/reads/{order.sample_codes[0]}/soil_R1.fastq"
    final.parent.mkdir(parents=True)
    os.link(facility.data / upload.temp_path, final)
    store.claim_cancelled(upload_id, facility.clock.now())

    facility.services.worker.tick(facility.clock.now())

    assert files(facility) == set()


def test_what_a_completion_leaves_beside_its_file_goes(
    facility: Facility, order: OrderInHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload_id = initiate(facility, order, len(FASTQ))
    send(facility, order, upload_id, 0, FASTQ)
    monkeypatch.setattr(os, "scandir", crash)
    with pytest.raises(Crash):
        complete(facility, order, upload_id)
    monkeypatch.undo()
    shown = facility.admin.get(f"{order.uploads}/{upload_id}").json
    (facility.data / shown["finalPath"]).with_name(f".{upload_id}.part").write_bytes(FASTQ)

    facility.services.worker.tick(facility.clock.now() + WALK_EVERY + timedelta(seconds=1))

    assert shown["status"] == "COMPLETED"
    assert files(facility) == {"soil_R1.fastq"}
    assert (facility.data / shown["finalPath"]).read_bytes() == FASTQ


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Let the disk remove nothing until it is undone."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "unlink", refuse)
    return monkeypatch


def test_a_completion_counts_when_the_disk_removes_nothing_and_the_sweep_makes_good(
    facility: Facility, order: OrderInHand, stuck: pytest.MonkeyPatch
) -> None:
    upload_id = initiate(facility, order, len(FASTQ))
    send(facility, order, upload_id, 0, FASTQ)

    answer = complete(facility, order, upload_id)
    stuck.undo()
    facility.services.worker.tick(facility.clock.now() + WALK_EVERY + timedelta(seconds=1))

    assert (answer.status_code, answer.json["status"]) == (200, "COMPLETED")
    assert files(facility) == {"soil_R1.fastq"}
    assert not (facility.data / f"orders/{order.id}/.tmp/{upload_id}").exists()


def test_abandoning_counts_when_the_disk_removes_nothing_and_the_sweep_makes_good(
    facility: Facility, order: OrderInHand, stuck: pytest.MonkeyPatch
) -> None:
    upload_id = initiate(facility, order, len(FASTQ))
    send(facility, order, upload_id, 0, FASTQ)

    answer = facility.admin.delete(f"{order.uploads}/{upload_id}")
    stuck.undo()
    facility.services.worker.tick(facility.clock.now() + WALK_EVERY + timedelta(seconds=1))

    assert (answer.status_code, answer.json["status"]) == (200, "CANCELLED")
    assert files(facility) == set()
