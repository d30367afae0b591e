"""What `seqfacility-client upload` does beyond sending files one by one."""

import gzip
import hashlib
import json
import os
import select
import signal
import sys
from typing import Any

from seqfacility_testkit.facility import ADMIN, PASSWORD
from seqfacility_testkit.processes import whole_environment
from seqfacility_testkit.waiting import wait_until

KIB = 1024
MIB = 1024 * KIB


def content_of(workplace: Any, alias: str, mate: int) -> bytes:
    [read] = [read for read in workplace.reads(alias) if read["isActive"]]
    content: bytes = (workplace.data / read[f"file{mate}"]).read_bytes()
    return content


def lanes(workplace: Any, mate: str, size: int = 300 * KIB) -> bytes:
    """Put three lanes of a mate into the folder; return what they are joined."""
    names = [f"soil_S1_L00{lane}_{mate}_001.fastq.gz" for lane in (2, 1, 3)]
    contents = {name: gzip.compress(workplace.file(name, size)) for name in names}
    for name, content in contents.items():
        (workplace.folder / name).write_bytes(content)
    return b"".join(contents[name] for name in sorted(names))


def test_lanes_arrive_as_one_file_for_each_mate_and_are_not_sent_twice(workplace: Any) -> None:
    expected = {1: lanes(workplace, "R1"), 2: lanes(workplace, "R2")}
    workplace.small_chunks()

    refused = workplace.run("upload", workplace.folder)
    result = workplace.folder.parent / "sent.json"
    first = workplace.run("upload", "--join-lanes", "--checksum", "--result", result, workplace.folder)
    second = workplace.run("upload", "--join-lanes", workplace.folder)

    assert refused[0] == 1
    assert "soil has its R1 in 3 lanes; --join-lanes sends them as one file" in refused[2]
    assert first[0] == 0
    for mate, content in expected.items():
        assert content_of(workplace, "soil", mate) == content
    [read] = workplace.reads("soil")
    assert read["file1"].endswith("/soil_S1_R1_001.fastq.gz")
    assert read["checksum1"] == hashlib.md5(expected[1], usedforsecurity=False).hexdigest()
    assert second[1].count("already-there: ") == 2
    for sent in json.loads(result.read_text("utf-8"))["files"]:
        joined = [f"soil_S1_L00{lane}_{sent['role']}_001.fastq.gz" for lane in (1, 2, 3)]
        assert sent["lanes"] == [str(workplace.folder / name) for name in joined]
        assert sent["path"] == sent["lanes"][0]
        assert f"{workplace.folder / joined[0]}+{joined[1]}+{joined[2]} -> {sent['finalPath']}" in first[1]


def test_joined_lanes_go_on_where_they_were(workplace: Any) -> None:
    content = lanes(workplace, "R1", 4 * MIB)
    workplace.small_chunks()

    client = workplace.start("upload", "--join-lanes", workplace.folder)
    wait_until(
        lambda: bool(workplace.sessions()) and workplace.sessions()[0]["receivedSize"] > MIB, "it runs"
    )
    client.process.send_signal(signal.SIGKILL)
    client.process.wait()
    code, said, _ = workplace.run("upload", "--join-lanes", workplace.folder)

    assert code == 0
    assert "resuming: " in said
    assert content_of(workplace, "soil", 1) == content
    assert len(workplace.sessions()) == 1


def test_a_dry_run_shows_the_plan_and_sends_nothing(workplace: Any) -> None:
    workplace.file("soil_S1_L001_R1_001.fastq.gz", 2048)
    workplace.file("Undetermined_S0_L001_R1_001.fastq.gz", 10)
    workplace.file("lake_R1.fastq", 0)
    code = workplace.samples["soil"]["sampleId"]

    ended, said, _ = workplace.run("upload", "--dry-run", workplace.folder)

    header, row, empty, left_out, total = said.splitlines()
    assert ended == 0
    assert header.split() == ["file", "sample", "mate", "size", "state"]
    assert row.split()[1:] == ["soil", f"({code})", "R1", "2.0", "KiB", "sent"]
    assert "left out: reads that the sequencer gave to no sample" in left_out
    assert empty.endswith("lake_R1.fastq is empty")
    assert total == "2 files, 2.0 KiB; nothing was sent"
    assert workplace.sessions() == []


def test_checksums_that_lie_beside_the_files_are_sent_along(workplace: Any) -> None:
    content = workplace.file("soil_R1.fastq", 1000)
    other = workplace.file("deeper/lake_R1.fastq", 1000)
    md5s = [hashlib.md5(one, usedforsecurity=False).hexdigest() for one in (content, other)]
    (workplace.folder / "md5sum.txt").write_text(f"{md5s[0]}  ./soil_R1.fastq\n")
    (workplace.folder / "deeper" / "lake_R1.fastq.md5").write_text(f"{md5s[1].upper()}\n")

    code, _, complaint = workplace.run("upload", workplace.folder)

    assert (code, complaint) == (0, "")
    assert sorted(session["checksumProvided"] for session in workplace.sessions()) == sorted(md5s)


