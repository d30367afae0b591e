"""A page and the command go on with each other's uploads, and leave a file to whoever sends it."""

import hashlib
import itertools
from pathlib import Path
from typing import Any

from seqfacility_testkit.cutting_proxy import cutting_proxy
from seqfacility_testkit.waiting import wait_until

KIB = 1024
MIB = 1024 * KIB
REQUESTS = 32 * KIB
"""What all requests of a command have in headers and other bodies, at most."""


def fingerprint(path: Path) -> str:
    """Make what a page makes of a `File`: its size, `lastModified` in whole seconds, both ends."""
    content, modified_ms = path.read_bytes(), path.stat().st_mtime_ns // 10**6
    digest = hashlib.sha256(f"{len(content)} {modified_ms // 1000} ".encode())
    digest.update(content[: 64 * KIB] + content[-64 * KIB :])
    return digest.hexdigest()[:32]


def planned(workplace: Any, name: str) -> dict[str, Any]:
    """Plan one file as a page does that it was dropped on."""
    place = workplace.folder / name
    file = {"path": f"run/{name}", "size": place.stat().st_size, "fingerprint": fingerprint(place)}
    plan = workplace.admin.post(f"{workplace.path}/uploads/plan", json={"files": [file]}).json()
    [one] = plan["uploads"]
    found: dict[str, Any] = one
    return found


def begun(workplace: Any, name: str) -> str:
    """Begin a session as a page does."""
    one = planned(workplace, name)
    body = {
        **{key: one[key] for key in ("targetKind", "targetRole", "originalName", "expectedSize")},
        "sampleId": one["sample"]["id"],
        "metadata": {"sourceFingerprint": one["fingerprint"]},
        "unlessThere": True,
    }
    answer = workplace.admin.post(f"{workplace.path}/uploads", json=body)
    assert answer.status_code == 200, answer.text
    upload_id: str = answer.json()["uploadId"]
    return upload_id


def send(workplace: Any, upload_id: str, offset: int, content: bytes) -> None:
    answer = workplace.admin.patch(
        f"{workplace.path}/uploads/{upload_id}", data=content, headers={"x-service-offset": str(offset)}
    )
    assert answer.status_code == 200, answer.text


def arrived(workplace: Any) -> bytes:
    [read] = [read for read in workplace.reads("soil") if read["isActive"]]
    content: bytes = (workplace.data / read["file1"]).read_bytes()
    return content


def test_the_command_goes_on_at_the_byte_where_a_page_was_left(workplace: Any) -> None:
    content = workplace.file("soil_R1.fastq", 3 * MIB)
    upload_id = begun(workplace, "soil_R1.fastq")
    send(workplace, upload_id, 0, content[: 2 * MIB])

    with cutting_proxy(workplace.live.base, itertools.repeat(2**62)) as proxy:
        code, said, complaint = workplace.run("upload", workplace.folder, url=proxy.address)

    assert (code, complaint) == (0, "")
    assert f"soil_R1.fastq at {2 * MIB} of {3 * MIB} bytes" in said
    assert proxy.sent < MIB + REQUESTS
    assert arrived(workplace) == content
    assert [session["uploadId"] for session in workplace.sessions()] == [upload_id]


def test_a_page_goes_on_at_the_byte_where_the_command_was_killed(workplace: Any) -> None:
    content = workplace.file("soil_R1.fastq", 12 * MIB)
    workplace.small_chunks()
    client = workplace.start("upload", workplace.folder)
    wait_until(
        lambda: bool(workplace.sessions()) and workplace.sessions()[0]["receivedSize"] > MIB, "it runs"
    )
    client.process.kill()
    client.process.wait()
    wait_until(lambda: not workplace.sessions()[0]["isReceiving"], "nobody sends any more")

    there = planned(workplace, "soil_R1.fastq")["continues"]
    send(workplace, there["uploadId"], there["receivedSize"], content[there["receivedSize"] :])
    done = workplace.admin.post(f"{workplace.path}/uploads/{there['uploadId']}/complete")

    assert (there["isSameFile"], there["isReceiving"]) == (True, False)
    assert MIB < there["receivedSize"] < len(content)
    assert done.status_code == 200, done.text
    assert arrived(workplace) == content
    assert len(workplace.sessions()) == 1


def test_two_commands_at_once_send_a_file_once(workplace: Any) -> None:
    content = workplace.file("soil_R1.fastq", 6 * MIB)
    workplace.small_chunks()

    with cutting_proxy(workplace.live.base, itertools.repeat(2**62)) as proxy:
        both = [workplace.start("upload", workplace.folder, url=proxy.address) for _ in range(2)]
        ended = [client.ended() for client in both]

    assert [(code, complaint) for code, _, complaint in ended] == [(0, "")] * 2
    assert sorted(said.splitlines()[-1].partition(":")[0] for _, said, _ in ended) == [
        "already-there",
        "sent",
    ]
    assert proxy.sent < len(content) + 64 * KIB + 4 * REQUESTS
    assert arrived(workplace) == content
    assert len(workplace.sessions()) == 1


def test_what_a_page_sends_now_is_waited_for(workplace: Any) -> None:
    content = workplace.file("soil_R1.fastq", MIB)
    upload_id = begun(workplace, "soil_R1.fastq")
    send(workplace, upload_id, 0, content[:KIB])

    planned_by = workplace.run("upload", "--dry-run", workplace.folder)
    client = workplace.start("upload", workplace.folder)
    assert client.process.stdout is not None
    waiting = client.process.stdout.readline()
    send(workplace, upload_id, KIB, content[KIB:])
    workplace.admin.post(f"{workplace.path}/uploads/{upload_id}/complete")
    code, said, _ = client.ended()

    assert f"resumed at {KIB} bytes, unless somebody who sends it now goes on" in planned_by[1]
    assert waiting.startswith("waiting: somebody else sends ")
    assert (code, said.count("already-there: ")) == (0, 1)
    assert len(workplace.sessions()) == 1


def test_the_checksum_comes_with_the_completion_and_counts_what_a_page_sent(workplace: Any) -> None:
    content = workplace.file("soil_R1.fastq", MIB)
    upload_id = begun(workplace, "soil_R1.fastq")
    send(workplace, upload_id, 0, content[: 100 * KIB])

    code, _, complaint = workplace.run("upload", "--checksum", workplace.folder)

    md5 = hashlib.md5(content, usedforsecurity=False).hexdigest()
    [session] = workplace.sessions()
    assert (code, complaint) == (0, "")
    assert (session["uploadId"], session["checksumProvided"]) == (upload_id, md5)
    assert (session["checksumComputed"], session["checksumMatches"]) == (md5, True)


def test_bytes_that_are_not_those_of_the_file_are_not_filed_but_sent_again(workplace: Any) -> None:
    content = workplace.file("soil_R1.fastq", MIB)
    upload_id = begun(workplace, "soil_R1.fastq")
    send(workplace, upload_id, 0, bytes(100 * KIB))

    code, said, complaint = workplace.run("upload", "--checksum", workplace.folder)

    assert (code, complaint) == (0, "")
    assert "soil_R1.fastq did not arrive as it is here: it is sent again\n" in said
    assert arrived(workplace) == content
    assert sorted(session["status"] for session in workplace.sessions()) == ["CANCELLED", "COMPLETED"]


def test_a_facility_without_plans_would_answer_405(workplace: Any) -> None:
    """The client of `test_plan.py` takes that for an older release: there `plan` is the id of a session."""
    assert workplace.admin.post(f"{workplace.path}/uploads/another", json={}).status_code == 405
