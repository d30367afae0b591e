"""A backup that is made under load is restored elsewhere, compared, and served."""

import hashlib
import json
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from seqfacility_instance.backup.copying import facts_of_tables
from seqfacility_instance.backup.rows import TableFacts
from seqfacility_instance.tables.base import close_all_connections, open_database
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_uploads import LiveOrder, live_order
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.soak import record, rounds
from seqfacility_testkit.waiting import wait_until

ROUNDS = rounds(short=1, long=20)
BEGUN = b"b" * 5000


@dataclass
class Load:
    """Orders and whole uploads, one after the other, and what was confirmed of them."""

    order: LiveOrder
    stop: threading.Event = field(default_factory=threading.Event)
    order_ids: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    """MD5 of each completed upload by its final path."""

    @contextmanager
    def running(self) -> Iterator[None]:
        """Keep both busy until the end of the block."""
        self.stop.clear()
        threads = [threading.Thread(target=work) for work in (self.orders, self.uploads)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self.stop.set()
            for thread in threads:
                thread.join()

    def orders(self) -> None:
        for number in count():
            if self.stop.is_set():
                return
            answer = self.order.admin.post("/api/orders", json={"name": f"order {number}"})
            assert answer.status_code == 201, answer.text
            self.order_ids.append(answer.json()["order"]["id"])

    def uploads(self) -> None:
        client = self.order.admin.facility.sign_in()
        dice = random.Random(7)  # noqa: S311  # sizes and contents of test files
        for number in count():
            if self.stop.is_set():
                return
            content = dice.randbytes(dice.randrange(1, 200_000))
            path = f"{self.order.uploads}/{self.order.initiate(len(content), name=f'soil_{number}.fastq')}"
            sent = client.patch(path, data=content, headers={"x-service-offset": "0"})
            assert sent.status_code == 200, sent.text
            done = client.post(f"{path}/complete")
            assert done.status_code == 200, done.text
            digest = hashlib.md5(content, usedforsecurity=False).hexdigest()
            self.files[done.json()["finalPath"]] = digest


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    started = Processes(tmp_path / "restored-logs")
    yield started
    started.stop_all()


def test_a_backup_under_load_is_restored_with_all_that_was_confirmed(
    live: LiveFacility, processes: Processes, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    load = Load(live_order(live))
    half = load.order.initiate(2 * len(BEGUN), role="R2", name="half.fastq")
    path = f"{load.order.uploads}/{half}"
    assert load.order.admin.patch(path, data=BEGUN, headers={"x-service-offset": "0"}).status_code == 200
    confirmed = 0
    for number in range(ROUNDS):
        with load.running():
            wait_until(lambda: len(load.files) > 2 and len(load.order_ids) > 2, "there is something to keep")
            orders, files = set(load.order_ids), dict(load.files)
            finish(live.run("backup", str(tmp_path / f"kept{number}"), "--files", "link"))
        assert len(load.files) > len(files), "nothing was uploaded while the backup was made"
        elsewhere = LiveFacility(tmp_path / f"elsewhere{number}", processes)
        finish(elsewhere.run("restore", str(tmp_path / f"kept{number}")))
        confirmed += check(elsewhere, tmp_path / f"kept{number}", orders, files)

    elsewhere.serve()
    again = LiveOrder(elsewhere.sign_in(), load.order.id, load.order.sample_id)
    assert again.received(half) == len(BEGUN)
    answer = again.admin.patch(path, data=BEGUN, headers={"x-service-offset": str(len(BEGUN))})
    assert answer.json()["receivedSize"] == 2 * len(BEGUN), answer.text
    record(
        "A backup that is made under load is restored with all that had been confirmed before it began"
        f" ({request.node.callspec.id})",
        tried=f"{ROUNDS} backups under orders and uploads, each restored elsewhere",
        found=f"all rows alike, {confirmed} files of reads all there with their MD5, a half upload went on",
    )


def finish(process: Any) -> None:
    """Wait until a command has ended well."""
    wait_until(lambda: process.process.poll() is not None, f"{process.name} ends")
    assert process.process.returncode == 0, process.log


def check(elsewhere: LiveFacility, kept: Path, order_ids: set[str], files: dict[str, str]) -> int:
    """Hold the restored facility against the backup and what was confirmed; return how many files it has."""
    database = open_database(elsewhere.home / "seqfacility.db")
    with database.connection_context(), database.atomic():
        found = facts_of_tables(database)
        stored = {row[0] for row in database.execute_sql("SELECT id FROM orders").fetchall()}
        named = {
            row[0]
            for number in "12"
            for row in database.execute_sql(f"SELECT file{number} FROM reads").fetchall()  # noqa: S608
            if row[0] is not None
        }
    close_all_connections(database)
    written = json.loads((kept / "backup.json").read_text())["tables"]
    wanted = {name: TableFacts(**facts) for name, facts in written.items()}
    assert {name for name in wanted if wanted[name] != found[name]} == {"site_settings"}
    assert order_ids <= stored
    assert files.keys() <= named
    for name in named:
        content = (elsewhere.home / "data" / name).read_bytes()
        digest = hashlib.md5(content, usedforsecurity=False).hexdigest()
        assert files.get(name, digest) == digest
    return len(named)