def test_a_file_that_is_not_what_the_list_beside_it_says_is_not_sent_when_it_is_hashed(
    workplace: Any,
) -> None:
    workplace.file("soil_R1.fastq", 1000)
    (workplace.folder / "checksums.md5").write_text(f"{'0' * 32}  soil_R1.fastq\n")

    code, _, complaint = workplace.run("upload", "--checksum", workplace.folder)

    assert code == 1
    assert complaint.endswith(f", the list beside it says {'0' * 32}\n")
    assert workplace.sessions() == []


def test_a_wrong_list_does_not_send_a_file_again_and_again(workplace: Any) -> None:
    workplace.file("soil_R1.fastq", 1000)
    (workplace.folder / "checksums.md5").write_text(f"{'0' * 32}  soil_R1.fastq\n")
    assert workplace.run("upload", workplace.folder)[0] == 0
    before = workplace.run("upload", workplace.folder)
    workplace.verify()
    after = workplace.run("upload", workplace.folder)

    assert before[1].startswith("already-there: ")
    assert after[1].startswith("already-there: ")
    assert len(workplace.sessions()) == 1


def test_an_order_is_known_by_its_number(workplace: Any) -> None:
    number = workplace.admin.get(f"/api/orders/{workplace.order_id}").json()["order"]["orderNumber"]
    workplace.file("soil_R1.fastq", 100)

    sent = workplace.run("upload", "--data-class", "cleaned", workplace.folder, order=number.lower())
    workplace.publish()
    fetched = workplace.run("download", workplace.folder / "delivery", order=number)
    unknown = workplace.run("upload", workplace.folder / "soil_R1.fastq", order="ORD-19990101-0001")

    assert (sent[0], fetched[0]) == (0, 0)
    assert unknown == (1, "", "error: you have no order ORD-19990101-0001\n")


def test_reads_are_linked_to_the_sequencing_run_that_was_named(workplace: Any) -> None:
    run = workplace.admin.post(f"{workplace.path}/runs", json={"runId": "RUN_7"}).json()["run"]
    workplace.file("soil_R1.fastq", 100)

    sent = workplace.run("upload", "--sequencing-run", "RUN_7", workplace.folder)
    unknown = workplace.run("upload", "--sequencing-run", "RUN_8", workplace.folder)

    assert sent[0] == 0
    assert [read["sequencingRunId"] for read in workplace.reads("soil")] == [run["id"]]
    assert unknown == (1, "", "error: the order has no sequencing run RUN_8\n")


def test_a_limited_rate_moves_every_byte_both_ways(workplace: Any) -> None:
    content = workplace.file("soil_R1.fastq", 500 * KIB)

    sent = workplace.run("upload", "--limit-rate", "1M", "--data-class", "cleaned", workplace.folder)
    workplace.publish()
    fetched = workplace.run("download", "--limit-rate", "1.5M", workplace.folder / "delivery")

    assert (sent[0], fetched[0]) == (0, 0)
    [place] = (workplace.folder / "delivery").rglob("soil_R1.fastq")
    assert place.read_bytes() == content


def test_a_terminal_is_asked_for_the_password_and_does_not_show_it(workplace: Any) -> None:
    workplace.file("soil_R1.fastq", 100)
    arguments = [
        "upload",
        "--password-stdin",
        "--order",
        workplace.order_id,
        "--dry-run",
        str(workplace.folder),
    ]
    environment = whole_environment(
        {"NO_PROXY": "127.0.0.1", "SEQFACILITY_URL": workplace.live.base, "SEQFACILITY_EMAIL": ADMIN}
    )

    process, terminal = os.forkpty()
    if process == 0:
        os.execve(  # noqa: S606  # our own command
            sys.executable, [sys.executable, "-m", "seqfacility_client", *arguments], environment
        )
    shown = read_until(terminal, b"password: ")
    os.write(terminal, PASSWORD.encode() + b"\n")
    shown += read_until(terminal, b"nothing was sent")
    _, status = os.waitpid(process, 0)
    os.close(terminal)

    assert os.waitstatus_to_exitcode(status) == 0
    assert PASSWORD.encode() not in shown


def read_until(terminal: int, text: bytes) -> bytes:
    """Read what a terminal shows until `text` was shown."""
    shown = b""
    while text not in shown:
        ready, _, _ = select.select([terminal], [], [], 60)
        assert ready, shown
        shown += os.read(terminal, 4096)
    return shown
